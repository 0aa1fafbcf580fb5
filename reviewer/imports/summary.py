"""What an import did, a row a source: the words at its end and the same as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from reviewer.imports.messages.placeholders import unread_kinds
from reviewer.transcripts.model import Message

COUNTED = ("new", "updated", "unchanged", "replaced", "continued", "rejected")
_REMARKS = 100
"""Remarks of one source that are kept; every rejected record is in the store anyway."""
_KINDS, _LONGEST = 5, 40
"""Kinds of unknown blocks that are named, and characters of a name."""
_FEW = 4
"""From so many files in a folder on, the folder is the row."""
_NAMED = 3
"""Formats of a row that are named."""
SCREEN = 30
"""Rows from which on even two files of a folder are one row, and then folders in folders."""


@dataclass
class SourceReport:
    """The result of importing one file (or a folder of files with one conversation each), with its remarks."""

    path: str
    format: str = ""
    new: int = 0
    updated: int = 0
    unchanged: int = 0
    replaced: int = 0
    continued: int = 0
    """Those that go on from stored ones, which were not updated."""
    rejected: int = 0
    passed_over: str = ""
    refused: str = ""
    models: dict[str, set[int | None]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    unsaid: int = 0
    """Remarks beyond those that are kept."""
    files: int = 1
    unread: Counter[str] = field(default_factory=Counter)
    """How many blocks of each unknown kind its messages hold."""

    @property
    def read(self) -> int:
        """The number of conversations that came in or were known."""
        return self.new + self.updated + self.unchanged + self.replaced + self.continued

    def count(self, what: str, messages: Iterable[Message] = ()) -> None:
        """Count one more conversation as one of `COUNTED`, and what its messages hold unread."""
        setattr(self, what, getattr(self, what) + 1)
        self.unread.update(unread_kinds(messages))

    @property
    def unread_blocks(self) -> list[str]:
        """A sentence on the blocks of unknown kinds, if there are any."""
        if not self.unread:
            return []
        named = ", ".join(f"{kind[:_LONGEST]} ({n:,})" for kind, n in self.unread.most_common(_KINDS))
        more = f" and {len(self.unread) - _KINDS:,} more" if len(self.unread) > _KINDS else ""
        return [f"blocks of unknown kinds, kept beside their messages and not read: {named}{more}"]

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
    """A model's conversations in one run and bucket: present, of these empty or without any score, and absent."""

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
class ImportReport:
    """The result of a whole import."""

    sources: list[SourceReport] = field(default_factory=list)
    coverage: list[Coverage] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    """Files of the folders named that were not opened, by their names."""
    links: list[str] = field(default_factory=list)
    """Links that lead out of the folders named and were not followed; that to a folder ends with a slash."""
    paths: list[str] = field(default_factory=list)
    """Sentences on how paths were read, where nobody said how."""

    def total(self, what: str) -> int:
        """The sum of one column."""
        return sum(getattr(source, what) for source in self.sources)

    @property
    def exit_code(self) -> int:
        """0 when all is in the store, 1 when something is not, 2 when nothing could be done or a source was refused."""
        refused = any(source.refused for source in self.sources)
        if refused or not any(source.read for source in self.sources):
            return 2
        return 1 if self.total("rejected") or self.total("continued") else 0

    def as_json(self) -> dict[str, Any]:
        """The whole summary for `--json`."""
        return {
            **{what: self.total(what) for what in COUNTED},
            "passed_over": sum(1 for source in self.sources if source.passed_over),
            "unread": self.unread,
            "links": self.links,
            "paths": self.paths,
            "sources": [source.as_json() for source in self.sources],
            "coverage": [row.as_json() for row in self.coverage],
        }


def rows(sources: Iterable[SourceReport], most: int = SCREEN) -> list[SourceReport]:
    """The sources as a person reads them: rows of a folder and format, of a folder, of folders, until so many do.

    What stands in one folder is still told by the folders in it: a single row would not say where things came from.
    """
    every = list(sources)
    depth = max((source.path.count("/") for source in every), default=0)
    told: list[SourceReport] = []
    for few, down, by_format in ((_FEW, depth, True), (2, depth, True), *((2, n, False) for n in range(depth, 0, -1))):
        fewer = _grouped(every, few, down, by_format)
        if len(fewer) == 1 and told:
            break
        told = fewer
        if len(told) <= most:
            break
    return told


def _grouped(every: Sequence[SourceReport], few: int, depth: int, by_format: bool) -> list[SourceReport]:
    folders = Counter(_folder(source, depth, by_format) for source in every if not source.refused)
    held: dict[tuple[str, str, str], SourceReport] = {}
    said: dict[tuple[str, str, str], Counter[str]] = {}
    formats: dict[tuple[str, str, str], dict[str, None]] = {}
    for source in every:
        folder = _folder(source, depth, by_format)
        together = not source.refused and folders[folder] >= few
        key = (*folder, "") if together else ("", "", source.path)
        row = held.setdefault(key, SourceReport(folder[0] if together else source.path, files=0))
        _add(row, source)
        said.setdefault(key, Counter()).update(source.remarks)
        formats.setdefault(key, {})[source.format] = None
    for key, row in held.items():
        named = [name for name in formats[key] if name]
        row.format = ", ".join(named[:_NAMED]) + (f" and {len(named) - _NAMED} more" if len(named) > _NAMED else "")
        row.remarks = [f"{text}{_of(n, row.files)}" for text, n in said[key].items()]
    return list(held.values())


def _of(n: int, files: int) -> str:
    """Say for how many of a row's files a remark holds."""
    return "" if n == files else " (1 file)" if n == 1 else f" ({n} files)"


def _add(row: SourceReport, source: SourceReport) -> None:
    row.files += 1
    row.unsaid += source.unsaid
    for what in COUNTED:
        setattr(row, what, getattr(row, what) + getattr(source, what))
    row.passed_over, row.refused = source.passed_over, source.refused
    for model, numbers in source.models.items():
        row.models.setdefault(model, set()).update(numbers)


def _folder(source: SourceReport, depth: int, by_format: bool) -> tuple[str, str]:
    """Return a source's folder (down to a depth) and its format."""
    parts = source.path.split("/")[:-1][:depth]
    return "/".join(parts) + "/", source.format if by_format else ""


def _number(number: int | None) -> int:
    return -1 if number is None else number
