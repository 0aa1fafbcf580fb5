"""What a conversation used and what its source told: the figures that a store keeps beside each conversation. Pure."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter

from reviewer.transcripts.model import Conversation, Usage

FIELDS = tuple(each.name for each in fields(Usage))
values_of = attrgetter(*FIELDS)
_NOTHING: tuple[float | None, ...] = (None,) * len(FIELDS)
TOLD = (
    *("conversations", "tokens", "message_tokens", "reasoning", "cached", "cost", "times", "call_times"),
    *("scores", "notes"),
)
"""What `info` counts of each source: conversations that have it, and how many scores and notes there are."""


def usage_of(item: Conversation) -> tuple[float | None, ...]:
    """Return a conversation's usage, in the order of `Usage`: as stated, else summed over the agent's messages."""
    sums: tuple[float | None, ...] = _NOTHING
    for message in item.messages:
        if message.role != "customer" and (used := values_of(message)) != _NOTHING:
            sums = tuple([b if a is None else a if b is None else a + b for a, b in zip(sums, used, strict=True)])
    stated = values_of(item.usage) if item.usage is not None else _NOTHING
    if sums == stated == _NOTHING:
        return _NOTHING
    return tuple([_fitting(b if a is None else a) for a, b in zip(stated, sums, strict=True)])


def told_by(item: Conversation, usage: tuple[float | None, ...]) -> dict[str, int]:
    """Count what a conversation's source gave: tokens, cost, times, scores; only what it did give."""
    told = {"conversations": 1}
    messages = item.messages
    if usage != _NOTHING:
        tokens_in, tokens_out, reasoning, cached, cost = (value is not None for value in usage)
        named = {"tokens": tokens_in or tokens_out, "reasoning": reasoning, "cached": cached, "cost": cost}
        told |= {name: 1 for name, is_told in named.items() if is_told}
    for message in messages:
        if message.tokens_out is not None or message.tokens_in is not None:
            told["message_tokens"] = 1
        if message.at is not None:
            told["times"] = 1
        for call in message.calls:
            if call.at is not None:
                told["call_times"] = 1
    if item.scores:
        told |= {"scores": len(item.scores), "notes": sum(score.note is not None for score in item.scores)}
    return told


def _fitting(value: int | float | None) -> int | float | None:
    """The sum, kept within what a column can hold."""
    return max(-(2**63), min(value, 2**63 - 1)) if isinstance(value, int) else value
