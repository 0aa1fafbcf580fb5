"""What somebody does who knows no key: keys, lines, pastes, clicks, drags and sizes at random, one by one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from reviewer.app.keys import ACTIONS

Size = tuple[int, int]


class KeyPress(NamedTuple):
    """A key, by its name or its character."""

    key: str


class Pasted(NamedTuple):
    """A text at once."""

    text: str


class MouseMove(NamedTuple):
    """The mouse: `click`, `double`, `drag`, `up` or `down` for the wheel; from a cell to another."""

    kind: str
    start: Size
    end: Size


class Resized(NamedTuple):
    """Another size of the terminal."""

    size: Size


Event = KeyPress | Pasted | MouseMove | Resized

_LEAVING = ("q",)
KEYS = tuple(sorted({key for action in ACTIONS for key in action.keys} - {*_LEAVING}))
WORDS = ("j", "k", "1", "2", "v", "c", "u", "]", "[", "enter", "escape", "tab", "t", ".", "s", "x", "a")
"""What is pressed most."""
LINES = (
    ":#3", ":#2:5-9", ":#99", ":goto nowhere/at/all", ":goto %", ":draw a 3", ":draw ../x 3", ":pick mine",
    ":sort score", ":sort random 7", ":sort tags", ":group case", ":theme light", ":theme nothing", ":others off",
    ":suggestions off",
    ":class cancel", ":class ?", ":nonsense", ":rename a b", ":retire x", ":report", ":board", ":grid", ":compare",
    ":suggestions on", ":others on", ":columns model score", ":columns", ":help",
    "fmodel:k*", "f((((", 'f"open', "fnothing", "fhas:tag", "freviewed:no", "f" + "x" * 60, "/order", "/</think>", "f",
    "c[/foo]", "ca note", "wclause", "treport", "tphantom", "Tgives",
)  # fmt: skip
OPENERS = (":report", "M", "B", "=", "!", "?", "ctrl+p", "i", "Q", "T", "S", "f", "l")
"""What brings up another screen, or another way to look."""
PASTES = (
    "one\ntwo",
    "\x1b]0;PWNED\x07\x9b31m\u202e\x00",
    "x" * 100_000,
    "\u65e5\u672c" * 500,
    "\r\n\t" * 20,
    "",
    "\u0315" * 999,
)
EXTREMES: tuple[Size, ...] = ((1, 1), (300, 10), (2, 40), (20, 5), (10, 3), (300, 1), (1, 10), (44, 12), (220, 70))


def _typed(line: str) -> list[Event]:
    first, rest = (line, "") if line in OPENERS and line[0] != ":" else (line[0], line[1:])
    return [KeyPress(key) for key in (first, *rest)]


def events(chance: random.Random, usual: Size) -> Iterator[Event]:
    """One event after the other, without end; the terminal mostly has its usual size."""
    size = usual
    while True:
        if size != usual and chance.random() < 0.25:
            size = usual
            yield Resized(size)
        kinds = ("key", "word", "line", "open", "mouse", "paste", "size", "leave")
        match chance.choices(kinds, (24, 34, 5, 7, 8, 2, 3, 13))[0]:
            case "key":
                yield KeyPress(chance.choice(KEYS))
            case "word":
                yield KeyPress(chance.choice(WORDS))
            case "line":
                yield from _typed(chance.choice(LINES))
                yield KeyPress(chance.choice(("enter", "enter", "enter", "tab", "escape")))
            case "open":
                yield from _typed(chance.choice(OPENERS))
                yield KeyPress("enter" if chance.random() < 0.5 else "j")
            case "mouse":
                start, end = ((chance.randrange(size[0]), chance.randrange(size[1])) for _ in range(2))
                yield MouseMove(chance.choice(("click", "click", "double", "drag", "up", "down")), start, end)
            case "paste":
                yield Pasted(chance.choice(PASTES))
            case "size":
                drawn = chance.randint(1, 300), chance.randint(1, 60)
                size = chance.choice((*EXTREMES, drawn, drawn, drawn))
                yield Resized(size)
            case _:
                yield KeyPress("escape")
