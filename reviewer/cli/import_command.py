"""`reviewer import` and `reviewer schema`."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.basics.shell import shell_word
from reviewer.cli.output import confirmed, say, say_json

if TYPE_CHECKING:
    from reviewer.imports.importer import Wishes
    from reviewer.imports.summary import ImportReport, SourceReport


_USUAL = os.terminal_size((100, 40))
"""The screen that is meant where nobody tells."""
_PIPED = 1_000_000
"""Columns of a line that goes to a file or a program: no line is cut."""
_MOST = 20
"""Rows of the table of runs that are printed."""
_ROWS = 30
"""Rows of the sources that are printed."""
_FEW = 3
"""Rows that are printed on however small a screen."""
_AROUND = 3
"""Lines of a table beside its rows."""
_NAMED = 3
"""Models of a row that are named."""
_ENDS, _LONGEST_END = 8, 12
_KIND = re.compile(r"^(?:an?|neither JSON nor a log: a) |(?:,|;|:| of | as ).*")
"""What a word for a file says beyond its kind."""
_KINDS = 4
"""Kinds of files without conversations that are told one by one."""
_DATABASES = (".db", ".sqlite", ".sqlite3")
"""Endings of tables that are not opened in a folder."""


def import_(
    paths: Annotated[
        list[Path], typer.Argument(help="Log files, or folders that hold some.", show_default=False, readable=False)
    ],
    into: Annotated[Path, typer.Option("--into", help="The store; made when it is not there.")] = Path("runs.db"),
    format: Annotated[
        str | None, typer.Option("--format", help="Read as this format, without looking; a wrong name lists them.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="File everything under this model.")] = None,
    run: Annotated[
        int | None, typer.Option("--run", min=0, max=10**9 - 1, help="The run's number; several count on from it.")
    ] = None,
    label: Annotated[str | None, typer.Option("--label", help="Configuration: files it under MODEL+LABEL.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Put these in the place of what is stored.")] = False,
    desk: Annotated[str | None, typer.Option("--desk", help="Desk that classes the tools: a name or a file.")] = None,
    map: Annotated[str | None, typer.Option("--map", help="Map of a table's columns: a name or a file.")] = None,
    path_pattern: Annotated[
        str | None, typer.Option("--path-pattern", help="What paths name: '{model}/{run}/{case}.json', {label}, *.")
    ] = None,
    follow_links: Annotated[
        bool, typer.Option("--follow-links", help="Follow links that lead out of a folder.")
    ] = False,
    scan: Annotated[bool, typer.Option("--scan", help="Run the reads over it afterwards: reviewer scan.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print a line a file, and every remark.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Read transcripts into a store. Importing the same again adds nothing.

    Exit code 0 when every log came in whole, 1 when some was rejected or goes on from a stored conversation that was
    not updated, 2 when nothing came in or a file was refused.
    """
    from reviewer.cli.progress import ImportProgress
    from reviewer.imports.importer import Wishes, import_files

    _stop_when_told()
    _say_troubles(format, map)
    wishes = Wishes(format, model, run, label, replace, desk, map, path_pattern, following_links=follow_links)
    with ImportProgress(quiet=as_json) as reading:
        report = import_files(paths, into, wishes, reading.step)
    _say_report(report, into, verbose, as_json)
    if report.total("continued") and not as_json and sys.stdin.isatty() and sys.stdout.isatty():
        report = _updated(report, paths, into, wishes)
    if scan and into.exists():
        _scan(into, as_json)
    raise typer.Exit(report.exit_code)


def _say_report(report: ImportReport, into: Path, verbose: bool, as_json: bool) -> None:
    """Print what came of an import, as much as fits on the terminal."""
    if as_json:
        say_json({"store": str(into), **report.as_json()}, indent=2)
    else:
        size = shutil.get_terminal_size(_USUAL)
        piped = os.terminal_size((_PIPED, size.lines))
        for line in _lines(report, into, verbose, size if sys.stdout.isatty() else piped):
            say(line)


def _say_troubles(format: str | None, map: str | None) -> None:
    """Name the packages whose formats cannot be used, unless the files are read as one of our own or by a map."""
    from reviewer.imports import formats

    if not map and format not in formats.own():
        for trouble in formats.brought().troubles:
            say(trouble, err=True)


def _updated(report: ImportReport, paths: list[Path], into: Path, wishes: Wishes) -> ImportReport:
    """Ask whether stored conversations that go on in these files are updated; if so, update them and print how many."""
    from dataclasses import replace

    from reviewer.cli.progress import ImportProgress
    from reviewer.imports.importer import import_files

    if not confirmed(
        f"Update the {_conversations(report.total('continued'))} that go on? Tags on their messages stay."
    ):
        return report
    with ImportProgress(quiet=False) as reading:
        second = import_files(paths, into, replace(wishes, updating=True), reading.step)
    say(f"{into}: {_conversations(second.total('replaced'))} updated.")
    return second


