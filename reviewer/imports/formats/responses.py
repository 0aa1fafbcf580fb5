"""OpenAI Responses items: rollouts, stored responses, or bare lists of items.

An item is a message, a call, a result or some reasoning; each call is a message of its own, as the source has it, and
reasoning goes to the agent's message that follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from reviewer.imports.formats import behind_headers, each
from reviewer.imports.messages import chat, plausibility
from reviewer.imports.messages.content import (
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
    usage_of,
)
from reviewer.imports.messages.items import items_of
from reviewer.imports.source import BadRecord, Extract, Item, Source
from reviewer.transcripts.model import Conversation, Run, Score

NAME = "responses"
TITLE = "OpenAI Responses items"

_KINDS = re.compile(r"message|reasoning|\w+_call(?:_output)?")
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
    *("_ng_task_index", "_ng_rollout_index", "request"),
}
_SETTINGS = ("temperature", "top_p", "max_output_tokens", "max_tool_calls", "tool_choice", "parallel_tool_calls")
_CASES = ("instance_id", "task_id", "case_id")
_OWN_ID = re.compile(
    r"(?:resp|msg|conv|chatcmpl|batch|req|thread|trace|run|session)[-_].*"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{24,64}",
    re.IGNORECASE | re.DOTALL,
)
"""Ids that are made anew for every answer: no two runs of a case share one."""
_VERDICTS = frozenset(
    (
        *("reward", "score", "accuracy", "correct", "correctness", "pass", "passed", "resolved", "success", "solved"),
        *("match", "f1", "precision", "recall", "grade", "rating"),
    )
)
"""A number whose name has one of these words in it is what the harness thought of the answer."""


def mine(source: Source) -> bool:
    """True if a record has a response's output, or items of the kinds that Responses knows, or is one."""
    return _is_items(source) or any(_is_record(record) for record in source.leading)


def _is_record(record: Any) -> bool:
    told = mapping(record)
    if isinstance(told.get("responses_create_params"), Mapping) or told.get("object") == "response":
        return True
    places = (told, mapping(told.get("response")), mapping(mapping(told.get("response")).get("body")))
    return any(_has_items(place.get(key)) for place in places for key in ("output", "input", "items"))


def read(source: Source) -> Iterator[Item]:
    """The file's conversations, a record each; a document or file that lists items is one."""
    if _is_items(source):
        yield from _listed(source)
    else:
        for position, record in behind_headers(source, _is_record):
            yield from each(position, record, partial(_extract, position))


def _listed(source: Source) -> Iterator[Item]:
    """The items of a file as one conversation; what stands before them and is none says more of it."""
    whole = "the file" if source.is_lines else "the document"
    items: list[Any] = []
    about: dict[str, Any] = {"created_at": None}
    for _, record in source.records(kept=True):
        if isinstance(record, BadRecord):
            yield record
        elif not items and isinstance(record, Mapping) and "role" not in record and not _is_item(record):
            about |= record
        else:
            items.append(record)
    yield from each(whole, {**about, "input": items}, partial(_extract, whole))


def _is_item(value: Any) -> bool:
    kind = mapping(value).get("type")
    known = isinstance(kind, str) and _KINDS.fullmatch(kind) is not None
    return known and (kind != "message" or "role" in value)


def _is_items(source: Source) -> bool:
    """True if the file lists items rather than conversations: one of the first is more than a plain message."""
    leading = source.leading
    if not any(_is_item(value) for value in leading) or (not source.is_lines and isinstance(source.document, Mapping)):
        return False
    if any(_is_record(value) for value in leading):
        return False
    first = [mapping(record) for _, record in islice(source.records(), 20)]
    return any("role" not in item and _is_item(item) for item in first)


def _has_items(value: Any) -> bool:
    return isinstance(value, list) and any(
        (_is_item(item) and ("role" not in item or "content" in item)) or (isinstance(item, list) and _has_items(item))
        for item in value[:5]
    )


