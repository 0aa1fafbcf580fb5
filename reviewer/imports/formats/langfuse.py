"""Langfuse trace exports: `{trace, observations}`, a trace with its observations in it, or lists and lines of these.

Inputs and outputs are objects or JSON in a string, once or twice folded. One trace is one conversation, and traces that
share a session are one together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from reviewer.imports.formats import SURPRISES, behind_headers, kept, told
from reviewer.imports.formats.parts.span_table import SpanTable
from reviewer.imports.messages import content, prompts, trace_tree, traces
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source, unfolded
from reviewer.transcripts.model import Conversation, Json, Score, ToolCall

NAME = "langfuse"
TITLE = "Langfuse traces"

_TOOL = re.compile(r"^(?:execute_tool |running tool: |tool\.)|\.(?:start|success|finish|error)-\d+$")
_NUMBER = re.compile(r"-?\d{1,18}(?:\.\d{1,30})?(?:[eE]-?\d{1,2})?")
_SETTINGS = ("temperature", "top_p", "max_tokens", "maxTokens", "tool_choice", "toolChoice", "seed", "reasoning_effort")
_SPANS = SpanTable(
    id=("id",),
    parent=("parentObservationId", "parent_observation_id"),
    trace=("traceId", "trace_id", "trace.id", "id"),
    start=("startTime", "start_time"),
    end=("endTime", "end_time"),
    kind=("type",),
    kinds={"generation": "llm", "tool": "tool", "agent": "agent"},
    model=("model", "providedModelName", "provided_model_name"),
    session=("trace.sessionId", "trace.session_id", "sessionId", "session_id"),
    time=content.text_or_none,
)


def mine(source: Source) -> bool:
    """True if a record is a trace with observations, an observation, or a list or session of these."""
    return any(_is_record(record) for record in source.leading)


def _is_record(record: Any) -> bool:
    return any(_is_observation(row) or _is_trace(row) for row in _rows(content.mapping(record)))


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a trace each, or a session."""
    spans: list[trace_tree.TraceSpan] = []
    scores: dict[str, dict[str, Score]] = {}
    totals: dict[str, Any] = {}
    for position, record in behind_headers(source, _is_record, kept=True):
        if isinstance(record, BadRecord | Remark):
            yield record
            continue
        try:
            made = [(span, row) for row in _rows(content.mapping(record)) for span in _spans(row)]
            rows = {id(row): (row, span.trace) for span, row in made}.values()
            marks = [(trace, key, mark) for row, trace in rows for key, mark in _marks(row, trace)]
        except SURPRISES as error:
            yield BadRecord(position, f"not shaped as this format is ({told(error)})", kept(record))
            continue
        if not made:
            yield BadRecord(position, "no observations in it", kept(record))
        spans += (span for span, _ in made)
        for trace, key, mark in marks:
            scores.setdefault(trace, {}).setdefault(key, mark)
        totals |= {trace: _cost(content.mapping(row.get("trace")) or row) for row, trace in rows if "type" not in row}
    for group in trace_tree.grouped(spans):
        position = f"trace {group[0].trace}"
        conversation = traces.conversation(group)
        if conversation is None:
            yield BadRecord(position, "no observation of it holds a message")
            continue
        among = list(dict.fromkeys(span.trace for span in group))
        given = tuple(mark for trace in among for mark in scores.get(trace, {}).values())
        yield Extract(
            position, _told(conversation, given, [totals.get(trace) for trace in among]), run=traces.run_of(group)
        )


def _told(conversation: Conversation, marks: tuple[Score, ...], costs: list[Any]) -> Conversation:
    """The conversation with its scores, and with what its traces cost where no observation says so."""
    told = [cost for cost in costs if cost is not None]
    if told and (conversation.usage is None or conversation.usage.cost is None):
        usage = conversation.usage or content.usage_of({}, 0.0)
        conversation = replace(conversation, usage=replace(usage, cost=sum(told)) if usage else None)
    return replace(conversation, scores=marks)


