"""Langfuse trace exports: `{trace, observations}`, a trace with its observations in it, or lists and lines of these.

Inputs and outputs are objects or JSON in a string, once or twice folded. One trace is one conversation, and traces that
share a session are one together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from reviewer.ingest import prompts, traces
from reviewer.ingest.content import first_of, listed, mapping, raw, score_of, text_of, text_or_none
from reviewer.ingest.formats import SURPRISES, kept
from reviewer.ingest.source import Bad, Found, Item, Source, unfolded
from reviewer.model import Score, ToolCall

NAME = "langfuse"
TITLE = "Langfuse traces"

_TOOL = re.compile(r"^(?:execute_tool |running tool: |tool\.)|\.(?:start|success|finish|error)-\d+$")
_KINDS: dict[str, traces.Kind] = {"GENERATION": "llm", "TOOL": "tool", "AGENT": "agent"}


def mine(source: Source) -> bool:
    """A record is a trace with observations, or an observation."""
    record = source.record
    if _is_observation(record):
        return True
    return any(_is_observation(each) for each in listed(record.get("observations"))[:3])


def read(source: Source) -> Iterator[Item]:
    """Its conversations: a trace each, or a session."""
    spans: list[traces.Span] = []
    scores: dict[str, list[Score]] = {}
    for position, record in source.records():
        try:
            trace = mapping(mapping(record).get("trace")) or mapping(record)
            observations = listed(mapping(record).get("observations")) or [record]
            made = [_span(mapping(each), trace) for each in observations if _is_observation(each)]
        except SURPRISES as error:
            yield Bad(position, f"not shaped as this format is ({error})", kept(record))
            continue
        if isinstance(record, Bad):
            yield record
        elif not made:
            yield Bad(position, "no observations in it", kept(record))
        spans += made
        for span in made[:1]:
            scores.setdefault(span.trace, []).extend(_scores(trace))
    for group in traces.grouped(spans):
        position = f"trace {group[0].trace}"
        found = traces.conversation(group)
        if found is None:
            yield Bad(position, "no observation of it holds a message")
        else:
            marks = [mark for trace in dict.fromkeys(span.trace for span in group) for mark in scores.get(trace, [])]
            yield Found(position, replace(found, scores=tuple(marks)))


def _is_observation(value: Any) -> bool:
    told = mapping(value)
    return "type" in told and ("startTime" in told or "start_time" in told) and "id" in told


def _span(told: Mapping[str, Any], trace: Mapping[str, Any]) -> traces.Span:
    kind = _KINDS.get(str(told.get("type")).upper(), "")
    given, made = told.get("input"), told.get("output")
    name = text_of(told.get("name"))
    failed = str(told.get("level")).upper() == "ERROR"
    said = text_or_none(first_of(told, "statusMessage", "status_message"))
    tool = kind == "tool" or (kind == "" and name.startswith("tool.") and made is not None)
    return traces.Span(
        id=text_of(told.get("id")),
        parent=text_or_none(first_of(told, "parentObservationId", "parent_observation_id")),
        trace=text_of(first_of(told, "traceId", "trace_id") or trace.get("id") or told.get("id")),
        name=name,
        kind="tool" if tool else kind,
        start=text_of(first_of(told, "startTime", "start_time")),
        end=text_or_none(first_of(told, "endTime", "end_time")),
        asked=[] if tool else prompts.instructed(prompts.asked(given), made),
        answered=[] if tool else prompts.answered(made),
        structured=prompts.is_structured(given),
        model=text_of(told.get("model")),
        usage=first_of(told, "usageDetails", "usage"),
        tool=_tool(told, name, given, made, said if failed else None) if tool else None,
        error=(said or "error") if failed else None,
        session=text_or_none(first_of(trace, "sessionId", "session_id")),
        agent=_bare(name) if kind == "agent" else None,
        meta=traces.meta_of(
            trace=trace.get("name"),
            user=first_of(trace, "userId", "user_id"),
            tags=trace.get("tags"),
            environment=trace.get("environment"),
            release=trace.get("release"),
        ),
    )


def _tool(told: Mapping[str, Any], name: str, given: Any, made: Any, error: str | None) -> ToolCall:
    result = raw(unfolded(made) if isinstance(made, str) and made[:1] == '"' else made)
    return ToolCall(
        _TOOL.sub("", name), raw(given), result, error, at=text_or_none(first_of(told, "startTime", "start_time"))
    )


def _bare(name: str) -> str:
    return name.removeprefix("invoke_agent ").removeprefix("agent_run ").strip("[]")


def _scores(trace: Mapping[str, Any]) -> Iterator[Score]:
    for score in listed(trace.get("scores")):
        told = mapping(score)
        value, words = score_of(told.get("value"))
        words = text_or_none(first_of(told, "stringValue", "string_value")) or words
        judge = text_or_none(told.get("authorUserId")) or text_or_none(told.get("source"))
        yield Score(text_of(told.get("name")) or "score", value, judge, text_or_none(told.get("comment")), words)
