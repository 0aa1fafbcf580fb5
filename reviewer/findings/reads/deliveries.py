"""Reads about deliveries: a date or an arrival that no result shows, and the order's own date taken for one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from reviewer.findings.reads.claims import Claim
from reviewer.findings.reads.dates import Day, days
from reviewer.findings.reads.dossier import Dossier, Suggestion
from reviewer.findings.reads.parcels import NOT_THERE, ResultPlace
from reviewer.findings.reads.steps import Turn
from reviewer.findings.reads.typed_values import facts
from reviewer.transcripts.refs import Ref

_REACH = 60
"""Characters from the words within which their date stands."""
_FLIGHTS = re.compile(r"\bflight|\bairport|\bplane|\bland", re.IGNORECASE)


def invented_delivery_date(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire where the agent says as a fact that a parcel came, and the order's own results say otherwise.

    An opportunity is such a sentence. With a day: no result has that day as a delivery's (nor at all), and one was
    read that would. Without a day: the latest result about the order shows a state in which nothing was delivered.
    Abstain where nothing was looked up, on conditions, denials, questions, promises, and what the customer or a page
    said. Known to confuse: several orders in one sentence; it abstains when one of them was delivered.
    """
    for turn, claim in it.deliveries:
        if not _asserted(turn, claim):
            continue
        shown = it.known.parcels
        day = _day_at(it, turn, claim)
        if day is None:
            state = shown.latest(shown.states, _orders(it, turn, claim), turn.number)
            if shown.delivered <= turn.number:
                yield None
            elif state is not None and NOT_THERE.match(state.field.value):
                place = it.at(turn.number, span=(claim.start, claim.end))
                evidence = (it.of_field(state.called, state.field),)
                yield Suggestion(place, evidence, f"says it was delivered; {state.told}", False)
        elif any(shown.day(how, day, turn.number) for how in _shown_as(it, turn, claim)) or _told(it, day, turn.number):
            yield None
        else:
            orders = _orders(it, turn, claim)
            best = shown.latest(shown.dated, orders, turn.number) or shown.latest(shown.states, orders, turn.number)
            if best is not None:
                place, evidence = _with_day(it, turn, claim, day), (it.of_field(best.called, best.field),)
                yield Suggestion(place, evidence, f"says delivered on {day.said}; {best.told}", False)


class ShownDay(NamedTuple):
    """Whether a day that is taken for a delivery's is invented, and the field that says so."""

    invented: bool
    place: ResultPlace


def order_or_delivery_day(it: Dossier, turn: Turn, day: Day) -> ShownDay | None:
    """How results bear out a day taken for the delivery's; None if nothing was read that would show it."""
    shown = it.known.parcels
    delivery = shown.day("delivery", day, turn.number)
    if delivery is not None:
        return ShownDay(False, delivery)
    orders = it.orders_named(turn)
    best = (
        shown.day("order", day, turn.number)
        or shown.latest(shown.dated, orders, turn.number)
        or shown.latest(shown.states, orders, turn.number)
    )
    if best is None or shown.day("other", day, turn.number) is not None or _told(it, day, turn.number):
        return None
    return ShownDay(True, best)


def order_date_as_delivery_date(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire where the day said to be the delivery's is the one on which the order was placed or shipped.

    An opportunity is a sentence that gives a day of delivery as a fact. Abstain where a result has that day as a
    delivery's or in another field, too, and where nothing was delivered at all: that day is invented. Likely
    only: words must be matched before the days can be compared.
    """
    for turn, claim in it.deliveries:
        if not _asserted(turn, claim) or (day := _day_at(it, turn, claim)) is None:
            continue
        shown = it.known.parcels
        order = shown.day("order", day, turn.number)
        if (
            order is None
            or _not_there(it, turn, claim)
            or any(shown.day(how, day, turn.number) for how in ("delivery", "other"))
            or _told(it, day, turn.number)
        ):
            yield None
            continue
        place, evidence = _with_day(it, turn, claim, day), (it.of_field(order.called, order.field),)
        yield Suggestion(place, evidence, f"says delivered on {day.said}; {order.told}", False)


def _asserted(turn: Turn, claim: Claim) -> bool:
    start, end = max(claim.sentence[0], claim.start - 2 * _REACH), min(claim.sentence[1], claim.end + 2 * _REACH)
    return claim.mood == "asserted" and not _FLIGHTS.search(turn.text, start, end)


def _not_there(it: Dossier, turn: Turn, claim: Claim) -> bool:
    """True if the latest result about the order shows a state in which nothing was delivered."""
    shown = it.known.parcels
    state = shown.latest(shown.states, _orders(it, turn, claim), turn.number)
    return shown.delivered > turn.number and state is not None and NOT_THERE.match(state.field.value) is not None


def _shown_as(it: Dossier, turn: Turn, claim: Claim) -> tuple[Literal["delivery", "order", "other"], ...]:
    """The sorts of days that bear out a delivery: the order's own does not while the order has not shipped."""
    return ("delivery", "other") if _not_there(it, turn, claim) else ("delivery", "order", "other")


def _day_at(it: Dossier, turn: Turn, claim: Claim) -> Day | None:
    """The day that stands nearest to the words, in their sentence."""
    start, end = claim.sentence
    near = days(turn.text, max(start, claim.start - _REACH), min(end, claim.end + _REACH), it.today_at(turn))
    return min(near, key=lambda day: (day.start < claim.start, abs(day.start - claim.end)), default=None)


def _with_day(it: Dossier, turn: Turn, claim: Claim, day: Day) -> Ref:
    return it.at(turn.number, span=(min(claim.start, day.start), max(claim.end, day.end)))


def _told(it: Dossier, day: Day, message: int) -> bool:
    """True if a prompt, the policy or what was cited by a message names the day."""
    return any(day.same(other) for other in it.known.days_told(message))


def _orders(it: Dossier, turn: Turn, claim: Claim) -> frozenset[str]:
    """The orders that are spoken of: those named near the words, else those that the message names."""
    start, end = max(claim.sentence[0], claim.start - 2 * _REACH), min(claim.sentence[1], claim.end + _REACH)
    near = frozenset(fact.value for fact in facts(turn.text[start:end], "order"))
    return near or it.orders_named(turn)
