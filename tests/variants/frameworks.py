"""What agent frameworks keep: Google ADK, PydanticAI, AutoGen before and after 0.4, CrewAI."""

from __future__ import annotations

import json
from typing import Any

from tests.variants.kit import CALL, CALLED, Variant, lines


def frameworks() -> dict[str, Variant]:
    """All of them."""
    return {**adk(), **adk_evaluations(), **pydantic_ai(), **autogen(), **autogen_chats(), **crewai()}


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
    return {
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


def autogen() -> dict[str, Variant]:
    """AutoGen from 0.4 on: a result, its messages in lines, an agent's response, saved states."""

    def said(kind: str, source: str, content: Any, **more: Any) -> dict[str, Any]:
        return {"type": kind, "source": source, "content": content, "models_usage": None, **more}

    usage = {"models_usage": {"prompt_tokens": 10, "completion_tokens": 5}, "created_at": "2026-01-01T00:00:01Z"}
    calls = [{"id": id, "name": "get_order", "arguments": '{"id":7}'} for id in ("c1", "c2")]
    made = [
        {"call_id": "c2", "name": "get_order", "content": "no", "is_error": True},
        {"call_id": "c1", "name": "get_order", "content": "shipped", "is_error": False},
    ]
    events = [
        said("MultiModalMessage", "client", ["Where is #7?", {"data": "AA=="}]),
        said("ThoughtEvent", "desk", "Hm."),
        said("ToolCallRequestEvent", "desk", calls, **usage),
        said("ToolCallExecutionEvent", "desk", made),
        said("ModelClientStreamingChunkEvent", "desk", "Ship"),
        said("ToolCallSummaryMessage", "desk", "shipped\nno", tool_calls=calls, results=made),
        said("HandoffMessage", "desk", "Over to sums.", target="sums", context=[]),
        said(
            "CodeGenerationEvent",
            "sums",
            "```1+1```",
            code_blocks=[{"code": "1+1", "language": "python"}],
            retry_attempt=0,
        ),
        said("CodeExecutionEvent", "sums", None, result={"exit_code": 1, "output": "broken"}, retry_attempt=0),
        said("ThoughtEvent", "sums", "Odd."),
        said("StructuredMessage[Answer]", "desk", {"total": 2}),
        said("UserInputRequestedEvent", "boss", "", request_id="r"),
        said("TextMessage", "boss", "Thanks. TERMINATE"),
    ]
    told = [
        "customer Where is #7?\n[image]",
        'agent <Hm.> get_order({"id":7}) = shipped get_order({"id":7}) = no',
        "agent shipped\nno",
        "agent Over to sums.",
        'agent ```1+1``` code_execution({"code":"1+1","language":"python"}) = broken',
        "agent <Odd.>",
        'agent {"total":2}',
        "customer Thanks. TERMINATE",
    ]
    result = {"messages": events, "stop_reason": "Text 'TERMINATE' mentioned"}
    memory = [
        {"type": "SystemMessage", "content": "Be kind."},
        {"type": "UserMessage", "source": "user", "content": "Where is #7?"},
        {"type": "AssistantMessage", "source": "desk", "content": calls[:1], "thought": "Hm."},
        {"type": "FunctionExecutionResultMessage", "content": made[1:]},
        {"type": "UserMessage", "source": "sums", "content": "It is 2."},
        {"type": "AssistantMessage", "source": "desk", "content": "Shipped."},
    ]
    remembered = [
        "system Be kind.",
        "customer Where is #7?",
        'agent <Hm.> get_order({"id":7}) = shipped',
        "other It is 2.",
        "agent Shipped.",
    ]
    agent = {"type": "AssistantAgentState", "version": "1.0.0", "llm_context": {"messages": memory}}
    spoken = [said("TextMessage", "user", "Where is #7?"), said("TextMessage", "desk", "Shipped.")]
    thread = {"type": "RoundRobinManagerState", "version": "1.0.0", "message_thread": spoken}
    team = {
        "type": "TeamState",
        "version": "1.0.0",
        "agent_states": {"desk/1": {"agent_state": agent}, "manager/1": thread},
    }
    short = ["customer Where is #7?", "agent Shipped."]
    return {
        "autogen.json": Variant("autogen", result, [told]),
        "autogen-stream.jsonl": Variant("autogen", lines(*events, result), [told]),
        "autogen-studio.json": Variant("autogen", {"task_result": {"messages": spoken}, "duration": 1.5}, [short]),
        "autogen-response.json": Variant("autogen", {"chat_message": spoken[1], "inner_messages": spoken[:1]}, [short]),
        "autogen-agent.json": Variant("autogen", agent, [remembered]),
        "autogen-team.json": Variant("autogen", team, [short, remembered]),
    }


def autogen_chats() -> dict[str, Variant]:
    """AutoGen 0.2: a result told from the user's side, a group, every agent's messages, logged calls."""
    answers = [
        {"tool_call_id": "c1", "role": "tool", "content": "shipped"},
        {"tool_call_id": "gone", "role": "tool", "content": "Error: no such tool"},
    ]
    chat = [
        {"role": "assistant", "name": "boss", "content": "Where is #7?"},
        CALLED,
        {"role": "tool", "name": "boss", "content": "shipped\n\nError: no such tool", "tool_responses": answers},
        {"role": "user", "name": "desk", "content": "Shipped. TERMINATE"},
    ]
    told = [
        "customer Where is #7?",
        'agent get_order({"id":7}) = shipped !() = Error: no such tool',
        "agent Shipped. TERMINATE",
    ]
    spent = {
        "total_cost": 0.5,
        "gpt-4o": {"cost": 0.5, "prompt_tokens": 20, "completion_tokens": 6, "total_tokens": 26},
    }
    result = {"chat_id": None, "chat_history": chat, "summary": "Shipped.", "human_input": ["yes"]}
    group = [
        {"role": "user", "name": "Admin", "content": "Plan it."},
        {"role": "user", "name": "Planner", "content": "First…"},
        {"role": "user", "name": "Admin", "content": "exitcode: 0 (execution succeeded)"},
    ]
    planned = ["customer Plan it.", "agent First…", "other exitcode: 0 (execution succeeded)"]
    old = [
        {"role": "assistant", "content": "Where is #7?"},
        {"role": "assistant", "content": None, "function_call": {"name": "get_order", "arguments": "{}"}},
        {"role": "function", "name": "get_order", "content": "shipped"},
        {"role": "user", "content": "Shipped."},
    ]
    asked = [{"role": "system", "content": "Be kind."}, {"role": "user", "name": "boss", "content": "Where is #7?"}]
    tools = [{"type": "function", "function": {"name": "get_order"}}]

    def row(n: int, messages: list[Any], said: dict[str, Any]) -> dict[str, Any]:
        answer = {
            "model": "gpt-4o",
            "choices": [{"message": said}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 3},
        }
        times = {"start_time": f"2026-01-01 00:00:0{n}", "end_time": f"2026-01-01 00:00:0{n + 1}"}
        ids = {"id": n, "invocation_id": f"i{n}", "client_id": 1, "wrapper_id": 2, "session_id": "s-1"}
        request = json.dumps({"messages": messages, "tools": tools, "model": "gpt-4o"})
        return {**ids, "source_name": "desk", "request": request, "response": json.dumps(answer), "cost": 0.25, **times}

    called = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    rows = [
        row(1, asked, called),
        row(3, [*asked, called, answers[0]], {"role": "assistant", "content": "Shipped."}),
    ]

    def received(by: str, message: Any, sender: str) -> dict[str, Any]:
        state = json.dumps({"message": message, "sender": sender, "valid": True})
        return {
            "event_name": "received_message",
            "source_name": by,
            "json_state": state,
            "timestamp": "2026-01-01 00:00:01",
        }

    log = [
        received("manager", "Plan it.", "Admin"),
        received("Planner", {"content": "Plan it.", "name": "Admin", "role": "user"}, "manager"),
        {**rows[0], "request": json.loads(rows[0]["request"])},
        received("manager", {"content": "First…", "role": "user", "name": "Planner"}, "Planner"),
        received("Admin", {"content": "First…", "role": "user", "name": "Planner"}, "manager"),
        received("Admin", {"content": "First…", "role": "user", "name": "Planner"}, "manager"),
    ]
    traced = {
        "question_ID": "q-1",
        "question": "How many?",
        "ground_truth": "8",
        "is_correct": False,
        "mistake_agent": "Planner",
        "mistake_step": "1",
        "mistake_reason": "It guessed.",
        "history": [
            {**group[1], "content": "How many?"},
            *group[1:],
            {"role": "Orchestrator (thought)", "content": "Hm."},
        ],
    }
    head = b"Started new session with Session ID: s-1\n"
    twice = ["customer Plan it.", "agent First…", "agent First…"]
    merged = ["system Be kind.", "customer Where is #7?", 'agent get_order({"id":7}) = shipped', "agent Shipped."]
    return {
        "chat-result.json": Variant(
            "autogen-chat", {**result, "cost": {"usage_including_cached_inference": spent}}, [told]
        ),
        "chat-history.json": Variant("autogen-chat", chat, [told]),
        "group.json": Variant("autogen-chat", group, [planned]),
        "agents.json": Variant("autogen-chat", {"desk": chat, "Planner": group, "idle": []}, [told, planned, []]),
        "chat-functions.jsonl": Variant(
            "autogen-chat",
            lines({"chat_history": old, "summary": ""}),
            [["customer Where is #7?", "agent get_order({}) = shipped", "agent Shipped."]],
        ),
        "chat-completions.json": Variant("autogen-chat", rows, [merged]),
        "traced.json": Variant(
            "autogen-chat",
            traced,
            [["customer How many?", "agent First…", "other exitcode: 0 (execution succeeded)", "agent Hm."]],
        ),
        "runtime.log": Variant("autogen-chat", head + lines(*log), [twice]),
    }


def crewai() -> dict[str, Variant]:
    """A crew's output with messages and without, its log with a second run, stored outputs, steps."""
    acted = 'Thought: I look.\nAction: get_order\nAction Input: {"id": 7}\nObservation: shipped'
    kept = [
        {"role": "system", "content": "You are Desk."},
        {"role": "user", "content": "Current Task: Where is #7?"},
        {"role": "assistant", "content": acted},
    ]
    task = {"description": "Where is #7?", "expected_output": "a status", "agent": "Desk", "output_format": "raw"}
    first = {**task, "raw": "Shipped.", "messages": kept, "tool_failures": []}
    second = {**task, "description": "Say it.", "raw": "It is …", "agent": "Voice"}
    used = {
        "total_tokens": 13,
        "prompt_tokens": 10,
        "cached_prompt_tokens": 4,
        "completion_tokens": 3,
        "successful_requests": 2,
    }
    output = {
        "raw": "It is …",
        "tasks_output": [first, second],
        "token_usage": used,
        "json_dict": None,
        "pydantic": None,
    }
    told = [
        "system You are Desk.",
        "customer Current Task: Where is #7?",
        f'agent {acted} get_order({{"id": 7}}) = shipped',
        "agent Shipped.",
        "customer Say it.",
        "agent It is …",
    ]
    managed = {**output, "tasks_output": [second], "raw": "All done."}
    line = {"timestamp": "2026-01-01 00:00:01", "task_name": None, "task": "Where is #7?", "agent": "Desk"}
    done = {**line, "status": "completed", "output": "Shipped."}
    log = [{**line, "status": "started"}, done, {**line, "status": "started"}]
    stored = {
        "task_id": "t",
        "expected_output": "x",
        "inputs": "{}",
        "was_replayed": 0,
        "timestamp": "2026-01-01 00:00:01",
    }
    rows = [{**stored, "task_index": n, "output": json.dumps(one)} for n, one in enumerate((first, second))]
    short = ["customer Where is #7?", "agent Shipped."]
    steps = [
        {
            "thought": "I look.",
            "tool": "get_order",
            "tool_input": '{"id": 7}',
            "text": "Action: …",
            "result": "shipped",
        },
        {"thought": "Known.", "output": "Shipped.", "text": "Final Answer: Shipped."},
    ]
    return {
        "crew.json": Variant("crewai", output, [told]),
        "managed-crew.json": Variant("crewai", managed, [["customer Say it.", "agent It is …", "agent All done."]]),
        "task.json": Variant("crewai", second, [["customer Say it.", "agent It is …"]]),
        "crew-log.json": Variant("crewai", log, [short, ["customer Where is #7?"]]),
        "completed-log.jsonl": Variant("crewai", lines(done), [short]),
        "kickoffs.json": Variant("crewai", [*rows, *rows[:1]], [told, told[:4]]),
        "steps.json": Variant(
            "crewai",
            steps,
            [['agent Action: … <I look.> get_order({"id": 7}) = shipped', "agent Final Answer: Shipped. <Known.>"]],
        ),
    }
