"""Everything that a deep report says of one model, read once: counts, tags, findings, and who read what.

Owns the reading, so that sections are pure. Whatever is missing (a desk, buckets, scores, tags, a scan) is missing here
and said where it would have stood.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from reviewer.basics import collector
from reviewer.basics.errors import ReviewerError
from reviewer.basics.shell import shell_word
from reviewer.figures.export.collection import ExcerptCollection, ExportRequest
from reviewer.figures.measure import board, board_counts, suites
from reviewer.figures.measure.board import Board, Group, Row
from reviewer.figures.measure.board_counts import BoardCounts
from reviewer.figures.measure.families import families_of
from reviewer.figures.measure.flip_cases import CaseComparison, flip_cases
from reviewer.figures.measure.trap_runs import TrapRuns, trap_runs
from reviewer.figures.report.cost_figures import ReportCosts, report_costs
from reviewer.findings.finding_store import FindingsShown, findings_file, shown, shown_of_model
from reviewer.marks import queues, shapes
from reviewer.marks.codebook import Codebook
from reviewer.marks.ledger import Ledger, State
from reviewer.marks.read_extent import ReadCounts, ReadExtent, furthest
from reviewer.transcripts.model import QueueRow
from reviewer.transcripts.prices import PriceList, price_list
from reviewer.transcripts.query import EVERYTHING, parse
from reviewer.transcripts.query.selection import quoted
from reviewer.transcripts.refs import case_ref
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.tallies import CallCount, ConversationTally, JudgePair, UsageSum

_NEAREST, _LISTED = 3, 12
"""Names that are offered for one that is not there."""
_AT_ONCE = 5_000
"""Rows that one question asks for."""


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """What somebody wants to know of a model, as far as they choose."""

    model: str
    clusters: Mapping[str, Sequence[Group]] = field(default_factory=dict)
    """Name of a cluster to the families in it, each with its bucket; what stands in none is a row of its own."""
    comparators: Sequence[str] = ()
    """The models to set beside it; else those of its maker and its neighbours on the board."""
    promoted: str = ""
    """The mode that has an early section; else the one that most cases show."""
    run: int | None = None
    """The one run that counts; else all of them."""
    suite: str | None = None
    """The suite that counts; else the one of which the model has most conversations."""
    judge: str | None = None
    """Whose scores are shown."""
    prices: PriceList | None = None
    """What models cost; else the shipped list."""
    versions: Mapping[str, int] = field(default_factory=dict)
    """Name of a read to its version now: what older ones counted is left out."""


@dataclass(frozen=True)
class MarkFolder:
    """The annotations that a report prints from."""

    folder: Path
    ledger: Ledger
    codebook: Codebook

    @cached_property
    def queues(self) -> dict[str, queues.Queue]:
        """The named queues, by name."""
        return queues.by_name(self.folder)

    @cached_property
    def briefs(self) -> dict[str, State]:
        """Everything that was marked, by conversation or case, without the words of tags."""
        return dict(self.ledger.briefs())


Decision = tuple[str, str]
"""The conversation (or case) that a finding is about, and its name: equal conversations are decided one by one."""


@dataclass(frozen=True, slots=True)
class Readership:
    """Which of a model's conversations people have reviewed, and what they decided about findings."""

    read: Mapping[str, ReadExtent]
    """References of conversations as they stand in the store, and how far somebody read."""
    draws: Mapping[str, frozenset[str]]
    """Those that were reviewed in each queue that was drawn or is exhaustive: rates are of these, queue by queue."""
    stated: frozenset[str]
    """Those of which anybody said so, whatever words they had read: what `reviewed:no` leaves out."""
    outdated: int
    """Reviews of other words than those stored now."""
    reviewers: tuple[str, ...]
    accepted: frozenset[Decision]
    """Findings that somebody took for true."""
    rejected: frozenset[Decision]
    tagged: frozenset[tuple[str, str, int]]
    """Conversation, code and message of every tag: who tags what a read suggests has decided about it, too."""

    @property
    def drawn(self) -> frozenset[str]:
        """Those that were reviewed in any such queue."""
        return frozenset().union(*self.draws.values())

    def counts(self, refs: Iterable[str] | None = None) -> ReadCounts:
        """How far these were read, or all of them."""
        return ReadCounts.of(self.read.values() if refs is None else map(self.read.get, refs))


