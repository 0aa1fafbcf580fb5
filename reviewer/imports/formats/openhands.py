"""OpenHands: trajectories, lines of its evaluations, conversations kept an event a file, and logged calls of the model.

What events mean is `event_stream`'s. Of a conversation that is kept an event a file, its first file reads them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from reviewer.basics.errors import SourceError
from reviewer.imports import names
from reviewer.imports.formats import each
from reviewer.imports.formats.parts.event_stream import EventStream, is_event, is_listed_event
from reviewer.imports.formats.parts.openhands_metrics import spent_of, usage_of
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    cost_of,
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
    tokens_of,
)
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source
from reviewer.transcripts.model import Case, Conversation, Run, Score, Usage

NAME = "openhands"
TITLE = "OpenHands trajectories"

_LISTS = ("history", "trajectory", "events", "items")
_ONE = re.compile(r"(?:event-)?(\d+)(?:-[\w-]+)?\.json")
_READ = {
    *(*_LISTS, "instance_id", "metadata", "metrics", "test_result", "error", "attempt", "instruction", "issue"),
    *("success", "result_explanation", "report", "resolved", "instance", "id", "conversation_id", "model"),
}
_CALL_READ = {
    *("messages", "response", "cost", "timestamp", "latency_sec", "tools", "kwargs", "args", "raw_messages"),
    *("raw_response", "usage_summary", "llm_path", "context_window", "fncall_messages", "fncall_response"),
}


def mine(source: Source) -> bool:
    """True if the first record is an event, holds a list of events, or is a logged call of the model."""
    record = source.record
    return is_event(record) or _events(record) is not None or _is_call(record)


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a record each, or all the events of the file or its folder together."""
    record = source.record
    if is_event(record) and not source.is_lines and isinstance(source.document, dict):
        yield from _kept_apart(source)
    elif is_event(record):
        events: list[Any] = []
        for _, value in source.records(kept=True):
            if isinstance(value, dict):
                events.append(value)
            else:
                yield from each("an event", value, lambda _: None)
        yield from each("the document", {"events": events}, partial(_extract, "the document", False))
    else:
        alone = not source.is_lines and not isinstance(source.document, list)
        for position, value in source.records():
            convert = partial(_called, position) if _is_call(mapping(value)) else partial(_extract, position, alone)
            yield from each(position, value, convert)


def _events(record: Mapping[str, Any]) -> list[Any] | None:
    """The events that a record holds, also in pairs of action and observation."""
    for name in _LISTS:
        first = next(iter(listed(record.get(name))), None)
        if is_listed_event(first) or (isinstance(first, list) and first and is_listed_event(first[0])):
            return listed(record[name])
    whole = "instance_id" in record and "test_result" in record and "history" in record
    return listed(record["history"]) if whole and not record["history"] else None


def _is_call(record: Mapping[str, Any]) -> bool:
    if "cost" not in record or "timestamp" not in record or not isinstance(record.get("response"), dict):
        return False
    return isinstance(record.get("messages"), list) and any(key in record for key in ("latency_sec", "kwargs", "args"))


def _kept_apart(source: Source) -> Iterator[Item]:
    """The events of a folder when this is its first; the others say where they are told."""
    number = _ONE.fullmatch(source.path.name)
    if number is None or int(number[1]) > 0:
        yield Remark("one event of a conversation: the file of its first event brings them all")
        return
    state = source.path.parent.parent / "base_state.json"
    about: Mapping[str, Any] = {}
    events: list[Any] = []
    for path in [state, *sorted(_beside(source), key=lambda path: names.natural(path.name))]:
        try:
            there = path is not state or (path.is_file() and source.may_read(path))
            value = mapping(Source(path, path.name).document) if there else {}
        except SourceError as error:
            yield BadRecord(path.name, error.message)
        else:
            if path is state:
                about = value
            else:
                events.append(value)
    record = {"events": events, "state": about, "id": about.get("id")}
    yield from each("the folder", record, partial(_extract, "the folder", False))


def _beside(source: Source) -> Iterator[Path]:
    return (other for other in source.path.parent.iterdir() if _ONE.fullmatch(other.name) and source.may_read(other))


