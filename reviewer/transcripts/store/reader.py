"""Every SELECT that the app and the commands make: ids in order, rows by id, whole conversations.

Owns a read-only connection. Leaves no statement open, loads message text only for the conversation asked for, and
never writes.
"""

from __future__ import annotations

import re
import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import unquote

from reviewer.transcripts.model import Case, QueueRow, Stored, Usage, judge_label
from reviewer.transcripts.query import EVERYTHING, Selection
from reviewer.transcripts.query.selection import NEWEST_PROMPT, OWN_JUDGE
from reviewer.transcripts.store import conversation_rows
from reviewer.transcripts.store.column_types import AMOUNT, COUNT, NUMBER, TEXT, WORDS, sound
from reviewer.transcripts.store.connection import VERSION, be_patient, connect_reading, speaking_plainly
from reviewer.transcripts.store.conversation_rows import BILLED, TOKENS

if TYPE_CHECKING:
    from reviewer.transcripts.store.listings import Orders
    from reviewer.transcripts.store.tallies import Tallies
    from reviewer.transcripts.store.text_search import TextSearch
    from reviewer.transcripts.store.vocabulary import Vocabulary

_HALF = "[\ud800-\udfff]"
_IDS = "SELECT conversations.id FROM conversations{} ORDER BY run_id, case_id, conversations.id"

_ROW = (
    "SELECT conversations.id, ref, runs.model, cases.name, runs.number, cases.family, cases.bucket, messages,"
    " agent_messages, tool_calls, errors, ended_by, error, conversations.opening, ifnull(acts, ''), cases.forbidden,"
    f" desk_id, {TOKENS}, cost, cost IS NULL AND {BILLED}, tokens_in, tokens_out, tokens_cached FROM conversations"
    " JOIN runs ON runs.id = run_id LEFT JOIN cases ON cases.id = case_id"
)
_OF_ROW = (
    *(COUNT, TEXT, TEXT, WORDS, NUMBER, WORDS, WORDS, *[COUNT] * 4, WORDS, WORDS, TEXT, TEXT, WORDS, NUMBER),
    *(AMOUNT, AMOUNT, COUNT, *[NUMBER] * 3),
)
_DESK = 16
"""Where the desk stands in a row."""
_SCORES = (
    "SELECT conversation_id, scorer, ifnull(value, raw) FROM scores"
    " JOIN conversations ON conversations.id = conversation_id"
    f" WHERE conversation_id IN ({{}}) AND {OWN_JUDGE} AND {NEWEST_PROMPT}"
    " AND ifnull(value, raw) IS NOT NULL ORDER BY scores.id"
)