@dataclass(frozen=True, slots=True)
class Material:
    """All that the sections of one model's report are made from."""

    store: Path
    asked: ReportRequest
    counts: BoardCounts
    board: Board
    row: Row
    """The model's own row of the board."""
    own: tuple[ConversationTally, ...]
    """Its conversations, as they are counted."""
    rows: tuple[QueueRow, ...]
    """The same as a queue shows them."""
    suites: Mapping[str, int]
    """Every suite of which the model has conversations, with their number."""
    run_ids: tuple[int, ...]
    """The rows of its runs in the store, in the order in which figures per run are printed."""
    traps: tuple[TrapRuns, ...]
    cases: CaseComparison
    calls: tuple[CallCount, ...]
    usage: tuple[UsageSum, ...]
    costs: ReportCosts
    pairs: tuple[JudgePair, ...]
    findings: FindingsShown
    scanned: bool
    marked: MarkFolder
    tags: ExcerptCollection
    readership: Readership

    @property
    def model(self) -> str:
        """The model."""
        return self.row.model

    @property
    def sizes(self) -> list[int]:
        """How many conversations of each run count: neither empty nor ended by an error."""
        counted = Counter(each.run for each in self.own if not each.broken)
        return [counted[run] for run in self.run_ids]

    @property
    def query(self) -> str:
        """The query that names its conversations."""
        return query_of(self.model, self.asked.run, self.board.suite if len(self.suites) > 1 else None)


def query_of(model: str, run: int | None, suite: str | None = None) -> str:
    """The query that names a model's conversations, or those of one run or suite."""
    of_suite = "" if suite is None else f" suite:{quoted(suite) if suite else 'none'}"
    return f"model:{quoted(model)}{'' if run is None else f' run:{run}'}{of_suite}"


def _suite(reader: Reader, asked: ReportRequest, held: Mapping[str, int]) -> str | None:
    """The suite that a report is about: the one asked for, else that of most conversations; None where there is one."""
    if asked.suite is not None:
        return suites.chosen_suite(reader.tallies, EVERYTHING, asked.suite)
    return suites.largest(held) if len(reader.tallies.suites()) > 1 and held else None


def material(reader: Reader, asked: ReportRequest, marked: MarkFolder) -> Material:
    """Read everything about a model; a sentence with the nearest names where there is no such model."""
    with collector.waiting():
        return _read(reader, asked, marked)


def _read(reader: Reader, asked: ReportRequest, marked: MarkFolder) -> Material:
    held = reader.tallies.suites(parse(query_of(asked.model, asked.run)).selection)
    suite = _suite(reader, asked, held)
    several = len(held) > 1
    counts = board_counts.counts(reader, by="family", run=asked.run, judge=asked.judge, suite=suite)
    standings = board.standings(counts, {asked.model})
    row = _row(standings, asked, reader)
    of_model = {rowid for rowid, run in counts.runs.items() if run.model == row.model}
    own = tuple(each for each in counts.conversations if each.run in of_model)
    numbered = (counts.runs[rowid] for rowid in {each.run for each in own})
    runs = tuple(run.id for run in sorted(numbered, key=lambda run: (run.number is None, run.number or 0)))
    ids = [each.id for each in own]
    rows = tuple(row for start in range(0, len(ids), _AT_ONCE) for row in reader.rows(ids[start : start + _AT_ONCE]))
    refs = {each.ref for each in rows} | {case_ref(row.model, each.case) for each in rows if each.case is not None}
    query = query_of(row.model, asked.run, suite if several else None)
    selection = parse(query).selection
    request = ExportRequest(selection, of=selection, population=query)
    scores = families_of(counts)
    states = {ref: marked.ledger.state(ref) for ref in marked.briefs if ref in refs}
    return Material(
        reader.path,
        asked,
        counts,
        standings,
        row,
        own,
        rows,
        held,
        runs,
        trap_runs(counts, row.model),
        flip_cases(rows),
        tuple(reader.tallies.called(ids)),
        tuple(reader.tallies.used(EVERYTHING if suite is None else suites.within(EVERYTHING, suite))),
        report_costs(reader, counts, row.model, runs, ids, asked.prices or price_list()),
        tuple(reader.tallies.paired(counts.scorers, ids)),
        shown(reader.path, reader.search.where, selection) if several else shown_of_model(reader.path, row.model),
        findings_file(reader.path).exists(),
        marked,
        ExcerptCollection(
            reader, marked.ledger, marked.codebook, request, queues=marked.queues, scores=scores, states=states
        ),
        readership(marked, {each.ref: each.digest for each in own}, states),
    )


