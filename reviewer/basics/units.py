"""What the keys of a selection go by: the sentences of a text, or the fields of a JSON one, as spans of its characters.

Owns that of a long text only the neighbourhood is looked at, so that a key takes as long in a megabyte as in a short
answer. There, a sentence of thousands of characters counts as several. Pure.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Protocol

from reviewer.basics.jsonspans import LONGEST_PYTHON, leaves, leaves_behind
from reviewer.basics.sentences import Span, sentences

REACH = 8_192
"""Characters that are looked at together, at most."""
_SIGNS = ("\n", ". ", "。", " ")
"""Behind which of them a long text is cut, the most wanted first."""


class Units(Protocol):
    """The units of a text, found when they are asked for."""

    def at(self, offset: int) -> Span | None:
        """The unit of a character, or else the next, or else the last; None when there is none."""

    def after(self, start: int) -> Span | None:
        """The first unit that begins behind this."""

    def before(self, start: int) -> Span | None:
        """The last unit that begins before this."""


def units_of(text: str, in_fields: bool) -> Units:
    """The fields of a text, if those are wanted and it has any, else its sentences."""
    fields = leaves(text) if in_fields else None
    first = next(fields, None) if fields is not None else None
    if fields is None or first is None:
        return _Sentences(text)
    if len(text) <= LONGEST_PYTHON:  # it may be Python's, which cannot be entered in the middle
        return _UnitList([(leaf.start, leaf.end) for leaf in (first, *fields)])
    return _Fields(text)


@dataclass(frozen=True)
class _UnitList:
    """All units of a text, known."""

    units: list[Span]

    def at(self, offset: int) -> Span | None:
        return next((each for each in self.units if each[1] > offset), self.units[-1] if self.units else None)

    def after(self, start: int) -> Span | None:
        return next((each for each in self.units if each[0] > start), None)

    def before(self, start: int) -> Span | None:
        return next((each for each in reversed(self.units) if each[0] < start), None)


@dataclass(frozen=True)
class _Sentences:
    """The sentences of a text, stretch by stretch."""

    text: str

    def at(self, offset: int) -> Span | None:
        return next((each for each in self._from(offset) if each[1] > offset), None) or self.before(len(self.text))

    def after(self, start: int) -> Span | None:
        return next((each for each in self._from(start) if each[0] > start), None)

    def before(self, start: int) -> Span | None:
        for index in range(self._stretch(start), -1, -1):
            for each in reversed(self._within(index)):
                if each[0] < start:
                    return each
        return None

    def _from(self, offset: int) -> Iterator[Span]:
        for index in range(self._stretch(offset), len(self._cuts)):
            yield from self._within(index)

    def _stretch(self, offset: int) -> int:
        return max(0, bisect_right(self._cuts, offset) - 1)

    def _within(self, index: int) -> list[Span]:
        start, end = self._cuts[index], (*self._cuts, len(self.text))[index + 1]
        return [(start + first, start + last) for first, last in sentences(self.text[start:end])]

    @cached_property
    def _cuts(self) -> list[int]:
        """Where the stretches begin: the same ones wherever one comes from."""
        cuts, text = [0], self.text
        while len(text) - cuts[-1] > 2 * REACH:
            middle, end = cuts[-1] + REACH // 2, cuts[-1] + REACH
            behind = ((text.rfind(sign, middle, end), sign) for sign in _SIGNS)
            cuts.append(next((at + len(sign) for at, sign in behind if at >= 0), end))
        return cuts


@dataclass(frozen=True)
class _Fields:
    """The fields of a long JSON text; how far back one has to look for them is tried."""

    text: str

    def at(self, offset: int) -> Span | None:
        for begin in self._beginnings(offset) if offset < len(self.text) else ():
            ended = not begin
            for each in self._behind(begin):
                if each[1] > offset and (ended or each[0] <= offset):
                    return each
                if each[1] > offset:
                    break  # a longer one, that begins further up, may reach to here
                ended = True
        return self.before(len(self.text))

    def after(self, start: int) -> Span | None:
        # A field begins with its key, and one may stand on that.
        return next((each for each in self._behind(max(0, start - REACH // 4)) if each[0] > start), None)

    def before(self, start: int) -> Span | None:
        for begin in self._beginnings(start):
            near = list(takewhile(lambda each: each[0] < start, self._behind(begin)))
            if near:
                return near[-1]
        return None

    def _behind(self, offset: int) -> Iterator[Span]:
        return ((leaf.start, leaf.end) for leaf in leaves_behind(self.text, offset))

    def _beginnings(self, offset: int) -> Iterator[int]:
        """Further and further up from an offset."""
        reach = REACH // 2
        while reach < offset:
            yield offset - reach
            reach *= 4
        yield 0
