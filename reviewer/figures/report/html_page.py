"""A report as HTML: one self-contained page without a script, for paper, for dark screens and for narrow ones.

Every text is made printable and escaped; the page loads nothing and says so to the browser. What unfolds are the
browser's own elements. A table that is too wide for the screen scrolls by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.figures.export.markdown import origin_said
from reviewer.figures.export.merged_lines import side_by_side
from reviewer.figures.export.page import HEAD, STYLE, merged, text
from reviewer.figures.report.blocks import (
    Block,
    ExcerptList,
    FigureTable,
    Prose,
    ReportPage,
    ReportSection,
    Sentence,
    ToRead,
)

_OWN = """
.wide{overflow-x:auto;margin:1rem 0 .3rem}table{border-collapse:collapse;font-size:.92rem;min-width:100%}
th,td{border-bottom:1px solid var(--line);padding:.25rem .6rem .25rem 0;text-align:left;vertical-align:top}
thead th{font-weight:600;font-size:.8rem}tbody th{font-weight:normal}td{font-variant-numeric:tabular-nums}
nav a{display:inline-block;margin-right:.9rem}.note{font-size:.85rem;opacity:.8;margin-top:.2rem}
code,h1,h2,h3,p,summary{overflow-wrap:anywhere}.wide:focus-visible{outline:2px solid}
@media (max-width:40rem){body{margin:1rem auto}th,td{padding-right:.4rem}table{font-size:.85rem}}
@media print{nav{display:none}.wide{overflow:visible}tr{break-inside:avoid}table{font-size:9pt}}
"""
_CONTEXT = 1
"""Messages on either side that an excerpt unfolds."""


def lines(report: ReportPage) -> Iterator[str]:
    """The page, piece by piece."""
    title = text(report.title)
    yield f"{HEAD}<title>{title}</title>\n<style>{STYLE}{_OWN}</style></head><body>\n<h1>{title}</h1>\n"
    if warning := origin_said(report.synthetic, report.simulated):
        yield f'<p class="synthetic">{warning}</p>\n'
    yield f"<p><em>{text(report.byline)}</em></p>\n"
    yield from _contents(report)
    for section in report.sections:
        yield from section_lines(section)
    yield "</body></html>\n"


def _contents(report: ReportPage) -> Iterator[str]:
    listed = [each for each in report.sections if each.blocks and each.heading]
    links = "\n".join(f'<a href="#section-{text(each.key)}">{text(each.brief or each.heading)}</a>' for each in listed)
    yield f'<nav aria-label="Sections">{links}</nav>\n' if listed else ""


def section_lines(section: ReportSection) -> Iterator[str]:
    """One section; nothing where it has no blocks."""
    if not section.blocks:
        return
    yield f'<section id="section-{text(section.key)}">\n'
    if section.heading:
        yield f"<h2>{text(section.heading)}</h2>\n"
    for block in section.blocks:
        yield from block_lines(block)
    yield "</section>\n"


def block_lines(block: Block) -> Iterator[str]:
    """One block."""
    if isinstance(block, FigureTable):
        yield from _table(block)
    elif isinstance(block, Sentence):
        lead = f"<strong>{text(block.lead)}</strong> " if block.lead else ""
        yield f"<p>{lead}{text(block.text)}</p>\n"
    elif isinstance(block, Prose):
        from reviewer.figures.report.prose_markup import as_html

        yield as_html(block)
    elif isinstance(block, ToRead):
        yield f"<p>{text(block.text)} To read them: <code>{text(block.query)}</code></p>\n"
    else:
        yield from _excerpts(block)


def _table(table: FigureTable) -> Iterator[str]:
    if table.heading:
        yield f"<h3>{text(table.heading)}</h3>\n"
    called = text(table.heading or table.about)
    heads = "".join(
        f'<th scope="col">{text(each)}</th>' for each in (table.about, *(name for _, name in table.columns))
    )
    yield f'<div class="wide" role="region" aria-label="{called}" tabindex="0"><table>\n'
    yield f"<thead><tr>{heads}</tr></thead><tbody>\n"
    for row in table.rows:
        cells = "".join(f"<td>{text(cell)}</td>" for cell in row.cells)
        yield f'<tr><th scope="row">{text(row.label)}</th>{cells}</tr>\n'
    yield "</tbody></table></div>\n"
    if table.note:
        yield f'<p class="note">{text(table.note)}</p>\n'


def _excerpts(block: ExcerptList) -> Iterator[str]:
    yield f"<h3>{text(block.heading)}</h3>\n" if block.heading else ""
    yield f"<p>{text(block.about)}</p>\n"
    for line in side_by_side(block.entries):
        yield merged(line, _CONTEXT)
