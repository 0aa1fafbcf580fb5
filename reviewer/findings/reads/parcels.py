"""What results show of orders and parcels: their states and the days of their deliveries, in one pass over all fields.

Owns which fields those are, by their names and values in any desk's results, and the latest about an order. Pure.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from reviewer.findings.reads.dates import Day, days
from reviewer.findings.reads.steps import AgentCall
from reviewer.findings.reads.typed_values import ResultField

_LONGEST = 400
"""Characters of a field in which dates are looked for."""
_ANY_YEAR, _NO_YEAR = 0, -1
_DELIVERY_FIELD = re.compile(r"deliver|arriv|received|eta\b|drop")
_PLACED_FIELD = re.compile(
    r"placed|ordered|order_date|created|purchase|shipped|ship_date|dispatch|sent|fulfil|processed"
)
_STATE_FIELD = re.compile(
    r"(?:(?:order|fulfil\w{0,8}|shipment|shipping|delivery|tracking|parcel"
    r"|package)_?)?(?:status|state|stage)"
)
NOT_THERE = re.compile(
    r"^(?:in[ _-]?transit|shipped|pending|processing|processed|unfulfilled|partially[ _-]?shipped"
    r"|out[ _-]for[ _-]delivery|cancell?ed|label[ _-]created|preparing)\b",
    re.IGNORECASE,
)
_THERE = re.compile(r"deliver|complete|arriv|return|exchange|received|partial|\bfulfilled", re.IGNORECASE)


class ResultPlace(NamedTuple):
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
class ParcelStates:
    """What results show of deliveries, sorted out in one pass over their fields."""

    days: dict[tuple[str, int, int, int], ResultPlace] = field(default_factory=dict)
    """How a day is shown (as a delivery's, as the order's, elsewhere), year, month and day: where first."""
    states: dict[str, list[ResultPlace]] = field(default_factory=lambda: defaultdict(list))
    """The state of each order, and under `*` of any, in the order in which they came back."""
    dated: dict[str, list[ResultPlace]] = field(default_factory=lambda: defaultdict(list))
    """Likewise the fields that give a day of delivery."""
    delivered: float = inf
    """The first message with a result that shows something delivered."""

    def take(self, called: AgentCall, order: str, one: ResultField) -> None:
        """Take in a field."""
        place = ResultPlace(called.message, called, one)
        if _is_state(one):
            for key in (order, "*"):
                self.states[key].append(place)
            if _THERE.search(one.value):
                self.delivered = min(self.delivered, called.message)
        if len(one.value) > _LONGEST or not any(character.isdigit() for character in one.value):
            return
        how = "delivery" if _DELIVERY_FIELD.search(one.name) else "order" if _PLACED_FIELD.search(one.name) else "other"
        for day in days(one.value):
            for year in {day.year or _NO_YEAR, _ANY_YEAR}:
                self.days.setdefault((how, year, day.month, day.day), place)
            if how == "delivery":
                self.delivered = min(self.delivered, called.message)
                for key in (order, "*"):
                    self.dated[key].append(place)

    def day(self, how: str, day: Day, message: int) -> ResultPlace | None:
        """The field that shows a day in this way by a message."""
        years = (day.year, _NO_YEAR) if day.year else (_ANY_YEAR,)
        places = (self.days.get((how, year, day.month, day.day)) for year in years)
        return next((place for place in places if place is not None and place.message <= message), None)

    def latest_day(self, message: int) -> ResultPlace | None:
        """The last field by a message that gives a day of delivery, of any order."""
        return self.latest(self.dated, frozenset(), message)

    def latest(self, places: dict[str, list[ResultPlace]], orders: frozenset[str], message: int) -> ResultPlace | None:
        """The last field of these by a message: about the orders named, or about any where none is."""
        keys = (*orders, "") if orders else ("*",)
        known = [places[key] for key in keys if key in places]
        ends = [bisect_right(each, message, key=_message) for each in known]
        return max((each[end - 1] for each, end in zip(known, ends, strict=True) if end), key=_message, default=None)


def _message(place: ResultPlace) -> int:
    return place.message


def _is_state(one: ResultField) -> bool:
    """True if a field says how things stand with an order: no part of an address, nor of one of its lines."""
    named = _STATE_FIELD.fullmatch(one.name) is not None and one.pointer.count("/") <= 2
    return named and bool(NOT_THERE.match(one.value) or _THERE.search(one.value))
