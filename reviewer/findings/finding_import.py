"""Bringing in what others suggest (a judge, a scanner, a script), so that people accept or reject it.

Owns putting what records hold beside the store, source by source. Whatever is wrong with a record costs that record
alone, and is kept with its place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from reviewer.basics.errors import ReviewerError, SourceError
from reviewer.findings.finding_files import Line
from reviewer.findings.finding_records import AbsentTranscriptError, BroughtFinding, FindingRecords
from reviewer.findings.finding_store import BroughtCounts, FindingSource, FindingsWriter
from reviewer.findings.scans import row_of
from reviewer.marks.codebook import Codebook
from reviewer.transcripts.model import Finding
from reviewer.transcripts.store.reader import Reader


@dataclass(slots=True)
class FindingImportReport:
    """The result of bringing suggestions in."""

    sources: dict[FindingSource, BroughtCounts] = field(default_factory=dict)
    wrong: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Why records could not be taken, each with the places of those."""
    remarks: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """What of records that were taken is not quite as they say, each with the places."""
    absent: list[str] = field(default_factory=list)
    """A sentence for each about a transcript that the store does not have."""
    unknown: Counter[str] = field(default_factory=Counter)
    """Modes that the codebook does not have."""


@dataclass(slots=True)
class _Brought:
    """What one source said."""

    source: FindingSource
    rows: defaultdict[str, dict[str, Finding]] = field(default_factory=lambda: defaultdict(dict))
    """By conversation or case, and by identity."""
    scans: dict[str, str] = field(default_factory=dict)
    """The scan that looked at a conversation last: what it says takes the place of what was said before."""

    def take(self, read: BroughtFinding, scan: str | None) -> None:
        """Take in what a record says."""
        if scan is not None and self.scans.get(read.about) != scan:
            self.scans[read.about] = scan
            self.rows.pop(read.about, None)
        if read.finding is not None:
            held, identity = self.rows[read.about], row_of(read.finding).identity
            held[identity] = _united(held[identity], read.finding) if identity in held else read.finding


def _united(one: Finding, other: Finding) -> Finding:
    """One suggestion of two in the same mode about the same words: the reasons and the evidence of both."""
    reasons = dict.fromkeys((*one.reason.split("; "), other.reason))
    return replace(one, reason="; ".join(reasons), evidence=tuple(dict.fromkeys((*one.evidence, *other.evidence))),
                   certain=one.certain or other.certain)  # fmt: skip


def bring_in(reader: Reader, lines: Iterable[Line], codebook: Codebook, by: str = "") -> FindingImportReport:
    """Take in the suggestions of these lines; `by` is whose they are where a line does not say."""
    report, records = FindingImportReport(), FindingRecords(reader, codebook, by)
    brought: dict[str, _Brought] = {}
    for place, record in lines:
        try:
            if isinstance(record, str):
                raise SourceError(record)
            read = records.read(record)
            held = brought.get(read.source.name)
            if held is not None and read.source.version < held.source.version:
                raise SourceError(f"it is of version {read.source.version}, others are of {held.source.version}.")
        except AbsentTranscriptError as error:
            report.absent.append(f"{place}: {error.message}")
            continue
        except ReviewerError as error:
            report.wrong[error.message].append(place)
            continue
        if held is None or held.source != read.source:  # the first, or of a newer version
            held = brought[read.source.name] = _Brought(read.source)
        held.take(read, record.get("scan"))
        if read.finding is not None:
            if read.remark:
                report.remarks[read.remark].append(place)
            report.unknown[read.finding.mode] += codebook.mode(read.finding.mode) is None
    if brought:
        with FindingsWriter(reader.path) as findings:
            for held in brought.values():
                rows = [row_of(each) for of_one in held.rows.values() for each in of_one.values()]
                report.sources[held.source] = findings.bring(held.source, rows, held.scans)
    return report
