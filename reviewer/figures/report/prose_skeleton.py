"""A file of prose to begin with: every heading, and what may stand in the front matter.

Owns its words, and never writes over a file. Where the sections of a page are at hand, each says which figures it has.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from reviewer.basics.errors import JournalError
from reviewer.figures.report import deep_report
from reviewer.figures.report.blocks import Block, FigureTable, ReportPage, ReportSection, slug
from reviewer.figures.report.prose_file import is_there, prose_path, read
from reviewer.figures.report.prose_front import VERDICT
from reviewer.marks.codebook import Codebook

_FRONT = """+++
{model}# One to three sentences, and a remark for the card; what is empty is left out.
verdict = ""
remark = ""

# The mode with an early section, and the models beside this one; else tags and the board choose.
# promoted = "invented-delivery-date"
# comparators = ["another-model"]

# Rows of the table by use case, each with the families in it: "fraud reroute (adversarial)" where a bucket is meant.
[clusters]
# "Order changes" = ["address change", "cancel before ship"]

# What the column `read` says of a use case, and the remark of a row at a glance.
[read]
# order_changes = "asks before it writes"

[glance]
# following = "lowest where it cancels"

# What stands behind a heading after a colon; what stands in bold before the words below it.
[tails]
# safety = "it gives goods away"

[leads]
# safety = "Free goods."
+++

{{# Under each heading: your words, in Markdown. {{{{ unsafe.per_run }}}} prints a figure, {{{{ excerpt("…") }}}} a tag
   by its identifier, here and in the texts above. What stands between these signs is not printed. #}}
"""
WORDLESS = frozenset({"card", "glance", "use_cases", "judges", "matrix", "reading", "board", "limits"})
"""Sections that need no words but those of the front matter."""
_ROWS = 24
"""Rows of a table that are named."""


def skeleton(model: str | None, sections: Iterable[ReportSection]) -> str:
    """The text of a new file."""
    named = f"# Whose page this is; no other prints it.\nmodel = {_quoted(model)}\n\n" if model is not None else ""
    parts = [_FRONT.format(model=named)]
    own = (each for each in sections if each.heading and each.key not in {*WORDLESS, VERDICT})
    parts += (f"\n## {' '.join(each.heading.split())}\n{_figures(each)}" for each in own)
    return "".join(parts)


def planned_sections(codebook: Codebook) -> list[ReportSection]:
    """The sections of a report as far as a codebook says them, without anything counted."""
    by_heading = {plan.heading: plan.key for plan in deep_report.ANATOMY}
    return [ReportSection(by_heading.get(each, slug(each)), each) for each in deep_report.headings(codebook)]


def made(annotations: Path, model: str | None, sections: Iterable[ReportSection]) -> Path:
    """Write a new file; one that is there stays as it is, and that is said as an error."""
    path = prose_path(annotations, model)
    text = skeleton(model, sections)
    if is_there(path):
        raise JournalError(f"{path} is there already, and stays as it is.", "Open it in an editor.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:  # and not over one made in this moment
            file.write(text)
    except OSError as error:
        raise JournalError(f"{path} cannot be written: {error.strerror}.", "Nothing was changed.") from error
    return path


def made_if_missing(annotations: Path, codebook: Codebook, model: str, page: ReportPage | None = None) -> Path:
    """The file of a model's prose, written where there is none yet."""
    path = prose_path(annotations, model)
    if not is_there(path):
        made(annotations, model, planned_sections(codebook) if page is None else page.sections)
    return path


def place_of_tag(annotations: Path, codebook: Codebook, model: str, code: str) -> tuple[Path, int]:
    """The file of a model's prose, and the line of the heading of the section in which a mode is reported.

    That is the mode's own section where the file has one; line 1 where it has neither, or is not there yet.
    """
    path = prose_path(annotations, model)
    prose = read(path)
    mode = codebook.mode(code)
    wanted = [slug(mode.title)] if mode else []
    wanted.append(slug(deep_report.heading_of(codebook, code)))
    lines = {
        slug(section.heading): section.line for section in reversed(prose.sections if prose else ()) if section.heading
    }
    return path, next((lines[each] for each in wanted if each in lines), 1)


def _figures(section: ReportSection) -> str:
    """The names of a section's figures, table by table."""
    told = [_names(block) for block in section.blocks]
    listed = "\n   ".join(filter(None, told))
    return f"{{# {listed} #}}\n" if listed else ""


def _names(block: Block) -> str:
    if not isinstance(block, FigureTable) or len(block.rows) == 1:
        return ", ".join(name for name, _ in block.figures())
    rows = ", ".join(row.key for row in block.rows[:_ROWS])
    more = f" and {len(block.rows) - _ROWS} more" if len(block.rows) > _ROWS else ""
    columns = ", ".join(name for name, _ in block.columns)
    return f"{f'{block.key}.' if block.key else ''}ROW.COLUMN: a row of {rows}{more}; a column of {columns}"


def _quoted(text: str) -> str:
    """A text as TOML writes it, on one line."""
    escapes = {"\\": "\\\\", '"': '\\"'}
    return (
        '"'
        + "".join(escapes.get(each) or (each if each.isprintable() else f"\\U{ord(each):08X}") for each in text)
        + '"'
    )
