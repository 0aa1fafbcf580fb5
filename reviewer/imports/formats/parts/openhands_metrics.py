"""What OpenHands counts of tokens and costs -> what a conversation and its answers used. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewer.imports.messages.content import Tokens, cost_of, listed, mapping, number_of, text_of, tokens_of
from reviewer.transcripts.model import Usage


def usage_of(metrics: list[Mapping[str, Any]]) -> Usage | None:
    """The sum of several usage counts; None if they count nothing."""
    costs = [cost_of(each.get("accumulated_cost")) for each in metrics]
    tokens = [mapping(each.get("accumulated_token_usage")) for each in metrics]
    names = ("prompt_tokens", "completion_tokens", "reasoning_tokens", "cache_read_tokens")
    sums = [_sum([number_of(each.get(name)) for each in tokens]) for name in names]
    cost = _sum(costs)
    read, written, thought, cached = (None if n is None else int(n) for n in sums)
    return Usage(read, written, thought, cached, cost) if cost or any(sums) else None


def _sum(numbers: list[float | None] | list[int | None]) -> float | None:
    stated = [n for n in numbers if n is not None]
    return sum(stated) if stated else None


def spent_of(metrics: Mapping[str, Any]) -> dict[str, Tokens]:
    """Tokens by the id of the answer that used them."""
    rows = [mapping(row) for row in listed(metrics.get("token_usages"))]
    return {
        text_of(row["response_id"]): (*tokens_of(row)[:2], number_of(row.get("reasoning_tokens")), _cached(row))
        for row in rows
        if row.get("response_id")
    }


def _cached(row: Mapping[str, Any]) -> int | None:
    return number_of(row.get("cache_read_tokens"))
