"""`reviewer findings STORE --import`: what others suggest brought in, and what came of it said."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reviewer.cli.output import say

if TYPE_CHECKING:
    from reviewer.findings.finding_import import FindingImportReport
    from reviewer.findings.finding_store import BroughtCounts
    from reviewer.marks.codebook import Codebook

_PRINTED, _CAUSES, _PLACES = 20, 5, 3
"""Fields that are named; causes in the sentence about a file; places beside each."""


def bring_in(store: Path, file: Path, by: str, annotations: Path | None) -> int:
    """Bring the suggestions of a file or folder in; the exit code: 2 where a record could not be taken."""
    from reviewer.basics.errors import ReviewerError
    from reviewer.findings import finding_files, finding_import
    from reviewer.imports import scout_results
    from reviewer.marks import folder
    from reviewer.transcripts.store.reader import Reader

    with Reader(store) as reader:
        shipped = folder.suited(reader.info()["cases"])
        codebook = folder.load(annotations or folder.usual(store), shipped)
        dropped: Counter[str] = Counter()
        piped = str(file) == "-"
        if not piped and scout_results.is_scan(file):
            lines = scout_results.lines(file)
        else:
            lines = finding_files.lines_of("standard input" if piped else file.name, _held(file, piped), dropped)
        report = finding_import.bring_in(reader, lines, codebook, by)
    _say_causes(report.wrong, "could not be taken")
    _say_causes(report.remarks, "stand less exactly than they say")
    if dropped:
        names = ", ".join(f"{name} ({n:,})" for name, n in dropped.most_common(_PRINTED))
        more = f" and {len(dropped) - _PRINTED:,} more" if len(dropped) > _PRINTED else ""
        say(f"A suggestion has no place for these fields, which were dropped: {names}{more}.", err=True)
    _say_absent(report.absent)
    _say_unknown(report, codebook)
    for source, counts in report.sources.items():
        say(f"{source.name} {source.version}: {_counted(counts)}.")
    none_taken = not any(each.new or each.known or each.changed for each in report.sources.values())
    if report.remarks:
        say(f"{_number(report.remarks):,} stand less exactly than they say.")
    if report.wrong:
        say(f"{_number(report.wrong):,} could not be taken.")
    elif none_taken and not report.sources:
        say(f"{file} holds no suggestion about this store.")
    return ReviewerError.exit_code if report.wrong or (report.absent and not report.sources) else 0


def _counted(counts: BroughtCounts) -> str:
    said = f"{counts.new:,} new, {counts.known:,} known"
    said += f", {counts.changed:,} changed" if counts.changed else ""
    return said + (f", {counts.gone:,} no longer suggested" if counts.gone else "")


def _held(file: Path, piped: bool) -> bytes:
    from reviewer.basics.errors import SourceError

    if piped:
        return sys.stdin.buffer.read()
    try:
        return file.read_bytes()
    except OSError as error:
        hint = "Name JSON Lines, JSON, SARIF, a folder of Inspect Scout's results, or - for standard input."
        raise SourceError(f"{file} cannot be read: {error.strerror}.", hint) from None


def _number(causes: Mapping[str, Sequence[str]]) -> int:
    return sum(map(len, causes.values()))


def _say_causes(causes: Mapping[str, Sequence[str]], what: str) -> None:
    """One sentence about each file: how many records, and for each cause the first of them."""
    by_file: dict[str, dict[str, list[str]]] = {}
    for cause, places in causes.items():
        for place in places:
            file, _, position = place.rpartition(", ")
            by_file.setdefault(file, {}).setdefault(cause, []).append(position)
    for file, told in by_file.items():
        number = _number(told)
        if number == 1:
            ((cause, (position,)),) = told.items()
            say(f"{file}, {position}: {cause}", err=True)
            continue
        said = [f"{_positions(held)}: {cause.removesuffix('.')}" for cause, held in list(told.items())[:_CAUSES]]
        rest = number - sum(len(held) for held in list(told.values())[:_CAUSES])
        said += [f"{rest:,} for other reasons"] if rest else []
        say(f"{file}: {number:,} {what}: {'; '.join(said)}.", err=True)


def _positions(held: Sequence[str]) -> str:
    """Where records stand: `line 2`, `line 2, line 5 and 7 more`."""
    more = f" and {len(held) - _PLACES:,} more" if len(held) > _PLACES else ""
    return f"{', '.join(held[:_PLACES])}{more}"


def _say_absent(sentences: Sequence[str]) -> None:
    if sentences:
        number = "1 is" if len(sentences) == 1 else f"{len(sentences):,} are"
        say(f"{number} about transcripts that the store does not have; the first: {sentences[0]}", err=True)


def _say_unknown(report: FindingImportReport, codebook: Codebook) -> None:
    for mode, number in sorted(report.unknown.items()):
        if number:
            near = ", ".join(each.code for each in codebook.alike(mode))
            hint = f"Near it: {near}." if near else f'To add it: reviewer codebook add "{mode}"'
            say(f"The codebook has no “{mode}” ({number:,} suggested), which is kept as it is. {hint}", err=True)
