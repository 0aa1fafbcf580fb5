"""What agent frameworks keep of one agent: Google ADK, PydanticAI."""

from __future__ import annotations

import json
from typing import Any

from tests.variants.kit import Variant, lines


def frameworks() -> dict[str, Variant]:
    """All of them."""
    return {**adk(), **adk_evaluations(), **pydantic_ai()}


def _event(second: int, author: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    content = {"content": {"parts": parts, "role": "user" if author == "user" else "model"}} if parts else {}
    return {"invocationId": "i", "author": author, "timestamp": 1767225600.0 + second, **content, **more}


def adk() -> dict[str, Variant]:
    """Sessions in camel case and in snake case, with what was said in part; events in lines."""
    counts = {"promptTokenCount": 10, "candidatesTokenCount": 3, "thoughtsTokenCount": 2, "cachedContentTokenCount": 4}
    calls = [{"functionCall": {"id": id, "name": "get_order", "args": {"id": n}}} for id, n in (("a", 7), ("b", 8))]
    made = [
        {"functionResponse": {"id": "b", "name": "get_order", "response": {"error": "no"}}},
        {"functionResponse": {"id": "a", "name": "get_order", "response": {"result": "shipped"}}},
    ]
    code = {"executableCode": {"code": "1+1", "language": "PYTHON"}}
    ran = {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "broken"}}
    moved = {"stateDelta": {}, "transferToAgent": "desk"}
    thought: list[dict[str, Any]] = [{"text": "Hm.", "thought": True}, {"text": "Let me look."}]
    events = [
        _event(0, "user", {"text": "Where is #7?"}, {"inlineData": {"mimeType": "image/png", "data": "AA=="}}),
        _event(1, "desk", {"text": "Let me"}, partial=True),
        _event(1, "desk", *thought, *calls, usageMetadata=counts, modelVersion="gemini-2.5", finishReason="STOP"),
        _event(2, "desk", *made),
        _event(3, "sums", code, ran),
        _event(4, "sums", {"text": "Done."}, actions=moved),
        _event(5, "desk", actions={"stateDelta": {"a": 1}}),
        _event(5, "desk", {"text": "Ship"}, partial=True),
        _event(5, "desk", {"text": "ped.\n\n"}, partial=True),
        _event(6, "desk", errorCode="RESOURCE_EXHAUSTED", errorMessage="quota"),
    ]
    told = [
        "customer Where is #7?\n[inlineData: image/png]",
        'agent Let me look. <Hm.> get_order({"id":7}) = {"result":"shipped"} get_order({"id":8}) = {"error":"no"}',
        "agent code_execution(1+1) = broken",
        "agent Done.",
        "agent Shipped.\n\n",
        "agent",
    ]
    empty = dict.fromkeys(("video_metadata", "thought", "file_data", "inline_data", "function_response", "text"))
    call = {"id": None, "name": "get_order", "args": {"id": 7}}
    snake: list[dict[str, Any]] = [
        {"author": "user", "content": {"parts": [{**empty, "function_call": None, "text": "Hi"}], "role": "user"}},
        {"author": "desk", "content": {"parts": [{**empty, "function_call": call}], "role": None}},
        {
            "author": "desk",
            "content": None,
            "actions": {"compaction": {"compacted_content": {"parts": [{"text": "All."}]}}},
        },
        {"author": "user", "content": None, "input_transcription": {"text": "Spoken?", "finished": True}},
    ]
    session = {
        "id": "s-1",
        "appName": "shop",
        "userId": "u",
        "state": {"a": 1},
        "events": events,
        "lastUpdateTime": 1.0,
    }
    heard = ["customer Hi", 'agent get_order({"id":7}) = ?', "other All.", "customer Spoken?"]
    whole = [{"invocation_id": "i", "timestamp": 1767225600.0, **event} for event in snake]
    return {
        "adk.session.json": Variant("adk", session, [told]),
        "adk.events.jsonl": Variant("adk", lines(*events), [told]),
        "adk-snake.session.json": Variant(
            "adk", [{"id": "s", "app_name": "shop", "user_id": "u", "events": whole}], [heard]
        ),
    }


