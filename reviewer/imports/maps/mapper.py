"""The rows of a table -> conversations, as a map says: who speaks, what was said, called, scored; the rest is kept.

Owns what each key of a map does. Rows of one conversation may stand anywhere in the file. A row that does not become a
message is a `BadRecord` with its place, and the others of its conversation go through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reviewer.imports.formats import SURPRISES, kept, told
from reviewer.imports.maps import cell_values, markup
from reviewer.imports.maps.call_columns import CallColumns
from reviewer.imports.maps.mapfile import SPEAKERS, HeadMessage, Map, Pointers, ScoreWish
from reviewer.imports.maps.paths import Getter, Row
from reviewer.imports.maps.turns import RESULTS, turns_of
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import NO_TOKENS, SMALL, Answer, Tokens, filled, raw, rest_of, text_of
from reviewer.imports.source import BadRecord, Extract, Item, compact, unfolded
from reviewer.transcripts.model import Conversation, Json, Message, Role, Score, Usage

_SEEN = 1_000
"""Different speakers that are counted."""
_USED = ("tokens_in", "tokens_out", "tokens_reasoning", "tokens_cached")
PlacedRow = tuple[str, Row]


def _getters(pointers: Pointers) -> dict[str, Getter]:
    return {name: it.getter() for name, it in pointers.items()}


class Converter:
    """One map, ready for many rows; remembers who spoke and what was left out."""

    def __init__(self, by: Map) -> None:
        self._map = by
        self._conversation = _getters(by.conversation)
        self._message = _getters(by.message)
        self._speaker: Getter = self._message.get("speaker", lambda _: None)
        self._skip = [(name, it.getter(), words) for name, (it, words) in by.skip.items()]
        self._metadata = _getters(by.metadata)
        self._heads = [(head, _getters(head.columns)) for head in by.heads]
        self._scores = [(wish, _getters(wish.columns)) for wish in by.scores]
        self._calling = CallColumns(by)
        self._by_column = [(it.getter(), who) for it, who in by.by_column]
        self._order = self._message.get("order")
        self._is_exchanges = by.rows == "parts" and not by.lists
        self._asked_at = next((get["time"] for _, get in self._heads if "time" in get and self._is_exchanges), None)
        self._way = by.file.times
        self._counted = any(name in self._message for name in _USED)
        used = set().union(*(it.tops for _, it in by.of_rows()))
        if "messages" in by.conversation:  # else each of them would be kept twice
            used |= by.conversation["messages"].within
        if "transcript" in by.conversation and by.html:  # kept beside the text
            used -= by.conversation["transcript"].tops
        self._turns = turns_of(by) if "transcript" in by.conversation else None
        heads = set().union(*(it.tops for head in by.heads for it in head.columns.values()))
        within = set().union(*(it.tops for _, it in by.of_messages())) | self._calling.used
        self._used_in_messages = frozenset(within) | by.leave_out
        self._used = frozenset(used) | by.leave_out | (self._used_in_messages if by.rows == "messages" else set())
        self._of_conversations = self._used - self._used_in_messages - heads
        self.unnamed: Counter[str] = Counter()
        """Who spoke and is not named by the map."""
        self.left_out: Counter[str] = Counter()
        self.by_role: Counter[str] = Counter()

    def key(self, row: Row) -> str | None:
        """The key of the row's conversation; None if the row has none."""
        getter = self._conversation.get("id")
        return "" if getter is None else cell_values.words_of(getter(row))

    def convert(self, position: str, placed: Sequence[PlacedRow]) -> Iterator[Item]:
        """Turn the rows of one conversation into an `Extract`, with a `BadRecord` for each row that cannot be read."""
        placed = self._in_order(placed)
        rows = [row for _, row in placed]
        shared = self._shared(rows)
        bad: list[BadRecord] = []
        try:
            items = self._exchanges(placed, shared) if self._is_exchanges else self._items(placed, shared, bad)
            messages = chat.tied([*(() if self._is_exchanges else self._head(rows)), *items])
            made = self._made(rows, messages, shared)
        except SURPRISES as error:
            yield BadRecord(position, f"not as the map says ({told(error)})", kept(rows[0] if len(rows) == 1 else rows))
            return
        yield from bad
        if messages or not bad:
            self.by_role.update(message.role for message in messages)
            yield Extract(position, made)

    def _in_order(self, placed: Sequence[PlacedRow]) -> Sequence[PlacedRow]:
        getter = self._order if self._map.rows == "messages" else self._asked_at
        if getter is None or len(placed) < 2:
            return placed
        return sorted(placed, key=lambda each: cell_values.order_of(getter(each[1]), self._way))

    def _shared(self, rows: Sequence[Row]) -> dict[str, Any]:
        """The values that the map does not read, as far as they are equal in all rows of the conversation."""
        first = rows[0]
        names = [name for name in first if name not in self._used and first[name] not in (None, "", [], {})]
        return {name: first[name] for name in names if all(row.get(name) == first[name] for row in rows[1:])}

    def _varying(self, rows: Sequence[Row]) -> set[str]:
        """The columns of the conversation that are not alike in all of its rows: each message keeps its own."""
        if len(rows) < 2:
            return set()
        return {name for name in self._of_conversations if len({_compared(row.get(name)) for row in rows} - {""}) > 1}

    def _items(
        self, placed: Sequence[PlacedRow], shared: Mapping[str, Any], bad: list[BadRecord]
    ) -> Iterator[Message | Answer]:
        """The messages of the rows; those that are none go to `bad`."""
        listed: list[tuple[str, Any, Row]]
        but = self._used_in_messages
        if self._map.rows == "messages":
            listed = [(place, row, row) for place, row in placed]
            but = (self._used - self._varying([row for _, row in placed])) | frozenset(shared)
        else:
            listed = [
                (f"{place}, message {n}", each, row)
                for place, row in placed
                for n, each in enumerate(self._list(row), start=1)
            ]
            if self._order is not None:
                order, way = self._order, self._way
                listed.sort(
                    key=lambda it: cell_values.order_of(order(it[1]) if isinstance(it[1], Mapping) else None, way)
                )
        speakers = self._speakers_of(listed)
        parts = self._map.rows == "parts" and len(placed) > 1
        before: Row | None = None
        for place, each, row in listed:
            try:
                said = self._said(each, row, speakers, but)
                if parts and row is not before:
                    said = _beside(
                        said, {name: row[name] for name in row if name not in self._used and name not in shared}
                    )
                yield from said
            except SURPRISES as error:
                bad.append(BadRecord(place, f"not as the map says ({told(error)})", kept(each)))
            before = row

    def _list(self, row: Row) -> Sequence[Any]:
        """The messages that a row holds, out of its list or its transcript."""
        if self._turns is None:
            getter = self._conversation.get("messages")
            return cell_values.listed_in(getter(row) if getter else None, "conversation.messages")
        value = self._conversation["transcript"](row)
        if not isinstance(value, str) or not value.strip():
            return cell_values.listed_in(value, "conversation.transcript")
        before, turns = self._turns.of(_shown(value, self._map.html)[0])
        return [Message("other", before), *turns] if before else turns

    def _exchanges(self, placed: Sequence[PlacedRow], shared: Mapping[str, Any]) -> Iterator[Message]:
        """Yield the messages that each row holds, with its other columns."""
        but = (self._used - self._varying([row for _, row in placed])) | shared.keys()
        for _, row in placed:
            rest = {name: row[name] for name in row if name not in but}
            yield from (each for each in _beside(self._head([row]), rest) if isinstance(each, Message))

    def _speakers_of(self, listed: Sequence[tuple[str, Any, Row]]) -> Mapping[str, str]:
        """Return who is who in this conversation: as the map names them, and as its own columns do."""
        by = self._map
        if not (self._by_column or by.first) or not listed:
            return by.speakers
        named: dict[str, str] = dict(by.speakers)
        told = [(_first(getter, (row for _, _, row in listed)), who) for getter, who in self._by_column]
        first = next((each for _, each, _ in listed if isinstance(each, Mapping)), None)
        if by.first is not None and first is not None:
            told.append((self._speaker(first), by.first))
        for value, who in told:
            for each in value if isinstance(value, list) else [value]:
                if said := cell_values.word_of(each):
                    named.setdefault(said, who)
        return named

    def _said(
        self, each: Any, row: Row, speakers: Mapping[str, str], but: frozenset[str]
    ) -> Iterable[Message | Answer]:
        """One message, its calls and results."""
        if isinstance(each, Message):
            return (each,)
        if not self._message and not self._map.call:
            return chat.read_item(each)
        if not isinstance(each, Mapping):
            raise TypeError("it is not an object")
        for name, getter, words in self._skip:
            if cell_values.word_of(getter(each)) in words:
                self.left_out[name] += 1
                return ()
        source_role = self._speaker(each)
        who = self._who(source_role, speakers)
        text, marked = self._text(each)
        get = self._message
        since = get["time_since"](row) if "time_since" in get else None
        at = cell_values.time_in(get["time"](each), since, self._way) if "time" in get else None
        kept_beside = self._rest(each, but, marked)
        if who == "tool":
            return (self._calling.answer(each, text, at, kept_beside),)
        message = Message(
            _role(who),
            text,
            text_of(get["reasoning"](each)) if "reasoning" in get else "",
            self._calling.calls(each) if self._calling.any else (),
            cell_values.words_of(source_role) or "",
            cell_values.words_of(get["name"](each)) if "name" in get else None,
            at,
            *(_tokens(get, each) if self._counted else NO_TOKENS),
            cell_values.cost_in(get["cost"](each)) if "cost" in get else None,
            kept_beside,
        )
        return (message, *self._calling.answers(each)) if self._calling.any else (message,)

    @staticmethod
    def _rest(each: Row, but: frozenset[str], marked: str | None) -> Json | None:
        """Return the columns that no key of the map reads, and the HTML."""
        if marked is None and each.keys() <= but:
            return None
        return rest_of(each if marked is None else {**each, "html": marked}, but)

    def _who(self, said: Any, speakers: Mapping[str, str]) -> str:
        if isinstance(said, str) and (quickly := speakers.get(said)) is not None:
            return quickly
        word = cell_values.word_of(said)
        if not self._map.names_speakers:
            return "tool" if word in RESULTS else chat.ROLES.get(word, self._map.default)
        speaker = speakers.get(word)
        if speaker is None:
            speaker = self._map.default
            if word in self.unnamed or len(self.unnamed) < _SEEN:
                self.unnamed[word] += 1
        return speaker

    def _text(self, each: Row) -> tuple[str, str | None]:
        """The text, and the HTML that it was where it was some."""
        getter = self._message.get("text")
        value = getter(each) if getter else None
        text = value if isinstance(value, str) else text_of(value)
        return _shown(text, True) if self._map.html else (text, None)

    def _head(self, rows: Sequence[Row]) -> Iterator[Message]:
        """The messages that stand beside the list."""
        for head, get in self._heads:
            row = next((row for row in rows if get["text"](row) not in (None, "")), None)
            if row is not None:
                yield self._head_message(head, get, row)

    def _head_message(self, head: HeadMessage, get: Mapping[str, Getter], row: Row) -> Message:
        text, marked = _shown(text_of(get["text"](row)), head.html)
        said = get["speaker"](row) if "speaker" in get else None
        is_told = isinstance(said, str) and head.columns["speaker"].constant is not None and said in SPEAKERS
        who = str(said) if is_told else self._who(said, self._speakers_of([("", row, row)]))
        at = cell_values.time_in(get["time"](row), way=self._way) if "time" in get else None
        return Message(
            _role(who),
            text,
            text_of(get["reasoning"](row)) if "reasoning" in get else "",
            (),
            cell_values.words_of(said) or "",
            cell_values.words_of(get["name"](row)) if "name" in get else None,
            at,
            *_tokens(get, row),
            cell_values.cost_in(get["cost"](row)) if "cost" in get else None,
            filled(html=marked),
        )

    def _made(self, rows: Sequence[Row], messages: tuple[Message, ...], shared: Mapping[str, Any]) -> Conversation:
        def first(name: str) -> Any:
            getter = self._conversation.get(name)
            return None if getter is None else _first(getter, rows)

        read, written, thought, cached = (cell_values.count_in(first(name)) for name in _USED)
        usage = Usage(read, written, thought, cached, cell_values.cost_in(first("cost")))
        meta = {name: self._meta(getter, rows) for name, getter in self._metadata.items()}
        return Conversation(
            text_of(first("model")),
            messages,
            case=cell_values.words_of(first("case")),
            run=cell_values.count_in(first("run")),
            id=cell_values.words_of(first("id")),
            started=cell_values.time_in(first("started"), way=self._way),
            ended=cell_values.time_in(first("ended"), way=self._way),
            ended_by=cell_values.words_of(first("ended_by")),
            error=cell_values.words_of(first("error")),
            scores=tuple(score for wish, get in self._scores for score in _scored(wish, get, rows)),
            meta=filled(**meta),
            extra=rest_of(shared, ()),
            usage=usage if usage != Usage() else None,
        )

    @staticmethod
    def _meta(getter: Getter, rows: Sequence[Row]) -> Any:
        value = next((value for value in map(getter, rows) if value not in (None, "", [], {})), None)
        return value if not isinstance(value, str | list | dict) or len(raw(value) or "") <= SMALL else None


