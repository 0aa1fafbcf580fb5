"""All reads over the board beside a bare pass that loads the same conversations, and the share of each read."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from reviewer.findings.finding_store import findings_file
from reviewer.findings.reads import READS, Readout
from reviewer.findings.reads.dossier import Dossier
from reviewer.findings.scans import scan, usual
from reviewer.transcripts.store.reader import Reader
from tests.bench.bench_tagging import REVIEWED
from tests.bench.bigstore import northline
from tests.bench.rows import Row
from tests.bench.seat import FRAME, Times, opening, seated

STEPS = 40
"""Conversations that are opened one after the other."""


def run() -> Iterator[Row]:
    """The whole board of 24 models, 10,692 conversations."""
    store = northline(board=True)
    loaded = _loaded(store)
    findings_file(store).unlink(missing_ok=True)
    with Reader(store) as reader:
        ids = reader.ids()
    started = time.perf_counter()
    scan(store, ids, usual())
    took = time.perf_counter() - started
    yield Row(f"scan {len(ids):,} conversations, against loading them", took, loaded, 10.0, "s")
    started = time.perf_counter()
    scan(store, ids, usual())
    yield Row("scan them again, when nothing is new", time.perf_counter() - started, loaded, 1.5, "s")
    yield _shown(store)
    findings_file(store).unlink(missing_ok=True)
    shares = _shares(store)
    for name, spent in sorted(shares.items(), key=lambda pair: -pair[1]):
        yield Row(f"share of {name}", spent, loaded, None, "s")


def _shown(store: Path) -> Row:
    """What suggestions add to opening the next conversation, beside a frame."""
    times = Times()
    with ExitStack() as stack:
        ours, bare = (stack.enter_context(seated(*opening(store, *words))) for words in ((), ("--no-suggestions",)))
        for seat in (ours, bare):
            seat.until(REVIEWED).settle()
        for _ in range(STEPS):
            times.ours.append(ours.key("]"))
            times.floor.append(bare.key("]"))
    added = median(times.ours) - median(times.floor)
    return Row("next conversation: what suggestions add, beside a frame", added, FRAME, 1.0)


def _loaded(store: Path) -> float:
    started = time.perf_counter()
    with Reader(store) as reader:
        for rowid in reader.ids():
            reader.stored(rowid)
    return time.perf_counter() - started


def _shares(store: Path) -> dict[str, float]:
    """Seconds of each read alone; what it is the first to ask of the dossier counts as its own."""
    spent: defaultdict[str, float] = defaultdict(float)
    with Reader(store) as reader:
        for rowid in reader.ids():
            dossier, readout = Dossier(reader.stored(rowid)), Readout()
            for read in READS:
                if read.look is not None and not read.off:
                    started = time.perf_counter()
                    readout.take(read, read.look(dossier))
                    spent[read.name] += time.perf_counter() - started
    return spent
