"""What benchmarks write: tau2, mini-swe-agent, ATIF, Inspect."""

from __future__ import annotations

import io
import json
import zipfile

from tests.variants.kit import Variant


def benchmarks() -> dict[str, Variant]:
    """tau2 by ticks, mini-swe-agent through Responses and before its first version, ATIF with a subagent."""
    ticks = [
        {"tick_id": 0, "agent_chunk": {"content": "Hel"}},
        {"tick_id": 1, "agent_chunk": {"content": "lo."}, "user_chunk": {"content": "Hi."}},
        {
            "tick_id": 2,
            "agent_tool_calls": [{"id": "1", "name": "get_order", "arguments": {}}],
            "agent_tool_results": [{"id": "1", "role": "tool", "content": "shipped", "requestor": "assistant"}],
        },
    ]
    spoken = {"id": "s", "task_id": "1", "termination_reason": "user_stop", "messages": None, "ticks": ticks}
    made = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
        {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": '{"command":"ls"}'},
    ]
    answer = {"object": "response", "created_at": 1_800_000_000, "usage": {"output_tokens": 4}, "output": made}
    second = {
        "trajectory_format": "mini-swe-agent-1.1",
        "info": {"exit_status": "RuntimeError", "model_stats": {}},
        "messages": [
            {"role": "user", "content": "Fix it."},
            {**answer, "extra": {"cost": 0.1, "timestamp": 1_800_000_000.0}},
            {"type": "function_call_output", "call_id": "c1", "output": "a.py", "extra": {"returncode": 0}},
            {"role": "exit", "content": "gone", "extra": {"exit_status": "RuntimeError", "exception_str": "gone"}},
        ],
    }
    fence = "```mswea_bash_command\nls\n```"
    first = [
        {"role": "user", "content": "Fix."},
        {"role": "assistant", "content": fence},
        {"role": "user", "content": "a"},
    ]
    child = {
        "trajectory_id": "t2",
        "agent": {"name": "searcher", "model_name": "small"},
        "steps": [{"step_id": 1, "source": "agent", "message": "Looked."}],
    }
    sent = {"source_call_id": "d", "content": "done", "subagent_trajectory_ref": [{"trajectory_id": "t2"}]}
    parent = {
        "schema_version": "ATIF-v1.7",
        "agent": {"name": "desk", "model_name": "big"},
        "steps": [
            {
                "source": "agent",
                "message": "",
                "tool_calls": [{"tool_call_id": "d", "function_name": "send", "arguments": {}}],
                "observation": {"results": [sent]},
            },
            {"source": "agent", "message": "Shipped."},
        ],
        "subagent_trajectories": [child],
    }
    return {
        "spoken.json": Variant("tau2", spoken, [["agent Hello.", "customer Hi.", "agent get_order({}) = shipped"]]),
        "responses.traj.json": Variant(
            "mini-swe", second, [["customer Fix it.", 'agent <Hm.> bash({"command":"ls"}) = a.py', "other gone"]]
        ),
        "bare.traj.json": Variant(
            "mini-swe", first, [["customer Fix.", f'agent {fence} bash({{"command":"ls"}}) = a', "customer a"]]
        ),
        "subagent.json": Variant("atif", parent, [["agent send({}) = done", "other Looked.", "agent Shipped."]]),
        "chunked.eval": Variant("inspect", chunked(), [["customer long", "agent Done."]]),
    }


def chunked() -> bytes:
    """A `.eval` that keeps a large sample in parts: its messages by reference, long texts beside them."""
    said = [
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "passed over"},
        {"role": "user", "content": "attachment://0"},
    ]
    shell = {"id": 1, "epoch": 1, "input": "x", "target": "y", "message_refs": [[2, 3], [0, 1]]}
    parts = {"sample": shell, "messages/0": said[:2], "messages/2": said[2:], "attachments/0": ["long"], "events/0": []}
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        file.writestr("header.json", json.dumps({"status": "success", "eval": {"task": "t", "model": "m"}}))
        for name, value in parts.items():
            file.writestr(f"samples/1_epoch_1/{name}.json", json.dumps(value))
    return held.getvalue()
