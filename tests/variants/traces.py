"""Traces: Langfuse and OpenTelemetry in their envelopes and conventions."""

from __future__ import annotations

import json
from typing import Any

from tests.variants.kit import ASK, CALL, CALLED, SAID, SHORT, TOLD, Variant, lines


def traces() -> dict[str, Variant]:
    """Langfuse pages, sessions and traces alone; frameworks' own prompts and answers."""

    def trace(**more: Any) -> dict[str, Any]:
        return {"id": "t", "timestamp": "2026-01-01T00:00:00Z", "name": "desk", **more}

    def seen(id: str, kind: str, at: int, asked: Any, answered: Any, **more: Any) -> dict[str, Any]:
        times = {"startTime": f"2026-01-01T00:00:0{at}Z", "endTime": f"2026-01-01T00:00:0{at}.5Z"}
        return {"id": id, "traceId": "t", "type": kind, **times, "input": asked, "output": answered, **more}

    alone = trace(input={"messages": [ASK]}, output="Shipped.", scores=["an-id"], observations=["an-id"])
    gemini = {"candidates": [{"content": {"role": "model", "parts": [{"text": "Shipped."}]}}]}
    by_name = {"role": "get_order", "content": "shipped"}
    again = [ASK, CALLED, by_name]
    written = [{"function": {"name": "get_order", "arguments": {"id": 7}}, "id": "c1", "type": "function"}]
    return {
        "trace.json": Variant("langfuse", alone, [SHORT]),
        "page.json": Variant("langfuse", {"data": [alone], "meta": {"page": 1}}, [SHORT]),
        "langfuse-session.json": Variant("langfuse", {"id": "s", "traces": [alone]}, [SHORT]),
        "observations.jsonl": Variant(
            "langfuse",
            lines(
                {
                    "id": "o",
                    "trace_id": "t",
                    "type": "GENERATION",
                    "start_time": "2026-01-01 00:00:00",
                    "input": json.dumps([ASK]),
                    "output": json.dumps(SAID),
                    "provided_model_name": "m",
                }
            ),
            [SHORT],
        ),
        "gemini.json": Variant("langfuse", [seen("a", "GENERATION", 1, {"contents": "Where is #7?"}, gemini)], [SHORT]),
        "arguments.json": Variant(
            "langfuse", [seen("a", "GENERATION", 1, {"args": ["Where is #7?"], "kwargs": {}}, "Shipped.")], [SHORT]
        ),
        "chunk.json": Variant(
            "langfuse", [seen("a", "GENERATION", 1, [ASK], {"content": "Shipped.", "type": "AIMessageChunk"})], [SHORT]
        ),
        "by-name.json": Variant(
            "langfuse", [seen("a", "GENERATION", 1, [ASK], CALLED), seen("b", "GENERATION", 2, again, SAID)], [TOLD]
        ),
        "as-content.json": Variant(
            "langfuse",
            [
                seen("a", "GENERATION", 1, [ASK], [{"role": "assistant", "content": written}]),
                seen("b", "TOOL", 2, {"input": {"id": 7}}, "shipped", name="get_order"),
                seen("c", "GENERATION", 3, [], SAID),
            ],
            [TOLD],
        ),
    }


