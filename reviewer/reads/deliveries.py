"""Reads about deliveries: a date or an arrival that no result shows, and the order's own date taken for one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from reviewer.reads.claims import Claim
from reviewer.reads.dates import Day, days
from reviewer.reads.dossier import Dossier, Suggestion
from reviewer.reads.steps import AgentCall, Turn
from reviewer.reads.typed_values import ResultField
from reviewer.refs import Ref

_REACH = 60
"""Characters from the words within which their date stands."""
_LONGEST = 400
"""Characters of a field in which dates are looked for."""
_DELIVERY_FIELD = re.compile(r"deliver|arriv|received|eta\b|drop")
_PLACED_FIELD = re.compile(
    r"placed|ordered|order_date|created|purchase|shipped|ship_date|dispatch|sent|fulfil|processed"
)
_STATE_FIELD = re.compile(r"(?:\w{1,20}_)?(?:status|state|stage)")
_NOT_THERE = re.compile(
    r"^(?:in[ _-]?transit|shipped|pending|processing|processed|unfulfilled|partially[ _-]?shipped"
    r"|out[ _-]for[ _-]delivery|cancell?ed|label[ _-]created|preparing|on[ _-]?hold|paid|open|new)\b",
    re.IGNORECASE,
)
_THERE = re.compile(r"deliver|complete|arriv|return|exchange|received|partial", re.IGNORECASE)
_FLIGHTS = re.compile(r"\bflight|\bairport|\bplane|\bland", re.IGNORECASE)


class _Place(NamedTuple):
    """A field of a result that says something of a delivery."""

    message: int
    called: AgentCall
    field: ResultField

    @property
    def told(self) -> str:
        """What it says, and where."""
        value = self.field.value if len(self.field.value) <= 40 else f"{self.field.value[:39]}…"
        name = self.field.name.replace("_", " ")
        return f"{self.called.call.name} in #{self.called.message}.{self.called.position} returned {name} {value}"


@dataclass
class _Shown:
    """What results show of deliveries, sorted out in one pass over their fields."""

    days: dict[tuple[str, int, int, int], _Place] = field(default_factory=dict)
    """How a day is shown (as a delivery's, as the order's, elsewhere), year, month and day: where first."""
    states: dict[str, list[_Place]] = field(default_factory=lambda: defaultdict(list))
    """The state of each order, and under `*` of any, in the order in which they came back."""
    dated: dict[str, list[_Place]] = field(default_factory=lambda: defaultdict(list))
    """Likewise the fields that give a day of delivery."""
    delivered: float = inf
    """The first message with a result that shows something delivered."""

    def take(self, called: AgentCall, order: str, one: ResultField) -> None:
        """Take in a field."""
        place = _Place(called.message, called, one)
        if _is_state(one):
            for key in (order, "*"):
                self.states[key].append(place)
            if _THERE.search(one.value):
                self.delivered = min(self.delivered, called.message)
        if len(one.value) > _LONGEST or not any(character.isdigit() for character in one.value):
            return
        how = "delivery" if _DELIVERY_FIELD.search(one.name) else "order" if _PLACED_FIELD.search(one.name) else "other"
        for day in days(one.value):
            for year in {day.year, 0}:
                self.days.setdefault((how, year, day.month, day.day), place)
            if how == "delivery":
                self.delivered = min(self.delivered, called.message)
                for key in (order, "*"):
                    self.dated[key].append(place)

    def day(self, how: str, day: Day, message: int) -> _Place | None:
        """The field that shows a day in this way by a message."""
        years = {day.year, 0} if day.year else {0}
        places = (self.days.get((how, year, day.month, day.day)) for year in years)
        return next((place for place in places if place is not None and place.message <= message), None)

    def latest(self, places: dict[str, list[_Place]], orders: frozenset[str], message: int) -> _Place | None:
        """The last field of these by a message: about the orders named, or about any where none is."""
        keys = (*orders, "") if orders else ("*",)
        last = (places[key][: bisect_right(places[key], message, key=_message)][-1:] for key in keys if key in places)
        return max((each[0] for each in last if each), key=_message, default=None)


def invented_delivery_date(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire where the agent says as a fact that a parcel came, and the order's own results say otherwise.

    An opportunity is such a sentence. With a day: no result has that day as a delivery's (nor at all), and one was
    read that would. Without a day: the latest result about the order shows a state in which nothing was delivered.
    Abstain where nothing was looked up, on conditions, denials, questions, promises, and what the customer or a page
    said. Known to confuse: several orders in one sentence; it abstains when one of them was delivered.
    """
    shown: _Shown | None = None
    for turn, claim in it.deliveries:
        if not _asserted(turn, claim):
            continue
        shown = shown or _shown(it)
        day = _day_at(it, turn, claim)
        if day is None:
            state = shown.latest(shown.states, it.orders_named(turn), turn.number)
            if shown.delivered <= turn.number:
                yield None
            elif state is not None and _NOT_THERE.match(state.field.value):
                place = it.at(turn.number, span=(claim.start, claim.end))
                evidence = (it.of_field(state.called, state.field),)
                yield Suggestion(place, evidence, f"says it was delivered; {state.told}", False)
        elif any(shown.day(how, day, turn.number) for how in ("delivery", "order", "other")) or _told(it, day):
            yield None
        else:
            orders = it.orders_named(turn)
            best = shown.latest(shown.dated, orders, turn.number) or shown.latest(shown.states, orders, turn.number)
            if best is not None:
                place, evidence = _with_day(it, turn, claim, day), (it.of_field(best.called, best.field),)
                yield Suggestion(place, evidence, f"says delivered on {day.said}; {best.told}", False)


