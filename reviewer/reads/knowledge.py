"""What was knowable at a point of a conversation: what the agent had been told, and what its calls had returned.

Owns the fields of every result with their places, and the lengths of time that a policy names. What customers say is no
source. Worked out when it is first asked for, and kept. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import inf

from reviewer.reads.dates import Day, Length, days, lengths
from reviewer.reads.steps import AgentCall
from reviewer.reads.typed_values import ResultField, result_fields

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
    def policy_days(self) -> tuple[Day, ...]:
        """The days that the agent was told, some at most."""
        return tuple(islice(days(self.policy), _MOST_LENGTHS))

    @cached_property
    def _lengths(self) -> list[tuple[int, Length]]:
        """The lengths of time that were told or shown, each once, with the message from which on it was known."""
        known: dict[tuple[int, int, str], tuple[int, Length]] = {}
        results = ((each.message, each.call.result) for each in self.calls if each.call.result)
        for message, text in ((0, self.policy), *results):
            for length in lengths(text):
                known.setdefault((length.low, length.high, length.unit), (message, length))
            if len(known) >= _MOST_LENGTHS:
                break
        return list(known.values())

    def allows(self, length: Length, message: int) -> bool:
        """True if a policy, a prompt or a result so far names a time that holds this one; or names too many to tell."""
        known = self._lengths
        return len(known) >= _MOST_LENGTHS or any(at <= message and length.within(each) for at, each in known)
