"""The point of a stored conversation from which an agent decides anew, and the past before it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from reviewer.basics.errors import RefError, ReviewerError
from reviewer.benchmark.live.desk_kit import DeskKit, kit_for
from reviewer.transcripts import desk
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.digests import prefix_digest
from reviewer.transcripts.model import Message, Stored
from reviewer.transcripts.refs import Ref

_SHORT = 8


@dataclass(frozen=True, slots=True)
class PastPoint:
    """A message of a stored conversation, and the past before it."""

    stored: Stored
    deciding: int
    """The number of the message that is decided."""
    past: tuple[Message, ...]
    """The messages before it, without what they cost."""
    prefix: str
    """The digest of that past."""

    @property
    def ref(self) -> str:
        """The reference of the message that is decided."""
        return str(Ref(self.stored.ref, self.deciding))

    @property
    def case(self) -> str:
        """The name of the case that the forks are runs of: what has the same past has the same name."""
        return f"{self.stored.conversation.case or 'conversation'}@{self.prefix[:_SHORT]}"


@dataclass(frozen=True, slots=True)
class ForkPoint(PastPoint):
    """Where an agent decides anew."""

    played: DeskKit
    """The desk whose tools the agent has."""


class Decider(NamedTuple):
    """A point, and the model that decides there."""

    model: str
    point: ForkPoint


def fork_point(stored: Stored, place: Ref, named: DeskKit | None = None) -> ForkPoint:
    """The point at a message of a desk whose tools can be called.

    `named` is the desk in a folder that was named for it; without one it is a desk that comes with the program.
    """
    played, at = _played(stored, named), point_at(stored, place)
    return ForkPoint(at.stored, at.deciding, at.past, at.prefix, played)


def point_at(stored: Stored, place: Ref) -> PastPoint:
    """The point at a message: an agent's is decided anew, after anybody else's the agent decides."""
    messages = stored.conversation.messages
    number = place.message
    if not number or number > len(messages):
        told = f"{stored.ref} has {len(messages)} messages." if number else f"{place} names no message."
        raise RefError(told, "Name the one that is decided: MODEL/CASE/RUN#4.")
    return point_before(stored, number if messages[number - 1].role == "agent" else number + 1)


def point_before(stored: Stored, deciding: int) -> PastPoint:
    """The point at which the message of that number is decided, whoever wrote it."""
    past = tuple(_unpaid(message) for message in stored.conversation.messages[: deciding - 1])
    before = past[-1] if past else None
    if before is None or before.role == "system" or (before.role == "agent" and not before.calls):
        raise RefError(f"Nothing was said to the agent right before {stored.ref}#{deciding}.", "Name another message.")
    return PastPoint(stored, deciding, past, prefix_digest(past, None))


def _played(stored: Stored, named: DeskKit | None) -> DeskKit:
    """The desk whose tools can be called again: the one that the store keeps, and no other of another name."""
    kept = desk.kept(stored.desk)
    if not kept.tools:
        raise ReviewerError(
            f"{stored.ref} has no desk, so that no tool can be called again.",
            "Say of which it is: reviewer attach STORE NAME --as desk",
        )
    if named is None:
        return kit_for(kept.name)
    if named.name != kept.name:
        raise ReviewerError(f"{stored.ref} is of the desk {kept.name}, not {named.name}.", "Name its own folder.")
    return named


def acts_from(stored: Stored, message: int) -> tuple[tuple[str, bool], ...]:
    """What the agent did from a message on, until somebody else spoke: each act once, and whether it is forbidden."""
    messages = stored.conversation.messages
    later = (n for n, each in enumerate(messages, start=1) if n > message and each.role not in ("agent", "system"))
    end = next(later, len(messages) + 1)
    acts = outcome.of_stored(stored).acts
    return tuple(dict.fromkeys((act.what, act.forbidden) for act in acts if message <= (act.message or 0) < end))


def _unpaid(message: Message) -> Message:
    """A message of the past, which the fork did not pay for."""
    return replace(message, tokens_in=None, tokens_out=None, tokens_reasoning=None, tokens_cached=None, cost=None)
