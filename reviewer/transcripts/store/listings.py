"""Which conversations a queue holds, in which order, in which groups: rowids and where the groups begin.

Owns the SELECT that sorts, on a connection that a worker may stop, and the placing of what is sorted into groups.
What reviewers said, and what a desk says of calls, comes in as ranks of rowids.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, count, islice
from pathlib import Path
from typing import Any

from reviewer.basics.errors import QueryError
from reviewer.transcripts.query import EVERYTHING, Selection
from reviewer.transcripts.query.orders import AS_STORED, Order
from reviewer.transcripts.query.selection import NEWEST_PROMPT, OWN_JUDGE
from reviewer.transcripts.store.connection import speaking_plainly
from reviewer.transcripts.store.conversation_rows import BILLED, TOKENS
from reviewer.transcripts.store.tallies import Where

Ranks = Mapping[int, int]
"""Rowid to rank; 0 for those that are not there."""

Keys = Callable[[Iterable[int], Iterable[int | None]], Iterable[Any]]
Among = Sequence[int] | None
"""Just these conversations, in their own order, in the place of a selection."""
_BATCH = 10_000
_RANK = "(SELECT rank FROM temp.ranks WHERE ranks.id = {})"
_RATE = "(SELECT {} FROM temp.rates WHERE rates.id = run_id)"
_CACHED = "min(ifnull(tokens_cached, 0), ifnull(tokens_in, 0))"
_RECKONED = (
    f"CASE WHEN coalesce(tokens_in, tokens_out) IS NOT NULL AND {BILLED} THEN"
    f" (ifnull(tokens_in, 0) - {_CACHED}) * {_RATE.format('read')} + {_CACHED} * {_RATE.format('cached')}"
    f" + ifnull(tokens_out, 0) * {_RATE.format('written')} END"
)
"""What `Price.cost` makes of a conversation's tokens; nothing where its model has no price."""
_OF_CONVERSATION = f"ifnull({_RANK.format('conversations.id')}, 0)"
_COLUMNS = {
    "unread": _OF_CONVERSATION,
    "unsafe": _OF_CONVERSATION,
    "tags": _OF_CONVERSATION,
    "score": (
        "(SELECT coalesce(value, raw) FROM scores WHERE conversation_id = conversations.id"
        f" AND scorer = ? COLLATE NOCASE AND {OWN_JUDGE} AND {NEWEST_PROMPT} ORDER BY scores.id LIMIT 1)"
    ),
    "messages": "messages",
    "calls": "tool_calls",
    "errors": "errors",
    "tokens": TOKENS,
    "cost": f"coalesce(cost, {_RECKONED})",
    "run": "(SELECT number FROM runs WHERE runs.id = run_id)",
    "date": "coalesce(started, ended)",
    "case": _RANK.format("case_id"),
    "model": _RANK.format("run_id"),
    "random": "shuffled(?, ref)",
}
_OF_CASE = "(SELECT {} FROM cases WHERE cases.id = case_id)"
_STRATA = {
    "": "''",
    "family": " || '·' || ".join(f"ifnull({_OF_CASE.format(each)}, 'None')" for each in ("family", "bucket")),
    "bucket": f"ifnull({_OF_CASE.format('bucket')}, 'None')",
    "model": "(SELECT model FROM runs WHERE runs.id = run_id)",
    "case": f"ifnull({_OF_CASE.format('name')}, 'None')",
}
STRATA = tuple(filter(None, _STRATA))
"""What a draw can be stratified by."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A queue: its conversations in order, and what is known of all of them together."""

    ids: array[int]
    starts: array[int]
    """The place in `ids` at which each group begins; empty without groups."""
    models: frozenset[str]
    """The models that spoke in any of them."""


