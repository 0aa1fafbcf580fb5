"""How a conversation is related to those that are stored under its source id: it goes on from one, or forks from it.

Messages are compared in order. A session that is exported while it lasts may have a call without its result, or fewer
calls in its last message: what comes later is an addition to the same message.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from reviewer.transcripts.digests import message_digest
from reviewer.transcripts.model import Conversation, Message, ToolCall
from reviewer.transcripts.store.occupancy import Namesake
from reviewer.transcripts.store.writer import Writer

Kinship = Literal["later", "earlier", "forked", "other"]


@dataclass(frozen=True, slots=True)
class Relatives:
    """What is stored under a conversation's source id, by how it is related."""

    before: Namesake | None = None
    """The longest that it goes on from."""
    behind: Namesake | None = None
    """One that goes on from it."""
    forks: frozenset[int] = frozenset()
    """Those that begin as it does, and go on otherwise."""


def relatives(writer: Writer, item: Conversation, ref: str) -> Relatives:
    """Compare a conversation with those of the same model, case and source id; `ref` is its own without a case."""
    if not item.id or not item.messages:
        return Relatives()
    before: list[Namesake] = []
    behind: list[Namesake] = []
    forks: set[int] = set()
    for namesake in writer.places.namesakes(item.model, item.case, item.run, item.id, ref):
        match kinship(writer.places.messages(namesake.rowid), item.messages):
            case "later":
                before.append(namesake)
            case "earlier":
                behind.append(namesake)
            case "forked":
                forks.add(namesake.rowid)
    longest = max(before, key=lambda each: each.messages, default=None)
    return Relatives(longest, behind[0] if behind else None, frozenset(forks))


def kinship(stored: Sequence[Message], new: Sequence[Message]) -> Kinship:
    """Say how a conversation is related to a stored one."""
    if stored and _goes_on(stored, new):
        return "later"
    if _goes_on(new, stored):
        return "earlier"
    shared = takewhile(lambda pair: message_digest(pair[0]) == message_digest(pair[1]), zip(stored, new, strict=False))
    return "forked" if any(message.role == "agent" for message, _ in shared) else "other"


def _goes_on(first: Sequence[Message], whole: Sequence[Message]) -> bool:
    """True if a conversation begins with all messages of the first, to which only results and calls were added."""
    if len(first) > len(whole):
        return False
    pairs = list(zip(first, whole, strict=False))
    return all(_is_said_in(held, more, last=n == len(pairs)) for n, (held, more) in enumerate(pairs, start=1))


def _is_said_in(held: Message, more: Message, last: bool) -> bool:
    if (held.role, held.text, held.reasoning) != (more.role, more.text, more.reasoning):
        return False
    if len(held.calls) > len(more.calls) or (len(held.calls) < len(more.calls) and not last):
        return False
    return all(_is_made_in(call, later) for call, later in zip(held.calls, more.calls, strict=False))


def _is_made_in(call: ToolCall, later: ToolCall) -> bool:
    if (call.name, call.arguments, call.orphan) != (later.name, later.arguments, later.orphan):
        return False
    waiting = call.result is None and call.error is None
    return waiting or (call.result, call.error) == (later.result, later.error)
