"""Requests to a model as Bedrock and gateways log them, each with its response."""

from __future__ import annotations

import json
from typing import Any

from tests.variants.kit import ASK, CALLED, RESULT, SAID, SHORT, TOLD, Variant, lines

ASKED = {"role": "user", "content": [{"text": "Where is #7?"}]}
USE = {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "get_order", "input": {"id": 7}}}]}
USED = {"role": "user", "content": [{"toolResult": {"toolUseId": "t1", "content": [{"json": {"status": "shipped"}}]}}]}
SHIPPED = {"role": "assistant", "content": [{"text": "Shipped."}]}
TOOLS = {"tools": [{"toolSpec": {"name": "get_order", "inputSchema": {"json": {"type": "object"}}}}]}


def converse(message: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A response of Converse."""
    usage = {"inputTokens": 10, "outputTokens": 4, "totalTokens": 20, "cacheReadInputTokens": 6}
    return {
        "output": {"message": message},
        "stopReason": "end_turn",
        "usage": usage,
        "metrics": {"latencyMs": 9},
        **more,
    }


def invocation(id: str, at: str, given: Any, made: Any, **more: Any) -> dict[str, Any]:
    """A log of one invocation."""
    told: dict[str, Any] = {
        "schemaType": "ModelInvocationLog",
        "schemaVersion": "1.0",
        "timestamp": at,
        "requestId": id,
    }
    told |= {"accountId": "1", "identity": {"arn": "arn:aws:sts::1:assumed-role/desk/x"}, "region": "eu-west-1"}
    told |= {"operation": "InvokeModel", "modelId": "arn:aws:bedrock:eu-west-1::foundation-model/some.model-v1:0"}
    asked = {"inputContentType": "application/json", "inputBodyJson": given, "inputTokenCount": 12}
    answered = {"outputContentType": "application/json", "outputBodyJson": made, "outputTokenCount": 5}
    return {**told, "input": asked, "output": answered, **more}


STREAMED: list[dict[str, Any]] = [
    {"type": "message_start", "message": {"role": "assistant", "content": [], "usage": {"input_tokens": 12}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Let me "}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "see."}},
    {
        "type": "content_block_start",
        "index": 2,
        "content_block": {"type": "tool_use", "id": "t1", "name": "get_order", "input": {}},
    },
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": '{"id"'}},
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": ": 7}"}},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 5}},
    {"type": "message_stop", "amazon-bedrock-invocationMetrics": {"inputTokenCount": 12}},
]
NOVA: list[dict[str, Any]] = [
    {"messageStart": {"role": "assistant"}},
    {"contentBlockDelta": {"delta": {"text": "Ship"}, "contentBlockIndex": 0}},
    {"contentBlockDelta": {"delta": {"text": "ped."}, "contentBlockIndex": 0}},
    {"contentBlockStart": {"start": {"toolUse": {"toolUseId": "n", "name": "done"}}, "contentBlockIndex": 1}},
    {"contentBlockDelta": {"delta": {"toolUse": {"input": "{}"}}, "contentBlockIndex": 1}},
    {"messageStop": {"stopReason": "tool_use"}},
    {"metadata": {"usage": {"inputTokens": 3, "outputTokens": 2}}},
]
LLAMA = (
    "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nBe kind.<|eot_id|><|start_header_id|>user"
    "<|end_header_id|>\n\nWhere is #7?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n"
)


def bedrock() -> dict[str, Variant]:
    """Converse in its envelopes, and logs of invocations of several models' bodies."""
    request = {
        "modelId": "m",
        "messages": [ASKED],
        "system": [{"text": "Be kind."}, {"cachePoint": {"type": "default"}}],
    }
    later = {**request, "messages": [ASKED, USE, USED], "toolConfig": TOOLS}
    files = [
        {"text": "See."},
        {"image": {"format": "png", "source": {"bytes": "AA" * 3000}}},
        {"document": {"format": "pdf", "name": "bill", "source": {"bytes": "AA"}}},
        {"cachePoint": {"type": "default"}},
    ]
    thought = {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "s"}}}
    thoughtful = {"role": "assistant", "content": [thought, {"text": "Shipped."}]}
    told = [
        "system Be kind.",
        "customer Where is #7?",
        'agent get_order({"id":7}) = {"status":"shipped"}',
        "agent Shipped.",
    ]
    pair = [
        {"sessionId": "s", "request": later, "response": converse(SHIPPED), "timestamp": "2026-01-01T00:00:02Z"},
        {"sessionId": "s", "request": request, "response": converse(USE), "timestamp": "2026-01-01T00:00:00Z"},
        {"request": request, "response": converse(thoughtful)},
    ]
    text = [{"type": "text", "text": "Where is #7?"}]
    anthropic = {
        "anthropic_version": "bedrock-2023-05-31",
        "system": "Be kind.",
        "messages": [{"role": "user", "content": text}],
    }
    llama = {"generation": "Shipped.", "prompt_token_count": 9, "generation_token_count": 3, "stop_reason": "stop"}
    logs = [
        invocation("r1", "2026-01-01T00:00:00Z", anthropic, STREAMED),
        invocation("r2", "2026-01-01T00:00:01Z", {"prompt": LLAMA, "temperature": 0.1}, llama),
        invocation("r3", "2026-01-01T00:00:02Z", {"messages": [ASKED], "schemaVersion": "messages-v1"}, NOVA),
        invocation(
            "r4", "2026-01-01T00:00:03Z", json.dumps({"inputText": "Hi"}), {"results": [{"outputText": "Hello."}]}
        ),
        invocation("r5", "2026-01-01T00:00:04Z", {"messages": [ASKED]}, None, errorCode="ThrottlingException"),
    ]
    event = {"id": "e", "timestamp": 1_800_000_000_000, "message": json.dumps(logs[1])}
    batch = {"recordId": "1", "modelInput": anthropic, "modelOutput": {"role": "assistant", "content": text}}
    kind = ["system Be kind.", "customer Where is #7?"]
    return {
        "converse-pair.json": Variant("bedrock", {"request": later, "response": converse(SHIPPED)}, [told]),
        "converse-flat.json": Variant("bedrock", {**later, **converse(SHIPPED)}, [told]),
        "converse-session.jsonl": Variant("bedrock", lines(*pair), [[*kind, "agent Shipped. <Hm.>"], told]),
        "converse-files.json": Variant(
            "bedrock",
            {"messages": [{"role": "user", "content": files}], **converse(SHIPPED)},
            [["customer See.\n[image: png]\n[document: bill]", "agent Shipped."]],
        ),
        "invocations.jsonl": Variant(
            "bedrock",
            lines(*logs),
            [
                [*kind, 'agent Let me see. <Hm.> get_order({"id": 7}) = ?'],
                [*kind, "agent Shipped."],
                ["customer Where is #7?", "agent Shipped. done({}) = ?"],
                ["customer Hi", "agent Hello."],
                ["customer Where is #7?"],
            ],
        ),
        "invocation-events.json": Variant("bedrock", {"logEvents": [event]}, [[*kind, "agent Shipped."]]),
        "invocation-batch.jsonl": Variant("bedrock", lines(batch), [[*kind, "agent Where is #7?"]]),
    }


