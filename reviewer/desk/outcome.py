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
    """A write or a handover, and where it stands where that is known."""

    what: str
    """The write class, or `handover`."""
    forbidden: bool = False
    failed: bool = False
    order: str = ""
    """The order it was about, as the call names it."""
    message: int = 0
    call: int = 0


class Outcome(NamedTuple):
    """What came of one conversation."""

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
        """Whether the agent handed over to a person."""
        return any(act.what == HANDOVER for act in self.acts)

    @property
    def forbidden(self) -> tuple[str, ...]:
        """What the agent did although the case forbids it."""
        return tuple(dict.fromkeys(act.what for act in self.acts if act.forbidden))

    @property
    def broken(self) -> bool:
        """Whether it ended in an error instead of an end, or never began."""
        return not self.messages or self.error is not None or self.ended_by in _BROKEN

    @property
    def same(self) -> tuple[bool, frozenset[str], bool]:
        """Equal for conversations that came out alike: handed over, which writes, whether anything was forbidden."""
        return self.handover, frozenset(self.writes), bool(self.forbidden)


def of_row(row: QueueRow) -> Outcome:
    """What a line of the queue tells: which acts, not where they stand nor which of them failed."""
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
    """What a whole conversation tells."""
    conversation, known = stored.conversation, desk.kept(stored.desk)
    forbidden = conversation.facts.forbidden if conversation.facts else ()
    agents = [
        (number, index, call)
        for number, message in enumerate(conversation.messages, start=1)
        for index, call in enumerate(message.calls, start=1)
        if message.role == "agent" and not call.orphan
    ]
    acts = tuple(
        Act(what, what in forbidden, call.error is not None, _order(call, known), number, index)
        for number, index, call in agents
        if (what := known.act(call.name)) is not None
    )
    errors = sum(call.error is not None for _, _, call in agents)
    return Outcome(acts, conversation.ended_by, conversation.error, errors, len(conversation.messages))


def flips(outcomes: Iterable[Outcome]) -> bool:
    """Whether these did not all come out alike; what broke off or never began says nothing either way."""
    return len({outcome.same for outcome in outcomes if not outcome.broken or outcome.acts}) > 1


def parting(outcomes: Sequence[Outcome]) -> int | None:
    """The number (from 0) of the first act in which not all agree; None when they did the same, in the same order."""
    for index in range(max((len(outcome.acts) for outcome in outcomes), default=0)):
        here = [outcome.acts[index] if index < len(outcome.acts) else None for outcome in outcomes]
        if len({act and act.what for act in here}) > 1 or len({act.order for act in here if act and act.order}) > 1:
            return index
    return None


def place_of(conversation: Conversation, outcome: Outcome, act: int, turns: int) -> tuple[int, int | None]:
    """Message and call of an act; of one that was not made, the agent's message so many turns after the act before."""
    if act < len(outcome.acts):
        return outcome.acts[act].message, outcome.acts[act].call
    before = outcome.acts[act - 1].message if 0 < act <= len(outcome.acts) else 0
    speaks = _agents(conversation, before, len(conversation.messages))
    if not speaks:
        return len(conversation.messages), None
    return speaks[min(max(turns, 1), len(speaks)) - 1], None


def turns_to(conversation: Conversation, outcome: Outcome, act: int) -> int:
    """How many of the agent's messages lead from the act before to this one, its own included."""
    before = outcome.acts[act - 1].message if act else 0
    return len(_agents(conversation, before, outcome.acts[act].message))


def _agents(conversation: Conversation, after: int, until: int) -> list[int]:
    """The numbers of the agent's messages behind one and up to another."""
    return [number for number in range(after + 1, until + 1) if conversation.messages[number - 1].role == "agent"]


def _order(call: ToolCall, known: Desk) -> str:
    argument = known.order_argument(call.name)
    if argument is None or not call.arguments:
        return ""
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return ""
    value = arguments.get(argument) if isinstance(arguments, dict) else None
    return str(value).strip().lstrip("#") if isinstance(value, str | int) else ""