def _conversations(n: int) -> str:
    return f"{n:,} conversation{'s' * (n != 1)}"


def _scan(store: Path, quiet: bool) -> None:
    """Run the usual reads over all that the store holds and no read has seen."""
    from reviewer.cli.findings_command import scanned, told
    from reviewer.findings.scans import usual
    from reviewer.transcripts.store.reader import Reader

    with Reader(store) as reader:
        ids = reader.ids()
    report = scanned(store, ids, usual())
    for line in () if quiet else told(report, store):
        say(line)


def _stop_when_told() -> None:
    """Let `kill` and a closed window stop an import as Ctrl-C does: nothing in part, and one file."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def schema() -> None:
    """Print the JSON Schema of one line of the interchange format."""
    from reviewer.imports.formats.interchange import schema as interchange_schema

    say_json(interchange_schema(), indent=2)


def _lines(report: ImportReport, into: Path, verbose: bool = False, size: os.terminal_size = _USUAL) -> list[str]:
    """Return the report at the end of an import: what fits on a screen, or a line a file with all remarks."""
    passed = _passed_over(report, into, whole=verbose or size.columns == _PIPED)
    if not verbose:
        passed = [_cut(line, size.columns) for line in passed]
    end = ["", *report.paths, _total(report, into)]
    if report.exit_code < 2 and report.total("new") + report.total("replaced"):
        end.append(f"Read them: reviewer open {shell_word(into)}")
    end += [*_unread(report), *_links(report)]
    if verbose:
        return [*_every_file(report), *passed, *_table(report, _MOST), *end]
    room = size.lines - 1 - _height([*passed, *end], size.columns)
    whole = _table(report, _MOST)
    told = _on_screen(report, max(room - len(whole), room // 2), size.columns)
    left = room - _height(told, size.columns)
    table = whole if len(whole) <= left else _table(report, max(_FEW, min(_MOST, left - _AROUND)))
    return [*told, *passed, *table, *end]


def _every_file(report: ImportReport) -> list[str]:
    lines = []
    for source in report.sources:
        if not source.passed_over:
            lines.append(f"{source.path}: {_words(source, whole=True)}")
            lines += [f"    {remark}" for remark in _shown(source, 100)]
    return lines


def _on_screen(report: ImportReport, room: int, columns: int) -> list[str]:
    """The sources as rows of so many lines: with their remarks as far as these fit, and as few rows as it takes."""
    from reviewer.imports.summary import rows

    read = [source for source in report.sources if not source.passed_over]
    told = rows(read, max(_FEW, min(_ROWS, room - 2)))
    verbose = ["--verbose prints a line a file, with all remarks."]
    for remarks in (8 if len(told) < _FEW else 3, 1, 0):
        lines = [line for row in told for line in _row(row, remarks)]
        if _height(lines, columns) <= room:
            hidden = not remarks and any(row.remarks for row in told)
            return [*lines, *(verbose if hidden else [])]
    shown = [_row(row, 0) if row.refused else [_cut(line, columns) for line in _row(row, 0)] for row in told]
    left = [n for n in range(len(told) - 1, _FEW - 1, -1) if not told[n].refused]
    kept = dict(enumerate(shown))
    for n in left:
        if _height([line for lines in kept.values() for line in lines], columns) <= room - 2:
            break
        del kept[n]
    more = len(told) - len(kept)
    folded = [f"… and {more:,} more rows"] if more else []
    return [*(line for lines in kept.values() for line in lines), *folded, *verbose]


def _row(row: SourceReport, remarks: int) -> list[str]:
    """A row with so many of its remarks, or how many there are."""
    files = f" ({row.files:,} files)" if row.files > 1 else ""
    told = _shown(row, remarks) if remarks else []
    return [f"{row.path}{files}: {_words(row, summed=not remarks)}", *(f"    {remark}" for remark in told)]


def _cut(line: str, columns: int) -> str:
    """Cut a line to the width of the terminal."""
    return line if len(line) <= columns else f"{line[: columns - 1]}…"


def _height(lines: Iterable[str], columns: int) -> int:
    """Count the rows of the terminal that lines take."""
    return sum(max(1, -(-len(line) // columns)) for line in lines)


def _total(report: ImportReport, into: Path) -> str:
    added = report.total("new") + report.total("replaced")
    told = f"{added:,} conversations added"
    if report.total("updated"):
        told += f", {report.total('updated'):,} updated"
    told += f", {report.total('unchanged'):,} unchanged"
    if n := report.total("continued"):
        told += f", {n:,} that go on from stored ones not updated (--replace updates them)"
    if report.total("rejected"):
        told += f", {report.total('rejected'):,} rejected"
        told += (
            f" (kept in the store: reviewer info {shell_word(into)} --rejected)"
            if into.exists()
            else " (no store was made)"
        )
    return f"{into}: {told}."


def _passed_over(report: ImportReport, into: Path, whole: bool) -> list[str]:
    """The files that hold no conversations, by what they hold; the first of each kind, or all of them."""
    from reviewer.imports.bystanders import COPY, SPREADSHEETS, UNKNOWN, may_be_table
    from reviewer.imports.formats import known

    kinds: dict[str, list[str]] = {}
    for source in report.sources:
        if source.passed_over:
            kinds.setdefault(source.passed_over, []).append(source.path)
    copies = [word for word in kinds if word.startswith(COPY)]
    if len(copies) > 1 and not whole:
        kinds[f"{COPY}others"] = [path for word in copies for path in kinds.pop(word)]
    few = whole or len(kinds) <= _KINDS
    lines = []
    for word, paths in kinds.items() if few else ():
        shown = paths if whole else paths[:2]
        more = f" and {len(paths) - len(shown):,} more" if len(shown) < len(paths) else ""
        lines.append(f"passed over: {word}: {', '.join(shown)}{more}")
    if any(word.startswith(UNKNOWN) for word in kinds):
        lines.append(f"Formats tried: {', '.join(known())}. --format NAME reads a file as that one, without looking.")
    endings = {Path(name).suffix.lower() for name in report.unread if Path(name).name != into.name}
    if any(map(may_be_table, kinds)) or endings & {*_DATABASES, *SPREADSHEETS}:
        lines.append("Is one a table of messages? reviewer map FILE drafts a map, import --map reads by it.")
    if endings & {*SPREADSHEETS}:
        lines.append("Save a spreadsheet as CSV first.")
    return lines


def _unread(report: ImportReport) -> list[str]:
    """The last line: how many files were not read, by what they are."""
    from reviewer.imports.bystanders import UNKNOWN

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


def _links(report: ImportReport) -> list[str]:
    """A line on links that were not followed, if there are any."""
    if not report.links:
        return []
    more = f" and {len(report.links) - _NAMED:,} more" if len(report.links) > _NAMED else ""
    links = "1 link leads" if len(report.links) == 1 else f"{len(report.links):,} links lead"
    named = ", ".join(report.links[:_NAMED])
    were = "was" if len(report.links) == 1 else "were"
    return [f"{links} out of the named folder and {were} not followed: {named}{more} (--follow-links follows them)"]


def _table(report: ImportReport, most: int) -> list[str]:
    """Return the lines that count conversations by model, run and bucket."""
    if not report.coverage:
        return []
    rows = [["model", "run", "bucket", "present", "empty", "unscored", "missing"]]
    for row in report.coverage[:most]:
        told = (row.model, row.run, row.bucket, row.present, row.empty, row.unscored, row.missing)
        rows.append([str(each) if each is not None else "-" for each in told])
    widths = [max(len(row[column]) for row in rows) for column in range(7)]
    lines = [""]
    for cells in rows:
        left = f"{cells[0]:<{widths[0]}}  {cells[1]:>{widths[1]}}  {cells[2]:<{widths[2]}}"
        lines.append(
            "  ".join([left, *(f"{cell:>{width}}" for cell, width in zip(cells[3:], widths[3:], strict=True))])
        )
    more = len(report.coverage) - most
    return [*lines, f"and {more:,} more: reviewer info"] if more > 0 else lines


def _shown(row: SourceReport, most: int) -> list[str]:
    more = len(row.remarks) + row.unsaid - most
    if more <= 1:
        return row.remarks
    of = "all" if not row.unsaid else f"{len(row.remarks):,} of them"
    return [*row.remarks[:most], f"… and {more:,} more remarks ({of} with --json)"]


def _words(source: SourceReport, whole: bool = False, summed: bool = False) -> str:
    """Describe what came of a source: its first model or all of them, and its remarks where these are counted."""
    from reviewer.imports.summary import COUNTED

    if source.refused:
        return f"refused: {source.refused}"
    counted = ((name, getattr(source, name)) for name in COUNTED)
    counts = ", ".join(f"{n:,} {name}" for name, n in counted if n) or "no conversations"
    models = [f"{model}{_runs(numbers)}" for model, numbers in source.models.items()]
    if not whole and len(models) > _NAMED:
        models[_NAMED - 1 :] = [f"{len(models) - _NAMED + 1:,} more models"]
    n = len(source.remarks) + source.unsaid if summed else 0
    remarks = f"{n:,} remark{'s' * (n > 1)}" if n else ""
    told = [counts, source.format or "unread", "; ".join(models), remarks]
    return " · ".join(part for part in told if part)


def _runs(numbers: set[int | None]) -> str:
    stated = sorted(number for number in numbers if number is not None)
    if not stated:
        return ""
    spans: list[list[int]] = []
    for number in stated:
        if spans and spans[-1][-1] == number - 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    told = [f"{span[0]}-{span[-1]}" if len(span) > 2 else ", ".join(map(str, span)) for span in spans]
    return f" run{'s' * (len(stated) > 1)} {', '.join(told)}"
