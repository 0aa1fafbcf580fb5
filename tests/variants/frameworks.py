"""LangSmith, LangChain, the OpenAI Agents SDK, Assistants and Realtime: their logs as they write them."""

from __future__ import annotations

import json
from typing import Any

from tests.variants.kit import ASK, CALLED, RESULT, SAID, SHORT, TOLD, Variant, lines

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
        "mongo.json": Variant("langchain", mongo, [TOLD]),
        "steps.json": Variant("langchain", steps, [[TOLD[0], 'agent <Look.> get_order({"id":7}) = shipped', TOLD[2]]]),
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
        "run-export.jsonl": Variant("langsmith", lines(*folded), [RUNS_TOLD]),
        "root-runs.json": Variant("langsmith", roots, [[*TOLD, "customer Thanks.", "agent Bye."]]),
        "wrapped-run.json": Variant("langsmith", [wrapped], [SHORT]),
        "question-run.json": Variant("langsmith", [{**question, "extra": {"metadata": again}}], [SHORT]),
    }


def _traced(id: str, kind: str, at: int, trace: str = "trace_1", **data: Any) -> dict[str, Any]:
    error = data.pop("error", None)
    return {
        "object": "trace.span",
        "id": id,
        "trace_id": trace,
        "parent_id": data.pop("parent", "agent_1"),
        "started_at": f"2026-01-01T00:00:0{at}.000000+00:00",
        "ended_at": f"2026-01-01T00:00:0{at}.500000+00:00",
        "span_data": {"type": kind, **data},
        "error": error,
    }


_ITEM_CALL = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "get_order", "arguments": '{"id":7}'}
_ITEM_RESULT = {"type": "function_call_output", "call_id": "c1", "output": "shipped"}
_ITEM_SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Shipped."}]}
_ITEM_THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Look."}]}


def _response(orders: str, *output: dict[str, Any]) -> dict[str, Any]:
    usage = {"input_tokens": 9, "output_tokens": 4, "input_tokens_details": {"cached_tokens": 3}}
    tools = [{"type": "function", "name": "get_order", "parameters": {}}]
    return {"id": "r", "model": "gpt-4.1", "instructions": orders, "output": output, "usage": usage, "tools": tools}


def agents_traces() -> list[dict[str, Any]]:
    """Two traces of one group, in which a second agent takes over, as a processor writes them."""
    asked = [ASK, _ITEM_THOUGHT, _ITEM_CALL, _ITEM_RESULT]
    thanks = {"role": "user", "content": "Refund it."}
    over = {**_ITEM_CALL, "call_id": "c2", "name": "transfer_to_refunds", "arguments": "{}"}
    taken = {**_ITEM_RESULT, "call_id": "c2", "output": "Refunds"}
    done = {**_ITEM_SAID, "content": [{"type": "output_text", "text": "Refunded."}]}
    trace = {"object": "trace", "workflow_name": "desk", "group_id": "g-1", "metadata": {"user": "u"}}
    failed = {"message": "Error running tool", "data": {"error": "timeout"}}
    first = _response("Policy.", _ITEM_THOUGHT, _ITEM_CALL)
    later = [*asked, _ITEM_SAID, thanks]
    return [
        {**trace, "id": "trace_1"},
        _traced("s1", "response", 1, response=first, input=ASK["content"]),
        _traced("s2", "function", 2, name="get_order", input='{"id":7}', output="shipped", error=failed),
        _traced("s3", "response", 3, response=_response("Policy.", _ITEM_SAID), input=asked),
        _traced("s4", "guardrail", 1, name="polite", triggered=True),
        _traced("agent_1", "agent", 0, parent=None, name="Desk", tools=["get_order"]),
        {**trace, "id": "trace_2"},
        _traced("s5", "response", 4, "trace_2", parent="agent_2", response=_response("Policy.", over), input=later),
        _traced("s6", "handoff", 5, "trace_2", parent="agent_2", from_agent="Desk", to_agent="Refunds"),
        _traced(
            *("s7", "response", 6, "trace_2"),
            parent="agent_3",
            response=_response("Refund.", done),
            input=[*later, over, taken],
        ),
        _traced("agent_2", "agent", 4, "trace_2", parent=None, name="Desk"),
        _traced("agent_3", "agent", 5, "trace_2", parent=None, name="Refunds"),
    ]


AGENTS_TOLD = [
    "system Policy.",
    TOLD[0],
    'agent <Look.> get_order({"id":7}) = shipped',
    TOLD[2],
    "customer Refund it.",
    "agent transfer_to_refunds({}) = Refunds",
    "system Refund.",
    "agent Refunded.",
]


