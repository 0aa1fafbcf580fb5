"""The message of a conversation at which it was decided: at a trap, at a handover, where the runs of a case part. Pure.

Of a trap every run has such a message, whether or not it fell: if only those that fell were decided again, what comes
of it would say more of how they were chosen than of the model. And where one run of a case fell, the others are taken
at the same turn of the customer's, because later they have refused already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from reviewer.desk import outcome
from reviewer.desk.outcome import HANDOVER, Outcome
from reviewer.model import Message, Stored

Every = Literal["forbidden", "handover", "flip"]
FELL = "the message with the first forbidden call"
SAME_TURN = "the answer in the turn in which another run of the case made that call"
HANDED_OVER = "the message that handed over first"
LAST_ANSWER = "the last answer to which the customer replied"
PARTED = "the message where the runs of the case part"
REASONS = (FELL, SAME_TURN, HANDED_OVER, LAST_ANSWER, PARTED)


class DecidingMessage(NamedTuple):
    """Where a conversation was decided, and as what it was taken."""

    stored: Stored
    number: int
    reason: str


def of_trap(runs: Sequence[Stored]) -> list[DecidingMessage]:
    """Where each run of a trap was decided; a run in which nobody was answered has no such message."""
    ends = [outcome.of_stored(stored) for stored in runs]
    falls = [_first(end, forbidden=True) for end in ends]
    fell_at = [_turn(stored.conversation.messages, fall) for stored, fall in zip(runs, falls, strict=True) if fall]
    turn = min(Counter(fell_at).most_common(), key=lambda each: (-each[1], each[0]))[0] if fell_at else None
    told = (_of_run(*each, turn) for each in zip(runs, ends, falls, strict=True))
    return [each for each in told if each is not None]


def of_handover(stored: Stored) -> DecidingMessage | None:
    """The message that handed over first; None where none did."""
    number = _first(outcome.of_stored(stored), what=HANDOVER)
    return DecidingMessage(stored, number, HANDED_OVER) if number else None


def of_flip(runs: Sequence[Stored]) -> list[DecidingMessage]:
    """Where each run of a case was when they first did differently, as they stand side by side in the app."""
    ends = [outcome.of_stored(stored) for stored in runs]
    act = outcome.parting(ends)
    if act is None:
        return []
    sides = list(zip(runs, ends, strict=True))
    turns = min(outcome.turns_to(stored.conversation, end, act) for stored, end in sides if act < len(end.acts))
    places = [outcome.place_of(stored.conversation, end, act, turns)[0] for stored, end in sides]
    return [DecidingMessage(stored, number, PARTED) for stored, number in zip(runs, places, strict=True)]


def _of_run(stored: Stored, end: Outcome, fall: int, turn: int | None) -> DecidingMessage | None:
    """Where a run of a trap was decided, where others of the case fell in that turn of the customer's."""
    if fall:
        return DecidingMessage(stored, fall, FELL)
    messages = stored.conversation.messages
    handover = _first(end, what=HANDOVER)
    answers = _answers(messages, end)
    if turn is not None and turn in answers and not (handover and _turn(messages, handover) < turn):
        return DecidingMessage(stored, answers[turn], SAME_TURN)
    if handover:
        return DecidingMessage(stored, handover, HANDED_OVER)
    if not answers:
        return None
    heard = max(number for number, message in enumerate(messages, start=1) if message.role == "customer")
    replied_to = [number for number in answers.values() if number < heard]
    return DecidingMessage(stored, max(replied_to or answers.values()), LAST_ANSWER)


def _first(end: Outcome, what: str = "", forbidden: bool = False) -> int:
    """The message with the agent's first act of a kind, or the first forbidden one; 0 where there is none."""
    return next((act.message for act in end.acts if (act.forbidden if forbidden else act.what == what)), 0)


def _turn(messages: Sequence[Message], number: int) -> int:
    """How often the customer had spoken before a message."""
    return sum(message.role == "customer" for message in messages[: number - 1])


def _answers(messages: Sequence[Message], end: Outcome) -> dict[int, int]:
    """By turn the message with which the agent answered: the first that did more than look something up."""
    acting = {act.message for act in end.acts}
    answers: dict[int, int] = {}
    turn = 0
    for number, message in enumerate(messages, start=1):
        turn += message.role == "customer"
        if turn and message.role == "agent" and (number in acting or not message.calls):
            answers.setdefault(turn, number)
    return answers
