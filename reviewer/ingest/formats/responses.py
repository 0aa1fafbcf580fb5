"""OpenAI Responses items: rollouts, stored responses, or bare lists of items.

An item is a message, a call, a result or some reasoning; each call is a message of its own, as the source has it, and
reasoning goes to the agent's message that follows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from reviewer.ingest import chat
from reviewer.ingest.content import (
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    rest_of,
    score_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.ingest.formats import each
from reviewer.ingest.items import items_of
from reviewer.ingest.source import Found, Item, Source
from reviewer.model import Conversation, Score

NAME = "responses"
TITLE = "OpenAI Responses items"

_KINDS = {
    "message",
    "function_call",
    "function_call_output",
    "reasoning",
    "custom_tool_call",
    "custom_tool_call_output",
}
_READ = {
    *(
        "responses_create_params",
        "response",
        "reward",
        "metadata",
        "instance_id",
        "task",
        "task_id",
        "delegated_response",
    ),
    *("instance_config", "input", "output", "model", "id", "object", "tools", "instructions", "created_at", "usage"),
    *("_ng_task_index", "_ng_rollout_index"),
}


def mine(source: Source) -> bool:
    """A record has a response's output, or items of the kinds that Responses knows."""
    record = source.record
    if isinstance(record.get("responses_create_params"), Mapping) or record.get("object") == "response":
        return True
    if "role" not in record and record.get("type") in _KINDS and not source.is_lines:
        return True
    return any(_has_items(record.get(key)) for key in ("output", "input", "items"))


def read(source: Source) -> Iterator[Item]:
    """Its conversations, a record each; a document that is a list of items is one."""
    if not source.is_lines and isinstance(source.document, list) and source.record.get("type") in _KINDS:
        yield from each("the document", {"input": source.document}, partial(_found, "the document"))
        return
    for position, record in source.records():
        yield from each(position, record, partial(_found, position))


def _has_items(value: Any) -> bool:
    return isinstance(value, list) and any(
        isinstance(item, Mapping) and item.get("type") in _KINDS and ("role" not in item or "content" in item)
        for item in value[:5]
    )


def _found(position: str, record: Mapping[str, Any]) -> Found:
    asked, response = mapping(record.get("responses_create_params")), mapping(record.get("response"))
    if not asked and not response:
        asked = response = record
    messages = chat.tied(items_of(_said(asked, response)))
    case, suite = _case(record)
    index, usage = number_of(record.get("_ng_rollout_index")), mapping(response.get("usage"))
    error = response.get("error")
    cut = mapping(response.get("incomplete_details")).get("reason")
    return Found(
        position,
        Conversation(
            text_of(response.get("model")) or text_of(asked.get("model")),
            messages,
            case=case,
            run=index,
            id=text_or_none(response.get("id")),
            started=time_of(response.get("created_at")),
            ended_by="error" if error else "cut" if cut else None,
            error=text_or_none(error),
            scores=tuple(_scores(record)),
            meta=filled(suite=suite, input_tokens=usage.get("input_tokens"), output_tokens=usage.get("output_tokens")),
            extra=rest_of(record, _READ),
        ),
    )


def _said(asked: Mapping[str, Any], response: Mapping[str, Any]) -> Iterator[Any]:
    told = asked.get("instructions") or response.get("instructions")
    if told:
        yield {"type": "message", "role": "system", "content": told}
    given = first_of(asked, "input", "items")
    yield from [{"type": "message", "role": "user", "content": given}] if isinstance(given, str) else listed(given)
    yield from listed(response.get("output"))


def _case(record: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The case, and the suite where the record names one."""
    task, domain = mapping(record.get("task")), mapping(record.get("config")).get("domain")
    if task.get("id") is not None:
        suite = f"tau2-{domain}" if isinstance(domain, str) else None
        return (f"{suite}-{task['id']}" if suite else text_or_none(task["id"])), suite
    told = mapping(mapping(record.get("responses_create_params")).get("metadata"))
    for place in (record, mapping(record.get("metadata")), told):
        for name in ("instance_id", "task_id", "case_id"):
            if isinstance(place.get(name), str | int):
                return str(place[name]), None
    return None, None


def _scores(record: Mapping[str, Any]) -> Iterator[Score]:
    for name in ("reward", "resolved", "score"):
        if isinstance(record.get(name), bool | int | float | str):
            value, words = score_of(record[name])
            yield Score(name, value, raw=words)
