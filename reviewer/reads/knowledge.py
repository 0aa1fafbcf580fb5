"""What was knowable at a point of a conversation: what the agent had been told, and what its calls had returned.

Owns the fields of every result with their places, and the lengths of time that a policy names. What customers say is no
source. Worked out when it is first asked for, and kept. Pure.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from math import inf

from reviewer.reads.dates import Day, Length, days, lengths
from reviewer.reads.parcels import ParcelStates
from reviewer.reads.steps import AgentCall
from reviewer.reads.typed_values import Kind, ResultField, amount, facts, result_fields
from reviewer.text.sentences import sentences

_HELD: tuple[Kind, ...] = ("url", "tracking number")
_CARRIER_FIELDS = ("carrier", "courier", "shipping_carrier")
_FEW = 2
_LONGEST_SUM = 12
_SUM = re.compile(r"\d{1,9}(?:\.\d{1,2})?")
_TEXTS = 16
_MOST_LENGTHS = 500
"""Lengths of time from which on nobody can say that one was not told."""


@dataclass
class Knowledge:
    """Results and rules, as far as they had come when a message was written."""

    calls: tuple[AgentCall, ...]
    policy: str
    """System messages, the desk's policy, the case's context; empty if nothing is known."""

    @cached_property
    def fields(self) -> tuple[tuple[AgentCall, tuple[ResultField, ...]], ...]:
        """The fields of every result, with the call that it came from; in the order of calls."""
        return tuple((each, tuple(result_fields(each.call.result))) for each in self.calls if each.call.result)

    @cached_property
    def _first(self) -> dict[str, float]:
        return {}

    def in_results(self, words: str, before: int) -> bool:
        """True if a result that had come back by a message holds these words, in small letters."""
        if words not in self._first:
            texts = ((each.message, each.call.result) for each in self.calls if each.call.result)
            self._first[words] = next((message for message, text in texts if words in text.lower()), inf)
        return self._first[words] <= before

    @cached_property
    def _shown_first(self) -> dict[tuple[str, str], float]:
        return {}

    def shows(self, name: re.Pattern[str], message: int, value: re.Pattern[str] | None = None) -> bool:
        """True if a result so far has a field of such a name that holds something, or holds such a value."""
        key = name.pattern, value.pattern if value is not None else ""
        if key not in self._shown_first:
            named = (
                each.message
                for each, fields in self.fields
                if any(name.search(one.name) and (value is None or value.fullmatch(one.value)) for one in fields)
            )
            self._shown_first[key] = next(named, inf)
        return self._shown_first[key] <= message

    @cached_property
    def policy_days(self) -> tuple[Day, ...]:
        """The days that the agent was told, some at most."""
        return _days_in(self.policy)

    @cached_property
    def _lengths(self) -> list[tuple[int, Length]]:
        """The lengths of time that were told or shown, each once, with the message from which on it was known."""
        known: dict[tuple[int, int, str], tuple[int, Length]] = {}
        results = ((each.message, lengths(each.call.result)) for each in self.calls if each.call.result)
        for message, told in ((0, iter(_lengths_in(self.policy))), *results):
            for length in told:
                known.setdefault((length.low, length.high, length.unit), (message, length))
            if len(known) >= _MOST_LENGTHS:
                break
        return list(known.values())

    def allows(self, length: Length, message: int, about: re.Pattern[str] | None = None) -> bool:
        """True if a policy, a prompt or a result so far names a time that holds this one; or names too many to tell.

        `about` are words of which one must stand in the sentence of the policy or prompt that names it.
        """
        known = self._lengths
        if len(known) >= _MOST_LENGTHS:
            return True
        if about is not None:
            shown = ((at, each) for at, each in known if at > 0)
            return any(at <= message and length.within(each) for at, each in shown) or any(
                length.within(each) for each in _lengths_about(self.policy, about)
            )
        return any(at <= message and length.within(each) for at, each in known)

    @cached_property
    def _values(self) -> dict[str, AgentCall | None]:
        """Links and numbers that results hold (with the call they first came from) or that were told (without one)."""
        held: dict[str, AgentCall | None] = dict.fromkeys(_values_in(self.policy))
        for each in self.calls:
            for fact in facts(each.call.result or "", *_HELD):
                held.setdefault(fact.value, each)
        return held

    def holds(self, value: str, message: int) -> bool:
        """True if a prompt, or a result that had come back by a message, holds this link or number."""
        if value not in self._values:
            return False
        source = self._values[value]
        return source is None or source.message <= message

    def source_of(self, value: str, message: int) -> AgentCall | None:
        """The call that first returned this link or number, by a message."""
        source = self._values.get(value)
        return source if source is not None and source.message <= message else None

    def last_result(self, message: int) -> AgentCall | None:
        """The last call that had come back with something by a message."""
        index = bisect_right(self._returned, message, key=_message)
        return self._returned[index - 1] if index else None

    @cached_property
    def _returned(self) -> list[AgentCall]:
        return [each for each in self.calls if each.call.result]

    @cached_property
    def _sums(self) -> dict[str, int]:
        """The sums of money that were told or shown, with the message from which on they were."""
        sums = dict.fromkeys((fact.value for fact in facts(self.policy, "money")), 0)
        for called, fields in self.fields:
            for one in fields:
                if len(one.value) <= _LONGEST_SUM and _SUM.fullmatch(one.value):
                    sums.setdefault(amount(one.value), called.message)
        return sums

    def names_sum(self, value: str, message: int) -> bool:
        """True if a policy, a prompt or a result so far names this sum of money."""
        return self._sums.get(value, message + 1) <= message

    @cached_property
    def _carriers(self) -> dict[str, tuple[AgentCall, ResultField]]:
        """The first carriers that results name, each with where it first stood: two are enough to tell nothing."""
        shown: dict[str, tuple[AgentCall, ResultField]] = {}
        for called, fields in self.fields:
            for one in fields:
                if one.name in _CARRIER_FIELDS and one.value and len(shown) <= _FEW:
                    shown.setdefault(one.value.lower(), (called, one))
        return shown

    def carriers(self, message: int) -> dict[str, tuple[AgentCall, ResultField]]:
        """The carriers that results so far name, with where they stand; not all where there are many."""
        return {value: place for value, place in self._carriers.items() if place[0].message <= message}

    @cached_property
    def parcels(self) -> ParcelStates:
        """What results show of orders and parcels."""
        shown = ParcelStates()
        for called, fields in self.fields:
            for one in fields:
                shown.take(called, called.order, one)
        return shown

    @cached_property
    def _variants(self) -> dict[str, dict[tuple[str, str], tuple[AgentCall, ResultField]]]:
        shown: dict[str, dict[tuple[str, str], tuple[AgentCall, ResultField]]] = {}
        for called, fields in self.fields:
            lines = shown.setdefault(called.order, {})
            for one in fields:
                if "variant" in one.name:
                    lines.setdefault((one.name, one.value), (called, one))
        return shown

    def variants(self, order: str, message: int) -> dict[tuple[str, str], tuple[AgentCall, ResultField]]:
        """The variants on the lines of an order before a message, by name and value, with where they first stood."""
        lines = self._variants.get(order, {}) if order else {}
        return {key: place for key, place in lines.items() if place[0].message < message}


@lru_cache(maxsize=_TEXTS)
def _days_in(text: str) -> tuple[Day, ...]:
    """The days that a policy names; kept, because every conversation of a desk is told the same."""
    return tuple(islice(days(text), _MOST_LENGTHS))


@lru_cache(maxsize=_TEXTS)
def _lengths_in(text: str) -> tuple[Length, ...]:
    return tuple(islice(lengths(text), _MOST_LENGTHS))


@lru_cache(maxsize=_TEXTS)
def _lengths_about(text: str, about: re.Pattern[str]) -> tuple[Length, ...]:
    """The lengths of time in the sentences of a policy that hold one of these words."""
    own = (span for span in sentences(text) if about.search(text, *span))
    return tuple(islice((length for span in own for length in lengths(text, *span)), _MOST_LENGTHS))


@lru_cache(maxsize=_TEXTS)
def _values_in(text: str) -> tuple[str, ...]:
    return tuple(fact.value for fact in facts(text, *_HELD))


def _message(called: AgentCall) -> int:
    return called.message
