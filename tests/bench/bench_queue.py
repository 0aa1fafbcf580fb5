"""The queue in any order and in groups, beside SQLite's own sorting of the same ids."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from reviewer.app.queue.heads import Heads
from reviewer.marks.review.draws import draw
from reviewer.transcripts.query.orders import Order, parse_order
from reviewer.transcripts.store.reader import Reader
from tests.bench.bigstore import shared
from tests.bench.rows import Row, timed

SIZE = 100_000
_SORTED = "SELECT id, run_id, case_id FROM conversations ORDER BY messages DESC, run_id, case_id, id"
_REFS = "SELECT family, ref FROM conversations JOIN cases ON cases.id = case_id ORDER BY family, ref"


def run() -> Iterator[Row]:
    """Listing, sorting, grouping, drawing; and the heads that come on screen at once."""
    store = shared(SIZE)
    bare = _bare(store, _SORTED)
    yield timed(f"most messages first, {SIZE:,} conversations", _listed(store, parse_order("messages")), bare, 2.0)
    yield timed(f"by case, {SIZE:,} conversations", _listed(store, Order("messages", group="case")), bare, 3.0)
    yield timed(f"at random, {SIZE:,} conversations", _listed(store, parse_order("random 7")), bare, None)
    yield timed(f"draw 60 by family of {SIZE:,}", _drawn(store), _bare(store, _REFS), 3.0)
    yield timed("12 heads of groups, against the same 480 lines", _heads(store), _rows(store), 3.0)


def _bare(store: Path, sql: str) -> Callable[[], object]:
    def listed() -> object:
        connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
        found = connection.execute(sql).fetchall()
        connection.close()
        return found

    return listed


def _listed(store: Path, order: Order) -> Callable[[], object]:
    def listed() -> object:
        with Reader(store) as reader:
            return reader.orders.listing(order=order)

    return listed


def _drawn(store: Path) -> Callable[[], object]:
    def drawn() -> object:
        with Reader(store) as reader:
            return reader.orders.refs_at(draw(reader.orders.strata("family"), 60, 1), "family")

    return drawn


def _heads(store: Path) -> Callable[[], object]:
    def shown() -> object:
        with Reader(store) as reader:
            ids = range(1, 481)
            heads = Heads(reader.rows)
            return [heads.head(ids, start, start + 40, "case") for start in range(0, 480, 40)]

    return shown


def _rows(store: Path) -> Callable[[], object]:
    def read() -> object:
        with Reader(store) as reader:
            return reader.rows(range(1, 481))

    return read
