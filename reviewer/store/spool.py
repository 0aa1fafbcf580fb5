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
_BATCH = 1_000


class Spool:
    """Texts under keys, as a context manager."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript(_TABLES)
        self._waiting: list[tuple[str, str]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._db.close()

    def put(self, key: str, text: str) -> None:
        """Keep one more text under a key."""
        self._waiting.append((key, text))
        if len(self._waiting) >= _BATCH:
            self._write()

    def groups(self) -> Iterator[tuple[str, Iterator[str]]]:
        """Each key, by its first text, with its texts in the order in which they came; nothing is put in after this."""
        self._write()
        self._db.execute("CREATE INDEX IF NOT EXISTS by_key ON rows (key, number)")
        keys = self._db.execute("SELECT key FROM rows GROUP BY key ORDER BY min(number)")
        for (key,) in keys:
            texts = self._db.execute("SELECT text FROM rows WHERE key = ? ORDER BY number", (key,))
            yield key, (text for (text,) in texts)

    def _write(self) -> None:
        self._db.executemany("INSERT INTO rows (key, text) VALUES (?, ?)", self._waiting)
        self._waiting.clear()
