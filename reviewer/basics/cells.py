"""Cells of a printed table: how wide a text is in a terminal, and a text cut or padded to a width. Pure."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from textwrap import wrap
from unicodedata import combining, east_asian_width

from reviewer.basics.clean import printable_line

WIDTH = 100
"""Columns of a printed board."""


def cells(text: str) -> int:
    """Count the columns of a terminal that a text takes."""
    return sum(2 if east_asian_width(each) in "WF" else not combining(each) for each in text)


def wrapped(text: str) -> list[str]:
    """The text in lines that a terminal shows in `WIDTH` columns; all are the shorter for what takes two in any."""
    return wrap(text, WIDTH - (cells(text) - len(text)), break_on_hyphens=False)


def padded(text: str, width: int) -> str:
    """The text in a cell of this width, cut with … where it is too long, a blank kept behind it."""
    ends = list(accumulate(map(cells, text)))
    if ends and ends[-1] >= width:
        text = f"{text[: bisect_right(ends, width - 2)]}…"
    return text + " " * (width - cells(text))


def brief(name: str) -> str:
    """Somebody's name as it is printed within a sentence."""
    return padded(printable_line(name), 31).rstrip()
