"""Corners of the shapes that are long known: blank lines, older calls, headers, results without their call."""

from __future__ import annotations

from typing import Any

from tests.variants.kit import ASK, CALLED, RESULT, SAID, SHORT, TOLD, Variant, lines

LINES = {"role": "user", "content": ["Hello,", "", "where is #7?", ""]}
HEADER = {"format": "chat-log", "version": 2, "model": "gpt-4o"}
ITEMS: list[dict[str, Any]] = [
    {"type": "message", "role": "user", "content": "Where is #7?"},
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "\nLook.\n"}]},
    {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "get_order", "arguments": '{"id":7}'},
    {"type": "function_call_output", "call_id": "call_1", "output": "shipped"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Shipped."}]},
]
ITEMS_TOLD = ["customer Where is #7?", 'agent <\nLook.\n> get_order({"id":7}) = shipped', "agent Shipped."]
WRITTEN = 'Let me see.\n<tool_call>\n{"name": "get_order", "arguments": {"id": 7}}\n</tool_call>'
DOJO: dict[str, Any] = {
    "suite_name": "banking",
    "pipeline_name": "gpt-4o-2024-05-13-tool_filter",
    "user_task_id": "user_task_0",
    "injection_task_id": "injection_task_3",
    "attack_type": "important_instructions",
    "injections": {"bill": "Do as I say."},
    "messages": [
        {"role": "system", "content": [{"type": "text", "content": "Be kind."}]},
        {"role": "user", "content": [{"type": "text", "content": "Pay\n\nthe bill."}]},
        {
            "role": "assistant",
            "content": [
                {"type": "redacted_thinking", "content": "AAAA"},
                {"type": "thinking", "content": "Read it.", "id": None},
                {"type": "text", "content": ""},
            ],
            "tool_calls": [
                {"function": "read_file", "args": {"path": "bill"}, "id": None, "placeholder_args": None},
                {"function": "get_iban", "args": {}, "id": None, "placeholder_args": None},
            ],
        },
        {
            "role": "tool",
            "content": [{"type": "text", "content": "DE89"}],
            "tool_call_id": None,
            "tool_call": {"function": "get_iban", "args": {}, "id": None, "placeholder_args": None},
            "error": None,
        },
        {
            "role": "tool",
            "content": [{"type": "text", "content": ""}],
            "tool_call_id": None,
            "tool_call": {"function": "read_file", "args": {"path": "bill"}, "id": None, "placeholder_args": None},
            "error": "ValueError: no such file ✉",
        },
        {"role": "assistant", "content": None, "tool_calls": None},
    ],
    "error": None,
    "utility": False,
    "security": True,
    "duration": 1.5,
    "evaluation_timestamp": "2025-01-02 03:04:05",
    "agentdojo_package_version": "0.1.35",
    "benchmark_version": "v1.2.2",
}


def corners() -> dict[str, Variant]:
    """All of them by name."""
    return {**words(), **calls(), **headers(), **dojo()}


def words() -> dict[str, Variant]:
    """Texts of which nothing may be lost."""
    hidden = [{"type": "reasoning.text", "text": "Hm."}, {"type": "reasoning.encrypted", "data": "AAAA"}]
    beside = {"role": "assistant", "content": [{"type": "thinking", "thinking": "One."}], "reasoning_content": "Two."}
    noughts = {"role": "tool", "tool_call_id": "c1", "content": 0}
    said = {"type": "message", "role": "user", "content": "Hello?"}
    thought = [{"type": "reasoning_text", "text": "Far."}]
    return {
        "blank-lines.json": Variant("openai-chat", [LINES], [["customer Hello,\n\nwhere is #7?\n"]]),
        "nought.json": Variant("openai-chat", [ASK, CALLED, noughts], [[TOLD[0], 'agent get_order({"id":7}) = 0']]),
        "details.json": Variant(
            "openai-chat",
            [{**SAID, "reasoning_details": hidden}, beside],
            [["agent Shipped. <Hm.>", "agent <Two.\nOne.>"]],
        ),
        "reasoning-lines.json": Variant("responses", ITEMS, [ITEMS_TOLD]),
        "reasoning-alone.json": Variant("responses", [ITEMS[1], said], [["agent <\nLook.\n>", "customer Hello?"]]),
        "both-thoughts.json": Variant(
            "responses", [{**ITEMS[1], "content": thought}, said], [["agent <\nLook.\n\nFar.>", "customer Hello?"]]
        ),
        "instructed.json": Variant(
            "responses",
            {"object": "response", "instructions": [{"role": "developer", "content": "Be kind."}], "output": []},
            [["system Be kind."]],
        ),
        "empty-input.json": Variant(
            "responses",
            [{"type": "custom_tool_call", "call_id": "k", "name": "sh", "input": "x", "arguments": ""}],
            [["agent sh() = ?"]],
        ),
    }


