"""What the events of an Inspect sample say besides its messages: usage, times, retries, the tools offered. Pure.

Events repeat every message of the sample; nothing of that is kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reviewer.imports.messages.content import (
    Tokens,
    cost_of,
    filled,
    listed,
    mapping,
    number_of,
    text_of,
    time_of,
    tokens_of,
)
from reviewer.imports.source import compact
from reviewer.transcripts.model import Json, Message, ToolCall, Usage

_USUAL = ("stop", "tool_calls", None)
"""Why a model stopped, where nobody needs to hear it."""


@dataclass(frozen=True, slots=True)
class CallUsage:
    """The usage of one model call, and if a scorer made it."""

    model: str
    scoring: bool
    usage: Mapping[str, Any]


@dataclass
class Events:
    """The events of one sample, by the messages and calls that they are about."""

    tools: dict[str, Json] = field(default_factory=dict)
    """The tools offered to the agent, by name."""
    outputs: dict[str, deque[Mapping[str, Any]]] = field(default_factory=dict)
    calls: dict[str, deque[Mapping[str, Any]]] = field(default_factory=dict)
    spent: list[CallUsage] = field(default_factory=list)
    """What calls of models used that were made in no role."""
    role_models: dict[str, str] = field(default_factory=dict)
    """Who answered in a role: a role that nobody was named for is played by the model itself."""

    def message(self, it: Message, key: str) -> Message:
        """The agent's message with what its call of the model used and when it was made; its calls with theirs."""
        calls = tuple(map(self._call, it.calls)) if it.calls else ()
        event = _next(self.outputs, key)
        if event is None:
            return replace(it, calls=calls) if calls else it
        output = mapping(event.get("output"))
        usage = mapping(output.get("usage"))
        tokens = tokens_in(usage)
        more = filled(
            started=time_of(event.get("timestamp")) if event.get("completed") else None,
            retries=number_of(event.get("retries")),
            cache=event.get("cache"),
            stop_reason=None if (stop := _stop_reason(output)) in _USUAL else stop,
        )
        return replace(
            it,
            calls=calls,
            at=it.at or time_of(event.get("completed") or event.get("timestamp")),
            tokens_in=tokens[0],
            tokens_out=tokens[1],
            tokens_reasoning=tokens[2],
            tokens_cached=tokens[3],
            cost=cost_of(usage.get("total_cost")),
            extra={**(it.extra or {}), **more} if more else it.extra,
        )

    def _call(self, it: ToolCall) -> ToolCall:
        event = _next(self.calls, it.id or "")
        if event is None:
            return it
        more = filled(
            completed=time_of(event.get("completed")),
            failed=event.get("failed") or None,
            truncated=event.get("truncated"),
            agent=event.get("agent"),
        )
        return replace(it, at=time_of(event.get("timestamp")), extra={**(it.extra or {}), **more} if more else it.extra)


def read(events: Iterable[Any], restored: Callable[[Any], Any]) -> Events:
    """The events, gone through once; `restored` puts long texts back into what is looked at."""
    told = Events()
    scorers = _Scorers()
    for each in events:
        event = mapping(each)
        kind = event.get("event")
        scorers.pass_by(event)
        if kind == "model":
            _take_model(event, told, restored)
            if event.get("role"):
                told.role_models.setdefault(text_of(event["role"]), text_of(event.get("model")))
            elif event.get("cache") != "read":
                usage = mapping(mapping(event.get("output")).get("usage"))
                told.spent.append(CallUsage(text_of(event.get("model")), scorers.made(event), usage))
        elif kind == "tool":
            told.calls.setdefault(text_of(event.get("id")), deque()).append(_without(event, "events", "result"))
    return told


class _Scorers:
    """Knows which events are a scorer's: by the spans that newer logs have, or the steps of older ones."""

    def __init__(self) -> None:
        self._spans: set[str] = set()
        self._steps = 0

    def pass_by(self, event: Mapping[str, Any]) -> None:
        """Note what begins and ends."""
        scores = event.get("type") in ("scorer", "scorers")
        if event.get("event") == "span_begin" and (scores or text_of(event.get("parent_id")) in self._spans):
            self._spans.add(text_of(event.get("id")))
        elif event.get("event") == "step" and scores:
            self._steps += 1 if event.get("action") == "begin" else -1

    def made(self, event: Mapping[str, Any]) -> bool:
        """True if a scorer made this call."""
        return self._steps > 0 or text_of(event.get("span_id")) in self._spans


