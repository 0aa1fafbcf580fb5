"""Rows that belong together but do not stand together: put in as they come, taken out group by group.

Owns one throw-away file that is gone when the spool is closed, so that a table of ten million messages needs no more
memory than one of ten. Knows keys and texts only.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from types import TracebackType
from typing import Self

_TABLES = """
PRAGMA temp_store = FILE;
PRAGMA cache_size = -4096;
PRAGMA journal_mode = OFF;
CREATE TABLE rows (number INTEGER PRIMARY KEY, key TEXT NOT NULL, text TEXT NOT NULL);
BEGIN;
"""
_HELD = 4 << 20
"""Characters that are held before any are written; most logs have fewer and need no file."""
_ROW = 100
"""What a row takes besides its text."""


class Spool:
    """Collects texts by key, in a file if there are many; a context manager."""

    def __init__(self) -> None:
        self._db: sqlite3.Connection | None = None
        self._waiting: list[tuple[str, str]] = []
        self._size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._db is not None:
            self._db.close()

    def put(self, key: str, text: str) -> None:
        """Add a text under a key."""
        self._waiting.append((key, text))
        self._size += len(text) + _ROW
        if self._size > _HELD:
            self._write()

    def take(self, key: str) -> list[str]:
        """Take the texts of a key out, in the order in which they were added; nothing may be added after this."""
        db = self._write()
        db.execute("CREATE INDEX IF NOT EXISTS by_key ON rows (key, number)")
        texts = [text for (text,) in db.execute("SELECT text FROM rows WHERE key = ? ORDER BY number", (key,))]
        if texts:
            db.execute("DELETE FROM rows WHERE key = ?", (key,))
        return texts

    def groups(self) -> Iterator[tuple[str, Iterator[str]]]:
        """Each key with its texts, both in the order in which they were added; nothing may be added after this."""
        if self._db is None:
            held: dict[str, list[str]] = {}
            for key, text in self._waiting:
                held.setdefault(key, []).append(text)
            yield from ((key, iter(texts)) for key, texts in held.items())
            return
        db = self._write()
        db.execute("CREATE INDEX IF NOT EXISTS by_key ON rows (key, number)")
        keys = db.execute("SELECT key FROM rows GROUP BY key ORDER BY min(number)")
        for (key,) in keys:
            rows = db.execute("SELECT text FROM rows WHERE key = ? ORDER BY number", (key,))
            yield key, (text for (text,) in rows)

    def _write(self) -> sqlite3.Connection:
        if self._db is None:
            self._db = sqlite3.connect("", isolation_level=None)
            self._db.executescript(_TABLES)
        self._db.executemany("INSERT INTO rows (key, text) VALUES (?, ?)", self._waiting)
        self._waiting.clear()
        self._size = 0
        return self._db