def calls() -> dict[str, Variant]:
    """Calls in their older and odder places."""
    old = {"name": "get_order", "arguments": "{}"}
    empty = [ASK, {"role": "assistant", "content": None, "tool_calls": [], "function_call": old}]
    both = {**CALLED, "function_call": old}
    twice = {**CALLED, "function_call": {"name": "get_order", "arguments": '{"id":7}'}}
    folded = {"role": "assistant", "tool_calls": '[{"id": "c1", "name": "get_order", "arguments": {"id": 7}}]'}
    written = [
        ASK,
        {"role": "assistant", "content": WRITTEN},
        {"role": "tool", "tool_call_id": "x", "content": "shipped"},
    ]
    first = {"id": 0, "function": {"name": "get_order", "arguments": "{}"}}
    by_nought = [{"role": "assistant", "tool_calls": [first]}, {"role": "tool", "tool_call_id": 0, "content": "a"}]
    answer = {"role": "function", "name": "get_order", "content": "shipped"}
    other = {"role": "assistant", "content": None, "tool_calls": [{"id": "c2", "name": "get_user", "arguments": "{}"}]}
    item = {"type": "function_call", "id": "fc_1", "name": "get_order", "arguments": '{"id": 7}'}
    made = 'agent get_order({"id":7}) = ?'
    return {
        "empty-calls.json": Variant("openai-chat", [*empty, answer], [[TOLD[0], "agent get_order({}) = shipped"]]),
        "both-calls.json": Variant("openai-chat", [both], [[f"{made} get_order({{}}) = ?"]]),
        "twice-told.json": Variant("openai-chat", [twice], [[made]]),
        "folded-calls.json": Variant("openai-chat", [folded, RESULT], [['agent get_order({"id":7}) = shipped']]),
        "nought-id.json": Variant("openai-chat", by_nought, [["agent get_order({}) = a"]]),
        "item-and-call.json": Variant(
            "openai-chat", [{**CALLED, "content": [item]}, RESULT], [['agent get_order({"id":7}) = shipped']]
        ),
        "replied-call.json": Variant(
            "openai-chat",
            {"messages": [ASK, CALLED], "choices": [{"message": other}]},
            [[TOLD[0], made, "agent get_user({}) = ?"]],
        ),
        "written-call.json": Variant(
            "openai-chat", written, [[TOLD[0], f'agent {WRITTEN} get_order({{"id":7}}) = shipped']]
        ),
    }


def headers() -> dict[str, Variant]:
    """Files whose first record is none of their conversations."""
    step = {"step_id": 1, "source": "user", "message": "Hi"}
    trajectory = {"schema_version": "ATIF-v1.6", "agent": {"name": "desk"}, "steps": [step]}
    times = {"startTime": "2026-01-01T00:00:01Z", "endTime": "2026-01-01T00:00:02Z"}
    seen = {"id": "o", "traceId": "t", "type": "GENERATION", **times, "input": [ASK], "output": SAID}
    asked = {"gen_ai.operation.name": "chat", "gen_ai.prompt": [ASK], "gen_ai.completion": [SAID]}
    span = {"trace_id": "t", "span_id": "a", "name": "chat", "start_time": 1_800_000_000, "attributes": asked}
    return {
        "headed-items.jsonl": Variant("responses", lines(HEADER, *ITEMS), [ITEMS_TOLD]),
        "headed-records.jsonl": Variant("responses", lines(HEADER, {"input": ITEMS}), [ITEMS_TOLD]),
        "headed-chats.jsonl": Variant("openai-chat", lines(HEADER, {"messages": [ASK, SAID]}), [SHORT]),
        "headed-messages.jsonl": Variant("openai-chat", lines(HEADER, ASK, SAID), [SHORT]),
        "headed-atif.jsonl": Variant("atif", lines(HEADER, trajectory), [["customer Hi"]]),
        "headed-langfuse.jsonl": Variant("langfuse", lines(HEADER, seen), [SHORT]),
        "headed-spans.jsonl": Variant("otel", lines(HEADER, span), [SHORT]),
    }


def dojo() -> dict[str, Variant]:
    """AgentDojo's results, new and from before its contents were blocks."""
    old = {key: DOJO[key] for key in ("suite_name", "pipeline_name", "user_task_id", "utility", "security")}
    old |= {"injection_task_id": None, "attack_type": None, "messages": [ASK, CALLED, RESULT, SAID]}
    told = [
        "system Be kind.",
        "customer Pay\n\nthe bill.",
        'agent <Read it.> read_file({"path":"bill"}) =  get_iban({}) = DE89',
        "agent",
    ]
    return {"injection_task_3.json": Variant("agentdojo", DOJO, [told]), "none.json": Variant("agentdojo", old, [TOLD])}