def _take_model(event: Mapping[str, Any], told: Events, restored: Callable[[Any], Any]) -> None:
    for tool in listed(event.get("tools")) if not event.get("role") else []:
        name = text_of(mapping(tool).get("name"))
        if name and name not in told.tools:
            told.tools[name] = restored(tool)
    output = mapping(event.get("output"))
    choices = listed(output.get("choices"))
    if choices:
        said = mapping(mapping(choices[0]).get("message"))
        key = key_of(said) if said.get("id") else key_of(restored(said))
        told.outputs.setdefault(key, deque()).append(_without(event, "input", "call", "tools"))


def key_of(message: Mapping[str, Any]) -> str:
    """The key of a message within its sample: its id, in older logs its content."""
    stated = message.get("id")
    return str(stated) if stated else compact([message.get("content"), message.get("tool_calls")])


def _next(held: Mapping[str, deque[Mapping[str, Any]]], key: str) -> Mapping[str, Any] | None:
    waiting = held.get(key)
    return waiting.popleft() if waiting else None


def _without(event: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    return {name: value for name, value in event.items() if name not in names}


def _stop_reason(output: Mapping[str, Any]) -> str | None:
    stated = mapping(next(iter(listed(output.get("choices"))), None)).get("stop_reason")
    return text_of(stated) if stated else None


def tokens_in(usage: Mapping[str, Any]) -> Tokens:
    """Tokens in, out, on reasoning and cached; older logs counted cached ones among the input already."""
    tokens = tokens_of(usage)
    read, written = number_of(usage.get("input_tokens")), number_of(usage.get("output_tokens"))
    total = number_of(usage.get("total_tokens"))
    whole = total is not None and read is not None and written is not None and total == read + written
    return (read, *tokens[1:]) if whole else tokens


def usage_of(sample: Mapping[str, Any], model: str, roles: Mapping[str, Any], events: Events) -> Usage | None:
    """The usage of the agent: that of its model, without what that model did in other roles and for scorers.

    Inspect's totals hold the scorers too. Its events tell them apart, but a log that was scored again has events that
    no total counts, and some logs have not all events: the events are believed when they explain the whole total.
    """
    by_model = {name: mapping(usage) for name, usage in mapping(sample.get("model_usage")).items()}
    same = model in by_model
    in_roles = [
        mapping(usage)
        for role, usage in mapping(sample.get("role_usage")).items()
        if not same or (mapping(roles.get(role)).get("model") or events.role_models.get(role)) == model
    ]
    total = _sum([by_model[model]] if same else list(by_model.values()), in_roles)
    spent = [each for each in events.spent if not same or each.model == model]
    own, explained = _sum([each.usage for each in spent if not each.scoring]), _sum([each.usage for each in spent])
    if total is None or own is None or explained is None or _size(explained) < _size(total):
        return total
    return own


def _size(usage: Usage) -> int:
    return (usage.tokens_in or 0) + (usage.tokens_out or 0)


def _sum(used: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]] = ()) -> Usage | None:
    """Add up the first usages and subtract the others; None where nothing was recorded."""
    used, other = [each for each in used if each], [each for each in other if each]
    if not used:
        return None
    plus, minus = [tokens_in(each) for each in used], [tokens_in(each) for each in other]
    read, written, thought, cached = (
        _less([tokens[k] for tokens in plus], [tokens[k] for tokens in minus]) for k in range(4)
    )
    costs = [cost_of(each.get("total_cost")) for each in used]
    cost = sum(it or 0.0 for it in costs) - sum(cost_of(each.get("total_cost")) or 0.0 for each in other)
    told = any(it is not None for it in costs)
    return Usage(read, written, thought, cached, round(cost, 12) if told else None)


def _less(used: list[int | None], other: list[int | None]) -> int | None:
    """The sum of the ones without that of the others; nothing where nothing was told."""
    if all(it is None for it in used):
        return None
    return max(0, sum(it or 0 for it in used) - sum(it or 0 for it in other))
