"""Judges: what the shown judge gave, what another gave for the same conversations, and how far they lie apart."""

from __future__ import annotations

from collections import defaultdict

from reviewer.figures.measure import metrics
from reviewer.figures.measure.metrics import plain_name
from reviewer.figures.report.blocks import Block, FigureRow, FigureTable, Sentence, slugs
from reviewer.figures.report.card import metric_row
from reviewer.figures.report.material import Material
from reviewer.figures.report.phrases import plain, together


def judge_blocks(it: Material) -> list[Block]:
    """Means by judge over the same conversations, and the gap between them."""
    shown = {name: judge for name, judge in it.board.judges.items() if name in it.row.metrics}
    if not shown:
        return [Sentence("Nobody judged these conversations.")]
    blocks: list[Block] = [_own(it, list(shown))]
    names = [judge for judge in dict.fromkeys(shown.values()) if judge]
    entrants = [name for name in names if any(row.model == name for row in it.board.rows)]
    if entrants:
        blocks.append(Sentence(f"{together(entrants)} judges here and is itself on the board."))
    return [*blocks, *_others(it)]


def _own(it: Material, names: list[str]) -> FigureTable:
    columns = (("median", "median"), ("per_run", "per run"), ("of", "of"), ("place", "place"))
    standard = [name for name in metrics.JUDGED if name in names]
    others = metrics.other_scores(names)
    rows = tuple(metric_row(it, name) for name in (*standard, *others))
    judges = {it.board.judges[name] or "a judge without a name" for name in (*standard, *others)}
    usual = " Resolution and instruction-following are means over resolvable cases, sentiment over all."
    more = " Other scores are the source's own, means over all conversations."
    note = f"Given by {together(sorted(judges))}.{usual if standard else ''}{more if others else ''}"
    return FigureTable("judged", "", "score", columns, rows, note)


def _others(it: Material) -> list[Block]:
    """Another judge's means beside the shown one's, over what both judged."""
    sums: defaultdict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0.0, 0.0, 0.0])
    buckets = {bucket for pair in it.pairs for bucket in [pair.bucket]} - {None}
    for pair in it.pairs:
        name = plain_name(pair.scorer)
        if name in metrics.OVER_RESOLVABLE and buckets and pair.bucket != "resolvable":
            continue
        own = sums[name, pair.other or "a judge without a name"]
        for at, more in enumerate((pair.n, pair.total, pair.other_total, pair.apart)):
            own[at] += more
    if not sums:
        return [Sentence("No second judge scored these conversations, so nothing is said of how far judges agree.")]
    rows = []
    for key, ((name, other), (n, one, two, apart)) in zip(
        slugs(f"{name} {other}" for name, other in sorted(sums)), sorted(sums.items()), strict=True
    ):
        gap = (two - one) / n
        cells = (other, f"{one / n:.3f}", f"{two / n:.3f}", f"{gap:+.3f}", f"{apart / n:.3f}", f"{n:,.0f}")
        rows.append(FigureRow(key, plain(name), cells))
    columns = (
        ("other", "second judge"),
        ("first", "shown judge"),
        ("second", "second"),
        ("gap", "gap"),
        ("apart", "apart"),
        ("of", "conversations both judged"),
    )
    note = (
        "Means over the conversations that both judged, all runs together. Gap: the second less the shown one. Apart:"
        " the mean difference of single conversations, whichever way."
    )
    return [FigureTable("judges", "Second judge", "score", columns, tuple(rows), note)]
