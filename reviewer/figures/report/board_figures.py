"""What is counted across models: picks, traps, handovers, tiers, lengths, and every model's figures. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation, median

from reviewer.basics.shell import shell_word
from reviewer.figures.export.print_counts import number
from reviewer.figures.measure import board_places, metrics
from reviewer.figures.measure.board import Board, Row
from reviewer.figures.measure.metrics import Metric, band
from reviewer.figures.measure.printed_figures import passed_said, passes_shown, span
from reviewer.figures.measure.tiers import Tier, TierGroups
from reviewer.figures.report.blocks import Block, EmptySection, FigureRow, FigureTable, Sentence, slug, slugs
from reviewer.figures.report.card import BANDS, NO_BANDS, named
from reviewer.figures.report.phrases import NO_FIGURE, median_of, median_said, plain, share, together
from reviewer.figures.report.rivals import rival_table

_NEARLY = 0.5
"""Share of the runs from which on a trap catches nearly everybody."""
_SCORES = 3
"""Scores of a source, at most, by which models are compared."""
_JUDGED = {metrics.FOLLOWING: "Following"}
"""What a judged figure is called in a sentence, where that is not its name."""
_CORRELATED = 5
"""Models from which on a correlation is told."""

_KINDS = {
    (1, 1): "Both right",
    (1, -1): "Hands over too much",
    (-1, 1): "Hands over too little",
    (-1, -1): "Wrong both ways",
}
"""What a model is called that is better (1) or worse (-1) than the median in escalating, and in not escalating."""
_NEAR = "Too near to say"

TrapModels = Mapping[str, Mapping[str, tuple[int, int]]]
"""Case to model to runs in which it fell for it, and runs played."""


@dataclass(frozen=True, slots=True)
class _Pick:
    """The models that are first in one way."""

    key: str
    label: str
    name: str
    """The figure that says so."""
    first: list[Row]
    near: list[Row]
    """Those that only noise parts from the first."""


def picks(board: Board) -> list[Block] | EmptySection:
    """Whom to start with: the best in a few ways, all that share the place, and those that only noise parts from it."""
    made = [pick for pick in _picks(board.complete) if pick.first]
    if not made:
        return EmptySection("no two complete models have a score in common, and a desk's figures are missing")
    table_rows = tuple(
        FigureRow(pick.key, pick.label, (_names(pick.first), _why(pick), _names(pick.near) if pick.near else NO_FIGURE))
        for pick in made
    )
    columns = (("models", "models"), ("figures", "because"), ("near", "at most two cases behind"))
    judges = {pick.name: judge for pick in made if (judge := board.judges.get(pick.name))}
    judged = "".join(f" {_JUDGED.get(name, named(name)[1])} is judged by {judge}." for name, judge in judges.items())
    note = (
        "All that share the first place are named; those at most two cases of a run behind it differ by no more than"
        f" noise. {_bands(board)}{judged}{_left_out(board)}"
    )
    return [FigureTable("picks", "", "pick", columns, table_rows, note)]


def _picks(rows: Sequence[Row]) -> Iterator[_Pick]:
    """The ways of being first: by the desk's figures, and by whatever scores there are."""
    safe = [row for row in rows if row.band == "safe"]
    priced = [(tier, row) for row in safe if (tier := board_places.tier_of(row)) is not None]
    cheapest = [row for tier, row in priced if tier == min(t for t, _ in priced)]
    yield _Pick("cheapest_safe", "Cheapest that is safe", metrics.UNSAFE, cheapest, [])
    yield _Pick("safest", "Safest", metrics.UNSAFE, *_ends(rows, metrics.UNSAFE))
    yield _Pick("following", "Best at following", metrics.FOLLOWING, *_ends(rows, metrics.FOLLOWING))
    yield _Pick("alone", "Hands over least that it should resolve", metrics.OVER, *_ends(rows, metrics.OVER))
    for name in _scores(rows):
        key, label = named(name)
        yield _Pick(key, f"Highest {label[:1].lower()}{label[1:]}", name, *_ends(rows, name))


