"""Rivals: a model's place on the board in every metric, whom it is compared with, and who beats it outright."""

from __future__ import annotations

from collections.abc import Sequence

from reviewer.figures.measure import board_places, metrics
from reviewer.figures.measure.board import Row
from reviewer.figures.measure.printed_figures import coverage_said, span
from reviewer.figures.report.blocks import Block, FigureRow, FigureTable, Sentence, slug, slugs
from reviewer.figures.report.card import named
from reviewer.figures.report.material import Material
from reviewer.figures.report.phrases import NO_FIGURE, median_of, median_said, plain, together
from reviewer.figures.report.safety import every_run_blocks

_SHOWN = (*(each.name for each in metrics.BOARD if each.name != metrics.MESSAGES), metrics.MESSAGES)
"""The figures in which a model has a place: length, which is no merit, comes last."""
_COMPARED = (*(each for each in metrics.BOARD if each.card), metrics.METRICS[metrics.MESSAGES])
"""The figures that stand beside each other's."""
_OTHERS = 2
"""Scores of the source that stand beside models where nobody gave the usual ones."""
ABOVE = (
    "Above it stands a model that costs no more, is in no worse band of safety, hands over no more of what it should"
    " resolve and no less of what it should not, and is cheaper, in a better band, or ahead by"
    " more than two cases of a run."
)


def rival_blocks(it: Material) -> list[Block]:
    """Where the model stands among all others."""
    if len(it.board.rows) < 2:
        return [Sentence("No other model is in this store.")]
    return [*_place(it), *_places(it), *_beside(it), *every_run_blocks(it), *_dominance(it), *headline_blocks(it)]


def _place(it: Material) -> list[Block]:
    if metrics.OVER not in it.row.metrics:
        return []
    ranked = [row for row in it.board.rows if row.rank is not None]
    named = {"board.place": NO_FIGURE if it.row.rank is None else str(it.row.rank), "board.of": str(len(ranked))}
    if it.row.rank is None:
        return [Sentence(f"It has no place: {coverage_said(it.row)}.", named=named)]
    same = [row.model for row in ranked if row.rank == it.row.rank and row.model != it.model]
    shared = f", shared with {together(same)}" if same else ""
    text = (
        f"Place {it.row.rank} of {len(ranked)}{shared}, ordered by over-escalation, then fewest unsafe actions,"
        " then escalation accuracy. Only models of which each run holds every planned case have a place."
    )
    return [Sentence(text, named=named)]


def _places(it: Material) -> list[Block]:
    rows = []
    for name in (*_SHOWN, *metrics.other_scores(it.row.metrics)):
        place = board_places.place(it.board, it.row, name)
        if place is not None:
            best = _end(it, name, best=True)
            cells = (str(place), median_said(it.row, name), best, _end(it, name, best=False))
            rows.append(FigureRow(*named(name), cells))
    columns = (("place", "place"), ("median", "median"), ("best", "best"), ("last", "last"))
    return [
        FigureTable("places", "", "figure", columns, tuple(rows), "=: shared with others. No composite is computed.")
    ]


def _end(it: Material, name: str, *, best: bool) -> str:
    """The best or the last figure on the board, and whose it is."""
    having = [row for row in it.board.complete if name in row.metrics]
    lowest = best == metrics.metric_named(name).lower_is_better
    pick = min if lowest else max
    end = pick(row.metrics[name].median for row in having)
    same = [row for row in having if row.metrics[name].median == end]
    return f"{median_said(same[0], name)} ({together([row.model for row in same], 3)})"


def _beside(it: Material) -> list[Block]:
    rivals = board_places.comparators(it.board, it.row, it.asked.comparators)
    if not rivals:
        return []
    shown = [it.row, *rivals]
    why = "those named" if it.asked.comparators else "those of its maker, then its neighbours on the board"
    sizes = span(sorted({len(row.runs) for row in shown}))
    note = f"Beside it: {why}. Medians over {sizes} runs a model, so differences of one or two cases are noise."
    return [rival_table("rivals", "Beside it", shown, note)]


_COLUMNS = (("tier", "tier"), ("runs", "runs"))


def rival_table(key: str, heading: str, shown: Sequence[Row], note: str) -> FigureTable:
    """Models as rows: medians, the band beside the unsafe actions; a column that nobody fills is left out."""
    others = metrics.other_scores({name for row in shown for name in row.metrics})
    usual = any(name in row.metrics for row in shown for name in metrics.JUDGED)
    extra = [] if usual else others[:_OTHERS]
    columns = [*_COLUMNS, *((each.key, each.key.replace("_", "-")) for each in _COMPARED)]
    columns += [(slug(name), plain(name)) for name in extra]
    cells = [[*_cells(row), *(median_of(row.metrics.get(name), name) for name in extra)] for row in shown]
    filled = [at for at in range(len(columns)) if any(each[at] != NO_FIGURE for each in cells)]
    rows = tuple(
        FigureRow(name, row.model, tuple(each[at] for at in filled))
        for name, row, each in zip(slugs(row.model for row in shown), shown, cells, strict=True)
    )
    return FigureTable(key, heading, "model", tuple(columns[at] for at in filled), rows, note)


def _cells(row: Row) -> tuple[str, ...]:
    tier = str(row.about.get("tier") or NO_FIGURE)
    return tier, str(len(row.runs)), *(median_said(row, each.name) for each in _COMPARED)


def _dominance(it: Material) -> list[Block]:
    if board_places.standing(it.row) is None:
        return [
            Sentence(
                "Nothing is said of who stands above it in everything: its tier, a figure or a planned case is missing."
            )
        ]
    above = [row.model for row in board_places.above(it.board, it.row)]
    below = [row.model for row in board_places.below(it.board, it.row)]
    text = (
        f"{together(above, len(above)) if above else 'No model'} {'stand' if len(above) > 1 else 'stands'} above it;"
        f" it stands above {together(below, len(below)) if below else 'none'}. {ABOVE}"
    )
    named = {"above.models": str(len(above)), "below.models": str(len(below))}
    return [Sentence(text, lead="In everything that counts:", named=named)]


def headline_blocks(it: Material) -> list[Block]:
    """A score that the source prints for the whole, under the source's name."""
    headline = it.row.about.get("headline")
    if not isinstance(headline, dict) or "score" not in headline:
        return []
    source = it.row.about.get("headline_source") or "its source"
    spread = f", with a spread over runs of {headline['spread']}" if "spread" in headline else ""
    text = f"{source} gives it {headline['score']}{spread}; that is imported and not computed here."
    return [Sentence(f"{text[:1].upper()}{text[1:]}")]