def _row(standings: Board, asked: ReportRequest, reader: Reader) -> Row:
    """The model's own row, or a sentence with what is nearest to what was asked for."""
    row = next((row for row in standings.rows if row.model == asked.model), None)
    if row is not None:
        return row
    known = sorted(reader.info()["models"])
    if not known:
        raise ReviewerError("This store holds no conversation.", "Import some first: reviewer import")
    if asked.model in known and asked.suite is not None:
        held = reader.tallies.suites(parse(query_of(asked.model, asked.run)).selection)
        hint = f"Its suites: {', '.join(map(suites.suite_name, held)) or 'none'}."
        raise ReviewerError(f"{asked.model} has no conversation of suite {asked.suite} that can be counted.", hint)
    if asked.model in known and asked.run is None:
        hint = f"See what it holds: reviewer info {shell_word(reader.path)}"
        raise ReviewerError(f"{reader.path} has no conversation of {asked.model} that can be counted.", hint)
    if asked.model in known:
        runs = [str(run.number) for run in reader.tallies.runs() if run.model == asked.model and run.number is not None]
        hint = f"Its runs: {', '.join(runs)}." if runs else "Its runs have no numbers."
        raise ReviewerError(f"{asked.model} has no run {asked.run}.", hint)
    folded = {name.lower(): name for name in reversed(known)}
    near = [folded[each] for each in get_close_matches(asked.model.lower(), folded, _NEAREST, 0.4)]
    hint = f"Nearest: {', '.join(near)}." if near else f"Models: {', '.join(known[:_LISTED])}."
    raise ReviewerError(f"There is no model “{asked.model}” here.", hint)


def readership(marked: MarkFolder, digests: Mapping[str, str], states: Mapping[str, State]) -> Readership:
    """Sort out who reviewed which of these conversations, and what was decided there."""
    current = {name: mode.code for mode in marked.codebook.modes for name in (*mode.was, mode.code)}
    extents: defaultdict[str, set[ReadExtent]] = defaultdict(set)
    draws: defaultdict[str, set[str]] = defaultdict(set)
    reviewers: set[str] = set()
    accepted: set[Decision | None] = set()
    rejected: set[Decision | None] = set()
    stated: set[str] = set()
    tagged: set[tuple[str, str, int]] = set()
    outdated = 0
    for ref, state in states.items():
        stated.update({ref} if state.reviewed else ())
        for name, done in state.reviewed.items():
            if done.digest != digests.get(ref):
                outdated += 1
                continue
            reviewers.add(name)
            extents[ref].add(done.extent)
            queue = marked.queues.get(str(done.how.get("queue") or ""))
            if queue is not None and queue.gives_rates:
                draws[queue.name].add(ref)
        tagged.update(
            (piece.ref.conversation, current.get(tag.code, tag.code), piece.ref.message)
            for tag in state.tags
            for piece in tag.pieces
            if piece.ref.message is not None
        )
        accepted.update(map(_finding_name, (tag.extra or {} for tag in state.tags)))
        rejected.update(map(_finding_name, (event.fields for event in state.rejected)))
    return Readership(
        {ref: far for ref, own in extents.items() if (far := furthest(own)) is not None},
        {name: frozenset(refs) for name, refs in sorted(draws.items())},
        frozenset(stated),
        outdated,
        tuple(sorted(reviewers)),
        frozenset(filter(None, accepted)),
        frozenset(filter(None, rejected - accepted)),
        frozenset(tagged),
    )


def _finding_name(fields: Mapping[str, Any]) -> Decision | None:
    """The finding that a tag was made from, or that was rejected, and where it stands; None where it is none."""
    finding = fields.get("finding")
    claim = finding.get("claim") if isinstance(finding, Mapping) else None
    if not isinstance(finding, Mapping) or not isinstance(claim, Mapping):
        return None
    return str(claim.get("ref", "")).partition("#")[0], shapes.finding_identity(finding)
