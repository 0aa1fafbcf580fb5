"""Claude Code sessions, those of its subagents, what `claude -p` prints as `stream-json` or `json`; Qwen Code sessions.

A line is an event; one answer of the model may stand on several, its usage repeated on each. Lines name the line before
them, so that a session is a tree: the conversation is the branch of its last line. Subagents are conversations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.formats.parts import branches, qwen_lines
from reviewer.imports.formats.parts.claude_lines import ParsedThread, thread
from reviewer.imports.messages import plausibility
from reviewer.imports.messages.content import (
    cost_of,
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.imports.source import Extract, Item, Remark, Source, compact, parsed_together
from reviewer.transcripts.model import Conversation, Json, Run, Usage
from reviewer.transcripts.store.spool import Spool

NAME = "claude-code"
TITLE = "Claude Code and Qwen Code sessions"

_SPEAKING = ("user", "assistant")
_FIRST = 200
"""Lines among which one that speaks must stand."""
_TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}
_UNSPOKEN = ("toolUseResult", "tool_use_result", "originalFile", "toolCallResult", "systemPayload")
_SETTINGS = ("permissionMode", "apiKeySource", "output_style", "mcp_servers", "agents", "skills")


@dataclass
class _File:
    """The state of reading one file, line by line."""

    spool: Spool
    thread_of: dict[str, str] = field(default_factory=dict)
    """The thread of each line, by the line's id."""
    through: dict[str, str | None] = field(default_factory=dict)
    """Lines that say nothing, with the line before them."""
    last_aside: str = ""
    session: str = ""
    """The last session that a line named: lines that name none are its."""
    titles: dict[tuple[str, str], str] = field(default_factory=dict)
    """The last title of each kind, and of each line that a summary is of: some are of other sessions."""
    unread: Counter[str] = field(default_factory=Counter)
    begun: Mapping[str, Any] = field(default_factory=dict)
    results: list[Mapping[str, Any]] = field(default_factory=list)
    program: str = "claude-code"


def mine(source: Source) -> bool:
    """True if one of its first lines is a message of a session."""
    record = source.record
    if isinstance(record.get("loglines"), list):
        return any(mapping(line).get("type") in _SPEAKING for line in record["loglines"][:_FIRST])
    if not isinstance(record.get("type"), str) or "payload" in record:
        return False
    if record["type"] == "result" and "session_id" in record:
        return True
    if record["type"] == "summary" and "leafUuid" in record:
        return True
    return any(_speaks(mapping(line)) for _, line in islice(source.records(), _FIRST))


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: the session, and a subagent each."""
    left: list[branches.AbandonedBranches] = []
    with Spool() as spool:
        file = _File(spool)
        for position, record in _lines(source):
            yield from each(position, record, partial(_take, file))
        made, alone = 0, len(set(file.thread_of.values())) < 2
        for key, texts in spool.groups():
            made += 1
            lines = [mapping(line) for line in parsed_together(texts, f"thread {key}")]
            position = "the file" if alone else f"thread {key}"
            yield from each(position, {"lines": lines}, partial(_extract, file, position, left))
    if not made and file.results:
        yield from each("the file", {"lines": []}, partial(_extract, file, "the file", left))
    elif not made:
        yield Remark("a Claude Code session in which nothing was said")
    said = branches.summed(left)
    if said:
        yield Remark(said)
    if file.unread:
        kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(file.unread.items()))
        yield Remark(f"lines that are not messages: {kinds}")


def _lines(source: Source) -> Iterator[tuple[str, Any]]:
    """The lines of a session: of the file, or those that a document lists, as a session on the web does."""
    for position, record in source.records():
        if isinstance(record, Mapping) and isinstance(record.get("loglines"), list):
            yield from ((f"loglines[{n}]", line) for n, line in enumerate(record["loglines"]))
        else:
            yield position, record


def _speaks(line: Mapping[str, Any]) -> bool:
    known = ("sessionId", "session_id", "parentUuid", "parent_tool_use_id")
    if line.get("type") not in _SPEAKING or not isinstance(line.get("message"), Mapping):
        return False
    return any(key in line for key in known) or ("timestamp" in line and line["message"].get("role") == line["type"])


def _take(file: _File, line: Mapping[str, Any]) -> Extract | None:
    """One line: into its thread when it says something, else what it says of the session."""
    if qwen_lines.is_line(line):
        file.program = qwen_lines.PROGRAM
    line = qwen_lines.plain(line)
    kind, uuid = str(line.get("type")), text_or_none(line.get("uuid"))
    before = text_or_none(line.get("parentUuid"))
    before = file.through.get(before, before) if before else None
    if kind in _TITLES:
        leaf = text_of(line.get("leafUuid")) if kind == "summary" else ""
        file.titles[kind, leaf] = text_of(line.get(_TITLES[kind]))
    elif kind == "result":
        file.results.append({key: value for key, value in line.items() if key != "permission_denials"})
    elif kind == "system" and line.get("subtype") == "init":
        file.begun = file.begun or line
    elif _is_told(kind, line):
        key = _thread_of(file, line, before)
        if uuid:
            file.thread_of.setdefault(uuid, key)
        told = {name: value for name, value in line.items() if name not in _UNSPOKEN}
        named = {"parentUuid": before} if "parentUuid" in line else {}
        file.spool.put(key, compact({**told, **named, "about": _scalars(line)}))
    else:
        attached = text_of(mapping(line.get("attachment")).get("type"))
        file.unread[attached or text_of(line.get("subtype")) or (kind if "type" in line else "of no type")] += 1
        if uuid:
            file.through[uuid] = before
    return None


def _is_told(kind: str, line: Mapping[str, Any]) -> bool:
    if kind in _SPEAKING:
        if not isinstance(line.get("message"), Mapping):
            raise ValueError("it has no message")
        return True
    if kind == "attachment":
        return mapping(line.get("attachment")).get("type") == "queued_command"
    return kind == "system" and bool(line.get("content") or line.get("error"))


def _thread_of(file: _File, line: Mapping[str, Any], before: str | None) -> str:
    """The thread of a line: that of the line before it, else its subagent's or its session's."""
    session = file.session = text_of(first_of(line, "sessionId", "session_id")) or file.session
    agent = text_or_none(line.get("parent_tool_use_id"))
    if line.get("isSidechain") is True:
        agent = text_or_none(line.get("agentId")) or (before and file.thread_of.get(before, file.last_aside))
        file.last_aside = agent or text_or_none(line.get("uuid")) or session
        return file.last_aside
    before = before or text_or_none(line.get("logicalParentUuid"))
    return agent or (before and file.thread_of.get(before)) or session


def _scalars(line: Mapping[str, Any]) -> dict[str, Any] | None:
    """The numbers and marks of a tool's own account of its result; its texts repeat the result."""
    account = first_of(line, "toolUseResult", "tool_use_result")
    if not isinstance(account, Mapping):
        return None
    kept = {key: value for key, value in account.items() if isinstance(value, int | float) and value is not False}
    named = {key: account[key] for key in ("agentId", "status") if isinstance(account.get(key), str)}
    return {**kept, **named} or None


