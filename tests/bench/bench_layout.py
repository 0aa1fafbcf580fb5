"""Cleaning and laying out text, beside one pass of a regular expression and beside textwrap."""

from __future__ import annotations

import json
import random
import re
import textwrap
from collections.abc import Callable, Iterator

from reviewer.app.layout import CallClass, CallLayout, MessageLayout, View, estimated_height
from reviewer.basics.clean import cleaned
from reviewer.transcripts.model import Message, ToolCall
from tests.bench.rows import Row, timed

WORDS = ("the", "order", "was", "shipped", "on", "Monday", "and", "can", "be", "returned", "within", "thirty", "days")
MEGABYTE = 1_000_000
PAGE = 4_000
SCREEN = 40
VIEW = View(80)
OPEN = View(80, toggled=frozenset({"text", "1.result"}))
_CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\u200b-\u206f\ufe00-\ufeff]")


def run() -> Iterator[Row]:
    """What a text costs that is plain, and what a huge one costs when a screen of it is looked at."""
    plain = _prose(random.Random(1), MEGABYTE)
    accents = plain.replace("e", "é")
    yield timed("clean 1 MB of ASCII", lambda: cleaned(plain), lambda: _CONTROLS.search(plain), 1.0)
    yield timed("clean 1 MB with accents", lambda: cleaned(accents), lambda: _CONTROLS.search(accents), 5.0)
    messages = [Message("agent", _prose(random.Random(seed), 350)) for seed in range(1_000)]
    yield timed("1,000 messages, beside textwrap", lambda: _laid(messages), lambda: _filled(messages), 1.5)
    yield timed("1,000 heights estimated", lambda: _estimated(messages), lambda: _filled(messages), 0.1)
    page = _wrap(plain[:PAGE])
    for name, text, bound in (
        ("words", plain, 15.0),
        ("one line", "x" * MEGABYTE, 15.0),
        ("nothing", "\n" * MEGABYTE, 60.0),
    ):
        middle = _middle(Message("agent", text))
        yield timed(f"1 MB of {name}, a screen of it, beside a page wrapped", middle, page, bound)
    result = json.dumps([{"id": each, "name": f"item {each}", "price": 1.5} for each in range(20_000)])
    call = ToolCall("list_items", "{}", result)
    yield timed("1 MB of fields, the first screen, beside parsing it", _top(call), lambda: json.loads(result), 2.0)


def _prose(chance: random.Random, length: int) -> str:
    found: list[str] = []
    size = 0
    while size < length:
        sentence = " ".join(chance.choices(WORDS, k=chance.randint(5, 40))) + chance.choice((". ", ".\n", ".\n\n"))
        found.append(sentence)
        size += len(sentence)
    return "".join(found)[:length]


def _laid(messages: list[Message]) -> object:
    return [MessageLayout(message, 1, VIEW).lines(0, SCREEN) for message in messages]


def _estimated(messages: list[Message]) -> object:
    return [estimated_height(message, VIEW) for message in messages]


def _filled(messages: list[Message]) -> object:
    return [textwrap.wrap(line, 76) for message in messages for line in message.text.split("\n")]


def _wrap(text: str) -> Callable[[], object]:
    return lambda: [textwrap.wrap(line, 76) for line in text.split("\n")]


def _middle(message: Message) -> Callable[[], object]:
    def look() -> object:
        layout = MessageLayout(message, 1, OPEN)
        return layout.lines(layout.height // 2, layout.height // 2 + SCREEN)

    return look


def _top(call: ToolCall) -> Callable[[], object]:
    return lambda: CallLayout(call, 1, OPEN, CallClass()).lines(0, SCREEN)
