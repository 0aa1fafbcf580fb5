"""What a later import adds to a conversation that is stored already, and how that is taken back.

Owns the UPDATEs of a merge and the table that remembers what stood there before. What was said stays as it is, since
that is what makes the two the same; what has no value yet gets one, scores that nobody gave yet are put beside the
others. Works inside the writer's transaction and its totals.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reviewer.transcripts.model import Conversation, Message, Score, ToolCall
from reviewer.transcripts.store.catalogue import Catalogue, dumped, inserted
from reviewer.transcripts.store.usage import FIELDS, TOLD, usage_of

Values = dict[str, Any]

_CONVERSATION = ("source_key", "started", "ended", "ended_by", "clock", "error", *FIELDS)
_MESSAGE = ("name", "at", "tokens_in", "tokens_out", "tokens_reasoning", "tokens_cached", "cost", "extra")
_CALL = ("call_id", "at", "extra")
_TABLES = ("conversations", "messages", "calls", "scores")
_SCORE = ("id", "conversation_id", "scorer", "judge", "value", "raw", "note", "prompt")
_TOLD = (
    "SELECT source_id, 1, tokens_in IS NOT NULL OR tokens_out IS NOT NULL, EXISTS (SELECT 1 FROM messages WHERE"
    " conversation_id = c.id AND (tokens_in IS NOT NULL OR tokens_out IS NOT NULL)), tokens_reasoning IS NOT NULL,"
    " tokens_cached IS NOT NULL, cost IS NOT NULL,"
    " EXISTS (SELECT 1 FROM messages WHERE conversation_id = c.id AND at IS NOT NULL),"
    " EXISTS (SELECT 1 FROM calls WHERE conversation_id = c.id AND at IS NOT NULL),"
    " (SELECT count(*) FROM scores WHERE conversation_id = c.id),"
    " (SELECT count(note) FROM scores WHERE conversation_id = c.id) FROM conversations AS c WHERE id = ?"
)


@dataclass
class Merger:
    """Records what one merge does: the values that it replaces, and what the summary should mention."""

    before: Values = field(default_factory=dict)
    contradictions: list[str] = field(default_factory=list)


class Updates:
    """Merges new copies into the conversations of one store."""

    def __init__(self, db: sqlite3.Connection, totals: Counter[str], catalogue: Catalogue) -> None:
        self._db = db
        self._totals = totals
        self._catalogue = catalogue
        self._brought: Counter[tuple[int, str]] = Counter()

    def merge(
        self, rowid: int, item: Conversation, import_id: int, source: int, replacing: bool
    ) -> tuple[bool, list[str]]:
        """Add what this copy has more than the stored one; returns if anything changed, and the scores that differ."""
        told = self._told(rowid, -1)
        merger = Merger()
        self._fill_conversation(rowid, item, replacing, merger)
        self._fill_parts(rowid, item, merger)
        self._score(rowid, item.scores, replacing, merger)
        if item.facts is not None and (before := self._catalogue.complete_case(item.facts)) is not None:
            merger.before["case"] = before
        if merger.before:
            self._db.execute(
                "INSERT INTO updates (import_id, source_id, conversation_id, before) VALUES (?, ?, ?, ?)",
                (import_id, source, rowid, dumped(merger.before)),
            )
            self.count(told)
            self.count(self._told(rowid))
        return bool(merger.before), merger.contradictions

    def take_back(self, import_id: int, source: int | None = None) -> int:
        """Undo the updates of an import (or of one of its sources); returns how many conversations were restored."""
        rows = self._db.execute(
            "SELECT id, conversation_id, before FROM updates WHERE import_id = ? AND (? IS NULL OR source_id = ?)"
            " ORDER BY id DESC",
            (import_id, source, source),
        ).fetchall()
        for number, rowid, before in rows:
            self.count(self._told(rowid, -1))
            stood = json.loads(before)
            self._hand_down(number, rowid, stood)
            self._restore(rowid, stood)
            self.count(self._told(rowid))
            self._db.execute("DELETE FROM updates WHERE id = ?", (number,))
        return len({rowid for _, rowid, _ in rows})

    def forget(self, rowid: int) -> None:
        """Delete the records of what was added to a conversation, before that is deleted itself."""
        self.count(self._told(rowid, -1))
        self._db.execute("DELETE FROM updates WHERE conversation_id = ?", (rowid,))

    def count(self, told: Mapping[tuple[int, str], int]) -> None:
        """Add to the counts of what each source brought."""
        for key, n in told.items():
            self._brought[key] += n

    def flush(self) -> None:
        """Write the counts to the store."""
        self._db.executemany(
            "INSERT INTO brought (source_id, key, n) VALUES (?, ?, ?)"
            " ON CONFLICT (source_id, key) DO UPDATE SET n = n + excluded.n",
            [(*key, n) for key, n in self._brought.items() if n],
        )
        self._brought.clear()

    def _told(self, rowid: int, sign: int = 1) -> dict[tuple[int, str], int]:
        row = self._db.execute(_TOLD, (rowid,)).fetchone()
        return {} if row is None else {(row[0], key): sign * n for key, n in zip(TOLD, row[1:], strict=True) if n}

    # -- what has no value yet ---------------------------------------------------------------------------------------

    def _fill_conversation(self, rowid: int, item: Conversation, replacing: bool, merger: Merger) -> None:
        columns = (*_CONVERSATION, "meta", "extra")
        held = self._row("conversations", rowid, columns)
        given = [item.id, item.started, item.ended, item.ended_by, item.clock, item.error, *usage_of(item)]
        new = {name: value for name, value in zip(_CONVERSATION, given, strict=True) if held[name] is None}
        for name, told in (("meta", item.meta), ("extra", item.extra)):
            before = json.loads(held[name] or "{}")
            merged = {**before, **(told or {})} if replacing else {**(told or {}), **before}
            if merged != before:
                new[name] = dumped(merged)
        self._put("conversations", rowid, held, new, merger)

    def _fill_parts(self, rowid: int, item: Conversation, merger: Merger) -> None:
        """Times, names, tokens and citations of messages and calls; as many of each, since the two are equal."""
        calls = [call for message in item.messages for call in message.calls]
        tables: tuple[tuple[str, tuple[str, ...], Sequence[Message | ToolCall], str], ...] = (
            ("messages", _MESSAGE, item.messages, "number"),
            ("calls", _CALL, calls, "message, number"),
        )
        for table, columns, parts, order in tables:
            rows = self._db.execute(
                f"SELECT id, {', '.join(columns)} FROM {table} WHERE conversation_id = ? ORDER BY {order}", (rowid,)
            ).fetchall()
            if len(rows) != len(parts):
                told = f"malformed: {len(rows)} {table} of a conversation that has {len(parts)}"
                raise sqlite3.DatabaseError(told)
            for (id, *held), part in zip(rows, parts, strict=True):
                stood = dict(zip(columns, held, strict=True))
                new = {name: _given(part, name) for name in columns if stood[name] is None}
                if part.extra and stood["extra"] is not None:
                    before = json.loads(stood["extra"])
                    new |= {"extra": dumped({**part.extra, **before})} if part.extra.keys() - before.keys() else {}
                self._put(table, id, stood, new, merger)

    def _row(self, table: str, rowid: int, columns: Sequence[str]) -> Values:
        row = self._db.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE id = ?", (rowid,)).fetchone()
        return dict(zip(columns, row, strict=True))

    def _put(self, table: str, rowid: int, held: Mapping[str, Any], new: Mapping[str, Any], merger: Merger) -> None:
        said = {name: value for name, value in new.items() if value is not None}
        if said:
            self._set(table, rowid, said)
            merger.before.setdefault(table, []).append([rowid, {name: held[name] for name in said}])

    def _set(self, table: str, rowid: int, values: Mapping[str, Any]) -> None:
        assignments = ", ".join(f"{name} = ?" for name in values)
        self._db.execute(f"UPDATE {table} SET {assignments} WHERE id = ?", (*values.values(), rowid))

    # -- scores ------------------------------------------------------------------------------------------------------

    def _score(self, rowid: int, scores: Sequence[Score], replacing: bool, merger: Merger) -> None:
        """Scores of a scorer, judge and prompt that gave none yet; of one that said otherwise when they replace its."""
        named: dict[tuple[str, str | None, str | None], list[Score]] = {}
        for score in scores:
            named.setdefault((score.scorer, score.judge, score.prompt), []).append(score)
        for key, given in named.items():
            held = self._db.execute(
                f"SELECT {', '.join(_SCORE)} FROM scores WHERE conversation_id = ? AND scorer = ? AND judge IS ?"
                " AND prompt IS ? ORDER BY id",
                (rowid, *key),
            ).fetchall()
            if Counter(row[4:7] for row in held) == Counter((s.value, s.raw, s.note) for s in given):
                continue
            if not held or replacing:
                self._replace(rowid, held, given, merger)
            elif Counter(row[4:6] for row in held) != Counter((s.value, s.raw) for s in given):
                merger.contradictions.append(_contradiction(held, given))
            elif len(held) == 1 and held[0][6] is None:
                merger.before.setdefault("scores", []).append([held[0][0], {"note": None}])
                self._set("scores", held[0][0], {"note": given[0].note})

    def _replace(self, rowid: int, held: Sequence[Sequence[Any]], given: Sequence[Score], merger: Merger) -> None:
        for row in held:
            self._db.execute("DELETE FROM scores WHERE id = ?", (row[0],))
            merger.before.setdefault("removed", []).append(list(row))
        for s in given:
            made = self._db.execute(
                f"INSERT INTO scores ({', '.join(_SCORE[1:])}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (rowid, s.scorer, s.judge, s.value, s.raw, s.note, s.prompt),
            )
            merger.before.setdefault("added", []).append(inserted(made))
        self._totals["scores"] += len(given) - len(held)

    # -- taking back -------------------------------------------------------------------------------------------------

    def _hand_down(self, number: int, rowid: int, before: Values) -> None:
        """Leave a value that later imports changed again as it is, and give them the one before to put back."""
        later = self._db.execute(
            "SELECT id, before FROM updates WHERE conversation_id = ? AND id > ? ORDER BY id", (rowid, number)
        ).fetchall()
        for id, text in later:
            theirs = json.loads(text)
            _hand_cells(before, theirs)
            _hand_scores(before, theirs)
            self._db.execute("UPDATE updates SET before = ? WHERE id = ?", (dumped(theirs), id))

    def _restore(self, rowid: int, before: Values) -> None:
        for table in _TABLES:
            for id, values in before.get(table, ()):
                if values:
                    self._set(table, id, values)
        for id in before.get("added", ()):
            gone = self._db.execute("DELETE FROM scores WHERE id = ? AND conversation_id = ?", (id, rowid)).rowcount
            self._totals["scores"] -= gone
        for row in before.get("removed", ()):
            self._put_back(rowid, row)
            self._totals["scores"] += 1
        if "case" in before:
            self._catalogue.put_case(before["case"])

    def _put_back(self, rowid: int, row: list[Any]) -> None:
        """Put back a score that was replaced; under another number where its own was given away meanwhile."""
        taken = self._db.execute("SELECT 1 FROM scores WHERE id = ?", (row[0],)).fetchone()
        values = ", ".join("?" * len(_SCORE))
        made = self._db.execute(
            f"INSERT INTO scores ({', '.join(_SCORE)}) VALUES ({values})",
            [None if taken else row[0], *row[1:], *[None] * (len(_SCORE) - len(row))],  # kept before there were prompts
        )
        if not taken:
            return
        earlier = self._db.execute("SELECT id, before FROM updates WHERE conversation_id = ?", (rowid,)).fetchall()
        for id, text in earlier:
            theirs = json.loads(text)
            if row[0] in theirs.get("added", ()):
                theirs["added"] = [inserted(made) if each == row[0] else each for each in theirs["added"]]
                self._db.execute("UPDATE updates SET before = ? WHERE id = ?", (dumped(theirs), id))


def _hand_cells(before: Values, theirs: Values) -> None:
    """Give a later update the values that stood where both wrote."""
    for table in _TABLES:
        cells = dict(theirs.get(table, ()))
        for id, values in before.get(table, ()):
            for column in values.keys() & cells.get(id, {}).keys():
                cells[id][column] = values.pop(column)


def _hand_scores(before: Values, theirs: Values) -> None:
    """Give a later update that replaced scores those that these had replaced, or the notes they had."""
    gone = {row[0]: row for row in theirs.get("removed", ())}
    for id, values in before.get("scores", ()):
        if id in gone and values:
            gone[id][_SCORE.index("note")] = values["note"]
    ours = [id for id in before.get("added", ()) if id in gone]
    if ours:
        named = [_whose(gone[id]) for id in ours]
        mine = [row for row in before.get("removed", ()) if _whose(row) in named]
        before["added"] = [id for id in before["added"] if id not in gone]
        before["removed"] = [row for row in before.get("removed", ()) if row not in mine]
        theirs["removed"] = [row for id, row in gone.items() if id not in ours] + mine


def _given(part: Any, column: str) -> Any:
    value = getattr(part, "id" if column == "call_id" else column)
    return dumped(value) if column == "extra" else value


def _contradiction(held: Sequence[Sequence[Any]], given: Sequence[Score]) -> str:
    judge = f" by {given[0].judge}" if given[0].judge else ""
    stood, says = (
        ", ".join(map(_mark, marks)) for marks in ([row[4:6] for row in held], [(s.value, s.raw) for s in given])
    )
    return f"{given[0].scorer}{judge} is {stood} in the store, {says} here"


def _mark(mark: Sequence[Any]) -> str:
    value, raw = mark
    return str(raw) if raw is not None else "nothing" if value is None else f"{value:g}"


def _whose(row: Sequence[Any]) -> tuple[Any, ...]:
    """Scorer, judge and prompt of a score that is kept; one from before there were prompts has none."""
    return (row[2], row[3], row[7] if len(row) > 7 else None)