def _extract(file: _File, position: str, left: list[branches.AbandonedBranches], record: Mapping[str, Any]) -> Extract:
    told = thread(record["lines"])
    left.append(told.aside)
    first, last, begun = told.first, told.last, file.begun
    result = file.results[-1] if file.results and not told.agent else {}
    messages = told.messages or _answer(result)
    plausibility.refuse(messages)
    version = text_or_none(first_of(last, "version") or first_of(begun, "claude_code_version"))
    failed = text_of(result.get("result")) or text_of(result.get("subtype")) if result.get("is_error") else None
    session = text_or_none(first_of({**begun, **result, **first, **last}, "sessionId", "session_id"))
    return Extract(
        position,
        Conversation(
            told.models[0] if told.models else text_of(begun.get("model")),
            messages,
            id=told.agent or session,
            started=time_of(first.get("timestamp")),
            ended=time_of(last.get("timestamp")),
            ended_by="turn-limit" if _is_cut(result) else "error" if told.error or failed else None,
            error=told.error or failed,
            meta=filled(
                title=_title(file, told),
                cwd=first_of({**begun, **last}, "cwd"),
                branch=last.get("gitBranch"),
                session=session if told.agent else None,
                subagent=True if told.agent else None,
                models=", ".join(told.models) if len(told.models) > 1 else None,
            ),
            extra=filled(
                branches=told.aside.branches or None,
                aside=list(told.aside.kept),
                result={key: result[key] for key in ("subtype", "num_turns", "duration_ms") if key in result},
            ),
            usage=_usage(file.results) if result else None,
        ),
        run=Run(
            "",
            None,
            harness=f"{file.program} {version}" if version else file.program,
            tools=tuple(_tools(begun)),
            extra=filled(**{key: begun.get(key) for key in _SETTINGS}),
        ),
    )


def _title(file: _File, told: ParsedThread) -> str | None:
    """The title that the person gave, else the program, else a summary of a line of this thread."""
    summaries = (file.titles.get(("summary", id)) for id in reversed(told.ids))
    given = [file.titles.get((kind, "")) for kind in _TITLES]
    return next((title for title in (*given, *summaries) if title), None)


def _answer(result: Mapping[str, Any]) -> tuple[Any, ...]:
    """The last words alone, where nothing else was printed."""
    lines = [{"type": "assistant", "message": {"role": "assistant", "content": text_of(result.get("result"))}}]
    return thread(lines).messages if result.get("result") else ()


def _is_cut(result: Mapping[str, Any]) -> bool:
    return result.get("subtype") == "error_max_turns"


def _usage(results: list[Mapping[str, Any]]) -> Usage | None:
    """Return what the run used, subagents included: each result repeats the costs and tokens so far."""
    cost = cost_of(results[-1].get("total_cost_usd"))
    models = list(mapping(results[-1].get("modelUsage")).values())
    spent = [mapping(each) for each in models or [result.get("usage") for result in results]]
    names = ("inputTokens", "input_tokens"), ("outputTokens", "output_tokens")
    cached = ("cacheReadInputTokens", "cache_read_input_tokens")
    written = ("cacheCreationInputTokens", "cache_creation_input_tokens")
    read, out, hit, made = (
        sum(number_of(first_of(each, *keys)) or 0 for each in spent) for keys in (*names, cached, written)
    )
    return Usage(read + hit + made, out, None, hit, cost) if read or out or cost else None


def _tools(begun: Mapping[str, Any]) -> Iterator[Json]:
    for tool in listed(begun.get("tools")):
        yield tool if isinstance(tool, Mapping) else {"name": text_of(tool)}
