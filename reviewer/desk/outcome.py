"""What came of a conversation: the agent's acts in order, which of them the case forbids, how it ended. Pure.

Owns what counts as an act (a write or a handover of the agent, by the desk; a forbidden one counts by intent, failed
or not), when two conversations came out alike, and the act at which they first part. Only the agent's own calls count:
what a colleague does after a handover is not the model's doing, and a result without a call is no act.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from reviewer import desk
from reviewer.desk import Desk
from reviewer.model import Conversation, QueueRow, Stored, ToolCall

HANDOVER = "handover"
_BROKEN = ("error", "cut")


class Act(NamedTuple):
    """A write or a handover, with its message and call if these are known."""

    what: str
    """The write class, or `handover`."""
    forbidden: bool = False
    failed: bool = False
    order: str = ""
    """The order it was about, as the call names it."""
    message: int = 0
    call: int = 0


class Outcome(NamedTuple):
    """The outcome of one conversation: the agent's acts, and which of them the case forbids."""

    acts: tuple[Act, ...] = ()
    ended_by: str | None = None
    error: str | None = None
    errors: int = 0
    """Calls that failed, reads included."""
    messages: int = 0

    @property
    def writes(self) -> tuple[str, ...]:
        """The write classes in the order of their first act."""
        return tuple(dict.fromkeys(act.what for act in self.acts if act.what != HANDOVER))

    @property
    def handover(self) -> bool:
        """True if the agent handed over to a person."""
        return any(act.what == HANDOVER for act in self.acts)

    @property
    def forbidden(self) -> tuple[str, ...]:
        """The acts that the case forbids."""
        return tuple(dict.fromkeys(act.what for act in self.acts if act.forbidden))

    @property
    def broken(self) -> bool:
        """True if it broke off with an error or never began."""
        return not self.messages or self.error is not None or self.ended_by in _BROKEN

    @property
    def same(self) -> tuple[bool, frozenset[str], bool]:
        """A key that is equal for equal outcomes: handed over or not, which writes, anything forbidden."""
        return self.handover, frozenset(self.writes), bool(self.forbidden)


def of_row(row: QueueRow) -> Outcome:
    """The outcome as far as a row of the queue shows it: which acts, but not where they are or which failed."""
    known = desk.kept(row.desk)
    acts = (known.act(name) for name in row.tools)
    return Outcome(
        tuple(Act(what, what in row.forbidden) for what in acts if what is not None),
        row.ended_by,
        row.error,
        row.errors,
        row.messages,
    )


def of_stored(stored: Stored) -> Outcome:
    """The outcome of a whole conversation."""
    conversation, known = stored.conversation, desk.kept(stored.desk)
    forbidden = conversation.facts.forbidden if conversation.facts else ()
    agents = [
        (number, index, call)
        for number, message in enumerate(conversation.messages, start=1)
        for index, call in enumerate(message.calls, start=1)
        if message.role == "agent" and not call.orphan
    ]
    acts = tuple(
        Act(what, what in forbidden, call.error is not None, order_of(call, known), number, index)
        for number, index, call in agents
        if (what := known.act(call.name)) is not None
    )
    errors = sum(call.error is not None for _, _, call in agents)
    return Outcome(acts, conversation.ended_by, conversation.error, errors, len(conversation.messages))


def flips(outcomes: Iterable[Outcome]) -> bool:
    """True if these outcomes differ; conversations that broke off or never began do not count."""
    return len({outcome.same for outcome in outcomes if not outcome.broken or outcome.acts}) > 1


def parting(outcomes: Sequence[Outcome]) -> int | None:
    """The index of the first act in which these differ; None if all did the same in the same order."""
    for index in range(max((len(outcome.acts) for outcome in outcomes), default=0)):
        here = [outcome.acts[index] if index < len(outcome.acts) else None for outcome in outcomes]
        if len({act and act.what for act in here}) > 1 or len({act.order for act in here if act and act.order}) > 1:
            return index
    return None


def place_of(conversation: Conversation, outcome: Outcome, act: int, turns: int) -> tuple[int, int | None]:
    """The message and call of an act; for a missing act, the agent's message so many turns after the act before."""
    if act < len(outcome.acts):
        return outcome.acts[act].message, outcome.acts[act].call
    before = outcome.acts[act - 1].message if 0 < act <= len(outcome.acts) else 0
    speaks = _agents(conversation, before, len(conversation.messages))
    if not speaks:
        return len(conversation.messages), None
    return speaks[min(max(turns, 1), len(speaks)) - 1], None


def turns_to(conversation: Conversation, outcome: Outcome, act: int) -> int:
    """The number of the agent's messages from the act before up to and including this one."""
    before = outcome.acts[act - 1].message if act else 0
    return len(_agents(conversation, before, outcome.acts[act].message))


def _agents(conversation: Conversation, after: int, until: int) -> list[int]:
    """The numbers of the agent's messages after one message and up to another."""
    return [number for number in range(after + 1, until + 1) if conversation.messages[number - 1].role == "agent"]


def order_of(call: ToolCall, known: Desk) -> str:
    """The order that a call is about, by the argument that the desk names; empty if it has none."""
    argument = known.order_argument(call.name)
    if argument is None or not call.arguments:
        return ""
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return ""
    value = arguments.get(argument) if isinstance(arguments, dict) else None
    return str(value).strip().lstrip("#") if isinstance(value, str | int) else ""
