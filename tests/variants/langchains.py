"""LangChain, LangGraph and LangSmith: messages, states, stored histories and runs as they write them."""

from __future__ import annotations

import json
from typing import Any

from tests.variants.kit import ASK, SAID, SHORT, TOLD, Variant, lines

_HUMAN = {"content": ASK["content"], "additional_kwargs": {}, "response_metadata": {}, "type": "human", "id": "m1"}
_AI = {
    "content": "",
    "additional_kwargs": {},
    "response_metadata": {"model_name": "gpt-4o", "finish_reason": "tool_calls", "token_usage": {"prompt_tokens": 9}},
    "type": "ai",
    "id": "m2",
    "tool_calls": [{"name": "get_order", "args": {"id": 7}, "id": "c1", "type": "tool_call"}],
    "invalid_tool_calls": [],
    "usage_metadata": {
        "input_tokens": 9,
        "output_tokens": 4,
        "total_tokens": 13,
        "input_token_details": {"cache_read": 3},
        "output_token_details": {"reasoning": 2},
    },
}
_TOOL = {
    "content": "shipped",
    "type": "tool",
    "name": "get_order",
    "tool_call_id": "c1",
    "id": "m3",
    "status": "success",
}
_LAST = {
    "content": "Shipped.",
    "type": "ai",
    "id": "m4",
    "tool_calls": [],
    "response_metadata": {"model_name": "gpt-4o"},
}
LANGCHAIN: list[dict[str, Any]] = [_HUMAN, _AI, _TOOL, _LAST]
"""A conversation with one call, as LangChain dumps the fields of its messages."""
TOLD_AT_ONCE = [
    *("customer Where is #7?", 'agent Let me see. get_order({"id":7}) = shipped'),
    *("agent get_user(#7) = Ada", "agent Shipped."),
]
_CLASSES = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage", "system": "SystemMessage"}


def constructed(message: dict[str, Any]) -> dict[str, Any]:
    """A message as LangChain's `dumps` writes it."""
    path = ["langchain", "schema", "messages", _CLASSES[message["type"]]]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": message}


def _state(*messages: dict[str, Any], step: int) -> dict[str, Any]:
    place = {"thread_id": "th-1", "checkpoint_ns": "", "checkpoint_id": f"k{step}"}
    return {
        "values": {"messages": list(messages), "order": "#7"},
        "next": [],
        "checkpoint": place,
        "parent_checkpoint": {**place, "checkpoint_id": f"k{step - 1}"} if step else None,
        "metadata": {"source": "loop", "step": step, "thread_id": "th-1"},
        "created_at": f"2026-01-01T00:00:0{step}+00:00",
    }