def completion(message: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A response of OpenAI's chat."""
    usage = {"prompt_tokens": 11, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 8}}
    return {
        "id": "cmpl",
        "model": "m",
        "choices": [{"message": message, "finish_reason": "stop"}],
        "usage": usage,
        **more,
    }


def litellm(id: str, at: float, asked: Any, answered: Any, **more: Any) -> dict[str, Any]:
    """LiteLLM's standard logging payload."""
    told: dict[str, Any] = {
        "id": id,
        "trace_id": id,
        "session_id": "",
        "call_type": "acompletion",
        "model": "m",
        "status": "success",
    }
    told |= {"startTime": at, "endTime": at + 1, "response_cost": 0.25, "prompt_tokens": 11, "completion_tokens": 3}
    return {
        **told,
        "messages": asked,
        "response": answered,
        "metadata": {},
        "model_parameters": {"temperature": 0},
        **more,
    }


def helicone(id: str, at: str, asked: Any, answered: Any, **more: Any) -> dict[str, Any]:
    """A row of Helicone's requests."""
    told: dict[str, Any] = {
        "request_id": id,
        "request_created_at": at,
        "response_status": 200,
        "provider": "OPENAI",
        "costUSD": 0.5,
    }
    return {**told, "request_body": asked, "response_body": answered, "request_model": "m", **more}


