"""Where in a row a map finds something: a column's name, a dotted path into nested JSON, or a word for itself.

`author.type` is the column of that very name, else `type` inside `author`; `parts[]` is each element of a list,
`words[0]` the first; JSON inside a string is opened on the way. `=support-bot` is the word itself. A `?` at the end:
it may be missing. Several are alternatives: the first that says something.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reviewer.imports.source import unfolded

Row = Mapping[str, Any]
Getter = Callable[[Row], Any]
Step = str | int | None
"""A key, a place in a list, or (None) every place of it."""

STAR = "*"
"""Where rows lie: each value of an object; in a row, the name that it had there."""
_STEPS = re.compile(r"[^.\[\]]+|\[\d{0,9}\]")
_SHAPE = re.compile(r"[^.\[\]]+(?:\[\d{0,9}\])*(?:\.[^.\[\]]+(?:\[\d{0,9}\])*)*")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place in a row: a column, a path into it, or a fixed word."""

    said: str
    """As the map has it."""
    name: str = ""
    """Without the mark that it may be missing."""
    steps: tuple[Step, ...] = ()
    optional: bool = False
    constant: str | None = None
    others: tuple[Pointer, ...] = ()
    """Where to look when there is nothing."""

    @property
    def tops(self) -> set[str]:
        """The columns that this takes whole, not but a part of them."""
        own = {self.name} if self.constant is None and len(self.steps) == 1 else set()
        return own.union(*(other.tops for other in self.others))

    @property
    def within(self) -> set[str]:
        """The columns that it looks into."""
        own = {str(self.steps[0])} if self.steps else set()
        return own.union(*(other.within for other in self.others))

    def getter(self) -> Getter:
        """A function that takes the value out of a row; None if the row has nothing there."""
        if not self.others:
            return self._own()
        getters = [self._own(), *(other.getter() for other in self.others)]

        def first(row: Row) -> Any:
            for getter in getters:
                value = getter(row)
                if value is not None and value != "":
                    return value
            return None

        return first

    def _own(self) -> Getter:
        name, steps, constant = self.name, self.steps, self.constant
        if constant is not None:
            return lambda _: constant
        if len(steps) == 1:
            return lambda row: row.get(name)

        def nested(row: Row) -> Any:
            return row[name] if name in row else walked(row, steps)

        return nested

    def stands_in(self, row: Row) -> bool:
        """True if the row has such a place, even an empty one."""
        if self.constant is not None or self.name in row or _leads(row, self.steps):
            return True
        return any(other.stands_in(row) for other in self.others)


def pointer(said: str) -> Pointer | None:
    """The place that a map names; None when it is written as no place can be."""
    if said.startswith("="):
        return Pointer(said, constant=said[1:])
    name = said.removesuffix("?")
    steps = tuple(_step(each) for each in _STEPS.findall(name)) if _SHAPE.fullmatch(name) else (name,)
    while len(steps) > 1 and steps[-1] is None:  # the list itself is each of its elements
        steps, name = steps[:-1], name.removesuffix("[]")
    return Pointer(said, name, steps, optional=said.endswith("?")) if name else None


def first_of(pointers: Sequence[Pointer]) -> Pointer:
    """The first of these places that says something; it may be missing when each of them may."""
    first, *others = pointers
    said = " or ".join(each.said for each in pointers)
    return replace(first, said=said, others=tuple(others), optional=all(each.optional for each in pointers))


def _step(text: str) -> Step:
    if not text.startswith("["):
        return text
    return int(text[1:-1]) if len(text) > 2 else None


def walked(value: Any, steps: tuple[Step, ...]) -> Any:
    """Follow the steps into a value; None if they lead nowhere."""
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
    """True if the steps lead to a place, even an empty one; an empty list may hold anything."""
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


def quoted(text: str) -> str:
    """A text as TOML writes it, in ASCII where it would not show."""
    held = json.dumps(text, ensure_ascii=False)
    return "".join([each if each.isprintable() else _escaped(each) for each in held])


def _escaped(each: str) -> str:
    return f"\\u{ord(each):04x}" if ord(each) < 0x10000 else f"\\U{ord(each):08x}"
