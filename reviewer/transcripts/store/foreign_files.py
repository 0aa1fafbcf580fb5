"""SQLite files of other programs, read only: which tables they have, which columns, and the rows one after another.

Nothing is written and no extension is loaded. SQLite counts the steps of a query, so that a view that computes without
end is given up. A view is planned in a process of its own first, within bounded memory. What is wrong is one sentence.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from reviewer.basics.errors import SourceError

MAGIC = b"SQLite format 3\0"
_LONGEST = 64 << 20
"""Bytes of one cell."""
_STEPS = 1_000_000
"""Steps of SQLite's machine after which it is asked whether to go on; a Ctrl-C is seen there."""
_MOST_STEPS = 200_000_000
"""Steps that a query may take without a row. Sorting four million rows takes fewer."""
_STEPS_A_ROW = 100_000
"""Steps that each row allows beside these."""
_MOST_CELLS = 256 << 20
"""Bytes that the cells of one row of a view may hold together. A table's row is bounded by `_LONGEST`."""
_PLAN = 32 << 20
"""Bytes of memory in which SQLite has to plan a view: one that names another twice is planned as twice that other."""
_COPY = "Copy its rows into a table, and import that."
_TOO_LARGE = 3
_PLANNING = f"""
import sqlite3, sys
try:
    db = sqlite3.connect(sys.argv[1], uri=True)
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA hard_heap_limit = {_PLAN}")
    db.execute("EXPLAIN " + sys.argv[2]).fetchone()
except MemoryError:
    sys.exit({_TOO_LARGE})
except sqlite3.Error:
    pass
"""
"""Plans a query; an error of SQLite's is left to the process that reads the view."""


class EndlessViewError(SourceError):
    """A view that takes more steps, or more memory to plan, than a log needs."""


class Join(NamedTuple):
    """A second table to join: its name, and the columns that must be equal."""

    table: str
    key: str
    by: str
    """The column of the table that is read."""


def tables(path: Path) -> list[str]:
    """The names of the file's tables, then those of its views."""
    with _opened(path) as (db, _):
        return _tables(db)


def columns(path: Path, table: str, join: Join | None = None) -> list[str]:
    """The names of a table's columns; those of the joined table are given as `TABLE.COLUMN`."""
    with _opened(path) as (db, _):
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
    width = len(columns(path, table, join))
    with _opened(path) as (db, steps):
        if _views(db).intersection((table, join.table if join else table)):
            db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(_LONGEST, _MOST_CELLS // max(1, width)))
        for row in db.execute(_selected(table, join)):
            steps.most += _STEPS_A_ROW
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
    if table in _views(db):
        stat = path.stat()
        if not _can_be_planned(path, table, stat.st_mtime_ns, stat.st_size):
            told = f"{path}: the view “{table}” needs more than {_PLAN >> 20} MiB to plan"
            raise EndlessViewError(f"{told}: it is made of too many other views.", _COPY)
    return [name for name, *_ in db.execute(f"SELECT * FROM {_quoted(table)} LIMIT 0").description]


def _tables(db: sqlite3.Connection) -> list[str]:
    sql = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    return [str(name) for (name,) in db.execute(f"{sql} ORDER BY type, name")]


def _views(db: sqlite3.Connection) -> set[str]:
    return {str(name) for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'view'")}


@lru_cache(64)
def _can_be_planned(path: Path, view: str, _changed: int, _size: int) -> bool:
    """False if SQLite would need too much memory to plan a view; asked anew when the file changes.

    SQLite 3.40 counts no steps while it plans, and only a process has a limit of memory that ends with it.
    """
    command = (sys.executable, "-I", "-S", "-c", _PLANNING, _uri(path), f"SELECT * FROM {_quoted(view)}")
    planned = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - a fixed program of ours
    return planned.returncode != _TOO_LARGE


def _uri(path: Path) -> str:
    return f"file:{quote(str(path.absolute()))}?mode=ro"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(held: bytes) -> str | bytes:
    try:
        return held.decode("utf-8")
    except UnicodeDecodeError:
        return held


class _StepCount:
    """The steps that the queries of one connection took, and how many they may take."""

    def __init__(self) -> None:
        self.taken, self.most = 0, _MOST_STEPS

    def is_spent(self) -> bool:
        """True once more steps were taken than allowed, which stops the query."""
        self.taken += _STEPS
        return self.taken > self.most


@contextmanager
def _opened(path: Path) -> Iterator[tuple[sqlite3.Connection, _StepCount]]:
    """The file and the steps that are taken in it; what SQLite says of it becomes a sentence."""
    steps = _StepCount()
    try:
        with closing(sqlite3.connect(_uri(path), uri=True, isolation_level=None)) as db:
            db.text_factory = _text
            db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            db.set_progress_handler(steps.is_spent, _STEPS)
            db.execute("PRAGMA query_only = ON")
            db.execute("PRAGMA trusted_schema = OFF")
            db.execute("PRAGMA cell_size_check = ON")
            yield db, steps
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT and steps.taken <= steps.most:
            raise KeyboardInterrupt from None  # SQLite stops for a Ctrl-C that came while it counted steps
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            told = f"{path}: a view took more than {steps.most:,} steps of SQLite's, which is more than its rows need."
            raise EndlessViewError(told, _COPY) from None
        told = f"{path} cannot be read as SQLite ({error})."
        raise SourceError(told, "Is it whole, and no program writing it?") from None
