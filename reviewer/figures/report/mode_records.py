"""Modes as people tagged them in one model: how often, in how many cases, runs and families, and what it comes to.

Whether a mode is a habit or happened once is told of what was drawn and reviewed alone; of a hand-picked pile only how
often it was seen. Two draws have two populations, so each has a rate of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reviewer.figures.export.collection import ExcerptCollection
from reviewer.figures.export.excerpts import OPEN
from reviewer.figures.export.merged_lines import Entry
from reviewer.figures.export.print_counts import draw, of_mode
from reviewer.figures.export.print_plan import PlannedTag, PrintGroup
from reviewer.figures.report.blocks import Block, ExcerptList, FigureRow, FigureTable, slugs
from reviewer.figures.report.material import Material
from reviewer.figures.report.phrases import NO_FIGURE, share, together
from reviewer.marks.codebook import Mode

HABIT_SHARE, HABIT_CASES = 0.2, 3
"""A habit shows in a fifth of the drawn conversations in which it could, and in three cases."""
ONCE_OF = 10
"""So many such conversations must have been reviewed before a single one is called a one-off."""
EXPLAINED = (
    "Of the modes: reviewed runs are those of the runs that somebody reviewed in which it was seen. Of drawn and"
    " reviewed: conversations that bear it, of those in which it could show, as reads see it. It is a habit where it"
    f" shows in {HABIT_SHARE:.0%} of them and in {HABIT_CASES} cases, a one-off where it shows in one case of {ONCE_OF}"
    " or more, and not in the draw where none of them bears it and others do."
)
"""What the columns of a table of modes say."""
_QUOTED, _WORDINGS, _EXEMPLARS = 2, 6, 4
"""Groups of quotes that a mode prints, quotes of a group, and groups where there are exemplars."""
_FAMILIES = 4


@dataclass(frozen=True, slots=True)
class DrawRate:
    """How often a mode shows in the conversations of one drawn queue that were reviewed."""

    queue: str
    seen: int
    """Those that bear it."""
    could: int
    """Those in which it could have shown."""
    cases: int
    """Cases of those that bear it."""


@dataclass(frozen=True, slots=True)
class ModeRecord:
    """What is known of one mode in one model."""

    mode: Mode
    tags: int
    conversations: int
    cases: int
    runs_seen: int
    """Runs with a conversation that was reviewed and bears it."""
    runs_read: int
    families: tuple[str, ...]
    rates: tuple[DrawRate, ...]
    """Its rate in each drawn queue, that of most conversations first."""

    @property
    def kind(self) -> str:
        """`habit`, `one-off`, `now and then`, or `not in the draw`; empty where too little was drawn and reviewed."""
        if not self.rates or not self.rates[0].could:
            return ""
        rate = self.rates[0]
        if not rate.seen:
            return "not in the draw"
        if rate.cases >= HABIT_CASES and rate.seen >= HABIT_SHARE * rate.could:
            return "habit"
        if self.cases == 1:
            return "one-off" if rate.could >= ONCE_OF else ""
        return "now and then"


def mode_records(it: Material, opportunities: Mapping[str, set[str]]) -> dict[str, ModeRecord]:
    """The record of every mode that somebody tagged, those of most cases first."""
    plan = it.tags.plan
    made = [_record(it, code, opportunities) for code in plan.codes()]
    made.sort(key=lambda each: (-each.cases, -each.conversations, -each.tags, each.mode.code))
    return {each.mode.code: each for each in made}


def _record(it: Material, code: str, opportunities: Mapping[str, set[str]]) -> ModeRecord:
    mode = it.marked.codebook.mode(code) or (Mode(code, code) if code else OPEN)
    tally = it.tags.plan.tally(code)
    bearing = {tag.ref for tag in it.tags.plan.of_mode(code)}
    read = it.readership.read
    runs_read = {row.run for row in it.rows if row.ref in read}
    own = [row for row in it.rows if row.ref in bearing]
    families = dict.fromkeys(row.family for row in own if row.family)
    looked = [refs for name, refs in opportunities.items() if name in (mode.code, *mode.was)]
    rates = []
    for queue, drawn in it.readership.draws.items():
        could = drawn & (bearing.union(*looked)) if looked else drawn
        cases = {row.case for row in own if row.ref in drawn}
        rates.append(DrawRate(queue, len(bearing & drawn), len(could), len(cases)))
    return ModeRecord(
        mode,
        tally.tags,
        tally.conversations,
        tally.cases,
        len({row.run for row in own if row.ref in read}),
        len(runs_read),
        tuple(sorted(families, key=lambda name: -sum(row.family == name for row in own))),
        tuple(sorted(rates, key=lambda rate: -rate.could)),
    )


def record_table(it: Material, records: Iterable[ModeRecord], key: str = "modes") -> FigureTable:
    """Modes as rows: how often each was seen, of how much that was read, and what it comes to."""
    own = list(records)
    columns = (
        ("tags", "tags"),
        ("conversations", "conversations"),
        ("cases", "cases"),
        ("runs", "reviewed runs"),
        ("families", "families"),
        ("rate", "of drawn and reviewed"),
        ("kind", "so it is"),
    )
    rows = tuple(
        FigureRow(name, each.mode.title, _cells(each))
        for name, each in zip(slugs(each.mode.code or "notes" for each in own), own, strict=True)
    )
    return FigureTable(key, "", "mode", columns, rows, _frames(it))


def _frames(it: Material) -> str:
    """How much of each drawn queue was reviewed, and what it was drawn from; empty where nothing was."""
    own = it.readership
    said = [f"{own.counts(refs).words()} in {draw(it.tags, queue)}" for queue, refs in own.draws.items()]
    if not said:
        return ""
    which = " So it is: by the queue of which most was reviewed." if len(said) > 1 else ""
    return f"Drawn: {'; '.join(said)}.{which}"


def _cells(each: ModeRecord) -> tuple[str, ...]:
    return (
        f"{each.tags:,}",
        f"{each.conversations:,}",
        f"{each.cases:,}",
        f"{each.runs_seen} of {each.runs_read}" if each.runs_read else "none reviewed",
        together(each.families, _FAMILIES) if each.families else NO_FIGURE,
        _rate(each.rates),
        each.kind or "not told",
    )


def _rate(rates: Sequence[DrawRate]) -> str:
    """`11 of 60 (18%)`; with the queues' names where there are several."""
    named = len(rates) > 1
    said = [
        f"{f'{rate.queue} ' if named else ''}{share(rate.seen, rate.could) if rate.could else 'none could show it'}"
        for rate in rates
    ]
    return "; ".join(said) or "none drawn"


