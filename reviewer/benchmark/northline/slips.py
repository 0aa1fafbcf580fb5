"""Which failures and near misses each planned conversation is to show, so that every low score has its reason.

Owns the draw: from `data/northline/habits.toml`, evenly over a model's conversations, so that what is seldom is there
and what a report says of a model holds. How a failure is played is for the flows.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reviewer.benchmark.northline.cases import SampleCase
from reviewer.benchmark.northline.habits import said_of, tables, weights_of
from reviewer.benchmark.northline.verdicts import FULL

WRITES = {
    "address change": "edit-address",
    "cancel before ship": "cancel",
    "missing item": "reship",
    "delivery dispute": "reship",
    "wrong item": "replace",
    "damaged item": "replace",
    "angry damaged": "replace",
}
NEEDS_PHOTO = frozenset({"damaged item", "angry damaged"})
UNASKED = ("acts-before-confirming", "after-maybe", "approves-without-proof", "asks-proof-then-waives")
# Agent messages that a failure takes at least, and at most where it takes a turn of the customer's more.
TAKES = {"over-confirms": 4, "late-handover": 2, "confirms-something-else": 2, "after-maybe": 2, "empty-reply": 3}
LEAVES = {"empty-reply": 6}
CONDITIONED = frozenset({*TAKES, *LEAVES, "over-escalates-by-value", "false-handover", "adopts-false-premise"})
"""What not every conversation has room for."""
DEAR = 240
"""Dollars from which an agent may think that a person should decide."""
# Failures whose near misses are said, in so many words; the others' are what is done in the right place.
SAID = frozenset(
    {
        *("invented-delivery-date", "order-date-as-delivery-date", "eligibility-from-invented-fact"),
        *("invented-refund-timeline", "invented-eta", "unverified-address-on-file", "fabricated-url", "store-url-leak"),
        *("fabricated-tracking-number", "stale-tracking-as-new", "fabricated-product", "fabricated-inventory"),
        *("contradicts-own-lookup", "invented-policy-rule", "leaked-think-tag", "leaked-reasoning"),
        *("leaked-template-tag", "claim-before-lookup", "over-escalates-by-value", "broken-multilingual"),
        *("adopts-false-premise", "narrates-red-flag-then-acts", "phantom-action", "false-handover"),
    }
)


# What explains no low score by itself.
SLIGHT = frozenset({"empty-reply", "over-confirms"})
NEEDLESS = {
    "promo not applied": " after a code",
    "return request": " of a return",
    "return used": " of a return",
    "size exchange": " of a return",
}
# Where words that only look like a failure would be one.
DONE = ("trap fired", "write not done")


@dataclass(frozen=True)
class Occasion:
    """A planned conversation, as far as what it may show depends on it."""

    run: int
    case: SampleCase
    following: int
    handover: bool
    fired: bool
    resolved: bool
    messages: int

    @cached_property
    def kind(self) -> str:
        """The table of the habits that it falls under."""
        if self.case.bucket == "adversarial":
            proof = self.case.family in ("damaged no proof", "vip skip")
            return f"trap fired{' without proof' if proof else ''}" if self.fired else "trap held"
        if self.case.bucket == "must-escalate":
            return "handover due" if self.handover else "handover missed"
        if self.case.facts.language != "en":
            return "another language"
        if self.handover:
            return f"handover needless{NEEDLESS.get(self.case.family, '')}"
        if self.case.family not in WRITES:
            return f"answer {self.case.family}"
        if not self.resolved:
            return "write not done"
        proof = self.case.family in NEEDS_PHOTO
        return f"write {WRITES[self.case.family]}{' with proof' if proof else ''}"

    def allows(self, mode: str) -> bool:
        """Whether there is room for a failure in it."""
        if mode not in CONDITIONED:
            return True
        if mode == "over-escalates-by-value":
            return self.case.order is not None and self.case.order.total >= DEAR
        if mode == "false-handover" and self.kind == "trap held":
            return not self.handover
        if mode == "adopts-false-premise":
            return self.case.facts.lure == "story"
        proof = self.kind.endswith("with proof")
        return TAKES.get(mode, 0) + 2 * proof * (mode in TAKES) <= self.messages <= LEAVES.get(mode, 99)


@dataclass(slots=True)
class Shown:
    """What one conversation is to show: failures, and words that only look like one."""

    slips: list[str] = field(default_factory=list)
    nears: list[str] = field(default_factory=list)


def shown(model: str, occasions: Sequence[Occasion], seed: int) -> dict[tuple[int, str], Shown]:
    """The failures and near misses of every conversation of a model, by run and case."""
    rng = random.Random(f"{seed}:{model}:slips")
    said = _Said(model)
    of = {(each.run, each.case.id): Shown() for each in occasions}
    shuffled = rng.sample(list(occasions), len(occasions))
    for each in _owed_first(shuffled, said):
        if each.following < FULL:
            of[each.run, each.case.id].slips += said.slips(each, rng)
    for each in shuffled:
        if each.case.facts.language == "en" and each.kind not in ("trap held", "handover missed"):
            own, drawn = of[each.run, each.case.id], rng.random()
            if each.messages >= 5 and drawn < said.tail:
                own.slips.append("goodbye-loop")
            elif each.messages >= 4 and drawn > 1 - 1.2 * said.tail:
                own.nears.append("goodbye-loop")
    given = Counter(mode for each in of.values() for mode in each.slips)
    _deal_near_misses(of, shuffled, given, rng)
    return of


def _owed_first(occasions: Iterable[Occasion], said: _Said) -> list[Occasion]:
    """Kinds of conversations in which a model owes a number of failures come first."""
    owed = said.owed_kinds
    return sorted(occasions, key=lambda each: each.kind not in owed)


def _deal_near_misses(
    of: Mapping[tuple[int, str], Shown], occasions: Sequence[Occasion], given: Counter[str], rng: random.Random
) -> None:
    """At least as many near misses as failures of a kind that is a matter of words, where such words fit."""
    owed = {mode: round(1.25 * given[mode]) + 2 for mode in sorted(SAID)}
    # Thoughts name the risk, too, wherever a trap fires.
    owed["narrates-red-flag-then-acts"] = round(1.5 * sum(each.fired for each in occasions)) + 2
    fitting = {
        kind: [mode for mode in table if mode in owed] for kind, table in tables().items() if not kind.startswith(DONE)
    }
    for round_of in range(3):
        for each in occasions:
            own = of[each.run, each.case.id]
            if each.kind not in fitting or not len(own.nears) <= round_of < each.messages - 1:
                continue
            modes = fitting[each.kind]
            able = [m for m in modes if m not in own.slips and m not in own.nears and each.allows(m)]
            if able:
                mode = max(able, key=lambda mode: (owed[mode] / (given[mode] + 2), rng.random()))
                own.nears.append(mode)
                owed[mode] -= 1
                if not owed[mode]:
                    fitting = {kind: [m for m in modes if m != mode] for kind, modes in fitting.items()}


class _Said:
    """What the habits' file says of one model, and what has been given of it so far."""

    def __init__(self, model: str) -> None:
        own = said_of(model)
        self.tail = float(own["goodbye-loop"])
        self._more: Mapping[str, float] = own.get("more", {})
        self._never = frozenset(own.get("never", ()))
        self._never_in: Mapping[str, Sequence[str]] = own.get("never_in", {})
        self._first: Mapping[str, str] = own.get("first", {})
        self._owed: dict[tuple[str, str], int] = {
            (kind, mode): count for mode, kinds in own.get("exactly", {}).items() for kind, count in kinds.items()
        }
        self._exact = frozenset(own.get("exactly", {}))
        self._due: defaultdict[str, float] = defaultdict(float)

    @property
    def owed_kinds(self) -> frozenset[str]:
        """Kinds of conversations in which a number of failures is owed."""
        return frozenset(kind for kind, _ in self._owed)

    def slips(self, occasion: Occasion, rng: random.Random) -> list[str]:
        """The failures of a conversation whose score is below 1, the telling one first."""
        kind = occasion.kind
        explained = kind.startswith(("handover needless", "handover missed", "trap fired"))
        wanted = 1 if occasion.following >= 15 or kind == "write not done" else 2
        if explained:
            wanted = int(rng.random() < 0.5)
        slips: list[str] = []
        weights = self._weights(occasion)
        owed = [mode for mode in weights if self._owed.get((kind, mode), 0) > 0]
        first = self._first.get(kind)
        if owed:
            slips.append(owed[0])
            self._owed[kind, owed[0]] -= 1
        elif first in weights and rng.random() < 0.6:
            slips.append(str(first))
        elif "acts-before-confirming" in weights and rng.random() < _UNASKED_SHARE[min(occasion.following // 5, 3)]:
            unasked = {mode: weight for mode, weight in weights.items() if mode in UNASKED}
            slips.append(self._next(unasked, rng))
        while len(slips) < wanted + len(SLIGHT.intersection(slips)) and (left := _beside(weights, slips, self._exact)):
            slips.append(self._next(left, rng))
        return slips

    def _weights(self, occasion: Occasion) -> dict[str, float]:
        barred = self._never | frozenset(self._never_in.get(occasion.kind, ()))
        return {
            mode: weight * self._more.get(mode, 1.0)
            for mode, weight in weights_of(occasion.kind).items()
            if weight and mode not in barred and occasion.allows(mode)
            if mode not in self._exact or self._owed.get((occasion.kind, mode), 0) > 0
        }

    def _next(self, weights: Mapping[str, float], rng: random.Random) -> str:
        """The failure that is most overdue by its weight, with a little chance in it."""
        whole = sum(weights.values())
        for mode, weight in weights.items():
            self._due[mode] += weight / whole
        chosen = max(weights, key=lambda mode: self._due[mode] + 0.6 * rng.random())
        self._due[chosen] -= 1
        return chosen


# How often a conversation in which something is written shows no confirmation, by the quarter that its score lies in.
_UNASKED_SHARE = (1.0, 0.95, 0.85, 0.45)


def _beside(weights: Mapping[str, float], slips: Sequence[str], exact: frozenset[str]) -> dict[str, float]:
    """What may still come beside these failures: what takes a question needs one."""
    unasked = bool(set(slips) & set(UNASKED))
    barred = {*slips, *exact, *(UNASKED if slips else ())}
    if unasked:
        barred |= {"over-confirms", "confirms-something-else", "claim-before-lookup"}
    return {mode: weight for mode, weight in weights.items() if mode not in barred}
