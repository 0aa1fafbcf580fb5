"""Where a value is known from: results of tools, what the agent was told, what the customer said; each from when on.

Owns the index from values to the places that hold them, in one pass over them all, and which place counts where several
do: a result before a cited passage, that before what was told, that before the customer's words; of results the latest,
about the order in question where that is known. Pure.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from reviewer.findings.reads.dates import Length, days, lengths
from reviewer.findings.reads.steps import AgentCall
from reviewer.findings.reads.typed_values import HOUSE_AS_TYPED, ResultField, amount, facts, normal, number
from reviewer.findings.reads.typed_words import Key, TypedWords, keys_of, length_said, pieces
from reviewer.transcripts.refs import Ref

Origin = Literal["tool", "citation", "told", "customer", "nowhere"]

_TEXTS = 16
_SHORT_TEXTS = 4_096
LONGEST_NAME = 40
"""Characters of a short field, or of a name that is looked at."""
_MOST_LENGTHS = 100
"""Lengths of time that are compared with a shorter one; of more, only equal ones count."""
_TOKEN = re.compile(r"(?<![\w-])[A-Za-z_]{0,20}\d[\w-]{0,40}")
_FIGURES = re.compile(r"-?\d{1,9}(?:\.\d{1,2})?")
_OF_MONEY = re.compile(r"price|amount|total|cost|fee|balance|refund|paid|charge|value|sum|credit|fare", re.IGNORECASE)
_DATED_STATUS = re.compile(r"(shipped|delivered|cancell?ed|returned|refunded|processed)(?:_(?:at|on|date|time))?")
"""Fields that say by their name what became of something."""
_ON_THE_WAY = ("in transit", "out for delivery", "delivered")
"""What is that was shipped."""
_NOT_SO = ("", "False", "0", "null", "none")
_LONGEST_STATUS = 40
"""Characters of a field that says how things stand; in a longer one the word is part of a rule."""


class Holder(NamedTuple):
    """A place that holds a value."""

    origin: Origin
    since: int
    """The first message that could know it."""
    ref: Ref | None
    """The place in the conversation; None where it stands beside it, as the desk's policy does."""
    name: str
    """The tool that returned it, what was cited, or who said it: `system`, `customer`, `policy`, `context`, `clock`."""


class HeldValue(NamedTuple):
    """A value that a text holds, and where; the start is -1 for the text as a whole."""

    key: Key
    start: int
    end: int
    length: Length | None = None


def held_in_prose(text: str) -> Iterator[HeldValue]:
    """All values of a text that somebody wrote, loosely typed ones too, the strict ones first."""
    for begins, piece in pieces(text):
        for each in _held(piece):
            yield each._replace(start=begins + each.start, end=begins + each.end) if begins else each


def _held(text: str) -> Iterator[HeldValue]:
    for kind, value, start, end in facts(text):
        for key in keys_of(kind, value):
            yield HeldValue(key, start, end)
    for day in days(text):
        bare = f"{day.month:02}-{day.day:02}"
        for key in ("date", day.said if day.year else f"?-{bare}"), ("date", bare):
            yield HeldValue(key, day.start, day.end)
    for length in lengths(text):
        yield HeldValue(("duration", length_said(length)), length.start, length.end, length)
    for match in _TOKEN.finditer(text):
        for key in _numbers(match[0]):
            yield HeldValue(key, *match.span())
    for match in HOUSE_AS_TYPED.finditer(text):
        yield HeldValue(("address", normal("address", match[0])), *match.span())


def _numbers(token: str) -> Iterator[Key]:
    """What a code is looked up by: as it is written, and its figures alone: `gift_card_8887175`."""
    yield "number", number(token)
    name, _, figures = token.rpartition("_")
    if name and figures.isdecimal():
        yield "number", figures


@lru_cache(maxsize=_TEXTS)
def held_in_rules(text: str) -> tuple[HeldValue, ...]:
    """What a prompt or a policy holds; kept, because every conversation of a desk is told the same.

    How an order may stand is no fact there.
    """
    return tuple(each for each in held_in_prose(text) if each.key[0] != "status")


@lru_cache(maxsize=_SHORT_TEXTS)
def held_in_short(text: str) -> tuple[HeldValue, ...]:
    """What a short field or the name of one holds; kept, because results repeat themselves."""
    return tuple(held_in_prose(text))


