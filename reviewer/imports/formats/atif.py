"""ATIF trajectories: `{schema_version: "ATIF-v1.x", agent, steps}`, one document a conversation.

What subagents did that a document embeds is told where they were sent for, as messages of role `other` under their
name: the customer sees none of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from reviewer.imports.formats import behind_headers, each
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    Answer,
    call_id,
    call_of,
    content_of,
    cost_of,
    filled,
    first_of,
    listed,
    mapping,
    rest_of,
    text_of,
    text_or_none,
    thought_of,
    time_of,
    tokens_of,
    usage_of,
)
from reviewer.imports.source import Extract, Item, Source
from reviewer.transcripts.model import Conversation, Message, Run, ToolCall

NAME = "atif"
TITLE = "ATIF trajectories (Harbor)"

_READ = {
    *("schema_version", "session_id", "trajectory_id", "agent", "steps", "final_metrics", "continued_trajectory_ref"),
    "subagent_trajectories",
}
_CALL = frozenset(("tool_call_id", "function_name", "arguments"))
_AGENT = ("name", "version", "model_name", "tool_definitions")
_STEP = {
    *("step_id", "source", "message", "reasoning_content", "tool_calls", "observation", "timestamp", "metrics"),
    *("model_name", "llm_call_count"),
}
_BULKY = ("prompt_token_ids", "completion_token_ids", "logprobs", "prompt_tokens", "completion_tokens")


def mine(source: Source) -> bool:
    """True if the record names the schema, or has an agent and steps."""
    return any(_is_record(record) for record in source.leading)


def _is_record(value: Any) -> bool:
    record = mapping(value)
    if str(record.get("schema_version") or "").startswith("ATIF"):
        return True
    return isinstance(record.get("agent"), Mapping) and _has_sources(record.get("steps"))


def read(source: Source) -> Iterator[Item]:
    """The file's conversations."""
    for position, record in behind_headers(source, _is_record):
        yield from each(position, record, partial(_extract, position))


def _has_sources(steps: Any) -> bool:
    return isinstance(steps, list) and any(isinstance(step, Mapping) and "source" in step for step in steps[:3])


def _extract(position: str, record: Mapping[str, Any]) -> Extract:
    steps, agent = record["steps"], mapping(record.get("agent"))
    if not isinstance(steps, list):
        raise TypeError("its steps are not a list")
    messages = chat.tied(_told(record))
    named = [step.get("model_name") for step in steps if isinstance(step, Mapping) and step.get("model_name")]
    harness = " ".join(part for part in (text_of(agent.get("name")), text_of(agent.get("version"))) if part)
    times = [message.at for message in messages if message.at]
    totals = {key: value for key, value in mapping(record.get("final_metrics")).items() if value is not None}
    return Extract(
        position,
        Conversation(
            text_of(agent.get("model_name")) or text_of(next(iter(named), "")),
            messages,
            id=text_or_none(first_of(record, "trajectory_id", "session_id")),
            started=times[0] if times else None,
            ended=times[-1] if times else None,
            meta=filled(totals, agent=agent.get("name"), continued_in=record.get("continued_trajectory_ref")),
            extra=filled(rest_of(record, _READ), agent=rest_of(agent, _AGENT)),
            usage=usage_of({**mapping(totals.get("extra")), **totals}),
        ),
        run=Run("", None, harness=harness or None, tools=_tools(agent)),
    )


def _tools(agent: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    return tuple(tool for tool in listed(agent.get("tool_definitions")) if isinstance(tool, dict) and tool)


def _told(record: Mapping[str, Any]) -> Iterator[Message | Answer]:
    """The steps in order, what a subagent did behind the step that sent for it, others' at the end."""
    children = [mapping(child) for child in listed(record.get("subagent_trajectories"))]
    for step in map(mapping, listed(record["steps"])):
        yield from _step(step)
        sent = {id for result in _results(step) for id in _sent_for(result)}
        for child in [child for child in children if sent & _ids(child)]:
            children.remove(child)
            yield from _delegated(child)
    for child in children:
        yield from _delegated(child)


def _delegated(child: Mapping[str, Any]) -> Iterator[Message]:
    """The messages of a subagent, with results tied to its calls."""
    agent = mapping(child.get("agent"))
    name = text_or_none(agent.get("name")) or "subagent"
    for index, message in enumerate(chat.tied(_told(child))):
        model = filled(model=agent.get("model_name")) if index == 0 else None
        extra = {**(model or {}), **(message.extra or {})} or None
        yield replace(message, role="other", name=message.name or name, extra=extra)


def _results(step: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [mapping(result) for result in listed(mapping(step.get("observation")).get("results"))]


def _sent_for(result: Mapping[str, Any]) -> Iterator[str]:
    """The trajectories that a result refers to; up to version 1.6 by their session."""
    for ref in listed(result.get("subagent_trajectory_ref")):
        name = first_of(mapping(ref), "trajectory_id", "session_id")
        if name is not None:
            yield str(name)


def _ids(child: Mapping[str, Any]) -> set[str]:
    return {str(child[key]) for key in ("trajectory_id", "session_id") if child.get(key) is not None}


def _step(step: Mapping[str, Any]) -> Iterator[Message | Answer]:
    source = text_of(step.get("source"))
    content = content_of(step.get("message"))
    metrics = mapping(step.get("metrics"))
    told = ("prompt_tokens", "completion_tokens", "cached_tokens")  # all told here; what else there is, beside them
    tokens = tokens_of({**mapping(metrics.get("extra")), **{key: metrics.get(key) for key in told}})
    costs = {key: value for key, value in metrics.items() if key not in _BULKY}
    extra = {**(chat.left_over(step, frozenset(_STEP)) or {}), **(filled(costs, **content.beside) or {})}
    yield Message(
        chat.ROLES.get(source, "other"),
        content.text,
        chat.thoughts(thought_of(step.get("reasoning_content")), content.reasoning),
        tuple(_call(call) for call in map(mapping, listed(step.get("tool_calls")))),
        source,
        at=time_of(step.get("timestamp")),
        tokens_in=tokens[0],
        tokens_out=tokens[1],
        tokens_reasoning=tokens[2],
        tokens_cached=tokens[3],
        cost=cost_of(metrics.get("cost_usd")),
        extra=extra or None,
    )
    for result in _results(step):
        rest = chat.left_over(result, frozenset(("content", "source_call_id")))
        yield Answer(text_of(result.get("content")), call_id(result), extra=rest, by="agent")


def _call(told: Mapping[str, Any]) -> ToolCall:
    return replace(call_of(told), extra=chat.left_over(told, _CALL))
