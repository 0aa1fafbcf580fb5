"""Sessions that command line tools keep: Codex, Claude Code and Gemini."""

from __future__ import annotations

from typing import Any

from tests.variants.gemini_logs import gemini
from tests.variants.kit import TOLD, Variant, lines

USER = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Where is #7?"}]}
THOUGHT = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}], "encrypted_content": "gAAA"}
CALL = {"type": "function_call", "call_id": "c1", "name": "get_order", "arguments": '{"id":7}'}
RESULT = {"type": "function_call_output", "call_id": "c1", "output": "shipped"}
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Shipped."}]}


def sessions() -> dict[str, Variant]:
    """All of them by name."""
    return {**codex(), **claude_code(), **gemini()}


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
        _wrapped("event_msg", 8, type="error", message="too long"),
        _wrapped("event_msg", 9, type="turn_aborted", reason="interrupted"),
        _tokens(9, 27, 11, 4),
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
        {"type": "error", "message": "Reconnecting"},
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
        "rollout.jsonl": Variant("codex", lines(*rollout), [[*told, "system They asked for #7.\n", "system too long"]]),
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
                    "system Reconnecting",
                ]
            ],
        ),
    }


def _qwen_code() -> dict[str, Variant]:
    """A session of Qwen Code: Gemini's parts in messages, results in lines of their own, a rewind, a note."""

    def line(uuid: str, parent: str | None, kind: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
        role = {"assistant": "model"}.get(kind, "user")
        message = {"message": {"role": role, "parts": parts}} if parts else {}
        about = {"sessionId": "s", "cwd": "/work", "version": "0.2", "timestamp": "2026-01-01T00:00:00Z"}
        return {"uuid": uuid, "parentUuid": parent, **about, "type": kind, **message, **more}

    def call(id: str, n: int) -> dict[str, Any]:
        return {"functionCall": {"id": id, "name": "get_order", "args": {"id": n}}}

    def made(id: str, key: str, text: str) -> dict[str, Any]:
        return {"functionResponse": {"id": id, "name": "get_order", "response": {key: text}}}

    thought: dict[str, Any] = {"text": "Hm.", "thought": True}
    said = ({"text": "Let "}, {"text": "me see."})
    spent = {"promptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": 2, "totalTokenCount": 15}
    asked = {"model": "qwen3-coder", "usageMetadata": {**spent, "cachedContentTokenCount": 4}}
    session = [
        line("u1", None, "user", {"text": "Where is #7? 🙂\n\n"}),
        line("a0", "u1", "assistant", {"text": "No idea."}, model="qwen3-coder"),
        line("w", "u1", "system", subtype="rewind", systemPayload={}),
        line("u2", "w", "user", {"text": "Where are #7 and #8?"}, subtype="mid_turn_user_message"),
        line("a1", "u2", "assistant", thought, *said, call("a", 7), call("b", 8), **asked),
        line("r1", "a1", "tool_result", made("a", "output", "shipped"), toolCallResult={"status": "success"}),
        line("r2", "r1", "tool_result", made("b", "error", "no order"), toolCallResult={"status": "error"}),
        line("n", "r2", "user", {"text": "A task ended."}, subtype="notification"),
        line("t", "n", "system", subtype="custom_title", systemPayload={"customTitle": "An order"}),
        line("a2", "t", "assistant", {"text": "Shipped."}, model="qwen3-coder"),
    ]
    told = [
        "customer Where is #7? 🙂\n\n",
        "customer Where are #7 and #8?",
        'agent Let me see. <Hm.> get_order({"id":7}) = shipped get_order({"id":8}) = no order',
        "system A task ended.",
        "agent Shipped.",
    ]
    return {"qwen-code.jsonl": Variant("claude-code", lines(*session), [told])}


def _line(uuid: str, parent: str | None, kind: str, second: int, content: Any, **more: Any) -> dict[str, Any]:
    """A line of a Claude Code session."""
    about = {"sessionId": "s", "cwd": "/work", "version": "2.1", "gitBranch": "main", "isSidechain": False}
    at = f"2026-01-01T00:00:{second:02}Z"
    message = {"role": kind, "content": content, **more.pop("message", {})}
    return {"parentUuid": parent, **about, "type": kind, "message": message, "uuid": uuid, "timestamp": at, **more}


def _part(uuid: str, parent: str, second: int, id: str, block: dict[str, Any], out: int) -> dict[str, Any]:
    """A line with one block of the model's answer; its usage grows from line to line."""
    usage = {"input_tokens": 2, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 1, "output_tokens": out}
    message = {"id": id, "model": "claude-sonnet-4-5", "usage": usage, "stop_reason": None}
    return _line(uuid, parent, "assistant", second, [block], message=message, requestId="r")


def _tool(id: str, n: int) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "get_order", "input": {"id": n}}


