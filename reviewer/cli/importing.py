"""`reviewer import` and `reviewer schema`."""

from __future__ import annotations

import re
import signal
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.cli.output import say, say_json

if TYPE_CHECKING:
    from reviewer.ingest.summary import Report, SourceReport


_MOST = 20
"""Rows of the table of runs that are printed."""
_ROWS = 30
"""Rows of the sources that are printed."""
_FEW_ROWS = 8
"""With more, their remarks are only counted."""
_NAMED = 3
"""Models of a row that are named when there are many rows."""
_ENDS, _LONGEST_END = 8, 12
_KIND = re.compile(r"^(?:an?|neither JSON nor a log: a) |(?:,|;|:| of ).*")
"""What a word for a file says beyond its kind."""
_KINDS = 4
"""Kinds of files without conversations that are told one by one."""


def import_(
    paths: Annotated[
        list[Path], typer.Argument(help="Log files, or folders that hold some.", show_default=False, readable=False)
    ],
    into: Annotated[Path, typer.Option("--into", help="The store; made when it is not there.")] = Path("runs.db"),
    format: Annotated[
        str | None, typer.Option("--format", help="Read as this format, unasked; a wrong name lists them.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="File everything under this model.")] = None,
    run: Annotated[
        int | None, typer.Option("--run", min=0, max=10**9 - 1, help="The run's number; several count on from it.")
    ] = None,
    label: Annotated[str | None, typer.Option("--label", help="Configuration: files it under MODEL+LABEL.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Put these in the place of what is stored.")] = False,
    desk: Annotated[str | None, typer.Option("--desk", help="Desk that classes the tools: a name or a file.")] = None,
    map: Annotated[str | None, typer.Option("--map", help="Map of a table's columns: a name or a file.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print a line a file, and every remark.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Read transcripts into a store. Importing the same again adds nothing."""
    from reviewer.cli.progress import Reading
    from reviewer.ingest.importer import Wishes, import_files

    _stop_when_told()
    wishes = Wishes(format, model, run, label, replace, desk, map)
    with Reading(quiet=as_json) as reading:
        report = import_files(paths, into, wishes, reading.step)
    if as_json:
        say_json({"store": str(into), **report.as_json()}, indent=2)
    else:
        for line in _lines(report, into, verbose):
            say(line)
    raise typer.Exit(report.exit_code)


def _stop_when_told() -> None:
    """Let `kill` and a closed window stop an import as Ctrl-C does: nothing in part, and one file."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def schema() -> None:
    """Print the JSON Schema of one line of the interchange format."""
    from reviewer.ingest.formats.interchange import schema as interchange_schema

    say_json(interchange_schema(), indent=2)


def _lines(report: Report, into: Path, verbose: bool = False) -> list[str]:
    from reviewer.ingest.summary import rows

    read = [source for source in report.sources if not source.passed_over]
    told = read if verbose else rows(read)
    shown = told if verbose else [row for index, row in enumerate(told) if index < _ROWS or row.refused]
    crowded = not verbose and len(shown) > _FEW_ROWS
    lines = []
    for row in shown:
        files = f" ({row.files:,} files)" if row.files > 1 else ""
        remarks = [] if crowded else _shown(row, 100 if verbose else 8 if len(shown) < _NAMED else 3)
        lines.append(f"{row.path}{files}: {_words(row, crowded)}")
        lines += [f"    {remark}" for remark in remarks]
    if len(shown) < len(told):
        lines.append(f"… and {len(told) - len(shown):,} more rows")
    if crowded:
        lines.append("--verbose prints a line a file, with all remarks.")
    lines += _passed_over(report, verbose)
    lines += _table(report)
    lines += ["", _total(report, into)]
    if report.exit_code < 2 and report.total("new") + report.total("replaced"):
        lines.append(f"Read them: reviewer open {into}")
    return [*lines, *_unread(report)]


def _total(report: Report, into: Path) -> str:
    added = report.total("new") + report.total("replaced")
    told = f"{added:,} conversations added"
    if report.total("updated"):
        told += f", {report.total('updated'):,} updated"
    told += f", {report.total('unchanged'):,} unchanged"
    if report.total("rejected"):
        told += f", {report.total('rejected'):,} rejected"
        told += f" (kept in the store: reviewer info {into} --rejected)" if into.exists() else " (no store was made)"
    return f"{into}: {told}."


def _passed_over(report: Report, verbose: bool) -> list[str]:
    """The files that hold no conversations, by what they hold."""
    from reviewer.ingest.formats import known
    from reviewer.ingest.passed_over import UNKNOWN

    kinds: dict[str, list[str]] = {}
    for source in report.sources:
        if source.passed_over:
            kinds.setdefault(source.passed_over, []).append(source.path)
    few = verbose or len(kinds) <= _KINDS
    lines = []
    for word, paths in kinds.items() if few else ():
        shown = paths if verbose else paths[:2]
        more = f" and {len(paths) - len(shown):,} more" if len(shown) < len(paths) else ""
        lines.append(f"passed over: {word}: {', '.join(shown)}{more}")
    if any(word.startswith(UNKNOWN) for word in kinds):
        lines.append(f"Formats tried: {', '.join(known())}. --format NAME reads a file as that one, unasked.")
        lines.append("Is it a table of messages? reviewer map FILE drafts a map, import --map reads it.")
    return lines


def _unread(report: Report) -> list[str]:
    """The last line: how many files were not read, by what they are."""
    from reviewer.ingest.passed_over import UNKNOWN

    kinds: Counter[str] = Counter()
    for name in report.unread:
        end = Path(name).suffix
        hidden = name.endswith("/") or Path(name).name.startswith(".")
        kinds["hidden" if hidden else end if end and len(end) < _LONGEST_END else "others"] += 1
    for source in report.sources:
        word = source.passed_over
        if word:
            kinds[UNKNOWN if word.startswith(UNKNOWN) else _KIND.sub("", word)] += 1
    if not kinds:
        return []
    named = ", ".join(f"{n:,} {kind}" for kind, n in kinds.most_common(_ENDS))
    more = " …" if len(kinds) > _ENDS else ""
    of = "file was" if kinds.total() == 1 else "files were"
    return [f"{kinds.total():,} {of} not read: {named}{more} (--json lists them)"]


def _table(report: Report) -> list[str]:
    """What each model has in each run and bucket."""
    if not report.coverage:
        return []
    rows = [["model", "run", "bucket", "present", "empty", "unscored", "missing"]]
    for row in report.coverage[:_MOST]:
        told = (row.model, row.run, row.bucket, row.present, row.empty, row.unscored, row.missing)
        rows.append([str(each) if each is not None else "-" for each in told])
    widths = [max(len(row[column]) for row in rows) for column in range(7)]
    lines = [""]
    for cells in rows:
        left = f"{cells[0]:<{widths[0]}}  {cells[1]:>{widths[1]}}  {cells[2]:<{widths[2]}}"
        lines.append(
            "  ".join([left, *(f"{cell:>{width}}" for cell, width in zip(cells[3:], widths[3:], strict=True))])
        )
    more = len(report.coverage) - _MOST
    return [*lines, f"and {more:,} more: reviewer info"] if more > 0 else lines


def _shown(row: SourceReport, most: int) -> list[str]:
    more = len(row.remarks) + row.unsaid - most
    if more <= 1:
        return row.remarks
    of = "all" if not row.unsaid else f"{len(row.remarks):,} of them"
    return [*row.remarks[:most], f"… and {more:,} more remarks ({of} with --json)"]


def _words(source: SourceReport, crowded: bool = False) -> str:
    from reviewer.ingest.summary import COUNTED

    if source.refused:
        return f"refused: {source.refused}"
    counted = ((name, getattr(source, name)) for name in COUNTED)
    counts = ", ".join(f"{n:,} {name}" for name, n in counted if n) or "no conversations"
    models = [f"{model}{_runs(numbers)}" for model, numbers in source.models.items()]
    if crowded and len(models) > _NAMED:
        models[_NAMED - 1 :] = [f"{len(models) - _NAMED + 1:,} more models"]
    remarks = len(source.remarks) + source.unsaid if crowded else 0
    told = [counts, source.format or "unread", "; ".join(models), f"{remarks:,} remarks" if remarks else ""]
    return " · ".join(part for part in told if part)


def _runs(numbers: set[int | None]) -> str:
    stated = sorted(number for number in numbers if number is not None)
    if not stated:
        return ""
    return f" run {stated[0]}" if len(stated) == 1 else f" runs {', '.join(map(str, stated))}"
