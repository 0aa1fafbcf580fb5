"""The dossier of a conversation: all that reads know of it, worked out once however many reads ask.

Owns the order of things: the calls with what came back and where that stands, what was knowable before a message
(system messages, policy, context, results), claims and the acts behind them; the messages themselves are `talk.py`'s.
Everything is worked out when it is first asked for, and kept. Pure.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from reviewer.findings.reads import claims
from reviewer.findings.reads.claims import Claim
from reviewer.findings.reads.confirmations import Confirmation, confirmations, demanded
from reviewer.findings.reads.dates import day_of
from reviewer.findings.reads.knowledge import Knowledge
from reviewer.findings.reads.steps import AgentCall, Turn
from reviewer.findings.reads.talk import Talk
from reviewer.findings.reads.typed_values import number
from reviewer.transcripts import desk
from reviewer.transcripts.desk import Desk, outcome
from reviewer.transcripts.desk.call_results import failed
from reviewer.transcripts.desk.outcome import Act, Outcome
from reviewer.transcripts.model import Case
from reviewer.transcripts.refs import Absence, Ref

Evidence = Ref | Absence


class Suggestion(NamedTuple):
    """A sighting: what is claimed or done, what proves it, and one sentence that says so."""

    claim: Ref
    evidence: tuple[Evidence, ...]
    reason: str
    certain: bool


@dataclass
class Dossier(Talk):
    """One conversation as reads see it: the talk, and what was done in it."""

    @cached_property
    def desk(self) -> Desk:
        """The desk that classes its tools."""
        return desk.kept(self.stored.desk)

    @cached_property
    def classed(self) -> bool:
        """True if a desk is known that names a tool."""
        return bool(self.desk.tools)

    @cached_property
    def case(self) -> Case | None:
        """What is known of its case."""
        return self.conversation.facts

    @cached_property
    def outcome(self) -> Outcome:
        """Its acts, as every count of acts has them."""
        return outcome.of_stored(self.stored)

    @cached_property
    def calls(self) -> tuple[AgentCall, ...]:
        """The agent's calls in order."""
        return tuple(
            AgentCall(
                turn.number,
                index,
                call,
                self.desk.act(call.name),
                self.desk.kind(call.name),
                number(outcome.order_of(call, self.desk)),
                failed(call, self.desk.refusals),
            )
            for turn in self.turns
            if turn.message.role == "agent"
            for index, call in enumerate(turn.message.calls, start=1)
            if not call.orphan
        )

    @cached_property
    def writes(self) -> tuple[AgentCall, ...]:
        """The calls that write."""
        return tuple(each for each in self.calls if each.kind == "write")

    def writes_since(self, message: int) -> tuple[AgentCall, ...]:
        """The writes between the customer's last words before a message and that message."""
        index = bisect_left(self._customers, message)
        start = self._customers[index - 1] if index else 0
        own = bisect_left(self.writes, start, key=_number), bisect_right(self.writes, message, key=_number)
        return self.writes[slice(*own)]

    @cached_property
    def _written(self) -> dict[str, list[int]]:
        written: dict[str, list[int]] = {}
        for each in self.writes:
            written.setdefault(each.order, []).append(each.message)
        return written

    def written_between(self, order: str, start: int, end: int) -> bool:
        """True if a write to an order came from one message on and up to another."""
        messages = self._written.get(order, [])
        index = bisect_left(messages, start)
        return index < len(messages) and messages[index] <= end

    @cached_property
    def confirmations(self) -> tuple[tuple[AgentCall, Confirmation], ...]:
        """How each write stands, where the desk or the prompt demands a yes and there is a customer to give one."""
        if not self.writes:
            return ()
        customers = any(turn.message.role == "customer" for turn in self.turns)
        wanted = customers and (self.desk.confirm or (self.desk.confirm is None and demanded(self.known.policy)))
        if not wanted:
            return ()
        spoken = {turn.number: spans for turn, spans in self.sentences}
        return confirmations(self.turns[: self.writes[-1].message], spoken, self.writes)

    @cached_property
    def handovers(self) -> tuple[Act, ...]:
        """The acts that hand over to a person."""
        return tuple(act for act in self.outcome.acts if act.what == outcome.HANDOVER)

    @cached_property
    def today(self) -> date | None:
        """The day that the conversation takes for today, or its desk does."""
        return day_of(self.conversation.clock) or day_of(self.desk.clock)

    def today_at(self, turn: Turn) -> date | None:
        """Today at a message: the conversation's clock, else the message's own time."""
        return self.today or day_of(turn.message.at)

    # -- sentences and claims ----------------------------------------------------------------------------------------

    @cached_property
    def done(self) -> tuple[tuple[Turn, Claim], ...]:
        """What the agent says is done."""
        told: list[tuple[Turn, Claim]] = []
        for turn, spans in self.sentences:
            lowered = self.lowered[turn.number]
            kinds = tuple(what for what in claims.DONE if claims.hinted(what, lowered))
            if kinds:
                told += ((turn, claim) for span in spans for claim in claims.done(turn.text, span, kinds))
        return tuple(told)

    @cached_property
    def handover_claims(self) -> tuple[tuple[Turn, Claim], ...]:
        """Where the agent says that a person takes over."""
        return self._claimed("handover")

    @cached_property
    def deliveries(self) -> tuple[tuple[Turn, Claim], ...]:
        """Where the agent says that a parcel came."""
        return self._claimed("delivery")

    def _claimed(self, what: str) -> tuple[tuple[Turn, Claim], ...]:
        pattern = claims.HANDOVER if what == "handover" else claims.DELIVERY
        return tuple(
            (turn, claim)
            for turn, spans in self.sentences
            if claims.hinted(what, self.lowered[turn.number])
            for span in spans
            if claims.hinted(what, turn.text[slice(*span)].lower())
            for claim in claims.said(what, pattern, turn.text, span)
        )

    @cached_property
    def known(self) -> Knowledge:
        """What was knowable at each point."""
        told = [turn.text for turn in self.turns if turn.message.role == "system"]
        context = self.case.context if self.case else None
        cited = ((turn.number, each.words) for turn in self.turns for each in turn.message.citations)
        return Knowledge(
            self.calls, "\n".join(part for part in (*told, self.desk.policy, context) if part), tuple(cited)
        )


def _number(called: AgentCall) -> int:
    return called.message