class Reader:
    """A store, open for reading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = connect_reading(path)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What completion may offer, loaded on first use."""
        from reviewer.transcripts.store.vocabulary import Vocabulary

        return Vocabulary(self._db, self.path)

    @cached_property
    def tallies(self) -> Tallies:
        """What boards are computed from, loaded on first use."""
        from reviewer.transcripts.store.tallies import Tallies

        return Tallies(self._db, self.path, lambda selection: self.search.where(selection))

    @cached_property
    def search(self) -> TextSearch:
        """The word search of this store, loaded on first use."""
        from reviewer.transcripts.store.text_search import TextSearch

        return TextSearch(self._db, self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def wait_at_most(self, seconds: float) -> None:
        """Give up after so long when another program keeps readers out."""
        be_patient(self._db, seconds)

    def close(self) -> None:
        """Close the store."""
        self._db.close()

    def interrupt(self) -> None:
        """Stop a query that another thread is running on this connection."""
        self._db.interrupt()

    def data_version(self) -> int:
        """A number that changes when another program has written to the store."""
        return int(self._all("PRAGMA data_version")[0][0])

    # -- totals ------------------------------------------------------------------------------------------------------

    def info(self) -> dict[str, Any]:
        """Return what the store holds, from the totals that the writer keeps."""
        with speaking_plainly(self.path):
            counted = [*sound(self._all("SELECT key, n FROM totals ORDER BY key"), (TEXT, COUNT))]
        totals = {key: n for key, n in counted if n}
        return {
            "store": self.path.name,
            "schema": VERSION,
            "synthetic": bool(self._all("SELECT 1 FROM sources WHERE synthetic LIMIT 1")),
            "simulated": "simulated_runs" in totals and self.tallies.simulated(),
            "conversations": totals.get("conversations", 0),
            "empty_conversations": totals.get("empty_conversations", 0),
            "cases": totals.get("cases", 0),
            "models": _under("model.", totals),
            "messages": _under("messages.", totals),
            "tool_calls": totals.get("tool_calls", 0),
            "tool_results": totals.get("tool_results", 0),
            "orphan_results": totals.get("orphan_results", 0),
            "text_calls": totals.get("text_calls", 0),
            "scores": totals.get("scores", 0),
            "rejected": totals.get("rejected", 0),
            "desks": [row[0] for row in self._all("SELECT DISTINCT name FROM desks ORDER BY name")],
        }

    def rejected(self) -> list[tuple[str, str, str]]:
        """Path, position and reason of every rejected record."""
        return [(*row,) for row in self._all("SELECT path, position, reason FROM rejected ORDER BY id")]

    # -- the queue ---------------------------------------------------------------------------------------------------

    def count(self, selection: Selection = EVERYTHING) -> int:
        """The number of conversations that match a filter."""
        if selection == EVERYTHING:
            return int(self.info()["conversations"])
        where, parameters = _where(self, selection)
        return int(self._all(f"SELECT count(*) FROM conversations{where}", parameters)[0][0])

    @cached_property
    def orders(self) -> Orders:
        """The queues of this store in any order, loaded on first use."""
        from reviewer.transcripts.store.listings import Orders

        return Orders(self._db, self.path, lambda selection: _where(self, selection))

    def ids(self, selection: Selection = EVERYTHING) -> array[int]:
        """The rowids of all conversations that match a filter, in the order of the store."""
        listing = self.orders.listing(selection)
        return listing.ids if listing else array("q")

    def first_ids(self, selection: Selection = EVERYTHING, limit: int = 100, offset: int = 0) -> list[int]:
        """One page of the queue."""
        where, parameters = _where(self, selection)
        rows = self._all(f"{_IDS.format(where)} LIMIT ? OFFSET ?", (*parameters, limit, offset))
        return [row[0] for row in rows]

    def spread(self, count: int) -> list[int]:
        """So many conversations from everywhere in the store (fewer where some were removed), or all there are."""
        low, high = self._all("SELECT (SELECT min(id) FROM conversations), (SELECT max(id) FROM conversations)")[0]
        if low is None:
            return []
        if high - low < count:
            return self.first_ids(limit=count)
        steps = [low + (high - low) * step // (count - 1) for step in range(count)]
        marks = ",".join("?" * count)
        return [row[0] for row in self._all(f"SELECT id FROM conversations WHERE id IN ({marks}) ORDER BY id", steps)]

    def rows(self, ids: Sequence[int], *, scored: bool = False) -> list[QueueRow]:
        """The queue rows of these rowids, in the order given; those that no longer exist are left out.

        With `scored` they say what the run's own judge gave, which is a query more for all of them.
        """
        with speaking_plainly(self.path):
            return self._rows(ids, scored)

    def _rows(self, ids: Sequence[int], scored: bool) -> list[QueueRow]:
        marks = ",".join("?" * len(ids))
        known = self._all(f"{_ROW} WHERE conversations.id IN ({marks})", ids)
        desks = conversation_rows.desks(self._all, {row[_DESK] for row in known})
        scores: defaultdict[int, dict[str, float | str]] = defaultdict(dict)
        for rowid, scorer, value in self._all(_SCORES.format(marks), ids) if scored else ():
            scores[rowid].setdefault(scorer, value)
        by_id = {
            row[0]: QueueRow(
                *[
                    *row,
                    conversation_rows.names(forbidden),
                    desks.get(desk),
                    tokens,
                    cost,
                    Usage(read, written, None, cached) if billed and tokens is not None else None,
                    scores[row[0]] if scored else {},
                ]
            )
            for *row, forbidden, desk, tokens, cost, billed, read, written, cached in sound(known, _OF_ROW)
        }
        return [by_id[each] for each in ids if each in by_id]

    def find(self, ref: str) -> list[int]:
        """The conversation that a reference names, or the case across its runs."""
        conversation = ref.partition("#")[0]
        if re.search(_HALF, conversation):
            return []  # half a character, which no stored name holds and SQLite refuses
        exact = self._all("SELECT id FROM conversations WHERE ref = ?", (conversation,))
        model, _, case = conversation.rpartition("/")
        return [row[0] for row in exact] or self.runs_of(unquote(model), unquote(case))

    def runs_of(self, model: str, case: str) -> list[int]:
        """The conversations of one model on one case, by run."""
        rows = self._all(
            "SELECT conversations.id FROM conversations JOIN runs ON runs.id = run_id JOIN cases ON cases.id = case_id"
            " WHERE runs.model = ? AND cases.name = ? ORDER BY runs.number, conversations.id",
            (model, case),
        )
        return [row[0] for row in rows]

    # -- whole conversations -----------------------------------------------------------------------------------------

    def stored(self, rowid: int) -> Stored:
        """One conversation with everything in it."""
        with speaking_plainly(self.path):
            return conversation_rows.stored(self._all, rowid)

    def case(self, name: str) -> Case | None:
        """The facts about a case."""
        with speaking_plainly(self.path):
            return conversation_rows.case(self._all, name)

    def score_names(self, ids: Sequence[int]) -> dict[int, dict[str, float | str | None]]:
        """The scores of these conversations by rowid, each as scorer (and `@judge`) to value."""
        scores: dict[int, dict[str, float | str | None]] = {each: {} for each in ids}
        marks = ",".join("?" * len(ids))
        for rowid, scorer, judge, prompt, value, raw in self._all(
            "SELECT conversation_id, scorer, judge, prompt, value, raw FROM scores"
            f" WHERE conversation_id IN ({marks}) ORDER BY id",
            ids,
        ):
            by = judge_label(judge, prompt)
            scores[rowid][f"{scorer}@{by}" if by else scorer] = raw if value is None else value
        return scores

    def _all(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        with speaking_plainly(self.path):
            cursor: sqlite3.Cursor = self._db.execute(sql, parameters)
            try:
                return cursor.fetchall()
            finally:
                cursor.close()


def _under(prefix: str, totals: dict[str, int]) -> dict[str, int]:
    return {key.removeprefix(prefix): n for key, n in totals.items() if key.startswith(prefix)}


def _where(reader: Reader, selection: Selection) -> tuple[str, list[Any]]:
    return ("", []) if selection == EVERYTHING else reader.search.where(selection)
