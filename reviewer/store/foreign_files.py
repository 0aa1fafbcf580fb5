"""SQLite files of other programs, read only: which tables they have, which columns, and the rows one after another.

Nothing is written, no extension is loaded, and a view that computes without end is stopped; what is wrong with a file
is one sentence.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from reviewer.errors import SourceError

MAGIC = b"SQLite format 3\0"
_LONGEST = 64 << 20
"""Bytes of one cell."""
_STEPS = 1_000_000
_MOST_STEPS = 500
"""Times so many steps without a row after which a view is given up."""


class Join(NamedTuple):
    """A second table to join: its name, and the columns that must be equal."""

    table: str
    key: str
    by: str
    """The column of the table that is read."""


def tables(path: Path) -> list[str]:
    """The names of the file's tables and views."""
    with _opened(path) as db, _told(path):
        return _tables(db)


def columns(path: Path, table: str, join: Join | None = None) -> list[str]:
    """The names of a table's columns; those of the joined table are given as `TABLE.COLUMN`."""
    with _opened(path) as db, _told(path):
        own = _columns(db, path, table)
        if join is None:
            return own
        others = _columns(db, path, join.table)
        for name, held, where in ((join.by, own, table), (join.key, others, join.table)):
            if name not in held:
                raise SourceError(f"{path}, {where} has no column “{name}”.", f"It has: {', '.join(held)}.")
        return [*own, *(f"{join.table}.{name}" for name in others)]


def rows(path: Path, table: str, join: Join | None = None) -> Iterator[tuple[Any, ...]]:
    """Every row of a table, its values in the order of `columns`; texts that are not UTF-8 come as bytes.

    Where several rows of a joined table have the key, the first is taken, so that no row is told twice.
    """
    columns(path, table, join)
    with _opened(path) as db, _told(path):
        waited = 0

        def patience() -> bool:
            nonlocal waited
            waited += 1
            return waited > _MOST_STEPS

        db.set_progress_handler(patience, _STEPS)
        for row in db.execute(_selected(table, join)):
            waited = 0
            yield row


def _selected(table: str, join: Join | None) -> str:
    own = _quoted(table)
    if join is None:
        return f"SELECT * FROM {own}"
    other, key = _quoted(join.table), _quoted(join.key)
    first = f"SELECT * FROM {other} GROUP BY {key}"
    return f"SELECT a.*, b.* FROM {own} AS a LEFT JOIN ({first}) AS b ON b.{key} = a.{_quoted(join.by)}"


def _columns(db: sqlite3.Connection, path: Path, table: str) -> list[str]:
    held = _tables(db)
    if table not in held:
        raise SourceError(f"{path} has no table “{table}”.", f"It has: {', '.join(held) or 'none'}.")
    return [name for name, *_ in db.execute(f"SELECT * FROM {_quoted(table)} LIMIT 0").description]


def _tables(db: sqlite3.Connection) -> list[str]:
    sql = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    return [str(name) for (name,) in db.execute(f"{sql} ORDER BY name")]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(held: bytes) -> str | bytes:
    try:
        return held.decode("utf-8")
    except UnicodeDecodeError:
        return held


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    with _told(path):
        db = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True, isolation_level=None)
    with closing(db):
        db.text_factory = _text
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        with _told(path):
            db.execute("PRAGMA query_only = ON")
            db.execute("PRAGMA trusted_schema = OFF")
            db.execute("PRAGMA cell_size_check = ON")
        yield db


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise SourceError(
            f"{path} cannot be read as SQLite ({error}).", "Is it whole, and no program writing it?"
        ) from None