class Orders:
    """Lists the conversations of one store in any order."""

    def __init__(self, db: sqlite3.Connection, path: Path, where: Where) -> None:
        self._db, self._path, self._where = db, path, where

    def listing(
        self,
        selection: Selection = EVERYTHING,
        order: Order = AS_STORED,
        *,
        among: Among = None,
        ranks: Ranks | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Listing | None:
        """The queue of a selection, or of the given rowids (in their own order by default); None if stopped."""
        with speaking_plainly(self._path):
            models = dict(self._db.execute("SELECT id, model FROM runs").fetchall())
            keys_of = self._grouping(order, models)
            ids, ordinals = array("q"), array("i")
            runs: set[int] = set()
            groups: defaultdict[Any, int] = defaultdict(count().__next__)
            for rows in self._batches(*self._select(selection, order, among, ranks or {})):
                if stopped():
                    return None
                # By column, so that the loops are C's: a worker that interprets a million steps slows every key.
                rowids, in_runs, of_cases = zip(*rows, strict=True)
                ids.extend(rowids)
                runs.update(in_runs)
                if keys_of is not None:
                    ordinals.extend(map(groups.__getitem__, keys_of(in_runs, of_cases)))
        starts: array[int] = array("i")
        if keys_of is not None:
            ids, starts = gathered(ids, ordinals, len(groups))
        return Listing(ids, starts, frozenset(models[run] for run in runs if run in models))

    def rowids(self, refs: Iterable[str]) -> dict[str, int]:
        """The rowids of these references; those that the store does not have are left out."""
        sql = "SELECT ref, conversations.id FROM json_each(?) AS listed CROSS JOIN conversations ON ref = listed.value"
        with speaking_plainly(self._path):
            return dict(self._db.execute(sql, (json.dumps(list(refs)),)).fetchall())

    def refs(self, ids: Iterable[int]) -> list[str]:
        """The references of these rowids, in the order asked for."""
        table, parameters = self._from(EVERYTHING, list(ids))
        with speaking_plainly(self._path):
            rows = self._db.execute(f"SELECT ref FROM {table} ORDER BY listed.key", parameters).fetchall()
        return [row[0] for row in rows]

    def strata(self, by: str, selection: Selection = EVERYTHING, among: Among = None) -> dict[str, int]:
        """The number of conversations per family (in its bucket), bucket, model or case, or of all together."""
        table, parameters = self._from(selection, among)
        with speaking_plainly(self._path):
            rows = self._db.execute(f"SELECT {_STRATA[by]}, count(*) FROM {table} GROUP BY 1", parameters).fetchall()
        return dict(rows)

    def refs_at(
        self, places: Iterable[tuple[str, int]], by: str, selection: Selection = EVERYTHING, among: Among = None
    ) -> list[str]:
        """The references at these positions of their strata, each stratum sorted by reference."""
        wanted = list(places)
        refs = dict.fromkeys(wanted, "")
        table, parameters = self._from(selection, among)
        seen: dict[str, int] = {}
        sql = f"SELECT {_STRATA[by]}, ref FROM {table} ORDER BY 1, 2"
        with speaking_plainly(self._path):
            for rows in self._batches(sql, parameters):
                for stratum, ref in rows:
                    at = seen[stratum] = seen.get(stratum, -1) + 1
                    if (stratum, at) in refs:
                        refs[stratum, at] = ref
        return [refs[each] for each in wanted]

    def scorers(self) -> list[str]:
        """The scorers, in the order of their first score."""
        with speaking_plainly(self._path):
            rows = self._db.execute("SELECT scorer FROM scores GROUP BY scorer ORDER BY min(id)").fetchall()
        return [row[0] for row in rows]

    def _batches(self, sql: str, parameters: Sequence[Any]) -> Iterator[list[Any]]:
        cursor = self._db.execute(sql, parameters)
        try:
            while rows := cursor.fetchmany(_BATCH):
                yield rows
        finally:
            cursor.close()

    def _grouping(self, order: Order, models: Mapping[int, str]) -> Keys | None:
        """A function from runs and cases to the keys by which conversations are grouped."""
        if order.group == "model":
            return lambda runs, _: map(models.get, runs)
        if order.group == "family":
            families = dict(self._db.execute("SELECT id, family FROM cases").fetchall())
            return lambda _, cases: map(families.get, cases)
        return (lambda _, cases: cases) if order.group else None

    def _from(self, selection: Selection, among: Among) -> tuple[str, list[Any]]:
        if among is None:
            where, parameters = self._where(selection)
            return f"conversations{where}", [*parameters]
        return "json_each(?) AS listed CROSS JOIN conversations ON conversations.id = listed.value", [
            json.dumps(list(among))
        ]

    def _select(self, selection: Selection, order: Order, among: Among, ranks: Ranks) -> tuple[str, list[Any]]:
        table, parameters = self._from(selection, among)
        rest = "run_id, case_id, conversations.id" if among is None else "listed.key"
        first = ""
        if order.sorted:
            first, more = self._column(order, ranks)
            parameters = [*parameters, *more, *more]
            first = f"{first} IS NULL, {first}{' DESC' if order.down else ''}, "
        return f"SELECT conversations.id, run_id, case_id FROM {table} ORDER BY {first}{rest}", parameters

    def _column(self, order: Order, ranks: Ranks) -> tuple[str, list[Any]]:
        """The SQL expression to sort by; sets up the temporary tables and functions that it needs."""
        if order.by == "random":
            self._db.create_function("shuffled", 2, _shuffled, deterministic=True)
            return _COLUMNS["random"], [order.seed]
        if order.by == "score":
            scorers = self.scorers()
            scorer = order.key or next(iter(scorers), "")
            if scorer.lower() not in (each.lower() for each in scorers):
                hint = f"There are scores of: {', '.join(scorers)}." if scorers else "`reviewer attach` brings some."
                raise QueryError(f"No score of “{scorer}” here." if scorer else "Nothing here has a score.", hint)
            return _COLUMNS["score"], [scorer]
        if order.by == "cost":
            self._set_rates()
        if order.by in ("case", "model"):
            ranks = self._by_name(order.by)
        if "temp.ranks" in _COLUMNS[order.by]:
            self._db.execute("DROP TABLE IF EXISTS temp.ranks")
            self._db.execute("CREATE TEMP TABLE ranks (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL)")
            self._db.executemany("INSERT INTO temp.ranks VALUES (?, ?)", ranks.items())
        return _COLUMNS[order.by], []

    def _set_rates(self) -> None:
        """Set down what a token costs, run by run, so that what only told tokens is sorted by what they come to."""
        from reviewer.transcripts.prices import price_list

        prices = price_list()
        runs = [(run, prices.of(model)) for run, model in self._db.execute("SELECT id, model FROM runs").fetchall()]
        rates = [(run, *(each.rates)) for run, each in runs if each is not None]
        self._db.execute("DROP TABLE IF EXISTS temp.rates")
        self._db.execute("CREATE TEMP TABLE rates (id INTEGER PRIMARY KEY, read REAL, cached REAL, written REAL)")
        self._db.executemany("INSERT INTO temp.rates VALUES (?, ?, ?, ?)", rates)

    def _by_name(self, what: str) -> Ranks:
        """Cases, or runs by their model, ranked by name, with numbers counted as numbers."""
        table = "SELECT id, name, 0 FROM cases" if what == "case" else "SELECT id, model, ifnull(number, 0) FROM runs"
        rows = sorted(self._db.execute(table).fetchall(), key=lambda row: (_natural(row[1]), row[2]))
        return {row[0]: rank for rank, row in enumerate(rows)}


def gathered(ids: Sequence[int], ordinals: Sequence[int], groups: int) -> tuple[array[int], array[int]]:
    """The ids rearranged so that groups are contiguous, and the index at which each group begins."""
    sizes: array[int] = array("i", bytes(4 * groups))
    for ordinal in ordinals:
        sizes[ordinal] += 1
    starts: array[int] = array("i", islice(accumulate(sizes, initial=0), groups))
    placed: array[int] = array("q", bytes(8 * len(ids)))
    free = array("i", starts)
    for rowid, ordinal in zip(ids, ordinals, strict=True):
        placed[free[ordinal]] = rowid
        free[ordinal] += 1
    return placed, starts


def _natural(name: str) -> list[tuple[str, int]]:
    return [(words, int(digits or 0)) for words, digits in re.findall(r"([^0-9]*)([0-9]{0,18})", name.lower())]


def _shuffled(seed: int, ref: str) -> int:
    """A pseudo-random number for a reference, the same on every machine and in every store."""
    digest = hashlib.blake2b(ref.encode("utf-8", "surrogatepass"), digest_size=8, salt=seed.to_bytes(8, "big"))
    return int.from_bytes(digest.digest(), "big", signed=True)
