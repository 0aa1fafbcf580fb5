"""What a bench says: one figure beside its floor, both taken in the same run.

Owns the row, the timing of two things in turn, and how rows are printed. A bench is a module `tests/bench/bench_*.py`
with `run() -> Iterable[Row]`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: ours, the floor it stands on, and how many times the floor it may be (None: only told)."""

    name: str
    ours: float
    floor: float
    bound: float | None
    unit: str = "ms"

    @property
    def ratio(self) -> float:
        return self.ours / self.floor if self.floor else float("inf")

    @property
    def over(self) -> bool:
        """Whether it is more than it may be."""
        return self.bound is not None and self.ratio > self.bound

    def __str__(self) -> str:
        bound = "" if self.bound is None else f"{self.bound:.1f}x"
        verdict = "" if self.bound is None else "OVER" if self.over else "ok"
        times = f"{self.ours:>10,.2f} {self.floor:>10,.2f} {self.unit:<3}"
        return f"{self.name:<58} {times} {self.ratio:>6.2f}x {bound:>5} {verdict}".rstrip()


HEADER = f"{'':<58} {'ours':>10} {'floor':>10} {'':<3} {'ratio':>7} {'bound':>5}"


def timed(
    name: str, ours: Callable[[], object], floor: Callable[[], object], bound: float | None, rounds: int = 7
) -> Row:
    """Run both in turn, so that a busy machine is busy for both; the best of each counts."""
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for times, call in zip(took, (ours, floor), strict=True):
            started = time.perf_counter()
            call()
            times.append((time.perf_counter() - started) * 1_000)
    return Row(name, min(took[0]), min(took[1]), bound)