def adk_evaluations() -> dict[str, Variant]:
    """What is expected, and what came of it: with the session, and with the turns only."""

    def said(role: str, text: str) -> dict[str, Any]:
        return {"role": role, "parts": [{"text": text}]}

    turn = {
        "invocation_id": "i",
        "user_content": said("user", "Where is #7?"),
        "intermediate_data": {
            "tool_uses": [{"name": "get_order", "args": {"id": 7}, "id": "x"}],
            "tool_responses": [{"name": "get_order", "id": "x", "response": {"result": "shipped"}}],
            "intermediate_responses": [["sums", [{"text": "Looking."}]]],
        },
        "final_response": said("model", "Shipped."),
        "app_details": {"agent_details": {"desk": {"instructions": "Be kind.", "tool_declarations": [{"name": "f"}]}}},
        "creation_timestamp": 1767225600.0,
    }
    later = {
        "userContent": said("user", "And?"),
        "intermediateData": {"invocationEvents": [{"author": "desk", "content": said("model", "Wait.")}]},
        "finalResponse": None,
    }
    asked = "customer Where is #7?"
    told = [asked, 'agent get_order({"id":7}) = {"result":"shipped"}', "agent Looking.", "agent Shipped."]
    judge = {"judge_model_options": {"judge_model": "judge-1"}}
    rubrics = {"rubric_scores": [{"score": 0.5, "rationale": "It did not say when."}]}
    metric = {"metric_name": "rubric", "score": 0.5, "criterion": judge, "details": rubrics}
    session = {"id": "s-1", "app_name": "shop", "user_id": "u", "events": [_event(0, "user", {"text": "Where is #7?"})]}
    result = {
        "eval_id": "one",
        "final_eval_status": 2,
        "overall_eval_metric_results": [metric],
        "eval_metric_result_per_invocation": [{"actual_invocation": turn, "expected_invocation": turn}],
        "session_id": "s-1",
    }
    results = {
        "eval_set_id": "orders",
        "eval_case_results": [{**result, "session_details": session}, {**result, "session_details": None}],
    }
    cases = {"eval_set_id": "orders", "eval_cases": [{"eval_id": "one", "conversation": [turn, later]}]}
    older = [
        {
            "query": "Where is #7?",
            "expected_tool_use": [
                {"tool_name": "get_order", "tool_input": {"id": 7}, "mock_tool_output": {"result": "shipped"}}
            ],
            "expected_intermediate_agent_responses": [{"author": "sums", "text": "Looking."}],
            "reference": "Shipped.",
        },
        {"query": "And?", "expected_tool_use": [], "reference": ""},
    ]
    named = [{"name": "one", "data": older, "initial_state": {"session": {}}}, {"name": "two", "data": older[:1]}]
    return {
        "adk-older.test.json": Variant("adk", older, [[*told, "customer And?"]]),
        "adk-older.evalset.json": Variant("adk", named, [[*told, "customer And?"], told]),
        "adk-case.json": Variant("adk", cases["eval_cases"][0], [[*told, "customer And?", "agent Wait."]]),
        "adk.evalset.json": Variant("adk", cases, [[*told, "customer And?", "agent Wait."]]),
        "adk.evalset_result.json": Variant("adk", results, [[asked], told]),
        "adk-folded.evalset_result.json": Variant("adk", json.dumps(results), [[asked], told]),
    }