def _extract(position: str, alone: bool, record: Mapping[str, Any]) -> Extract:
    metrics, about = mapping(record.get("metrics")), mapping(record.get("metadata"))
    settings = mapping(first_of(about, "llm_config", "llm"))
    stream = EventStream(spent_of(metrics))
    given = record.get("events")
    if given is None and _events(record) is None:
        raise ValueError("no events")
    events: Iterable[Any] = _events(record) or (listed(given) if isinstance(given, list) else given or ())
    messages = chat.tied(stream.items(events))
    stream.state_of(record.get("state"))
    error = text_or_none(record.get("error")) or stream.error
    case = text_or_none(record.get("instance_id"))
    attempt = number_of(record.get("attempt"))
    times = [message.at for message in messages if message.at]
    issue = mapping(record.get("issue"))
    first = next((message.text for message in messages if message.role == "customer"), "")
    goal = text_or_none(record.get("instruction"))
    kept = filled(test_result=record.get("test_result"), passed_over=dict(stream.passed))
    return Extract(
        position,
        Conversation(
            text_of(settings.get("model") or record.get("model")) or stream.model,
            messages,
            case=case,
            run=attempt if attempt is not None and attempt > 1 else None,
            id=text_or_none(first_of(record, "conversation_id", "id")) or _issue(issue),
            started=times[0] if times else None,
            ended=times[-1] if times else None,
            ended_by="error" if error else stream.ended_by,
            error=error,
            scores=tuple(_scores(record)),
            meta=filled(dataset=about.get("dataset"), attempt=attempt, issue=issue.get("title")),
            extra=filled(kept, rest_of(record, _READ | {"state"})),
            facts=Case(case, goal=goal if goal != first else None) if case else None,
            usage=usage_of([metrics]) or stream.usage,
        ),
        alone=alone and case is not None,
        run=_run(about, settings, stream),
    )


def _run(about: Mapping[str, Any], settings: Mapping[str, Any], stream: EventStream) -> Run:
    """The agent, its tools and how the model was asked."""
    name = text_of(about.get("agent_class")) or stream.agent
    return Run(
        "",
        None,
        harness=" ".join(part for part in ("OpenHands", name) if part),
        tools=stream.tools,
        extra=filled(
            temperature=settings.get("temperature"),
            max_iterations=about.get("max_iterations"),
            prompt_path=about.get("prompt_path"),
        ),
    )


def _issue(issue: Mapping[str, Any]) -> str | None:
    """An issue of a repository by its name."""
    parts = [text_of(issue.get(key)) for key in ("owner", "repo", "number")]
    return "{}/{}#{}".format(*parts) if all(parts) else None


def _scores(record: Mapping[str, Any]) -> Iterator[Score]:
    """The scores given by a benchmark, or by the resolver's own judge."""
    result = mapping(record.get("test_result"))
    report = {**mapping(record.get("report")), **mapping(result.get("report"))}
    stated = {"resolved": first_of(record, "resolved"), **report}
    for name, value in stated.items():
        if isinstance(value, bool | int | float):
            number, words = score_of(value)
            yield Score(name, number, raw=words)
    if isinstance(record.get("success"), bool):
        number, words = score_of(record["success"])
        yield Score("success", number, note=text_or_none(record.get("result_explanation")), raw=words)


def _called(position: str, record: Mapping[str, Any]) -> Extract:
    """One call of the model with all that stood before it."""
    response, asked = mapping(record["response"]), mapping(record.get("kwargs"))
    choice = mapping(next(iter(listed(response.get("choices"))), None))
    at = time_of(record["timestamp"])
    said = {**mapping(choice.get("message")), "usage": response.get("usage"), "timestamp": at, "cost": record["cost"]}
    items = [*listed(record["messages"]), *([said] if "content" in said or "tool_calls" in said else [])]
    items += listed(response.get("output"))
    tools = listed(record.get("tools")) or listed(asked.get("tools"))
    tokens = tokens_of(response.get("usage"))
    return Extract(
        position,
        Conversation(
            text_of(response.get("model")),
            chat.messages_of(items),
            id=text_or_none(response.get("id")),
            started=at,
            ended_by=None,
            meta=filled(seconds=cost_of(record.get("latency_sec")), finish_reason=choice.get("finish_reason")),
            extra=rest_of(record, _CALL_READ),
            usage=Usage(*tokens, cost=cost_of(record["cost"])),
        ),
        run=Run(
            "",
            None,
            harness="OpenHands",
            tools=tuple(tool for tool in tools if isinstance(tool, dict)),
            extra=filled(temperature=asked.get("temperature"), top_p=asked.get("top_p")),
        ),
    )
