"""mini-swe-agent trajectories: `{info, messages, trajectory_format, instance_id}`, one document a conversation.

Version 1 writes its commands as fenced text and takes their output as the user's words; version 2 calls a tool, and
keeps a model's answer as the provider's response where that came as Responses items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    NO_TOKENS,
    SMALL,
    Answer,
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
from reviewer.imports.messages.items import items_of
from reviewer.imports.messages.text_calls import recovered_shell
from reviewer.imports.source import Extract, Item, Source
from reviewer.transcripts.model import Case, Conversation, Message, Run

NAME = "mini-swe"
TITLE = "mini-swe-agent trajectories"

_ENDINGS = {"submitted": "agent-stop", "limitsexceeded": "turn-limit", "timeexceeded": "cut"}
_FENCE = "```mswea_bash_command"
_READ = {"info", "messages", "trajectory_format", "instance_id"}


def mine(source: Source) -> bool:
    """True if the record names the format, or has what mini-swe-agent says of its run."""
    record = source.record
    if str(record.get("trajectory_format") or "").startswith("mini-swe-agent"):
        return True
    if _is_bare(source):
        return True
    info = mapping(record.get("info"))
    return isinstance(record.get("messages"), list) and "exit_status" in info and "model_stats" in info


def read(source: Source) -> Iterator[Item]:
    """The file's conversations."""
    if _is_bare(source):
        yield from each("the document", {"messages": source.document}, partial(_extract, "the document", False))
        return
    for position, record in source.records():
        yield from each(position, record, partial(_extract, position, not source.is_lines))


def _is_bare(source: Source) -> bool:
    """True if the document is only messages, as the first versions wrote them: their code fence gives them away."""
    if source.is_lines or "role" not in source.record or not isinstance(source.document, list):
        return False
    return any(_FENCE in text_of(mapping(item).get("content")) for item in source.document[:4])


def _extract(position: str, alone: bool, record: Mapping[str, Any]) -> Extract:
    info = mapping(record.get("info"))
    config = mapping(info.get("config"))
    model = text_of(mapping(config.get("model")).get("model_name"))
    items = listed(record["messages"])
    messages = recovered_shell(chat.tied(made for item in items for made in _message(item)))
    failed = text_or_none(mapping(mapping(items[-1]).get("extra")).get("exception_str")) if items else None
    ending = text_of(info.get("exit_status"))
    case = text_or_none(record.get("instance_id"))
    stats = mapping(info.get("model_stats"))
    return Extract(
        position,
        Conversation(
            model,
            messages,
            case=case,
            started=messages[0].at if messages else None,
            ended=messages[-1].at if messages else None,
            ended_by="error" if failed else _ENDINGS.get(ending.lower(), ending) or None,
            error=failed,
            meta=filled(cost=first_of(stats, "instance_cost", "cost"), api_calls=stats.get("api_calls")),
            extra=filled(rest_of(record, _READ), submission=info.get("submission")),
            facts=Case(case) if case else None,
            usage=usage_of({}, first_of(stats, "instance_cost", "cost")),
        ),
        alone=alone and case is not None,
        run=Run(
            *("", None),
            harness=f"mini-swe-agent {text_of(info.get('mini_version'))}".strip(),
            tools=tuple(
                tool
                for tool in listed(mapping(mapping(config.get("model")).get("model_kwargs")).get("tools"))
                if mapping(tool)
            ),
            extra=rest_of(config, ()),
        ),
    )


def _message(item: Any) -> Iterator[Message | Answer]:
    told = mapping(item)
    extra = mapping(told.get("extra"))
    response = mapping(extra.get("response")) or (told if told.get("object") == "response" else {})
    choice = mapping(mapping(next(iter(listed(response.get("choices"))), None)).get("message"))
    at = time_of(first_of(extra, "timestamp") or first_of(response, "created", "created_at"))
    tokens = tokens_of(response.get("usage"))
    for made in items_of(listed(told["output"])) if "output" in told and "type" not in told else items_of([item]):
        if not isinstance(made, Message):
            rest = rest_of(extra, ("response", "timestamp"), SMALL)
            yield replace(made, at=made.at or at, extra={**(made.extra or {}), **(rest or {})} or None)
            continue
        yield replace(
            made,
            reasoning=made.reasoning or thought_of(first_of(choice, "reasoning_content", "reasoning")),
            at=made.at or at,
            tokens_in=tokens[0],
            tokens_out=tokens[1],
            tokens_reasoning=tokens[2],
            tokens_cached=tokens[3],
            cost=cost_of(extra.get("cost")) if made.cost is None else made.cost,
            extra=rest_of(extra, ("response", "timestamp", "actions")),
        )
        tokens, extra = NO_TOKENS, {}  # said of the answer once, not of each of its items
