"""Stores that another program has spoilt, each in one way: wrong kinds of values, what is missing, files of others."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from reviewer.findings.finding_store import findings_file

Damage = Callable[[Path], None]


def _sql(*statements: str, loose: bool = False) -> Damage:
    """Write into a store as another program does; `loose` takes NOT NULL away first."""

    def damage(store: Path) -> None:
        if loose:
            with closing(sqlite3.connect(store, isolation_level=None)) as db:
                db.execute("PRAGMA writable_schema = ON")
                db.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'")
        with closing(sqlite3.connect(store, isolation_level=None)) as db:
            for each in statements:
                db.execute(each)

    return damage


def _another_program(store: Path) -> None:
    store.unlink()
    _sql("CREATE TABLE moz_places (id INTEGER)")(store)


def _folder(store: Path) -> None:
    store.unlink()
    store.mkdir()


def _pipe(store: Path) -> None:
    store.unlink()
    os.mkfifo(store)


def _text(store: Path) -> None:
    store.write_text("hello")


FILES: dict[str, Damage] = {
    "cut to half": lambda store: os.truncate(store, store.stat().st_size // 2),
    "cut to a page": lambda store: os.truncate(store, 16_384),
    "cut to nothing": lambda store: os.truncate(store, 0),
    "of another program": _another_program,
    "a folder": _folder,
    "a pipe": _pipe,
    "text": _text,
    "gone": lambda store: store.unlink(),
}
"""What is no store at all."""


TEXTS = {
    **{each: each for each in ("{", "[1,{}]", '{"a":{"b":[1]}}', "7")},
    "lists in lists": "[" * 50_000 + "]" * 50_000,
    "thousands of digits": "7" * 5_000,
}
"""What may stand in the place of a text, of JSON or not."""


def shape(store: Path) -> dict[str, list[tuple[str, str, bool]]]:
    """The columns of each table of a store that holds anything: name, declared type, whether it is indexed alone."""
    with closing(sqlite3.connect(store)) as db:
        names = [
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'facts'")
        ]
        filled = [name for name in names if not name.startswith("_") and db.execute(f"SELECT 1 FROM {name}").fetchone()]
        told = {name: db.execute(f"PRAGMA table_info({name})").fetchall() for name in filled}
    return {table: [(name, kind, bool(key)) for _, name, kind, _, _, key in columns] for table, columns in told.items()}


def contents(store: Path) -> Iterator[tuple[str, Damage]]:
    """All that may befall what is in a store."""
    for path in (store, findings_file(store)):
        for what, damage in (*tables(path), *columns(path)):
            yield what, partial(_of, path.name, damage)


def _of(name: str, damage: Damage, store: Path) -> None:
    """Do it to the file of that name beside a store."""
    damage(store.with_name(name))


def tables(store: Path) -> Iterator[tuple[str, Damage]]:
    """What may befall each table as a whole."""
    for table, columns in shape(store).items():
        plain = [(name, kind) for name, kind, key in columns if not key]
        texts = ", ".join(f'"{name}" = CAST(x\'ff00\' || "{name}" AS BLOB)' for name, kind in plain if kind == "TEXT")
        numbers = ", ".join(f"\"{name}\" = 'x'" for name, kind in plain if kind in ("INTEGER", "REAL"))
        nothing = ", ".join(f'"{name}" = NULL' for name, _ in plain)
        if texts:
            yield f"bytes for texts in {table}", _sql(f"UPDATE {table} SET {texts}")
        if numbers:
            yield f"words for numbers in {table}", _sql(f"UPDATE OR REPLACE {table} SET {numbers}")
        yield f"nothing in {table}", _sql(f"UPDATE OR REPLACE {table} SET {nothing}", loose=True)
        yield f"{table} emptied", _sql(f"DELETE FROM {table}")
        yield f"{table} dropped", _sql(f"DROP TABLE {table}")


def columns(store: Path) -> Iterator[tuple[str, Damage]]:
    """What may befall each column alone, in all rows."""
    for table, held in shape(store).items():
        for name, kind, key in held:
            yield f"{table}.{name} renamed", _sql(f'ALTER TABLE {table} RENAME COLUMN "{name}" TO other')
            if key:
                continue
            for value, said in (
                ("x'ff00'", "bytes"),
                ("'x'", "a word"),
                ("-7", "below nothing"),
                (f"{1 << 62}", "vast"),
            ):
                if said == "bytes" or kind != "TEXT":
                    yield f"{said} in {table}.{name}", _sql(f'UPDATE OR REPLACE {table} SET "{name}" = {value}')
            yield f"nothing in {table}.{name}", _sql(f'UPDATE OR REPLACE {table} SET "{name}" = NULL', loose=True)
            if kind == "TEXT":
                for said, value in TEXTS.items():
                    yield f"{said} in {table}.{name}", _sql(f"UPDATE OR REPLACE {table} SET \"{name}\" = '{value}'")
