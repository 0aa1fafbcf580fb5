"""Reads about asking for leave and then acting: asked twice, asked for another act, done to another order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from reviewer.basics.sentences import Span
from reviewer.findings.reads.claims import Claim, may_stand_behind
from reviewer.findings.reads.confirmations import asks_leave, says_no, says_yes
from reviewer.findings.reads.dossier import Dossier, Suggestion
from reviewer.findings.reads.excerpt_words import short
from reviewer.findings.reads.steps import AgentCall, Turn
from reviewer.findings.reads.typed_values import facts

_LONGEST_AGAIN = 200
"""Characters of the longest message that only asks once more."""
_LONGEST_YES = 80
_MORE = re.compile(r"\?|\b(?:also|but|instead|except|only|and then)\b", re.IGNORECASE)
"""What makes more of an answer than a yes."""
_NEWS = re.compile(
    r"\d{2}|[$€£]|\b(?:instead|however|but|unfortunately|also|additional|which|what|details?)\b", re.IGNORECASE
)
"""What a second question may be about: then it is no second question."""
_AGAIN = re.compile(
    r"\b(?:double-check|once more|again|just to (?:be|confirm|make)|confirm|permission|proceed|go ahead"
    r"|are you sure)\b",
    re.IGNORECASE,
)
_NAMED: Mapping[str, re.Pattern[str]] = {
    act: re.compile(words, re.IGNORECASE)
    for act, words in {
        "cancel": r"\bcancel|\bannul|\banul|\bstorn|取消",
        "reship": r"\bre-?ship|\bre-?send|\b(?:sen[dt]|go(?:es)?)(?: [\w-]+){0,5} again\b|\bsecond parcel\b",
        "replace": r"\breplac|\bnew one\b|\bnew [A-Z]",
        "edit-address": r"\baddress|\bdestination\b|\breroute|\bredirect",
    }.items()
}
"""The words that name an act so that no other is meant."""
_NEAR = 14
"""Characters from the words within which the order stands that they are about."""
_LIKE = re.compile(r"\b(?:match|like|same|from|instead)\b", re.IGNORECASE)
_PARENTS = frozenset({"exchange", "return"})


def over_confirms(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a second question for leave after a clear yes to the first, where it asks nothing new and an act follows.

    An opportunity is a message that asks for leave before a write. Abstain where the second question names a number, a
    price or another detail, is long, or comes after a call. Known to confuse: a policy that demands two confirmations.
    """
    if not it.writes:
        return
    last, spoken = it.writes[-1].message, {turn.number: spans for turn, spans in it.sentences}
    asked, agreed = 0, 0
    for turn in it.turns[: last - 1]:
        text = turn.text
        if turn.message.role == "customer" and text.strip():
            clear = asked and len(text) <= _LONGEST_YES and says_yes(text) and not says_no(text)
            agreed = turn.number if clear and not _MORE.search(text) else 0
        elif turn.message.role == "agent":
            if turn.message.calls:
                asked = agreed = 0
            elif text.strip() and _leave(turn, spoken.get(turn.number, ())):
                if agreed and _asks_nothing_new(it, turn):
                    reason = f"asks for leave once more, after #{asked} had asked and #{agreed} had agreed"
                    yield Suggestion(it.at(turn.number), (it.at(asked), it.at(agreed)), reason, False)
                else:
                    yield None
                asked, agreed = turn.number, 0


