"""One small file of each format, written by hand: what a source of that shape looks like, with its awkward corners."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

from tests import zips

CALL = {"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"order_id":"#7"}'}}
CHAT: list[dict[str, Any]] = [
    {"role": "system", "content": "Policy. The current time is 2024-05-15 15:00:00 EST."},
    {"role": "user", "content": "Where is #7? 🙂"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "name": "get_order", "content": '{"status":"shipped"}'},
    {"role": "assistant", "content": "It was shipped."},
]
"""A conversation with one call, as OpenAI writes it."""

CHAT_YAML = """\
model: gpt-4o
messages:
- role: user
  content: 'Where is #7? 🙂'
- &said
  role: assistant
  content: |-
    It was shipped.
      On 2024-05-15.
- {role: user, content: no}
- *said
""".encode()
"""A conversation as YAML, with a word that is a truth value in older YAML, and an alias."""

TAU2_MESSAGES: list[dict[str, Any]] = [
    {"role": "assistant", "content": "Hi! How can I help you today?", "tool_calls": None, "turn_idx": 0},
    {"role": "user", "content": "Where is #7?", "turn_idx": 1, "cost": 0.1, "raw_data": {"model": "sim"}},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "same", "name": "get_order", "arguments": {"order_id": "#7"}, "requestor": "assistant"},
            {"id": "same", "name": "get_user", "arguments": {}, "requestor": "assistant"},
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 3, "reasoning_tokens": 2},
        "raw_data": {"message": {"content": None, "reasoning_content": "Look it up."}, "finish_reason": "tool_calls"},
    },
    {"id": "same", "role": "tool", "content": "shipped", "requestor": "assistant", "error": False},
    {"id": "same", "role": "tool", "content": "no such user", "requestor": "assistant", "error": True},
    {
        "role": "user",
        "content": None,
        "tool_calls": [{"id": "u1", "name": "check_phone", "arguments": {}, "requestor": "user"}],
    },
    {"id": "u1", "role": "tool", "content": "on", "requestor": "user", "error": False},
    {"role": "user", "content": "###STOP###", "turn_idx": 7},
]
TAU2_TASK: dict[str, Any] = {
    "id": "3",
    "user_scenario": {"persona": "hurried", "instructions": {"domain": "retail", "reason_for_call": "You want #7."}},
    "evaluation_criteria": {"actions": [{"name": "get_order", "arguments": {"order_id": "#7"}}]},
}
TAU2_REWARD = {
    "reward": 0.5,
    "reward_breakdown": {"DB": 1.0},
    "nl_assertions": [{"nl_assertion": "kind", "met": False}],
}


def tau2(trials: int = 2) -> dict[str, Any]:
    """A tau2 results file with this many trials of one task."""
    return {
        "info": {
            "git_commit": "0123456789abcdef",
            "num_trials": trials,
            "agent_info": {"implementation": "llm_agent", "llm": "gpt-4o"},
            "user_info": {"llm": "gpt-4.1"},
            "environment_info": {"domain_name": "retail", "policy": "The current time is 2024-05-15 15:00:00 EST."},
        },
        "tasks": [TAU2_TASK],
        "simulations": [
            {
                "id": f"sim-{n}",
                "task_id": "3",
                "trial": n,
                "seed": 7,
                "start_time": "2026-01-01T00:00:00",
                "termination_reason": "user_stop",
                "reward_info": TAU2_REWARD,
                "messages": TAU2_MESSAGES,
            }
            for n in range(trials)
        ],
    }


def tau2_task() -> dict[str, Any]:
    """One task a file."""
    told = {"simulation_id": "s", "duration_sec": 2.5, "termination_reason": "agent_error"}
    return {"task_id": "3", "task": TAU2_TASK, "run_info": told, "reward_info": TAU2_REWARD, "messages": TAU2_MESSAGES}


def inspect(epochs: int = 1) -> dict[str, Any]:
    """An Inspect log as one JSON value."""
    call = {"id": "c1", "function": "bash", "arguments": {"cmd": "ls"}, "type": "function"}
    long = "attachment://0123456789abcdef0123456789abcdef"
    messages = [
        {"role": "user", "content": [{"type": "text", "text": long}, {"type": "image", "image": "data:x"}]},
        {"role": "assistant", "content": [{"type": "reasoning", "reasoning": "Hm."}], "tool_calls": [call]},
        {
            "role": "tool",
            "tool_call_id": "c1",
            "function": "bash",
            "content": "",
            "error": {"type": "timeout", "message": "1 s"},
        },
    ]
    sample = {
        "id": "a b",
        "input": "Find it.",
        "target": "it",
        "messages": messages,
        "scores": {"match": {"value": "C", "explanation": "found"}, "marks": {"value": {"tone": 0.5}}},
        "metadata": {"level": 2},
        "limit": {"type": "message", "limit": 3},
        "attachments": {"0123456789abcdef0123456789abcdef": "the long text"},
        "events": [{"event": "model"}],
    }
    about = {
        "task": "suite/ctf",
        "model": "openai/gpt-4o",
        "config": {"epochs": epochs},
        "created": "2025-01-01T00:00:00Z",
    }
    samples = [{**sample, "epoch": epoch} for epoch in range(1, epochs + 1)]
    return {"version": 2, "status": "success", "eval": about, "samples": samples}


def inspect_members() -> dict[str, bytes]:
    """What is in a `.eval` of the same log."""
    log = inspect()
    header = {key: log[key] for key in ("version", "status", "eval")}
    return {
        "header.json": json.dumps(header).encode(),
        "samples/a b_epoch_1.json": json.dumps(log["samples"][0]).encode(),
    }


def inspect_zip() -> bytes:
    """The same log as a `.eval`."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in inspect_members().items():
            file.writestr(name, content)
    return held.getvalue()


