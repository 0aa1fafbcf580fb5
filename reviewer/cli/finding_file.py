"""`reviewer findings STORE --import`: what others suggest brought in, and what came of it said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reviewer.cli.output import say

if TYPE_CHECKING:
    from reviewer.annotations.codebook import Codebook
    from reviewer.session.finding_import import FindingImportReport
    from reviewer.store.findings import BroughtCounts

_PRINTED = 20
"""Sentences of one kind about a file that are printed."""


def bring_in(store: Path, file: Path, by: str, annotations: Path | None) -> int:
    """Bring the suggestions of a file or folder in; the exit code: 2 where a record could not be taken."""
    from reviewer.annotations import folder
    from reviewer.errors import ReviewerError
    from reviewer.ingest import scout_results
    from reviewer.session import finding_import
    from reviewer.store.reader import Reader

    with Reader(store) as reader:
        shipped = folder.suited(reader.info()["cases"])
        codebook = folder.load(annotations or folder.usual(store), shipped)
        lines = scout_results.lines(file) if scout_results.is_scan(file) else finding_import.lines_of(file)
        report = finding_import.bring_in(reader, lines, codebook, by)
    for sentences in (report.wrong, report.remarks):
        _say_some(sentences)
    _say_absent(report.absent)
    _say_unknown(report, codebook)
    for source, counts in report.sources.items():
        say(f"{source.name} {source.version}: {_counted(counts)}.")
    none_taken = not any(each.new or each.known or each.changed for each in report.sources.values())
    if report.remarks:
        say(f"{len(report.remarks):,} stand less exactly than they say.")
    if report.wrong:
        say(f"{len(report.wrong):,} could not be taken.")
    elif none_taken and not report.sources:
        say(f"{file} holds no suggestion about this store.")
    return ReviewerError.exit_code if report.wrong or (report.absent and not report.sources) else 0


def _counted(counts: BroughtCounts) -> str:
    said = f"{counts.new:,} new, {counts.known:,} known"
    said += f", {counts.changed:,} changed" if counts.changed else ""
    return said + (f", {counts.gone:,} no longer suggested" if counts.gone else "")


def _say_some(sentences: Sequence[str]) -> None:
    for sentence in sentences[:_PRINTED]:
        say(sentence, err=True)
    if len(sentences) > _PRINTED:
        say(f"… and {len(sentences) - _PRINTED:,} more", err=True)


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
