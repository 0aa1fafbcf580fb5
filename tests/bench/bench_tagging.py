"""A tag, from its key to its chip on the screen with its line on disk before, beside keys that only move.

Once with no journals, once in a folder of 100,000 events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.bench_journals import EVENTS, write
from tests.bench.bigstore import shared
from tests.bench.rows import Row
from tests.bench.seat import Seat, Times, beside_floor, opening, started

SIZE = 1_458
TAGS = 30
REVIEWED = re.compile(r"\d reviewed")
"""Stands in the head once the journals were read; the foot offers the key from the first frame on."""


def run() -> Iterator[Row]:
    """Tagging from outside, and what many events add to the start."""
    store = shared(SIZE)
    with TemporaryDirectory() as name:
        few, many = Path(name) / "few", Path(name) / "many"
        for home in (few, many):
            home.mkdir()
        write(many / "annotations", EVENTS)
        yield from _tagged(store, few, "no events")
        yield from _tagged(store, many, f"{EVENTS:,} events")
        with_none = started(opening(store), shown=REVIEWED)
        with_many = started(opening(store), shown=REVIEWED, home=many)
        added = min(with_many.ours) - min(with_none.ours)
        yield Row(f"{EVENTS:,} events add to the start, beside the floor's", added, min(with_none.floor), 0.5)


def _tagged(store: Path, home: Path, where: str) -> Iterator[Row]:
    moved, bare = Times(), Times()
    with beside_floor(*opening(store), shown=REVIEWED, home=home) as (ours, floor):
        ours.do("]")
        for number in range(TAGS):
            if number % 8 == 7:
                ours.do("]")
            step = ours.key("j")
            took = _tag(ours, home / "annotations" / "bench.jsonl")
            moved.ours.append(took)
            moved.floor.append(step)
            bare.ours.append(took)
            bare.floor.append(floor.key("jk"[number % 2]))
    yield moved.row(f"a tag, {where}, beside a key that moves", 2.0)
    yield bare.row(f"a tag, {where}, beside the floor's key", None)


def _tag(ours: Seat, journal: Path) -> float:
    """Milliseconds until the tag was on the screen; its line must be in the journal by then."""
    before = journal.stat().st_size if journal.exists() else 0
    chips = ours.text.count("⟦")
    took = ours.key("1")
    if ours.text.count("⟦") != chips + 1 or journal.stat().st_size == before:
        raise RuntimeError(f"the first frame after the key did not show the tag, or it is not on disk:\n{ours.text}")
    return took
