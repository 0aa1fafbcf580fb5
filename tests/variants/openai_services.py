"""The OpenAI Agents SDK, Assistants and Realtime: traces, sessions, threads and events as they write them."""

from __future__ import annotations

import json
from typing import Any

from tests.variants.kit import ASK, CALLED, RESULT, SAID, TOLD, Variant, lines


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