def _extract(position: str, record: Mapping[str, Any]) -> Extract:
    asked = mapping(first_of(record, "responses_create_params", "request"))
    response = mapping(record.get("response"))
    asked, response = mapping(asked.get("body")) or asked, mapping(response.get("body")) or response
    if not asked and not response:
        asked = response = record
    if not any(key in place for place in (asked, response) for key in ("input", "items", "output", "instructions")):
        raise ValueError("it has neither input nor output")
    messages = chat.tied(items_of(_said(asked, response)))
    plausibility.refuse(messages)
    case, suite = _case(record)
    index, usage = number_of(record.get("_ng_rollout_index")), mapping(response.get("usage"))
    error = response.get("error")
    cut = mapping(response.get("incomplete_details")).get("reason")
    return Extract(
        position,
        Conversation(
            text_of(response.get("model")) or text_of(asked.get("model")),
            messages,
            case=case,
            run=index,
            id=None if response is record and case == record.get("id") else text_or_none(response.get("id")),
            started=time_of(response.get("created_at")),
            ended_by="error" if error else "cut" if cut else None,
            error=text_or_none(error),
            scores=tuple(_scores(record)),
            meta=filled(suite=suite, input_tokens=usage.get("input_tokens"), output_tokens=usage.get("output_tokens")),
            extra=rest_of(record, _READ),
            usage=usage_of(response.get("usage"), first_of(record, "cost", "total_cost", "cost_usd")),
        ),
        run=_run(asked, response),
    )


def _run(asked: Mapping[str, Any], response: Mapping[str, Any]) -> Run | None:
    """The tools and settings of a request."""
    tools = tuple(each for each in listed(asked.get("tools")) or listed(response.get("tools")) if mapping(each))
    settings = {name: asked[name] if asked.get(name) is not None else response.get(name) for name in _SETTINGS}
    effort = filled(**mapping(first_of(asked, "reasoning") or response.get("reasoning")))
    extra = filled(settings, reasoning=effort)
    return Run("", None, tools=tools, extra=extra) if tools or extra else None


def _said(asked: Mapping[str, Any], response: Mapping[str, Any]) -> Iterator[Any]:
    told = asked.get("instructions") or response.get("instructions")
    if isinstance(told, list) and any("role" in mapping(each) for each in told):
        yield from told
    elif told:
        yield {"type": "message", "role": "system", "content": told}
    given = first_of(asked, "input", "items")
    yield from [{"type": "message", "role": "user", "content": given}] if isinstance(given, str) else listed(given)
    yield from _unrepeated(listed(response.get("output")))


def _unrepeated(output: list[Any]) -> list[Any]:
    """The items of an output; where it lists states, each of which repeats the one before, every item once."""
    said: list[Any] = []
    for item in output:
        state = item if isinstance(item, list) else [item]
        said = state if isinstance(item, list) and state[: len(said)] == said else said + state
    return said


def _case(record: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The case, and the suite where the record names one."""
    task, domain = mapping(record.get("task")), mapping(record.get("config")).get("domain")
    if task.get("id") is not None:
        suite = f"tau2-{domain}" if isinstance(domain, str) else None
        return (f"{suite}-{task['id']}" if suite else text_or_none(task["id"])), suite
    told = mapping(mapping(record.get("responses_create_params")).get("metadata"))
    for place in (record, mapping(record.get("metadata")), told):
        for name in _CASES:
            if isinstance(place.get(name), str | int):
                return str(place[name]), None
    return _case_by_id(record), None


def _case_by_id(record: Mapping[str, Any]) -> str | None:
    """The id of a benchmark's record, beside what it asks; a stored answer's and a session's are their own."""
    asks = "responses_create_params" in record or "input" in record
    id = record.get("id")
    if not asks or not isinstance(id, str | int) or isinstance(id, bool) or "created_at" in record:
        return None
    return None if "object" in record or _OWN_ID.fullmatch(str(id)) else text_or_none(id)


def _scores(record: Mapping[str, Any]) -> Iterator[Score]:
    told = {**mapping(record.get("delegated_response")), **record}
    for name in sorted(told, key=lambda name: (name != "reward", name != "resolved")):
        value = told[name]
        plain = name in ("reward", "resolved", "score") and isinstance(value, str)
        counts = isinstance(value, bool | int | float) and not _VERDICTS.isdisjoint(name.lower().split("_"))
        if plain or counts:
            number, words = score_of(value)
            yield Score(name, number, raw=words)
