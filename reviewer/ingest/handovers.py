"""Agents that take over from each other within one trace, told as the one conversation that the customer had. Pure.

Each agent's calls repeat the history under its own instructions. Given the first one's instead, the history is known
again; the instructions that differ come back as messages where they were first used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reviewer.ingest.content import text_of
from reviewer.ingest.prompts import Said
from reviewer.ingest.traces import Span
from reviewer.model import Message


def levelled(spans: Sequence[Span]) -> list[Message]:
    """Give the calls that face the customer the first one's instructions; the others' are returned, by time."""
    by_id = {span.id: span for span in spans}
    facing = [span for span in spans if span.kind == "llm" and span.speaks and not _delegated(span, by_id)]
    first: str | None = None
    changed: dict[str, Message] = {}
    for span in facing:
        orders = "\n".join(_orders(span.asked))
        first = orders if first is None else first
        if orders and orders != first:
            if orders not in changed:
                name = agent_of(span, by_id)
                changed[orders] = Message("system", orders, source_role="system", name=name, at=span.start or None)
            rest = [each for each in span.asked if each.get("role") != "system"]
            span.asked = [{"role": "system", "content": first}, *rest] if first else rest
    return list(changed.values())


def restored(messages: Sequence[Message], orders: Sequence[Message], spans: Sequence[Span]) -> tuple[Message, ...]:
    """The messages with each later agent's instructions before its first words, and the agents' names."""
    by_id = {span.id: span for span in spans}
    names = {span.end: agent_of(span, by_id) for span in spans if span.kind == "llm" and span.end}
    waiting = list(orders) if len(set(names.values())) > 1 or orders else []
    if not waiting:
        return tuple(messages)
    made: list[Message] = []
    for message in messages:
        while waiting and message.at is not None and (waiting[0].at or "") <= message.at:
            made.append(waiting.pop(0))
        name = names.get(message.at or "") if message.role == "agent" and message.name is None else None
        made.append(replace(message, name=name) if name else message)
    return (*made, *waiting)


def agent_of(span: Span, by_id: Mapping[str, Span]) -> str | None:
    """The agent in whose span a call stands."""
    return next((each.agent for each in _above(span, by_id) if each.agent), None)


def _delegated(span: Span, by_id: Mapping[str, Span]) -> bool:
    return any(each.tool is not None for each in _above(span, by_id))


def _above(span: Span, by_id: Mapping[str, Span]) -> Iterator[Span]:
    seen = {span.id}
    while span.parent and span.parent in by_id and span.parent not in seen:
        seen.add(span.parent)
        span = by_id[span.parent]
        yield span


def _orders(asked: Sequence[Said]) -> Iterator[str]:
    return (text_of(each.get("content")) for each in asked if each.get("role") == "system")
