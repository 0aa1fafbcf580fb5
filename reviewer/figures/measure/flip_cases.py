"""Flips: the cases whose runs came to different ends, and what happened in which run. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from reviewer.transcripts import desk
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.model import QueueRow

NOTHING = "neither write nor handover"
BROKE_OFF = ", broke off"


class RunEnd(NamedTuple):
    """What came of a case in one run."""

    run: int | None
    ref: str
    words: str


class FlipCase(NamedTuple):
    """A case whose runs ended in different acts."""

    case: str
    family: str | None
    bucket: str | None
    ends: tuple[RunEnd, ...]


class CaseComparison(NamedTuple):
    """The cases of a model with several runs, and those of them that flip."""

    compared: int
    flips: tuple[FlipCase, ...]
    by_bucket: dict[str | None, tuple[int, int]]
    """Bucket to flips and cases compared."""


def flip_cases(rows: Iterable[QueueRow]) -> CaseComparison:
    """Compare the runs of each case of one model; cases without a desk, or with a single run, are left aside."""
    by_case: defaultdict[str, list[QueueRow]] = defaultdict(list)
    for row in rows:
        if row.case is not None and desk.kept(row.desk).tools:
            by_case[row.case].append(row)
    several = {case: runs for case, runs in by_case.items() if len(runs) > 1}
    counted: defaultdict[str | None, list[int]] = defaultdict(lambda: [0, 0])
    flips = []
    for case, runs in several.items():
        ordered = sorted(runs, key=lambda row: (row.run is None, row.run or 0))
        outcomes = [outcome.of_row(row) for row in ordered]
        differs = outcome.flips(outcomes)
        counted[runs[0].bucket][0] += differs
        counted[runs[0].bucket][1] += 1
        if differs:
            ends = tuple(
                RunEnd(row.run, row.ref, f"{words or NOTHING}{BROKE_OFF if end.broken else ''}")
                for row, end, words in zip(ordered, outcomes, outcome.described(outcomes), strict=True)
            )
            flips.append(FlipCase(case, runs[0].family, runs[0].bucket, ends))
    return CaseComparison(len(several), tuple(flips), {bucket: (n[0], n[1]) for bucket, n in counted.items()})
