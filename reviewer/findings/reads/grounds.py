"""Where the facts of an agent's messages come from: a result, a cited passage, what it was told, the customer, nowhere.

A status may also come from the agent's own act: what it cancelled is cancelled. What it reckons itself (a sum of
two prices, a day counted on) has no source and is nowhere. One pass over what was known, one over what was said. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from reviewer.findings.reads.confirmations import Confirmation, confirmations
from reviewer.findings.reads.dossier import Dossier
from reviewer.findings.reads.holders import (
    LONGEST_NAME,
    HeldValue,
    Holder,
    Holders,
    Origin,
    held_in_field,
    held_in_prose,
    held_in_rules,
    held_in_short,
)
from reviewer.findings.reads.steps import AgentCall, Turn
from reviewer.findings.reads.typed_values import ResultField, result_fields
from reviewer.findings.reads.typed_words import typed_words
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import Ref

MOST = 10_000
"""More facts than this are not collected; nobody steps through them."""
_MOST_ORDERS = 4
"""Orders that a message is about; one that names more lists them."""
_LONGEST_CLOCK = 48
_LONGEST_REMARK = 400
"""Characters of a result in plain words that says how things stand; in a longer one the word is part of a rule."""
_MADE = {"cancel": "cancelled", "return": "returned", "refund": "refunded"}
"""What an order is once an act of a class was done; any act makes it processed."""


class GroundedFact(NamedTuple):
    """A typed value in a message of the agent's, and where it comes from."""

    message: int
    start: int
    end: int
    kind: str
    value: str
    source: Holder | None

    @property
    def origin(self) -> Origin:
        """The kind of place that it comes from."""
        return self.source.origin if self.source is not None else "nowhere"


class Grounds(NamedTuple):
    """All facts of a conversation's agent messages in reading order, and how each of its writes stands."""

    facts: tuple[GroundedFact, ...]
    writes: tuple[tuple[AgentCall, Confirmation], ...]


def grounds(stored: Stored) -> Grounds:
    """Where the facts of a conversation come from, and who confirmed its writes."""
    *_, known = in_steps(stored)
    assert known is not None  # noqa: S101 -- the last step is the whole
    return known


def in_steps(stored: Stored) -> Iterator[Grounds | None]:
    """The same, piece by piece, so that whoever waits for it can stop; nothing comes but at the end."""
    known, holders = Dossier(stored), Holders()
    for _ in _gather(known, holders):
        yield None
    told: list[GroundedFact] = []
    for turn in known.agents:
        yield None
        orders = known.orders_named(turn)
        about = sorted(orders) if len(orders) <= _MOST_ORDERS else ()
        for words in typed_words(turn.text, known.today_at(turn)):
            source = holders.of(words, about, turn.number)
            told.append(GroundedFact(turn.number, words.start, words.end, words.kind, words.value, source))
        if len(told) >= MOST:
            break
    yield Grounds(tuple(told[:MOST]), _standings(known))


def _standings(known: Dossier) -> tuple[tuple[AgentCall, Confirmation], ...]:
    """How each write stands with the customer, whether anybody demands a yes or not."""
    spoken = {turn.number: spans for turn, spans in known.sentences} if known.writes else {}
    return confirmations(known.turns[: known.writes[-1].message], spoken, known.writes) if known.writes else ()


def _gather(known: Dossier, holders: Holders) -> Iterator[None]:
    """Take in all that was known, message by message and call by call."""
    for name, text in (("policy", known.desk.policy), ("context", known.case.context if known.case else None)):
        for held in held_in_rules(text or ""):
            holders.said(held, Holder("told", 0, None, name))
    for held in held_in_prose((known.conversation.clock or known.desk.clock or "")[:_LONGEST_CLOCK]):
        holders.said(held, Holder("told", 0, None, "clock"))
    for turn in known.turns:
        if turn.message.role != "agent" and turn.text:
            _hear(known, turn, holders)
            yield
        for citation in turn.message.citations:
            source = Holder("citation", turn.number, None, citation.named)
            for held in held_in_rules(citation.words):
                holders.said(held, source)
            yield
    for since, called in sorted(((_since(each), each) for each in known.calls), key=lambda each: each[0]):
        for held, source in _yield_of(known, called, since):
            holders.returned(called, held, source)
        yield


def _hear(known: Dossier, turn: Turn, holders: Holders) -> None:
    """Take in what somebody but the agent said."""
    origin: Origin = "customer" if turn.message.role == "customer" else "told"
    system = turn.message.role == "system"
    for held in held_in_rules(turn.text) if system else held_in_prose(turn.text):
        ref = known.at(turn.number, span=(held.start, held.end))
        holders.said(held, Holder(origin, turn.number, ref, turn.message.role))


def _since(called: AgentCall) -> int:
    """The first message that could know what a call returned."""
    after = called.call.result_after
    return called.message if after is None else after + 1


def _yield_of(known: Dossier, called: AgentCall, since: int) -> Iterator[tuple[HeldValue, Holder]]:
    """All that a call came back with, and what became true by it."""
    if called.kind == "write" and not called.failed:
        for made in {"processed", _MADE.get(called.act or "", "processed")}:
            yield HeldValue(("status", made), -1, -1), _from_tool(called, since, known.of_call(called))
    result, named = called.call.result or "", set[str]()
    fields = result_fields(result)
    for one in fields:
        source = _from_tool(called, since, known.of_field(called, one))
        for held in held_in_field(one):
            yield held, source
        for name in one.pointer.split("/"):
            if name not in named and not name.isalpha():
                named.add(name)
                for held in held_in_short(name[:LONGEST_NAME]):
                    yield held, source
    if not fields:
        yield from ((held, _from_tool(called, since, ref)) for held, ref in _said_plainly(known, called, result))


def _said_plainly(known: Dossier, called: AgentCall, result: str) -> Iterator[tuple[HeldValue, Ref]]:
    """What a result that is no JSON holds: a figure or a word alone as a field would, words as prose."""
    if len(result) <= LONGEST_NAME:
        ref = known.at(called.message, called.position, "result", (0, len(result)))
        yield from ((held, ref) for held in held_in_field(ResultField("", "", result.strip(" \n\"'"))))
        return
    for held in held_in_prose(result):
        if held.key[0] != "status" or len(result) <= _LONGEST_REMARK:
            yield held, known.at(called.message, called.position, "result", (held.start, held.end))


def _from_tool(called: AgentCall, since: int, ref: Ref) -> Holder:
    return Holder("tool", since, ref, called.call.name)
