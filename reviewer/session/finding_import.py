"""Bringing in what others suggest (a judge, a scanner, a script), so that people accept or reject it.

Owns reading JSON Lines and putting what its records hold beside the store, source by source. Whatever is wrong with a
record costs that record alone, and is said with its place.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from reviewer.annotations.codebook import Codebook
from reviewer.errors import ReviewerError, SourceError
from reviewer.session.finding_records import AbsentTranscriptError, BroughtFinding, FindingRecords
from reviewer.session.scans import row_of
from reviewer.store.findings import BroughtCounts, FindingRow, FindingSource, FindingsWriter
from reviewer.store.reader import Reader

_NAMES = ("ref", "claim", "quote", "span", "mode", "reason", "by", "read", "version", "certain", "evidence")
Line = tuple[str, Mapping[str, Any] | str]
"""Where a record stands, and the record; a sentence in the place of one that cannot be read."""


@dataclass(slots=True)
class FindingImportReport:
    """The result of bringing suggestions in."""

    sources: dict[FindingSource, BroughtCounts] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    """A sentence for each record that could not be taken."""
    remarks: list[str] = field(default_factory=list)
    """A sentence for each that was taken and is not quite as it says."""
    absent: list[str] = field(default_factory=list)
    """A sentence for each about a transcript that the store does not have."""
    unknown: Counter[str] = field(default_factory=Counter)
    """Modes that the codebook does not have."""


@dataclass(slots=True)
class _Brought:
    """What one source said."""

    source: FindingSource
    rows: defaultdict[str, list[FindingRow]] = field(default_factory=lambda: defaultdict(list))
    """By conversation or case."""
    scans: dict[str, str] = field(default_factory=dict)
    """The scan that looked at a conversation last: what it says takes the place of what was said before."""

    def take(self, read: BroughtFinding, scan: str | None) -> None:
        """Take in what a record says."""
        if scan is not None and self.scans.get(read.about) != scan:
            self.scans[read.about] = scan
            self.rows.pop(read.about, None)
        if read.finding is not None:
            self.rows[read.about].append(row_of(read.finding))


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
            report.wrong.append(f"{place}: {error.message}")
            continue
        if held is None or held.source != read.source:  # the first, or of a newer version
            held = brought[read.source.name] = _Brought(read.source)
        held.take(read, record.get("scan"))
        if read.finding is not None:
            report.remarks += [f"{place}: {read.remark}"] if read.remark else []
            report.unknown[read.finding.mode] += codebook.mode(read.finding.mode) is None
    if brought:
        with FindingsWriter(reader.path) as findings:
            for held in brought.values():
                rows = chain.from_iterable(held.rows.values())
                report.sources[held.source] = findings.bring(held.source, rows, held.scans)
    return report


def lines_of(path: Path) -> Iterator[Line]:
    """The records of a file of JSON Lines, with their places."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip(b"\xef\xbb\xbf \t\r\n"):
                    yield f"{path.name}, line {number}", _object(line)
    except OSError as error:
        hint = "Name a file of JSON Lines, or a folder of Inspect Scout's results."
        raise SourceError(f"{path} cannot be read: {error.strerror}.", hint) from None


def _object(line: bytes) -> Mapping[str, Any] | str:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return "it is not UTF-8."
    except (ValueError, RecursionError):
        return "it is not JSON."
    if not isinstance(value, dict):
        return "it is not an object."
    return {name: value[name] for name in _NAMES if name in value}