def spans() -> dict[str, Variant]:
    """OpenTelemetry by its older conventions, in other envelopes, and as Phoenix keeps it."""
    asked, said = json.dumps([ASK]), json.dumps([SAID])
    chat = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
    full = {**chat, "gen_ai.input.messages": asked, "gen_ai.output.messages": said}
    at = {"name": "chat", "start_time": 1_800_000_000_000_000_000, "end_time": 1_800_000_001_000_000_000}

    def span(attributes: Any, *events: Any, id: str = "a", **more: Any) -> dict[str, Any]:
        return {**at, "trace_id": "t", "span_id": id, "attributes": attributes, "events": list(events), **more}

    def typed(attributes: dict[str, str], kind: str) -> list[Any]:
        return [{"key": key, "value": {kind: value}} for key, value in attributes.items()]

    flat = {"llm.request.type": "chat", "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": ASK["content"]}
    call = {"id": "c1", "name": "get_order", "arguments": '{"id":7}'}
    called = {f"gen_ai.completion.0.tool_calls.0.{key}": value for key, value in call.items()}
    tool = {"traceloop.span.kind": "tool", "traceloop.entity.name": "get_order"}
    tool |= {"traceloop.entity.input": '{"id": 7}', "traceloop.entity.output": "shipped"}
    later = {**flat, "gen_ai.completion.0.content": "Shipped.", "gen_ai.completion.0.role": "assistant"}
    content = {"key": "content", "value": {"stringValue": ASK["content"]}}
    message = {"key": "message", "value": {"kvlistValue": {"values": typed({"content": "Shipped."}, "stringValue")}}}
    logs = [
        {"eventName": "gen_ai.user.message", "body": {"kvlistValue": {"values": [content]}}},
        {
            "attributes": typed({"event.name": "gen_ai.choice"}, "stringValue"),
            "body": {"kvlistValue": {"values": [message]}},
        },
    ]
    logged = [
        {"traceId": "t", "spanId": "a", "timeUnixNano": f"180000000{n}000000000", **log} for n, log in enumerate(logs)
    ]
    nested = {"llm": {"input_messages": [{"message": ASK}], "output_messages": [{"message": SAID}]}}
    phoenix = {"name": "chat", "span_kind": "LLM", "start_time": "2026-01-01T00:00:00Z", "status_code": "OK"}
    context = {"trace_id": "t", "span_id": "a"}
    rows = {
        "attributes.llm.input_messages": [{"message.role": "user", "message.content": ASK["content"]}],
        "attributes.llm.output_messages": [{"message.role": "assistant", "message.content": "Shipped."}],
        **{f"context.{key}": value for key, value in context.items()},
    }
    other = {"id": "c0", "function": {"name": "get_user", "arguments": "{}"}}
    dotted = {**at, "traceId": "t", "spanId": "a", "attributes": typed(full, "stringValue")}
    snake = {**at, "trace_id": "t", "span_id": "a", "attributes": typed(full, "string_value")}
    printed = json.dumps(span(full), indent=4) + "\n" + json.dumps(span({}, id="b"), indent=4) + "\n"
    return {
        "traceloop.json": Variant("otel", [span({**flat, **called}), span(tool, id="b"), span(later, id="c")], [TOLD]),
        "content-events.json": Variant(
            "otel",
            [
                span(
                    chat,
                    {"name": "gen_ai.content.prompt", "attributes": {"gen_ai.prompt": asked}},
                    {"name": "gen_ai.content.completion", "attributes": {"gen_ai.completion": said}},
                )
            ],
            [SHORT],
        ),
        "body-events.json": Variant(
            "otel",
            [
                span(
                    chat,
                    {"name": "gen_ai.user.message", "body": {"content": ASK["content"]}},
                    {"name": "gen_ai.choice", "body": {"index": 0, "message": SAID}},
                )
            ],
            [SHORT],
        ),
        "block-events.json": Variant("otel", blocks_in_events(), [TOLD]),
        "tool-events.json": Variant(
            "otel",
            [
                span(
                    chat,
                    {"name": "gen_ai.user.message", "attributes": {"content": ASK["content"]}},
                    {"name": "gen_ai.assistant.message", "attributes": {"tool_calls": json.dumps([other, CALL])}},
                    {"name": "gen_ai.tool.message", "attributes": {"content": "shipped", "id": "c1"}},
                    {"name": "gen_ai.choice", "attributes": {"message": json.dumps(SAID)}},
                )
            ],
            [[TOLD[0], 'agent get_user({}) = ? get_order({"id":7}) = shipped', TOLD[2]]],
        ),
        "snake.json": Variant("otel", {"resource_spans": [{"scope_spans": [{"spans": [snake]}]}]}, [SHORT]),
        "batches.json": Variant("otel", {"batches": [{"scopeSpans": [{"spans": [dotted]}]}]}, [SHORT]),
        "logs.jsonl": Variant("otel", lines({"resourceLogs": [{"scopeLogs": [{"logRecords": logged}]}]}), [SHORT]),
        "printed.log": Variant("otel", printed.encode(), [SHORT]),
        "phoenix.json": Variant("otel", [{**phoenix, "context": context, "attributes": nested}], [SHORT]),
        "phoenix.jsonl": Variant("otel", lines({**phoenix, **rows}), [SHORT]),
    }


def blocks_in_events() -> list[dict[str, Any]]:
    """Bedrock's blocks folded into the events of model and tool spans."""

    def event(name: str, key: str, *blocks: Any) -> dict[str, Any]:
        return {"name": f"gen_ai.{name}", "attributes": {key: json.dumps(blocks)}}

    use = {"toolUse": {"toolUseId": "c1", "name": "get_order", "input": {"id": 7}}}
    result = {"toolResult": {"toolUseId": "c1", "status": "success", "content": [{"text": "shipped"}]}}
    asked = event("user.message", "content", {"text": ASK["content"]})
    tool = {"gen_ai.tool.name": "get_order", "gen_ai.tool.call.id": "c1"}
    later = [event("assistant.message", "content", use), event("tool.message", "content", result)]
    said = event("choice", "message", {"text": "Shipped."})
    told: list[tuple[str, dict[str, Any], list[Any]]] = [
        ("chat", {}, [asked, event("choice", "message", use)]),
        ("execute_tool", tool, [event("choice", "message", {"text": "shipped"})]),
        ("chat", {}, [asked, *later, said]),
    ]
    return [
        {
            "trace_id": "t",
            "span_id": str(n),
            "name": operation,
            "start_time": 1_800_000_000 + n,
            "attributes": {"gen_ai.operation.name": operation, **more},
            "events": events,
        }
        for n, (operation, more, events) in enumerate(told)
    ]
