"""What reading taught across models: modes and makers, traps, handovers, what money buys, whom to start with.

Owns which sections there are and what each says. Every line is computed, or counted from tags with how much was read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reviewer.basics import collector
from reviewer.figures.export.collection import ExcerptCollection, ExportRequest
from reviewer.figures.export.excerpts import Excerpt
from reviewer.figures.export.merged_lines import Entry
from reviewer.figures.export.print_counts import number, whose_scores
from reviewer.figures.export.print_plan import PrintGroup
from reviewer.figures.measure import board, board_counts, metrics
from reviewer.figures.measure.board import Board
from reviewer.figures.measure.board_counts import BoardCounts
from reviewer.figures.measure.costs import model_costs
from reviewer.figures.measure.families import families_of
from reviewer.figures.measure.printed_figures import span
from reviewer.figures.measure.repeats import compared_cases
from reviewer.figures.measure.suites import chosen_suite, suite_name, within
from reviewer.figures.measure.tiers import TierGroups, tier_groups
from reviewer.figures.measure.trap_runs import trap_models
from reviewer.figures.report.blocks import (
    Block,
    EmptySection,
    ExcerptList,
    FigureRow,
    FigureTable,
    ReportPage,
    ReportSection,
    Sentence,
    slugs,
)
from reviewer.figures.report.board_figures import (
    TrapModels,
    cards,
    handovers,
    length_said,
    money,
    picks,
    repeated,
    traps,
)
from reviewer.figures.report.card import named
from reviewer.figures.report.material import MarkFolder
from reviewer.figures.report.mode_matrix import ModeCell, ModeMatrix, ModeSpread, mode_matrix, mode_spread
from reviewer.figures.report.phrases import share, together
from reviewer.marks.codebook import Mode
from reviewer.transcripts.prices import PriceList, price_list
from reviewer.transcripts.query import EVERYTHING
from reviewer.transcripts.store.reader import Reader

_UNTAGGED = "nobody tagged anything yet: reviewer open, and a digit on the words"
_QUOTED = 3
_MODES = 15


@dataclass(frozen=True, slots=True)
class BoardMaterial:
    """All that the page across models is made from."""

    store: str
    counts: BoardCounts
    board: Board
    tiers: TierGroups
    traps: TrapModels
    matrix: ModeMatrix
    spread: Sequence[ModeSpread]
    exemplars: ExcerptCollection
    marks: MarkFolder


def board_material(
    reader: Reader,
    marks: MarkFolder,
    judge: str | None = None,
    prices: PriceList | None = None,
    suite: str | None = None,
) -> BoardMaterial:
    """Read everything about all models of a store; what compares models is of one suite, the largest for None."""
    with collector.waiting():
        return _read(reader, marks, judge, prices or price_list(), suite)


def _read(reader: Reader, marks: MarkFolder, judge: str | None, prices: PriceList, suite: str | None) -> BoardMaterial:
    counts = board_counts.counts(reader, by="family", judge=judge)
    own = chosen_suite(reader.tallies, EVERYTHING, suite)
    of_suite = board_counts.counts(reader, judge=judge, suite=own) if len(counts.suites) > 1 else counts
    compared = compared_cases(reader, of_suite.conversations, of_suite.runs)
    standings = board.standings(of_suite, grouped=(), compared=compared)
    costs = [] if counts.synthetic else model_costs(reader.tallies.costs(within(EVERYTHING, own)), prices)
    shown = [ref for ref, state in marks.briefs.items() if any(tag.exemplar for tag in state.tags)]
    states = {ref: marks.ledger.state(ref) for ref in shown}
    request = ExportRequest(tag=lambda tag: tag.exemplar)
    return BoardMaterial(
        reader.path.name,
        counts,
        standings,
        tier_groups(standings, costs, prices),
        trap_models(of_suite),
        mode_matrix(reader.path, counts, marks.briefs, marks.codebook, "model"),
        mode_spread(counts, marks.briefs, marks.codebook),
        ExcerptCollection(reader, marks.ledger, marks.codebook, request, scores=families_of(counts), states=states),
        marks,
    )


def excerpt_of(reader: Reader, it: BoardMaterial, identifier: str) -> Excerpt | None:
    """The tag of this identifier, of whatever model it is; None where there is none, or its words are gone."""
    exemplar = it.exemplars.of_tag(identifier)
    if exemplar is not None:
        return exemplar
    briefs = it.marks.briefs.items()
    refs = [ref for ref, state in briefs if any(tag.id == identifier for tag in state.tags)]
    states = {ref: it.marks.ledger.state(ref) for ref in refs}
    request = ExportRequest(tag=lambda tag: tag.id == identifier)
    families = families_of(it.counts)
    own = ExcerptCollection(reader, it.marks.ledger, it.marks.codebook, request, scores=families, states=states)
    return own.of_tag(identifier)


def board_report(it: BoardMaterial) -> ReportPage:
    """The page across models."""
    judged = any(metrics.FOLLOWING in row.metrics for row in it.board.rows)
    counted = (
        ("picks", "Start here", picks(it.board)),
        ("modes", "What reading found", _modes(it)),
        ("makers", "Habits by maker", _makers(it)),
        ("traps", "Traps that catch nearly everybody", traps(it.traps)),
        ("handovers", "Handing over too little, or too much", handovers(it.board)),
        ("money", "What money buys", money(it.board, it.tiers)),
        ("length", "Length and instructions" if judged else "Length and scores", length_said(it.board)),
        ("repeats", "The same case in all runs", repeated(it.board)),
        ("board", "All models", cards(it.board, it.store)),
    )
    empty = {heading: made.why for _, heading, made in counted if isinstance(made, EmptySection)}
    sections = (
        *(
            ReportSection(key, heading, () if isinstance(made, EmptySection) else tuple(made))
            for key, heading, made in counted
        ),
        ReportSection("limits", "Limits", (*_limits(it), *_left_out(empty))),
    )
    runs = sum(len(row.runs) for row in it.board.rows)
    whole = sum(of for _, _, of in it.matrix.columns)
    said = it.matrix.read.words(f"of {number(len(it.counts.conversations), 'conversation')}")
    byline = f"Findings across {number(len(it.board.rows), 'model')} · {number(runs, 'run')} · {said}"
    byline += f", in {number(len(it.matrix.columns), 'model')} with marks ({whole:,})" if it.matrix.columns else ""
    return ReportPage(f"Findings from {it.store}", byline, sections, it.board.synthetic, simulated=it.board.simulated)


def _left_out(empty: Mapping[str, str]) -> list[Sentence]:
    """The sections that have nothing to print, in one line, with why that is."""
    headings: defaultdict[str, list[str]] = defaultdict(list)
    for heading, why in empty.items():
        headings[why].append(heading)
    listed = [f"{together([f'“{each}”' for each in own], len(own))} ({why})" for why, own in headings.items()]
    return [Sentence(f"{'; '.join(listed)}.", lead="Left out:")] if listed else []


# -- what people tagged ------------------------------------------------------------------------------------------------


def _modes(it: BoardMaterial) -> list[Block] | EmptySection:
    """Modes by how many models and cases they take, with exemplars of the first."""
    if not it.spread:
        return EmptySection(_UNTAGGED)
    shown = it.spread[:_MODES]
    read = {mode.code: cells for mode, cells in it.matrix.rows}
    rows = tuple(
        FigureRow(key, each.mode.title, (*_spread_cells(it, each), _read_of(read.get(each.mode.code, ()))))
        for key, each in zip(slugs(each.mode.code for each in shown), shown, strict=True)
    )
    columns = (
        ("models", "models"),
        ("cases", "cases"),
        ("conversations", "conversations"),
        ("read", "of conversations reviewed"),
    )
    more = f" {len(it.spread) - _MODES} more modes were tagged." if len(it.spread) > _MODES else ""
    where = "in which it could show" if it.matrix.scanned else "whatever they were about"
    note = (
        "Models in which it was tagged, of those that anybody reviewed or tagged. Of conversations reviewed: those that"
        f" bear it, of those {where}: counts, and no rates.{more}"
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
    return f"{sum(cell.seen for cell in own):,} of {of:,}" if of else "none reviewed"


def _quotes(it: BoardMaterial, each: ModeSpread) -> ExcerptList:
    """One exemplar of a mode from each of a few models."""
    chosen: dict[str, Entry] = {}
    for planned, group in it.exemplars.plan.in_order():
        if planned.code == each.mode.code and len(chosen) < _QUOTED:
            excerpt: Excerpt = it.exemplars.printed(planned)
            chosen.setdefault(excerpt.model, (PrintGroup(group.first, True, {planned.ref}), excerpt))
    about = f"In {number(len(each.models), 'model')}, {number(len(each.cases), 'case')}."
    return ExcerptList(each.mode.title, about, tuple(chosen.values()), each.mode.code, each.mode.definition)


def _makers(it: BoardMaterial) -> list[Block] | EmptySection:
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
        return EmptySection(_UNTAGGED)
    keys = slugs(name for name, _ in rows)
    made = tuple(FigureRow(key, name, cells) for key, (name, cells) in zip(keys, rows, strict=True))
    columns = (("models", "models looked at"), ("modes", "modes, with the models that show them"))
    return [FigureTable("makers", "", "maker", columns, made)]


# -- what these figures cannot say -------------------------------------------------------------------------------------


def _limits(it: BoardMaterial) -> list[Block]:
    """What these figures cannot say, each with its number."""
    runs = sorted({len(row.runs) for row in it.board.rows})
    judges = sorted({judge for judge in it.board.judges.values() if judge})
    entrants = [judge for judge in judges if any(row.model == judge for row in it.board.rows)]
    read, whole = it.matrix.read, len(it.counts.conversations)
    suites = [f"{suite_name(suite)} ({n:,})" for suite, n in it.board.suites.items() if suite != it.board.suite]
    of_suite = (
        f"figures that compare models are of {suite_name(it.board.suite or '')} alone, not of {together(suites)}."
    )
    facts = [
        ("Suite:", of_suite if suites and it.board.suite is not None else ""),
        ("Customers:", "they are scripted, and the texts synthetic." if it.board.synthetic else _customers(it)),
        ("Traps:", _trap_limit(it)),
        ("Runs:", f"{span(runs)} a model; a median of so few is a hint, and one or two cases apart is noise."),
        ("Judges:", _judges(it.board, entrants)),
        (
            "Reading:",
            f"{share(read.reviewed, whole)} reviewed{read.how_far}; what nobody read is not clean.",
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


def _judges(board: Board, entrants: list[str]) -> str:
    by_judge: defaultdict[str, list[str]] = defaultdict(list)
    order = {name: at for at, name in enumerate(metrics.JUDGED)}
    for name in sorted(board.judges, key=lambda name: (order.get(name, len(order)), name)):
        if judge := board.judges[name]:
            by_judge[judge].append(named(name)[1].lower())
    if not by_judge:
        return "no judge is named."
    itself = f"; {together(entrants)} is on the board itself" if entrants else ""
    gave = [f"{together(own)} {'are' if len(own) > 1 else 'is'} what {judge} gave" for judge, own in by_judge.items()]
    return f"{'; '.join(gave)}{itself}."