def logs_zip() -> bytes:
    """A zip of logs: a document, lines, YAML, a log in a zip of its own, and what is no log."""
    held = {
        "logs/anthropic.json": zips.deflated(json.dumps(ANTHROPIC).encode()),
        "logs/rollouts.jsonl": zips.zstd((json.dumps(RESPONSES) + "\n").encode() * 2),
        "logs/chat.yaml": zips.stored(CHAT_YAML),
        "logs/log.eval": zips.stored(inspect_zip()),
        "picture.png": zips.stored(b"\x89PNG"),
    }
    return zips.of(held)


ATIF: dict[str, Any] = {
    "schema_version": "ATIF-v1.6",
    "session_id": "s-1",
    "agent": {"name": "desk", "version": "1", "model_name": "gpt-4o"},
    "steps": [
        {"step_id": 1, "source": "user", "message": "Where is #7?", "timestamp": "2026-01-01T00:00:00Z"},
        {
            "step_id": 2,
            "source": "agent",
            "message": "Let me see.",
            "reasoning_content": "Look.",
            "tool_calls": [{"tool_call_id": "c1", "function_name": "get_order", "arguments": {"order_id": "#7"}}],
            "observation": {"results": [{"content": "shipped"}]},
            "metrics": {"prompt_tokens": 5, "completion_tokens": 2, "cost_usd": 0.1, "logprobs": [1]},
        },
        {"step_id": 3, "source": "system", "message": "Compacted.", "observation": {"results": [{"content": "alone"}]}},
    ],
    "final_metrics": {"total_cost_usd": 0.1},
}
AGENTDOJO: dict[str, Any] = {
    "suite_name": "banking",
    "pipeline_name": "gpt-4o",
    "user_task_id": "user_task_1",
    "injection_task_id": None,
    "attack_type": None,
    "messages": [{"role": "user", "content": [{"type": "text", "content": "Pay it."}]}],
    "utility": True,
}
MINI_SWE: dict[str, Any] = {
    "trajectory_format": "mini-swe-agent-1",
    "instance_id": "django__django-1",
    "info": {
        "exit_status": "Submitted",
        "submission": "diff",
        "model_stats": {"instance_cost": 0.1},
        "config": {"model": {"model_name": "gemini-3-pro"}},
    },
    "messages": [
        {"role": "system", "content": "One bash block."},
        {"role": "user", "content": "Fix it."},
        {"role": "assistant", "content": "THOUGHT: look\n\n```bash\nls -a\n```", "extra": {"response": {"usage": {}}}},
        {"role": "user", "content": "<returncode>0</returncode>"},
    ],
}
RESPONSES: dict[str, Any] = {
    "responses_create_params": {"input": [{"role": "user", "type": "message", "content": "Where is #7?"}]},
    "response": {
        "id": "resp_1",
        "model": "gpt-4.1",
        "output": [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Look."}]},
            {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "get_order", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "shipped"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Shipped.</think>"}]},
        ],
    },
    "reward": 1.0,
}
FLOW: dict[str, Any] = {
    "task_id": "cancel",
    "agent_type": "customer_support",
    "scenario": "resolvable",
    "persona": "Nadia",
    "goal": "Cancel.",
    "ts": "20260807T004221Z",
    "conversation_id": "c-1",
    "outcome": {"task_success": False, "task_success_reason": "misheard", "end_reason": "turn_cap"},
    "metadata": {"num_turns": 1},
    "flow_trace": [],
    "turns": [{"n": 1, "user_msg": "Cancel it.", "agent_reply": "Of course.", "tools_used": ["look_up"]}],
    "transcript": "USER: Cancel it.\nAGENT: Of course.",
}
CLINIC: dict[str, Any] = {
    "scenario_id": "MedQA-5",
    "dataset": "MedQA",
    "score": {"outcome": "incorrect", "correctness": False},
    "dialogue": [
        {"role": "doctor", "inference": 1, "text": "What hurts?"},
        {"role": "patient", "text": "My knee."},
        {"role": "measurement", "text": "MRI: nothing."},
    ],
    "doctor_turns": [{"inference": 1, "reply": "What hurts?", "tool_calls": [{"name": "order_test", "arguments": {}}]}],
}
ANTHROPIC: dict[str, Any] = {
    "id": "conv-9",
    "model": "claude-opus-4",
    "system": "Be kind.",
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Where is #7?"}, {"type": "image", "source": {}}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Look."},
                {"type": "text", "text": "One moment."},
                {"type": "tool_use", "id": "t1", "name": "get_order", "input": {"order_id": "#7"}},
            ],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "no such order"}],
        },
        {"role": "assistant", "content": "It is not there."},
    ],
}