def pydantic_ai() -> dict[str, Variant]:
    """Histories bare, in lines, in records and in strings; a report whose cases kept theirs."""

    def request(*parts: dict[str, Any], second: int = 1, instructions: str | None = None) -> dict[str, Any]:
        at = f"2026-01-01T00:00:0{second}Z"
        return {"kind": "request", "parts": parts, "instructions": instructions, "timestamp": at}

    def part(kind: str, content: Any = None, **more: Any) -> dict[str, Any]:
        return {"part_kind": kind, "content": content, **more}

    picture = {"kind": "binary", "data": "AA==", "media_type": "image/png", "identifier": "x"}
    asked = part("user-prompt", ["Where is #7?", picture, {"kind": "text-content", "content": "Now."}])
    calls = [
        {"part_kind": "tool-call", "tool_name": "get_order", "args": {"id": 7}, "tool_call_id": "c1"},
        {"part_kind": "tool-call", "tool_name": "get_order", "args": '{"id": 8}', "tool_call_id": "c1"},
        {
            "part_kind": "builtin-tool-call",
            "tool_name": "search",
            "args": None,
            "tool_call_id": "w",
            "provider_name": "p",
        },
        part("builtin-tool-return", {"hits": 1}, tool_name="search", tool_call_id="w", outcome="success"),
    ]
    usage = {"input_tokens": 10, "output_tokens": 5, "cache_read_tokens": 4, "details": {"reasoning_tokens": 2}}
    made = {
        "kind": "response",
        "parts": [part("thinking", "Hm."), part("text", "Let me "), part("text", "look.\n\n"), *calls],
        "usage": {**usage, "cost": "0.0125"},
        "model_name": "gpt-4o",
        "timestamp": "2026-01-01T00:00:02Z",
        "finish_reason": "tool_call",
        "conversation_id": "t-1",
    }
    wrong = [{"type": "missing", "loc": ["id"], "msg": "required"}]
    back = request(
        part("tool-return", {"status": "shipped"}, tool_name="get_order", tool_call_id="c1", outcome="success"),
        part("retry-prompt", wrong, tool_name="get_order", tool_call_id="c1"),
        part("retry-prompt", "Say it plainly."),
        second=3,
        instructions="Be kind.",
    )
    counted = {"requests": 1, "request_tokens": 20, "response_tokens": 3, "total_tokens": 23, "details": None}
    last = {"kind": "response", "parts": [part("text", "Shipped.")], "usage": counted, "finish_reason": "length"}
    history = [request(part("system-prompt", "Policy."), asked, instructions="Be kind."), made, back, last]
    errors = json.dumps(wrong, separators=(",", ":"))
    answered = 'agent Let me look.\n\n <Hm.> get_order({"id":7}) = {"status":"shipped"}'
    answered += f' get_order({{"id": 8}}) = {errors} search() = {{"hits":1}}'
    told = [
        "system Be kind.",
        "system Policy.",
        "customer Where is #7?\n[binary: image/png]\nNow.",
        answered,
        "other Say it plainly.",
        "agent Shipped.",
    ]
    short = [request(part("user-prompt", "Hi")), {"kind": "response", "parts": [part("text", "Yes.")]}]
    few = ["customer Hi", "agent Yes."]
    judged = {"assertions": {"Says": {"value": False, "reason": "no", "source": {"name": "Says", "arguments": None}}}}
    case = {
        "name": "one",
        "inputs": "Hi",
        "output": {"messages": short},
        "expected_output": "No.",
        "scores": {},
        **judged,
    }
    cases = [case, {**case, "scores": {"Near": {"value": 0.5}}}]
    return {
        "history.json": Variant("pydantic-ai", history, [told]),
        "history.jsonl": Variant("pydantic-ai", lines(*history), [told]),
        "histories.jsonl": Variant("pydantic-ai", lines(history, short), [told, few]),
        "stored.jsonl": Variant(
            "pydantic-ai", lines({"id": "a", "note": "x", "message_list": json.dumps(short)}), [few]
        ),
        "attempts.json": Variant("pydantic-ai", {"log": {"messages": short[:1]}, "llm_response": short[1]}, [few]),
        "report.json": Variant("pydantic-ai", {"name": "qa", "cases": cases, "failures": []}, [few, few]),
    }
