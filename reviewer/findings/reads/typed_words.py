"""Typed words of a message: which of its values are told as facts, and what each is looked up by.

Owns which are left alone: the `today` of a greeting, a status that is denied, conditional or yet to come, a month that
is only a rate, a count of days that is more or less than meant. Where two overlap one counts. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from reviewer.findings.reads.dates import Day, Length, days, lengths
from reviewer.findings.reads.typed_values import facts

Key = tuple[str, str]
"""A value as it is looked up: its class, and one spelling of it."""

_NUMBERS = ("order", "tracking number", "identifier")
_PIECE = 20_000
"""Characters that are searched in one go, which no other thread can interrupt."""
_NEAR = 60
"""Characters before a value that say how it is meant."""
_GREETS = re.compile(
    r"\b(?:help|assist|support|thank|contact|reach|bring|chat|do for|day|need)[^.?!\n]{0,40}$", re.IGNORECASE
)
_ROUGHLY = re.compile(r"\b(?:more|less|longer|over|under|about|around|than|within)\W{1,3}$", re.IGNORECASE)
_GERMAN = re.compile(r"\b(?:ich|sie|die|der|das|und|ist|nicht|ein|eine|von|für)\b", re.IGNORECASE)
_TAKES = re.compile(
    r"\b(?:in|within|for|after|takes?|to|about|around|than|over|under|least|half|every)\W{1,3}$", re.IGNORECASE
)
_ASSERTS = re.compile(
    r"(?:\b(?:is|are|was|were|been|got|has|have|had|it|order|already|now|still|currently|shows?|says?|as|status|state"
    r"|marked|listed|i|we|successfully|just|fully)|['’](?:s|ve|re|d))\W{1,6}$|(?:^|[\n:|*–—])\W{0,6}$",
    re.IGNORECASE,
)
"""What stands before a status that is told of something."""
_LEAVES_OPEN = re.compile(
    r"(?:\b(?:not|cannot|can|could|if|when|whenever|once|unless|until|till|after|before|would|will|may|might|must|should"
    r"|never|no|nothing|be|whether|either|whatever|whichever|as soon as)|n['’]t|['’]ll)\b[^.;?!\n]{0,50}$",
    re.IGNORECASE,
)


class TypedWords(NamedTuple):
    """Words that are a typed value, and what to look it up by."""

    kind: str
    value: str
    start: int
    end: int
    keys: tuple[Key, ...]
    length: Length | None = None


def typed_words(text: str, today: date | None = None) -> list[TypedWords]:
    """The typed values of a text, in order; where two overlap, the one that begins first, then the more telling one."""
    kept: list[TypedWords] = []
    for begins, piece in pieces(text):
        ranked = [(each.start, rank, each) for rank, each in enumerate(_all_typed(piece, today))]
        for _, _, each in sorted(ranked, key=lambda one: one[:2]):
            if not kept or begins + each.start >= kept[-1].end:
                kept.append(each._replace(start=begins + each.start, end=begins + each.end))
    return kept


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """A text in pieces with their starts, cut at the end of a line or word: a search through one takes no time."""
    at = 0
    while len(text) - at > _PIECE:
        half, full = at + _PIECE // 2, at + _PIECE
        cut = text.rfind("\n", half, full) + 1 or text.rfind(" ", half, full) + 1 or full
        yield at, text[at:cut]
        at = cut
    yield at, text[at:]


def _all_typed(text: str, today: date | None) -> Iterator[TypedWords]:
    """All typed values, the more telling kinds first."""
    for fact in facts(text, "url", "e-mail", "address"):
        yield TypedWords(*fact, keys_of(fact.kind, fact.value))
    for day in days(text, today=today):
        if not day.relative or _meant(text, day):
            yield TypedWords("date", day.said, day.start, day.end, _keys_of_day(day))
    for length in lengths(text):
        if not text[length.start].isalpha() or length.low > 1 or _TAKES.search(_before(text, length.start)):
            said = length_said(length)
            yield TypedWords("duration", said, length.start, length.end, (("duration", said),), length)
    for fact in facts(text, "money", "tracking number", "order", "identifier", "carrier", "status"):
        if fact.kind != "status" or _asserted(text, fact.start):
            yield TypedWords(*fact, keys_of(fact.kind, fact.value))


def _before(text: str, start: int) -> str:
    return text[max(0, start - _NEAR) : start]


def _meant(text: str, day: Day) -> bool:
    """True if a relative day is one: no greeting, no rough count, and not what is `here` in German."""
    before = _before(text, day.start)
    if text[day.start].isdecimal():
        return not _ROUGHLY.search(before)
    if text[day.start : day.end].lower() == "hier":
        return not _GERMAN.search(before + text[day.end : day.end + _NEAR])
    return not _GREETS.search(before)


def _asserted(text: str, start: int) -> bool:
    before = _before(text, start)
    return bool(_ASSERTS.search(before)) and not _LEAVES_OPEN.search(before)


def keys_of(kind: str, value: str) -> tuple[Key, ...]:
    """What a value is looked up by."""
    if kind in _NUMBERS:
        return (("number", value),)
    if kind == "address" and value[-5:].isdecimal():  # a state with its postcode
        return (kind, value), ("number", value[-5:])
    return ((kind, value),)


def _keys_of_day(day: Day) -> tuple[Key, ...]:
    """A day with a year is that day, or one without; a day without a year is that of any."""
    bare = f"{day.month:02}-{day.day:02}"
    return (("date", day.said), ("date", f"?-{bare}")) if day.year else (("date", bare),)


def length_said(length: Length) -> str:
    """A length of time as figures: `5-7 business day`."""
    return f"{length.low}-{length.high} {length.unit}" if length.low != length.high else f"{length.low} {length.unit}"
