"""Long things laid out by slices: only what is looked at is measured, the rest is estimated.

Owns `Block`, what everything laid out answers to, and its two kinds: `FixedBlock`, whose lines are known, and
`SlicedBlock`. Knows nothing of text, messages or calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from reviewer.app.layout.pieces import Line, Span
from reviewer.transcripts.refs import Part


class Block(Protocol):
    """Something that is laid out on demand, with a height that may be an estimate."""

    @property
    def height(self) -> int:
        """The number of lines; an estimate until all of it was asked for, then exact."""

    @property
    def exact(self) -> bool:
        """True if the height is exact."""

    def lines(self, first: int, last: int) -> list[Line]:
        """The lines from `first` up to, not including, `last`. Asking may correct the height."""

    def line_of(self, part: Part, call: int | None, offset: int) -> int | None:
        """The line that shows a stored character; None when none does. Asking may correct the height."""


class Slice(Protocol):
    """A stretch of something long."""

    @property
    def estimate(self) -> int:
        """The estimated number of lines."""

    @property
    def start(self) -> int:
        """The stored offset at which it begins."""

    def lay(self) -> tuple[list[Line], Slice | None]:
        """Lay it out; returns the lines, and a slice for the rest if it did not cover everything."""


class FixedBlock:
    """A block whose lines are known."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = list(lines)
        self.height = len(self._lines)
        self.exact = True

    def lines(self, first: int, last: int) -> list[Line]:
        """The lines from `first` up to `last`."""
        return self._lines[max(0, first) : max(0, last)]

    def line_of(self, part: Part, call: int | None, offset: int) -> int | None:
        """The line that shows a stored character."""
        return line_showing(self._lines, part, call, offset)


class SlicedBlock:
    """Lines that are laid out when asked for, a slice at a time."""

    def __init__(
        self, slices: Iterable[Slice], part: Part | None, call: int | None, left_out: Sequence[tuple[int, int]] = ()
    ) -> None:
        self._slices = list(slices)
        self._left_out = left_out
        self._laid: list[list[Line] | None] = [None] * len(self._slices)
        self._part, self._call = part, call
        self.height = sum([each.estimate for each in self._slices])

    @property
    def exact(self) -> bool:
        """True if every slice is laid out."""
        return None not in self._laid

    def lines(self, first: int, last: int) -> list[Line]:
        """The lines from `first` up to `last`, laying out what they touch and no more."""
        first = max(0, first)
        shown: list[Line] = []
        top = index = 0
        while index < len(self._slices) and top < last:
            laid = self._laid[index]
            if laid is None and top + self._slices[index].estimate > first:
                laid = self._lay(index)
            if laid is None:
                top += self._slices[index].estimate
            else:
                shown += laid[max(0, first - top) : last - top]
                top += len(laid)
            index += 1
        return shown

    def line_of(self, part: Part, call: int | None, offset: int) -> int | None:
        """The line that shows a stored character."""
        if (part, call) != (self._part, self._call) or any(start <= offset < end for start, end in self._left_out):
            return None
        top = 0
        for index, _ in enumerate(self._slices):
            following = self._slices[index + 1].start if index + 1 < len(self._slices) else None
            if following is None or offset < following:
                return self._line_from(index, top, offset)
            laid = self._laid[index]
            top += self._slices[index].estimate if laid is None else len(laid)
        return None

    def exceeds(self, lines: int) -> bool:
        """True if there are more lines than this, laying out no more than necessary."""
        return len(self.lines(0, lines + 1)) > lines

    def _line_from(self, index: int, top: int, offset: int) -> int | None:
        """Look for the line from the last slice that may show the offset, following slices that grow."""
        while index < len(self._slices):
            laid = self._laid[index]
            lines = self._lay(index) if laid is None else laid
            if index and _begins_behind(lines, offset):  # a slice before reaches to here
                return self._line_before(index, offset)
            at = line_showing(lines, self._part, self._call, offset)
            if at is not None:
                return top + at
            top += len(lines)
            index += 1
        return top - 1 if top else None

    def _line_before(self, index: int, offset: int) -> int:
        """The line in the slices before one that shows an offset, or else the last that begins before it."""
        while index:
            here, at = self._slices[index], index - 1
            while self._slices[at] is not here:
                if self._laid[at] is None:
                    self._lay(at)
                at += 1
            while at and (lines := self._laid[at - 1]) is not None:
                if not _begins_behind(lines, offset):
                    line_at = line_showing(lines, self._part, self._call, offset)
                    return sum(map(self._height, range(at - 1))) + (len(lines) - 1 if line_at is None else line_at)
                at -= 1
            index = at
        return 0

    def _height(self, index: int) -> int:
        laid = self._laid[index]
        return self._slices[index].estimate if laid is None else len(laid)

    def _lay(self, index: int) -> list[Line]:
        lines, rest = self._slices[index].lay()
        self.height += len(lines) - self._slices[index].estimate
        self._laid[index] = lines
        if rest is not None:
            self._slices.insert(index + 1, rest)
            self._laid.insert(index + 1, None)
            self.height += rest.estimate
        return lines


def line_showing(lines: Sequence[Line], part: Part | None, call: int | None, offset: int) -> int | None:
    """The line that shows a stored character, else the one before it; None if it comes after all lines."""
    last: int | None = None
    for number, line in enumerate(lines):
        for piece in line:
            source = piece.source
            if source is None or source.part != part or source.call != call:
                continue
            if source.start > offset:
                return last
            if offset < source.end:
                return number
            last = number
    return None


def _begins_behind(lines: Sequence[Line], offset: int) -> bool:
    first = next((span for span in map(starts_at, lines) if span), None)
    return first is None or first.start > offset


def starts_at(line: Line) -> Span | None:
    """The stored offset of a line's first character."""
    return next((piece.source for piece in line if piece.source is not None), None)
