"""A throw-away index of journals: where the lines about a conversation stand, and what they come to.

Owns one SQLite file in the cache folder for each annotations folder. It holds nothing that the journals do not, so it
is made anew on any doubt: another version, a damaged file, a journal that is not the one it was. Knows texts by key;
what they say is `reviewer.marks`' business.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from reviewer.basics.errors import StoreError

_VERSION = 5
_TABLES = """
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE about (conversation TEXT PRIMARY KEY, places TEXT NOT NULL, brief TEXT NOT NULL) WITHOUT ROWID;
"""


class Projection:
    """The index of one folder's journals."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._speaking():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = _opened(path)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def facts(self) -> dict[str, str]:
        """The facts kept about the journals as a whole."""
        with self._speaking():
            return dict(self._db.execute("SELECT key, value FROM facts").fetchall())

    def conversations(self) -> list[str]:
        """Every conversation that the journals mention."""
        with self._speaking():
            return [row[0] for row in self._db.execute("SELECT conversation FROM about").fetchall()]

    def briefs(self) -> list[tuple[str, str]]:
        """Every conversation that the journals mention, and its folded state."""
        with self._speaking():
            return self._db.execute("SELECT conversation, brief FROM about").fetchall()

    def about(self, conversation: str) -> tuple[str, str] | None:
        """The positions of the journal lines about a conversation, and their folded state."""
        sql = "SELECT places, brief FROM about WHERE conversation = ?"
        with self._speaking():
            row = self._db.execute(sql, (conversation,)).fetchone()
        return (row[0], row[1]) if row else None

    def clear(self) -> None:
        """Delete everything from the index."""
        with self._speaking(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("DELETE FROM facts")
            self._db.execute("DELETE FROM about")

    def put(self, about: Iterable[tuple[str, str, str]], facts: Mapping[str, str]) -> None:
        """Replace the entries of these conversations and these facts in one transaction."""
        with self._speaking(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO about VALUES (?, ?, ?)", about)
            self._db.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts.items())

    @contextmanager
    def _speaking(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{self.path} cannot be used: {error}.", "It is only a cache: remove it.") from error


def _opened(path: Path) -> sqlite3.Connection:
    """Open the index file if it is sound and of this version, else make a new one."""
    try:
        connection = _connected(path)
        if connection.execute("PRAGMA user_version").fetchone()[0] == _VERSION:
            connection.execute("SELECT 1 FROM facts, about LIMIT 1").fetchone()
            return connection
        connection.close()
    except sqlite3.DatabaseError:
        pass  # no database, or a damaged one: it is made anew below, since it holds nothing of its own
    for name in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        name.unlink(missing_ok=True)
    connection = _connected(path)
    connection.executescript(_TABLES)
    connection.execute(f"PRAGMA user_version = {_VERSION}")
    return connection


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode=rwc", uri=True, timeout=2.0, isolation_level=None,
        check_same_thread=False,
    )  # fmt: skip
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection
