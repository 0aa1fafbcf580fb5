"""What one cell of a table says -> times, numbers, words, scores, the key by which rows are put in order. Pure.

A CSV has nothing but text, Parquet and JSON have types: both come to the same values here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from reviewer.imports.messages.content import cost_of, number_of, raw, score_of, text_or_none, time_of
from reviewer.imports.source import unfolded

_LONGEST_NUMBER = 40
_NUMBER = re.compile(r"\s*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\s*")
FIRST_TIME = 1e8
"""Seconds since 1970 from which on a number is taken for a time: in 1973."""
_FALSE = ("", "false", "0", "no", "none", "null")
OrderKey = tuple[int, float, str]


def words_of(value: Any) -> str | None:
    """The text of a cell; None when it says nothing."""
    return value or None if isinstance(value, str) else text_or_none(_spelled(value))


def word_of(value: Any) -> str:
    """The cell as a word to compare: in small letters, without blanks around it."""
    return (value if isinstance(value, str) else raw(_spelled(value)) or "").strip().lower()


def _spelled(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def number_in(value: Any) -> Any:
    """The number of a cell, from text too; None when it is none."""
    if isinstance(value, str):
        if len(value) > _LONGEST_NUMBER or not _NUMBER.fullmatch(value):
            return None
        value = value.strip()
        value = int(value) if value.lstrip("+-").isdigit() else float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, int) or math.isfinite(value) else None


def count_in(value: Any) -> int | None:
    """A count of a cell, from text too."""
    return number_of(number_in(value))


def cost_in(value: Any) -> float | None:
    """A cost of a cell, from text too."""
    return cost_of(number_in(value))


def says_no(value: Any) -> bool:
    """True if a cell is false, zero, empty, or a word that means no."""
    return word_of(value) in _FALSE


def is_way(way: str) -> bool:
    """True if this is a valid way of writing times."""
    moment = datetime(2026, 1, 2, 15, 4, 5)
    try:
        return datetime.strptime(moment.strftime(way), way).date() == moment.date()
    except ValueError:
        return False


def written(value: Any, way: str) -> datetime | None:
    """Parse a time that is written in this way."""
    try:
        return datetime.strptime(value.strip(), way) if isinstance(value, str) else None
    except ValueError:
        return None


def time_in(value: Any, since: Any = None, way: str | None = None) -> str | None:
    """A time as ISO text; `since` something, a number is the seconds from then on; `way`: how it is written."""
    if way is not None and (told := written(value, way)) is not None:
        return told.isoformat()
    if isinstance(value, str) and value[4:5] == "-" and value[10:11] == "T":
        return value
    number = number_in(value)
    if since is not None and number is not None:
        start = _instant(since, way)
        if start is not None and abs(number) < 1e9:
            try:
                return (start + timedelta(seconds=float(number))).isoformat(timespec="milliseconds")
            except OverflowError:
                return None
        return None
    if number is not None:
        return time_of(number) if abs(number) >= FIRST_TIME else None
    if isinstance(value, str) and value[10:11] == " ":
        told = _parsed(value.strip())
        return value if told is None else told.isoformat()
    return words_of(value)


def is_time(value: Any) -> bool:
    """True if a cell is plainly a time."""
    number = number_in(value)
    if number is not None:
        return bool(9e8 < abs(number) < 5e18) and time_of(number) is not None
    return isinstance(value, str) and len(value) >= 10 and _parsed(value.strip()) is not None


def _instant(value: Any, way: str | None) -> datetime | None:
    told = time_in(value, way=way)
    instant = None if told is None else _parsed(told)
    return instant if instant is None or instant.tzinfo else instant.replace(tzinfo=UTC)


def _parsed(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.removesuffix(" UTC"))
    except ValueError:
        return None


def order_of(value: Any, way: str | None = None) -> OrderKey:
    """A sort key for rows: numbers and times first, then words, then empty cells."""
    if way is not None and (told := written(value, way)) is not None:
        value = told.isoformat()
    number = number_in(value)
    if number is not None:
        return (0, float(number) if abs(number) < 2**53 else float(int(number) % 2**1000), str(number).zfill(40))
    if isinstance(value, str) and value:
        told = _parsed(value.strip()) if len(value) >= 10 else None
        if told is not None:
            whole = told if told.tzinfo else told.replace(tzinfo=UTC)
            return (0, (whole - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds(), "")
    text = words_of(value)
    return (2, 0.0, "") if text is None else (1, 0.0, text)


def score_in(value: Any, numbers: Mapping[str, float]) -> tuple[float | None, str | None]:
    """A score's number, and its words where it is none; `numbers` says what words are worth."""
    worth = numbers.get(word_of(value)) if numbers else None
    if worth is not None:
        return worth, words_of(value)
    number = number_in(value)
    if number is None and isinstance(value, str) and value.strip().lower() in ("true", "false"):
        value = value.strip().lower() == "true"
    return score_of(value if number is None else number)


def listed_in(value: Any, key: str) -> list[Any]:
    """The list of a cell, out of JSON in a string too; raises where there is something else."""
    value = unfolded(value.strip()) if isinstance(value, str) else value
    if value is None or value == "":
        return []
    if isinstance(value, dict):
        return [value]
    if not isinstance(value, list):
        raise ValueError(f"{key} is neither JSON nor a list")
    return value
