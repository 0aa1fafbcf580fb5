"""The OpenAI Agents SDK: traces with their spans as its exporter sends and processors write them, and its sessions.

Traces that share a group are one conversation. An exporter that leaves the words out of its responses tells only that
there were calls; such traces are named and passed over. A session's items, and the list that the next run is given,
mix bare messages with Responses items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from reviewer.imports.formats import kept
from reviewer.imports.formats.parts import agent_relay
from reviewer.imports.formats.parts.record_groups import grouped_conversations
from reviewer.imports.formats.parts.span_table import SpanTable
from reviewer.imports.messages import chat, prompts, trace_tree, traces
from reviewer.imports.messages.content import filled, first_of, listed, mapping, raw, text_of, text_or_none
from reviewer.imports.messages.items import items_of
from reviewer.imports.source import BadRecord, Extract, Item, Source, compact, unfolded
from reviewer.transcripts.model import Conversation, Message, Score, ToolCall

NAME = "openai-agents"
TITLE = "OpenAI Agents SDK traces and sessions"

_LISTS = ("data", "spans", "traces", "items")
_SPANS = SpanTable(
    id=("id", "span_id"),
    parent=("parent_id",),
    trace=("trace_id",),
    name=("span_data.name",),
    start=("started_at", "start_time"),
    end=("ended_at", "end_time"),
    kind=("span_data.type",),
    kinds={"response": "llm", "generation": "llm", "function": "tool", "agent": "agent"},
    input=("span_data.input",),
    output=("span_data.output",),
)
_ITEMS = ("function_call", "function_call_output", "reasoning", "message", "handoff", "item_reference")
_SESSION = ("session_id", "created_at", "updated_at", "message_data", "id")


def mine(source: Source) -> bool:
    """True if a record is a trace or a span, or lists some; or the file is a session's items."""
    return any(_is_traced(row) for row in _rows(source.glance)) or _is_session(source)


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a group of traces each, else a trace; or a session."""
    rows_of, conversation_of = (_items, _session_of) if _is_session(source) else (_spans, _conversation)
    silent = "traces without the words of any call: passed over"
    return grouped_conversations(source, rows_of, conversation_of, silent, _joins)


def _spans(position: str, record: Any) -> Iterator[BadRecord | tuple[str, Mapping[str, Any]]]:
    """The traces and spans of a record, each under its trace."""
    rows = list(filter(_is_traced, _rows(record)))
    if not rows:
        yield BadRecord(position, "no trace and no span in it", kept(record))
    for row in rows:
        own = first_of(row, "id", "trace_id") if "span_data" not in row else first_of(row, "trace_id", "id")
        yield f"trace {text_of(raw(own))}", row


def _joins(key: str, row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if row.get("group_id"):
        yield key, f"group {row['group_id']}"


def _rows(record: Any) -> Iterator[Mapping[str, Any]]:
    """The traces and spans of a record: itself, or those in what is around them."""
    held = mapping(record)
    if not _is_traced(held):
        inner = held.get("data")
        yield from _rows(inner) if isinstance(inner, Mapping) else ()
        for name in _LISTS:
            for each in listed(held.get(name)):
                yield from _rows(each)
        if isinstance(held.get("trace"), Mapping):
            yield from _rows(held["trace"])
        return
    yield {key: value for key, value in held.items() if key != "spans"}
    for each in listed(held.get("spans")):
        yield from _rows({"trace_id": first_of(held, "id", "trace_id"), **mapping(each)})


def _is_traced(value: Mapping[str, Any]) -> bool:
    """True if a value is a trace or one of its spans."""
    data = value.get("span_data")
    if isinstance(data, Mapping):
        return "type" in data and any(name in value for name in ("trace_id", "id", "span_id"))
    return value.get("object") == "trace" or ("workflow_name" in value and ("group_id" in value or "spans" in value))


def _conversation(key: str, held: list[Mapping[str, Any]]) -> Extract | None:
    """The conversation that the spans of a group, or of a trace without one, tell."""
    about = [row for row in held if "span_data" not in row]
    rows = {text_of(raw(first_of(row, "id", "span_id"))): row for row in held if "span_data" in row}
    in_file_order = [_span(row) for row in rows.values()]
    spans = trace_tree.in_order(in_file_order)
    made = agent_relay.conversation(spans)
    if made is None:
        return None
    group = next((text_or_none(row["group_id"]) for row in about if row.get("group_id")), None)
    workflow = next((text_or_none(row.get("workflow_name")) for row in about), None)
    stated = {str(name): value for row in about for name, value in mapping(row.get("metadata")).items()}
    data = [mapping(row["span_data"]) for row in rows.values()]
    made = replace(
        made,
        id=group or made.id,
        messages=_with_errors(made.messages, spans),
        scores=tuple(_guards(data)),
        meta=filled(workflow=workflow, **{k: v for k, v in stated.items() if isinstance(v, str | int | float)}),
        extra=filled(handoffs=[_handoff(each) for each in data if each.get("type") == "handoff"]),
    )
    return Extract(key, made, run=traces.run_of(in_file_order, "OpenAI Agents SDK"))


def _span(row: Mapping[str, Any]) -> trace_tree.TraceSpan:
    data = mapping(row.get("span_data"))
    response = mapping(unfolded(first_of(data, "response", "_response")))
    span = _SPANS.span(row, _failure(row))
    if span.tool is not None:
        result = span.error if span.tool.result is None else span.tool.result
        span.tool, span.error = replace(span.tool, result=result, at=span.start), None
    elif span.kind == "llm":
        span.asked, span.answered = _asked(data, response), _answered(data, response)
    span.model = text_of(response.get("model") or data.get("model"))
    span.usage = mapping(response.get("usage")) or data.get("usage")
    span.tools = tuple(tool for tool in listed(response.get("tools")) if isinstance(tool, Mapping))
    span.agent = text_or_none(span.name) if span.kind == "agent" else None
    return span


def _failure(row: Mapping[str, Any]) -> str | None:
    """Return the error of a span with the details that the SDK adds."""
    error = row.get("error")
    if not isinstance(error, Mapping):
        return text_or_none(error)
    detail = mapping(error.get("data")).get("error")
    return ": ".join(text_of(part) for part in (error.get("message"), detail) if part) or compact(error)


def _asked(data: Mapping[str, Any], response: Mapping[str, Any]) -> list[prompts.Said]:
    """The input of a call: its instructions, then items or messages."""
    given = unfolded(data.get("input"))
    items = [{"role": "user", "content": given}] if isinstance(given, str) else listed(given)
    said = [dict(each) for each in items if isinstance(each, Mapping)]
    orders = response.get("instructions")
    instructed = isinstance(orders, str) and orders and all(each.get("role") != "system" for each in said)
    return [{"role": "system", "content": orders}, *said] if instructed else said


def _answered(data: Mapping[str, Any], response: Mapping[str, Any]) -> list[prompts.Said]:
    made = unfolded(first_of(response, "output") or data.get("output"))
    if isinstance(made, str):
        return [{"role": "assistant", "content": made}]
    if isinstance(made, Mapping):
        return prompts.answered(made)
    wrapped = [mapping(each).get("message") or each for each in listed(made)]
    return [dict(each) for each in wrapped if isinstance(each, Mapping)]


def _with_errors(messages: tuple[Message, ...], spans: list[trace_tree.TraceSpan]) -> tuple[Message, ...]:
    """The messages with the errors of calls whose results the model was told as if nothing had happened."""
    failed = [span.tool for span in spans if span.tool is not None and span.tool.error]
    if not failed:
        return messages
    open_: dict[tuple[str, str, str | None], list[str | None]] = {}
    for tool in failed:
        open_.setdefault(_call_key(tool), []).append(tool.error)
    made = []
    for message in messages:
        calls = [
            replace(call, error=open_[_call_key(call)].pop(0))
            if open_.get(_call_key(call)) and not call.error
            else call
            for call in message.calls
        ]
        made.append(replace(message, calls=tuple(calls)) if calls else message)
    return tuple(made)


def _call_key(call: ToolCall) -> tuple[str, str, str | None]:
    given = unfolded(call.arguments)
    return call.name, compact(given) if isinstance(given, dict) else call.arguments or "", call.result


def _guards(data: list[Mapping[str, Any]]) -> Iterator[Score]:
    """The results of the guardrails, each one once: if any of its checks was triggered."""
    triggered: dict[str, bool] = {}
    for each in data:
        if each.get("type") == "guardrail":
            name = text_of(each.get("name")) or "guardrail"
            triggered[name] = triggered.get(name, False) or each.get("triggered") is True
    yield from (
        Score(name, float(value), "guardrail", raw="triggered" if value else "passed")
        for name, value in triggered.items()
    )


def _handoff(data: Mapping[str, Any]) -> str:
    return f"{text_of(data.get('from_agent'))} to {text_of(data.get('to_agent'))}"


def _is_session(source: Source) -> bool:
    """True if the file is a session: rows of its table, or items of which some are bare messages."""
    if isinstance(unfolded(source.record.get("message_data")), Mapping):
        return True
    if not isinstance(source.record.get("role"), str) or "type" in source.record:
        return False
    if not source.is_lines and not isinstance(source.document, list):
        return False
    first = [mapping(record) for _, record in islice(source.records(), 50)]
    return any("role" not in item and item.get("type") in _ITEMS and _is_item(item) for item in first)


def _is_item(item: Mapping[str, Any]) -> bool:
    return any(name in item for name in ("call_id", "summary", "content", "id"))


def _items(position: str, record: Any) -> Iterator[BadRecord | tuple[str, Mapping[str, Any]]]:
    """An item of a session, out of the row that holds it, under its session."""
    held = mapping(record)
    if not held:
        yield BadRecord(position, "no trace and no span in it", kept(record))
        return
    item = unfolded(held.get("message_data"))
    rest = {key: value for key, value in held.items() if key not in _SESSION}
    made = dict(item) if isinstance(item, Mapping) else dict(held) if "message_data" not in held else rest
    if isinstance(item, Mapping) and held.get("created_at") and "role" in made:
        made.setdefault("created_at", held["created_at"])
    session = held.get("session_id") if "message_data" in held else None
    yield f"session {session}" if session is not None else "the session", {"item": made}


def _session_of(key: str, held: list[Mapping[str, Any]]) -> Extract | None:
    """A session as one conversation."""
    named = key.removeprefix("session ") if key.startswith("session ") else None
    messages = chat.tied(items_of(row.get("item") for row in held))
    return Extract(key, Conversation("", messages, id=named, started=messages[0].at if messages else None))
