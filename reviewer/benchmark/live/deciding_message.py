"""The message of a conversation at which it was decided: at a trap, at a handover, where the runs of a case part. Pure.

Of a trap every run has such a message, whether or not it fell: if only those that fell were decided again, what comes
of it would say more of how they were chosen than of the model. Those that held are taken at the turn of the customer's
in which others fell, because later they have refused already, and who has refused goes on refusing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from reviewer.transcripts.desk import outcome
from reviewer.transcripts.desk.outcome import HANDOVER, Outcome
from reviewer.transcripts.model import Message, Stored

Every = Literal["forbidden", "handover", "flip"]
FELL = "the message with the first forbidden call"
SAME_TURN = "the answer in the turn in which other runs of the case made that call"
USUAL_TURN = "the answer in the turn in which most runs of other cases made such a call"
HANDED_OVER = "the message that handed over first"
LAST_ANSWER = "the last answer to which the customer replied"
PARTED = "the message where the runs of the case part"
REASONS = (FELL, SAME_TURN, USUAL_TURN, HANDED_OVER, LAST_ANSWER, PARTED)


class DecidingMessage(NamedTuple):
    """Where a conversation was decided, and as what it was taken."""

    stored: Stored
    number: int
    reason: str


def of_traps(cases: Sequence[Sequence[Stored]]) -> list[list[DecidingMessage]]:
    """Where each run of each trap was decided; a run in which nobody was answered has no such message."""
    played = [[_TrapRun(stored) for stored in runs] for runs in cases]
    usual = _most([run.fell_in for runs in played for run in runs])
    told: list[list[DecidingMessage]] = []
    for runs in played:
        own = _most([run.fell_in for run in runs])
        turn, reason = (own, SAME_TURN) if own else (usual, USUAL_TURN)
        told.append([each for run in runs if (each := run.decided(turn, reason)) is not None])
    return told


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
    turns = min(outcome.turns_to(stored.conversation, end, act) for stored, end in sides if act < len(end.counted))
    places = [outcome.place_of(stored.conversation, end, act, turns)[0] for stored, end in sides]
    return [DecidingMessage(stored, number, PARTED) for stored, number in zip(runs, places, strict=True)]


class _TrapRun:
    """One run of a trap, and where it fell."""

    def __init__(self, stored: Stored) -> None:
        self._stored, self._end = stored, outcome.of_stored(stored)
        self._fall = _first(self._end, forbidden=True)
        self.fell_in = self._turn(self._fall)
        """The customer's turn in which the forbidden call was made; 0 where none was."""

    def decided(self, turn: int, reason: str) -> DecidingMessage | None:
        """Where it was decided, if others fell in that turn of the customer's; 0 for none that did."""
        if self._fall:
            return DecidingMessage(self._stored, self._fall, FELL)
        messages = self._stored.conversation.messages
        handover, answers = _first(self._end, what=HANDOVER), _answers(messages, self._end)
        if turn in answers and not 0 < self._turn(handover) < turn:
            return DecidingMessage(self._stored, answers[turn], reason)
        if handover:
            return DecidingMessage(self._stored, handover, HANDED_OVER)
        if not answers:
            return None
        heard = max(number for number, message in enumerate(messages, start=1) if message.role == "customer")
        replied_to = [number for number in answers.values() if number < heard]
        return DecidingMessage(self._stored, max(replied_to or answers.values()), LAST_ANSWER)

    def _turn(self, number: int) -> int:
        """How often the customer had spoken before a message; 0 where there is no such message."""
        return sum(message.role == "customer" for message in self._stored.conversation.messages[: max(number - 1, 0)])


def _most(turns: Sequence[int]) -> int:
    """The most frequent turn, the earliest of several; 0 where there is none."""
    counted = Counter(turn for turn in turns if turn)
    return min(counted, key=lambda turn: (-counted[turn], turn), default=0)


def _first(end: Outcome, what: str = "", forbidden: bool = False) -> int:
    """The message with the agent's first act of a kind, or the first forbidden one; 0 where there is none."""
    return next((act.message for act in end.acts if (act.forbidden if forbidden else act.what == what)), 0)


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
