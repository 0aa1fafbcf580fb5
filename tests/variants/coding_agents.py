"""What coding agents write: SWE-agent."""

from __future__ import annotations

import json
from typing import Any

from tests.variants.kit import Variant

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