def planned_by_mode(tags: ExcerptCollection) -> dict[str, list[tuple[PlannedTag, PrintGroup]]]:
    """Every mode's tags in the order of print."""
    by_mode: dict[str, list[tuple[PlannedTag, PrintGroup]]] = {}
    for planned, group in tags.plan.in_order():
        by_mode.setdefault(planned.code, []).append((planned, group))
    return by_mode


def quotes(it: Material, planned: list[tuple[PlannedTag, PrintGroup]], record: ModeRecord, heading: str) -> Block:
    """A mode's excerpts: its exemplars, else the first that there are."""
    exemplars = sum(group.exemplar for group in {id(group): group for _, group in planned}.values())
    most = min(exemplars, _EXEMPLARS) or _QUOTED
    shown: dict[int, list[PlannedTag]] = {}
    groups: dict[int, PrintGroup] = {}
    for tag, group in planned:
        if group.first not in shown and len(shown) == most:
            break
        wordings = shown.setdefault(group.first, [])
        groups[group.first] = group
        if len(wordings) < _WORDINGS:
            wordings.append(tag)
    entries: tuple[Entry, ...] = tuple(
        (groups[first], it.tags.printed(tag)) for first, wordings in shown.items() for tag in wordings
    )
    mode = record.mode
    return ExcerptList(heading, of_mode(it.tags, mode.code), entries, mode.code, mode.definition)


def promoted(records: Mapping[str, ModeRecord], asked: str) -> ModeRecord | None:
    """The mode that gets an early section: the one asked for, else the failure that most cases show, if several do."""
    if asked:
        return records.get(asked)
    failures = [each for each in records.values() if each.mode.polarity == "failure" and each.cases > 1]
    return failures[0] if failures else None
