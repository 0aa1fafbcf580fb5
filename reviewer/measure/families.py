"""Families: how a model followed instructions in each family of cases, which reports print behind the family's name.

Owns the figure: the median over runs of the run's mean, of one judge, and who that is. Pure but for reading the sums.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from reviewer.measure.board import judges_shown, plain_name
from reviewer.measure.metrics import FOLLOWING
from reviewer.query import EVERYTHING
from reviewer.store.reader import Reader

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
    pairs = [(scorer, judge) for scorer, judge in shown if plain_name(scorer) == FOLLOWING]
    means: defaultdict[Cell, list[float]] = defaultdict(list)
    for each in reader.tallies.judged(pairs, "family", EVERYTHING):
        if each.group is not None and each.run in runs and each.n:
            means[runs[each.run].model, each.group, each.bucket].append(each.total / each.n)
    judge = pairs[0][1] if pairs else None
    return Families(judge, {cell: median(of_runs) for cell, of_runs in means.items()})