def openai_agents() -> dict[str, Variant]:
    """Traces and sessions of the OpenAI Agents SDK."""
    session = [ASK, _ITEM_THOUGHT, _ITEM_CALL, _ITEM_RESULT, _ITEM_SAID]
    told = [TOLD[0], 'agent <Look.> get_order({"id":7}) = shipped', TOLD[2]]
    generation = [
        _traced("s1", "generation", 1, input=[ASK], output=[CALLED], model="gpt-4.1"),
        _traced("s2", "generation", 2, input=[ASK, CALLED, RESULT], output=[SAID], model="gpt-4.1"),
    ]
    rows = [{"id": n, "session_id": "s-1", "message_data": json.dumps(item)} for n, item in enumerate(session)]
    enveloped = [{"timestamp": "2026-01-01T00:00:00Z", "data": each} for each in agents_traces()]
    nested = {"id": "trace_1", "workflow_name": "desk", "group_id": None, "spans": generation}
    return {
        "agents.jsonl": Variant("openai-agents", lines(*agents_traces()), [AGENTS_TOLD]),
        "agents-batch.json": Variant("openai-agents", {"data": agents_traces()}, [AGENTS_TOLD]),
        "agents-enveloped.jsonl": Variant("openai-agents", lines(*enveloped), [AGENTS_TOLD]),
        "agents-generations.json": Variant("openai-agents", nested, [TOLD]),
        "agents-input-list.json": Variant("openai-agents", session, [told]),
        "agents-session.jsonl": Variant(
            "openai-agents", lines(*rows, {**rows[0], "session_id": "s-2"}), [told, told[:1]]
        ),
    }


def _object(kind: str, id: str, at: int, **more: Any) -> dict[str, Any]:
    return {"id": id, "object": kind, "created_at": 1_700_000_000 + at, "thread_id": "thread_1", **more}


