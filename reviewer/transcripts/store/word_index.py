"""The word index of a store: a disposable neighbour in the cache folder, brought up to date when a search wants it.

Owns the index file: its shape, whether it still belongs to the store, and adding what is new. It knows rows up to a
watermark; what lies beyond is scanned by whoever searches, so that an index left half-built is still a right one. Rows
taken out of the store stay in the index and are not found again, since their text is looked at before it is believed.
"""

from __future__ import annotations

import sqlite3
import unicodedata
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from reviewer.transcripts.query.matches import normalised
from reviewer.transcripts.store.connection import connect_reading
from reviewer.transcripts.store.neighbours import neighbour

# The tables of Unicode decide what a letter is, so that another Python may cut words elsewhere.
_SHAPE = f"1 {unicodedata.unidata_version}"
_CHUNK = 20_000
WORTHWHILE = 20_000
"""Scanning fewer rows than this takes a few milliseconds: no index is made or extended for them."""

_SIDES = {"messages": ("text", "reasoning"), "calls": ("arguments", "result")}
_TABLE = "fts5(body, content = '', detail = none, columnsize = 0, tokenize = 'ascii')"

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class IndexedRows:
    """The last rows that the index covers."""

    messages: int = 0
    calls: int = 0
    missing: int = 0
    """How many rows of the store lie beyond."""


def attach(db: sqlite3.Connection, store: Path, folder: Path | None = None) -> IndexedRows | None:
    """Attach the index to a connection as schema `words`; None if there is no index that fits the store."""
    try:
        if any(row[1] == "words" for row in db.execute("PRAGMA database_list").fetchall()):
            if known := _known(db):
                return known
            db.execute("DETACH words")  # it may have been made afresh meanwhile
        path = neighbour(store, "words", folder)
        if not path.is_file():
            return None
        _attach(db, path, "ro")
        return _known(db)
    except sqlite3.Error:
        return None  # not to be opened, or damaged: the same as none


def update(store: Path, progress: Progress | None = None, folder: Path | None = None) -> bool:
    """Bring the index up to date; False where the cache cannot be written, which only makes searches slower."""
    path = neighbour(store, "words", folder)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(connect_reading(store)) as db:
            if path.exists() and attach(db, store, folder) is None:
                path.unlink()
        if not path.exists():
            _forget_lost(path.parent)
        with closing(connect_reading(store)) as db:
            _attach(db, path, "rwc")
            _make(db, store)
            _extend(db, progress or (lambda _done, _all: None))
    except (OSError, sqlite3.Error):
        return False
    return True


def _attach(db: sqlite3.Connection, path: Path, mode: str) -> None:
    db.execute("ATTACH ? AS words", (f"file:{quote(str(path.absolute()))}?mode={mode}",))


def _make(db: sqlite3.Connection, store: Path) -> None:
    db.execute("PRAGMA words.synchronous = NORMAL")
    db.execute("BEGIN IMMEDIATE")
    db.execute("CREATE TABLE IF NOT EXISTS words.facts (key TEXT PRIMARY KEY, value) WITHOUT ROWID")
    for table in _SIDES:
        db.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS words.in_{table} USING {_TABLE}")
    _note(db, {"shape": _SHAPE, "store": str(store.resolve())})
    db.execute("COMMIT")


def _extend(db: sqlite3.Connection, progress: Progress) -> None:
    whole = rows_in(db)
    for table, (first, second) in _SIDES.items():
        while True:
            # Asked anew in each transaction: another program may be at it too.
            db.execute("BEGIN IMMEDIATE")
            known = _known(db)
            if known is None:
                db.execute("ROLLBACK")
                return  # rows were taken out while we worked; the next search starts afresh
            last = getattr(known, table)
            rows = db.execute(
                f"SELECT id, {first}, {second} FROM main.{table} WHERE id > ? ORDER BY id LIMIT ?", (last, _CHUNK)
            ).fetchall()
            if not rows:
                db.execute("COMMIT")
                break
            db.executemany(
                f"INSERT INTO words.in_{table} (rowid, body) VALUES (?, ?)",
                ((rowid, normalised(f"{one}\n{two}" if one and two else one or two or "")) for rowid, one, two in rows),
            )
            last = rows[-1][0]
            _note(db, {table: last, f"{table} anchor": _anchor(db, table, last)})
            db.execute("COMMIT")
            progress(last + (known.messages if table == "calls" else 0), whole)


def _known(db: sqlite3.Connection) -> IndexedRows | None:
    """The last indexed rows; None if the index has another shape or the store no longer holds those rows."""
    facts = dict(db.execute("SELECT key, value FROM words.facts").fetchall())
    if facts.get("shape") != _SHAPE:
        return None
    for table in _SIDES:
        # Row numbers are given out anew only after the last rows were deleted, so if those still stand, all do.
        if facts.get(table) and _anchor(db, table, facts[table]) != facts[f"{table} anchor"]:
            return None
    messages, calls = facts.get("messages", 0), facts.get("calls", 0)
    return IndexedRows(messages, calls, rows_in(db) - messages - calls)


def _anchor(db: sqlite3.Connection, table: str, rowid: int) -> str | None:
    row = db.execute(
        f"SELECT conversations.id || ' ' || digest || ' ' || import_id || ' ' || imports.started FROM main.{table}"
        " JOIN main.conversations ON conversations.id = conversation_id JOIN main.imports ON imports.id = import_id"
        f" WHERE {table}.id = ?",
        (rowid,),
    ).fetchone()
    return row[0] if row else None


def rows_in(db: sqlite3.Connection) -> int:
    """An upper bound for the number of rows with text in a store."""
    return sum(int(db.execute(f"SELECT ifnull(max(id), 0) FROM main.{table}").fetchone()[0]) for table in _SIDES)


def _note(db: sqlite3.Connection, facts: dict[str, str | int | None]) -> None:
    db.executemany("INSERT OR REPLACE INTO words.facts (key, value) VALUES (?, ?)", facts.items())


def _forget_lost(folder: Path) -> None:
    """Delete the indexes of stores that are gone."""
    for path in folder.glob("*.db"):
        with closing(sqlite3.connect(path)) as db:
            try:
                row = db.execute("SELECT value FROM facts WHERE key = 'store'").fetchone()
            except sqlite3.Error:
                row = None
        if row is None or not Path(row[0]).exists():
            path.unlink()
