"""Finding words: the condition that words put on conversations, and the places where they stand.

Owns the SQL of full-text search, with the word index where it helps and by scanning where it does not. An index only
proposes; what is found is decided by `reviewer.transcripts.query.matches` on the stored text. Reads, never writes.
"""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from reviewer.transcripts.model import ROLES
from reviewer.transcripts.query import Scope, Selection, TextTerm
from reviewer.transcripts.query.matches import Span, exact, folded, required, spans
from reviewer.transcripts.query.selection import PLACES
from reviewer.transcripts.refs import NoteName, judge_ref
from reviewer.transcripts.store import word_index
from reviewer.transcripts.store.connection import speaking_plainly

Where = Literal["text", "reasoning", "arguments", "result", "note", "judge"]
Writer = Literal["role", "tool", "judge"]
"""Who wrote a text: somebody of the conversation, the tool that was called, or who judged it."""
Condition = tuple[str, list[Any]]

_BEFORE, _AFTER = 50, 90
_FEW = 5_000
_INSTRUCTIONS = 200_000  # between two chances to be stopped: some milliseconds


@dataclass(frozen=True, slots=True)
class TextHit:
    """A text that matches a search."""

    ref: str
    """With place and span: `kimi/case/1#4:10-44`."""
    conversation: int
    message: int | None
    """None for a note about the whole conversation, and for what a judge noted."""
    where: Where
    snippet: str
    """The true text around the first place."""
    start: int
    """Where in the snippet the found words begin."""
    end: int
    count: int
    """How many places there are in this text."""


