"""Agents that take over from each other within one trace, told as the one conversation that the customer had. Pure.

Each agent's calls repeat the history under its own instructions. Given the first one's instead, the history is known
again; the instructions that differ come back as messages where they were first used. A call whose history begins with
other words, and which does not ask what its trace was asked, was made beside the conversation: who asks there is no
customer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reviewer.imports.messages import traces
from reviewer.imports.messages.content import text_of
from reviewer.imports.messages.prompts import Said
from reviewer.imports.messages.trace_tree import SpanTree, TraceSpan
from reviewer.transcripts.model import Conversation, Message


@dataclass(frozen=True, slots=True)
class CallChanges:
    """The changes made to the calls of a conversation."""

    orders: list[Message]
    """The instructions that were taken out, by time."""
    beside: Mapping[str, str | None]
    """When the calls that were made beside the conversation began, and whose they are."""


def conversation(spans: Sequence[TraceSpan]) -> Conversation | None:
    """The conversation that the spans of one group tell, in order of time; None when no span holds a message."""
    taken = _levelled(spans)
    made = traces.conversation(spans)
    return replace(made, messages=_restored(made.messages, taken, spans)) if made is not None else None


def _levelled(spans: Sequence[TraceSpan]) -> CallChanges:
    """Give the calls that face the customer, in order of time, the first one's instructions."""
    tree = SpanTree(spans)
    facing = [span for span in spans if span.kind == "llm" and span.speaks and tree.cause(span) is None]
    spoken = _spoken(spans, facing, tree)
    first, opening = (_orders(facing[0].asked), _opening(facing[0].asked)) if facing else ("", None)
    changed: dict[str, Message] = {}
    beside: dict[str, str | None] = {}
    for span in facing[1:]:
        orders = _orders(span.asked)
        if not orders or orders == first:
            continue
        name = tree.named_agent_of(span)
        asks = spoken.get(span.trace) or None
        if _opening(span.asked) != opening and (asks is None or asks not in _last(span.asked)):
            beside[span.start] = name
            continue
        changed.setdefault(orders, Message("system", orders, source_role="system", name=name, at=span.start or None))
        rest = [each for each in span.asked if each.get("role") != "system"]
        span.asked = [{"role": "system", "content": first}, *rest] if first else rest
    return CallChanges(list(changed.values()), beside)


def _restored(messages: Sequence[Message], taken: CallChanges, spans: Sequence[TraceSpan]) -> tuple[Message, ...]:
    """The messages with each later agent's instructions before its first words, and the agents' names."""
    tree = SpanTree(spans)
    names = {span.end: tree.named_agent_of(span) for span in spans if span.kind == "llm" and span.end}
    if not taken.orders and not taken.beside and len(set(names.values())) < 2:
        return tuple(messages)
    made: list[Message] = []
    waiting = list(reversed(taken.orders))
    for message in messages:
        while waiting and message.at is not None and (waiting[-1].at or "") <= message.at:
            made.append(waiting.pop())
        name = names.get(message.at or "") if message.role == "agent" and message.name is None else None
        if message.role == "customer" and message.at in taken.beside:
            message = replace(message, role="other", name=message.name or taken.beside[message.at or ""])
        made.append(replace(message, name=name) if name else message)
    return (*made, *reversed(waiting))


def _spoken(spans: Sequence[TraceSpan], facing: Sequence[TraceSpan], tree: SpanTree) -> dict[str, str]:
    """The question put to each trace: from the span around it, else from its first call."""
    questions: dict[str, str] = {}
    wrapping = (span for span in spans if span.kind in ("agent", "") and span.asked and tree.is_outermost(span))
    for span in (*wrapping, *facing):
        questions.setdefault(span.trace, _last(span.asked))
    return questions


def _opening(asked: Sequence[Said]) -> tuple[str, str] | None:
    """The first words of a history."""
    first = next((each for each in asked if each.get("role") != "system"), None)
    return None if first is None else (text_of(first.get("role")), text_of(first.get("content")))


def _last(asked: Sequence[Said]) -> str:
    """The last words of a customer in a history."""
    return next((text_of(each.get("content")) for each in reversed(asked) if each.get("role") == "user"), "")


def _orders(asked: Sequence[Said]) -> str:
    return "\n".join(text_of(each.get("content")) for each in asked if each.get("role") == "system")
