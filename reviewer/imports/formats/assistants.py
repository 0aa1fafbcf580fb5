"""OpenAI Assistants: the messages, runs and run steps of threads, as pages of the API, lists, or an object a line.

Pages come newest first; a thread's conversation is in order of time. A step that calls tools is a message of the agent
before the message that came of it; a run says the model, the instructions, the tools and how it ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.imports.formats import kept
from reviewer.imports.formats.parts.record_groups import grouped_conversations
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    NO_TOKENS,
    Answer,
    content_of,
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    raw,
    rest_of,
    text_of,
    text_or_none,
    time_of,
    tokens_of,
)
from reviewer.imports.source import BadRecord, Extract, Item, Source, compact
from reviewer.transcripts.model import Conversation, Json, Message, Run, ToolCall, Usage

NAME = "assistants"
TITLE = "OpenAI Assistants threads"

_KINDS = ("thread", "thread.message", "thread.run", "thread.run.step")
_LISTS = ("data", "messages", "runs", "steps", "run_steps", "thread", "threads", "run", "message", "step")
_ENDS = {"failed": "error", "incomplete": "cut", "expired": "cut", "cancelled": "cancelled"}
_MESSAGE_READ = frozenset(
    (
        *("id", "object", "created_at", "thread_id", "role", "content", "run_id", "completed_at", "incomplete_at"),
        *("assistant_id", "metadata", "file_ids"),
    )
)

_Row = Mapping[str, Any]
_Timed = tuple[tuple[float, int], list[Message | Answer]]


def mine(source: Source) -> bool:
    """True if a record is a thread's message, run or step, or a page or an object that holds some."""
    return any(True for _ in _rows(source.glance))


def read(source: Source) -> Iterator[Item]:
    """The file's conversations, a thread each."""
    return grouped_conversations(source, _keyed, _conversation, "threads without messages: passed over")


def _keyed(position: str, record: Any) -> Iterator[BadRecord | tuple[str, dict[str, Any]]]:
    """The objects of a record, each under its thread."""
    rows = list(_rows(record))
    if not rows and not _is_empty_page(record):
        yield BadRecord(position, "no message, run or step of a thread", kept(record))
    for row in rows:
        thread = text_of(row.get("id") if row.get("object") == "thread" else row.get("thread_id"))
        yield f"thread {thread or 'the file'}", row


def _rows(record: Any, thread: str | None = None, depth: int = 0) -> Iterator[dict[str, Any]]:
    """The objects of threads in a record: itself, or those in the pages and objects around them."""
    held = mapping(record)
    if held.get("object") in _KINDS:
        yield {**held, "thread_id": held.get("thread_id") or thread}
    named = text_or_none(first_of(held, "thread_id")) or (
        text_or_none(held.get("id")) if held.get("object") == "thread" else None
    )
    for name in _LISTS if depth < 4 and held.get("object") != "thread.message" else ():
        inner = held.get(name)
        for each in inner if isinstance(inner, list) else [inner] if isinstance(inner, Mapping) else ():
            yield from _rows(each, named or text_or_none(mapping(held.get("thread")).get("id")) or thread, depth + 1)


def _is_empty_page(record: Any) -> bool:
    return mapping(record).get("object") == "list" and mapping(record).get("data") == []


def _conversation(key: str, held: list[_Row]) -> Extract | None:
    """One thread, from the latest that is told of each of its objects."""
    rows: dict[tuple[Any, Any], _Row] = {}
    for row in held:
        rows[text_of(row.get("object")), raw(row.get("id")) or len(rows)] = row
    messages = _in_order(rows, "thread.message")
    runs, steps = _in_order(rows, "thread.run"), _in_order(rows, "thread.run.step")
    if not messages and not steps:
        return None
    said = chat.tied(item for _, made in _merged(messages, runs, steps) for item in made)
    last = runs[-1] if runs else {}
    about = next((row for row in rows.values() if row.get("object") == "thread"), {})
    status = text_of(last.get("status"))
    error = mapping(last.get("last_error"))
    stated = {**mapping(about.get("metadata")), **mapping(last.get("metadata"))}
    return Extract(
        key,
        Conversation(
            next((text_of(run["model"]) for run in reversed(runs) if run.get("model")), ""),
            said,
            id=None if key == "thread the file" else key.removeprefix("thread "),
            started=time_of(about.get("created_at")) or (said[0].at if said else None),
            ended=time_of(first_of(last, "completed_at", "failed_at", "cancelled_at", "expires_at")),
            ended_by=_ENDS.get(status) or (status if status and status != "completed" else None),
            error=text_or_none(error.get("message") or error.get("code")),
            meta=filled(assistant=last.get("assistant_id"), **{str(k): v for k, v in stated.items()}),
            usage=_usage(runs),
        ),
        run=_run(runs),
    )


def _in_order(rows: Mapping[tuple[Any, Any], _Row], kind: str) -> list[_Row]:
    """The objects of a kind in order of time; where pages came newest first, those of one second are reversed."""
    listed_rows = [row for row in rows.values() if row.get("object") == kind]
    if len(listed_rows) > 1:
        first, last = _at(listed_rows[0]), _at(listed_rows[-1])
        if first > last or (first == last and _is_turned(listed_rows)):
            listed_rows.reverse()
    return sorted(listed_rows, key=_at)