def langchain() -> dict[str, Variant]:
    """Messages in LangChain's shapes, alone, in states, in rows of a store, as an agent's steps."""
    rows = [{"type": each["type"], "data": each} for each in LANGCHAIN]
    streamed = [{"type": "text", "text": "Shipped."}, {"type": "input_json_delta", "partial_json": "{}"}]
    odd = [
        {**_HUMAN, "content": [{"type": "text", "text": " Where\n\nis #7? 🙂"}, "and #8"]},
        {**_AI, "tool_calls": [], "invalid_tool_calls": [{"name": "f", "args": "{", "id": "c1", "error": "not JSON"}]},
        {**_TOOL, "status": "error", "content": ""},
        {**_TOOL, "tool_call_id": "none", "content": ["a", "b"]},
        {"type": "AIMessageChunk", "content": streamed, "additional_kwargs": {"reasoning_content": "Hm."}},
        {"type": "remove", "content": "", "id": "m1"},
    ]
    states = [_state(*LANGCHAIN[2:], step=3), _state(*LANGCHAIN[:2], step=2), _state(_HUMAN, step=1), _state(step=0)]
    given_up = {**_state(_HUMAN, {**_LAST, "id": "m9"}, step=2), "created_at": "2026-01-01T00:00:01.5+00:00"}
    given_up["checkpoint"] = {**given_up["checkpoint"], "checkpoint_id": "k2b"}
    action = {"tool": "get_order", "tool_input": {"id": 7}, "log": "Look.", "type": "AgentAction"}
    logged = {**action, "message_log": [{**_LAST, "content": "Let me see."}]}
    user = {**logged, "tool": "get_user", "tool_input": "#7"}
    at_once = [[logged, "shipped"], [user, "Ada"]]
    flat = [{"type": "human", "content": ASK["content"]}, {"type": "ai", "content": "Shipped."}]
    steps = {"input": ASK["content"], "output": "Shipped.", "intermediate_steps": [[action, "shipped"]]}
    thread = {
        "thread_id": "th-1",
        "created_at": "2026-01-01T00:00:00Z",
        "status": "idle",
        "metadata": {"graph": "desk"},
    }
    stored = [{"id": n, "session_id": "s-1", "message": json.dumps(row)} for n, row in enumerate(rows)]
    mongo = [{"SessionId": "s-1", "History": json.dumps(row)} for row in rows]
    tuples = {"configurable": {"thread_id": "th-1", "checkpoint_ns": "", "checkpoint_id": "k1"}}
    checkpoint = {"id": "k1", "ts": "2026-01-01T00:00:00Z", "channel_values": {"messages": LANGCHAIN}}
    return {
        "messages-to-dict.json": Variant("langchain", rows, [TOLD]),
        "dumps.json": Variant("langchain", [constructed(each) for each in LANGCHAIN], [TOLD]),
        "model-dump.jsonl": Variant("langchain", lines(*LANGCHAIN), [TOLD]),
        "langchain.jsonl": Variant(
            "langchain", lines(*({"messages": LANGCHAIN, "id": f"x{n}"} for n in (1, 2))), [TOLD] * 2
        ),
        "lists-of-messages.json": Variant("langchain", [LANGCHAIN, LANGCHAIN[:1]], [TOLD, TOLD[:1]]),
        "langchain-odd.json": Variant(
            "langchain",
            {"messages": odd},
            [["customer  Where\n\nis #7? 🙂\nand #8", "agent f({) =  !get_order() = a\nb", "agent Shipped. <Hm.>"]],
        ),
        "states.json": Variant("langchain", states, [TOLD]),
        "threads.json": Variant("langchain", [{**thread, "values": {"messages": LANGCHAIN}}], [TOLD]),
        "checkpoints.jsonl": Variant("langchain", lines({"config": tuples, "checkpoint": checkpoint}), [TOLD]),
        "message-store.jsonl": Variant(
            "langchain", lines(*stored, {**stored[0], "session_id": "s-2"}), [TOLD, TOLD[:1]]
        ),
        "flat.json": Variant(
            "langchain", [{"type": "system", "content": "Policy."}, *flat], [["system Policy.", *SHORT]]
        ),
        "mongo.json": Variant("langchain", mongo, [TOLD]),
        "steps.json": Variant("langchain", steps, [[TOLD[0], 'agent <Look.> get_order({"id":7}) = shipped', TOLD[2]]]),
        "steps-at-once.json": Variant("langchain", {**steps, "intermediate_steps": at_once}, [TOLD_AT_ONCE]),
        "values.jsonl": Variant(
            "langchain",
            lines(
                *({"messages": LANGCHAIN[:end], "order": "#7"} for end in (1, 2, 3, 4, 4)),
                *(
                    {"messages": [{**message, "id": f"n{n}"} for n, message in enumerate(LANGCHAIN[:end])]}
                    for end in (4, 1)
                ),
            ),
            [TOLD] * 2,
        ),
        "given-up.json": Variant("langchain", [states[2], given_up], [[TOLD[0], TOLD[2]]]),
    }


def _run(id: str, kind: str, at: int, parent: str | None = "r0", **more: Any) -> dict[str, Any]:
    times = {"start_time": f"2026-01-01T00:00:0{at}.000000", "end_time": f"2026-01-01T00:00:0{at}.500000"}
    about = {"metadata": {"thread_id": "th-1", "ls_model_name": "gpt-4o", "user_id": "u-1"}}
    base = {"id": id, "trace_id": "r0", "parent_run_id": parent, "run_type": kind, "name": kind, "extra": about}
    return {**base, **times, "session_id": "project", "inputs": {}, "outputs": None, "error": None, **more}


def _generations(message: dict[str, Any]) -> dict[str, Any]:
    made = {"text": message["content"], "message": constructed(message), "type": "ChatGeneration"}
    return {"generations": [[made]], "llm_output": {"model_name": "gpt-4o-2024"}}


def runs() -> list[dict[str, Any]]:
    """The runs of one trace as LangSmith's client gives them, last first."""
    system = {"type": "system", "content": "Policy."}
    asked = [constructed(each) for each in (system, *LANGCHAIN)]
    marks = {"tone": {"n": 2, "avg": 0.5, "values": {}}}
    tools = {"invocation_params": {"tools": [{"type": "function", "function": {"name": "get_order"}}]}}
    about = {"metadata": {"thread_id": "th-1"}, **tools}
    first = _run("r1", "llm", 1, inputs={"messages": [asked[:2]]}, outputs=_generations(_AI), extra=about)
    tool = _run("r2", "tool", 2, name="get_order", inputs={"input": "{'id': 7}"}, outputs={"output": _TOOL})
    docs = {"documents": [{"page_content": "Shipping takes a day."}]}
    search = _run("r3", "retriever", 3, name="search", inputs={"query": "shipping"}, outputs=docs)
    second = _run(
        *("r4", "llm", 4),
        inputs={"messages": [asked[:4]]},
        outputs=_generations(_LAST),
        prompt_tokens=20,
        completion_tokens=5,
        prompt_token_details={"cache_read": 8},
        total_cost="0.002",
    )
    whole = _run(
        *("r0", "chain", 0, None),
        name="desk",
        inputs={"messages": [["user", ASK["content"]]]},
        outputs={"messages": LANGCHAIN},
        feedback_stats=marks,
        prompt_tokens=29,
        completion_tokens=9,
        total_cost="0.003",
    )
    return [second, search, tool, first, {**whole, "end_time": "2026-01-01T00:00:09"}]


