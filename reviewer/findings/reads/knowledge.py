"""What was knowable at a point of a conversation: what the agent had been told, cited, and got back from its calls.

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
from operator import itemgetter

from reviewer.basics.sentences import sentences
from reviewer.findings.reads.dates import Day, Length, days, lengths
from reviewer.findings.reads.parcels import ParcelStates
from reviewer.findings.reads.steps import AgentCall
from reviewer.findings.reads.typed_values import Kind, ResultField, amount, facts, result_fields

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
    cited: tuple[tuple[int, str], ...] = ()
    """What messages cite, with the number of the message: it is known from there on."""

    @cached_property
    def _texts(self) -> list[tuple[int, str]]:
        """The results and the cited passages, each with the message from which on it was known."""
        return [*((each.message, each.call.result) for each in self.calls if each.call.result), *self.cited]

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

    def told_by(self, message: int) -> str:
        """All that the agent was told, and what it had cited by a message."""
        return "\n".join((self.policy, *(text for at, text in self.cited if at <= message)))

    def cites(self, words: str, message: int) -> bool:
        """True if a citation by a message holds these words, in small letters."""
        return any(at <= message and words in text.lower() for at, text in self.cited)

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

    def days_told(self, message: int) -> tuple[Day, ...]:
        """The days that the agent was told, or that it had cited by a message; some at most."""
        return (*_days_in(self.policy), *(day for at, each in self._cited_days if at <= message for day in each))

    @cached_property
    def _cited_days(self) -> list[tuple[int, tuple[Day, ...]]]:
        return [(at, _days_in(text)) for at, text in self.cited]

    @cached_property
    def _lengths(self) -> list[tuple[int, Length]]:
        """The lengths of time that were told or shown, each once, with the message from which on it was known."""
        known: dict[tuple[int, int, str], tuple[int, Length]] = {}
        shown = sorted(self._texts, key=itemgetter(0)) if self.cited else self._texts
        for message, told in ((0, iter(_lengths_in(self.policy))), *((at, lengths(text)) for at, text in shown)):
            for length in told:
                known.setdefault((length.low, length.high, length.unit), (message, length))
            if len(known) >= _MOST_LENGTHS:
                break
        return list(known.values())

    def allows(self, length: Length, message: int, about: re.Pattern[str] | None = None) -> bool:
        """True if a policy, a prompt, a result or a citation so far names a time that holds this one; or too many do.

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

    @cached_property
    def _cited_values(self) -> dict[str, int]:
        """Links and numbers that citations hold, with the message that cites them first."""
        held: dict[str, int] = {}
        for message, text in self.cited:
            for value in _values_in(text):
                held.setdefault(value, message)
        return held

    def holds(self, value: str, message: int) -> bool:
        """True if a prompt, or a result or a citation that had come by a message, holds this link or number."""
        if self._cited_values.get(value, inf) <= message:
            return True
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
        for message, text in self.cited:
            for fact in facts(text, "money"):
                sums[fact.value] = min(message, sums.get(fact.value, message))
        return sums

    def names_sum(self, value: str, message: int) -> bool:
        """True if a policy, a prompt, a result or a citation so far names this sum of money."""
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