def order_date_as_delivery_date(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire where the day said to be the delivery's is the one on which the order was placed or shipped.

    An opportunity is a sentence that gives a day of delivery as a fact. Abstain where a result has that day as a
    delivery's or in another field, too. Likely only: words must be matched before the days can be compared.
    """
    shown: _Shown | None = None
    for turn, claim in it.deliveries:
        if not _asserted(turn, claim) or (day := _day_at(it, turn, claim)) is None:
            continue
        shown = shown or _shown(it)
        order = shown.day("order", day, turn.number)
        if order is None or any(shown.day(how, day, turn.number) for how in ("delivery", "other")) or _told(it, day):
            yield None
            continue
        place, evidence = _with_day(it, turn, claim, day), (it.of_field(order.called, order.field),)
        yield Suggestion(place, evidence, f"says delivered on {day.said}; {order.told}", False)


def _shown(it: Dossier) -> _Shown:
    shown = _Shown()
    for called, fields in it.known.fields:
        order = it.order_of(called)
        for one in fields:
            shown.take(called, order, one)
    return shown


def _message(place: _Place) -> int:
    return place.message


def _asserted(turn: Turn, claim: Claim) -> bool:
    start, end = max(claim.sentence[0], claim.start - 2 * _REACH), min(claim.sentence[1], claim.end + 2 * _REACH)
    return claim.mood == "asserted" and not _FLIGHTS.search(turn.text, start, end)


def _day_at(it: Dossier, turn: Turn, claim: Claim) -> Day | None:
    """The day that stands nearest to the words, in their sentence."""
    start, end = claim.sentence
    near = days(turn.text, max(start, claim.start - _REACH), min(end, claim.end + _REACH), it.today_at(turn))
    return min(near, key=lambda day: (day.start < claim.start, abs(day.start - claim.end)), default=None)


def _with_day(it: Dossier, turn: Turn, claim: Claim, day: Day) -> Ref:
    return it.at(turn.number, span=(min(claim.start, day.start), max(claim.end, day.end)))


def _told(it: Dossier, day: Day) -> bool:
    """True if a prompt or the policy names the day."""
    return any(day.same(other) for other in it.known.policy_days)


def _is_state(one: ResultField) -> bool:
    """True if a field says how things stand with an order: no part of an address, nor of one of its lines."""
    named = _STATE_FIELD.fullmatch(one.name) is not None and one.pointer.count("/") <= 2
    return named and bool(_NOT_THERE.match(one.value) or _THERE.search(one.value))