def _span(id: str, parent: str | None, name: str, at: int, attributes: dict[str, Any]) -> dict[str, Any]:
    nanoseconds = 1_784_995_767_000_000_000 + at * 1_000_000_000
    return {
        "trace_id": "t-1",
        "span_id": id,
        "parent_span_id": parent,
        "name": name,
        "attributes": attributes,
        "start_time": nanoseconds,
        "end_time": nanoseconds + 500_000_000,
    }


def _parts(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


_ASKED = _parts("user", {"type": "text", "content": "Where is #7?"})
_CALLED = _parts("assistant", {"type": "tool_call", "id": "c1", "name": "get_order", "arguments": {"order_id": "#7"}})
_RESULT = _parts("tool", {"type": "tool_call_response", "id": "c1", "response": "shipped"})
_SAID = _parts("assistant", {"type": "text", "content": "Shipped."})


def _chat(asked: list[Any], answered: list[Any]) -> dict[str, Any]:
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.usage.output_tokens": 4,
        "gen_ai.input.messages": json.dumps(asked),
        "gen_ai.output.messages": json.dumps(answered),
    }


OTEL: list[dict[str, Any]] = [
    _span("b", "a", "chat gpt-4o", 1, _chat([_ASKED], [_CALLED])),
    _span(
        *("c", "a", "execute_tool get_order", 2),
        {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get_order", "gen_ai.tool.call.id": "c1"},
    ),
    _span("d", "a", "chat gpt-4o", 3, _chat([_ASKED, _CALLED, _RESULT], [_SAID])),
    _span("a", None, "invoke_agent desk", 0, {"gen_ai.operation.name": "invoke_agent"}),
]
"""Two calls of a model, the second repeating the first's history, with a tool between, in no order."""


def otlp() -> dict[str, Any]:
    """The same in OTLP's JSON."""
    spans = []
    for span in OTEL:
        typed = [
            {"key": key, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}}
            for key, value in span["attributes"].items()
        ]
        spans.append(
            {
                "traceId": "t-1",
                "spanId": span["span_id"],
                "parentSpanId": span["parent_span_id"] or "",
                "name": span["name"],
                "attributes": typed,
                "startTimeUnixNano": str(span["start_time"]),
                "endTimeUnixNano": str(span["end_time"]),
            }
        )
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {}, "spans": spans}]}]}


