"""Chat messages as most logs write them -> our messages, with every result tied to its call.

Owns the reading of OpenAI-shaped message lists in their many spellings (content as text, blocks, strings or nothing;
ids under several names; arguments as text or object) and the tying of results. Other formats turn their own shapes
into `Said` and `Answer` values and let `tied` do the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reviewer.ingest.source import compact, kept_whole
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
_ID_NAMES = ("tool_call_id", "call_id", "source_call_id", "tool_use_id")


@dataclass(frozen=True, slots=True)
class Answer:
    """A tool's result as the log gave it, before it is tied to its call."""

    result: str
    id: str | None = None
    name: str | None = None
    error: str | None = None
    at: str | None = None
    extra: Json | None = None


@dataclass
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
        error=answer.error,
        result_after=last if where.message != last - 1 else None,
        extra={**(call.extra or {}), **answer.extra} if answer.extra else call.extra,
    )


def _match(state: _Tying, answer: Answer) -> _Open | None:
    """The open call that a result answers: the first with its id, else the first of its name, else the first."""
    if answer.id is not None:
        same = [each for each in state.open if state.calls[each.message][each.call].id == answer.id]
        if same:
            return same[0]
    unnamed = [each for each in state.open if answer.id is None or state.calls[each.message][each.call].id is None]
    if answer.name is not None:
        named = [each for each in unnamed if state.calls[each.message][each.call].name == answer.name]
        return named[0] if named else None
    return unnamed[0] if unnamed else None


def messages_of(items: Sequence[Any]) -> tuple[Message, ...]:
    """The messages of an OpenAI-shaped list."""
    return tied(_read(item) for item in items)


def _read(item: Any) -> Message | Answer:
    if not isinstance(item, Mapping):
        return Message("other", text_of(item), extra=None)
    role = str(item.get("role") or "")
    if role in ("tool", "function"):
        name = item.get("name")
        return Answer(text_of(item.get("content")), call_id(item), str(name) if name else None)
    return Message(
        ROLES.get(role.lower(), "other"),
        text_of(item.get("content")),
        text_of(item.get("reasoning_content") or item.get("reasoning")),
        tuple(calls_of(item)),
        source_role=kept_whole(role),
        name=_text_or_none(item.get("name")),
        at=_text_or_none(item.get("timestamp")),
        extra=left_over(item),
    )


def calls_of(item: Mapping[str, Any]) -> Iterable[ToolCall]:
    """The calls of one message: `tool_calls`, else the older `function_call`."""
    calls = item.get("tool_calls")
    if isinstance(calls, list):
        for call in calls:
            if isinstance(call, Mapping):
                yield call_of(call)
    elif isinstance(item.get("function_call"), Mapping):
        yield call_of({"function": item["function_call"]})


def call_of(call: Mapping[str, Any]) -> ToolCall:
    """One call, its function nested or not, its arguments as text or object."""
    function = call.get("function")
    inner: Mapping[str, Any] = function if isinstance(function, Mapping) else call
    name = inner.get("name") if isinstance(function, Mapping) or not isinstance(function, str) else function
    id = call.get("id") or call_id(call)
    return ToolCall(
        kept_whole(str(name or "")), raw(inner.get("arguments")), id=kept_whole(str(id)) if id is not None else None
    )


def call_id(item: Mapping[str, Any]) -> str | None:
    """The id that ties a result to its call, under whichever name."""
    for name in _ID_NAMES:
        if item.get(name):
            return kept_whole(str(item[name]))
    return None


def raw(value: Any) -> str | None:
    """A value as the source wrote it: its text, or its object as compact JSON."""
    if value is None:
        return None
    return kept_whole(value if isinstance(value, str) else compact(value))


def text_of(content: Any) -> str:
    """The text of a content that may be text, blocks, strings or nothing."""
    if content is None:
        return ""
    if isinstance(content, str):
        return kept_whole(content)
    if isinstance(content, list):
        return "\n".join(part for part in map(_block_text, content) if part)
    return kept_whole(compact(content))


def _block_text(block: Any) -> str:
    if isinstance(block, Mapping):
        text = block.get("text")
        if isinstance(text, str):
            return kept_whole(text)
        return f"[{kept_whole(str(block.get('type') or 'block'))}]"
    return text_of(block)


_READ = {"role", "content", "tool_calls", "function_call", "name", "timestamp", "reasoning_content", "reasoning"}


def left_over(item: Mapping[str, Any], read: set[str] = _READ) -> Json | None:
    """What has no field of its own and says something."""
    rest = {key: value for key, value in item.items() if key not in read and value not in (None, [], {}, "")}
    return rest or None


def _text_or_none(value: Any) -> str | None:
    return kept_whole(str(value)) if value not in (None, "") else None
