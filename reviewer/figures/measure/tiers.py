"""Models by their tier: figures of those that cost alike, side by side with those of others. Pure.

The tier is that of what 1,000 conversations cost. Where no model's cost is known, as of synthetic stores that nobody
was billed for, it is the one that the sources say. A group's figure is the median of its models' medians, with the
least and the most of them; acts are counted together as well, over all runs. No rate is averaged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal

from reviewer.figures.measure import metrics
from reviewer.figures.measure.board import Board, Row
from reviewer.figures.measure.board_places import tier_of
from reviewer.figures.measure.costs import ModelCost
from reviewer.transcripts.prices import PriceList

TierSource = Literal["cost", "source", "none"]
"""Whether a tier is of what conversations cost, as sources say it, or nobody knows one."""


@dataclass(frozen=True, slots=True)
class TierFigure:
    """One metric of the models of a tier."""

    median: float
    """Of the models' medians."""
    least: float
    most: float
    models: int
    """How many of the tier's models have it."""
    banded: bool
    """Whether it is a count of which a band of safety can be told."""
    counted: tuple[int, int] | None
    """For acts: how many there were over all runs of all models, of how many conversations."""


@dataclass(frozen=True, slots=True)
class Tier:
    """The models of one tier, in board order, and their figures."""

    name: str
    """Empty for the models of which no tier is known."""
    models: tuple[str, ...]
    figures: Mapping[str, TierFigure]


@dataclass(frozen=True, slots=True)
class TierGroups:
    """The tiers, the cheapest first, and what makes them."""

    tiers: tuple[Tier, ...]
    by: TierSource
    reasons: Mapping[str, str]
    """Model to why no tier of it is known."""
    cut_offs: str
    """In words, where tiers are of costs."""


def tier_groups(board: Board, costs: Iterable[ModelCost], prices: PriceList) -> TierGroups:
    """Group the models of a board by their tier; those without one come last."""
    by_model = {each.model: each for each in costs}
    priced = {model: each.tier for model, each in by_model.items() if each.tier is not None}
    said = {row.model: row.about["tier"] for row in board.rows if tier_of(row) is not None}
    named = priced or said
    grouped: defaultdict[str, list[Row]] = defaultdict(list)
    for row in board.rows:
        grouped[named.get(row.model) or ""].append(row)
    order = [*(prices.tier_names if priced else sorted(set(said.values()), key=len)), ""]
    tiers = (Tier(name, tuple(row.model for row in grouped[name]), _figures(grouped[name])) for name in order)
    reasons = {row.model: _reason(by_model.get(row.model), bool(priced), board.synthetic) for row in grouped[""]}
    by: TierSource = "cost" if priced else "source" if said else "none"
    return TierGroups(tuple(tier for tier in tiers if tier.models), by, reasons, prices.cut_offs if priced else "")


def _reason(cost: ModelCost | None, priced: bool, synthetic: bool) -> str:
    if synthetic:
        return "nobody was billed"
    if cost is None:
        return "no tokens told" if priced else "no tier said"
    return "no price" if cost.unpriced else "nothing but 0 told"


def _figures(rows: list[Row]) -> dict[str, TierFigure]:
    names = dict.fromkeys(name for row in rows for name in row.metrics)
    return {name: _figure([row for row in rows if name in row.metrics], name) for name in names}


def _figure(rows: list[Row], name: str) -> TierFigure:
    own = [row.metrics[name] for row in rows]
    values = sorted(each.median for each in own)
    sums = int(sum(sum(each.k) for each in own)), sum(sum(each.n) for each in own)
    counted = None if metrics.metric_named(name).kind == "mean" else sums
    told = name == metrics.UNSAFE and all(row.banded for row in rows)
    return TierFigure(median(values), values[0], values[-1], len(own), told, counted)


def as_object(groups: TierGroups) -> dict[str, Any]:
    """The groups as JSON."""
    return {
        "by": groups.by,
        "cut_offs": groups.cut_offs,
        "groups": [
            {
                "tier": tier.name or None,
                "models": list(tier.models),
                "why": {model: groups.reasons[model] for model in tier.models if model in groups.reasons},
                "metrics": {name: _object(each) for name, each in tier.figures.items()},
            }
            for tier in groups.tiers
        ],
    }


def _object(each: TierFigure) -> dict[str, Any]:
    told = {"median_of_medians": each.median, "least": each.least, "most": each.most, "models": each.models}
    return {**told, **({"k": each.counted[0], "n": each.counted[1]} if each.counted else {})}