def _rows(record: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The traces or observations of a record: itself, a page of the API, a session's traces under its id."""
    if isinstance(record.get("data"), list) and ("meta" in record or "id" not in record):
        yield from map(content.mapping, record["data"])
    elif isinstance(record.get("traces"), list):
        yield from ({"sessionId": record.get("id"), **content.mapping(trace)} for trace in record["traces"])
    else:
        yield record


def _is_observation(value: Any) -> bool:
    told = content.mapping(value)
    return "type" in told and ("startTime" in told or "start_time" in told) and "id" in told


def _is_trace(value: Any) -> bool:
    told = content.mapping(content.mapping(value).get("trace")) or content.mapping(value)
    if any(_is_observation(each) for each in content.listed(content.mapping(value).get("observations"))[:3]):
        return True
    return "id" in told and "timestamp" in told and "input" in told and "output" in told


def _spans(row: Mapping[str, Any]) -> list[trace_tree.TraceSpan]:
    """The observations of a trace; when none of them speaks, the trace itself with what it was asked and answered."""
    trace = content.mapping(row.get("trace")) or row
    observations = content.listed(row.get("observations")) or content.listed(trace.get("observations")) or [row]
    spans = [_span(content.mapping(each), trace) for each in observations if _is_observation(each)]
    if not any(span.speaks for span in spans) and _is_trace(row):
        whole = {**trace, "type": "TRACE", "startTime": trace.get("timestamp"), "traceId": trace.get("id")}
        spans.append(_span(whole, trace))
    return spans


def _span(told: Mapping[str, Any], trace: Mapping[str, Any]) -> trace_tree.TraceSpan:
    given, made = told.get("input"), told.get("output")
    failed = str(told.get("level")).upper() == "ERROR"
    said = content.text_or_none(content.first_of(told, "statusMessage", "status_message")) if failed else None
    span = _SPANS.span({**told, "trace": trace}, (said or "error") if failed else None)
    if span.kind == "tool" or (span.kind == "" and span.name.startswith("tool.") and made is not None):
        result = content.raw(unfolded(made) if isinstance(made, str) and made[:1] == '"' else made)
        span.kind = "tool"
        span.tool = ToolCall(_TOOL.sub("", span.name), content.raw(given), result, said, at=span.start or None)
    else:
        span.asked, span.answered = prompts.instructed(prompts.asked(given), made), prompts.answered(made)
    if span.kind == "llm":  # what a model read and wrote is kept, whatever its shape
        span.asked = span.asked or _as_it_is("user", given)
        span.answered = span.answered or _as_it_is("assistant", made)
    span.structured = prompts.is_structured(given)
    span.usage = _usage(told)
    span.cost = _cost(told)
    span.tools = _tools(told, given)
    span.settings = _settings(told)
    if span.kind == "agent":
        span.agent = span.name.removeprefix("invoke_agent ").removeprefix("agent_run ").strip("[]")
    span.meta = traces.meta_of(
        trace=trace.get("name"),
        user=content.first_of(trace, "userId", "user_id"),
        tags=trace.get("tags"),
        environment=trace.get("environment"),
        release=trace.get("release"),
    )
    return span


def _as_it_is(role: str, value: Any) -> list[prompts.Said]:
    """A prompt or an answer of no known shape as the words that it is kept as."""
    return [{"role": role, "content": content.raw(value)}] if unfolded(value) not in (None, "", "None", [], {}) else []


def _usage(told: Mapping[str, Any]) -> Any:
    """The tokens of an observation, in the newest of the places where it may say so."""
    places = (told.get(name) for name in ("usageDetails", "usage_details", "usage"))
    flat = {"input": told.get("inputUsage"), "output": told.get("outputUsage"), "total": told.get("totalUsage")}
    old = {"input": told.get("promptTokens"), "output": told.get("completionTokens")}
    return next((unfolded(place) for place in places if place), flat if any(flat.values()) else old)


def _cost(told: Mapping[str, Any]) -> float | None:
    """The cost of an observation or of a whole trace."""
    stated = content.first_of(told, "totalCost", "total_cost", "calculatedTotalCost", "calculated_total_cost")
    for name in ("costDetails", "cost_details", "usage"):
        if stated is None:
            stated = content.first_of(content.mapping(unfolded(told.get(name))), "total", "totalCost")
    return (
        content.cost_of(float(stated))
        if isinstance(stated, str) and _NUMBER.fullmatch(stated)
        else content.cost_of(stated)
    )


def _tools(told: Mapping[str, Any], given: Any) -> tuple[Json, ...]:
    """The tools that a model was given: of the observation, of its prompt, or of its parameters."""
    named = content.mapping(unfolded(content.first_of(told, "toolDefinitions", "tool_definitions")))
    if named:
        return tuple({"name": name, **content.mapping(unfolded(each))} for name, each in named.items())
    asked = content.mapping(unfolded(given)).get("tools")
    parameters = content.mapping(unfolded(content.first_of(told, "modelParameters", "model_parameters")))
    return tuple(
        each for each in content.listed(unfolded(asked or parameters.get("tools"))) if isinstance(each, dict) and each
    )


def _settings(told: Mapping[str, Any]) -> dict[str, Any]:
    parameters = content.mapping(unfolded(content.first_of(told, "modelParameters", "model_parameters")))
    return dict(content.filled(**{name: parameters.get(name) for name in _SETTINGS}) or {})


def _marks(row: Mapping[str, Any], within_trace: str) -> Iterator[tuple[str, Score]]:
    """The scores of a trace and of its observations, each with what it is known by."""
    trace = content.mapping(row.get("trace")) or row
    observations = [
        row,
        *map(content.mapping, content.listed(row.get("observations")) or content.listed(trace.get("observations"))),
    ]
    names = {str(each.get("id")): content.text_of(each.get("name")) for each in observations if "type" in each}
    held: list[tuple[Any, str | None]] = [
        (mark, None) for place in (row, trace) for mark in content.listed(place.get("scores"))
    ]
    held += [(mark, str(each.get("id"))) for each in observations for mark in content.listed(each.get("scores"))]
    for mark, within in held:
        told = content.mapping(mark)
        about = content.text_or_none(content.first_of(told, "observationId", "observation_id")) or (
            within if within in names else None
        )
        if told:
            on = (names.get(about) or about) if about and about != within_trace else ""
            yield str(told.get("id") or content.raw(told)), _score(told, on)


def _score(mark: Mapping[str, Any], on: str) -> Score:
    """One score; one on an observation says which in its note, a correction has the corrected words for its value."""
    kind = str(content.first_of(mark, "dataType", "data_type") or "").upper()
    value, words = content.score_of(mark.get("value"))
    if kind in ("CATEGORICAL", "CORRECTION", "TEXT") and content.first_of(mark, "configId", "config_id") is None:
        value, words = None, content.text_or_none(mark.get("value")) if isinstance(mark.get("value"), str) else None
    said = (mark.get(name) for name in ("longStringValue", "long_string_value", "stringValue", "string_value"))
    words = next((text for text in map(content.text_or_none, said) if text), None) or words
    judge = content.text_or_none(content.first_of(mark, "authorUserId", "author_user_id")) or content.text_or_none(
        mark.get("source")
    )
    comment = content.text_or_none(mark.get("comment"))
    note = ": ".join(part for part in (f"on {on}" if on else "", comment or "") if part)
    name = "correction" if kind == "CORRECTION" else content.text_of(mark.get("name")) or "score"
    return Score(name, None if kind == "CORRECTION" else value, judge, note or None, words)
