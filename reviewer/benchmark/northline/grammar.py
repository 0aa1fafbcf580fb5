"""The small grammar of the lines: choices, parts with a name, slots, and which of them fit a conversation.

    (Thanks|Thank you) for the photo, {first}.     one of the two; choices nest, and one of them may be empty
    {Thing}, {thing}                               a slot; with a capital, its value with a capital
    {processing}                                   a part of `parts.toml`, itself a choice of lines

A line is said only where the conversation has all its slots; a choice that lacks one is left out. Parentheses without a
`|` are parentheses. Owns reading a line and saying it; which lines there are is the bank's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_MARK = re.compile(r"\{\{|\}\}|\{[^{}]*\}|[{}()|]")
_CAPITAL = "\x01"


class LineError(ValueError):
    """A line that cannot be read; its text says why."""


@dataclass(frozen=True, slots=True)
class FactSlot:
    """A place that a conversation's own fact is put into."""

    name: str
    capital: bool


@dataclass(frozen=True, slots=True)
class Phrasings:
    """Several ways to say a thing, one of which is said."""

    options: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was read: texts, slots and choices one after the other."""

    nodes: tuple[str | FactSlot | Phrasings, ...]

    def names(self) -> set[str]:
        """Every slot that the line speaks of, needed or not."""
        return set(_names(self))


Spoken = str | tuple[Any, ...] | list[Any]
"""A line made ready for a conversation: a text with slots, a tuple of what follows each other, a list of choices."""


def read(text: str, parts: Mapping[str, Phrasings] | None = None) -> Line:
    """Read a line; parts are put in where it names them."""
    return _LineParser(text, parts or {}).line()


def fitted(line: Line, known: Collection[str], worded: Callable[[str], str] = str) -> Spoken | None:
    """The line for a conversation that knows these slots, worded as the speaker would; None if it lacks one."""
    ready: list[Any] = []
    for node in line.nodes:
        if isinstance(node, str):
            ready.append(worded(node))
        elif isinstance(node, FactSlot):
            if node.name not in known:
                return None
            ready.append(f"{_CAPITAL if node.capital else ''}{{{node.name}}}")
        else:
            options = [option for each in node.options if (option := fitted(each, known, worded)) is not None]
            if not options:
                return None
            ready.append(options if len(options) > 1 else options[0])
    return _flat(ready)


def said(spoken: Spoken, slots: Mapping[str, Any], chance: Callable[[], float]) -> str:
    """The line with its choices made and its slots filled."""
    text = (spoken if isinstance(spoken, str) else _chosen(spoken, chance)).format_map(slots)
    return (capitalised(text) if _CAPITAL in text else text).strip()


def capitalised(text: str) -> str:
    """The text with a capital wherever a slot asked for one."""
    first, *rest = text.split(_CAPITAL)
    return first + "".join(piece[:1].upper() + piece[1:] for piece in rest)


def _chosen(spoken: Spoken, chance: Callable[[], float]) -> str:
    while type(spoken) is list:
        spoken = spoken[int(chance() * len(spoken))]
    if type(spoken) is str:
        return spoken
    text = ""
    for node in spoken:
        while type(node) is list:
            node = node[int(chance() * len(node))]
        text += node if type(node) is str else _chosen(node, chance)
    return text


def _flat(nodes: Iterable[Any]) -> Spoken:
    """Neighbouring texts as one."""
    flat: list[Any] = []
    for node in nodes:
        inner = node if isinstance(node, tuple) else (node,)
        for each in inner:
            if isinstance(each, str) and flat and isinstance(flat[-1], str):
                flat[-1] += each
            else:
                flat.append(each)
    if not flat:
        return ""
    return flat[0] if len(flat) == 1 else tuple(flat)


def _names(line: Line) -> Iterable[str]:
    for node in line.nodes:
        if isinstance(node, FactSlot):
            yield node.name
        elif isinstance(node, Phrasings):
            for option in node.options:
                yield from _names(option)


class _LineParser:
    """A line while it is being read: the texts and, between them, the marks that mean something."""

    def __init__(self, text: str, parts: Mapping[str, Phrasings]) -> None:
        self.texts, self.marks = _MARK.split(text), _MARK.findall(text)
        self.at, self.parts = 0, parts

    def line(self, depth: int = 0) -> Line:
        """The nodes up to the end, or up to the end of the choice that this stands in."""
        nodes: list[str | FactSlot | Phrasings] = [self.texts[self.at]]
        while self.at < len(self.marks):
            mark = self.marks[self.at]
            if depth and mark in ("|", ")"):
                break
            self.at += 1
            nodes += self._meant(mark, depth)
            nodes.append(self.texts[self.at])
        return Line(tuple(node for node in nodes if node != ""))

    def _meant(self, mark: str, depth: int) -> Iterable[str | FactSlot | Phrasings]:
        if mark == "(":
            return self._group(depth)
        if mark in ("{", "}"):
            raise LineError(f"a single “{mark}”")
        if mark in ("{{", "}}", "|", ")"):
            return [mark]
        return [self._named(mark[1:-1])]

    def _group(self, depth: int) -> Iterable[str | FactSlot | Phrasings]:
        """What stands in a parenthesis: a choice, or the words themselves in their parentheses."""
        options = [self.line(depth + 1)]
        while self.at < len(self.marks) and self.marks[self.at] == "|":
            self.at += 1
            options.append(self.line(depth + 1))
        if self.at >= len(self.marks):
            raise LineError("a parenthesis that is not closed")
        self.at += 1
        return [Phrasings(tuple(options))] if len(options) > 1 else ["(", *options[0].nodes, ")"]

    def _named(self, name: str) -> FactSlot | Phrasings:
        plain = name[:1].lower() + name[1:]
        if not plain.replace("_", "").isalnum():
            raise LineError(f"a slot “{{{name}}}”, which is no name")
        if plain not in self.parts:
            return FactSlot(plain, capital=plain != name)
        part = self.parts[plain]
        return part if plain == name else Phrasings(tuple(Line((_CAPITAL, *each.nodes)) for each in part.options))
