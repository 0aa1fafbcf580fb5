"""The phrase bank: what customers and agents say, read from `data/northline/lines/*.toml`.

Owns loading the files, filling a line's slots, and taking out the ‹marks› that show which words a habit hangs on. Which
line is said when is for the scripts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from reviewer.resources import data_dir

OPEN, CLOSE = "‹", "›"


@dataclass(frozen=True, slots=True)
class Topic:
    """Something a customer asks besides, with its answers and the habits that show in them."""

    id: str
    when: frozenset[str]
    good: str | None
    faults: tuple[str, ...]
    nears: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HabitMark:
    """Words of a line that a habit hangs on; the whole line where it has no marks."""

    mode: str
    real: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """A line filled in, with its marks."""

    text: str
    marks: tuple[HabitMark, ...] = ()


@cache
def bank() -> Mapping[str, tuple[str, ...]]:
    """Every list of lines by its dotted key, the file's name first: `agent.hello.warm`."""
    lines: dict[str, tuple[str, ...]] = {}
    for path in sorted((data_dir() / "northline" / "lines").glob("*.toml")):
        _flatten(tomllib.loads(path.read_text(encoding="utf-8")), path.stem, lines)
    return lines


@cache
def topics() -> tuple[Topic, ...]:
    """Every topic of `topics.toml`; its lines are in the bank as `topics.ID.ask` and `.answer`."""
    return tuple(
        Topic(
            id=entry["id"],
            when=frozenset(entry["when"]),
            good=entry.get("good"),
            faults=tuple(entry.get("faults", ())),
            nears=tuple(entry.get("nears", ())),
        )
        for entry in _topics()
    )


def filled(template: str, slots: Mapping[str, Any], mode: str | None = None, real: bool = True) -> Phrase:
    """The line with its slots filled; with a mode, what stands between ‹ and › is marked with it."""
    text = template.format_map(slots)
    if OPEN not in text:
        return Phrase(text, (HabitMark(mode, real, 0, len(text)),) if mode else ())
    start, end = text.index(OPEN), text.rindex(CLOSE)
    end -= text.count(OPEN, 0, end) + text.count(CLOSE, 0, end)
    plain = text.replace(OPEN, "").replace(CLOSE, "")
    return Phrase(plain, (HabitMark(mode, real, start, end),) if mode else ())


def joined(pieces: list[Phrase], glue: str) -> Phrase:
    """Pieces put together, their marks moved along."""
    text, marks = "", []
    for piece in pieces:
        if text:
            text += glue
        marks += [HabitMark(m.mode, m.real, m.start + len(text), m.end + len(text)) for m in piece.marks]
        text += piece.text
    return Phrase(text, tuple(marks))


@cache
def _topics() -> tuple[dict[str, Any], ...]:
    path = data_dir() / "northline" / "lines" / "topics.toml"
    return tuple(tomllib.loads(path.read_text(encoding="utf-8"))["topic"])


def _flatten(table: Mapping[str, Any], prefix: str, into: dict[str, tuple[str, ...]]) -> None:
    if prefix == "topics":
        for entry in table["topic"]:
            into[f"topics.{entry['id']}.ask"] = tuple(entry["ask"])
            into[f"topics.{entry['id']}.answer"] = tuple(entry["answer"])
            _flatten(entry.get("own", {}), f"topics.{entry['id']}.own", into)
        return
    for key, value in table.items():
        if isinstance(value, dict):
            _flatten(value, f"{prefix}.{key}", into)
        else:
            into[f"{prefix}.{key}"] = tuple(value)
