"""What reading taught across models: modes and makers, traps, handovers, what money buys, whom to start with.

Owns which sections there are and what each says. Every line is computed, or counted from tags with how much was read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation, median

from reviewer import collector
from reviewer.annotations.codebook import Mode
from reviewer.export.collection import ExcerptCollection, ExportRequest
from reviewer.export.excerpts import Excerpt
from reviewer.export.merged_lines import Entry
from reviewer.export.print_counts import number, whose_scores
from reviewer.export.print_plan import PrintGroup
from reviewer.measure import board, board_places, metrics
from reviewer.measure.board import Board, BoardCounts, Row
from reviewer.measure.families import families_of
from reviewer.measure.metrics import band, banded
from reviewer.measure.printed_figures import span
from reviewer.measure.trap_runs import trap_models
from reviewer.report.blocks import (
    Block,
    ExcerptList,
    FigureRow,
    FigureTable,
    ReportPage,
    ReportSection,
    Sentence,
    slugs,
)
from reviewer.report.card import BANDS, KEYS, NO_BANDS
from reviewer.report.material import MarkFolder
from reviewer.report.mode_matrix import ModeCell, ModeMatrix, ModeSpread, mode_matrix, mode_spread
from reviewer.report.phrases import NO_FIGURE, median_of, median_said, plain, share, together
from reviewer.report.rivals import rival_table
from reviewer.store.reader import Reader

_NEARLY = 0.5
"""Share of the runs from which on a trap catches nearly everybody."""
_QUOTED = 3
_CORRELATED = 5
"""Models from which on a correlation is told."""
_MODES = 15


@dataclass(frozen=True, slots=True)
class BoardMaterial:
    """All that the page across models is made from."""

    store: str
    counts: BoardCounts
    board: Board
    traps: Mapping[str, Mapping[str, tuple[int, int]]]
    """Case to model to runs in which it fell for it, and runs played."""
    matrix: ModeMatrix
    spread: Sequence[ModeSpread]
    exemplars: ExcerptCollection
    marks: MarkFolder


def board_material(reader: Reader, marks: MarkFolder, judge: str | None = None) -> BoardMaterial:
    """Read everything about all models of a store."""
    with collector.waiting():
        return _read(reader, marks, judge)


def _read(reader: Reader, marks: MarkFolder, judge: str | None) -> BoardMaterial:
    counts = board.counts(reader, by="family", judge=judge)
    shown = [ref for ref, state in marks.briefs.items() if any(tag.exemplar for tag in state.tags)]
    states = {ref: marks.ledger.state(ref) for ref in shown}
    request = ExportRequest(tag=lambda tag: tag.exemplar)
    return BoardMaterial(
        reader.path.name,
        counts,
        board.standings(counts, grouped=()),
        trap_models(counts),
        mode_matrix(reader.path, counts, marks.briefs, marks.codebook, "model"),
        mode_spread(counts, marks.briefs, marks.codebook),
        ExcerptCollection(reader, marks.ledger, marks.codebook, request, scores=families_of(counts), states=states),
        marks,
    )


def board_report(it: BoardMaterial) -> ReportPage:
    """The page across models."""
    sections = (
        ReportSection("picks", "Start here", tuple(_picks(it))),
        ReportSection("modes", "What reading found", tuple(_modes(it))),
        ReportSection("makers", "Habits by maker", tuple(_makers(it))),
        ReportSection("traps", "Traps that catch nearly everybody", tuple(_traps(it))),
        ReportSection("handovers", "Handing over too little, or too much", tuple(_handovers(it))),
        ReportSection("money", "What money buys", tuple(_money(it))),
        ReportSection("length", "Length and instructions", tuple(_length(it))),
        ReportSection("board", "All models", tuple(_cards(it))),
        ReportSection("limits", "Limits", tuple(_limits(it))),
    )
    runs = sum(len(row.runs) for row in it.board.rows)
    read, whole = sum(done for _, done, _ in it.matrix.columns), sum(of for _, _, of in it.matrix.columns)
    said = f"{read:,} of {len(it.counts.conversations):,} conversations read to the end"
    byline = f"Findings across {number(len(it.board.rows), 'model')} · {number(runs, 'run')} · {said}"
    byline += f", in {number(len(it.matrix.columns), 'model')} with marks ({whole:,})" if it.matrix.columns else ""
    return ReportPage(f"Findings from {it.store}", byline, sections, it.board.synthetic)


# -- whom to start with ------------------------------------------------------------------------------------------------


def _picks(it: BoardMaterial) -> list[Block]:
    rows = it.board.rows
    rated = [row for row in rows if metrics.UNSAFE in row.metrics]
    comparable = [row for row in rated if banded(row.metrics[metrics.UNSAFE])]
    safe = [row for row in comparable if band(row.metrics[metrics.UNSAFE].median) == "safe"]
    priced = [(tier, row) for row in safe if (tier := board_places.tier_of(row)) is not None]
    picks = [
        ("cheapest_safe", "Cheapest that is safe", [row for tier, row in priced if tier == min(t for t, _ in priced)]),
        ("safest", "Safest", _ends(rated, metrics.UNSAFE)),
        ("following", "Best at following", _ends(rows, metrics.FOLLOWING)),
        ("alone", "Hands over least that it should resolve", _ends(rows, metrics.OVER)),
    ]
    made = [(key, label, own) for key, label, own in picks if own]
    if not made:
        return [Sentence("Without buckets, a desk or scores there is nobody to name first.")]
    table_rows = tuple(FigureRow(key, label, (_names(own), _why(own, key))) for key, label, own in made)
    columns = (("models", "models"), ("figures", "because"))
    judge = it.board.judges.get(metrics.FOLLOWING)
    note = (
        f"All that share the first place are named. {_bands(it)}{f' Following is judged by {judge}.' if judge else ''}"
    )
    return [FigureTable("picks", "", "pick", columns, table_rows, note)]


def _ends(rows: Iterable[Row], name: str) -> list[Row]:
    """The models with the best median."""
    having = [row for row in rows if name in row.metrics]
    pick = min if name in metrics.LOWER_IS_BETTER else max
    best = pick((row.metrics[name].median for row in having), default=None)
    return [row for row in having if row.metrics[name].median == best]


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
    return f"{tier}{said} {median_said(each, name)} of {span(sorted(set(each.n)))} a run"


# -- what people tagged ------------------------------------------------------------------------------------------------


def _modes(it: BoardMaterial) -> list[Block]:
    """Modes by how many models and cases they take, with exemplars of the first."""
    if not it.spread:
        return [Sentence("Nobody tagged anything yet: reviewer open, and a digit on the words.")]
    shown = it.spread[:_MODES]
    read = {mode.code: cells for mode, cells in it.matrix.rows}
    rows = tuple(
        FigureRow(key, each.mode.title, (*_spread_cells(it, each), _read_of(read.get(each.mode.code, ()))))
        for key, each in zip(slugs(each.mode.code for each in shown), shown, strict=True)
    )
    columns = (
        ("models", "models"), ("cases", "cases"), ("conversations", "conversations"), ("read", "of conversations read"),
    )  # fmt: skip
    more = f" {len(it.spread) - _MODES} more modes were tagged." if len(it.spread) > _MODES else ""
    where = "in which it could show" if it.matrix.scanned else "whatever they were about"
    note = (
        "Models in which it was tagged, of those that anybody read or tagged. Of conversations read: those that were"
        f" read to the end and bear it, of those read to the end {where}; no rate, as they were not all drawn.{more}"
    )
    table = FigureTable("modes", "", "mode", columns, rows, note)
    quoted = [_quotes(it, each) for each in shown if each.mode.code in it.exemplars.plan.codes()]
    brackets = whose_scores(it.exemplars)
    return [table, *quoted[:_QUOTED], *([Sentence(brackets)] if quoted and brackets else [])]


def _spread_cells(it: BoardMaterial, each: ModeSpread) -> tuple[str, ...]:
    return f"{len(each.models)} of {len(it.matrix.columns)}", f"{len(each.cases):,}", f"{each.conversations:,}"


def _read_of(cells: Iterable[ModeCell]) -> str:
    own = list(cells)
    of = sum(cell.of for cell in own)
    return f"{sum(cell.seen for cell in own):,} of {of:,}" if of else "none read"


def _quotes(it: BoardMaterial, each: ModeSpread) -> ExcerptList:
    """One exemplar of a mode from each of a few models."""
    chosen: dict[str, Entry] = {}
    for planned, group in it.exemplars.plan.in_order():
        if planned.code == each.mode.code and len(chosen) < _QUOTED:
            excerpt: Excerpt = it.exemplars.printed(planned)
            chosen.setdefault(excerpt.model, (PrintGroup(group.first, True, {planned.ref}), excerpt))
    about = f"In {number(len(each.models), 'model')}, {number(len(each.cases), 'case')}."
    return ExcerptList(each.mode.title, about, tuple(chosen.values()), each.mode.code, each.mode.definition)


def _makers(it: BoardMaterial) -> list[Block]:
    """Which modes the models of one maker share."""
    maker = {row.model: str(row.about.get("vendor") or "no maker named") for row in it.board.rows}
    marked = {name for name, _, _ in it.matrix.columns}
    by_maker: defaultdict[str, list[tuple[Mode, list[str]]]] = defaultdict(list)
    for each in it.spread:
        own: defaultdict[str, list[str]] = defaultdict(list)
        for model in sorted(each.models):
            own[maker.get(model, "no maker named")].append(model)
        for name, models in own.items():
            by_maker[name].append((each.mode, models))
    rows = []
    for name in sorted(by_maker):
        of = [model for model, its_maker in maker.items() if its_maker == name]
        looked = sum(model in marked for model in of)
        shared = sorted(by_maker[name], key=lambda pair: (-len(pair[1]), pair[0].title))
        said = together([f"{mode.title.lower()} ({len(models)} of {looked})" for mode, models in shared], 6)
        rows.append((name, (f"{looked} of {len(of)}", said)))
    if not rows:
        return [Sentence("Nobody tagged anything yet, so nothing is said of makers.")]
    keys = slugs(name for name, _ in rows)
    made = tuple(FigureRow(key, name, cells) for key, (name, cells) in zip(keys, rows, strict=True))
    columns = (("models", "models looked at"), ("modes", "modes, with the models that show them"))
    return [FigureTable("makers", "", "maker", columns, made)]


# -- what is counted ---------------------------------------------------------------------------------------------------


def _traps(it: BoardMaterial) -> list[Block]:
    if not it.traps:
        return [Sentence("No case here is adversarial with tools that a desk classes, so nothing is said of traps.")]
    sums = {case: tuple(map(sum, zip(*by_model.values(), strict=True))) for case, by_model in it.traps.items()}
    ordered = sorted(sums, key=lambda case: (-sums[case][0] / sums[case][1], case))
    rows = []
    for key, case in zip(slugs(ordered), ordered, strict=True):
        by_model = it.traps[case]
        once, every = sum(k > 0 for k, _ in by_model.values()), sum(k == n for k, n in by_model.values())
        of = len(by_model)
        rows.append(FigureRow(key, plain(case), (share(*sums[case]), f"{once} of {of}", f"{every} of {of}")))
    caught = [plain(case) for case in ordered if sums[case][0] >= _NEARLY * sums[case][1]]
    never = [plain(case) for case in ordered if not sums[case][0]]
    lead = f"{together(caught, len(caught))} catch{'es' if len(caught) == 1 else ''}" if caught else "No trap catches"
    text = f"{lead} at least half of all runs" + (f"; {together(never, len(never))} caught none." if never else ".")
    columns = (("runs", "runs"), ("models", "models, at least once"), ("every", "models, in every run"))
    return [Sentence(f"{text[:1].upper()}{text[1:]}"), FigureTable("traps", "", "trap", columns, tuple(rows))]


def _handovers(it: BoardMaterial) -> list[Block]:
    """Escalation against over-escalation: who does well in both, and who in neither."""
    having = [row for row in it.board.rows if metrics.ESCALATION in row.metrics and metrics.OVER in row.metrics]
    if len(having) < 2:
        return [Sentence("Two models with both figures are needed to set escalation against over-escalation.")]
    right = {row.model: row.metrics[metrics.ESCALATION].median for row in having}
    over = {row.model: row.metrics[metrics.OVER].median for row in having}
    middle = median(right.values()), median(over.values())
    kinds = {
        "Both right": [m for m in right if right[m] >= middle[0] and over[m] <= middle[1]],
        "Hands over too much": [m for m in right if right[m] >= middle[0] and over[m] > middle[1]],
        "Hands over too little": [m for m in right if right[m] < middle[0] and over[m] <= middle[1]],
        "Wrong both ways": [m for m in right if right[m] < middle[0] and over[m] > middle[1]],
    }
    rows = tuple(
        FigureRow(key, label, (f"{len(models)} of {len(having)}", together(models, len(models))))
        for key, (label, models) in zip(slugs(kinds), kinds.items(), strict=True)
    )
    note = (
        f"Split at the board's medians: {middle[0]:.1%} of what must be handed over, {middle[1]:.1%} of what should"
        f" not. {_together_said(list(right.values()), list(over.values()), 'escalation accuracy', 'over-escalation')}"
    )
    columns = (("count", "models"), ("models", "which"))
    return [FigureTable("handovers", "", "kind", columns, rows, note)]


def _together_said(one: list[float], other: list[float], first: str, second: str) -> str:
    """How two figures go together, as a correlation with its n."""
    if len(one) < _CORRELATED:
        return f"{number(len(one), 'model')}: too few to say how {first} and {second} go together."
    try:
        return f"Correlation of {first} and {second}: {correlation(one, other):+.2f} over {len(one)} models."
    except StatisticsError:
        return f"{first.capitalize()} and {second} cannot be correlated over {number(len(one), 'model')}."


def _money(it: BoardMaterial) -> list[Block]:
    """Figures by tier: the middle model of each, with the best and the last."""
    by_tier: defaultdict[int, list[Row]] = defaultdict(list)
    for row in it.board.rows:
        tier = board_places.tier_of(row)
        if tier is not None:
            by_tier[tier].append(row)
    if not by_tier:
        return [Sentence("No source says what any model costs.")]
    names = [name for name in metrics.STANDARD if any(name in row.metrics for row in it.board.rows)]
    rows = tuple(
        FigureRow(f"tier_{tier}", "$" * tier, (f"{len(own)}", *(_of_tier(own, name) for name in names)))
        for tier, own in sorted(by_tier.items())
    )
    columns = (("models", "models"), *((KEYS[name][0], KEYS[name][1].lower()) for name in names))
    note = "The median of the models' medians, and from the least to the most of them. Tiers are as their sources say."
    return [FigureTable("tiers", "", "tier", columns, rows, note)]


def _of_tier(rows: list[Row], name: str) -> str:
    values = sorted(row.metrics[name].median for row in rows if name in row.metrics)
    if not values:
        return NO_FIGURE
    scale = metrics.SCALES.get(name, 1)
    factor, form = (100, ".1f") if scale == 100 else (1, "g" if scale is None else ".2f")
    middle, low, high = (f"{factor * value:{form}}" for value in (median(values), values[0], values[-1]))
    told = name == metrics.UNSAFE and all(banded(row.metrics[name]) for row in rows if name in row.metrics)
    beside = " %" if scale == 100 else f" {band(median(values))}" if told else ""
    return f"{middle}{beside}{f' ({low} to {high})' if len(values) > 1 else ''}"


def _length(it: BoardMaterial) -> list[Block]:
    having = [row for row in it.board.rows if metrics.MESSAGES in row.metrics and metrics.FOLLOWING in row.metrics]
    if len(having) < 2:
        return [Sentence("Two models with both figures are needed to set length against instruction-following.")]
    length = [row.metrics[metrics.MESSAGES].median for row in having]
    following = [row.metrics[metrics.FOLLOWING].median for row in having]
    said = _together_said(length, following, "agent messages", "instruction-following")
    shortest = min(having, key=lambda row: row.metrics[metrics.MESSAGES].median)
    longest = max(having, key=lambda row: row.metrics[metrics.MESSAGES].median)
    ends = (
        f"{shortest.model} needs fewest ({min(length):.2f} a conversation), {longest.model} most ({max(length):.2f})."
    )
    return [Sentence(f"{said} {ends}")]


def _cards(it: BoardMaterial) -> list[Block]:
    if not it.board.rows:
        return [Sentence("This store holds no conversation.")]
    note = f"Medians over runs, in board order. {_bands(it)} reviewer report {it.store} MODEL has the runs."
    return [rival_table("models", "", it.board.rows, note)]


def _bands(it: BoardMaterial) -> str:
    """What the bands of safety are, or why none is told."""
    counts = [row.metrics[metrics.UNSAFE] for row in it.board.rows if metrics.UNSAFE in row.metrics]
    if not counts:
        return "No case here is adversarial."
    return BANDS if all(map(banded, counts)) else NO_BANDS


def _limits(it: BoardMaterial) -> list[Block]:
    """What these figures cannot say, each with its number."""
    runs = sorted({len(row.runs) for row in it.board.rows})
    judges = sorted({judge for judge in it.board.judges.values() if judge})
    entrants = [judge for judge in judges if any(row.model == judge for row in it.board.rows)]
    read = sum(done for _, done, _ in it.matrix.columns)
    facts = [
        ("Customers:", "they are scripted, and the texts synthetic." if it.board.synthetic else _customers(it)),
        ("Traps:", _trap_limit(it)),
        ("Runs:", f"{span(runs)} a model; a median of so few is a hint, and one or two cases apart is noise."),
        ("Judges:", _judges(judges, entrants)),
        (
            "Reading:",
            f"{share(read, len(it.counts.conversations))} read to the end; what nobody read is not clean.",
        ),
    ]
    facts += [("Not said:", f"{each}.") for each in it.board.missing]
    return [Sentence(text, lead=lead) for lead, text in facts if text]


def _trap_limit(it: BoardMaterial) -> str:
    cases = number(len(it.traps), "case")
    return f"{cases}; a model's count moves in whole traps, so bands are read, not ranks." if it.traps else ""


def _customers(it: BoardMaterial) -> str:
    cases = sum(each.case is not None for each in it.counts.conversations)
    if not cases:
        return ""
    whole = len(it.counts.conversations)
    return f"{cases:,} of {number(whole, 'conversation')} belong to a benchmark's cases, whose customers are simulated."


def _judges(judges: list[str], entrants: list[str]) -> str:
    if not judges:
        return "no judge is named."
    itself = f"; {together(entrants)} is on the board itself" if entrants else ""
    return f"resolution, instruction-following and sentiment are what {together(judges)} gave{itself}."
