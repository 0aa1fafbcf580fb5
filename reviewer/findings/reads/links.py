"""Reads about links and tracking numbers: those that no tool and no instruction gave, and those that one did."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.findings.reads.dossier import Dossier, Suggestion
from reviewer.findings.reads.steps import Turn
from reviewer.findings.reads.typed_values import Fact, facts
from reviewer.transcripts.refs import Ref

_REACH = 60
"""Characters around a number within which a word must say that it is a parcel's."""
_FIGURES = re.compile(r"\d+")
_LEAST_FIGURES = 8
_PARCEL = (
    *("track", "parcel", "shipment", "follow it", "follow the", "the number is"),
    *("sendung", "suivi", "seguimiento", "rastre", "运单"),
)
"""Words of which one stands near a parcel's number; in small letters."""


def fabricated_url(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a link that stands in no result, no prompt and no message before.

    An opportunity is a link in an agent's message. Abstain where the customer gave it, and where nothing is known that
    could hold one (no prompt, no policy, no result). A link that only differs in its scheme or a last slash is the
    same; one of a private host is a leak, not this.
    """
    for turn, fact, known in _links(it):
        if known:
            yield None
        elif (it.known.policy or it.known.last_result(turn.number)) and not _private_host(it, fact):
            reason = f"gives {fact.value[:80]}, which no result and no prompt holds"
            place = it.at(turn.number, span=(fact.start, fact.end))
            yield Suggestion(place, _looked(it, turn), reason, False)


def grounded_link(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a link that a result gave, letter by letter.

    The good twin of fabricated-url: an opportunity is a link in an agent's message. One from a prompt is not counted.
    """
    for turn, fact, known in _links(it):
        source = it.known.source_of(fact.value, turn.number)
        if source is None:
            yield None
        elif known:
            place = it.at(turn.number, span=(fact.start, fact.end))
            reason = f"gives the very link that {source.call.name} returned"
            yield Suggestion(place, (it.at(source.message, source.position, "result"),), reason, True)


def store_url_leak(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a link to a host that the desk calls private, in a message for a customer.

    An opportunity is a link in an agent's message, where the desk names private hosts. A host below one of them is
    private, too.
    """
    if not it.desk.private_hosts:
        return
    for turn in it.agents:
        for fact in facts(turn.text, "url"):
            host = _private_host(it, fact)
            if host:
                place = it.at(turn.number, span=(fact.start, fact.end))
                reason = f"gives the customer an address of {host}, which is private"
                yield Suggestion(place, (it.at(turn.number),), reason, True)
            else:
                yield None


def fabricated_tracking_number(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a parcel's number that stands in no result, no prompt and no message before.

    An opportunity is a number of a parcel's shape with a word for parcels near it. Abstain where nothing was looked up.
    Known to confuse: an order's or an item's number of the same shape that is called a tracking number.
    """
    for turn in it.agents:
        if not _speaks_of_parcels(it.lowered[turn.number]):
            continue
        for fact in facts(turn.text, "tracking number"):
            near = turn.text[max(0, fact.start - _REACH) : fact.end + _REACH]
            if not _speaks_of_parcels(near.lower()) or it.known.last_result(turn.number) is None:
                continue
            if _held(it, turn, fact):
                yield None
            else:
                words = turn.text[fact.start : fact.end]
                place = it.at(turn.number, span=(fact.start, fact.end))
                yield Suggestion(place, _looked(it, turn), f"gives the number {words}, which no result holds", False)


def _speaks_of_parcels(lowered: str) -> bool:
    return any(word in lowered for word in _PARCEL)


def _held(it: Dossier, turn: Turn, fact: Fact) -> bool:
    """True if a result, a prompt or the customer gave this number: a word before its figures may be no part of it."""
    if it.known.holds(fact.value, turn.number) or it.said_before(fact.value, turn.number):
        return True
    figures = max(_FIGURES.findall(fact.value), key=len, default="")
    told = figures in it.known.policy or it.known.in_results(figures, turn.number)
    told = told or it.known.cites(figures, turn.number)
    return len(figures) >= _LEAST_FIGURES and told


def _links(it: Dossier) -> Iterator[tuple[Turn, Fact, bool]]:
    """Every link in the agent's messages that no customer gave, and whether it was known."""
    for turn in it.agents:
        for fact in facts(turn.text, "url"):
            known = it.known.holds(fact.value, turn.number)
            if known or not it.said_before(fact.value, turn.number):
                yield turn, fact, known


def _looked(it: Dossier, turn: Turn) -> tuple[Ref, ...]:
    """The last result before a message: where the value would stand."""
    last = it.known.last_result(turn.number)
    return (it.at(last.message, last.position, "result"),) if last else (it.at(turn.number),)


def _private_host(it: Dossier, fact: Fact) -> str:
    """The private host that a link leads to; empty if it leads to none."""
    host = fact.value.partition("/")[0].partition(":")[0]
    return next((each for each in it.desk.private_hosts if f".{host}".endswith(f".{each.lower()}")), "")