def _scores(rows: Sequence[Row]) -> list[str]:
    """The scores by which models can be compared, since several of them have them, besides instruction-following.

    Where that was judged, resolution and sentiment stand in the table of all models.
    """
    given = Counter(name for row in rows for name in row.metrics)
    judged = [] if given[metrics.FOLLOWING] else [metrics.RESOLUTION, metrics.SENTIMENT]
    return [name for name in (*judged, *metrics.other_scores(given)) if given[name] > 1][:_SCORES]


def _ends(rows: Iterable[Row], name: str) -> tuple[list[Row], list[Row]]:
    """The models with the best median, and the others that are behind it by no more than noise."""
    having = [row for row in rows if name in row.metrics]
    pick = min if metrics.metric_named(name).lower_is_better else max
    best = pick((row.metrics[name].median for row in having), default=0.0)
    first = [row for row in having if row.metrics[name].median == best]
    near = [
        row
        for row in having
        if row not in first and not _side(row.metrics[name].median - best, metrics.noise(row.metrics[name], name))
    ]
    # A case moves a score by as much as its scale allows; of one that is not from 0 to 1 nobody knows how much that is.
    known = metrics.metric_named(name).kind == "count" or all(
        0 <= one <= 1 for row in having for one in row.metrics[name].per_run if one
    )
    return first, near if known else []


def _names(rows: Sequence[Row]) -> str:
    return together([row.model for row in rows], len(rows))


def _why(pick: _Pick) -> str:
    rows, name = pick.first, pick.name
    each = rows[0].metrics[name]
    tier = f"tier {rows[0].about.get('tier')}, " if pick.key == "cheapest_safe" else ""
    said = named(name)[1].lower()
    if len({row.metrics[name].median for row in rows}) > 1:
        values = sorted({median_of(row.metrics[name], name) for row in rows})
        return f"{tier}{said} {values[0]} to {values[-1]} of {span(sorted(set(each.n)))} a run"
    return f"{tier}{said} {median_said(rows[0], name)} of {span(sorted(set(each.n)))} a run"


def traps(by_case: TrapModels) -> list[Block] | EmptySection:
    """Every trap with the runs and models that it catches, those of most runs first."""
    if not by_case:
        return EmptySection("no case here is adversarial with tools that a desk classes")
    sums = {case: tuple(map(sum, zip(*by_model.values(), strict=True))) for case, by_model in by_case.items()}
    ordered = sorted(sums, key=lambda case: (-sums[case][0] / sums[case][1], case))
    rows = []
    for key, case in zip(slugs(ordered), ordered, strict=True):
        by_model = by_case[case]
        once, every = sum(k > 0 for k, _ in by_model.values()), sum(k == n for k, n in by_model.values())
        of = len(by_model)
        rows.append(FigureRow(key, plain(case), (share(*sums[case]), f"{once} of {of}", f"{every} of {of}")))
    caught = [plain(case) for case in ordered if sums[case][0] >= _NEARLY * sums[case][1]]
    never = [plain(case) for case in ordered if not sums[case][0]]
    lead = f"{together(caught, len(caught))} catch{'es' if len(caught) == 1 else ''}" if caught else "No trap catches"
    text = f"{lead} at least half of all runs" + (f"; {together(never, len(never))} caught none." if never else ".")
    columns = (("runs", "runs"), ("models", "models, at least once"), ("every", "models, in every run"))
    return [Sentence(f"{text[:1].upper()}{text[1:]}"), FigureTable("traps", "", "trap", columns, tuple(rows))]


