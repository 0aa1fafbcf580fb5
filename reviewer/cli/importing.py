"""`reviewer import` and `reviewer schema`."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.cli.output import say, say_json

if TYPE_CHECKING:
    from reviewer.ingest.summary import Report, SourceReport


_MOST = 100
"""Rows of the table that are printed."""


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
        for line in _lines(report, into):
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


def _lines(report: Report, into: Path) -> list[str]:
    from reviewer.ingest.summary import rows

    lines = []
    for row in rows(source for source in report.sources if not source.passed_over):
        files = f" ({row.files:,} files)" if row.files > 1 else ""
        lines.append(f"{row.path}{files}: {_words(row)}")
        lines += [f"    {remark}" for remark in _shown(row)]
    lines += _passed_over(report)
    lines += _table(report)
    added = report.total("new") + report.total("replaced")
    total = f"{added:,} conversations added, {report.total('unchanged'):,} unchanged"
    if report.total("rejected"):
        total += f", {report.total('rejected'):,} rejected (kept in the store: reviewer info {into} --rejected)"
    lines += ["", f"{into}: {total}."]
    if added:
        lines.append(f"Read them: reviewer open {into}")
    return lines


def _passed_over(report: Report) -> list[str]:
    """The files that hold no conversations, by what they hold."""
    from reviewer.ingest.formats import known
    from reviewer.ingest.passed_over import UNKNOWN

    kinds: dict[str, list[str]] = {}
    for source in report.sources:
        if source.passed_over:
            kinds.setdefault(source.passed_over, []).append(source.path)
    lines = []
    for word, paths in kinds.items():
        more = f" and {len(paths) - 2:,} more" if len(paths) > 2 else ""
        lines.append(f"passed over: {word}: {', '.join(paths[:2])}{more}")
    if any(word.startswith(UNKNOWN) for word in kinds):
        lines.append(f"Formats tried: {', '.join(known())}. --format NAME reads a file as that one, unasked.")
        lines.append("Is it a table of messages? reviewer map FILE drafts a map, import --map reads it.")
    return lines


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
    return [*lines, f"… and {more:,} more rows (all with --json)"] if more > 0 else lines


def _shown(row: SourceReport, most: int = 8) -> list[str]:
    more = len(row.remarks) + row.unsaid - most
    if more <= 1:
        return row.remarks
    of = "all" if not row.unsaid else f"{len(row.remarks):,} of them"
    return [*row.remarks[:most], f"… and {more:,} more remarks of this kind ({of} with --json)"]


def _words(source: SourceReport) -> str:
    if source.refused:
        return f"refused: {source.refused}"
    names = {"new": source.new, "unchanged": source.unchanged, "replaced": source.replaced, "rejected": source.rejected}
    counts = ", ".join(f"{n:,} {name}" for name, n in names.items() if n) or "no conversations"
    runs = "; ".join(f"{model}{_runs(numbers)}" for model, numbers in source.models.items())
    return f"{counts} · {source.format or 'unread'}{' · ' + runs if runs else ''}"


def _runs(numbers: set[int | None]) -> str:
    stated = sorted(number for number in numbers if number is not None)
    if not stated:
        return ""
    return f" run {stated[0]}" if len(stated) == 1 else f" runs {', '.join(map(str, stated))}"
