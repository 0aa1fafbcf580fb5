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
from reviewer.ingest.formats import SURPRISES, kept, told
from reviewer.ingest.source import Bad, Found, Item, Source, unfolded
from reviewer.model import Score, ToolCall

NAME = "langfuse"
TITLE = "Langfuse traces"

_TOOL = re.compile(r"^(?:execute_tool |running tool: |tool\.)|\.(?:start|success|finish|error)-\d+$")
_KINDS: dict[str, traces.Kind] = {"GENERATION": "llm", "TOOL": "tool", "AGENT": "agent"}


def mine(source: Source) -> bool:
    """A record is a trace with observations, an observation, or a list or session of these."""
    return any(_is_observation(row) or _is_trace(row) for row in _rows(source.record))


def read(source: Source) -> Iterator[Item]:
    """Its conversations: a trace each, or a session."""
    spans: list[traces.Span] = []
    scores: dict[str, list[Score]] = {}
    for position, record in source.records():
        try:
            made = [(span, row) for row in _rows(mapping(record)) for span in _spans(row)]
        except SURPRISES as error:
            yield Bad(position, f"not shaped as this format is ({told(error)})", kept(record))
            continue
        if isinstance(record, Bad):
            yield record
        elif not made:
            yield Bad(position, "no observations in it", kept(record))
        spans += (span for span, _ in made)
        for trace, row in {span.trace: row for span, row in made}.items():
            scores.setdefault(trace, []).extend(_scores(mapping(row.get("trace")) or row))
    for group in traces.grouped(spans):
        position = f"trace {group[0].trace}"
        found = traces.conversation(group)
        if found is None:
            yield Bad(position, "no observation of it holds a message")
        else:
            marks = [mark for trace in dict.fromkeys(span.trace for span in group) for mark in scores.get(trace, [])]
            yield Found(position, replace(found, scores=tuple(marks)))


def _rows(record: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The traces or observations of a record: itself, a page of the API, a session's traces under its id."""
    if isinstance(record.get("data"), list) and ("meta" in record or "id" not in record):
        yield from map(mapping, record["data"])
    elif isinstance(record.get("traces"), list):
        yield from ({"sessionId": record.get("id"), **mapping(trace)} for trace in record["traces"])
    else:
        yield record


def _is_observation(value: Any) -> bool:
    told = mapping(value)
    return "type" in told and ("startTime" in told or "start_time" in told) and "id" in told


def _is_trace(value: Any) -> bool:
    told = mapping(mapping(value).get("trace")) or mapping(value)
    if any(_is_observation(each) for each in listed(mapping(value).get("observations"))[:3]):
        return True
    return "id" in told and "timestamp" in told and "input" in told and "output" in told


def _spans(row: Mapping[str, Any]) -> list[traces.Span]:
    """The observations of a trace; when none of them speaks, the trace itself with what it was asked and answered."""
    trace = mapping(row.get("trace")) or row
    observations = listed(row.get("observations")) or listed(trace.get("observations")) or [row]
    spans = [_span(mapping(each), trace) for each in observations if _is_observation(each)]
    if not any(span.speaks for span in spans) and _is_trace(row):
        whole = {**trace, "type": "TRACE", "startTime": trace.get("timestamp"), "traceId": trace.get("id")}
        spans.append(_span(whole, trace))
    return spans


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
        model=text_of(first_of(told, "model", "providedModelName", "provided_model_name")),
        usage=first_of(told, "usageDetails", "usage_details", "usage"),
        tool=_tool(told, name, given, made, said if failed else None) if tool else None,
        error=(said or "error") if failed else None,
        session=text_or_none(first_of(trace, "sessionId", "session_id") or first_of(told, "sessionId", "session_id")),
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
    for mark in filter(None, map(mapping, listed(trace.get("scores")))):
        value, words = score_of(mark.get("value"))
        words = text_or_none(first_of(mark, "stringValue", "string_value")) or words
        judge = text_or_none(mark.get("authorUserId")) or text_or_none(mark.get("source"))
        yield Score(text_of(mark.get("name")) or "score", value, judge, text_or_none(mark.get("comment")), words)