def _texts(text: str, *notes: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": {"value": text, "annotations": list(notes)}}]


def assistants() -> dict[str, Variant]:
    """Threads of the Assistants API: pages newest first, objects together, an object a line."""
    note = {"type": "file_citation", "text": "[1]", "file_citation": {"file_id": "f-1"}}
    picture = {"type": "image_file", "image_file": {"file_id": "f-2"}}
    ask = _object("thread.message", "m1", 0, role="user", content=[*_texts(ASK["content"]), picture], attachments=[])
    said = _object("thread.message", "m2", 3, role="assistant", content=_texts("Shipped.", note), run_id="run_1")
    function = {"name": "get_order", "arguments": '{"id":7}', "output": "shipped"}
    code = {"input": "1+1", "outputs": [{"type": "logs", "logs": "2"}, {"type": "image", "image": {"file_id": "f-3"}}]}
    calls = [
        {"id": "c1", "type": "function", "function": function},
        {"id": "c2", "type": "code_interpreter", "code_interpreter": code},
        {"id": "c3", "type": "file_search", "file_search": {"results": [{"file_id": "f-1", "score": 0.5}]}},
    ]
    details = {"type": "tool_calls", "tool_calls": calls}
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    called = _object("thread.run.step", "s1", 1, run_id="run_1", step_details=details, usage=usage)
    created = {"type": "message_creation", "message_creation": {"message_id": "m2"}}
    wrote = _object("thread.run.step", "s2", 2, run_id="run_1", step_details=created, usage=usage)
    run = _object(
        *("thread.run", "run_1", 0),
        assistant_id="asst_1",
        model="gpt-4o",
        instructions="Policy.",
        tools=[{"type": "code_interpreter"}],
        status="failed",
        last_error={"code": "server_error", "message": "gone"},
        usage={"prompt_tokens": 10, "completion_tokens": 4},
    )
    other = {**ask, "id": "m9", "thread_id": "thread_2", "content": _texts("")}
    asked = f"{TOLD[0]}\n[image_file: f-2]"
    full = [
        *("system Policy.", asked),
        f'{TOLD[1]} code_interpreter(1+1) = 2\n[image: f-3] file_search({{}}) = [{{"file_id":"f-1","score":0.5}}]',
        "agent Shipped.",
    ]
    page = {"object": "list", "data": [said, ask], "first_id": "m2", "last_id": "m1", "has_more": False}
    thread = {"id": "thread_1", "object": "thread", "created_at": 1_700_000_000, "metadata": {"user": "u"}}
    whole = {"thread": thread, "messages": page, "runs": [run], "steps": [wrote, called]}
    waiting = {"type": "submit_tool_outputs", "submit_tool_outputs": {"tool_calls": calls[:1]}}
    open_run = {**run, "status": "requires_action", "required_action": waiting, "last_error": None}
    return {
        "thread-page.json": Variant("assistants", page, [[asked, "agent Shipped."]]),
        "thread-whole.json": Variant("assistants", whole, [full]),
        "thread-objects.jsonl": Variant(
            "assistants", lines(said, other, run, wrote, ask, called), [full, ["customer"]]
        ),
        "thread-list.json": Variant("assistants", [ask, said], [[asked, "agent Shipped."]]),
        "thread-waiting.json": Variant(
            "assistants",
            {"messages": [ask], "run": open_run},
            [["system Policy.", asked, 'agent get_order({"id":7}) = shipped']],
        ),
    }


def events(start: str = "sess_1") -> list[dict[str, Any]]:
    """A spoken session with a call; the customer's words are told after the call they led to."""
    session = {"id": start, "object": "realtime.session", "model": "gpt-realtime", "voice": "alloy", "tools": []}
    tools = [{"type": "function", "name": "get_order", "parameters": {}}]
    heard = {"id": "u1", "type": "message", "role": "user", "status": "completed"}
    call = {"id": "f1", "type": "function_call", "status": "in_progress", "name": "get_order", "call_id": "c1"}
    result = {"type": "function_call_output", "call_id": "c1", "output": "shipped"}
    words = {"id": "a1", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
    usage = {"input_tokens": 9, "output_tokens": 4, "input_token_details": {"cached_tokens": 3}}
    spoken = [{"type": "audio", "transcript": "Shipped."}]
    item = "conversation.item"
    return [
        {"type": "session.created", "session": {**session, "instructions": "You are helpful."}},
        {"type": "session.updated", "session": {**session, "instructions": "Policy.", "tools": tools}},
        {"type": "input_audio_buffer.committed", "previous_item_id": None, "item_id": "u1"},
        {
            "type": f"{item}.created",
            "previous_item_id": None,
            "item": {**heard, "content": [{"type": "input_audio", "transcript": None}]},
        },
        {"type": "response.created", "response": {"id": "r1", "status": "in_progress", "output": []}},
        {"type": f"{item}.created", "previous_item_id": "u1", "item": {**call, "arguments": ""}},
        {"type": "response.function_call_arguments.delta", "item_id": "f1", "delta": '{"id"'},
        {"type": "response.function_call_arguments.done", "item_id": "f1", "call_id": "c1", "arguments": '{"id":7}'},
        {"type": "response.done", "response": {"id": "r1", "status": "completed", "output": [call], "usage": usage}},
        {"type": f"{item}.create", "item": result},
        {"type": f"{item}.created", "previous_item_id": "f1", "item": {**result, "id": "o1"}},
        {"type": f"{item}.created", "previous_item_id": "o1", "item": words},
        {
            "type": f"{item}.input_audio_transcription.completed",
            "item_id": "u1",
            "content_index": 0,
            "transcript": ASK["content"],
        },
        {"type": "response.audio_transcript.delta", "item_id": "a1", "content_index": 0, "delta": "Shipped."},
        {
            "type": "response.done",
            "response": {
                "id": "r2",
                "status": "cancelled",
                "status_details": {"reason": "turn_detected"},
                "output": [{**words, "status": "incomplete", "content": spoken}],
                "usage": usage,
            },
        },
        {"type": "error", "error": {"type": "invalid_request_error", "message": "no such item"}},
    ]


def realtime() -> dict[str, Variant]:
    """Events of the Realtime API, in both of its versions' names, in envelopes, cut off."""
    told = ["system Policy.", *TOLD]
    enveloped = [{"timestamp": 1_700_000_000 + n, "event": event} for n, event in enumerate(events())]
    newer = [
        {"type": "session.created", "session": {"type": "realtime", "id": "s", "model": "gpt-realtime"}},
        {
            "type": "conversation.item.added",
            "previous_item_id": None,
            "item": {
                "id": "u",
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "Hi\n\n🙂"}],
            },
        },
        {
            "type": "conversation.item.added",
            "previous_item_id": "u",
            "item": {"id": "a", "type": "message", "role": "assistant", "content": []},
        },
        {
            "type": "conversation.item.added",
            "previous_item_id": "u",
            "item": {"id": "m", "type": "mcp_call", "name": "search", "arguments": "{}", "output": "none"},
        },
        {"type": "response.output_audio_transcript.done", "item_id": "a", "content_index": 0, "transcript": "Hello."},
        {"type": "response.output_audio_transcript.done", "item_id": "unknown", "transcript": "Alone."},
    ]
    return {
        "realtime.jsonl": Variant("realtime", lines(*events(), *events("sess_2")), [told, told]),
        "realtime.json": Variant("realtime", enveloped, [told]),
        "realtime-events.json": Variant("realtime", {"events": events()}, [told]),
        "realtime-newer.jsonl": Variant(
            "realtime",
            lines(*newer),
            [["customer Hi\n\n🙂", "agent search({}) = none", "agent Hello.", "customer Alone."]],
        ),
    }


def frameworks() -> dict[str, Variant]:
    """All of these."""
    return {**langchain(), **langsmith(), **openai_agents(), **assistants(), **realtime()}