def confirms_something_else(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a write whose question for leave names another act and not this one.

    An opportunity is a write, after a yes to a question for leave, of a class that can be told from others by its name
    (a cancellation, a refund, a reshipment, a replacement, an address, a booking). Abstain on exchanges, returns and
    edits, which people call by each other's names, and where the question names no act or both. Known to confuse: two
    acts agreed to, one after the other.
    """
    agreed = _agreed(it) if any(each.act in _NAMED for each in it.writes) else []
    for each, _ in it.confirmations:
        index = bisect_left(agreed, each.message, key=_answer) - 1
        if each.act not in _NAMED or index < 0:
            continue
        turn, spans, answered = agreed[index]
        named = _asked_about(it, turn, spans)
        if not named:
            continue
        if each.act in named or _PARENTS & it.desk.write_classes:
            yield None
        else:
            reason = f"asked about {min(named)} at #{turn.number}, and did {each.act}"
            yield Suggestion(it.of_call(each), (it.at(turn.number), it.at(answered)), reason, False)


class Agreement(NamedTuple):
    """A message that asks for leave, its sentences, and the customer's message that says yes."""

    turn: Turn
    spans: tuple[Span, ...]
    answered: int


def _agreed(it: Dossier) -> list[Agreement]:
    """Every question for leave that the customer's next message agrees to."""
    spoken = {turn.number: spans for turn, spans in it.sentences}
    pairs: list[Agreement] = []
    asked: Turn | None = None
    for turn in it.turns:
        if turn.message.role == "customer" and turn.text.strip():
            if asked is not None and says_yes(turn.text) and not says_no(turn.text):
                pairs.append(Agreement(asked, spoken[asked.number], turn.number))
            asked = None
        elif turn.number in spoken and _leave(turn, spoken[turn.number]):
            asked = turn
    return pairs


def _answer(pair: Agreement) -> int:
    return pair.answered


def _asked_about(it: Dossier, turn: Turn, spans: tuple[Span, ...]) -> set[str]:
    """The acts that a question for leave names; where it names none, the whole message, and the one before."""
    question = " ".join(turn.text[start:end] for start, end in spans if asks_leave(turn.text[start:end]))
    before = it.turns[turn.number - 3].text if turn.number > 2 else ""
    known = it.desk.write_classes & _NAMED.keys()
    named = ({act for act in known if _NAMED[act].search(text)} for text in (question, turn.text, before))
    return next((acts for acts in named if acts), set())


def wrong_target(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a write to an order that the conversation does not speak of, while it speaks of another.

    An opportunity is a write that names its order, after a message that names one. It fires where nobody wrote that
    number before and no result held it; and where the agent says of another order that this act is done. Abstain where
    no order was named. A call that failed counts. Quantities and addresses are not compared.
    """
    other = {(each.message, each.position): suggestion for each, suggestion in _told_of_another(it)}
    named: dict[str, int] = {}
    at = 0
    for each in it.calls:
        for turn in it.turns[at : each.message]:
            for fact in facts(turn.text, "order"):
                named.setdefault(fact.value, turn.number)
        at = max(at, each.message)
        if each.kind == "write" and each.order and named:
            if each.order not in named and not it.known.in_results(each.order.lower(), each.message - 1):
                first = next(iter(named))
                reason = f"calls {each.call.name} for {each.order}; what was spoken of is {first}"
                yield Suggestion(it.of_call(each), (it.at(named[first]),), reason, False)
            else:
                yield other.get((each.message, each.position))
        if each.order:
            named.setdefault(each.order, each.message)


def _told_of_another(it: Dossier) -> Iterator[tuple[AgentCall, Suggestion]]:
    """Acts said to be done for one order, where the only such call since the customer's words was for another."""
    written = {each.order for each in it.writes}
    for turn, claim in it.done:
        start, end = max(claim.sentence[0], claim.start - _NEAR), min(claim.sentence[1], claim.end + _NEAR)
        named = facts(turn.text[slice(*claim.sentence)], "order")
        told = {fact.value for fact in named if start <= claim.sentence[0] + fact.start <= end}
        if claim.mood != "asserted" or len(told) != 1 or _LIKE.search(turn.text, start, end):
            continue
        own = _recent(it, turn, claim)
        if not own or told & written:
            continue
        each, words = own[-1], short(turn.text[claim.start : claim.end])
        reason = f"says “{words}” of {min(told)}; {each.call.name} was called for {each.order}"
        place = it.at(turn.number, span=(claim.start, claim.end))
        yield each, Suggestion(it.of_call(each), (place,), reason, False)


def _recent(it: Dossier, turn: Turn, claim: Claim) -> list[AgentCall]:
    """The writes since the customer's last words that may stand behind a claim, all of which name an order."""
    since = it.customers_before(turn.number)
    own = [
        each
        for each in it.writes_since(turn.number)
        if it.customers_before(each.message) == since and may_stand_behind(claim.what, each.act, each.call.name)
    ]
    return own if all(each.order for each in own) else []


def _asks_nothing_new(it: Dossier, turn: Turn) -> bool:
    """True if a message only asks once more: it is short, and names no number that had not stood before."""
    text = turn.text
    for fact in sorted(facts(text, "order"), key=lambda fact: -fact.start):
        if it.stood_before(fact.value, turn.number):
            text = text[: fact.start] + text[fact.end :]
    return len(text) <= _LONGEST_AGAIN and _AGAIN.search(text) is not None and not _NEWS.search(text)


def _leave(turn: Turn, spans: tuple[Span, ...]) -> bool:
    return any(asks_leave(turn.text[start:end]) for start, end in spans)