def held_in_field(one: ResultField) -> Iterator[HeldValue]:
    """All values of a field of a result: what it is as a whole, and what its words hold."""
    text = one.value
    if (dated := _DATED_STATUS.fullmatch(one.name)) and text not in _NOT_SO:
        yield HeldValue(("status", normal("status", dated[1])), -1, -1)
    if len(text) <= LONGEST_NAME:
        if " " not in text and any(map(str.isdigit, text)):
            for key in _numbers(text):
                yield HeldValue(key, -1, -1)
        if _FIGURES.fullmatch(text):
            if "." in text or _OF_MONEY.search(one.pointer):
                yield HeldValue(("money", amount(text)), -1, -1)
            return
    for each in held_in_short(text) if len(text) <= LONGEST_NAME else held_in_prose(text):
        if each.key[0] != "status":
            yield each
        elif len(text) <= _LONGEST_STATUS:
            yield each
            if each.key[1] in _ON_THE_WAY:
                yield each._replace(key=("status", "shipped"))


@dataclass
class Holders:
    """All places of a conversation that hold values, to be asked by value and message."""

    _returned: dict[tuple[str, Key], list[Holder]] = field(default_factory=dict)
    """By order (`*` for any) and value, in the order in which they came."""
    _others: dict[Key, dict[Origin, Holder]] = field(default_factory=dict)
    """What was cited, told or said by the customer: where first."""
    _lengths: dict[Origin, dict[str, tuple[Length, Holder]]] = field(default_factory=dict)

    def returned(self, called: AgentCall, held: HeldValue, holder: Holder) -> None:
        """Take in a value that a result holds; what a write only repeats is known from before."""
        repeated = called.kind == "write" and held.key[0] != "status"
        for order in dict.fromkeys((called.order, "*")):
            places = self._returned.setdefault((order, held.key), [])
            if not places or not (repeated or _of_one_call(places[-1], holder)):
                places.append(holder)
        self._take_length(held, holder)

    def said(self, held: HeldValue, holder: Holder) -> None:
        """Take in a value that the agent cited or was told, or that the customer said."""
        self._others.setdefault(held.key, {}).setdefault(holder.origin, holder)
        self._take_length(held, holder)

    def _take_length(self, held: HeldValue, holder: Holder) -> None:
        if held.length is not None:
            known = self._lengths.setdefault(holder.origin, {})
            if len(known) < _MOST_LENGTHS:
                known.setdefault(held.key[1], (held.length, holder))

    def of(self, words: TypedWords, orders: Sequence[str], message: int) -> Holder | None:
        """The place that a value in a message is known from; None where nothing before it holds it."""
        about = tuple(dict.fromkeys((*orders, ""))) if orders else ()
        about = about if words.kind == "status" and about else (*about, "*")
        result = next((one for order in about for one in self._results(order, words, message)), None)
        return result or self._said_before(words, message) or self._wider(words, message)

    def _results(self, order: str, words: TypedWords, message: int) -> Iterator[Holder]:
        for key in words.keys:
            places = self._returned.get((order, key), ())
            at = bisect_right(places, message, key=_since)
            if at:
                yield places[at - 1]

    def _said_before(self, words: TypedWords, message: int) -> Holder | None:
        origins: tuple[Origin, ...] = ("citation", "told", "customer")
        places = (self._others.get(key, {}).get(origin) for origin in origins for key in words.keys)
        return next((each for each in places if each is not None and each.since <= message), None)

    def _wider(self, words: TypedWords, message: int) -> Holder | None:
        """The place of a time that holds this one: `2-3 days` of `1-5 business days`."""
        if words.length is None:
            return None
        origins: tuple[Origin, ...] = ("tool", "citation", "told", "customer")
        known = (each for origin in origins for each in self._lengths.get(origin, {}).values())
        holding = (one for length, one in known if one.since <= message and words.length.within(length))
        return next(holding, None)


def _of_one_call(one: Holder, other: Holder) -> bool:
    if one.ref is None or other.ref is None:
        return False
    return (one.ref.message, one.ref.call) == (other.ref.message, other.ref.call)


def _since(holder: Holder) -> int:
    return holder.since
