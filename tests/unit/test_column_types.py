"""A store whose columns hold what they never should: another program wrote there. One sentence, no traceback."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from reviewer.basics.errors import StoreError
from reviewer.transcripts.model import QueueRow, Stored
from reviewer.transcripts.query import parse
from reviewer.transcripts.store.imports import brought
from reviewer.transcripts.store.reader import Reader
from tests import builders

COLUMNS = (
    "messages.text", "messages.role", "messages.number", "messages.tokens_in", "messages.at", "messages.extra",
    "calls.name", "calls.arguments", "calls.message", "conversations.ref", "conversations.digest",
    "conversations.opening", "conversations.messages", "conversations.cost", "runs.model", "runs.number",
    "desks.text", "sources.path", "totals.n", "totals.key", "conversations.started",
)  # fmt: skip
NUMBERS = (
    "messages.number",
    "messages.tokens_in",
    "calls.message",
    "conversations.messages",
    "runs.number",
    "totals.n",
)


def _read(path: Path) -> list[object]:
    """Everything that is read of a store to be listed, shown, searched and counted."""
    with Reader(path) as reader:
        ids = list(reader.ids())
        read: list[object] = [*reader.rows(ids, scored=True), *map(reader.stored, ids), reader.info()]
        read += [*reader.search.hits(parse("order").selection), *reader.tallies.runs(), *reader.tallies.cases()]
        return [*read, reader.tallies.models(), reader.tallies.desks(), *brought(path)]


@pytest.mark.parametrize("spoilt", [b"\xff\x00", "x"])
@pytest.mark.parametrize("column", COLUMNS)
def test_a_value_of_a_wrong_type_is_said(tmp_path: Path, column: str, spoilt: object) -> None:
    path = builders.store(tmp_path)
    assert {QueueRow, Stored} <= {type(each) for each in _read(path)}
    table, name = column.split(".")
    with closing(sqlite3.connect(path)) as db:
        some = "key = 'conversations'" if table == "totals" else f"rowid = (SELECT min(rowid) FROM {table})"
        db.execute(f"UPDATE {table} SET {name} = ? WHERE {some}", (spoilt,))
        db.commit()
    if isinstance(spoilt, bytes) or column in (*NUMBERS, "messages.role", "conversations.cost", "messages.extra"):
        with pytest.raises(StoreError, match=r"runs\.db is damaged"):
            _read(path)
    else:
        assert _read(path)
