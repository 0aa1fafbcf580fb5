"""Where a line of printable text is broken so that it fits: by words, by terminal cells, never inside a cluster.

Owns the arithmetic of wrapping; gives offsets, not strings. Knows no styles and no sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import split_graphemes

# Characters one cell wide beyond any doubt: the common signs of Western text besides the ranges Rich knows.
_NARROW = re.compile(
    "[\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0377\u037a-\u037f\u0384-\u038a\u038e-\u03a1\u03a3-\u0482"
    "\u2010-\u2015\u2018-\u2027\u2030-\u203b\u20a0-\u20bf\u2190-\u2193\u2500-\u25fc\u2400-\u2426\u27e6-\u27ef]*"
)
_CLOSING = frozenset("、。，．！？：；）］｝」』】〉》〕”’…ー")
_OPENING = frozenset("（［｛「『【〈《〔“‘")


def is_narrow(text: str) -> bool:
    """True if every character surely takes one cell, so that offsets are cells."""
    return text.isascii() or _NARROW.fullmatch(text) is not None


def wrapped(text: str, width: int, hang: int = 0, narrow: bool | None = None) -> Iterator[tuple[int, int]]:
    """The lines of one paragraph, as offsets; blanks between two lines belong to neither.

    Lines after the first have `hang` cells less. There is always room for one.
    """
    width = max(1, width)
    if len(text) <= width and (narrow or text.isascii()):
        yield 0, len(text)
    elif narrow if narrow is not None else is_narrow(text):
        yield from _by_offsets(text, width, hang)
    else:
        yield from _by_cells(text, width, hang)


def _by_offsets(text: str, width: int, hang: int) -> Iterator[tuple[int, int]]:
    at, room, length = 0, width, len(text)
    while length - at > room:
        end = follows = text.rfind(" ", at, at + room + 1)
        if end <= at or text[at:end].isspace():
            end = follows = at + room
        else:
            while text[end - 1] == " ":
                end -= 1
        while follows < length and text[follows] == " ":
            follows += 1
        yield at, end
        if follows == length:
            return
        at, room = follows, max(1, width - hang)
    yield at, length


def _by_cells(text: str, width: int, hang: int) -> Iterator[tuple[int, int]]:
    start = used = 0
    room = width
    # The last place to break: where the line would end, where the next starts, cells used up to there.
    end = follows = spent = -1
    before, wide = "", False
    for at, stop, cells in split_graphemes(text)[0]:
        character = text[at]
        blank = character == " "
        if blank and start == at and start > 0:
            start = stop
            continue
        breakable = not blank and before != " " and (cells == 2 or wide) and at > start
        if breakable and character not in _CLOSING and before not in _OPENING:
            end, follows, spent = at, at, used
        while used + cells > room and start < at:
            if blank or end <= start:
                yield start, at
                start, used = (stop, -cells) if blank else (at, 0)
            else:
                yield start, end
                start, used = follows, used - spent
            end, room = -1, max(1, width - hang)
        used += cells
        if blank and before != " " and text[start:at]:
            end = at
        if blank:
            follows, spent = stop, used
        before, wide = character, cells == 2
    if start < len(text) or not text:
        yield start, len(text)
