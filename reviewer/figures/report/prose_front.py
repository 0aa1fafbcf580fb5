"""The front matter of a report's prose: TOML, each value with its line.

Owns which names there are and what each holds; what is wrong is a sentence with its line, and the rest stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from reviewer.basics import toml
from reviewer.figures.report.blocks import ProseTrouble

FENCE = "+++"
VERDICT = "verdict"
TEXTS = ("model", VERDICT, "remark", "promoted")
TABLES = ("tails", "leads", "read", "glance")
_KNOWN = (*TEXTS, "comparators", "clusters", *TABLES)
_KEY = re.compile(r"""\s*((?:[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*'))*)\s*=""")
_TABLE = re.compile(r"\s*\[([^\[\]]+)\]\s*(?:#.*)?")
_OPENED = re.compile(r"\s*(\"\"\"|''')\s*")


@dataclass(frozen=True, slots=True)
class FrontText:
    """A text, and the line of its file where it begins."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a reviewer says about the page as a whole, and in its tables."""

    texts: Mapping[str, FrontText] = field(default_factory=dict)
    """`model`, `verdict`, `remark`, `promoted`."""
    comparators: tuple[FrontText, ...] = ()
    clusters: Mapping[str, tuple[FrontText, ...]] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, FrontText]] = field(default_factory=dict)
    """`tails` and `leads` by section, `read` by use case, `glance` by row."""

    def table(self, name: str) -> Mapping[str, FrontText]:
        """A table of texts; empty where nobody wrote it."""
        return self.tables.get(name, {})


def front_matter(lines: list[str]) -> tuple[FrontMatter, list[ProseTrouble]]:
    """Read the lines between the fences, of which the first is the second of its file."""
    try:
        values = toml.table_of("\n".join(lines))
    except toml.NotTomlError as error:
        said = f"the front matter cannot be read: {error.reason}. It was left out."
        return FrontMatter(), [ProseTrouble((error.line or 1) + 1, said)]
    reader = _FrontReader(dict(_places(lines)), [])
    return reader.matter(values), reader.wrong


def nearest(name: str, known: Iterable[str]) -> str:
    """Behind a name that is not there, the one that was probably meant."""
    near = get_close_matches(name, list(known), 1, 0.6)
    return f" Nearest: {near[0]}." if near else ""


@dataclass
class _FrontReader:
    """The values of one front matter, and what was wrong with them."""

    places: Mapping[tuple[str, ...], int]
    wrong: list[ProseTrouble]

    def line(self, *path: str) -> int:
        """The line of a value; that of its table where it has none."""
        return next((self.places[path[:to]] for to in range(len(path), 0, -1) if path[:to] in self.places), 2)

    def say(self, said: str, *path: str) -> None:
        self.wrong.append(ProseTrouble(self.line(*path), said))

    def matter(self, values: Mapping[str, Any]) -> FrontMatter:
        for name in values:
            if name not in _KNOWN:
                self.say(f"the front matter has no “{name}”.{nearest(name, _KNOWN)}", name)
        texts = {name: text for name in TEXTS if name in values and (text := self.text(values[name], name))}
        comparators = self.texts(values.get("comparators", []), "comparators")
        clusters = {name: self.texts(own, "clusters", name) for name, own in self.table(values, "clusters").items()}
        tables = {
            name: {
                key: text for key, value in self.table(values, name).items() if (text := self.text(value, name, key))
            }
            for name in TABLES
        }
        return FrontMatter(texts, comparators, clusters, tables)

    def table(self, values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        value = values.get(name, {})
        if isinstance(value, dict):
            return value
        self.say(f"“{name}” is no table: write [{name}], and below it a line for each.", name)
        return {}

    def text(self, value: Any, *path: str) -> FrontText | None:
        if not isinstance(value, str):
            self.say(f"“{'.'.join(path)}” is no text: put it in quotes.", *path)
            return None
        return FrontText(value, self.line(*path)) if value.strip() else None

    def texts(self, value: Any, *path: str) -> tuple[FrontText, ...]:
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(FrontText(each, self.line(*path)) for each in value)
        self.say(f'“{".".join(path)}” is no list of names: write ["…", "…"].', *path)
        return ()


def _places(lines: list[str]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Path of every key to the line of its file where its value begins."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(lines, start=2):
        if header := _TABLE.fullmatch(line):
            table = _path(header[1])
            yield table, number
        elif key := _KEY.match(line):
            opened = _OPENED.fullmatch(line, key.end())
            yield (*table, *_path(key[1])), number + bool(opened)


def _path(key: str) -> tuple[str, ...]:
    """The parts of a key as TOML reads it; none where it is no key."""
    try:
        value: Any = toml.table_of(f"{key} = 0")
    except toml.NotTomlError:
        return ()
    parts: list[str] = []
    while isinstance(value, dict):
        name, value = next(iter(value.items()))
        parts.append(name)
    return tuple(parts)