def _compared(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else compact(value)


def _beside(said: Iterable[Message | Answer], rest: Mapping[str, Any]) -> Iterator[Message | Answer]:
    """Add what else the row says to the first of its messages."""
    told = rest_of(rest, ())
    for n, each in enumerate(said):
        yield replace(each, extra={**told, **(each.extra or {})}) if told and not n else each


def _tokens(get: Mapping[str, Getter], each: Row) -> Tokens:
    read, written, thought, cached = (cell_values.count_in(get[name](each)) if name in get else None for name in _USED)
    return read, written, thought, cached


def _first(getter: Getter, rows: Iterable[Row]) -> Any:
    """The first value that is not empty among the rows."""
    return next((value for value in map(getter, rows) if value is not None and value != ""), None)


def _role(who: str) -> Role:
    return chat.ROLES.get(who, "other")


def _shown(text: str, html: bool) -> tuple[str, str | None]:
    if html and markup.is_marked_up(text):
        return markup.plain(text), text
    return text, None


def _scored(wish: ScoreWish, get: Mapping[str, Getter], rows: Sequence[Row]) -> Iterator[Score]:
    """The scores that a wish finds: one, or one for each of an object's fields or a list's elements."""
    if "each" not in get:
        row = next((row for row in rows if get["value"](row) not in (None, "")), None)
        if row is not None:
            yield _score(wish, get, row, wish.name)
        return
    held = next((value for value in (unfolded(get["each"](row)) for row in rows) if value), None)
    named = held.items() if isinstance(held, Mapping) else ((None, each) for each in held or ())
    for name, each in named:
        inner = each if isinstance(each, Mapping) else {"value": each}
        said = cell_values.words_of(get["name"](inner)) if "name" in get else None
        if get["value"](inner) is not None:
            yield _score(wish, get, inner, said or (wish.name if name is None else str(name)))


def _score(wish: ScoreWish, get: Mapping[str, Getter], row: Row, name: str) -> Score:
    value, words = cell_values.score_in(get["value"](row), wish.numbers)
    judge, note = (cell_values.words_of(get[key](row)) if key in get else None for key in ("judge", "note"))
    return Score(name, value, judge, note, words)
