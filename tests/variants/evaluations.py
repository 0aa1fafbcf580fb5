"""Inspect logs with all that the released package writes: events, usage, scores with their talk, retries."""

from __future__ import annotations

import json
from typing import Any

from tests import zips
from tests.variants.kit import Variant

USED = {
    "input_tokens": 10,
    "output_tokens": 5,
    "total_tokens": 22,
    "input_tokens_cache_read": 4,
    "input_tokens_cache_write": 3,
    "reasoning_tokens": 2,
    "total_cost": 0.01,
}
TOOL = {"name": "get_order", "description": "Look an order up.", "parameters": {"type": "object"}}
TOLD = "attachment://" + "0" * 32


def model_event(message: dict[str, Any], second: int, **more: Any) -> dict[str, Any]:
    """A call of the model that made this message."""
    output = {"model": "m", "choices": [{"message": message, "stop_reason": "stop"}], "usage": USED}
    times = {"timestamp": f"2026-01-01T00:00:0{second}Z", "completed": f"2026-01-01T00:00:0{second}.5Z"}
    return {"event": "model", "model": "m", "tools": [TOOL], "output": output, **times, **more}


def log() -> dict[str, Any]:
    """A log with all that the released package writes of a sample."""
    call = {"id": "c", "function": "get_order", "arguments": {"n": 7}}
    called = {"id": "m2", "role": "assistant", "content": "", "tool_calls": [call], "model": "m"}
    said = {"id": "m4", "role": "assistant", "content": "Shipped.", "model": "m"}
    tool = {"event": "tool", "id": "c", "timestamp": "2026-01-01T00:00:02Z", "completed": "2026-01-01T00:00:03Z"}
    grader = model_event({"id": "g", "role": "assistant", "content": "C"}, 6, role="grader", tools=[{"name": "no"}])
    talk = [{"role": "user", "content": TOLD}, {"role": "assistant", "content": "C", "model": "judge-2"}]
    sample = {
        "id": 1,
        "epoch": 2,
        "uuid": "u-1",
        "input": "Where is #7?",
        "target": "shipped",
        "messages": [
            {"id": "m1", "role": "user", "content": "Where is #7?"},
            called,
            {"id": "m3", "role": "tool", "tool_call_id": "c", "function": "get_order", "content": "shipped"},
            said,
        ],
        "events": [model_event(called, 1, retries=2), tool, model_event(said, 4), grader],
        "scores": {
            "model_graded_qa": {"value": "P", "explanation": TOLD, "answer": "Shipped.", "metadata": {"grading": talk}},
            "asked": {"value": 0.5},
            "plain": {"value": True, "explanation": "it is there"},
        },
        "model_usage": {"x/m": {**USED, "input_tokens": 30, "total_tokens": 42}, "x/judge": USED},
        "role_usage": {"grader": USED, "critic": {**USED, "input_tokens": 1, "total_cost": 0.004}},
        "error_retries": [{"message": "it fell over", "events": [1], "traceback_ansi": "\x1b[31m"}],
        "attachments": {"0" * 32: "the long text"},
        "started_at": "2026-01-01T00:00:00Z",
        "completed_at": "2026-01-01T00:00:09Z",
        "total_time": 9.0,
        "working_time": 7.5,
        "turn_count": 2,
        "invalidation": {"reason": "wrong"},
    }
    about = {
        "task": "desk",
        "model": "x/m",
        "eval_id": "e",
        "run_id": "r",
        "config": {"epochs": 2},
        "tags": ["t"],
        "model_roles": {"grader": {"model": "x/judge"}, "critic": {"model": "x/m"}},
        "model_generate_config": {"temperature": 0.3},
        "scorers": [
            {"name": "model_graded_qa", "options": {"model_role": "grader"}},
            {"name": "pkg/asked", "options": {"model": "x/third"}},
        ],
    }
    return {"version": 2, "status": "success", "eval": about, "samples": [sample]}


def parts() -> bytes:
    """The same sample in parts, packed by Zstandard, with an id that holds a slash."""
    document = log()
    sample = document["samples"][0]
    events, said = sample.pop("events"), sample.pop("messages")
    held = {
        "sample": {**sample, "id": "a/b", "message_refs": [[0, 4]]},
        "messages/0": said,
        "events/0": events[:2],
        "events/2": events[2:],
    }
    members = {"header.json": zips.zstd(json.dumps({"eval": document["eval"]}).encode())}
    members |= {f"samples/a/b_epoch_2/{name}.json": zips.zstd(json.dumps(it).encode()) for name, it in held.items()}
    return zips.of(members)


def evaluations() -> dict[str, Variant]:
    """By name."""
    told = ["customer Where is #7?", 'agent get_order({"n":7}) = shipped', "agent Shipped."]
    return {
        "graded.json": Variant("inspect", log(), [told]),
        "parts.eval": Variant("inspect", parts(), [told]),
    }
