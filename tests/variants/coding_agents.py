"""What coding agents write: SWE-agent, OpenHands in both its generations."""

from __future__ import annotations

import json
from typing import Any

from tests.variants.kit import CALL, Variant, lines

_TYPED = [
    {"message_type": "system_prompt", "role": "system", "content": "Work.", "agent": "main"},
    {"role": "user", "content": "Look: …", "agent": "main", "is_demo": True, "message_type": "demonstration"},
    {"message_type": "observation", "role": "user", "content": "Fix it.", "agent": "main"},
]
_THOUGHT = [{"type": "thinking", "thinking": "Hm", "signature": "x"}]
_CALL = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command":"ls"}'}}


def attempt(said: str, **more: Any) -> dict[str, Any]:
    """One attempt of SWE-agent with tool calls, an answer that was not accepted, and a submission."""
    acts = {"message_type": "action", "role": "assistant", "content": said, "thought": said, "action": "ls"}
    return {
        "trajectory": [
            {"action": "vim", "observation": "", "response": "Edit.", "thought": "Edit.", "execution_time": 0.0},
            {"action": "ls", "observation": "a\n", "response": said, "thought": said, "execution_time": 0.25},
            {"action": "submit", "observation": "sent", "response": "Submit.", "thought": "Submit.", "state": {}},
        ],
        "history": [
            *_TYPED,
            {
                **acts,
                "agent": "main",
                "tool_calls": [_CALL],
                "thinking_blocks": [{"type": "thinking", "thinking": "Hm"}],
            },
            {"message_type": "observation", "role": "tool", "content": "a\n(cwd: /)", "tool_call_ids": ["c1"]},
        ],
        "info": {
            "exit_status": "submitted (exit_cost)",
            "submission": "diff",
            "swe_agent_version": "1.1.0",
            "model_stats": {"instance_cost": 0.5, "tokens_sent": 70, "tokens_received": 9, "api_calls": 3},
            **more,
        },
        "environment": "main",
    }


def coding_agents() -> dict[str, Variant]:
    """All of them."""
    return {**swe_agent(), **openhands(), **openhands_kinds()}


def swe_agent() -> dict[str, Variant]:
    """SWE-agent with calls, with commands as text, with steps only and with several attempts."""
    asked = ["system Work.", "other Look: …", "customer Fix it."]
    submitted = 'agent Submit. bash({"command":"submit"}) = sent'
    refused = 'agent Edit. bash({"command":"vim"}) = ?'

    def told(said: str) -> list[str]:
        return [*asked, refused, f'agent {said} <Hm> bash({{"command":"ls"}}) = a\n(cwd: /)', submitted]

    stated = {"agent": {"model": {"name": "gpt-4o"}}, "problem_statement": {"id": "org__repo-1", "text": "Fix."}}
    settings = json.dumps(stated)
    fenced = "See.\n```\nls -F\n```"
    text = {
        "environment": "swe_main",
        "trajectory": [
            {"action": "ls -F\n", "observation": "a", "response": fenced, "state": "{}", "thought": "See.\n"},
            {"action": "", "observation": "", "response": "Exit due to cost limit", "thought": "", "state": "{}"},
        ],
        "history": [
            {"role": "user", "content": "Fix it.", "agent": "primary"},
            {"role": "assistant", "content": fenced, "thought": "See.\n", "action": "ls -F\n", "agent": "primary"},
            {"role": "user", "content": "a\nbash-$", "agent": "primary"},
        ],
        "info": {"exit_status": "exit_error", "model_stats": {"total_cost": 0, "api_calls": 0}},
    }
    steps = [
        {"action": "", "observation": "No action.", "response": "Hm.", "thought": "Hm.", "query": [_TYPED[2]]},
        {"action": "ls", "observation": "a", "response": "", "thought": "List.", "state": {"open_file": "n/a"}},
    ]
    several = {
        **attempt("two", best_attempt_idx=1),
        "attempts": [attempt("one", review={"accept": 0.25, "outputs": ["poor"]}), attempt("two")],
    }
    return {
        "calls.traj": Variant("swe-agent", {**attempt("List."), "replay_config": settings}, [told("List.")]),
        "org__repo-2.traj": Variant(
            "swe-agent",
            text,
            [
                [
                    "customer Fix it.",
                    f'agent {fenced} bash({{"command":"ls -F\\n"}}) = a\nbash-$',
                    "customer a\nbash-$",
                    "other Exit due to cost limit",
                ]
            ],
        ),
        "steps.traj.json": Variant(
            "swe-agent",
            {"trajectory": steps, "info": {}},
            [["customer Fix it.", "agent Hm.", "customer No action.", 'agent bash({"command":"ls"}) = a']],
        ),
        "attempts.traj": Variant("swe-agent", several, [told("one"), told("two")]),
    }