def gateways() -> dict[str, Variant]:
    """LiteLLM's payloads and spend logs, Helicone's rows and pages, Portkey's exports."""
    at = 1_800_000_000.0
    session = {"litellm_session_id": "s"}
    payloads = [
        litellm("b", at + 5, [ASK, CALLED, RESULT], completion(SAID), **session),
        litellm("c", at + 9, [ASK], {}, trace_id="c", status="failure", error_str="Timeout"),
        litellm("a", at, [ASK], completion(CALLED), **session, request_tags=["demo"]),
    ]
    spend: dict[str, Any] = {
        "request_id": "q",
        "call_type": "aresponses",
        "spend": 0.1,
        "startTime": "2026-01-01T00:00:00+00:00",
        "model": "m",
        "session_id": "s",
        "messages": "{}",
        "metadata": '{"status": "success"}',
        "proxy_server_request": json.dumps({"input": "Where is #7?", "tools": [{"name": "get_order"}]}),
        "response": json.dumps(completion(SAID)),
    }
    named = {
        "Helicone-Session-Id": "s",
        "Helicone-Session-Path": "/desk",
        "Helicone-Session-Name": "Desk",
        "plan": "pro",
    }
    tail = {"request_properties": named, "scores": {"tone": {"value": 80, "valueType": "number"}}}
    anthropic = {"system": "Be kind.", "messages": [ASK], "tools": [{"name": "get_order", "input_schema": {}}]}
    use = {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "get_order", "input": {"id": 7}}]}
    given = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "shipped"}]}
    end = {"role": "assistant", "content": [{"type": "text", "text": "Shipped."}], "usage": {"input_tokens": 5}}
    rows = [
        helicone("2", "2026-01-01T00:00:05Z", {**anthropic, "messages": [ASK, use, given]}, end, **tail),
        helicone("1", "2026-01-01T00:00:00Z", anthropic, use, request_properties=named, feedback={"rating": True}),
        helicone("4", "2026-01-01T00:00:09Z", {"messages": [ASK]}, {"error": {"message": "busy"}}, response_status=429),
    ]
    chunks = [{"choices": [{"delta": {"content": text}}]} for text in ("Ship", "ped.")]
    wire = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n"
    portkey: dict[str, Any] = {
        "id": "p",
        "trace_id": "t",
        "created_at": "2026-01-01T00:00:00Z",
        "ai_org": "openai",
        "ai_model": "m",
        "cost": 25,
        "is_success": True,
        "req_units": 4,
        "res_units": 2,
        "request": {"method": "POST", "body": {"messages": [ASK]}},
        "response": {"status": 200, "body": wire},
    }
    return {
        "litellm.jsonl": Variant("gateways", lines(*payloads), [TOLD, [TOLD[0]]]),
        "litellm-spend.json": Variant("gateways", {"data": [spend], "total": 1}, [SHORT]),
        "litellm-callback.json": Variant(
            "gateways", {"standard_logging_object": litellm("a", at, [ASK], completion(SAID))}, [SHORT]
        ),
        "helicone.jsonl": Variant("gateways", lines(*rows), [[TOLD[0]], ["system Be kind.", *TOLD]]),
        "helicone-page.json": Variant("gateways", {"data": rows[2:], "error": None}, [[TOLD[0]]]),
        "portkey.jsonl": Variant("gateways", lines(portkey), [SHORT]),
    }
