"""What an import did, a row a source: the words at its end and the same as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

COUNTED = ("new", "unchanged", "replaced", "rejected")
_REMARKS = 100
"""Remarks of one source that are kept; every rejected record is in the store anyway."""
_FEW = 4
"""From so many files of one conversation in a folder on, the folder is the row."""


@dataclass
class SourceReport:
    """One file (or a folder of one-conversation files): what came of it and what its owner should hear."""

    path: str
    format: str = ""
    new: int = 0
    unchanged: int = 0
    replaced: int = 0
    rejected: int = 0
    passed_over: str = ""
    refused: str = ""
    models: dict[str, set[int | None]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    unsaid: int = 0
    """Remarks beyond those that are kept."""
    files: int = 1

    def count(self, what: str) -> None:
        """One more conversation that was new, unchanged or replaced."""
        setattr(self, what, getattr(self, what) + 1)

    def remark(self, text: str) -> None:
        """Keep a remark once; of a file that is wrong line for line, the first of them."""
        if len(self.remarks) >= _REMARKS:
            self.unsaid += text not in self.remarks
        elif text not in self.remarks:
            self.remarks.append(text)

    def as_json(self) -> dict[str, Any]:
        """The row for `--json`."""
        return {
            "path": self.path,
            "format": self.format,
            **{what: getattr(self, what) for what in COUNTED},
            "passed_over": self.passed_over or None,
            "refused": self.refused or None,
            "models": {model: sorted(numbers, key=_number) for model, numbers in self.models.items()},
            "remarks": self.remarks,
            "more_remarks": self.unsaid,
        }


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a model has in one run and bucket: present, of these empty or without any score, and meant but absent."""

    model: str
    run: int | None
    bucket: str | None
    present: int
    empty: int
    unscored: int
    missing: int | None = None
    """None where no source says which cases the run was meant to have."""

    def as_json(self) -> dict[str, Any]:
        """The row for `--json`."""
        return {name: getattr(self, name) for name in Coverage.__slots__}


@dataclass
class Report:
    """A whole import."""

    sources: list[SourceReport] = field(default_factory=list)
    coverage: list[Coverage] = field(default_factory=list)

    def total(self, what: str) -> int:
        """The sum of one column."""
        return sum(getattr(source, what) for source in self.sources)

    @property
    def exit_code(self) -> int:
        """0 when all was read, 1 when something was rejected, 2 when nothing could be done."""
        refused = sum(1 for source in self.sources if source.refused)
        read = sum(1 for source in self.sources if source.format and not source.refused)
        if refused or not (read or self.total("rejected")):
            return 2
        return 1 if self.total("rejected") else 0

    def as_json(self) -> dict[str, Any]:
        """The whole summary for `--json`."""
        return {
            **{what: self.total(what) for what in COUNTED},
            "passed_over": sum(1 for source in self.sources if source.passed_over),
            "sources": [source.as_json() for source in self.sources],
            "coverage": [row.as_json() for row in self.coverage],
        }


def rows(sources: Iterable[SourceReport]) -> list[SourceReport]:
    """The sources as a person reads them: folders of one-conversation files as one row, in the order of the files."""
    every = list(sources)
    folders = Counter(_folder(source) for source in every if _is_small(source))
    found: dict[tuple[str, str, str], SourceReport] = {}
    said: dict[tuple[str, str, str], Counter[str]] = {}
    for source in every:
        folder = _folder(source)
        together = _is_small(source) and folders[folder] >= _FEW
        key = (*folder, "") if together else ("", "", source.path)
        row = found.setdefault(key, SourceReport(folder[0] if together else source.path, source.format, files=0))
        _add(row, source)
        said.setdefault(key, Counter()).update(source.remarks)
    for key, row in found.items():
        many = row.files > 1
        row.remarks = [f"{text} ({n} files)" if many and n < row.files else text for text, n in said[key].items()]
    return list(found.values())


def _add(row: SourceReport, source: SourceReport) -> None:
    row.files += 1
    row.unsaid += source.unsaid
    for what in COUNTED:
        setattr(row, what, getattr(row, what) + getattr(source, what))
    row.passed_over, row.refused = source.passed_over, source.refused
    for model, numbers in source.models.items():
        row.models.setdefault(model, set()).update(numbers)


def _is_small(source: SourceReport) -> bool:
    return not source.passed_over and not source.refused and sum(getattr(source, what) for what in COUNTED) == 1


def _folder(source: SourceReport) -> tuple[str, str]:
    return source.path.rpartition("/")[0] + "/", source.format


def _number(number: int | None) -> int:
    return -1 if number is None else number
