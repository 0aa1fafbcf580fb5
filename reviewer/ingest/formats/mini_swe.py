"""mini-swe-agent trajectories: `{info, messages, trajectory_format, instance_id}`, one document a conversation.

Version 1 writes its commands as fenced text and takes their output as the user's words; version 2 calls a tool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from reviewer.ingest import chat
from reviewer.ingest.content import (
    Answer,
    filled,
    first_of,
    listed,
    mapping,
    rest_of,
    text_of,
    text_or_none,
    time_of,
    tokens_of,
)
from reviewer.ingest.formats import each
from reviewer.ingest.source import Found, Item, Source
from reviewer.ingest.text_calls import recovered_shell
from reviewer.model import Case, Conversation, Message, Run

NAME = "mini-swe"
TITLE = "mini-swe-agent trajectories"

_ENDINGS = {"submitted": "agent-stop", "limitsexceeded": "turn-limit", "timeexceeded": "cut"}
_READ = {"info", "messages", "trajectory_format", "instance_id"}


def mine(source: Source) -> bool:
    """The record names the format, or has what mini-swe-agent says of its run."""
    record = source.record
    if str(record.get("trajectory_format") or "").startswith("mini-swe-agent"):
        return True
    info = mapping(record.get("info"))
    return isinstance(record.get("messages"), list) and "exit_status" in info and "model_stats" in info


def read(source: Source) -> Iterator[Item]:
    """Its conversations."""
    for position, record in source.records():
        yield from each(position, record, partial(_found, position, not source.is_lines))


def _found(position: str, alone: bool, record: Mapping[str, Any]) -> Found:
    info = mapping(record.get("info"))
    config = mapping(info.get("config"))
    model = text_of(mapping(config.get("model")).get("model_name"))
    messages = recovered_shell(chat.tied(made for item in listed(record["messages"]) for made in _message(item)))
    ending = text_of(info.get("exit_status"))
    case = text_or_none(record.get("instance_id"))
    stats = mapping(info.get("model_stats"))
    return Found(
        position,
        Conversation(
            model,
            messages,
            case=case,
            started=messages[0].at if messages else None,
            ended=messages[-1].at if messages else None,
            ended_by=_ENDINGS.get(ending.lower(), ending) or None,
            meta=filled(cost=first_of(stats, "instance_cost", "cost"), api_calls=stats.get("api_calls")),
            extra=filled(submission=info.get("submission"), **(rest_of(record, _READ) or {})),
            facts=Case(case) if case else None,
        ),
        alone=alone and case is not None,
        run=Run("", None, harness=f"mini-swe-agent {text_of(info.get('mini_version'))}".strip()),
    )


def _message(item: Any) -> Iterator[Message | Answer]:
    extra = mapping(mapping(item).get("extra"))
    response = mapping(extra.get("response"))
    choice = mapping(mapping(next(iter(listed(response.get("choices"))), None)).get("message"))
    for made in chat.read_item(item):
        if not isinstance(made, Message):
            yield made
            continue
        tokens = tokens_of(response.get("usage"))
        yield replace(
            made,
            reasoning=made.reasoning or text_of(first_of(choice, "reasoning_content", "reasoning")),
            at=made.at or time_of(first_of(extra, "timestamp") or response.get("created")),
            tokens_in=tokens[0],
            tokens_out=tokens[1],
            tokens_reasoning=tokens[2],
            extra=rest_of(extra, ("response", "timestamp", "actions")),
        )
