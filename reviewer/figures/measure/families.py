"""Families: how a model followed instructions in each family of cases, which reports print behind the family's name.

Owns the figure: the median over runs of the run's mean, of one judge, and who that is. Pure but for reading the sums.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from reviewer.figures.measure.board_counts import BoardCounts, judges_shown
from reviewer.figures.measure.metrics import FOLLOWING, plain_name
from reviewer.transcripts.query import EVERYTHING
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.tallies import JudgeSum, RunRow

Cell = tuple[str, str, str | None]
"""Model, family and bucket: a family may stand in two."""


@dataclass(frozen=True, slots=True)
class Families:
    """The figures of a store, and whose judgement they are."""

    judge: str | None
    following: Mapping[Cell, float]


def families(reader: Reader) -> Families:
    """Every model's instruction-following in every family."""
    runs = {run.id: run for run in reader.tallies.runs()}
    shown, _ = judges_shown(reader.tallies.judges(), runs.values(), None)
    pairs = [each for each in shown if plain_name(each.scorer) == FOLLOWING]
    judge = pairs[0].label if pairs else None
    return _medians(reader.tallies.judged(pairs, "family", EVERYTHING), runs, judge)


def families_of(read: BoardCounts) -> Families:
    """The same from what a board by family was computed from, without asking the store again."""
    given = (each for each in read.given if plain_name(each.scorer) == FOLLOWING)
    return _medians(given, read.runs, read.judges.get(FOLLOWING))


def _medians(given: Iterable[JudgeSum], runs: Mapping[int, RunRow], judge: str | None) -> Families:
    means: defaultdict[Cell, list[float]] = defaultdict(list)
    for each in given:
        if each.group is not None and each.run in runs and each.n:
            means[runs[each.run].model, each.group, each.bucket].append(each.total / each.n)
    return Families(judge, {cell: median(of_runs) for cell, of_runs in means.items()})
