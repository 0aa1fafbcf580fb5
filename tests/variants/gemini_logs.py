"""What Gemini's API, Vertex AI and Gemini's command line log."""

from __future__ import annotations

import json
from typing import Any

from tests.variants.kit import Variant, lines


def gemini() -> dict[str, Variant]:
    """Requests with their responses, logged, batched and streamed; contents alone; the command line's chats."""
    ask = {"role": "user", "parts": [{"text": "Where is #7? 🙂\n"}]}
    call = {"functionCall": {"name": "get_order", "args": {"id": 7}}, "thoughtSignature": "c2ln"}
    thought = {"text": "Hm.", "thought": True}
    answer = {"functionResponse": {"name": "get_order", "response": {"status": "shipped"}}}
    said = [{"text": "Ship"}, {"text": "ped."}]
    called: list[dict[str, Any]] = [
        ask,
        {"role": "model", "parts": [thought, call]},
        {"role": "user", "parts": [answer]},
    ]
    usage = {
        "promptTokenCount": 10,
        "candidatesTokenCount": 4,
        "thoughtsTokenCount": 3,
        "cachedContentTokenCount": 6,
    }
    about = {"modelVersion": "gemini-2.5-flash", "responseId": "r1", "createTime": "2026-01-01T00:00:00Z"}
    response: dict[str, Any] = {
        "candidates": [{"content": {"role": "model", "parts": said}, "finishReason": "STOP", "avgLogprobs": -0.1}],
        "usageMetadata": {**usage, "toolUsePromptTokenCount": 2},
        **about,
    }
    request: dict[str, Any] = {
        "systemInstruction": {"parts": [{"text": "Be kind."}]},
        "contents": called,
        "tools": [{"functionDeclarations": [{"name": "get_order"}]}, {"googleSearch": {}}],
        "generationConfig": {"temperature": 0},
        "labels": {"team": "desk"},
    }
    told = [
        "system Be kind.",
        "customer Where is #7? 🙂\n",
        'agent <Hm.> get_order({"id":7}) = {"status":"shipped"}',
        "agent Shipped.",
    ]
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 1}}
    batch = [
        {"key": "a", "request": request, "response": response, "status": "", "processed_time": "2026-01-01"},
        {"key": "b", "request": {"contents": [ask]}, "response": blocked},
        {"key": "c", "request": {"contents": [ask]}, "status": "Bad request."},
    ]
    chunks = [
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "Ship"}]}}], **about},
        {"candidates": [{"content": {"parts": [{"text": "ped."}]}, "finishReason": "MAX_TOKENS"}]},
        {"usageMetadata": usage},
    ]
    row: dict[str, Any] = {
        "endpoint": "e",
        "logging_time": "2026-01-01 00:00:00 UTC",
        "request_id": "7",
        "api_method": "x",
    }
    row |= {"model": "publishers/google/models/gemini-2.5-pro", "metadata": '{"env":"test"}', "otel_log": None}
    bare = {"anthropic_version": "vertex", "system": "Be kind.", "messages": [{"role": "user", "content": "Hi"}]}
    hello = {"role": "assistant", "content": [{"type": "text", "text": "Hello."}], "usage": {"input_tokens": 3}}
    rows = [
        {**row, "full_request": json.dumps({"contents": [ask]}), "full_response": json.dumps(chunks)},
        {**row, "full_request": bare, "full_response": {**hello, "model": "claude-sonnet-4-5", "id": "m"}},
    ]
    two = [{"content": {"parts": [{"text": word}]}, "index": n} for n, word in enumerate(("One.", "Two."))]
    coded = [
        {"executable_code": {"language": "PYTHON", "code": "print(1)"}},
        {"code_execution_result": {"outcome": "OUTCOME_FAILED", "output": "no"}},
        {"inline_data": {"mime_type": "image/png", "data": "AAAA"}},
        {"fileData": {"fileUri": "gs://b/x.pdf", "mimeType": "application/pdf"}},
        {"text": "Done."},
    ]
    counted = {"prompt_token_count": 1, "candidates_token_count": 2}
    dumped: dict[str, Any] = {
        "contents": "Hi",
        "candidates": two,
        "usage_metadata": counted,
    }
    result = [{"functionResponse": {"id": "c1", "name": "get_order", "response": {"output": "shipped"}}}]
    refused = [{"functionResponse": {"id": "c2", "name": "rm", "response": {"error": "denied"}}}]
    calls = [
        {"id": "c1", "name": "get_order", "args": {"id": 7}, "result": result, "status": "success", "timestamp": "t"},
        {"id": "c2", "name": "rm", "args": {}, "result": refused, "status": "error", "resultDisplay": "denied"},
        {"id": "c3", "name": "ls", "args": {}, "result": None, "status": "cancelled"},
    ]
    about = {"sessionId": "s", "projectHash": "h", "startTime": "2026-01-01T00:00:00Z", "lastUpdated": "2026-01-02"}
    tokens = {"input": 10, "output": 4, "cached": 6, "thoughts": 3, "tool": 2, "total": 19}
    hm = {"subject": "Order", "description": "Look it up.", "timestamp": "t"}
    asked = {"id": "1", "timestamp": "2026-01-01T00:00:01Z", "type": "user", "content": "Where is #7?"}
    looked: dict[str, Any] = {
        "id": "2",
        "timestamp": "2026-01-01T00:00:02Z",
        "type": "gemini",
        "content": "",
        "toolCalls": calls,
    }
    looked = {**looked, "thoughts": [hm], "tokens": tokens, "model": "gemini-2.5-pro"}
    done = {"id": "3", "type": "gemini", "content": [{"text": "Shipped."}], "model": "gemini-2.5-flash"}
    note = {"id": "4", "type": "info", "content": "Stopped."}
    masked = {**asked, "content": [{"text": "(hidden)"}]}
    log = [
        {**about, "kind": "main"},
        {**asked, "id": "0", "content": [{"text": "Hello?"}]},
        {"$rewindTo": "0"},
        asked,
        {**looked, "toolCalls": calls[:1]},
        {"$set": {"lastUpdated": "2026-01-03"}},
        looked,
        {"$set": {"messages": [masked, {"id": "9", "type": "user", "content": [*result, {"text": "In short."}]}]}},
        done,
        note,
    ]
    chat = [
        "customer Where is #7?",
        'agent <Order\nLook it up.> get_order({"id":7}) = shipped rm({}) = denied ls({}) = ?',
        "agent Shipped.",
        "system Stopped.",
    ]
    saved = [
        {"role": "user", "text": "Where is #7?", "tokenCount": 5},
        {"role": "user", "driveDocument": {"id": "d1"}},
        {"role": "model", "text": "Hm.", "isThought": True, "tokenCount": 3, "parts": [{"text": "Hm."}]},
        {"role": "model", "text": "Shipped.", "tokenCount": 4, "finishReason": "STOP"},
    ]
    studio = {"runSettings": {"model": "models/gemini-2.5-pro", "temperature": 1.0}, "chunkedPrompt": {"chunks": saved}}
    return {
        "ai-studio.json": Variant(
            "gemini",
            {**studio, "systemInstruction": {"text": "Be kind."}},
            [["system Be kind.", "customer Where is #7?", "customer [driveDocument]", "agent Shipped. <Hm.>"]],
        ),
        "gemini-pair.json": Variant("gemini", {"request": request, "response": response}, [told]),
        "gemini-batch.jsonl": Variant("gemini", lines(*batch), [told, [told[1]], [told[1]]]),
        "gemini-rows.jsonl": Variant(
            "gemini", lines(*rows), [[told[1], "agent Shipped."], ["system Be kind.", "customer Hi", "agent Hello."]]
        ),
        "gemini-flat.json": Variant("gemini", dumped, [["customer Hi", "agent One."]]),
        "gemini-client.json": Variant(
            "gemini",
            {"contents": called[:1], "config": {"system_instruction": "Be kind.", "temperature": 0.0}},
            [told[:2]],
        ),
        "gemini-tuning.jsonl": Variant("gemini", lines(request, {"contents": called[:1]}), [told[:3], [told[1]]]),
        "gemini-parts.json": Variant(
            "gemini",
            [{"role": "user", "parts": [{"text": "Run it."}]}, {"role": "model", "parts": coded}],
            [
                [
                    "customer Run it.",
                    "agent [inlineData: image/png]\n[fileData: gs://b/x.pdf]\nDone. code_execution(print(1)) = no",
                ]
            ],
        ),
        "checkpoint-x.json": Variant("gemini", {"history": called, "authType": "oauth"}, [told[1:3]]),
        "session-x.json": Variant("gemini", {**about, "messages": [asked, looked, done, note]}, [chat]),
        "session-x.jsonl": Variant("gemini", lines(*log), [[*chat[:2], "customer In short.", *chat[2:]]]),
    }
