"""The board by tier as text of at most 100 columns. Pure: values in, lines out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from textwrap import wrap

from reviewer.basics.cells import WIDTH, padded
from reviewer.basics.clean import printable_line
from reviewer.figures.export.board_table import BoardTableColumn, columns_of
from reviewer.figures.export.print_counts import number
from reviewer.figures.measure.board import Board
from reviewer.figures.measure.metrics import band
from reviewer.figures.measure.printed_figures import rounded
from reviewer.figures.measure.tiers import Tier, TierFigure, TierGroups

_NOT_KNOWN = "tier not known"
_NAME = 26
_HOW = (
    "Each figure is the median of the models' medians, below it the least and the most of them, with their number where"
    " not all have it; acts are then counted together, over all runs of all models of the tier."
)
_BY = {
    "cost": "Tiers are of what 1,000 conversations cost: {}.",
    "source": "Tiers are as the sources say them; of no model here is known what a conversation cost.",
    "none": "Of no model here is known what a conversation cost, and no source says a tier.",
}
"""What makes the tiers, in words."""

Cell = Callable[[TierFigure, BoardTableColumn], str]


def lines(groups: TierGroups, board: Board) -> Iterator[str]:
    """The models by tier, and what that is."""
    columns = columns_of(board)
    yield f"{padded('By tier', _NAME)}{''.join(padded(column.title, column.width) for column in columns)}".rstrip()
    for tier in groups.tiers:
        yield from _tier(tier, groups, columns)
    yield ""
    yield from wrap(f"{_BY[groups.by].format(groups.cut_offs)} {_HOW}", WIDTH)


def _tier(tier: Tier, groups: TierGroups, columns: list[BoardTableColumn]) -> Iterator[str]:
    count = number(len(tier.models), "model")
    yield _line(f"{printable_line(tier.name) or _NOT_KNOWN}, {count}", tier, columns, _middle)
    if len(tier.models) > 1:
        yield _line("  least to most", tier, columns, partial(_range, of=len(tier.models)))
    if any(each.counted for each in tier.figures.values()):
        yield _line("  together", tier, columns, _together)
    by_reason: dict[str, list[str]] = {}
    for model in tier.models:
        by_reason.setdefault(groups.reasons.get(model, ""), []).append(printable_line(model))
    for reason, models in by_reason.items():
        named = f"{reason}{': ' if reason else ''}{', '.join(models)}"
        yield from wrap(named, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)


def _line(label: str, tier: Tier, columns: list[BoardTableColumn], say: Cell) -> str:
    texts = ((column, tier.figures.get(column.name)) for column in columns)
    cells = (padded("-" if each is None else say(each, column), column.width) for column, each in texts)
    return f"{padded(label, _NAME)}{''.join(cells)}".rstrip()


def _middle(each: TierFigure, column: BoardTableColumn) -> str:
    if each.banded:
        return f"{each.median:g} {band(each.median)}"
    return rounded(each.median, column.kind)


def _range(each: TierFigure, column: BoardTableColumn, of: int) -> str:
    """The least and the most; nothing where there is no room for both."""
    if not column.runs:
        return ""
    fewer = f" ({each.models})" if each.models < of else ""
    return f"{rounded(each.least, column.kind)} to {rounded(each.most, column.kind)}{fewer}"


def _together(each: TierFigure, column: BoardTableColumn) -> str:
    return f"{each.counted[0]:,} of {each.counted[1]:,}" if each.counted and column.runs else ""
