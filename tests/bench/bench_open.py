"""The app as the person at the keyboard sees it, in stores of any size, beside an empty Textual app.

The stores are the sample, the whole board, and plain talk of 100,000 and 1,000,000 conversations (the last of two
messages each, 1.3 GB). `REVIEWER_BENCH_MOST=100000 make bench` leaves out what is larger.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.bench.bigstore import northline, shared
from tests.bench.rows import Row
from tests.bench.seat import (
    FLOOR,
    FLOOR_READY,
    KEY,
    READY,
    SCAN,
    Times,
    beside_floor,
    opening,
    pressed,
    seated,
    started,
)

STORES: dict[int, Callable[[], Path]] = {
    1_458: northline,
    10_692: partial(northline, board=True),
    100_000: partial(shared, 100_000),
    1_000_000: partial(shared, 1_000_000, 2),
}
"""By how many conversations there are."""
MOST = int(os.environ.get("REVIEWER_BENCH_MOST", max(STORES)))
STARTS = 3
_HAND = 0.1
"""Seconds that a hand takes to the next key at least."""
_ID = 8
"""Bytes that a conversation may take in memory beyond what the app itself does."""
KEYS = {
    "next message": ((), ("j", "k")),
    "next conversation": ((), ("]", "[")),
    "on through the queue": ((), ("]", "]")),
    "next run": ((), (">", "<")),
    "a page": ((), ("space", "b")),
    "end of the queue": (("shift+tab",), ("G", "g")),
    "conversation at the end": (("G", "tab"), ("[", "]")),
}
"""What is pressed before, and the two keys that are timed in turn."""


def run() -> Iterator[Row]:
    """Ready, memory and keys at each size."""
    for size, store in STORES.items():
        if size > MOST:
            print(f"  {size:,} conversations left out: REVIEWER_BENCH_MOST is {MOST:,}")
            continue
        yield from _at(store(), size)


def _at(store: Path, size: int) -> Iterator[Row]:
    where = f"{size:,} conversations"
    yield started(opening(store)).row(f"ready, {where}", 1.4)
    every = Times()
    with beside_floor(*opening(store)) as (ours, floor):
        for name, (before, keys) in KEYS.items():
            ours.do(*before)
            times = pressed(ours, floor, keys)
            every.add(times)
            yield times.row(f"{name}, {where}", KEY)
        yield every.slowest(f"99 of 100 keys, {where}")
        ours.do("l")
        yield pressed(ours, floor, ("[", "]")).within_a_frame(f"next conversation with the lens, {where}")
        yield Row(f"memory less 8 bytes each, {where}", ours.memory - size * _ID / 2**20, floor.memory, 2.5, "MiB")
    yield from _while_busy(store, where)


def _while_busy(store: Path, where: str) -> Iterator[Row]:
    """Keys pressed as soon as there is something to read, while ids are still read; and while the queue is filtered."""
    loading, filtering = Times(), Times()
    with seated(*FLOOR) as floor:
        floor.until(FLOOR_READY).settle()
        for _ in range(STARTS):
            with seated(*opening(store)) as ours:
                ours.until(READY)
                loading.add(pressed(ours, floor, ("j", "k"), 3))
                ours.settle().do("f").press(SCAN, "enter").watch(_HAND)
                filtering.add(pressed(ours, floor, ("j", "k"), 3))
    yield loading.row(f"next message from the start, {where}", KEY)
    yield filtering.row(f"next message during a scan, {where}", KEY)
    loading.add(filtering)
    yield loading.slowest(f"99 of 100 keys while busy, {where}")
