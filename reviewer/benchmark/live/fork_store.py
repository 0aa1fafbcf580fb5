"""The store of forks: one decision a run of the case `CASE@PAST`, beside the store that they are of.

A store of its own, because forks are no runs of the benchmark: whatever counts runs (medians, flips, what a run still
lacks) would have to leave them out, and here nothing can forget to. What forks have in common, and proves that
they have it, is the digest of their past.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.live.fork_point import Decider, ForkPoint, acts_from
from reviewer.benchmark.live.programme import check_tools
from reviewer.benchmark.live.question_round import QuestionRound
from reviewer.marks.review.shares import Share, share_of
from reviewer.transcripts.digests import prefix_digest
from reviewer.transcripts.model import SIMULATED, Case, Conversation, Message, Run
from reviewer.transcripts.query import parse
from reviewer.transcripts.store.intake import Intake
from reviewer.transcripts.store.past_runs import held_cases
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer

Decide = Callable[[str, ForkPoint], Awaitable[tuple[Message, ...]]]
"""Lets a model decide once at a point; a `ReviewerError` where it did not answer."""

NO_ACT = "no act"
"""What it is called where an agent did nothing but speak and look up."""


class ForkTask(NamedTuple):
    """One decision that is still to be made: by which model, where, as which run."""

    model: str
    point: ForkPoint
    run: int


class ActShare(NamedTuple):
    """In how many of the forks an act was made, or none was."""

    what: str
    number: int
    of: int

    @property
    def share(self) -> Share | None:
        """The share, and between which shares it lies (Wilson, 95%)."""
        return share_of(self.number, self.of)


@dataclass(slots=True)
class Decisions:
    """What the forks of a point in a store decided."""

    refs: list[str] = field(default_factory=list)
    acts: Counter[str] = field(default_factory=Counter)
    none: int = 0
    """Those without an act."""
    forbidden: int = 0
    """Those with an act that the case forbids."""
    another_past: int = 0
    """Those that are called like them, and whose past is another; they are not counted."""

    def shares(self, forbids: bool) -> list[ActShare]:
        """Every act, the most frequent first, then none at all, and what was forbidden where something is."""
        told = [*self.acts.most_common(), (NO_ACT, self.none)]
        return [ActShare(what, n, len(self.refs)) for what, n in [*told, *[("forbidden", self.forbidden)] * forbids]]


def check_forks(store: Path) -> None:
    """Refuse a store that holds anything but forks: what counts its runs would count them too."""
    if not store.exists():
        return
    with Reader(store) as reader:
        others = reader.first_ids(parse("-meta.fork:*").selection, 1)
        ref = reader.rows(others)[0].ref if others else ""
    if ref:
        raise ReviewerError(f"{store} holds what is no fork, such as {ref}.", "Name another store: --into forks.db")


def fork_tasks(store: Path, deciders: Sequence[Decider], times: int) -> list[ForkTask]:
    """The decisions that a store still lacks, so that there are so many at each point: once everywhere, then again."""
    for played in dict.fromkeys(each.point.played for each in deciders):
        check_tools(played.desk, played.schemas)
    taken = {(held.model, held.case, held.run) for held in held_cases(store, {each.model for each in deciders})}
    return [
        ForkTask(each.model, each.point, run)
        for run in range(1, times + 1)
        for each in deciders
        if (each.model, each.point.case, run) not in taken
    ]


async def forked(store: Path, tasks: Sequence[ForkTask], decide: Decide, held: QuestionRound) -> None:
    """Let an agent decide each task once in a round, and store each decision when the agent makes it."""
    with Writer(store) as writer:
        points = list(dict.fromkeys(task.point.ref for task in tasks))
        paths = points if len(points) == 1 else [f"{len(points):,} messages"]
        models = ", ".join(dict.fromkeys(task.model for task in tasks))
        intake = Intake(writer, {"paths": paths, "fork": True, "model": models})
        try:
            await held.hold(tasks, lambda task: decide(task.model, task.point), partial(_keep, intake))
        finally:
            intake.end()


def _keep(intake: Intake, task: ForkTask, said: tuple[Message, ...]) -> None:
    """Store a decision; every point is a source of its own."""
    point = task.point
    intake.writer.begin()
    source = intake.source(f"fork of {point.ref}", "fork", point.stored.synthetic)
    intake.add(conversation(point, task.model, task.run, said), source, f"fork {task.run}")
    harness = f"reviewer fork{f', {SIMULATED}' if point.stored.simulated else ''}"
    intake.describe_run(Run(task.model, task.run, harness=harness))
    intake.set_desk([source], point.played.desk)
    intake.writer.commit()


def conversation(point: ForkPoint, model: str, run: int, said: tuple[Message, ...]) -> Conversation:
    """A fork as a conversation: the past, what was decided, and of what it is a fork."""
    it = point.stored.conversation
    meta: Mapping[str, Any] = {"fork": point.ref, "prefix": point.prefix}
    facts = replace(it.facts, id=point.case) if it.facts is not None else Case(point.case)
    ended = "cut" if said and said[-1].calls else None
    return Conversation(
        model, (*point.past, *said), case=point.case, run=run, clock=it.clock, ended_by=ended, meta=meta, facts=facts
    )


def decisions(store: Path, deciders: Sequence[Decider]) -> list[Decisions]:
    """What was decided at each of these points, of what is in a store and has the past of the point."""
    rows: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for held in held_cases(store, {each.model for each in deciders}):
        rows[held.model, held.case].append(held.rowid)
    if not rows:
        return [Decisions() for _ in deciders]
    with Reader(store) as reader:
        return [_decided(reader, rows[each.model, each.point.case], each.point) for each in deciders]


def _decided(reader: Reader, rows: Sequence[int], point: ForkPoint) -> Decisions:
    told = Decisions()
    for rowid in rows:
        stored = reader.stored(rowid)
        if prefix_digest(stored.conversation.messages, point.deciding) != point.prefix:
            told.another_past += 1
            continue
        acts = acts_from(stored, point.deciding)
        told.refs.append(stored.ref)
        told.acts.update({what for what, _ in acts})
        told.none += not acts
        told.forbidden += any(forbidden for _, forbidden in acts)
    return told
