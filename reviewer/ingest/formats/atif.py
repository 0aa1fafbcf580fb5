"""ATIF trajectories: `{schema_version: "ATIF-v1.x", agent, steps}`, one document a conversation.

Trajectories of subagents that a document embeds are kept in `extra`, not imported beside it: their words already came
back to the parent as a result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from reviewer.ingest import chat
from reviewer.ingest.content import (
    Answer,
    call_id,
    call_of,
    content_of,
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    rest_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.ingest.formats import each
from reviewer.ingest.source import Found, Item, Source
from reviewer.model import Conversation, Message, Run

NAME = "atif"
TITLE = "ATIF trajectories (Harbor)"

_READ = {"schema_version", "session_id", "trajectory_id", "agent", "steps", "final_metrics", "continued_trajectory_ref"}
_STEP = {
    *("step_id", "source", "message", "reasoning_content", "tool_calls", "observation", "timestamp", "metrics"),
    *("model_name", "llm_call_count"),
}
_BULKY = ("prompt_token_ids", "completion_token_ids", "logprobs")


def mine(source: Source) -> bool:
    """The record names the schema, or has an agent and steps."""
    record = source.record
    if str(record.get("schema_version") or "").startswith("ATIF"):
        return True
    return isinstance(record.get("agent"), Mapping) and _has_sources(record.get("steps"))


def read(source: Source) -> Iterator[Item]:
    """Its conversations."""
    for position, record in source.records():
        yield from each(position, record, partial(_found, position))


def _has_sources(steps: Any) -> bool:
    return isinstance(steps, list) and any(isinstance(step, Mapping) and "source" in step for step in steps[:3])


def _found(position: str, record: Mapping[str, Any]) -> Found:
    steps, agent = record["steps"], mapping(record.get("agent"))
    if not isinstance(steps, list):
        raise TypeError("its steps are no list")
    messages = chat.tied(each for step in steps for each in _step(mapping(step)))
    named = [step.get("model_name") for step in steps if isinstance(step, Mapping) and step.get("model_name")]
    harness = " ".join(part for part in (text_of(agent.get("name")), text_of(agent.get("version"))) if part)
    times = [message.at for message in messages if message.at]
    totals = {key: value for key, value in mapping(record.get("final_metrics")).items() if value is not None}
    return Found(
        position,
        Conversation(
            text_of(agent.get("model_name")) or text_of(next(iter(named), "")),
            messages,
            id=text_or_none(first_of(record, "trajectory_id", "session_id")),
            started=times[0] if times else None,
            ended=times[-1] if times else None,
            meta=filled(agent=agent.get("name"), continued_in=record.get("continued_trajectory_ref"), **totals),
            extra=rest_of(record, _READ),
        ),
        run=Run("", None, harness=harness or None),
    )


def _step(step: Mapping[str, Any]) -> Iterator[Message | Answer]:
    source = text_of(step.get("source"))
    found = content_of(step.get("message"))
    metrics = mapping(step.get("metrics"))
    costs = {key: value for key, value in metrics.items() if key not in _BULKY and not key.endswith("_tokens")}
    extra = {**(chat.left_over(step, frozenset(_STEP)) or {}), **(filled(**costs, blocks=found.other) or {})}
    yield Message(
        chat.ROLES.get(source, "other"),
        found.text,
        text_of(step.get("reasoning_content")) or found.reasoning,
        tuple(call_of(call) for call in listed(step.get("tool_calls")) if isinstance(call, Mapping)),
        source,
        at=time_of(step.get("timestamp")),
        tokens_in=number_of(metrics.get("prompt_tokens")),
        tokens_out=number_of(metrics.get("completion_tokens")),
        extra=extra or None,
    )
    for result in listed(mapping(step.get("observation")).get("results")):
        more = mapping(result)
        rest = chat.left_over(more, frozenset(("content", "source_call_id")))
        yield Answer(text_of(more.get("content")), call_id(more), extra=rest)
