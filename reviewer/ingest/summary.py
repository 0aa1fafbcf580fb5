"""What an import did, a row a source: the words at its end and the same as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class SourceReport:
    """One file: what came of it and what its owner should hear."""

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

    def count(self, what: str) -> None:
        """One more conversation that was new, unchanged or replaced."""
        setattr(self, what, getattr(self, what) + 1)

    def remark(self, text: str) -> None:
        """Keep a remark once."""
        if text not in self.remarks:
            self.remarks.append(text)

    def as_json(self) -> dict[str, Any]:
        """The row for `--json`."""
        return {
            "path": self.path,
            "format": self.format,
            "new": self.new,
            "unchanged": self.unchanged,
            "replaced": self.replaced,
            "rejected": self.rejected,
            "passed_over": self.passed_over or None,
            "refused": self.refused or None,
            "models": {
                model: sorted(numbers, key=lambda n: -1 if n is None else n) for model, numbers in self.models.items()
            },
            "remarks": self.remarks,
        }


@dataclass
class Report:
    """A whole import."""

    sources: list[SourceReport] = field(default_factory=list)

    def total(self, what: str) -> int:
        """The sum of one column."""
        return sum(getattr(source, what) for source in self.sources)

    @property
    def exit_code(self) -> int:
        """0 when all was read, 1 when something was rejected, 2 when nothing could be done."""
        refused = sum(1 for source in self.sources if source.refused)
        read = sum(1 for source in self.sources if source.format and not source.refused)
        if refused or not read:
            return 2
        return 1 if self.total("rejected") else 0

    def as_json(self) -> dict[str, Any]:
        """The whole summary for `--json`."""
        sums = {what: self.total(what) for what in ("new", "unchanged", "replaced", "rejected")}
        passed = sum(1 for source in self.sources if source.passed_over)
        return {**sums, "passed_over": passed, "sources": [source.as_json() for source in self.sources]}
