"""What a case's lines are filled with: names, dates, links and the case's own slots, ready to be put into phrases."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any

from reviewer.benchmark.northline.cases import SampleCase
from reviewer.benchmark.northline.shop import ShopOrder, Variant, variants
from reviewer.benchmark.northline.stories import stories

TODAY = date(2026, 6, 29)
STATES = {
    "unfulfilled": "unfulfilled",
    "in transit": "transit",
    "delivered": "delivered",
    "partially shipped": "partial",
}
_CONTRADICTIONS = {
    "unfulfilled": ("has already shipped", "left our warehouse yesterday", "is out for delivery"),
    "transit": ("hasn't shipped yet", "is still being prepared", "is unfulfilled"),
    "delivered": ("is still in transit", "hasn't been delivered yet", "is on its way to you"),
    "partial": ("has been delivered in full", "is completely delivered", "hasn't shipped at all"),
    "": ("has already shipped", "is out for delivery", "was cancelled"),
}


# Families in which something went wrong with the goods: the fact that lines ask for as `mishap`.
MISHAPS = frozenset({"damaged item", "angry damaged", "wrong item", "missing item", "delivery dispute"})

# What every conversation has, whatever its case: drawn anew for each, or set while it goes on.
ALWAYS = frozenset({"near_day", "wrong_date", "stock", "contradiction", "gist", "last", "extra"})


@dataclass(frozen=True, slots=True)
class Setting:
    """The slots that stay the same for a case, and the situation its order is in."""

    slots: Mapping[str, Any]
    situation: frozenset[str]
    known: frozenset[str]
    """The slots that a line may speak of, and the facts that it may ask for: style, bucket, family, situation."""
    wrong_dates: tuple[str, ...]
    """Days on which the order was not delivered, such as an agent makes up."""
    contradictions: tuple[str, ...]
    """What is not true of the order, so that whoever says it contradicts the lookup."""

    def drawn(self, rng: random.Random) -> dict[str, Any]:
        """All slots of one conversation: the case's, and what an agent would make up in it."""
        drawn = rng.random
        return {
            **self.slots,
            "near_day": _soon(int(drawn() * 4)),
            "wrong_date": self.wrong_dates[int(drawn() * len(self.wrong_dates))],
            "stock": 3 + int(drawn() * 27),
            "contradiction": self.contradictions[int(drawn() * len(self.contradictions))],
        }


@cache
def _soon(days: int) -> str:
    """A day from the day after tomorrow on, as people say it: `Thursday, July 2`."""
    day = TODAY + timedelta(days=2 + days)
    return f"{day:%A}, {spoken(day)}"


@cache
def spoken(day: date) -> str:
    """`June 29`, as people write it."""
    return f"{day:%B} {day.day}"


def setting(case: SampleCase) -> Setting:
    """The setting of a case."""
    order = case.order
    told = {**(_of_order(order, case) if order else {}), **case.slots, **stories()[case.id].words}
    told |= {name: told[name].format_map(told) for name in ("brief", "wants")}
    slots: dict[str, Any] = {**_ABSENT, **told}
    for name in ("story", "ask", "got"):
        slots[f"{name}_cap"] = slots[name][:1].upper() + slots[name][1:]
    situation = frozenset({STATES[order.state]} if order else {"recommend"})
    if order and len(order.lines) > 1 and situation & {"transit", "unfulfilled"}:
        situation |= {"several"}
    facts = {case.style, case.bucket, case.family.replace(" ", "-"), "ordered" if order else "unordered", *situation}
    if case.family in MISHAPS:
        facts.add("mishap")
    capitals = {f"{name}_cap" for name in ("story", "ask", "got") if name in told}
    known = frozenset(told) | capitals | facts | ALWAYS
    state = STATES[order.state] if order else ""
    return Setting(slots, situation, known, _wrong_dates(order, slots["delivered_on"]), _CONTRADICTIONS[state])


def _wrong_dates(order: ShopOrder | None, delivered: str) -> tuple[str, ...]:
    """Days between nine and fourteen days after an order, up to yesterday, on which it was not delivered."""
    placed = date.fromisoformat(order.placed) if order else TODAY
    days = [min(placed + timedelta(days=days), TODAY - timedelta(days=1)) for days in range(9, 15)]
    return tuple(spoken(day - timedelta(days=1) if spoken(day) == delivered else day) for day in days)


# Lines that need an order are not said where there is none; these keep every line fillable all the same.
_ABSENT: Mapping[str, Any] = {
    "first": "there",
    "full": "there",
    "order": "your order",
    "number": "0000",
    "item": "item",
    "items": "the items",
    "variant": "item",
    "carrier": "the carrier",
    "tracking": "the number in the email",
    "url": "the carrier's page",
    "placed_on": "the day you ordered",
    "shipped_on": "the day it shipped",
    "shipped_iso": "",
    "delivered_on": "the delivery",
    "total": "the total",
    "country": "your country",
    "extra": "luggage tag",
    "story": "it is what it is",
    "premise": "it is as you say",
    "ask": "that",
    "got": "something else",
    "damage": "the damage",
    "code": "the code",
    "why": "the conditions weren't met",
    "state": "known",
    "gist": "it's all as I said above.",
    "last": "",
}
_COUNTRIES = {"US": "the United States", "GB": "the United Kingdom", "CA": "Canada"}


def _of_order(order: ShopOrder, case: SampleCase) -> dict[str, Any]:
    line = order.lines[case.slots.get("line", 1) - 1].variant
    return {
        "first": order.customer.split()[0],
        "full": order.customer,
        "order": order.number,
        "number": order.number.removeprefix("#"),
        "item": line.kind,
        "items": ", ".join(each.variant.title for each in order.lines),
        "variant": line.full,
        "variant_id": line.id,
        "placed_on": spoken(date.fromisoformat(order.placed)),
        **_of_parcel(order),
        "total": f"${order.total}",
        "country": _COUNTRIES[order.country],
        "state": order.state,
        **_of_line(line),
        **_beside(order, line),
    }


def _of_parcel(order: ShopOrder) -> dict[str, str]:
    """What an order has once it is with a carrier, and once it is delivered."""
    sent = {
        "carrier": order.carrier,
        "tracking": order.tracking,
        "url": order.tracking_url,
        "shipped_on": spoken(date.fromisoformat(order.shipped)) if order.shipped else None,
        "shipped_iso": order.shipped,
        "delivered_on": spoken(date.fromisoformat(order.delivered)) if order.delivered else None,
    }
    return {name: value for name, value in sent.items() if value}


def _of_line(line: Variant) -> dict[str, str]:
    """The colour and the size of the line that a case is about, in small letters."""
    size = {} if line.size == "one size" else {"size": line.size}
    return {"colour": line.colour.lower(), **size}


def _beside(order: ShopOrder, line: Variant) -> dict[str, str]:
    """The other things of the order, where there are any."""
    kinds = [each.variant.kind for each in order.lines if each.variant is not line]
    return {"others": " and the ".join(kinds)} if kinds else {}


def wrong_variant(variant_id: str) -> str:
    """Another variant of the same product, such as an agent picks by mistake."""
    own = variants()[variant_id]
    return next((v.id for v in variants().values() if v.handle == own.handle and v.id != variant_id), variant_id)
