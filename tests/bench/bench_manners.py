"""What an open app costs while nobody touches it, and how soon it is gone when told to, whatever it is doing."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.bench.bigstore import shared
from tests.bench.rows import Row
from tests.bench.seat import FLOOR, FLOOR_READY, READY, SCAN, Seat, Shown, opening, seated

SIZE = 100_000
ROUNDS = 5
WATCHED = 5.0
"""Seconds over which an idle app is watched."""
AT_MOST = 20.0
"""Milliseconds of computing a second that nobody would find in a battery: two in a hundred."""
_GROW = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
for _ in range(1_000):
    db.execute("UPDATE totals SET n = n + 1 WHERE key = 'conversations'")
    time.sleep(0.1)
"""


def run() -> Iterator[Row]:
    """Quitting, at rest and in the middle of a scan; waiting, with a store that grows."""
    store = shared(SIZE)
    floor = [_gone(seat) for seat in _open(FLOOR, FLOOR_READY)]
    rest = [_gone(seat) for seat in _open(opening(store), READY)]
    scan = [_gone(_scanning(seat)) for seat in _open(opening(store), READY)]
    yield Row("quit", median(rest), median(floor), 2.0)
    yield Row("quit while all messages are scanned, beside at rest", median(scan), median(rest), 1.5)
    yield from _waiting(store)


def _open(command: tuple[str | Path, ...], shown: Shown) -> Iterator[Seat]:
    for _ in range(ROUNDS):
        with seated(*command) as seat:
            seat.until(shown).settle()
            yield seat


def _gone(seat: Seat) -> float:
    """Milliseconds from q to the end of the program."""
    sent = time.perf_counter()
    seat.press("q").wait()
    return (time.perf_counter() - sent) * 1_000


def _scanning(seat: Seat) -> Seat:
    """In the middle of a filter that looks through every message."""
    before = seat.seconds()
    seat.do("f").press(SCAN, "enter")
    while seat.seconds() - before < 0.1:
        seat.pump(0.01)
    return seat


def _waiting(store: Path) -> Iterator[Row]:
    with seated(*FLOOR) as seat:
        yield Row("computing while idle: the floor, a second", _idle(seat, FLOOR_READY), AT_MOST, None)
    with seated(*opening(store)) as seat:
        yield Row("computing while idle, a second", _idle(seat, READY), AT_MOST, 1.0)
        grower = subprocess.Popen([sys.executable, "-c", _GROW, store])
        try:
            yield Row("computing while the store grows, a second", _idle(seat, "new"), AT_MOST, 1.0)
        finally:
            grower.kill()
            grower.wait()


def _idle(seat: Seat, shown: Shown) -> float:
    """Milliseconds of computing in a second of which nobody asks anything."""
    seat.until(shown).settle()
    before = seat.seconds()
    return (seat.watch(WATCHED).seconds() - before) * 1_000 / WATCHED
