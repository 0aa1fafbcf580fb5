"""The slow lane again and again, several at once, so that each is the weather of the others: `make weather`.

`python -m tests.weather TIMES BESIDE [WHAT ...]` runs what is named (all of `tests/slow` when nothing is) so often, and
prints a line a run: how it ended, how long it took, how many programs waited for a processor meanwhile. What a run that
failed printed is kept.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class Waiting:
    """How many programs want a processor, on the average since this began."""

    def __init__(self) -> None:
        self._seen = [os.getloadavg()[0]]
        self._over = threading.Event()

    def watch(self) -> None:
        """Look every few seconds until it is over."""
        while not self._over.wait(5):
            self._seen.append(os.getloadavg()[0])

    def end(self) -> float:
        """Stop looking."""
        self._over.set()
        return sum(self._seen) / len(self._seen)


def lane(number: int, folder: Path, what: list[str]) -> bool:
    """One run; True if it passed."""
    log, waiting, began = folder / f"{number}.log", Waiting(), time.monotonic()
    watching = threading.Thread(target=waiting.watch)
    watching.start()
    words = ["-n", os.environ.get("WORKERS", "4"), "--dist", "worksteal", "-p", "no:cacheprovider", "--tb=short"]
    with log.open("w") as file:
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", *words, *what],
            stdout=file,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            check=False,
        )
    load = waiting.end()
    watching.join()
    said = log.read_text(errors="replace").strip().splitlines()[-1:] or ["nothing was printed"]
    took = f"{time.monotonic() - began:,.0f} s, {load:.1f} at {os.cpu_count()} processors"
    kept = "" if ended.returncode == 0 else f"; see {log}"
    print(f"{number}: {said[0].strip(' =')}; {took}{kept}", flush=True)
    return ended.returncode == 0


def main(times: int, beside: int, what: list[str]) -> int:
    """Run them all; returns the exit code."""
    folder = Path(tempfile.mkdtemp(prefix="weather-"))
    with ThreadPoolExecutor(beside) as several:
        passed = list(several.map(lambda number: lane(number, folder, what), range(1, times + 1)))
    print(f"{sum(passed)} of {times} runs passed, {beside} at once")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:] or ["tests/slow"]))
