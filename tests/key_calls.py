"""How much of the program a key runs: functions and calls, counted while the key is pressed in the real app.

The counts do not depend on how fast the machine is. They vary a little, because timers fire meanwhile, so keys are
pressed several times and the median counts.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from shutil import copy
from statistics import median
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, NamedTuple

import reviewer
from tests.ui.room import Room, room

ROUNDS = 5
KEYS = ("j", "k", "1", "1", "v", "escape", "]", "u")
"""The second digit takes the tag of the first one back."""
ROOT = f"{Path(reviewer.__file__).parent}/"
Calls = Counter[str]
"""How often each function was called, by `module.py function`."""


class KeyCost(NamedTuple):
    """What a key runs: the medians over all rounds, and the functions that are called most in the last one."""

    key: str
    functions: int
    calls: int
    most: list[tuple[str, int]]


async def calls_of_key(here: Room, key: str) -> Calls:
    """Press a key, and count what runs until it has been dealt with; what it sets off behind the screen comes after."""
    calls: Calls = Counter()

    def profile(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOT):
            calls[f"{code.co_filename.removeprefix(ROOT)} {code.co_qualname}"] += 1

    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        await here.press(key)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    await here.idle()
    await here.prepared()
    return calls


async def key_costs(store: Path, keys: Iterable[str] = KEYS, rounds: int = ROUNDS) -> list[KeyCost]:
    """Press these keys in copies of a store, after those that load what a first key loads."""
    counted: list[list[Calls]] = []
    for _ in range(rounds):
        with TemporaryDirectory() as folder:
            async with room(Path(copy(store, Path(folder) / "runs.db"))) as here:
                await here.prepared()
                await here.press("j", "j", "1", "u", "j")
                await here.idle()
                await here.prepared()
                counted.append([await calls_of_key(here, key) for key in keys])
    costs = []
    for key, of_rounds in zip(keys, zip(*counted, strict=True), strict=True):
        functions, calls = median(map(len, of_rounds)), median(each.total() for each in of_rounds)
        costs.append(KeyCost(key, round(functions), round(calls), of_rounds[-1].most_common()))
    return costs
