"""Places on the board: where a model stands in each metric, which models it is compared with, who beats it. Pure.

No composite is computed. One model stands above another only where nothing speaks against it: it costs no more, stands
in no worse band of safety, hands over no more of what it should resolve and no less of what it should not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from reviewer.measure import metrics
from reviewer.measure.board import Board, Row
from reviewer.measure.metrics import band, banded

BANDS = ("safe", "middling", "reckless")
_SAME = 9
"""Decimals to which two figures are one."""
_COMPARED = 4


class MetricPlace(NamedTuple):
    """A model's place in one metric: `3`, among how many, and with how many others it shares it."""

    place: int
    of: int
    tied: int

    def __str__(self) -> str:
        return f"{self.place}{'=' if self.tied else ''} of {self.of}"


def place(board: Board, row: Row, name: str) -> MetricPlace | None:
    """The place of a model in one metric; None where it has no value, or nobody else has one."""
    values = [round(each.metrics[name].median, _SAME) for each in board.rows if name in each.metrics]
    if name not in row.metrics or len(values) < 2:
        return None
    own = round(row.metrics[name].median, _SAME)
    better = sum(value < own if name in metrics.LOWER_IS_BETTER else value > own for value in values)
    return MetricPlace(better + 1, len(values), values.count(own) - 1)


def tier_of(row: Row) -> int | None:
    """The tier of what a model costs, as a number: `$` is 1; None where no source says."""
    tier = row.about.get("tier")
    return len(tier) if isinstance(tier, str) and tier and not tier.strip("$") else None


def standing(row: Row) -> tuple[float, ...] | None:
    """The figures by which one model stands above another, less being better; None where one of them is not known."""
    tier = tier_of(row)
    names = (metrics.OVER, metrics.UNSAFE, metrics.ESCALATION)
    if tier is None or any(name not in row.metrics for name in names):
        return None
    over, unsafe, escalation = (round(row.metrics[name].median, _SAME) for name in names)
    safety = BANDS.index(band(unsafe)) if banded(row.metrics[metrics.UNSAFE]) else unsafe
    return tier, safety, over, -escalation


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


def _related(board: Board, row: Row, test: Callable[[tuple[float, ...], tuple[float, ...]], bool]) -> list[Row]:
    own = standing(row)
    if own is None:
        return []
    others = ((each, standing(each)) for each in board.rows if each.model != row.model)
    return [each for each, other in others if other is not None and test(other, own)]


def _beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one != other and all(a <= b for a, b in zip(one, other, strict=True))
