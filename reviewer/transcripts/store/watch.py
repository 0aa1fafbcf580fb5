"""A watch on an open store: does it grow, is it still the file that was opened?

Owns a connection of its own that never waits: while a writer keeps others out there is simply no news. Whoever asks
does so every now and then, on a thread of its own.
"""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Literal

from reviewer.basics.errors import StoreError
from reviewer.basics.values import dataclass
from reviewer.transcripts.store.column_types import COUNT, sound
from reviewer.transcripts.store.connection import connect_reading

Fate = Literal["there", "gone", "replaced"]


@dataclass(frozen=True, slots=True)
class News:
    """The changes of a store since it was opened."""

    fate: Fate = "there"
    added: int = 0
    """Conversations more than there were; negative when some were removed."""
    changed: bool = False
    """Whether anything was written to it."""


class Watch:
    """Watches one store for changes."""

    def __init__(self, path: Path, conversations: int) -> None:
        self._path = path
        self._known = conversations
        self._file = _identity(path)
        self._db: sqlite3.Connection | None = None
        self._version = 0
        self._news = News()
        self._looking = threading.Lock()
        self._closed = False

    def look(self) -> News:
        """Check the store and return the news; after `close`, the last news again."""
        with self._looking:  # a connection that is closed while another thread asks it takes the program down
            return self._news if self._closed else self._seen()

    def _seen(self) -> News:
        file = _identity(self._path)
        if file != self._file:
            return News("gone" if file is None else "replaced")
        try:
            if self._db is None:
                self._db = connect_reading(self._path, patience=0.0)
            version = int(self._db.execute("PRAGMA data_version").fetchone()[0])
            if version != self._version:
                self._news = self._counted(changed=self._version != 0)
                self._version = version
        except (sqlite3.Error, StoreError):
            return self._news  # it is being written, or damaged, which reading it says; there will be another look
        return self._news

    def taken(self, conversations: int) -> None:
        """Note that the caller has seen all changes so far, and so many conversations."""
        with self._looking:
            self._known = conversations
            self._news = News()
            self._version = 0

    def close(self) -> None:
        """Close the store."""
        with self._looking:
            self._closed = True
            if self._db is not None:
                self._db.close()
                self._db = None

    def _counted(self, changed: bool) -> News:
        assert self._db is not None  # noqa: S101 -- called with it open
        rows = self._db.execute("SELECT n FROM totals WHERE key = 'conversations'").fetchall()
        added = sum(n for (n,) in sound(rows, (COUNT,))) - self._known
        return News("there", added, changed or bool(added))


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
