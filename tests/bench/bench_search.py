"""Finding words among 1,000,000 messages, beside SQLite left alone with the same texts."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from reviewer.transcripts.query import parse
from reviewer.transcripts.store import word_index
from reviewer.transcripts.store.connection import connect_reading
from reviewer.transcripts.store.text_search import TextSearch
from tests.bench.bigstore import RARE, SELDOM, shared
from tests.bench.rows import Row, timed

CONVERSATIONS = 100_000
FIRST = 50
_BARE = {
    "bare_messages": "SELECT text, reasoning, ref, number FROM store.messages AS found",
    "bare_calls": "SELECT arguments, result, ref, message FROM store.calls AS found",
}


def run() -> Iterator[Row]:
    """Words by the index beside plain FTS5 tables, phrases beside a scan with `instr`, and what the index costs."""
    store = shared(CONVERSATIONS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = time.perf_counter()
        word_index.update(store, folder=folder)
        ours = (time.perf_counter() - started) * 1_000
        started = time.perf_counter()
        _bare_tables(folder / "bare.db", store)
        yield Row("making the index, beside plain FTS5 tables", ours, (time.perf_counter() - started) * 1_000, None)
        with closing(connect_reading(store)) as db, closing(sqlite3.connect(folder / "bare.db")) as bare:
            search = TextSearch(db, store, folder)
            yield from _words(search, bare)
            yield from _phrases(search, db)


def _words(search: TextSearch, bare: sqlite3.Connection) -> Iterator[Row]:
    shown = "SELECT ref, number, snippet({0}, -1, '', '', '…', 16) FROM {0} WHERE {0} MATCH ? LIMIT 50"
    numbers = "SELECT rowid FROM {0} WHERE {0} MATCH ? LIMIT 50"
    for word in ("refund", RARE, SELDOM):
        yield timed(f"{word}, first {FIRST} hits", _hits(search, word, FIRST), _match(bare, shown, word), 1.5, 40)
    yield timed(f"{RARE}, beside row numbers alone", _hits(search, RARE, FIRST), _match(bare, numbers, RARE), None, 40)


def _phrases(search: TextSearch, db: sqlite3.Connection) -> Iterator[Row]:
    for phrase in ("ivered yest", "was delivered yesterday", "the order of refund"):
        yield timed(f'"{phrase}", every hit', _hits(search, f'"{phrase}"', None), _scan(db, phrase), 1.5, 5)
    first = _hits(search, '"ivered yest"', FIRST)
    yield timed(f'"ivered yest", first {FIRST} hits', first, _scan(db, "ivered yest", FIRST), 1.5)


def _hits(search: TextSearch, query: str, limit: int | None) -> Callable[[], object]:
    return lambda: list(islice(search.hits(parse(query).selection), limit))


def _match(bare: sqlite3.Connection, sql: str, word: str) -> Callable[[], object]:
    return lambda: [bare.execute(sql.format(table), (word,)).fetchall() for table in _BARE]


def _scan(db: sqlite3.Connection, phrase: str, limit: int = -1) -> Callable[[], object]:
    """The same texts, looked through by SQLite alone."""
    scans = (
        "SELECT conversation_id, number, text FROM messages WHERE instr(text, ?1) OR instr(reasoning, ?1) LIMIT ?2",
        "SELECT conversation_id, number, result FROM calls WHERE instr(arguments, ?1) OR instr(result, ?1) LIMIT ?2",
    )
    return lambda: [db.execute(sql, (phrase, limit)).fetchall() for sql in scans]


def _bare_tables(path: Path, store: Path) -> None:
    """What one would make with FTS5 and nothing else: the texts, and what names them."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("ATTACH ? AS store", (str(store),))
        named = "JOIN store.conversations ON conversations.id = conversation_id ORDER BY found.id"
        for table, select in _BARE.items():
            db.execute(f"CREATE VIRTUAL TABLE {table} USING fts5(first, second, ref UNINDEXED, number UNINDEXED)")
            db.execute(f"INSERT INTO {table} {select} {named}")
        db.commit()
