"""A tag, from its key to its chip on the screen with its line on disk before, beside keys that only move.

Once with no journals, once in a folder of 100,000 events; and a thousand marked conversations beside none, in journals
just too small for an index.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests.bench.bench_journals import EVENTS, write
from tests.bench.bigstore import shared
from tests.bench.rows import Row
from tests.bench.seat import Seat, Times, beside_floor, opening, seated, started

SIZE = 1_458
TAGS = 30
MARKED = 1_000
JOURNAL = 900_000
"""Bytes of the journal in which those are marked: just too few for an index."""
REVIEWED = re.compile(r"\d reviewed")
"""Stands in the head once the journals were read; the foot offers the key from the first frame on."""


def run() -> Iterator[Row]:
    """Tagging from outside, and what many events add to the start."""
    store = shared(SIZE)
    with TemporaryDirectory() as name:
        few, many, marked, unmarked = (Path(name) / each for each in ("few", "many", "marked", "unmarked"))
        for home in (few, many, marked, unmarked):
            home.mkdir()
        write(many / "annotations", EVENTS)
        yield from _tagged(store, few, "no events")
        _marked(store, marked)
        yield from _beside_none(store, marked, unmarked)
        yield from _tagged(store, many, f"{EVENTS:,} events")
        with_none = started(opening(store), shown=REVIEWED)
        with_many = started(opening(store), shown=REVIEWED, home=many)
        added = min(with_many.ours) - min(with_none.ours)
        yield Row(f"{EVENTS:,} events add to the start, beside the floor's", added, min(with_none.floor), 0.5)


def _marked(store: Path, home: Path) -> None:
    """Mark a thousand conversations of the store, in a journal of as many bytes as need no index."""
    session = Session(home / "annotations", "bench", store.name, SUPPORT)
    with Reader(store) as reader:
        every = list(map(reader.stored, reader.ids()[-MARKED:]))
    for stored in every:
        session.verdict(stored, "fail")
    journal = home / "annotations" / "bench.jsonl"
    while journal.stat().st_size < JOURNAL:
        for stored in every[:50]:
            session.tag(stored, "phantom-action", Ref(stored.ref, 2))


def _beside_none(store: Path, marked: Path, unmarked: Path) -> Iterator[Row]:
    """The same keys with many marked and with none, in turn."""
    moved, tagged = Times(), Times()
    with ExitStack() as stack:
        seats = [stack.enter_context(seated(*opening(store), home=home)) for home in (marked, unmarked)]
        for seat in seats:
            seat.until(REVIEWED).settle()
            seat.do("]")
        for number in range(TAGS):
            for seat, home, steps, tags in zip(
                seats, (marked, unmarked), (moved.ours, moved.floor), (tagged.ours, tagged.floor), strict=True
            ):
                if number % 8 == 7:
                    seat.do("]")
                steps.append(seat.key("j"))
                tags.append(_tag(seat, home / "annotations" / "bench.jsonl"))
    yield moved.row(f"a key that moves, {MARKED:,} marked, beside none", 1.2)
    yield tagged.row(f"a tag, {MARKED:,} marked, beside none", 1.2)


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
