"""What frameworks for teams of agents keep: AutoGen before and after 0.4, CrewAI."""

from __future__ import annotations

import json
from typing import Any

from tests.variants.kit import CALL, CALLED, Variant, lines


def teams() -> dict[str, Variant]:
    """All of them."""
    return {**autogen(), **autogen_chats(), **crewai()}


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
    team = [
        {"content": "How many?", "role": "human"},
        {"content": "Hm.\n", "role": "Orchestrator (thought)"},
        {"content": "Look.", "role": "Orchestrator (-> Surfer)"},
        {"content": "Eight.", "role": "Surfer"},
    ]
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
        "team.json": Variant(
            "autogen-chat", team, [["customer How many?", "agent Hm.\n", "agent Look.", "agent Eight."]]
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
