"""The app as the person at the keyboard sees it: ready, and a key to its paint, beside an empty Textual app.

Timed from outside by `ttytime` (../shared/tools), in turn with the floor; skipped aloud where that is not at hand.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.bigstore import shared
from tests.bench.rows import Row

TTYTIME = Path(__file__).resolve().parents[3] / "shared" / "tools" / "ttytime"
ROUNDS = 5
SIZES = (1_000, 10_000, 100_000)
FLOOR = [sys.executable, "-m", "tests.bench.floor_app"]
KEYS = {"next message": "j,k", "next conversation": "],[", "a page": "J,K"}

Figures = dict[str, Any]


def run() -> Iterator[Row]:
    """Ready, memory and keys at each size."""
    if not TTYTIME.exists():
        print("  skipped: ../shared/tools/ttytime is not here")
        return
    for size in SIZES:
        yield from _at(size)


def _at(size: int) -> Iterator[Row]:
    store = shared(size)
    with tempfile.TemporaryDirectory() as annotations:
        program = Path(sys.executable).with_name("reviewer")
        ours = [str(program), "open", str(store), "--annotations", annotations, "--as", "bench"]
        for index, (name, keys) in enumerate(KEYS.items()):
            pairs = [
                (_timed(ours, r"(customer|agent) +\d", keys), _timed(FLOOR, "conversation 5", "j,k"))
                for _ in range(ROUNDS)
            ]
            if index == 0:
                yield _row(f"ready, {size:,} conversations", pairs, "ready_ms", 1.4)
                yield _row(f"memory, {size:,} conversations", pairs, "peak_mib", 2.5, "MiB")
            yield _row(f"{name}, {size:,} conversations", pairs, "key_p50_ms", 2.0)


def _row(name: str, pairs: list[tuple[Figures, Figures]], figure: str, bound: float, unit: str = "ms") -> Row:
    """The medians of both sides."""
    ours, floor = ([each[side][figure] for each in pairs] for side in (0, 1))
    return Row(name, statistics.median(ours), statistics.median(floor), bound, unit)


def _timed(command: list[str], ready: str, keys: str) -> Figures:
    options = ["--ready", ready, "--key", keys, "--times", "25", "--size", "140x40"]
    program = [sys.executable, str(TTYTIME), *options, "--", *command]
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as state:  # everybody comes for the first time
        compiled["XDG_STATE_HOME"] = state
        ran = subprocess.run(program, capture_output=True, text=True, check=False, env=compiled)
    found: Figures = json.loads(ran.stdout or "{}")
    if found.get("ready_ms") is None or "key_p50_ms" not in found:
        raise RuntimeError(f"{command} did not become ready or answered no key: {ran.stdout}{ran.stderr}")
    return found
