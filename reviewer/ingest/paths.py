"""Where in a row a map finds something: a column's name, a dotted path into nested JSON, or a word for itself.

`author.type` is the column of that very name, else `type` inside `author`; `parts[]` is each element of a list,
`words[0]` the first; JSON inside a string is opened on the way. `=support-bot` is the word itself. A `?` at the end:
it may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reviewer.ingest.source import unfolded

Row = Mapping[str, Any]
Getter = Callable[[Row], Any]
Step = str | int | None
"""A key, a place in a list, or (None) every place of it."""

_STEPS = re.compile(r"[^.\[\]]+|\[\d{0,9}\]")
_SHAPE = re.compile(r"[^.\[\]]+(?:\[\d{0,9}\])*(?:\.[^.\[\]]+(?:\[\d{0,9}\])*)*")


@dataclass(frozen=True, slots=True)
class Pointer:
    """One place of a row."""

    said: str
    """As the map has it."""
    name: str = ""
    """Without the mark that it may be missing."""
    steps: tuple[Step, ...] = ()
    optional: bool = False
    constant: str | None = None

    @property
    def top(self) -> str | None:
        """The column that this takes whole; None when it takes but a part of one."""
        return self.name if self.constant is None and len(self.steps) == 1 else None

    def getter(self) -> Getter:
        """What finds it in a row; None where the row has nothing there."""
        name, steps, constant = self.name, self.steps, self.constant
        if constant is not None:
            return lambda _: constant
        if len(steps) == 1:
            return lambda row: row.get(name)

        def nested(row: Row) -> Any:
            return row[name] if name in row else walked(row, steps)

        return nested

    def stands_in(self, row: Row) -> bool:
        """Whether the row has such a place at all, though it may say nothing."""
        return self.constant is not None or self.name in row or _leads(row, self.steps)


def pointer(said: str) -> Pointer | None:
    """The place that a map names; None when it is written as no place can be."""
    if said.startswith("="):
        return Pointer(said, constant=said[1:])
    name = said.removesuffix("?")
    steps = tuple(_step(each) for each in _STEPS.findall(name)) if _SHAPE.fullmatch(name) else (name,)
    while len(steps) > 1 and steps[-1] is None:  # the list itself is each of its elements
        steps, name = steps[:-1], name.removesuffix("[]")
    return Pointer(said, name, steps, optional=said.endswith("?")) if name else None


def _step(text: str) -> Step:
    if not text.startswith("["):
        return text
    return int(text[1:-1]) if len(text) > 2 else None


def walked(value: Any, steps: tuple[Step, ...]) -> Any:
    """What the steps lead to; None where they lead nowhere."""
    for at, step in enumerate(steps):
        value = unfolded(value)
        if step is None:
            inner = (walked(each, steps[at + 1 :]) for each in value) if isinstance(value, list) else ()
            return [one for each in inner if each is not None for one in (each if isinstance(each, list) else [each])]
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and step < len(value) else None
        else:
            value = value.get(step) if isinstance(value, Mapping) else None
        if value is None:
            return None
    return value


def _leads(value: Any, steps: tuple[Step, ...]) -> bool:
    """Whether the steps lead somewhere, be it to nothing; an empty list may lead anywhere."""
    for at, step in enumerate(steps):
        value = unfolded(value)
        if step is None:
            return isinstance(value, list) and (not value or any(_leads(each, steps[at + 1 :]) for each in value))
        if isinstance(step, int):
            if not isinstance(value, list) or (value and step >= len(value)):
                return False
            if not value:
                return True
            value = value[step]
        elif not isinstance(value, Mapping) or step not in value:
            return False
        else:
            value = value[step]
            if value is None:
                return True
    return True