def _event(id: int, source: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": f"2026-01-01T00:00:{id:02}", "source": source, "message": "", **more}


def openhands() -> dict[str, Variant]:
    """OpenHands' first generation: with the model's answers, without them, in pairs, and a logged call."""
    second = {"id": "c2", "type": "function", "function": {"name": "finish", "arguments": "{}"}}
    said = {"role": "assistant", "content": "I look…", "tool_calls": [CALL, second], "reasoning_content": "Hm."}
    used = {"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 5}}
    response = {"id": "r1", "model": "gpt-4o", "choices": [{"message": said}], "usage": used}
    one = {"function_name": "get_order", "tool_call_id": "c1", "model_response": response}
    two = {**one, "function_name": "finish", "tool_call_id": "c2"}
    counted = {"accumulated_cost": 0.5, "accumulated_token_usage": {"prompt_tokens": 9, "completion_tokens": 4}}
    tools = [{"type": "function", "function": {"name": "get_order"}}]
    events = [
        _event(0, "agent", action="system", args={"content": "Work.", "tools": tools, "agent_class": "CodeAct"}),
        _event(
            1, "user", action="message", args={"content": "Where is #7?", "image_urls": ["data:image/png;base64,A"]}
        ),
        _event(2, "user", action="recall", args={"recall_type": "workspace_context"}),
        _event(3, "environment", observation="recall", content="Added context", extras={"repo_name": "r"}, cause=2),
        _event(4, "agent", action="call_tool_mcp", args={"thought": "I look…"}, tool_call_metadata=one),
        _event(5, "agent", action="finish", args={"thought": ""}, tool_call_metadata=two, llm_metrics=counted),
        _event(6, "agent", observation="error", content="no order", extras={}, cause=4, tool_call_metadata=one),
        _event(7, "environment", observation="agent_state_changed", content="", extras={"agent_state": "finished"}),
    ]
    told = [
        "system Work.",
        "customer Where is #7?\n[image_url: image/png]",
        "other Added context",
        'agent I look… <Hm.> get_order({"id":7}) = no order finish({}) = ?',
    ]
    run = {"command": "ls", "thought": "See.", "action": "run", "is_confirmed": "confirmed"}
    old = [
        {"content": "Fix it.", "images_urls": None, "wait_for_response": False, "action": "message"},
        run,
        {"content": "a\r\n", "command": "ls", "exit_code": 1, "observation": "run"},
        {"content": "Which?", "wait_for_response": True, "action": "message"},
        {"outputs": {}, "thought": "Done.", "action": "finish"},
    ]
    pairs = [
        [
            _event(3, "agent", action="run", args={"command": "ls"}),
            _event(4, "agent", observation="run", content="a", cause=3),
        ],
        [
            _event(5, "user", action="message", args={"content": "Go on."}),
            _event(6, "user", observation="null", content=""),
        ],
    ]
    judged = {"test_result": {"git_patch": "diff", "report": {"resolved": True, "failed_apply_patch": False}}}
    about = {"llm_config": {"model": "m", "temperature": 0.0}, "agent_class": "CodeAct", "max_iterations": 3}
    evaluated = {
        "instance_id": "org__repo-1",
        **judged,
        "metadata": about,
        "history": pairs,
        "error": "gone",
        "attempt": 2,
    }
    empty: dict[str, Any] = {
        "instance_id": "org__repo-2",
        "test_result": {},
        "history": [],
        "metadata": about,
        "error": None,
    }
    issue = {"issue": {"owner": "o", "repo": "r", "number": 5, "title": "t"}, "history": old, "success": False}
    call = {
        "messages": [{"role": "user", "content": "Hi"}],
        "response": response,
        "args": [],
        "kwargs": {"tools": tools},
    }
    return {
        "trajectory.json": Variant("openhands", events, [told]),
        "exported.json": Variant("openhands", {"trajectory": events}, [told]),
        "output.jsonl": Variant(
            "openhands", lines(evaluated, empty), [['agent run({"command":"ls"}) = a', "customer Go on."], []]
        ),
        "resolver.jsonl": Variant(
            "openhands",
            lines({**issue, "metrics": {"accumulated_cost": 0.25}, "result_explanation": "no"}),
            [
                [
                    "customer Fix it.",
                    'agent See. run({"command":"ls"}) = a\r\n',
                    "agent Which?",
                    'agent Done. finish({"outputs":{}}) = ?',
                ]
            ],
        ),
        "gpt-4o-1757015025.972.json": Variant(
            "openhands",
            {**call, "timestamp": 1757015025.5, "cost": 0.5},
            [["customer Hi", 'agent I look… <Hm.> get_order({"id":7}) = ? finish({}) = ?']],
        ),
    }


def openhands_kinds() -> dict[str, Variant]:
    """OpenHands' second generation: parallel calls, an error, a refusal, state, another harness's calls."""

    def kind(name: str, source: str = "agent", **more: Any) -> dict[str, Any]:
        return {"id": name, "timestamp": "2026-01-01T00:00:00", "source": source, "kind": name, **more}

    def called(id: str, words: str, answer: str) -> dict[str, Any]:
        call = {"id": id, "name": "terminal", "arguments": '{"command": "ls"}', "origin": "completion"}
        thought = [{"type": "text", "text": words}] if words else []
        more: dict[str, Any] = {
            "thought": thought,
            "reasoning_content": "Hm." if words else None,
            "llm_response_id": answer,
        }
        return kind("ActionEvent", tool_name="terminal", tool_call_id=id, tool_call=call, **more, summary="list")

    def seen(id: str, **observation: Any) -> dict[str, Any]:
        return kind("ObservationEvent", "environment", tool_name="terminal", tool_call_id=id, observation=observation)

    user = {"role": "user", "content": [{"type": "text", "text": "Fix it."}]}
    foreign: dict[str, Any] = {"tool_call_id": "x", "title": "Read a.py", "raw_input": {"path": "a.py"}}
    spent = {"model_name": "m-2", "accumulated_cost": 0.5, "accumulated_token_usage": {"prompt_tokens": 9}}
    state = {"usage_to_metrics": {"agent": spent}}
    events = [
        kind("SystemPromptEvent", system_prompt={"type": "text", "text": "Work."}, tools=[{"title": "terminal"}]),
        kind("MessageEvent", "user", llm_message=user, activated_skills=[]),
        called("c1", "Both.", "r1"),
        called("c2", "", "r1"),
        seen("c1", content=[{"type": "text", "text": "a\n\nb"}], is_error=False, metadata={"exit_code": 0}),
        kind("AgentErrorEvent", tool_name="terminal", tool_call_id="c2", error="no such tool"),
        called("c3", "Again.", "r2"),
        kind("UserRejectObservation", "environment", tool_name="terminal", tool_call_id="c3", rejection_reason="No."),
        called("c4", "Old.", "r3"),
        seen("c4", output="a", exit_code=0, kind="ExecuteBashObservation"),
        kind("ACPToolCallEvent", **foreign, status="in_progress"),
        kind("ACPToolCallEvent", **foreign, status="completed", raw_output="text"),
        kind("Condensation", "environment", summary="All so far.", forgotten_event_ids=["a"]),
        kind("ConversationStateUpdateEvent", "environment", key="stats", value=state),
        kind("ConversationStateUpdateEvent", "environment", key="execution_status", value="finished"),
    ]
    told = [
        "system Work.",
        "customer Fix it.",
        'agent Both. <Hm.> terminal({"command": "ls"}) = a\n\nb terminal({"command": "ls"}) = no such tool',
        'agent Again. <Hm.> terminal({"command": "ls"}) = No.',
        'agent Old. <Hm.> terminal({"command": "ls"}) = {"output":"a","exit_code":0}',
        'agent Read a.py({"path":"a.py"}) = text',
        "other All so far.",
    ]
    usages = [{"model": "m", "prompt_tokens": 9, "completion_tokens": 4, "cache_read_tokens": 5, "response_id": "r1"}]
    record = {"instance_id": "i", "test_result": {}, "history": events, "metrics": {"token_usages": usages}}
    return {
        "events.jsonl": Variant("openhands", lines(*events), [told]),
        "kinds.jsonl": Variant("openhands", lines(record), [told]),
    }
