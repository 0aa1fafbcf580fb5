"""The store of forks: one decision a run of the case `CASE@PAST`, beside the store that they are of.

A store of its own, because forks are no runs of the benchmark: whatever counts runs (medians, flips, what a run still
lacks) would have to leave them out, and here nothing can forget to. What forks have in common, and proves that
they have it, is the digest of their past.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from reviewer.digests import conversation_digest, prefix_digest
from reviewer.errors import ReviewerError
from reviewer.model import Case, Conversation, Message, Run
from reviewer.query import parse
from reviewer.refs import conversation_ref
from reviewer.run.admission import Budget
from reviewer.run.fork_point import ForkPoint, acts_from
from reviewer.run.question_round import put
from reviewer.session.shares import share_of
from reviewer.store.past_runs import held_cases
from reviewer.store.reader import Reader
from reviewer.store.writer import Writer

Decide = Callable[[], Awaitable[tuple[Message, ...]]]
"""Lets the agent decide once; a `ReviewerError` where it did not answer."""


@dataclass(slots=True)
class ForkReport:
    """What came of letting an agent decide."""

    made: int = 0
    failed: int = 0
    why: str = ""
    """What the first failure said."""


class ActShare(NamedTuple):
    """In how many of the forks an act was made, or none was."""

    what: str
    number: int
    of: int

    @property
    def share(self) -> tuple[float, float, float] | None:
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
        told = [*self.acts.most_common(), ("no act", self.none)]
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


def free_runs(store: Path, point: ForkPoint, model: str, times: int) -> list[int]:
    """The numbers of the runs that are still to be made, so that there are so many."""
    taken = {held.run for held in held_cases(store, [model]) if held.case == point.case}
    return [run for run in range(1, times + 1) if run not in taken]


async def forked(
    store: Path,
    point: ForkPoint,
    model: str,
    runs: Sequence[int],
    decide: Decide,
    at_once: int,
    budget: Budget,
    report: ForkReport,
    told: Callable[[int, int], None],
) -> None:
    """Let the agent decide once a run, and store each decision when it is made."""
    with Writer(store) as writer:
        import_id = writer.begin_import({"paths": [point.ref], "fork": point.ref, "model": model})
        source = writer.source(f"fork of {point.ref}", "fork", 0, import_id)
        if point.stored.synthetic:
            writer.catalogue.mark_synthetic(source)
        played = point.played.desk
        writer.set_desk([source], writer.desk(played.name, played.text, played.hash))
        writer.commit()

        async def one(run: int) -> None:
            try:
                said = await decide()
            except ReviewerError as error:  # the others go on
                report.failed += 1
                report.why = report.why or error.message
            else:
                item = conversation(point, model, run, said)
                writer.begin()
                ref = conversation_ref(model, item.case, run)
                writer.add(ref, conversation_digest(item.messages), item, source, import_id, f"fork {run}")
                writer.catalogue.describe_run(Run(model, run, harness="reviewer fork"))
                writer.set_desk([source], writer.desk(played.name, played.text, played.hash))
                writer.commit()
                report.made += 1
            told(report.made + report.failed, len(runs))

        try:
            await put(runs, one, at_once, budget)
        finally:
            writer.end_import(import_id, {"new": report.made})


def conversation(point: ForkPoint, model: str, run: int, said: tuple[Message, ...]) -> Conversation:
    """A fork as a conversation: the past, what was decided, and of what it is a fork."""
    it = point.stored.conversation
    meta: Mapping[str, Any] = {"fork": point.ref, "prefix": point.prefix}
    facts = replace(it.facts, id=point.case) if it.facts is not None else Case(point.case)
    ended = "cut" if said and said[-1].calls else None
    return Conversation(
        model, (*point.past, *said), case=point.case, run=run, clock=it.clock, ended_by=ended, meta=meta, facts=facts
    )


def decisions(store: Path, point: ForkPoint, model: str) -> Decisions:
    """What the forks of a point decided that are in a store, of those whose past is that of the point."""
    told = Decisions()
    rows = [held.rowid for held in held_cases(store, [model]) if held.case == point.case]
    if not rows:
        return told
    with Reader(store) as reader:
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
