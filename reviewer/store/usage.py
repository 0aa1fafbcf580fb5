"""What a conversation used and what its source told: the figures that a store keeps beside each conversation. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import fields
from operator import attrgetter

from reviewer.model import Conversation, Message, Usage

FIELDS = tuple(each.name for each in fields(Usage))
values_of = attrgetter(*FIELDS)
TOLD = (
    *("conversations", "tokens", "message_tokens", "reasoning", "cached", "cost", "times", "call_times"),
    *("scores", "notes"),
)
"""What `info` counts of each source: conversations that have it, and how many scores and notes there are."""


def usage_of(item: Conversation) -> tuple[float | None, ...]:
    """What a conversation used, in the order of `Usage`: as its source says, else added up from the agent's side."""
    agents = [message for message in item.messages if message.role != "customer"]
    return tuple(
        value if value is not None else _sum(getattr(message, name) for message in agents)
        for name, value in zip(FIELDS, values_of(item.usage or Usage()), strict=True)
    )


def told_by(item: Conversation, usage: tuple[float | None, ...]) -> Counter[str]:
    """What the source of a conversation told of it."""
    used = dict(zip(FIELDS, usage, strict=True))
    return Counter(
        {
            "conversations": 1,
            "tokens": used["tokens_in"] is not None or used["tokens_out"] is not None,
            "message_tokens": any(_has_tokens(message) for message in item.messages),
            "reasoning": used["tokens_reasoning"] is not None,
            "cached": used["tokens_cached"] is not None,
            "cost": used["cost"] is not None,
            "times": any(message.at is not None for message in item.messages),
            "call_times": any(call.at is not None for message in item.messages for call in message.calls),
            "scores": len(item.scores),
            "notes": sum(score.note is not None for score in item.scores),
        }
    )


def _has_tokens(message: Message) -> bool:
    return message.tokens_in is not None or message.tokens_out is not None


def _sum(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    total = sum(known) if known else None
    return max(-(2**63), min(total, 2**63 - 1)) if isinstance(total, int) else total
