"""Long things: a conversation of 1,000 messages, a message and a result of a megabyte each, beside an empty app."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from reviewer.transcripts.model import Conversation
from tests import builders
from tests.bench.rows import Row
from tests.bench.seat import KEY, Times, beside_floor, opening, pressed, started

WORDS = ["the", "order", "was", "shipped", "on", "Monday", "and", "can", "be", "returned", "within", "thirty", "days"]
MEGABYTE = 1_000_000

Keys = dict[str, tuple[tuple[str, ...], tuple[str, str]]]
"""A name to what is pressed before, and the keys that are timed, there and back."""

_TALK: Keys = {
    "next message": ((), ("j", "k")),
    "a page": ((), ("space", "b")),
    "to the end and back": ((), ("G", "g")),
}
_OPENED: Keys = {
    "next message": (("j",), ("j", "k")),
    "a page of it, unfolded": (("enter",), ("space", "b")),
    "to the end and back, unfolded": (("g",), ("G", "g")),
}
_RESULT: Keys = {
    "next item": (("\\", "j"), ("j", "k")),
    "a page of it, unfolded": (("j", "enter"), ("space", "b")),
    "to the end and back, unfolded": (("g",), ("G", "g")),
}


def run() -> Iterator[Row]:
    """Ready, keys, and the slowest of them, for each."""
    with TemporaryDirectory() as folder:
        for name, conversation, keys in _conversations():
            store = builders.store(Path(folder), conversation, name=f"{name[:5].replace(',', '')}.db")
            yield started(opening(store), 3).row(f"ready, {name}", 1.4)
            every = Times()
            with beside_floor(*opening(store)) as (ours, floor):
                for said, (before, pair) in keys.items():
                    ours.do(*before)
                    times = pressed(ours, floor, pair, 10)
                    every.add(times)
                    yield times.row(f"{said}, {name}", KEY)
            yield every.slowest(f"99 of 100 keys, {name}")


def _conversations() -> Iterator[tuple[str, Conversation, Keys]]:
    chance = random.Random(1)
    talk = [(builders.customer, builders.agent)[number % 2](_prose(chance, 350)) for number in range(1_000)]
    yield "1,000 messages", builders.conversation(*talk), _TALK
    first, last = builders.customer("Where is my order?"), builders.customer("Thank you.")
    yield "text of 1 MB", builders.conversation(first, builders.agent(_prose(chance, MEGABYTE)), last), _OPENED
    lines = [{"id": number, "status": "delivered", "lines": [{"sku": "A1", "price": 3.5}]} for number in range(13_000)]
    call = builders.call("get_orders", '{"customer": "c1"}', json.dumps({"orders": lines}))
    yield "result of 1 MB", builders.conversation(first, builders.agent("Look.", call), last), _RESULT


def _prose(chance: random.Random, length: int) -> str:
    return " ".join(chance.choices(WORDS, k=length // 5))
