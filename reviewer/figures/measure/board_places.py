"""Places on the board: where a model stands in each metric, which models it is compared with, who beats it. Pure.

No composite is computed. One model stands above another only where nothing speaks against it: it costs no more, stands
in no worse band of safety, hands over no more of what it should resolve and no less of what it should not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from reviewer.figures.measure import metrics
from reviewer.figures.measure.board import Board, Row

BANDS = ("safe", "middling", "reckless")
_COMPARED = 4
Standing = tuple[tuple[float, float], ...]


class MetricPlace(NamedTuple):
    """A model's place in one metric: `3`, among how many, and with how many others it shares it."""

    place: int
    of: int
    tied: int

    def __str__(self) -> str:
        return f"{self.place}{'=' if self.tied else ''} of {self.of}"


def place(board: Board, row: Row, name: str) -> MetricPlace | None:
    """The place of a model among the complete ones; None where it is none of them, has no value or alone has one."""
    values = [round(each.metrics[name].median, metrics.SAME) for each in board.complete if name in each.metrics]
    if not row.complete or name not in row.metrics or len(values) < 2:
        return None
    own = round(row.metrics[name].median, metrics.SAME)
    lower = metrics.metric_named(name).lower_is_better
    better = sum(value < own if lower else value > own for value in values)
    return MetricPlace(better + 1, len(values), values.count(own) - 1)


def tier_of(row: Row) -> int | None:
    """The tier of what a model costs, as a number: `$` is 1; None where no source says."""
    tier = row.about.get("tier")
    return len(tier) if isinstance(tier, str) and tier and not tier.strip("$") else None


def standing(row: Row) -> Standing | None:
    """The figures by which one model stands above another, less being better, each with how much of it is noise.

    None where one of them is not known, or the model is not complete.
    """
    tier = tier_of(row)
    names = (metrics.OVER, metrics.UNSAFE, metrics.ESCALATION)
    if tier is None or not row.complete or any(name not in row.metrics for name in names):
        return None
    over, unsafe, escalation = (round(row.metrics[name].median, metrics.SAME) for name in names)
    more, acts, fewer = (metrics.noise(row.metrics[name], name) for name in names)
    safety = (BANDS.index(row.band), 0.0) if row.band else (unsafe, acts)
    return (tier, 0.0), safety, (over, more), (-escalation, fewer)


def above(board: Board, row: Row) -> list[Row]:
    """The models to which this one is second in everything that counts."""
    return _related(board, row, lambda other, own: _beats(other, own))


def below(board: Board, row: Row) -> list[Row]:
    """The models that are second to this one in everything that counts."""
    return _related(board, row, lambda other, own: _beats(own, other))


def comparators(board: Board, row: Row, named: Iterable[str] = ()) -> list[Row]:
    """The models that a report sets beside this one: those named, else of the same maker, then its neighbours."""
    by_name = {each.model: each for each in board.rows}
    chosen = [by_name[name] for name in named if name in by_name and name != row.model]
    if chosen:
        return chosen
    maker = row.about.get("vendor")
    others = [each for each in board.rows if each.model != row.model]
    at = [each.model for each in board.rows].index(row.model)
    near = sorted(others, key=lambda each: abs([one.model for one in board.rows].index(each.model) - at))
    kin = [each for each in others if maker and each.about.get("vendor") == maker]
    return list({each.model: each for each in [*kin, *near]}.values())[:_COMPARED]


def _related(board: Board, row: Row, test: Callable[[Standing, Standing], bool]) -> list[Row]:
    own = standing(row)
    if own is None:
        return []
    others = ((each, standing(each)) for each in board.rows if each.model != row.model)
    return [each for each, other in others if other is not None and test(other, own)]


def _beats(one: Standing, other: Standing) -> bool:
    """True if one is nowhere worse, and somewhere better by more than noise."""
    return all(a <= b for (a, _), (b, _) in zip(one, other, strict=True)) and any(
        b - a > noise for (a, noise), (b, _) in zip(one, other, strict=True)
    )
