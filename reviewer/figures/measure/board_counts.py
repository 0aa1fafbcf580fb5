"""What a board is computed from, read once: which conversations there are, what came of them, what judges gave.

Owns which suite is read, whose scores are shown and which score says what passed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reviewer.figures.measure import acts, metrics, suites
from reviewer.figures.measure.repeats import Verdict, deciding
from reviewer.figures.measure.suites import SuitePlan
from reviewer.transcripts.query import EVERYTHING, Selection
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.tallies import By, CaseRow, ConversationTally, JudgeSum, RunRow, ScoredBy


@dataclass(frozen=True, slots=True)
class BoardCounts:
    """What a board is computed from, read once: which conversations there are, what came of them, what judges gave."""

    conversations: list[ConversationTally]
    runs: Mapping[int, RunRow]
    cases: Mapping[int, CaseRow]
    handed: frozenset[int]
    """The conversations with a handover call."""
    unsafe: frozenset[int]
    """The conversations with a call of a class that their case forbids."""
    given: list[JudgeSum]
    scorers: tuple[ScoredBy, ...]
    """The scores that are shown as the store names them, each with its judge."""
    other_judges: tuple[str, ...]
    about: Mapping[str, Mapping[str, Any]]
    """What sources say of the models."""
    synthetic: bool
    by: By | None
    plan: SuitePlan
    passing: Mapping[int, frozenset[str]] | None
    """Run to the cases with a conversation that passes the filter; None without a filter."""
    verdict: Verdict | None
    values: Mapping[int, float]
    """What the deciding score of each conversation is, where it has one."""
    suite: str | None
    """The one that was read; None for all of them."""
    suites: Mapping[str, int]
    simulated: bool = False
    players: tuple[str, ...] = ()

    @property
    def judges(self) -> dict[str, str | None]:
        """Whose scores each judged metric is."""
        return {metrics.plain_name(each.scorer): each.label for each in self.scorers}


def counts(
    reader: Reader,
    selection: Selection = EVERYTHING,
    by: By | None = None,
    run: int | None = None,
    judge: str | None = None,
    suite: str | None = None,
) -> BoardCounts:
    """Read what a board is computed from: the conversations that the selection names, of one suite or of all."""
    tallies = reader.tallies
    held = tallies.suites(selection)
    filtered = selection != EVERYTHING
    of_suite = EVERYTHING if suite is None else suites.within(EVERYTHING, suite)
    selection = selection if suite is None else suites.within(selection, suite)
    known = tallies.runs()
    runs = {row.id: row for row in known if run is None or row.number == run}
    cases = {row.id: row for row in tallies.cases()}
    passing = tallies.conversations(selection)
    conversations = [each for each in passing if each.run in runs]
    pairs, others = judges_shown(tallies.judges(), runs.values(), judge)
    given = [each for each in tallies.judged(pairs, by or "bucket", selection) if each.run in runs]
    verdict, values = _verdict(reader, selection, given, {each.scorer: each for each in pairs})
    return BoardCounts(
        conversations,
        runs,
        cases,
        acts.handed_over(tallies),
        acts.unsafe(tallies, cases.values()),
        given,
        tuple(pairs),
        others,
        tallies.models(),
        tallies.synthetic(),
        by,
        suites.plan(tallies.conversations(of_suite) if filtered else passing, suite, cases, known),
        _passing(conversations, cases) if filtered else None,
        verdict,
        values,
        suite,
        held,
        tallies.simulated(),
        tuple(tallies.simulated_customers()),
    )


def _verdict(
    reader: Reader, selection: Selection, given: list[JudgeSum], judges: Mapping[str, ScoredBy]
) -> tuple[Verdict | None, dict[int, float]]:
    """The score that says what passed, and its values."""
    scorer = deciding(dict.fromkeys(each.scorer for each in given))
    if scorer is None:
        return None, {}
    values = reader.tallies.values(judges[scorer], selection)
    of_buckets = {each.bucket for each in given if each.scorer == scorer} - {None}
    unit = all(0 <= value <= 1 for value in values.values())
    return Verdict(
        scorer, judges[scorer].label, unit, metrics.plain_name(scorer) in metrics.OVER_RESOLVABLE and bool(of_buckets)
    ), values


def _passing(conversations: Iterable[ConversationTally], cases: Mapping[int, CaseRow]) -> dict[int, frozenset[str]]:
    by_run: defaultdict[int, set[str]] = defaultdict(set)
    for each in conversations:
        if each.case is not None:
            by_run[each.run].add(cases[each.case].name)
    return {run: frozenset(names) for run, names in by_run.items()}


def judges_shown(
    known: list[ScoredBy], runs: Iterable[RunRow], asked: str | None
) -> tuple[list[ScoredBy], tuple[str, ...]]:
    """Choose for every scorer the judge whose scores are shown: the one asked for, the runs' own, else the first.

    Of a judge that was asked with several versions of a prompt it is the newest, or the one that is asked for.
    """
    own = {row.judge for row in runs}
    by_scorer: defaultdict[str, list[ScoredBy]] = defaultdict(list)
    for each in known:
        by_scorer[each.scorer].append(each)
    chosen = []
    for given in by_scorer.values():
        named = (each for each in given if asked and asked in (each.label, each.judge))
        chosen.append(next(named, next((each for each in given if each.judge in own), given[0])))
    others = {each.label for each in known} - {each.label for each in chosen}
    return chosen, tuple(sorted(filter(None, others)))
