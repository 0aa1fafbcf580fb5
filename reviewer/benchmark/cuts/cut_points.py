"""Where a stored conversation is cut, and what was done behind the cut. Pure."""

from __future__ import annotations

from reviewer.basics.errors import DeskError, RefError
from reviewer.benchmark.live.cut_cases import LaterCall
from reviewer.benchmark.live.fork_point import PastPoint, point_before
from reviewer.transcripts import desk
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.model import Stored


def checked(stored: Stored) -> Stored:
    """The conversation, refused where no desk says what its tools mean."""
    if not desk.kept(stored.desk).tools:
        raise DeskError(
            f"Nothing says what the tools of {stored.ref} mean, so that nobody knows what was done.",
            "Say it once: reviewer attach STORE DESK --as desk",
        )
    return stored


def before_handover(stored: Stored) -> PastPoint | None:
    """The point at which the agent went on to hand over, or a person took over; None where nobody did.

    What the agent said of it beforehand is no part of the past.
    """
    messages = stored.conversation.messages
    acts = [act.message for act in outcome.of_stored(stored).acts if act.what == outcome.HANDOVER]
    people = [number for number, message in enumerate(messages, start=1) if message.role == "colleague"]
    if not acts and not people:
        return None
    deciding = min([*acts, *people])
    while deciding > 1 and messages[deciding - 2].role == "agent" and not messages[deciding - 2].calls:
        deciding -= 1
    try:
        return point_before(stored, deciding)
    except RefError:
        return None


def calls_behind(point: PastPoint) -> tuple[LaterCall, ...]:
    """What was called behind the cut, by whom, and what the desk says that each call is."""
    known = desk.kept(point.stored.desk)
    return tuple(
        LaterCall(message.role, known.act(call.name) or known.kind(call.name), call, f"#{number}.{at}")
        for number, message in enumerate(point.stored.conversation.messages, start=1)
        for at, call in enumerate(message.calls, start=1)
        if number >= point.deciding and message.role in ("agent", "colleague") and not call.orphan
    )


def expected_of(point: PastPoint) -> tuple[str, ...]:
    """The acts that a colleague made behind the cut; where none wrote anything, those of whoever spoke as the agent."""
    calls = calls_behind(point)
    acts = [(each.by, each.act) for each in calls if each.is_act]
    written = [act for by, act in acts if by == "colleague" and act != outcome.HANDOVER]
    took_over = any(message.role == "colleague" for message in point.stored.conversation.messages[point.deciding - 1 :])
    of_agent = [act for by, act in acts if by == "agent"]
    if not written and took_over and not of_agent:
        return (outcome.HANDOVER,)
    return tuple(dict.fromkeys(written or of_agent))