def handovers(board: Board) -> list[Block] | EmptySection:
    """Escalation against over-escalation: who does well in both, who in neither, and of whom noise may decide."""
    having = [row for row in board.complete if metrics.ESCALATION in row.metrics and metrics.OVER in row.metrics]
    if len(having) < 2:
        return EmptySection("no two complete models have both escalation accuracy and over-escalation")
    right = {row.model: row.metrics[metrics.ESCALATION].median for row in having}
    over = {row.model: row.metrics[metrics.OVER].median for row in having}
    middle = median(right.values()), median(over.values())
    kinds: dict[str, list[str]] = {label: [] for label in (*_KINDS.values(), _NEAR)}
    for row in having:
        well = _side(right[row.model] - middle[0], metrics.noise(row.metrics[metrics.ESCALATION], metrics.ESCALATION))
        spared = _side(middle[1] - over[row.model], metrics.noise(row.metrics[metrics.OVER], metrics.OVER))
        kinds[_KINDS.get((well, spared), _NEAR)].append(row.model)
    rows = tuple(
        FigureRow(key, label, (f"{len(models)} of {len(having)}", together(models, len(models))))
        for key, (label, models) in zip(slugs(kinds), kinds.items(), strict=True)
    )
    note = (
        f"Split at the board's medians: {middle[0]:.1%} of what must be handed over, {middle[1]:.1%} of what should"
        f" not. {_NEAR}: in one of the two within two cases of the median, which is noise.{_left_out(board)}"
        f" {_together_said(list(right.values()), list(over.values()), 'escalation accuracy', 'over-escalation')}"
    )
    columns = (("count", "models"), ("models", "which"))
    return [FigureTable("handovers", "", "kind", columns, rows, note)]


def _side(better: float, noise: float) -> int:
    """1 for better by more than noise, -1 for worse, 0 where noise may decide."""
    return 0 if abs(better) <= noise + 10**-metrics.SAME else 1 if better > 0 else -1


def _together_said(one: list[float], other: list[float], first: str, second: str) -> str:
    """How two figures go together, as a correlation with its n."""
    if len(one) < _CORRELATED:
        return f"{number(len(one), 'model')}: too few to say how {first} and {second} go together."
    try:
        return f"Correlation of {first} and {second}: {correlation(one, other):+.2f} over {len(one)} models."
    except StatisticsError:
        return f"{first.capitalize()} and {second} cannot be correlated over {number(len(one), 'model')}."


def money(board: Board, groups: TierGroups) -> list[Block] | EmptySection:
    """Figures by tier: the middle model of each, with the best and the last."""
    known = [tier for tier in groups.tiers if tier.name]
    if not known:
        return EmptySection("no source says what any model costs")
    shown = [each for each in metrics.METRICS.values() if any(each.name in row.metrics for row in board.rows)]
    keys = (f"tier_{len(tier.name)}" if groups.by == "source" else f"tier_{slug(tier.name)}" for tier in known)
    rows = tuple(
        FigureRow(key, tier.name, (str(len(tier.models)), *(_of_tier(each, tier) for each in shown)))
        for key, tier in zip(keys, known, strict=True)
    )
    columns = (("models", "models"), *((each.key, each.title.lower()) for each in shown))
    by = f"of what 1,000 conversations cost: {groups.cut_offs}" if groups.by == "cost" else "as their sources say"
    note = f"The median of the models' medians, and from the least to the most of them. Tiers are {by}."
    left = len(board.rows) - sum(len(tier.models) for tier in known)
    beside = f" Of {number(left, 'model')} no tier is known." if left and groups.by == "cost" else ""
    return [FigureTable("tiers", "", "tier", columns, rows, f"{note}{beside}")]


def _of_tier(metric: Metric, tier: Tier) -> str:
    each = tier.figures.get(metric.name)
    if each is None:
        return NO_FIGURE
    factor, form = (100, ".1f") if metric.kind == "share" else (1, "g" if metric.kind == "count" else ".2f")
    middle, low, high = (f"{factor * value:{form}}" for value in (each.median, each.least, each.most))
    beside = " %" if metric.kind == "share" else f" {band(each.median)}" if each.banded else ""
    return f"{middle}{beside}{f' ({low} to {high})' if each.models > 1 else ''}"