RUNS_TOLD = [
    "system Policy.",
    TOLD[0],
    TOLD[1],
    'other search({"query":"shipping"}) = [{"page_content":"Shipping takes a day."}]',
    TOLD[2],
]


def langsmith() -> dict[str, Variant]:
    """LangSmith's runs as a list, lines, trees, operations; of other frameworks, and of wrappers alone."""
    again = {"thread_id": "th-1"}
    *inner, root = runs()
    tree = {**root, "child_runs": [{k: v for k, v in run.items() if k != "trace_id"} for run in inner]}
    starts = [{k: v for k, v in run.items() if k not in ("outputs", "end_time", "error")} for run in runs()]
    ends = [{"id": run["id"], "end_time": run["end_time"], "outputs": run["outputs"]} for run in runs()]
    turn = [*LANGCHAIN, {**_HUMAN, "id": "m5", "content": "Thanks."}, {**_LAST, "id": "m6", "content": "Bye."}]
    roots = [
        _run("a", "chain", 1, None, trace_id="a", inputs={"messages": [_HUMAN]}, outputs={"messages": turn[:4]}),
        _run("b", "chain", 2, None, trace_id="b", inputs={"messages": turn[4:5]}, outputs={"messages": turn}),
    ]
    wrapped = _run(
        *("w", "llm", 1, None),
        trace_id="w",
        extra={},
        inputs={"messages": [ASK], "model": "gpt-4o"},
        outputs={"choices": [{"message": SAID}], "usage": {"prompt_tokens": 3, "completion_tokens": 2}},
    )

    def told(n: int, system: str, asked: str, said: str, trace: str = "") -> list[dict[str, Any]]:
        """A trace of one call, whose instructions are made for it."""
        prompt = [constructed({"type": "system", "content": system}), constructed({"type": "human", "content": asked})]
        made = _generations({"type": "ai", "content": said})
        here = {"trace_id": trace or f"t{n}"}
        whole = _run(f"t{n}", "chain", n, None, inputs={"question": asked}, outputs={"answer": said}, **here)
        call = _run(f"c{n}", "llm", n, trace or f"t{n}", inputs={"messages": [prompt]}, outputs=made, **here)
        return [call] if trace else [whole, call]

    facts = [*told(1, "Facts: one.", "Where is #7?", "Shipped."), *told(2, "Facts: two.", "Thanks.", "Bye.")]
    judged = [*facts[:2], *told(3, "Judge.", "Is it so?", "Yes.", "t1"), *told(4, "Judge.", "And this?", "No.", "t1")]
    facts_told = ["system Facts: one.", *SHORT, "system Facts: two.", "customer Thanks.", "agent Bye."]
    judged_told = [*facts_told[:3], "system Judge.", "other Is it so?", "agent Yes.", "other And this?", "agent No."]
    question = _run(
        "q", "chain", 1, None, trace_id="q", inputs={"question": ASK["content"]}, outputs={"answer": "Shipped."}
    )
    folded = [{**run, "inputs": json.dumps(run["inputs"]), "outputs": json.dumps(run["outputs"])} for run in runs()]
    return {
        "runs.json": Variant("langsmith", runs(), [RUNS_TOLD]),
        "runs.jsonl": Variant("langsmith", lines(*runs()), [RUNS_TOLD]),
        "run-pages.json": Variant("langsmith", {"runs": runs(), "cursors": {}}, [RUNS_TOLD]),
        "run-tree.json": Variant("langsmith", tree, [RUNS_TOLD]),
        "run-ops.jsonl": Variant("langsmith", lines(*starts, *ends), [RUNS_TOLD]),
        "run-batch.json": Variant("langsmith", {"post": starts, "patch": ends}, [RUNS_TOLD]),
        "run-export.jsonl": Variant("langsmith", lines(*folded), [RUNS_TOLD]),
        "root-runs.json": Variant("langsmith", roots, [[*TOLD, "customer Thanks.", "agent Bye."]]),
        "facts-runs.json": Variant("langsmith", facts, [facts_told]),
        "judged-runs.json": Variant("langsmith", judged, [judged_told]),
        "wrapped-run.json": Variant("langsmith", [wrapped], [SHORT]),
        "question-run.json": Variant("langsmith", [{**question, "extra": {"metadata": again}}], [SHORT]),
    }
