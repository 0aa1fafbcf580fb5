"""A seat before a terminal: what a program costs whoever sits there, measured from outside.

Owns the clock and the floor's command. A time is taken when the bytes arrive that changed the screen, so that painting
them here costs the program nothing. Two programs are measured in turn, key by key, so that a busy machine is busy for
both.
"""

from __future__ import annotations

import compileall
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.rows import Row
from tests.terminal import LIMIT, Terminal

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(sys.executable).with_name("reviewer")
FLOOR = (sys.executable, "-m", "tests.bench.floor_app")
READY = re.compile(r"(customer|agent) +\d")
FLOOR_READY = "conversation 5"
MOVES = ("j", "k")
"""The floor's key, there and back."""
KEY = 3.0
"""How many times the floor's key ours may take: half of them at most."""
FRAME = 17.0
"""Milliseconds of a frame: so much more than the floor's slowest ours may take."""
SCAN = '"zq xz"'
"""A filter that no index helps with and nothing passes: every message is looked through."""
_SIZE = (140, 40)
_REST = 0.04
"""Seconds without a word after which a key has done what it does."""
_PATIENCE = 5.0

Shown = str | re.Pattern[str]


class Seat(Terminal):
    """A program in a terminal, with a watch beside it."""

    def __init__(self, *command: str | Path, env: Mapping[str, str | None]) -> None:
        super().__init__(*command, size=_SIZE, env=env, cwd=ROOT)
        self._frames = 0
        self.painted.append(self._count)

    def ready(self, wanted: Shown) -> float:
        """Milliseconds from the start until something is on the screen."""
        until = time.perf_counter() + LIMIT
        while not (self._frame(_REST) and self._holds(wanted)):
            if self.ended or time.perf_counter() > until:
                raise RuntimeError(f"{wanted!r} never came:\n{self.text}")
        return (self.arrived - self.started) * 1_000

    def key(self, key: str) -> float:
        """Milliseconds from a key to the first frame that changed the screen."""
        before = self._cells()
        self.press(key)
        took = None
        while took is None and time.perf_counter() - self.sent < _PATIENCE:
            if self._frame(_REST) and self._cells() != before:
                took = (self.arrived - self.sent) * 1_000
        while self.pump(_REST):
            pass
        if took is None:
            raise RuntimeError(f"{key} changed nothing on the screen:\n{self.text}")
        return took

    def watch(self, seconds: float) -> Seat:
        """Look on for so long, touching nothing."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            self.pump(left)
        return self

    def seconds(self) -> float:
        """Seconds of computing so far, all threads together."""
        tasks = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(each.read_text().split()[0]) for each in tasks) / 1e9

    @property
    def memory(self) -> float:
        """The most memory that it ever had, in MiB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 1024

    def _frame(self, timeout: float) -> bool:
        """Read on to the end of a frame, looking at nothing before; False when none came in time."""
        before = self._frames
        while self.pump(timeout):
            if self._frames > before:
                return True
        return False

    def _count(self, _: Terminal) -> None:
        self._frames += 1

    def _cells(self) -> list[Any]:
        """All that the screen shows, colours included, so that a moved highlight counts."""
        columns, rows = self.size
        return [tuple(self._screen.buffer[row][column] for column in range(columns)) for row in range(rows)]


@dataclass
class Times:
    """Milliseconds of both sides, taken in turn."""

    ours: list[float] = field(default_factory=list)
    floor: list[float] = field(default_factory=list)

    def add(self, more: Times) -> None:
        """These as well."""
        self.ours += more.ours
        self.floor += more.floor

    def row(self, name: str, bound: float | None, unit: str = "ms") -> Row:
        """The medians beside each other."""
        return Row(name, median(self.ours), median(self.floor), bound, unit)

    def within_a_frame(self, name: str) -> Row:
        """The medians, ours beside a frame more than the floor's."""
        return Row(name, median(self.ours), median(self.floor) + FRAME, 1.0)

    def slowest(self, name: str) -> Row:
        """The slowest but one of a hundred, beside a frame more than the floor's."""
        ours, floor = (sorted(times)[int(0.99 * (len(times) - 1))] for times in (self.ours, self.floor))
        return Row(name, ours, floor + FRAME, 1.0)


def opening(store: Path, *words: str | Path) -> tuple[str | Path, ...]:
    """The command that opens a store, with journals of its own unless told otherwise."""
    return (PROGRAM, "open", store, "--as", "bench", *words)


@contextmanager
def seated(*command: str | Path, home: Path | None = None) -> Iterator[Seat]:
    """A program just started, by somebody who was never there before unless a home is given."""
    _compile()
    with tempfile.TemporaryDirectory(prefix="reviewer-bench-") as fresh:
        place = str(home or fresh)
        env: dict[str, str | None] = {"PYTHONDONTWRITEBYTECODE": None, "REVIEWER_ANNOTATIONS": f"{place}/annotations"}
        env |= {f"XDG_{kind}_HOME": place for kind in ("STATE", "CACHE", "CONFIG", "DATA")}
        with Seat(*command, env=env) as seat:
            yield seat


def started(ours: Sequence[str | Path], rounds: int = 5, shown: Shown = READY, home: Path | None = None) -> Times:
    """Ready times: ours and the floor's in turn."""
    found = Times()
    for _ in range(rounds):
        with seated(*ours, home=home) as seat:
            found.ours.append(seat.ready(shown))
        with seated(*FLOOR) as seat:
            found.floor.append(seat.ready(FLOOR_READY))
    return found


@contextmanager
def beside_floor(*command: str | Path, shown: Shown = READY, home: Path | None = None) -> Iterator[tuple[Seat, Seat]]:
    """Ours and the floor, both ready and at rest."""
    with ExitStack() as stack:
        ours, floor = stack.enter_context(seated(*command, home=home)), stack.enter_context(seated(*FLOOR))
        ours.until(shown).settle()
        floor.until(FLOOR_READY).settle()
        yield ours, floor


def pressed(ours: Seat, floor: Seat, keys: Sequence[str], times: int = 10, moves: Sequence[str] = MOVES) -> Times:
    """The keys over and over, each in turn with the floor's, or another program's."""
    found = Times()
    for _ in range(times):
        for key, move in zip(keys, moves, strict=True):
            found.ours.append(ours.key(key))
            found.floor.append(floor.key(move))
    return found


@cache
def _compile() -> None:
    """As an installed program is: compiled before it is started."""
    for name in ("reviewer", "tests"):
        compileall.compile_dir(ROOT / name, quiet=1)
