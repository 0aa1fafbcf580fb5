"""Small files in the other shapes that each format permits, each with what it should become, a line a message.

A line is the role, then the text, `<reasoning>`, and each call as `name(arguments) = result`; `?` stands for no result
and `!` before a call for an orphan. The words are ours; the shapes are those of the formats' own documents.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from typing import Any, NamedTuple

from reviewer.model import Conversation, ToolCall
from tests import shapes


class Variant(NamedTuple):
    """A file, the format that should claim it, and its conversations."""

    format: str
    held: Any
    expected: list[list[str]]


def sketch(it: Conversation) -> list[str]:
    """A conversation, a line a message."""
    return [
        " ".join(
            part
            for part in (m.role, m.text, f"<{m.reasoning}>" if m.reasoning else "", *(_call(call) for call in m.calls))
            if part
        )
        for m in it.messages
    ]


def _call(call: ToolCall) -> str:
    result = "?" if call.result is None else call.result
    return f"{'!' if call.orphan else ''}{call.name}({call.arguments or ''}) = {result}"


def lines(*records: Any) -> bytes:
    """Records as JSON Lines."""
    return "".join(json.dumps(record) + "\n" for record in records).encode()


ASK = {"role": "user", "content": "Where is #7?"}
CALL = {"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"id":7}'}}
CALLED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "shipped"}
SAID = {"role": "assistant", "content": "Shipped."}
TOLD = ["customer Where is #7?", 'agent get_order({"id":7}) = shipped', "agent Shipped."]
SHORT = ["customer Where is #7?", "agent Shipped."]


def chats() -> dict[str, Variant]:
    """OpenAI's and Anthropic's messages in their many envelopes."""
    blocks = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}]}
    named = [{"thread_id": thread, **message} for message in (ASK, SAID) for thread in "ab"]
    hosted = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "#7"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"type": "text", "text": "a page"}]},
        {"type": "text", "text": "Found."},
    ]
    converse = [
        {"role": "user", "content": [{"text": "Where is #7?"}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "get_order", "input": {"id": 7}}}]},
        {
            "role": "user",
            "content": [{"toolResult": {"toolUseId": "t1", "status": "error", "content": [{"text": "no order"}]}}],
        },
    ]
    old = [{"role": "assistant", "content": None, "function_call": {"name": "get_order", "arguments": "{}"}}]
    old += [{"role": "function", "name": "get_order", "content": "shipped"}]
    shared = [
        {"from": "human", "value": "Where is #7?"},
        {"from": "gpt", "value": "Let me see."},
        {"from": "observation", "value": "shipped"},
    ]
    refused = {"role": "assistant", "content": None, "refusal": "I cannot."}
    thought = {"role": "assistant", "content": "Shipped.", "thinking": "Hm."}
    parallel = [{"id": "x", "function": {"name": "get_order", "arguments": {"id": n}}} for n in (1, 2)]
    same = [{"role": "assistant", "tool_calls": parallel}]
    same += [{"role": "tool", "tool_call_id": "x", "content": word} for word in ("one", "two")]
    custom = {
        "role": "assistant",
        "tool_calls": [{"id": "k", "type": "custom", "custom": {"name": "sh", "input": "ls"}}],
    }
    body = {"id": "r", "custom_id": "q", "response": {"status_code": 200, "body": {"choices": [{"message": SAID}]}}}
    return {
        "lists.json": Variant("openai-chat", [[ASK, CALLED, RESULT, SAID], [ASK, SAID]], [TOLD, SHORT]),
        "lists.jsonl": Variant("openai-chat", lines([ASK, SAID], [ASK, SAID]), [SHORT, SHORT]),
        "messages.jsonl": Variant("openai-chat", lines(ASK, CALLED, RESULT, SAID), [TOLD]),
        "threads.jsonl": Variant("openai-chat", lines(*named), [SHORT, SHORT]),
        "wrapped.json": Variant("openai-chat", {"data": {"id": "d", "messages": [ASK, SAID]}}, [SHORT]),
        "nested.json": Variant("openai-chat", {"conversation": {"messages": [ASK, SAID], "model": "m"}}, [SHORT]),
        "asked.jsonl": Variant("openai-chat", lines({"input": [ASK], "output": SAID}), [SHORT]),
        "completion.jsonl": Variant("openai-chat", lines({"messages": [ASK], "response": "Shipped."}), [SHORT]),
        "repeated.json": Variant("openai-chat", {"messages": [ASK, SAID], "choices": [{"message": SAID}]}, [SHORT]),
        "batch.jsonl": Variant("openai-chat", lines({"request": {"body": {"messages": [ASK]}}, **body}), [SHORT]),
        "empty.jsonl": Variant("openai-chat", lines({"messages": []}, {"messages": [ASK, SAID]}), [[], SHORT]),
        "texts.json": Variant("openai-chat", {"messages": [{"role": "user", "text": "Hi"}]}, [["customer Hi"]]),
        "image.json": Variant("openai-chat", {"messages": [blocks]}, [["customer [image_url: image/png]"]]),
        "hosted.json": Variant(
            "openai-chat",
            {"messages": [{"role": "assistant", "content": hosted}]},
            [['agent Found. web_search({"query":"#7"}) = a page']],
        ),
        "converse.json": Variant(
            "openai-chat", {"messages": converse}, [["customer Where is #7?", 'agent get_order({"id":7}) = no order']]
        ),
        "legacy.json": Variant("openai-chat", {"messages": old}, [["agent get_order({}) = shipped"]]),
        "sharegpt.json": Variant(
            "openai-chat",
            [{"conversations": shared}],
            [["customer Where is #7?", "agent Let me see. !() = shipped"]],
        ),
        "refusal.json": Variant(
            "openai-chat", {"messages": [refused, thought]}, [["agent I cannot.", "agent Shipped. <Hm.>"]]
        ),
        "same-ids.json": Variant(
            "openai-chat", {"messages": same}, [['agent get_order({"id":1}) = one get_order({"id":2}) = two']]
        ),
        "custom.json": Variant("openai-chat", {"messages": [custom]}, [["agent sh(ls) = ?"]]),
        "early.json": Variant(
            "openai-chat", {"messages": [RESULT, ASK]}, [["other !() = shipped", "customer Where is #7?"]]
        ),
        "packed.jsonl.gz": Variant("openai-chat", gzip.compress(lines({"messages": [ASK, SAID]})), [SHORT]),
        "packed.json.gz": Variant("openai-chat", gzip.compress(json.dumps([ASK, SAID]).encode()), [SHORT]),
        "bom.json": Variant("openai-chat", b"\xef\xbb\xbf" + json.dumps([ASK, SAID], indent=1).encode(), [SHORT]),
        "crlf.jsonl": Variant("openai-chat", lines(ASK, SAID).replace(b"\n", b"\r\n"), [SHORT]),
    }


def responses() -> dict[str, Variant]:
    """Responses items in other places, and tools that the provider runs."""
    user = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Where is #7?"}]}
    thought = {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm."}]}
    call = {"type": "function_call", "call_id": "c1", "name": "get_order", "arguments": '{"id":7}'}
    result = {"type": "function_call_output", "call_id": "c1", "output": "shipped"}
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Shipped."}]}
    items = [user, thought, call, result, said]
    told = ["customer Where is #7?", 'agent <Hm.> get_order({"id":7}) = shipped', "agent Shipped."]
    session = [
        {"type": "session_meta", "timestamp": "2026-01-01T00:00:00Z", "payload": {"id": "s", "instructions": None}},
        {"type": "turn_context", "payload": {"model": "gpt-5"}},
        {"type": "event_msg", "payload": {"type": "agent_message", "message": "Shipped."}},
        *({"type": "response_item", "timestamp": "2026-01-01T00:00:01Z", "payload": item} for item in items),
    ]
    search = {"type": "web_search_call", "id": "w", "action": {"query": "#7"}, "status": "completed"}
    code = {"type": "code_interpreter_call", "id": "i", "code": "1+1", "outputs": [{"type": "logs", "logs": "2"}]}
    hosted = {"object": "response", "id": "r", "model": "m", "output": [search, code]}
    states = {"responses_create_params": {"input": []}, "response": {"output": [items[:3], items]}}
    return {
        "items.json": Variant("responses", items, [told]),
        "items.jsonl": Variant("responses", lines(*items), [told]),
        "session.jsonl": Variant("responses", lines(*session), [told]),
        "states.jsonl": Variant("responses", lines(states), [told]),
        "pair.json": Variant(
            "responses", {"request": {"input": "Where is #7?"}, "response": {"output": [said]}}, [SHORT]
        ),
        "hosted-items.json": Variant(
            "responses",
            hosted,
            [
                [
                    'agent web_search_call({"query":"#7"}) = ?',
                    'agent code_interpreter_call(1+1) = [{"type":"logs","logs":"2"}]',
                ]
            ],
        ),
    }


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


def traces() -> dict[str, Variant]:
    """Langfuse pages, sessions and traces alone; frameworks' own prompts and answers."""

    def trace(**more: Any) -> dict[str, Any]:
        return {"id": "t", "timestamp": "2026-01-01T00:00:00Z", "name": "desk", **more}

    def seen(id: str, kind: str, at: int, asked: Any, answered: Any, **more: Any) -> dict[str, Any]:
        times = {"startTime": f"2026-01-01T00:00:0{at}Z", "endTime": f"2026-01-01T00:00:0{at}.5Z"}
        return {"id": id, "traceId": "t", "type": kind, **times, "input": asked, "output": answered, **more}

    alone = trace(input={"messages": [ASK]}, output="Shipped.", scores=["an-id"], observations=["an-id"])
    gemini = {"candidates": [{"content": {"role": "model", "parts": [{"text": "Shipped."}]}}]}
    by_name = {"role": "get_order", "content": "shipped"}
    again = [ASK, CALLED, by_name]
    written = [{"function": {"name": "get_order", "arguments": {"id": 7}}, "id": "c1", "type": "function"}]
    return {
        "trace.json": Variant("langfuse", alone, [SHORT]),
        "page.json": Variant("langfuse", {"data": [alone], "meta": {"page": 1}}, [SHORT]),
        "langfuse-session.json": Variant("langfuse", {"id": "s", "traces": [alone]}, [SHORT]),
        "observations.jsonl": Variant(
            "langfuse",
            lines(
                {
                    "id": "o",
                    "trace_id": "t",
                    "type": "GENERATION",
                    "start_time": "2026-01-01 00:00:00",
                    "input": json.dumps([ASK]),
                    "output": json.dumps(SAID),
                    "provided_model_name": "m",
                }
            ),
            [SHORT],
        ),
        "gemini.json": Variant("langfuse", [seen("a", "GENERATION", 1, {"contents": "Where is #7?"}, gemini)], [SHORT]),
        "arguments.json": Variant(
            "langfuse", [seen("a", "GENERATION", 1, {"args": ["Where is #7?"], "kwargs": {}}, "Shipped.")], [SHORT]
        ),
        "chunk.json": Variant(
            "langfuse", [seen("a", "GENERATION", 1, [ASK], {"content": "Shipped.", "type": "AIMessageChunk"})], [SHORT]
        ),
        "by-name.json": Variant(
            "langfuse", [seen("a", "GENERATION", 1, [ASK], CALLED), seen("b", "GENERATION", 2, again, SAID)], [TOLD]
        ),
        "as-content.json": Variant(
            "langfuse",
            [
                seen("a", "GENERATION", 1, [ASK], [{"role": "assistant", "content": written}]),
                seen("b", "TOOL", 2, {"input": {"id": 7}}, "shipped", name="get_order"),
                seen("c", "GENERATION", 3, [], SAID),
            ],
            [TOLD],
        ),
    }


def every() -> dict[str, Variant]:
    """All of them by name."""
    return {**chats(), **responses(), **benchmarks(), **traces()}


def files() -> dict[str, bytes]:
    """A file of every shape and variant, by name."""
    held = {
        name: it.held if isinstance(it.held, bytes) else json.dumps(it.held).encode() for name, it in every().items()
    }
    return {**shapes.files(), **held}