def _done(id: str, text: str, **more: Any) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": id, "content": text, **more}]


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def claude_code() -> dict[str, Variant]:
    """A session with a rewind, calls at once, a subagent and a compaction; a subagent's file; printed runs."""
    hook = {"type": "progress", "uuid": "p", "parentUuid": "a3", "sessionId": "s", "data": {"type": "hook"}}
    boundary = {"type": "system", "subtype": "compact_boundary", "content": "Compacted", "logicalParentUuid": "a5"}
    compacted = {**boundary, "uuid": "b", "parentUuid": None, "sessionId": "s", "compactMetadata": {"preTokens": 9}}
    memory = {"type": "attachment", "uuid": "n", "parentUuid": "q", "attachment": {"type": "nested_memory"}}
    typed = {"type": "queued_command", "prompt": "Quick, please.", "commandMode": "prompt"}
    failed = {"isApiErrorMessage": True, "error": "gone", "message": {"model": "<synthetic>", "id": "x"}}
    session: list[dict[str, Any]] = [
        {"type": "summary", "summary": "An order", "leafUuid": "a5"},
        {"type": "summary", "summary": "Another session", "leafUuid": "elsewhere"},
        {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {}},
        _line("m", None, "user", 0, "Caveat: as noted.", isMeta=True),
        _line("u1", "m", "user", 1, "Where is #7? 🙂\n\n"),
        _part("a0", "u1", 2, "left", _text("No idea."), 3),
        _line("u2", "u1", "user", 3, "Where are #7 and #8?"),
        _part("a1", "u2", 4, "m1", {"type": "thinking", "thinking": "Hm.", "signature": "x"}, 1),
        _part("a2", "a1", 4, "m1", _text("Let me see."), 1),
        _part("a3", "a2", 5, "m1", _tool("c1", 7), 1),
        hook,
        _part("a4", "p", 5, "m1", _tool("c2", 8), 9),
        _line("r1", "a3", "user", 6, _done("c1", "shipped"), toolUseResult={"stdout": "shipped", "durationMs": 12}),
        _line("r2", "a4", "user", 7, _done("c2", "no order", is_error=True), toolUseResult="Error: no order"),
        _line("k1", None, "user", 7, "Look at #8.", isSidechain=True, agentId="k"),
        _line("k2", "k1", "assistant", 8, [_text("Gone.")], isSidechain=True, message={"model": "claude-haiku-4-5"}),
        {"type": "attachment", "uuid": "q", "parentUuid": "r2", "sessionId": "s", "attachment": typed},
        memory,
        _part("a5", "n", 9, "m2", _text("#7 was shipped."), 4),
        _part("a5", "n", 9, "m2", _text("#7 was shipped."), 4),
        compacted,
        _line("z", "b", "user", 10, "The story so far.", isCompactSummary=True),
        _line("u3", "z", "user", 11, "And #9?"),
        _line(
            "e", "u3", "assistant", 12, [_text("API Error: 529")], message=failed, isApiErrorMessage=True, error="gone"
        ),
    ]
    told = [
        "system Caveat: as noted.",
        "customer Where is #7? 🙂\n\n",
        "customer Where are #7 and #8?",
        'agent Let me see. <Hm.> get_order({"id":7}) = shipped get_order({"id":8}) = no order',
        "customer Quick, please.",
        "agent #7 was shipped.",
        "system Compacted",
        "system The story so far.",
        "customer And #9?",
        "system API Error: 529",
    ]
    other = ["customer Look at #8.", "agent Gone."]
    agent = [
        {**line, "isSidechain": True, "agentId": "k"}
        for line in (_line("k1", None, "user", 1, "Look."), _part("k2", "k1", 2, "m", _text("Gone."), 1))
    ]
    unlinked = [
        {key: value for key, value in line.items() if key != "parentUuid"}
        for line in (*session[4:6], _line("u9", None, "user", 9, "Well?"))
    ]
    begun = {"type": "system", "subtype": "init", "session_id": "s", "model": "claude-sonnet-4-5", "tools": ["Bash"]}
    printed = [
        {key: line[key] for key in ("type", "message", "uuid")} | {"session_id": "s", "parent_tool_use_id": parent}
        for line, parent in (
            (_part("a1", "", 1, "m1", _tool("c1", 7), 1), None),
            (_part("k2", "", 2, "m9", _text("Gone."), 1), "c1"),
            (_line("r1", None, "user", 3, _done("c1", "gone")), None),
            (_part("a2", "", 4, "m2", _text("It is gone."), 2), None),
        )
    ]
    spent = {"claude-sonnet-4-5": {"inputTokens": 4, "outputTokens": 30, "cacheReadInputTokens": 10, "costUSD": 0.5}}
    result = {"type": "result", "subtype": "success", "is_error": False, "num_turns": 2, "result": "It is gone."}
    result |= {"session_id": "s", "total_cost_usd": 0.5, "usage": {"input_tokens": 4}, "modelUsage": spent}
    streamed = [['agent get_order({"id":7}) = gone', "agent It is gone."], ["agent Gone."]]
    web = [{key: line[key] for key in ("type", "message", "timestamp")} for line in session[4:6]]
    tried = [
        session[4],
        _part("t1", "u1", 2, "n1", _tool("c1", 7), 3),
        _part("t2", "u1", 3, "n2", _tool("c2", 8), 3),
        _line("t3", "t1", "user", 4, _done("c1", "shipped")),
        _line("t4", "t2", "user", 4, _done("c2", "lost")),
        _part("t5", "u1", 5, "n3", _text("One is lost."), 3),
    ]
    retold = [told[1], 'agent get_order({"id":7}) = shipped', 'agent get_order({"id":8}) = lost', "agent One is lost."]
    noted = [
        _line("m", None, "user", 0, "Caveat: as noted.", isMeta=True),
        _line("x1", "m", "user", 0, "<command-name>/clear</command-name>"),
        _line("u1", "x1", "user", 1, "Where is #7?"),
        _part("a0", "u1", 2, "n1", _text("Shipped."), 3),
        _line("x4", "m", "user", 3, "<user-memory-input>Be brief.</user-memory-input>"),
        _line("x5", "x4", "user", 3, "(no content)"),
        _line("x2", "m", "user", 3, "<command-name>/export</command-name>"),
        _line("x3", "x2", "user", 3, "<local-command-stdout>Done.</local-command-stdout>"),
    ]
    kept = ["system Caveat: as noted.", "customer <command-name>/clear</command-name>", "customer Where is #7?"]
    kept += ["agent Shipped.", "customer <user-memory-input>Be brief.</user-memory-input>", "system (no content)"]
    kept += ["customer <command-name>/export</command-name>"]
    kept += ["system <local-command-stdout>Done.</local-command-stdout>"]
    once_named = [{**web[0], "sessionId": "s"}, *web[1:]]
    return {
        "claude-bare.jsonl": Variant("claude-code", lines(*web), [[told[1], "agent No idea."]]),
        "claude-once-named.jsonl": Variant("claude-code", lines(*once_named), [[told[1], "agent No idea."]]),
        **_qwen_code(),
        "claude-exported.jsonl": Variant("claude-code", lines(*noted), [kept]),
        "claude-tried-again.jsonl": Variant("claude-code", lines(*tried), [retold]),
        "claude-web.json": Variant("claude-code", {"loglines": web}, [[told[1], "agent No idea."]]),
        "claude-session.jsonl": Variant("claude-code", lines(*session), [told, other]),
        "agent-k.jsonl": Variant("claude-code", lines(*agent), [["customer Look.", "agent Gone."]]),
        "claude-unlinked.jsonl": Variant(
            "claude-code", lines(*unlinked), [[told[1], "agent No idea.", "customer Well?"]]
        ),
        "claude-stream.jsonl": Variant("claude-code", lines(begun, *printed, result), streamed),
        "claude-printed.json": Variant("claude-code", [begun, *printed, result], streamed),
        "claude-result.json": Variant("claude-code", result, [["agent It is gone."]]),
    }
