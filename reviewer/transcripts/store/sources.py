"""The files that conversations came from: a row each, whatever they are called and wherever they were moved.

Owns how a file is known again: by where it lies, else by its bytes and its name. Works inside the writer's transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count
from typing import NamedTuple

from reviewer.transcripts.store.catalogue import inserted
from reviewer.transcripts.store.column_types import COUNT, TEXT, WORDS, sound

_KNOWN = "SELECT id, path, label FROM sources WHERE"
_OF_KNOWN = (COUNT, TEXT, WORDS)


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file to be read, described by what identifies it."""

    path: str
    format: str
    size: int
    place: str | None = None
    """What tells where it lies from any other place."""
    hash: str | None = None
    longer: Iterable[str] = ()
    """Longer paths, for when another file is stored under its own."""


class SourceRow(NamedTuple):
    """A source file as the store knows it."""

    id: int
    path: str
    label: str | None = None
    """The part of its path by which its configuration is told from another of the same model."""


class Sources:
    """The source files of one store."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._here: dict[str, SourceRow] = {}
        """Files that were taken on this connection, by their places."""
        self.unchanged: set[int] = set()
        """Those of them that hold the bytes that they held when they were last read."""

    @cached_property
    def _any(self) -> bool:
        """True if files were stored before this connection added one; otherwise no look-up is needed."""
        return self._db.execute("SELECT 1 FROM sources LIMIT 1").fetchone() is not None

    def take(self, file: LogFile, import_id: int, others: Collection[int] = ()) -> SourceRow:
        """The row of a file, inserted if it is new; never one of the `others`, which this import has read."""
        known = self.at(file.place, file.path) or (self._moved(file, import_id, others) if self._any else None)
        if known:
            (before,) = self._db.execute("SELECT hash FROM sources WHERE id = ?", (known.id,)).fetchone()
            if before is not None and before == file.hash:
                self.unchanged.add(known.id)
            self._db.execute(
                "UPDATE sources SET place = coalesce(?, place), hash = coalesce(?, hash), bytes = ? WHERE id = ?",
                (file.place, file.hash, file.size, known.id),
            )
            return self._noted(file, known)
        numbered = (f"{file.path} ({number})" for number in count(2))
        free = next(name for name in chain((file.path,), file.longer, numbered) if not self._has(name))
        row = self._db.execute(
            "INSERT INTO sources (path, format, bytes, import_id, place, hash) VALUES (?, ?, ?, ?, ?, ?)",
            (free, file.format, file.size, import_id, file.place, file.hash),
        )
        return self._noted(file, SourceRow(inserted(row), free))

    def _noted(self, file: LogFile, row: SourceRow) -> SourceRow:
        if file.place is not None:
            self._here[file.place] = row
        return row

    def at(self, place: str | None, path: str = "") -> SourceRow | None:
        """The source that was read from this place, else one with this path whose place was not noted."""
        if place is not None and (place in self._here or not self._any):
            return self._here.get(place)
        row = place and self._db.execute(f"{_KNOWN} place = ?", (place,)).fetchone()
        row = row or self._db.execute(f"{_KNOWN} path = ? AND place IS NULL", (path,)).fetchone()
        return SourceRow(*next(sound([row], _OF_KNOWN))) if row else None

    def label(self, source: int, label: str) -> None:
        """Store the part of a source's path that distinguishes its configuration."""
        self._db.execute("UPDATE sources SET label = ? WHERE id = ?", (label, source))

    def add_label(self, path: str, label: str) -> None:
        """Add another part of its path to a stored source's label."""
        self._db.execute("UPDATE sources SET label = ifnull(label || '+', '') || ? WHERE path = ?", (label, path))

    def _moved(self, file: LogFile, import_id: int, others: Collection[int]) -> SourceRow | None:
        """The source of the same bytes and name that an earlier import read from elsewhere."""
        if file.hash is None:
            return None
        name = file.path.rpartition("/")[2]
        rows = self._db.execute(f"{_KNOWN} hash = ? AND import_id <> ? ORDER BY id", (file.hash, import_id)).fetchall()
        known = (row for row in map(SourceRow._make, sound(rows, _OF_KNOWN)) if row.id not in others)
        return next((row for row in known if row.path.rpartition("/")[2] == name), None)

    def _has(self, path: str) -> bool:
        return self._db.execute("SELECT 1 FROM sources WHERE path = ?", (path,)).fetchone() is not None