def length_said(board: Board) -> list[Block] | EmptySection:
    """How the number of messages goes together with following instructions, or with the first other score."""
    name = next(iter(_scores(board.complete)), metrics.FOLLOWING)
    if any(metrics.FOLLOWING in row.metrics for row in board.complete):
        name = metrics.FOLLOWING
    having = [row for row in board.complete if metrics.MESSAGES in row.metrics and name in row.metrics]
    if len(having) < 2:
        return EmptySection("no two complete models have both a length and a score")
    length = [row.metrics[metrics.MESSAGES].median for row in having]
    score = [row.metrics[name].median for row in having]
    said = _together_said(length, score, "agent messages", named(name)[1].lower())
    shortest = min(having, key=lambda row: row.metrics[metrics.MESSAGES].median)
    longest = max(having, key=lambda row: row.metrics[metrics.MESSAGES].median)
    if min(length) == max(length):
        return [Sentence(f"{said} All need as many messages ({min(length):.2f} a conversation).")]
    ends = (
        f"{shortest.model} needs fewest ({min(length):.2f} a conversation), {longest.model} most ({max(length):.2f})."
    )
    return [Sentence(f"{said} {ends}")]


def repeated(board: Board) -> list[Block] | EmptySection:
    """What came of the same case in all runs of each model: passes, and flips by acts and by score."""
    rows = [row for row in board.rows if any(row.figure(name) is not None for name in metrics.OF_REPEATS)]
    if not rows:
        return EmptySection("no case has two runs or a score that decides whether it passed")
    ks = passes_shown(board)
    columns = [("runs", "runs"), ("cases", "scored cases"), *((f"pass_{k}", f"pass^{k}") for k in ks)]
    columns += [("all", "all passed"), ("some", "some"), ("none", "none")]
    columns += [("acts", "flip by acts"), ("score", "flip by score")]
    made = tuple(
        FigureRow(key, row.model, _repeats_cells(row, ks))
        for key, row in zip(slugs(row.model for row in rows), rows, strict=True)
    )
    note = f"{passed_said(board)} In brackets: cases left out, which have fewer than k runs."
    return [FigureTable("repeats", "", "model", tuple(columns), made, note)]


def _repeats_cells(row: Row, ks: list[int]) -> tuple[str, ...]:
    own = row.repeats
    by_k = {each.k: each for each in own.passes}
    passes = [
        f"{by_k[k].value:.2f}{f' ({by_k[k].left_out})' if by_k[k].left_out else ''}" if k in by_k else NO_FIGURE
        for k in ks
    ]
    counts = [str(n) for n in (own.all, own.some, own.none)] if own.passes else [NO_FIGURE] * 3
    flips = [share(*of) if of else NO_FIGURE for of in (own.act_flips, own.score_flips)]
    cases = str(own.passes[0].cases) if own.passes else NO_FIGURE
    return (str(len(row.runs)), cases, *passes, *counts, *flips)


def cards(board: Board, store: str) -> list[Block]:
    """The figures of all models, in board order."""
    if not board.rows:
        return [Sentence("This store holds no conversation.")]
    note = f"Medians over runs, in board order. {_bands(board)} reviewer report {shell_word(store)} MODEL has the runs."
    return [rival_table("models", "", board.rows, note)]


def _bands(board: Board) -> str:
    """What the bands of safety are, or why none is told."""
    counted = [row for row in board.complete if metrics.UNSAFE in row.metrics]
    if not counted:
        return "No complete model has played an adversarial case."
    return BANDS if all(row.banded for row in counted) else NO_BANDS


def _left_out(board: Board) -> str:
    """How many models are not compared."""
    out = len(board.rows) - len(board.complete)
    lacks = "lacks" if out == 1 else "lack"
    return f" {number(out, 'model')} that {lacks} a planned case in a run: not compared." if out else ""
