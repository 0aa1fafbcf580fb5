"""The talk of a conversation as reads see it: its messages with their sentences, and who wrote what first.

Owns the places of a conversation as references, the messages that speak, the sentences that are meant for the customer,
and how customers, numbers and links come up. Worked out when it is first asked for, and kept. Pure.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from reviewer.basics.sentences import Span, sentences
from reviewer.findings.reads.marks_of_thought import unsaid
from reviewer.findings.reads.steps import AgentCall, Turn
from reviewer.findings.reads.typed_values import ResultField, facts
from reviewer.transcripts.model import Conversation, Stored
from reviewer.transcripts.refs import Part, Ref

WORD = re.compile(r"[^\W\d_]{3,}")
"""A word that may be looked for among a customer's."""


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
class Talk(OwnPlaces):
    """The messages of one conversation."""

    @cached_property
    def conversation(self) -> Conversation:
        """The conversation itself."""
        return self.stored.conversation

    @cached_property
    def agents(self) -> tuple[Turn, ...]:
        """The agent's messages that hold visible text."""
        return tuple(turn for turn in self.turns if turn.message.role == "agent" and turn.text.strip())

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """All messages with their numbers."""
        return tuple(Turn(n, message) for n, message in enumerate(self.conversation.messages, start=1))

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
    def _customer_words(self) -> dict[str, int]:
        """The words of customers in small letters, with the message in which each first stood."""
        first: dict[str, int] = {}
        for turn in self.turns:
            if turn.message.role == "customer":
                for word in WORD.findall(turn.text.lower()):
                    first.setdefault(word, turn.number)
        return first

    def customer_used(self, words: Iterable[str], message: int) -> set[str]:
        """Those of these words that a customer had written before a message."""
        return {word for word in words if self._customer_words.get(word, message) < message}

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
            elif left[0][1] < end and (rest := turn.text[left[0][1] : end].lstrip()):
                yield end - len(rest), end  # what follows a closing mark in the same line is said

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

    @cached_property
    def _first(self) -> dict[str, int]:
        """Links and numbers that anybody wrote, with the message in which they first stood."""
        first: dict[str, int] = {}
        for turn in self.turns:
            for fact in facts(turn.text, "url", "order", "tracking number"):
                first.setdefault(fact.value, turn.number)
        return first

    def stood_before(self, value: str, message: int) -> bool:
        """True if this link or number had been written by anybody before a message."""
        return self._first.get(value, message) < message

    def orders_named(self, turn: Turn) -> frozenset[str]:
        """The orders that a message names."""
        if turn.number not in self._named:
            self._named[turn.number] = frozenset(fact.value for fact in facts(turn.text, "order"))
        return self._named[turn.number]

    @cached_property
    def _named(self) -> dict[int, frozenset[str]]:
        return {}
