"""Suites: which benchmark a board shows, which cases a run of it is to hold, and how many each run holds.

Figures of different cases cannot be compared. A board therefore shows one suite, and ranks a model only if each of its
runs holds every planned case of that suite with a conversation that counts. Pure but for reading the counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from reviewer.basics.errors import ReviewerError
from reviewer.transcripts.query import Selection, parse
from reviewer.transcripts.query.selection import SelectionChoice, quoted
from reviewer.transcripts.store.tallies import CaseRow, ConversationTally, RunRow, Tallies

NO_SUITE = "no suite"
"""What conversations are called whose case belongs to no suite, or that belong to no case."""
_TRAP = "adversarial"


class SuitePlan(NamedTuple):
    """The cases that each run of a suite is to hold, and what each run holds of them."""

    cases: frozenset[str] = frozenset()
    traps: int = 0
    """How many of them are adversarial."""
    held: Mapping[int, frozenset[str]] = MappingProxyType({})
    """Run to the cases of which it holds a conversation that counts."""
    meant: Mapping[int, frozenset[str]] = MappingProxyType({})
    """Run to the cases that its source meant it to have; runs without such a list are missing."""


class PlanCoverage(NamedTuple):
    """How many of the planned cases each run of a model holds."""

    planned: int = 0
    held: tuple[int, ...] = ()
    """By run; a conversation that is empty or ended in an error does not hold its case."""
    filtered: bool = False
    """Whether the planned cases are only those that pass the filter."""
    own: bool = False
    """Whether each run holds all that its own source meant it to have."""

    @property
    def complete(self) -> bool:
        """True if each run holds every planned case."""
        return self.planned > 0 and set(self.held) == {self.planned}

    @property
    def percent(self) -> int:
        """The held cases of all runs in per cent of those planned for them; 100 only where none is missing."""
        whole = self.planned * len(self.held)
        return 100 * sum(self.held) // whole if whole else 0


def suite_name(suite: str) -> str:
    """What a suite is called where people read it."""
    return suite or NO_SUITE


def within(selection: Selection, suite: str) -> Selection:
    """What a selection leaves of one suite."""
    own = parse(f"suite:{quoted(suite) if suite else 'none'}").selection
    return selection._replace(choices=(*selection.choices, SelectionChoice((own,))))


def largest(suites: Mapping[str, int]) -> str:
    """The suite with the most conversations; the first by name of several."""
    return min(suites, key=lambda suite: (-suites[suite], suite), default="")


def chosen_suite(tallies: Tallies, selection: Selection, asked: str | None) -> str:
    """The suite that somebody asked for, else the largest; a sentence with those there are where it is none of them."""
    if asked is None:
        return largest(tallies.suites(selection))
    suites = tallies.suites()
    named = {suite_name(suite).lower(): suite for suite in suites}
    if asked not in suites and asked.lower() not in named:
        known = ", ".join(f"{suite_name(each)} ({n:,})" for each, n in sorted(suites.items()))
        raise ReviewerError(f"No conversation here belongs to a suite “{asked}”.", f"Suites: {known or 'none'}.")
    return asked if asked in suites else named[asked.lower()]


def plan(
    own: Collection[ConversationTally], suite: str | None, cases: Mapping[int, CaseRow], runs: Iterable[RunRow]
) -> SuitePlan:
    """The plan of a suite, or of all: every case that one of its runs was meant to have, or that the store holds.

    `own` are all conversations of the suite in the store, whatever the filter.
    """
    held: defaultdict[int, set[str]] = defaultdict(set)
    for each in own:
        if each.case is not None and not each.broken:
            held[each.run].add(cases[each.case].name)
    holding = {each.run for each in own}
    suites = {each.name: each.suite for each in cases.values()}
    meant = {run.id: _meant(run, suite, suites) for run in runs if run.id in holding and run.meant}
    wanted = {cases[each.case].name for each in own if each.case is not None}.union(*meant.values())
    traps = sum(case.bucket == _TRAP and case.name in wanted for case in cases.values())
    return SuitePlan(
        frozenset(wanted),
        traps,
        {run: frozenset(names) for run, names in held.items()},
        {run: names for run, names in meant.items() if names},
    )


def _meant(run: RunRow, suite: str | None, suites: Mapping[str, str]) -> frozenset[str]:
    """The cases of a suite that a run was meant to have.

    The store knows no suite of a case that nobody played: it is the suite with which the name begins, else the one to
    which all other cases of the run belong.
    """
    known = {suites[name] for name in run.meant if name in suites}
    alone = next(iter(known)) if len(known) == 1 else ""
    named = sorted({each for each in suites.values() if each}, key=len, reverse=True)

    def of(name: str) -> str:
        return suites[name] if name in suites else next((each for each in named if name.startswith(f"{each}-")), alone)

    return frozenset(name for name in run.meant if suite is None or of(name) == suite)


def coverage(planned: SuitePlan, runs: Sequence[int], passing: Mapping[int, frozenset[str]] | None) -> PlanCoverage:
    """How many planned cases these runs of a model hold; `passing` has the cases of all runs that pass the filter.

    Under a filter a run that is whole is to hold every case of which any run has a conversation that passes.
    """
    held = tuple(len(planned.held.get(run, frozenset()) & planned.cases) for run in runs)
    own = all(run in planned.meant and planned.meant[run] <= planned.held.get(run, frozenset()) for run in runs)
    whole = PlanCoverage(len(planned.cases), held, own=own)
    if passing is None or not whole.complete:
        return whole
    wanted = frozenset[str]().union(*passing.values())
    return PlanCoverage(len(wanted), tuple(len(passing.get(run, frozenset())) for run in runs), filtered=True, own=own)
