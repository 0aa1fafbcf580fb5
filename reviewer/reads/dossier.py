"""The dossier of a conversation: all that reads know of it, worked out once however many reads ask.

Owns the order of things: the agent's messages with their sentences, the calls with what came back and where that
stands, what was knowable before a message (system messages, policy, context, results), claims and the acts behind them.
Everything is worked out when it is first asked for, and kept. Pure.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from reviewer import desk
from reviewer.desk import Desk, outcome
from reviewer.desk.outcome import Act, Outcome
from reviewer.model import Case, Conversation, Stored, ToolCall
from reviewer.reads import claims
from reviewer.reads.claims import Claim
from reviewer.reads.confirmations import Confirmation, confirmations, demanded
from reviewer.reads.dates import day_of
from reviewer.reads.knowledge import Knowledge
from reviewer.reads.marks_of_thought import unsaid
from reviewer.reads.steps import AgentCall, Turn
from reviewer.reads.typed_values import ResultField, facts, number
from reviewer.refs import Absence, Part, Ref
from reviewer.text.sentences import Span, sentences

Evidence = Ref | Absence


class Suggestion(NamedTuple):
    """A sighting: what is claimed or done, what proves it, and one sentence that says so."""

    claim: Ref
    evidence: tuple[Evidence, ...]
    reason: str
    certain: bool


@dataclass
class OwnPlaces:
    """The places of one conversation, as references."""

    stored: Stored

    def at(self, message: int, call: int | None = None, part: Part = "text", span: Span | None = None) -> Ref:
        """A place in this conversation."""
        return Ref(self.stored.ref, message, call, part, None, span)

    def of_call(self, called: AgentCall) -> Ref:
        """The place of a call."""
        return self.at(called.message, called.position)

    def of_field(self, called: AgentCall, field: ResultField) -> Ref:
        """The place of a field in a result."""
        return Ref(self.stored.ref, called.message, called.position, "result", field.pointer or "/")

    def whole(self) -> Ref:
        """The conversation as a whole."""
        return Ref(self.stored.ref)


@dataclass
class Dossier(OwnPlaces):
    """One conversation as reads see it."""

    @cached_property
    def conversation(self) -> Conversation:
        """The conversation itself."""
        return self.stored.conversation

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
    def agents(self) -> tuple[Turn, ...]:
        """The agent's messages that hold visible text."""
        return tuple(turn for turn in self.turns if turn.message.role == "agent" and turn.text.strip())

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """All messages with their numbers."""
        return tuple(Turn(n, message) for n, message in enumerate(self.conversation.messages, start=1))

    @cached_property
    def calls(self) -> tuple[AgentCall, ...]:
        """The agent's calls in order."""
        return tuple(
            AgentCall(turn.number, index, call, self.desk.act(call.name), self.desk.kind(call.name), self._order(call))
            for turn in self.turns
            if turn.message.role == "agent"
            for index, call in enumerate(turn.message.calls, start=1)
            if not call.orphan
        )

    @cached_property
    def _customers(self) -> list[int]:
        return [turn.number for turn in self.turns if turn.message.role == "customer" and turn.text.strip()]

    def customer_before(self, message: int) -> tuple[Ref, ...]:
        """The customer's last message before another, as evidence of what was asked; none where there is none."""
        index = bisect_left(self._customers, message)
        return (self.at(self._customers[index - 1]),) if index else ()

    def asked_before(self, message: int) -> tuple[Ref, ...]:
        """What was asked for before a message; the conversation as a whole where nobody said anything."""
        return self.customer_before(message) or (self.whole(),)

    def customers_before(self, message: int) -> int:
        """How often the customer had written before a message."""
        return bisect_left(self._customers, message)

    @cached_property
    def writes(self) -> tuple[AgentCall, ...]:
        """The calls that write."""
        return tuple(each for each in self.calls if each.kind == "write")

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
    def sentences(self) -> tuple[tuple[Turn, tuple[Span, ...]], ...]:
        """The sentences of the agent's messages."""
        return tuple((turn, tuple(self._spoken(turn))) for turn in self.agents)

    @cached_property
    def lowered(self) -> dict[int, str]:
        """The agent's visible texts in small letters, by message: to see at once that a word is not there."""
        return {turn.number: turn.text.lower() for turn in self.agents}

    @staticmethod
    def _spoken(turn: Turn) -> Iterator[Span]:
        """The sentences that are meant for the customer: not those in a leaked stretch of thinking."""
        left = deque(unsaid(turn.text))
        for start, end in sentences(turn.text):
            while left and left[0][1] <= start:
                left.popleft()
            if not left or end <= left[0][0]:
                yield start, end

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
            if claims.hinted(what, self.lowered[turn.number]) and pattern.search(turn.text)
            for span in spans
            for claim in claims.said(what, pattern, turn.text, span)
        )

    @cached_property
    def known(self) -> Knowledge:
        """What was knowable at each point."""
        told = [turn.text for turn in self.turns if turn.message.role == "system"]
        context = self.case.context if self.case else None
        return Knowledge(self.calls, "\n".join(part for part in (*told, self.desk.policy, context) if part))

    @cached_property
    def _said(self) -> dict[str, int]:
        said: dict[str, int] = {}
        for turn in self.turns:
            if turn.message.role == "customer":
                for fact in facts(turn.text, "url", "tracking number"):
                    said.setdefault(fact.value, turn.number)
        return said

    def said_before(self, value: str, message: int) -> bool:
        """True if the customer had given this link or number before a message."""
        return self._said.get(value, message) < message

    def orders_named(self, turn: Turn) -> frozenset[str]:
        """The orders that a message names."""
        if turn.number not in self._named:
            self._named[turn.number] = frozenset(fact.value for fact in facts(turn.text, "order"))
        return self._named[turn.number]

    @cached_property
    def _named(self) -> dict[int, frozenset[str]]:
        return {}

    def _order(self, call: ToolCall) -> str:
        return number(outcome.order_of(call, self.desk))