def openinference() -> list[dict[str, Any]]:
    """One call of a model with its messages flattened into attributes."""
    messages = {
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "Where is #7?",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.contents.0.message_content.text": "Let me see.",
        "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "get_order",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"order_id":"#7"}',
    }
    tool = {
        "openinference.span.kind": "TOOL",
        "tool.name": "get_order",
        "output.value": "shipped",
        "input.value": '{"order_id": "#7"}',
    }
    asked = {"openinference.span.kind": "LLM", "llm.model_name": "gpt-4o", **messages}
    return [_span("b", "a", "llm", 1, asked), _span("c", "a", "get_order", 2, tool), _span("a", None, "agent", 0, {})]


def langfuse(folded: bool = True) -> dict[str, Any]:
    """A Langfuse trace whose inputs are JSON in a string, or objects."""

    def fold(value: Any) -> Any:
        return json.dumps(value) if folded else value

    def seen(id: str, kind: str, at: int, asked: Any, answered: Any, **more: Any) -> dict[str, Any]:
        times = {"startTime": f"2026-01-01T00:00:0{at}Z", "endTime": f"2026-01-01T00:00:0{at}.5Z"}
        held = {"input": fold(asked), "output": fold(answered)}
        return {"id": id, "traceId": "t", "type": kind, "parentObservationId": None, **times, **held, **more}

    first = seen("b", "GENERATION", 1, {"messages": CHAT[:2]}, CHAT[2], model="gpt-4o", name="chat")
    tool = seen("c", "TOOL", 2, {"order_id": "#7"}, {"status": "shipped"}, name="get_order")
    second = seen("d", "GENERATION", 3, {"messages": CHAT[:4]}, {"choices": [{"message": CHAT[4]}]}, model="gpt-4o")
    mark = {"name": "tone", "value": 0.8, "comment": "kind", "source": "EVAL"}
    trace = {"id": "t", "sessionId": "s-1", "userId": "u", "tags": ["demo"], "scores": [mark]}
    return {"trace": trace, "observations": [second, tool, first]}


def steps() -> str:
    """A recording whose lines repeat all that came before."""
    lines = [
        *({"env_index": 0, "step": n, "messages": CHAT[: 2 + n]} for n in range(4)),
        {"env_index": 1, "step": 0, "messages": CHAT[:2]},
        {"control": "end"},
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def files() -> dict[str, bytes]:
    """A file of every shape, by name."""
    documents: dict[str, Any] = {
        "gpt-4o-retail.json": [{"task_id": 1, "trial": 0, "reward": 1.0, "info": {}, "traj": CHAT}],
        "results.json": tau2(),
        "task_3.json": tau2_task(),
        "log.json": inspect(),
        "atif.json": ATIF,
        "user_task_1.json": AGENTDOJO,
        "x.traj.json": MINI_SWE,
        "flow.session.json": FLOW,
        "clinic.json": CLINIC,
        "anthropic.json": ANTHROPIC,
        "otel.json": OTEL,
        "otlp.json": otlp(),
        "openinference.json": openinference(),
        "langfuse.json": langfuse(),
    }
    return {
        **{name: json.dumps(value).encode() for name, value in documents.items()},
        "log.eval": inspect_zip(),
        "log-zstd.eval": zips.of({name: zips.zstd(it, frames=3) for name, it in inspect_members().items()}),
        "logs.zip": logs_zip(),
        "chat.yaml": CHAT_YAML,
        "rollouts.jsonl": (json.dumps(RESPONSES) + "\n").encode() * 2,
        "steps.jsonl": steps().encode(),
        "ours.jsonl": b'{"reviewer": 1, "model": "m", "case": "c", "messages": [{"role": "customer", "text": ""}]}\n',
    }
