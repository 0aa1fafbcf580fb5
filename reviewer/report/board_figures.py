"""What is counted across models: picks, traps, handovers, tiers, lengths, and every model's figures. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import StatisticsError, correlation, median

from reviewer.export.print_counts import number
from reviewer.measure import board_places, metrics
from reviewer.measure.board import Board, Row
from reviewer.measure.metrics import band
from reviewer.measure.printed_figures import passed_said, passes_shown, span
from reviewer.measure.tiers import TierFigure, TierGroups
from reviewer.report.blocks import Block, FigureRow, FigureTable, Sentence, slug, slugs
from reviewer.report.card import BANDS, KEYS, NO_BANDS
from reviewer.report.phrases import NO_FIGURE, median_of, median_said, plain, share, together
from reviewer.report.rivals import rival_table

_NEARLY = 0.5
"""Share of the runs from which on a trap catches nearly everybody."""
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


def picks(board: Board) -> list[Block]:
    """Whom to start with: the best in a few ways, all that share the place, and those that only noise parts from it."""
    rows = board.complete
    safe = [row for row in rows if row.band == "safe"]
    priced = [(tier, row) for row in safe if (tier := board_places.tier_of(row)) is not None]
    cheapest = [row for tier, row in priced if tier == min(t for t, _ in priced)]
    choices = [
        ("cheapest_safe", "Cheapest that is safe", (cheapest, [])),
        ("safest", "Safest", _ends(rows, metrics.UNSAFE)),
        ("following", "Best at following", _ends(rows, metrics.FOLLOWING)),
        ("alone", "Hands over least that it should resolve", _ends(rows, metrics.OVER)),
    ]
    made = [(key, label, own, near) for key, label, (own, near) in choices if own]
    if not made:
        return [Sentence("Without buckets, a desk or scores of complete models there is nobody to name first.")]
    table_rows = tuple(
        FigureRow(key, label, (_names(own), _why(own, key), _names(near) if near else NO_FIGURE))
        for key, label, own, near in made
    )
    columns = (("models", "models"), ("figures", "because"), ("near", "at most two cases behind"))
    judge = board.judges.get(metrics.FOLLOWING)
    judged = f" Following is judged by {judge}." if judge else ""
    note = (
        "All that share the first place are named; those at most two cases of a run behind it differ by no more than"
        f" noise. {_bands(board)}{judged}{_left_out(board)}"
    )
    return [FigureTable("picks", "", "pick", columns, table_rows, note)]


def _ends(rows: Iterable[Row], name: str) -> tuple[list[Row], list[Row]]:
    """The models with the best median, and the others that are behind it by no more than noise."""
    having = [row for row in rows if name in row.metrics]
    pick = min if name in metrics.LOWER_IS_BETTER else max
    best = pick((row.metrics[name].median for row in having), default=0.0)
    first = [row for row in having if row.metrics[name].median == best]
    near = [
        row
        for row in having
        if row not in first and not _side(row.metrics[name].median - best, metrics.noise(row.metrics[name], name))
    ]
    return first, near


def _names(rows: Sequence[Row]) -> str:
    return together([row.model for row in rows], len(rows))


def _why(rows: Sequence[Row], key: str) -> str:
    name = {"following": metrics.FOLLOWING, "alone": metrics.OVER}.get(key, metrics.UNSAFE)
    each = rows[0].metrics[name]
    tier = f"tier {rows[0].about.get('tier')}, " if key == "cheapest_safe" else ""
    said = KEYS[name][1].lower()
    if len({row.metrics[name].median for row in rows}) > 1:
        values = sorted({median_of(row.metrics[name], name) for row in rows})
        return f"{tier}{said} {values[0]} to {values[-1]} of {span(sorted(set(each.n)))} a run"
    return f"{tier}{said} {median_said(rows[0], name)} of {span(sorted(set(each.n)))} a run"


def traps(by_case: TrapModels) -> list[Block]:
    """Every trap with the runs and models that it catches, those of most runs first."""
    if not by_case:
        return [Sentence("No case here is adversarial with tools that a desk classes, so nothing is said of traps.")]
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


def handovers(board: Board) -> list[Block]:
    """Escalation against over-escalation: who does well in both, who in neither, and of whom noise may decide."""
    having = [row for row in board.complete if metrics.ESCALATION in row.metrics and metrics.OVER in row.metrics]
    if len(having) < 2:
        return [Sentence("Two complete models with both figures are needed to set escalation against over-escalation.")]
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


def money(board: Board, groups: TierGroups) -> list[Block]:
    """Figures by tier: the middle model of each, with the best and the last."""
    known = [tier for tier in groups.tiers if tier.name]
    if not known:
        return [Sentence("No source says what any model costs.")]
    names = [name for name in metrics.STANDARD if any(name in row.metrics for row in board.rows)]
    keys = (f"tier_{len(tier.name)}" if groups.by == "source" else f"tier_{slug(tier.name)}" for tier in known)
    rows = tuple(
        FigureRow(key, tier.name, (f"{len(tier.models)}", *(_of_tier(tier.figures.get(name), name) for name in names)))
        for key, tier in zip(keys, known, strict=True)
    )
    columns = (("models", "models"), *((KEYS[name][0], KEYS[name][1].lower()) for name in names))
    by = f"of what 1,000 conversations cost: {groups.cut_offs}" if groups.by == "cost" else "as their sources say"
    note = f"The median of the models' medians, and from the least to the most of them. Tiers are {by}."
    left = len(board.rows) - sum(len(tier.models) for tier in known)
    beside = f" Of {number(left, 'model')} no tier is known." if left and groups.by == "cost" else ""
    return [FigureTable("tiers", "", "tier", columns, rows, f"{note}{beside}")]


def _of_tier(each: TierFigure | None, name: str) -> str:
    if each is None:
        return NO_FIGURE
    scale = metrics.SCALES.get(name, 1)
    factor, form = (100, ".1f") if scale == 100 else (1, "g" if scale is None else ".2f")
    middle, low, high = (f"{factor * value:{form}}" for value in (each.median, each.least, each.most))
    beside = " %" if scale == 100 else f" {band(each.median)}" if each.banded else ""
    return f"{middle}{beside}{f' ({low} to {high})' if each.models > 1 else ''}"


def length_said(board: Board) -> list[Block]:
    """How the number of messages goes together with following instructions."""
    having = [row for row in board.complete if metrics.MESSAGES in row.metrics and metrics.FOLLOWING in row.metrics]
    if len(having) < 2:
        return [
            Sentence("Two complete models with both figures are needed to set length against instruction-following.")
        ]
    length = [row.metrics[metrics.MESSAGES].median for row in having]
    following = [row.metrics[metrics.FOLLOWING].median for row in having]
    said = _together_said(length, following, "agent messages", "instruction-following")
    shortest = min(having, key=lambda row: row.metrics[metrics.MESSAGES].median)
    longest = max(having, key=lambda row: row.metrics[metrics.MESSAGES].median)
    if min(length) == max(length):
        return [Sentence(f"{said} All need as many messages ({min(length):.2f} a conversation).")]
    ends = (
        f"{shortest.model} needs fewest ({min(length):.2f} a conversation), {longest.model} most ({max(length):.2f})."
    )
    return [Sentence(f"{said} {ends}")]


def repeated(board: Board) -> list[Block]:
    """What came of the same case in all runs of each model: passes, and flips by acts and by score."""
    rows = [row for row in board.rows if any(row.figure(name) is not None for name in metrics.OF_REPEATS)]
    if not rows:
        return [Sentence("No case has two runs or a score that decides whether it passed.")]
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
    note = f"Medians over runs, in board order. {_bands(board)} reviewer report {store} MODEL has the runs."
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
