"""What the columns of a store hold: SQLite keeps whatever it is given, and other programs may have given it that."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

NOTHING = type(None)
TEXT, WORDS = (str,), (str, NOTHING)
"""A text, and one that may be missing."""
COUNT, NUMBER = (int,), (int, NOTHING)
AMOUNT = (float, int, NOTHING)

Kinds = Sequence[tuple[type, ...]]


def sound(rows: Sequence[Any], kinds: Kinds) -> Iterator[Any]:
    """The rows, if each value is of its column's kind; else it is reported as a damaged file."""
    for row in rows:
        for value, kind in zip(row, kinds, strict=True):
            if type(value) not in kind:
                raise sqlite3.DatabaseError(f"malformed: {type(value).__name__} in a column that holds {_named(kind)}")
        yield row


def _named(kind: tuple[type, ...]) -> str:
    return "text" if str in kind else "numbers"