def _is_turned(rows: list[_Row]) -> bool:
    """True if messages of the same second are listed newest first: the agent's before the customer's."""
    return rows[0].get("role") == "assistant" and rows[-1].get("role") == "user"


def _at(row: _Row) -> float:
    at = row.get("created_at")
    return float(at) if isinstance(at, int | float) and not isinstance(at, bool) and abs(at) < 2**60 else 0.0


def _merged(messages: list[_Row], runs: list[_Row], steps: list[_Row]) -> list[_Timed]:
    """Messages and calls in order of time; within one second the customer's words, the calls, then the answer."""
    written = {
        text_of(mapping(mapping(step.get("step_details")).get("message_creation")).get("message_id")): step
        for step in steps
    }
    made = _instructions(runs)
    for message in messages:
        step = written.get(text_of(message.get("id")))
        rank = 2 if message.get("role") == "assistant" else 0
        made += [((_at(message if step is None else step), rank), [_message(message, step)])]
    made += [((_at(step), 1), [_called(step, calls)]) for step in steps if (calls := _calls(step))]
    called = {text_of(step.get("run_id")) for step in steps if _calls(step)}
    for run in runs:
        waiting = listed(mapping(mapping(run.get("required_action")).get("submit_tool_outputs")).get("tool_calls"))
        if waiting and text_of(run.get("id")) not in called:
            made += [((_at(run), 1), [_called(run, [_call(mapping(each)) for each in waiting])])]
    return sorted(made, key=lambda each: each[0])


def _instructions(runs: list[_Row]) -> list[_Timed]:
    """The instructions of each run, unless they are the same as those of the run before."""
    made: list[_Timed] = []
    orders = None
    for run in runs:
        if run.get("instructions") and run["instructions"] != orders:
            at = -1.0 if orders is None else _at(run)
            orders = run["instructions"]
            system = Message("system", text_of(orders), source_role="system", at=time_of(run.get("created_at")))
            made.append(((at, -1), [system]))
    return made


def _message(row: _Row, step: _Row | None) -> Message:
    content = content_of(first_of(row, "content") or [])
    role = text_of(row.get("role"))
    extra = rest_of(row, _MESSAGE_READ | ({"status"} if row.get("status") == "completed" else set()))
    extra = filled(extra, **content.beside, files=row.get("file_ids"))
    at, tokens = time_of(row.get("created_at")), tokens_of(mapping(step).get("usage"))
    speaker = chat.ROLES.get(role, "other")
    return Message(speaker, content.text, content.reasoning, (), role, None, at, *tokens, None, extra)


def _called(step: _Row, calls: list[ToolCall]) -> Message:
    """A step that calls tools, as a message of the agent that says nothing."""
    at = time_of(step.get("created_at"))
    tokens = tokens_of(step.get("usage")) if step.get("object") == "thread.run.step" else NO_TOKENS
    extra = filled(error=text_or_none(mapping(step.get("last_error")).get("message")))
    return Message("agent", "", "", tuple(calls), "assistant", None, at, *tokens, None, extra)


def _calls(step: _Row) -> list[ToolCall]:
    return [_call(mapping(each)) for each in listed(mapping(step.get("step_details")).get("tool_calls"))]


def _call(call: _Row) -> ToolCall:
    """A call of a function, or of a tool that the service runs: its input and what came back."""
    kind = text_of(call.get("type")) or "function"
    inner = mapping(call.get(kind))
    id = text_or_none(call.get("id"))
    if kind == "function":
        return ToolCall(text_of(inner.get("name")), raw(inner.get("arguments")), raw(inner.get("output")), id=id)
    if kind == "code_interpreter":
        outputs = [mapping(each) for each in listed(inner.get("outputs"))]
        shown = "\n".join(text_of(each.get("logs", [each])) for each in outputs)
        result = shown if isinstance(inner.get("outputs"), list) else None
        return ToolCall(kind, raw(inner.get("input")), result, id=id)
    asked = {key: value for key, value in inner.items() if key != "results"}
    return ToolCall(kind, compact(asked), raw(inner.get("results")), id=id)


def _usage(runs: list[_Row]) -> Usage | None:
    """The usage of all runs together."""
    counted = [tokens_of(run.get("usage")) for run in runs if mapping(run.get("usage"))]
    if not counted:
        return None
    sums = [sum(number_of(each[n]) or 0 for each in counted) for n in range(2)]
    return Usage(sums[0], sums[1])


def _run(runs: list[_Row]) -> Run:
    """The instructions, the tools and the settings of the last run."""
    last = runs[-1] if runs else {}
    tools: tuple[Json, ...] = tuple(tool for tool in listed(last.get("tools")) if isinstance(tool, Mapping))
    names = ("temperature", "top_p", "tool_choice", "truncation_strategy", "reasoning_effort", "response_format")
    settings = filled(**{name: last.get(name) for name in names})
    return Run("", None, prompt=text_or_none(last.get("instructions")), tools=tools, extra=settings)
