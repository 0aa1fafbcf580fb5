"""Sessions that command line tools and chat sites keep: Codex, Claude Code, Gemini, ChatGPT's and Claude's exports."""

from __future__ import annotations

from typing import Any

from tests.variants.kit import TOLD, Variant, lines

USER = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Where is #7?"}]}
THOUGHT = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}], "encrypted_content": "gAAA"}
CALL = {"type": "function_call", "call_id": "c1", "name": "get_order", "arguments": '{"id":7}'}
RESULT = {"type": "function_call_output", "call_id": "c1", "output": "shipped"}
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Shipped."}]}


def sessions() -> dict[str, Variant]:
    """All of them by name."""
    return codex()


def _wrapped(kind: str, second: int, **told: Any) -> dict[str, Any]:
    return {"timestamp": f"2026-01-01T00:00:{second:02}Z", "type": kind, "payload": told}


def _item(second: int, item: dict[str, Any]) -> dict[str, Any]:
    return _wrapped("response_item", second, **item)


def _tokens(second: int, total: int, read: int, written: int) -> dict[str, Any]:
    last = {"input_tokens": read, "cached_input_tokens": 3, "output_tokens": written, "reasoning_output_tokens": 1}
    info = {"total_token_usage": {"total_tokens": total}, "last_token_usage": last}
    return _wrapped("event_msg", second, type="token_count", info=info, rate_limits=None)


def codex() -> dict[str, Variant]:
    """Codex rollouts with events, tokens, a turn taken back and a compaction; older ones; what a run prints."""
    about = {"id": "s", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/work", "cli_version": "0.9", "instructions": None}
    context = "<environment_context>\n  <cwd>/work</cwd>\n</environment_context>"
    begin = [
        _wrapped("session_meta", 0, **about, git={"branch": "main"}, dynamic_tools=[{"name": "get_order"}]),
        _item(0, {**USER, "content": [{"type": "input_text", "text": context}]}),
        _item(1, USER),
        _wrapped("event_msg", 1, type="user_message", message="Where is #7?"),
        _wrapped("turn_context", 1, model="gpt-5", effort="high", approval_policy="never"),
    ]
    rollout = [
        *begin,
        _item(2, {"type": "ghost_snapshot", "ghost_commit": {"id": "0"}}),
        _item(2, THOUGHT),
        _item(2, CALL),
        _tokens(2, 12, 10, 2),
        _item(3, RESULT),
        _tokens(3, 12, 10, 2),
        _wrapped("event_msg", 4, type="token_count", info=None),
        _item(4, SAID),
        _tokens(4, 27, 11, 4),
        _item(5, USER),
        _item(6, SAID),
        _wrapped("event_msg", 7, type="thread_rolled_back", num_turns=1),
        _wrapped("compacted", 8, message="They asked for #7.\n", replacement_history=[USER]),
        _wrapped("event_msg", 9, type="turn_aborted", reason="interrupted"),
    ]
    early = [*begin, _tokens(2, 12, 10, 2), _item(2, THOUGHT), _item(2, CALL), _item(3, RESULT)]
    early += [_tokens(4, 27, 11, 4), _item(4, SAID)]
    head = {"id": "old", "timestamp": "2026-01-01T00:00:00Z", "instructions": "Be kind.", "git": {"branch": "main"}}
    state = {"record_type": "state"}
    ran = {"id": "i1", "type": "command_execution", "command": "ls", "aggregated_output": ""}
    mcp = {"id": "i2", "type": "mcp_tool_call", "server": "shop", "tool": "get_order", "arguments": {"id": 7}}
    stream = [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "turn.started"},
        {"type": "item.completed", "item": {"id": "i0", "type": "reasoning", "text": "Hm."}},
        {"type": "item.started", "item": {**ran, "status": "in_progress"}},
        {"type": "item.completed", "item": {**ran, "aggregated_output": "a\n", "exit_code": 1, "status": "failed"}},
        {"type": "item.started", "item": {**mcp, "status": "in_progress"}},
        {"type": "turn.completed", "usage": {"input_tokens": 9, "cached_input_tokens": 4, "output_tokens": 5}},
        {"type": "item.completed", "item": {"id": "i3", "type": "agent_message", "text": "Shipped. 🙂"}},
        {"type": "turn.failed", "error": {"message": "gone"}},
    ]
    told = [f"system {context}", TOLD[0], 'agent <Hm.> get_order({"id":7}) = shipped', TOLD[2]]
    return {
        "session.jsonl": Variant(
            "codex",
            lines(
                _wrapped("session_meta", 0, id="s", instructions=None),
                _wrapped("turn_context", 0, model="gpt-5"),
                *(_item(1, item) for item in (USER, THOUGHT, CALL, RESULT, SAID)),
            ),
            [told[1:]],
        ),
        "rollout.jsonl": Variant("codex", lines(*rollout), [[*told, "system They asked for #7.\n"]]),
        "rollout-early.jsonl": Variant("codex", lines(*early), [told]),
        "rollout-old.jsonl": Variant(
            "codex",
            lines(head, state, USER, THOUGHT, CALL, state, RESULT, SAID),
            [["system Be kind.", *told[1:]]],
        ),
        "rollout-events.jsonl": Variant(
            "codex",
            lines(
                begin[0],
                _wrapped("event_msg", 1, type="user_message", message=" Hi \n\n"),
                _wrapped("event_msg", 2, type="agent_message", message="Hello."),
            ),
            [["customer  Hi \n\n", "agent Hello."]],
        ),
        "exec.jsonl": Variant(
            "codex",
            lines(*stream),
            [
                [
                    "agent <Hm.> command_execution(ls) = a\n",
                    'agent shop.get_order({"id":7}) = ?',
                    "agent Shipped. 🙂",
                ]
            ],
        ),
    }
