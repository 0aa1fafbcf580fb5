"""What is wrong with a store, looked for where something went wrong with it: another program may have written there.

SQLite keeps whatever it is given, in whichever column, so that a wrong value may come to light anywhere. Nobody looks
for one beforehand, which would take as long as reading the store; who stumbles asks here whether that is the reason.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from traceback import walk_tb
from urllib.parse import quote

from reviewer.basics.errors import StoreError
from reviewer.transcripts.store.connection import RESTORE, VERSION, explained, opened_stores

_KINDS = {"TEXT": ("text",), "INTEGER": ("integer",), "REAL": ("real", "integer")}
_VAST = 1 << 53
"""No count of anything is beyond."""
_LISTS = ("cases.forbidden", "cases.labels", "cases.expected")
"""Columns that hold a list of texts as JSON."""
_OBJECTS = (
    *("cases.order", "cases.extra", "conversations.meta", "conversations.extra", "messages.extra"),
    *("calls.extra", "models.extra", "runs.extra", "imports.command", "imports.counts"),
)
"""Columns that hold an object as JSON."""


Look = Callable[[Path], StoreError | None]


def reason(error: Exception, *beside: Look) -> StoreError | None:
    """The sentence about the store for an error that nobody foresaw; None where no store is the reason.

    `beside` looks at files that belong to a store.
    """
    for path in opened_stores():
        if not path.is_file():
            return StoreError(f"{path} was taken away or replaced meanwhile.", "Run the command again.")
        if damage := next(filter(None, (look(path) for look in (damaged_store, *beside))), None):
            return damage
        if isinstance(error, sqlite3.Error):
            return explained(error, path)
    return None


def damaged_store(path: Path) -> StoreError | None:
    """The sentence about a store into which another program wrote what cannot stand there."""
    try:
        fault = next(_faults(path), None)
    except sqlite3.Error as other:
        return explained(other, path)
    return StoreError(f"{path} is damaged: {fault}.", RESTORE) if fault else None


def damage_met(error: Exception) -> StoreError | None:
    """The sentence about the store, where an error came up in what reads and writes it."""
    modules = {frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)}
    return reason(error) if any(name.startswith("reviewer.transcripts.store.") for name in modules) else None


def _faults(path: Path) -> Iterator[str]:
    """What a store holds that it cannot hold, in words."""
    with closing(sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)) as db:
        if db.execute("PRAGMA user_version").fetchone() != (VERSION,):
            return  # an older store has other columns, and is brought up to date first
        yield from missing_columns(db, _shape())
        for table, columns in _shape().items():
            yield from wrong_kinds(db, table, columns)
        for place in (*_LISTS, *_OBJECTS):
            table, _, name = place.partition(".")
            yield from wrong_json(db, table, name, place in _LISTS)
        for table, _, other, _ in db.execute("PRAGMA foreign_key_check"):
            yield f"a row of {table} belongs to none of {other}"


def missing_columns(db: sqlite3.Connection, shape: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Iterator[str]:
    """The first column or table that is not there, for each table of a shape."""
    for table, columns in shape.items():
        there = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
        if missing := [name for name in columns if name not in there]:
            yield f"{table}.{missing[0]} is missing" if there else f"the table {table} is missing"


def wrong_kinds(db: sqlite3.Connection, table: str, columns: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """The columns of a table that hold another kind of value than they may."""
    tests = [
        f'max(typeof("{name}") NOT IN ({_quoted(kinds)}) OR typeof("{name}") = \'integer\' AND abs("{name}") > {_VAST})'
        for name, kinds in columns.items()
    ]
    told = db.execute(f"SELECT {', '.join(tests)} FROM {table}").fetchone()
    for name, wrong in zip(columns, told, strict=True):
        if wrong:
            yield f"{table}.{name} holds what it cannot, which another program wrote"


def wrong_json(db: sqlite3.Connection, table: str, name: str, is_list: bool) -> Iterator[str]:
    """The column, where it holds no JSON or another JSON than a list or an object."""
    column, kind = f'"{name}"', "array" if is_list else "object"
    no_text = f"OR EXISTS (SELECT 1 FROM json_each({column}) WHERE type <> 'text')" if is_list else ""
    wrong = f"CASE WHEN NOT json_valid({column}) THEN 1 ELSE json_type({column}) <> '{kind}' {no_text} END"
    if db.execute(f"SELECT 1 FROM {table} WHERE {column} IS NOT NULL AND {wrong} LIMIT 1").fetchone():
        yield f"{table}.{name} holds no JSON that can stand there"


def _quoted(kinds: tuple[str, ...]) -> str:
    return ", ".join(f"'{kind}'" for kind in kinds)


@cache
def _shape() -> dict[str, dict[str, tuple[str, ...]]]:
    """The tables of a store with their columns, each with the kinds of values it may hold: asked of an empty store."""
    from sqlite_utils import Database

    from reviewer.transcripts.store.schema import migrations

    with closing(sqlite3.connect(":memory:")) as db:
        migrations.apply(Database(db))
        return columns_of(db)


def columns_of(db: sqlite3.Connection) -> dict[str, dict[str, tuple[str, ...]]]:
    """The tables of an empty file, and what each column of theirs may hold."""
    shape = {}
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        shape[table] = {
            name: (*_KINDS[declared], *(() if required or key else ("null",)))
            for _, name, declared, required, _, key in db.execute(f"PRAGMA table_info({table})")
            if declared in _KINDS
        }
    return shape