class TextSearch:
    """Word search over one connection to a store."""

    def __init__(self, db: sqlite3.Connection, store: Path, folder: Path | None = None) -> None:
        self._db = db
        self._store = store
        self._folder = folder
        self._known: word_index.IndexedRows | None = None
        self._versions: tuple[int, ...] = ()
        db.create_function("holds", 3, _holds, deterministic=True)
        self.each_moment(lambda: None)

    def each_moment(self, call: Callable[[], bool | None]) -> None:
        """Call a function during long statements, so that Ctrl-C is noticed too; what it answers true to is stopped."""
        self._db.set_progress_handler(lambda: call(), _INSTRUCTIONS)

    def where(self, selection: Selection) -> Condition:
        """The selection, words included, as a WHERE clause over `conversations`; empty for all conversations."""
        with speaking_plainly(self._store):
            condition, parameters = self._condition(selection)
        return (f" WHERE {condition}" if condition else ""), parameters

    def lags(self, selection: Selection) -> bool:
        """True if this selection would be faster after updating the word index."""
        if not any(required(term) for term in _all_words(selection)):
            return False
        with speaking_plainly(self._store):
            known = self._index()
            return (known.missing if known else word_index.rows_in(self._db)) >= word_index.WORTHWHILE

    def hits(self, selection: Selection) -> Generator[TextHit, None, None]:
        """Every text that holds a wanted word, in the order of the store, as they are found."""
        wanted = list(dict.fromkeys(selection.words()))
        if not wanted:
            return
        alone = len(_all_words(selection)) == 1 and not selection.choices
        with speaking_plainly(self._store):
            condition, parameters = self._condition(selection._replace(texts=()) if alone else selection)
            within = f" AND conversation_id IN (SELECT id FROM conversations WHERE {condition})" if condition else ""
            known = self._index()
            terms = [term for term, _ in wanted]
            sides = [
                self._side(side, terms, within, parameters, known)
                for side in _SIDES
                if any(side.reached(scope) for _, scope in wanted)
            ]
            rows = heapq.merge(*sides, key=_place)
            try:
                for row in rows:
                    yield from _hits_in(row, wanted)
            finally:
                # Whoever stops early closes us; no statement may outlive that.
                rows.close()
                for side in sides:
                    side.close()

    def _index(self) -> word_index.IndexedRows | None:
        """The state of the word index, read again only after it or the store has changed."""
        versions = tuple(
            self._db.execute(f"PRAGMA {schema}.data_version").fetchone()[0]
            for schema in (("main", "words") if self._known else ("main",))
        )
        if not self._known or versions != self._versions:
            self._known = word_index.attach(self._db, self._store, self._folder)
            self._versions = versions if len(versions) == 2 else (-1, -1)
        return self._known

    def _condition(self, selection: Selection) -> Condition:
        conditions = [selection.where] if selection.where else []
        parameters: list[Any] = list(selection.parameters)
        terms = selection.texts
        known = self._index() if terms else None
        rare = self._rarest(terms) if known and len(terms) > 1 else None
        for term in terms:
            # Once a rare word has left few conversations, it is cheaper to look into those than to find all of a term.
            sql, values = (
                self._holding(term, selection.scope, known) if rare in (None, term) else _there(term, selection.scope)
            )
            conditions.append(f"NOT ({sql})" if term.negated else sql)
            parameters += values
        for choice in selection.choices:
            sides = [self._condition(each) for each in choice.selections]
            # IS NOT TRUE, because what cannot be said of a conversation does not hold of it.
            sql = f"({' OR '.join(f'({sql})' if sql else '1' for sql, _ in sides)})"
            conditions.append(f"{sql} IS NOT TRUE" if choice.negated else sql)
            parameters += [value for _, values in sides for value in values]
        return " AND ".join(conditions), parameters

    def _rarest(self, terms: Sequence[TextTerm]) -> TextTerm | None:
        """The term that the index says is rarest, if it is rare enough to be tested first."""
        counted = [(self._rows_of(required(term)), term) for term in terms if not term.negated and required(term)]
        fewest, term = min(counted, key=lambda pair: pair[0], default=(_FEW, None))
        return term if fewest < _FEW else None

    def _rows_of(self, match: str) -> int:
        sides = [side.table for side in _SIDES if side.in_index]
        rows = [f"SELECT 1 FROM words.in_{table} WHERE in_{table} MATCH ?" for table in sides]
        sql = f"SELECT count(*) FROM (SELECT 1 FROM ({' UNION ALL '.join(rows)}) LIMIT {_FEW})"
        return int(self._db.execute(sql, [match] * len(rows)).fetchone()[0])

    def _holding(self, term: TextTerm, scope: Scope, known: word_index.IndexedRows | None) -> Condition:
        """The condition that a conversation is among those containing the term, which are looked up first."""
        selects: list[str] = []
        parameters: list[Any] = []
        match = required(term)
        for side in _SIDES:
            if not side.reached(scope):
                continue
            test, values = side.test([term], scope)
            if known and match and side.in_index:
                decided = exact(term) and scope == Scope()
                selects.append(f"SELECT conversation_id FROM {side.indexed}{'' if decided else f' AND {test}'}")
                selects.append(f"SELECT conversation_id FROM {side.table} WHERE {side.table}.id > ? AND {test}")
                parameters += [match, *(() if decided else values), getattr(known, side.table), *values]
            else:
                selects.append(f"SELECT conversation_id FROM {side.table} WHERE {test}")
                parameters += values
        return (f"conversations.id IN ({' UNION ALL '.join(selects)})" if selects else "0"), parameters

    def _side(
        self,
        side: _Side,
        terms: list[TextTerm],
        within: str,
        parameters: list[Any],
        known: word_index.IndexedRows | None,
    ) -> Generator[tuple[Any, ...], None, None]:
        """The rows of one table that may hold one of the terms."""
        matches = [required(term) for term in terms]
        last = 0
        joined = " JOIN conversations ON conversations.id = conversation_id"
        if known and side.in_index and all(matches):
            match = " OR ".join(f"({each})" for each in matches)
            sql = f"SELECT {side.columns} FROM {side.indexed.replace(' WHERE', joined + ' WHERE')}{within}"
            yield from self._db.execute(sql, [match, *parameters])
            if not known.missing:
                return
            last = getattr(known, side.table)
        test, values = side.test(terms, _WHEREVER)
        sql = f"SELECT {side.columns} FROM {side.table}{joined} WHERE {side.table}.id > ?{within} AND {test}"
        yield from self._db.execute(sql, [last, *parameters, *values])


def _place(row: Sequence[Any]) -> tuple[int, ...]:
    """Where a row's text stands in the order of the store."""
    place = tuple(row[:3])
    if not all(isinstance(number, int) for number in place):
        raise sqlite3.DatabaseError("malformed: something else in a column that holds numbers")
    return place


@dataclass(frozen=True, slots=True)
class _Side:
    """A table with text: what was said and thought, what tools were asked and said, what judges noted."""

    table: str
    parts: tuple[tuple[Where, Writer], ...]
    """What its texts are, and who wrote them."""
    columns: str
    in_index: bool = True
    """Notes can be changed in place, which an index of rows would not see: these are few, and scanned."""

    @property
    def indexed(self) -> str:
        return (
            f"words.in_{self.table} CROSS JOIN {self.table} ON {self.table}.id = in_{self.table}.rowid"
            f" WHERE in_{self.table} MATCH ?"
        )

    def reached(self, scope: Scope) -> bool:
        """True if the scope includes any of the table's columns."""
        return any(_within(scope, part, writer) for part, writer in self.parts)

    def test(self, terms: Sequence[TextTerm], scope: Scope) -> Condition:
        """The condition that a row contains one of the terms, in the columns that are within the scope."""
        tests: list[str] = []
        parameters: list[Any] = []
        for part, writer in self.parts:
            if not _within(scope, part, writer):
                continue
            column = "note" if part == "judge" else part
            held = " OR ".join(_HELD[term.kind == "phrase"].format(column) for term in terms)
            roles = [role for role in ROLES if role in scope.writers]
            if writer == "role" and len(roles) < len(ROLES):
                held = f"({self.table}.role IN ({','.join('?' * len(roles))}) AND ({held}))"
                parameters += roles
            tests.append(held)
            parameters += [value for term in terms for value in _needle(term)]
        return f"({' OR '.join(tests)})", parameters


