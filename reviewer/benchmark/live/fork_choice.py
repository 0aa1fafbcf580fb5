"""Which points of a store's conversations are decided again: each past once for each model that decides there."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.live.deciding_message import DecidingMessage, Every, of_flip, of_handover, of_traps
from reviewer.benchmark.live.desk_kit import DeskKit
from reviewer.benchmark.live.fork_point import Decider, fork_point
from reviewer.benchmark.live.question_round import whole_ones
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.model import QueueRow
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader

_TRAP = "adversarial"
_NONE: dict[Every, tuple[str, str]] = {
    "forbidden": ("is of an adversarial case that forbids something", "reviewer attach STORE FILE --as cases says so."),
    "handover": ("was handed over", "Ask for others, or for --every forbidden."),
    "flip": ("is of a case whose runs came to different ends", "Runs of one model and case are compared."),
}


@dataclass(slots=True)
class ForkChoice:
    """The points that are decided again, and how they were chosen."""

    deciders: list[Decider] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    """Conversations by what their message was taken as."""
    same_past: int = 0
    """Conversations whose past is that of another, which is decided once for both."""
    left_out: int = 0
    """Conversations that cannot be decided again."""
    why: str = ""
    """What was said of the first of them."""


def fork_choice(
    reader: Reader, ids: Sequence[int], every: Every, model: str | None, own: DeskKit | None = None
) -> ForkChoice:
    """Every point of a kind in these conversations; a sentence where there is none.

    The model of a conversation decides there, or the one that is named; `own` is the desk of a folder that was named.
    """
    choice, known = ForkChoice(), set[tuple[str, str, str]]()
    groups = _groups(whole_ones(reader, ids), every)
    if not groups:
        what, hint = _NONE[every]
        raise ReviewerError(f"None of these conversations {what}.", hint)
    for group, messages in zip(groups, _messages(reader, groups, every), strict=True):
        _leave_out(choice, len(group) - len(messages), "its agent answered nothing.")
        for each in messages:
            try:
                point = fork_point(each.stored, Ref(each.stored.ref, each.number), own)
            except ReviewerError as error:
                _leave_out(choice, 1, error.message)
                continue
            choice.reasons[each.reason] += 1
            decider = Decider(model or each.stored.conversation.model, point)
            key = (decider.model, point.case, point.prefix)
            choice.same_past += key in known
            choice.deciders += [decider] if key not in known else []
            known.add(key)
    if not choice.deciders:
        raise ReviewerError(f"None of these conversations can be decided again: {choice.why}")
    return choice


def _leave_out(choice: ForkChoice, number: int, why: str) -> None:
    choice.left_out += number
    choice.why = choice.why or (why if number else "")


def _groups(rows: Iterable[QueueRow], every: Every) -> list[list[int]]:
    """The conversations that are looked at together: those of a trap, those of a model's case that flips, else each."""
    groups: defaultdict[tuple[str, ...], list[QueueRow]] = defaultdict(list)
    for row in rows:
        if every == "forbidden" and row.bucket == _TRAP and row.forbidden:
            groups[(row.case or row.ref,)].append(row)
        elif every == "flip" and row.case is not None and _compared(row):
            groups[row.model, row.case].append(row)
        elif every == "handover" and outcome.of_row(row).handover:
            groups[(row.ref,)].append(row)
    kept: Iterator[list[QueueRow]] = iter(groups.values())
    if every == "flip":
        kept = (group for group in kept if outcome.flips(map(outcome.of_row, group)))
    return [[row.rowid for row in group] for group in kept]


def _compared(row: QueueRow) -> bool:
    """True if it is compared with other runs: what broke off without having done anything is not."""
    end = outcome.of_row(row)
    return not end.broken or bool(end.acts)


def _messages(reader: Reader, groups: Sequence[Sequence[int]], every: Every) -> list[list[DecidingMessage]]:
    played = [[reader.stored(rowid) for rowid in group] for group in groups]
    if every == "forbidden":
        return of_traps(played)
    if every == "flip":
        return [of_flip(runs) for runs in played]
    return [[each for each in map(of_handover, runs) if each is not None] for runs in played]
