"""Chat messages as most logs write them -> our messages, with every result tied to its call.

Owns the reading of message lists in their many spellings and the tying of results. A format whose shape differs turns
it into messages and `Answer` values and lets `tied` do the rest; contents are `reviewer.ingest.content`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reviewer.ingest.content import (
    Answer,
    answer_of,
    call_of,
    content_of,
    mapping,
    raw,
    text_of,
    text_or_none,
    time_of,
    tokens_of,
)
from reviewer.model import Json, Message, Role, ToolCall

ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "customer",
    "human": "customer",
    "customer": "customer",
    "assistant": "agent",
    "agent": "agent",
    "ai": "agent",
    "bot": "agent",
    "model": "agent",
    "colleague": "colleague",
    "other": "other",
}
_RESULT_ROLES = ("tool", "function")
READ = frozenset(
    ("role", "content", "parts", "tool_calls", "function_call", "name", "timestamp", "reasoning_content", "reasoning")
) | {"usage"}


@dataclass(slots=True)
class _Open:
    """Where a call stands that may still get its result."""

    message: int
    call: int


@dataclass
class _Tying:
    """Messages and calls collected so far, as lists that results can still be put into."""

    messages: list[Message] = field(default_factory=list)
    calls: list[list[ToolCall]] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)


def tied(items: Iterable[Message | Answer]) -> tuple[Message, ...]:
    """Messages with their results: tied by id, by position where ids lack or repeat; the rest kept as orphans."""
    state = _Tying()
    for item in items:
        if isinstance(item, Message):
            index = len(state.messages)
            state.messages.append(item)
            state.calls.append(list(item.calls))
            state.open += [_Open(index, k) for k, call in enumerate(item.calls) if call.result is None]
        else:
            _tie(state, item)
    return tuple(
        replace(message, calls=tuple(calls)) if calls else message
        for message, calls in zip(state.messages, state.calls, strict=True)
    )


def _tie(state: _Tying, answer: Answer) -> None:
    where = _match(state, answer)
    last = len(state.messages)
    if where is None:
        orphan = ToolCall(answer.name or "", None, answer.result, answer.error, answer.id, orphan=True, at=answer.at)
        if not state.messages:
            state.messages.append(Message("other", source_role="tool"))
            state.calls.append([])
        state.calls[-1].append(replace(orphan, extra=answer.extra))
        return
    state.open.remove(where)
    call = state.calls[where.message][where.call]
    state.calls[where.message][where.call] = replace(
        call,
        result=answer.result,
        error=answer.error or call.error,
        result_after=last if where.message != last - 1 else None,
        extra={**(call.extra or {}), **answer.extra} if answer.extra else call.extra,
    )


def _match(state: _Tying, answer: Answer) -> _Open | None:
    """The open call that a result answers: the first with its id, else the first of its name, else the first."""
    unanswered = [(each, state.calls[each.message][each.call]) for each in state.open]
    if answer.by is not None:
        unanswered = [it for it in unanswered if state.messages[it[0].message].role == answer.by] or unanswered
    if answer.id is not None:
        same = next((each for each, call in unanswered if call.id == answer.id), None)
        if same is not None:
            return same
        unanswered = [(each, call) for each, call in unanswered if call.id is None]
    if answer.name is not None:
        unanswered = [(each, call) for each, call in unanswered if call.name == answer.name]
    return unanswered[0][0] if unanswered else None


def messages_of(items: Iterable[Any], roles: Mapping[str, Role] = ROLES) -> tuple[Message, ...]:
    """The messages of a list, whatever each looks like."""
    return tied(each for item in items for each in read_item(item, roles))


def read_item(item: Any, roles: Mapping[str, Role] = ROLES) -> Iterator[Message | Answer]:
    """One element of a message list: a message, a result, or a message and the results in its blocks."""
    if not isinstance(item, Mapping):
        yield Message("other", text_of(item))
        return
    role = str(item.get("role") or "")
    body = item.get("content")
    if body is None:
        body = item.get("parts")
    if role.lower() in _RESULT_ROLES and not isinstance(body, list):
        yield answer_of(item)
        return
    yield from _said(item, role, body, roles)


def _said(item: Mapping[str, Any], role: str, body: Any, roles: Mapping[str, Role]) -> Iterator[Message | Answer]:
    calls = tuple(calls_of(item))
    text, reasoning, extra = "", "", left_over(item)
    answers: list[Answer] = []
    if isinstance(body, str) or body is None:
        text = body or ""
    else:
        found = content_of(body)
        text, reasoning, answers = found.text, found.reasoning, found.answers
        calls += tuple(call for call in found.calls if call.id is None or all(call.id != it.id for it in calls))
        if found.other:
            extra = {**(extra or {}), "blocks": found.other}
        if role.lower() in _RESULT_ROLES and not answers:
            yield replace(answer_of(item), result=text)
            return
    yield from answers
    if answers and not (text or calls or reasoning):
        return
    tokens = tokens_of(item.get("usage"))
    yield Message(
        roles.get(role.lower(), "other"),
        text,
        text_of(item.get("reasoning_content") or item.get("reasoning")) or reasoning,
        calls,
        role,
        text_or_none(item.get("name")),
        time_of(item.get("timestamp")),
        *tokens,
        extra,
    )


def calls_of(item: Mapping[str, Any]) -> Iterator[ToolCall]:
    """The calls of one message: `tool_calls`, else the older `function_call`."""
    calls = item.get("tool_calls")
    if isinstance(calls, list):
        for call in calls:
            yield call_of(call) if isinstance(call, Mapping) else ToolCall("", raw(call))
    elif isinstance(item.get("function_call"), Mapping):
        yield call_of(mapping(item["function_call"]))


def left_over(item: Mapping[str, Any], read: frozenset[str] = READ) -> Json | None:
    """What has no field of its own and says something."""
    if item.keys() <= read:
        return None
    rest = {key: value for key, value in item.items() if key not in read and value not in (None, [], {}, "")}
    return rest or None
