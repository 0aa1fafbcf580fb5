"""What judges write beside their scores, by what they speak of: `data/northline/notes.toml`.

Owns reading the file and saying which entry of it cannot be used. What stands in the slots is the judges' to find.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from reviewer.basics.errors import SourceError
from reviewer.basics.resources import data_dir
from reviewer.benchmark.northline.habits import tables
from reviewer.benchmark.northline.lines import table

QUOTED = frozenset({"quote", "act", "Act", "asked", "asked_short", "last", "next"})
"""Slots that are filled with words and acts of the conversation."""
FACTS = frozenset({"order", "item", "first", "state"})
"""Slots that are filled with facts of the case."""
_FILE = "northline/notes.toml"
_WANTED = (
    *("good.read", "good.confirmed", "good.handed", "good.held", "failure.slight"),
    *("resolution.yes", "resolution.no", "resolution.given", "resolution.unaware"),
)
_SLOT = re.compile(r"\{(\w*)\}")


class NoteLine(NamedTuple):
    """A phrasing of a note with its slots, each once, in their order, in which what is quoted is drawn."""

    text: str
    slots: tuple[str, ...]


@cache
def notes() -> Mapping[str, tuple[NoteLine, ...]]:
    """The phrasings of each kind of note, such as `failure.invented-eta`."""
    read = {
        f"{name}.{kind}": _lines(listed, f"{name}.{kind}")
        for name, kinds in table(data_dir() / "northline" / "notes.toml").items()
        for kind, listed in _table(kinds, name).items()
    }
    # Of a trap that fires the note speaks of the act.
    weighed = [weights for kind, weights in tables().items() if not kind.startswith("trap fired")]
    planned = {f"failure.{mode}" for weights in weighed for mode, weight in weights.items() if weight}
    if missing := sorted({*_WANTED, *planned} - read.keys()):
        raise SourceError(f"{_FILE}: “{missing[0]}” is missing.", "Its neighbours show how it is written.")
    return read


def _lines(listed: Any, place: str) -> tuple[NoteLine, ...]:
    if not isinstance(listed, list) or not listed:
        raise SourceError(f"{_FILE}, “{place}”: a list of lines is meant, and not {listed!r}.")
    return tuple(_line(text, f"{place}”, line {number}") for number, text in enumerate(listed, start=1))


def _line(text: Any, place: str) -> NoteLine:
    if not isinstance(text, str):
        raise SourceError(f"{_FILE}, “{place}: a line is text, and not {text!r}.")
    slots = tuple(dict.fromkeys(_SLOT.findall(text)))
    if unknown := [name for name in slots if name not in QUOTED | FACTS]:
        raise SourceError(f"{_FILE}, “{place}: nothing is known as “{unknown[0]}”.")
    if "{" in _SLOT.sub("", text) or "}" in _SLOT.sub("", text):
        raise SourceError(f"{_FILE}, “{place}: a parenthesis {{ or }} that stands alone.")
    return NoteLine(text, slots)


def _table(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise SourceError(f"{_FILE}, “{place}”: a table is meant, and not {value!r}.")
    return value