_SIDES = (
    _Side(
        "messages",
        (("text", "role"), ("reasoning", "role")),
        "conversation_id, messages.number, 0, messages.role, ref, text, reasoning",
    ),
    _Side(
        "calls",
        (("arguments", "role"), ("result", "tool")),
        "conversation_id, message, calls.number, calls.role, ref, arguments, result",
    ),
    _Side(
        "scores",
        (("judge", "judge"),),
        # Several notes of one judge on one score are read as one: where this one begins in it.
        "conversation_id, 0, scores.id, judge, ref, note, scorer, (SELECT ifnull(sum(length(earlier.note) + 1), 0)"
        " FROM scores AS earlier WHERE earlier.conversation_id = scores.conversation_id AND earlier.note <> ''"
        " AND earlier.scorer = scores.scorer AND earlier.judge IS scores.judge AND earlier.id < scores.id)",
        in_index=False,
    ),
)
_WHEREVER = Scope(parts=PLACES)
_HELD = ("holds(?, ?, {})", "instr({}, ?) > 0")


def _there(term: TextTerm, scope: Scope) -> Condition:
    """The condition that a conversation contains the term, tested one conversation at a time."""
    tests: list[str] = []
    parameters: list[Any] = []
    for side in _SIDES:
        if side.reached(scope):
            test, values = side.test([term], scope)
            tests.append(f"EXISTS (SELECT 1 FROM {side.table} WHERE conversation_id = conversations.id AND {test})")
            parameters += values
    return (f"({' OR '.join(tests)})" if tests else "0"), parameters


def _needle(term: TextTerm) -> tuple[str, ...]:
    return (term.text,) if term.kind == "phrase" else (term.kind, folded(term.text))


def _holds(kind: Literal["word", "prefix"], text: str, hay: str | None) -> bool:
    return bool(hay) and text in folded(hay or "") and bool(spans(_term(kind, text), hay or ""))


@lru_cache
def _term(kind: Literal["word", "prefix"], text: str) -> TextTerm:
    return TextTerm(text, kind)


def _within(scope: Scope, part: str, writer: Writer) -> bool:
    """True if the scope includes a part; what judges wrote has no role."""
    roles = ROLES if writer == "role" else ("tool",)
    return part in scope.parts and (writer == "judge" or any(role in scope.writers for role in roles))


def _all_words(selection: Selection) -> list[TextTerm]:
    return [term for negated in (False, True) for term, _ in selection.words(negated)]


def _hits_in(row: tuple[Any, ...], wanted: list[tuple[TextTerm, Scope]]) -> Iterator[TextHit]:
    if not row[1]:
        yield from _noted(row, [term for term, scope in wanted if "judge" in scope.parts])
        return
    conversation, message, call, role, ref, first, second = row
    parts: tuple[tuple[Where, str | None, str], ...] = (
        (("arguments", first, role), ("result", second, "tool"))
        if call
        else (("text", first, role), ("reasoning", second, role))
    )
    for where, text, writer in parts:
        terms = [term for term, scope in wanted if writer in scope.writers and where in scope.parts]
        if not text or not terms:
            continue
        places = _spans(terms, text)
        if places:
            part = "" if where == "text" else f".{where}"
            number = f"{message}.{call}" if call else message
            place = f"#{number}{part}:{places[0][0]}-{places[0][1]}"
            yield TextHit(ref + place, conversation, message, where, *excerpt(text, places[0]), len(places))


def _noted(row: tuple[Any, ...], terms: list[TextTerm]) -> Iterator[TextHit]:
    """The hit in what a judge noted."""
    conversation, _, _, judge, ref, note, scorer, begins = row
    places = _spans(terms, note or "") if terms else []
    if places:
        start, end = places[0]
        place = judge_ref(ref, NoteName(scorer, judge or ""), (begins + start, begins + end))
        yield TextHit(str(place), conversation, None, "judge", *excerpt(note, places[0]), len(places))


def _spans(terms: list[TextTerm], text: str) -> list[Span]:
    """Where any of the terms stands."""
    return spans(terms[0], text) if len(terms) == 1 else sorted({span for term in terms for span in spans(term, text)})


def excerpt(text: str, span: tuple[int, int]) -> tuple[str, int, int]:
    """The stored text around a span, and where in it the span begins and ends."""
    start, end = span
    low = max(0, start - _BEFORE)
    return text[low : end + _AFTER], start - low, end - low
