"""Chat messages as most logs write them -> our messages, with every result tied to its call.

Owns the reading of message lists in their many spellings and the tying of results. A format whose shape differs turns
it into messages and `Answer` values and lets `tied` do the rest; contents are `reviewer.imports.messages.content`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from reviewer.imports.messages import citations
from reviewer.imports.messages.content import (
    TIMED,
    TIMES,
    Answer,
    Content,
    answer_of,
    call_of,
    content_of,
    cost_of,
    first_of,
    kind_of,
    raw,
    text_of,
    text_or_none,
    thought_of,
    time_of,
    tokens_of,
)
from reviewer.imports.messages.placeholders import is_unread
from reviewer.imports.source import compact, unfolded
from reviewer.transcripts.model import Json, Message, Role, ToolCall

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
    "chatbot": "agent",
    "model": "agent",
    "gpt": "agent",
    "colleague": "colleague",
    "other": "other",
}
_RESULT_ROLES = ("tool", "function", "Tool", "TOOL", "toolResult", "tool_result", "observation", "ipython")
_OTHER_BODIES = ("parts", "text", "value", "refusal")
_THOUGHTS = ("reasoning_content", "reasoning", "thinking", "thinking_blocks", "reasoning_details")
"""Beside the content, by preference: the later ones repeat the earlier with signatures."""
_THINKING = frozenset(_THOUGHTS)
_CITING = frozenset(citations.LISTS)
READ = frozenset(
    (
        "role",
        "from",
        "content",
        "tool_calls",
        "function_call",
        "name",
        *TIMES,
        "usage",
        "cost",
        *_THOUGHTS[:3],
    )
)
_RESULT_READ = READ | {
    *("tool_call_id", "call_id", "tool_use_id", "toolCallId", "toolUseId", "source_call_id", "tool_call_ids", "type"),
    *(
        "output",
        "response",
        "result",
        "text",
        "value",
        "toolName",
        "function",
        "tool_name",
        "is_error",
        "isError",
        "id",
    ),
}


Place = tuple[int, int]
"""Where a call stands: the number of its message and its own in it, both from 0."""


@dataclass
class _MessageBuilder:
    """Collects messages and calls in lists that results can still be put into."""

    messages: list[Message] = field(default_factory=list)
    calls: dict[int, list[ToolCall]] = field(default_factory=dict)
    open: dict[Place, ToolCall] = field(default_factory=dict)
    """Calls that may still get their result, in order."""
    by_id: dict[str | None, dict[Place, ToolCall]] = field(default_factory=dict)
    """The same by their ids."""

    def add(self, message: Message) -> None:
        index = len(self.messages)
        self.messages.append(message)
        if message.calls:
            self.calls[index] = list(message.calls)
            for k, call in enumerate(message.calls):
                if call.result is None:
                    self.open[index, k] = call
                    self.by_id.setdefault(call.id, {})[index, k] = call

    def answer(self, place: Place, answer: Answer) -> None:
        it = self.open.pop(place)
        del self.by_id[it.id][place]
        last = len(self.messages)
        after = last if place[0] != last - 1 else None
        extra = {**(it.extra or {}), **answer.extra} if answer.extra else it.extra
        if answer.at is not None and answer.at != it.at:
            extra = {**(extra or {}), "result_at": answer.at}
        self.calls[place[0]][place[1]] = ToolCall(
            it.name, it.arguments, answer.result, answer.error or it.error, it.id, it.orphan, after, it.at, extra
        )


def tied(items: Iterable[Message | Answer]) -> tuple[Message, ...]:
    """Messages with their results: tied by id, by position where ids lack or repeat; the rest kept as orphans."""
    state = _MessageBuilder()
    for item in items:
        if isinstance(item, Message):
            state.add(item)
        elif (place := _match(state, item)) is not None:
            state.answer(place, item)
        else:
            _keep_orphan(state, item)
    for index, calls in state.calls.items():
        state.messages[index] = _with(state.messages[index], tuple(calls))
    return tuple(state.messages)


def _with(it: Message, calls: tuple[ToolCall, ...]) -> Message:
    """The message with these calls; spelled out, because `replace` takes five times as long and this is every call."""
    return Message(
        *(it.role, it.text, it.reasoning, calls, it.source_role, it.name, it.at),
        *(it.tokens_in, it.tokens_out, it.tokens_reasoning, it.tokens_cached, it.cost, it.extra),
    )


def _keep_orphan(state: _MessageBuilder, answer: Answer) -> None:
    """Keep a result whose call is unknown with the message before it."""
    if not state.messages:
        state.messages.append(Message("other", source_role="tool"))
    orphan = ToolCall(
        answer.name or "", None, answer.result, answer.error, answer.id, True, at=answer.at, extra=answer.extra
    )
    state.calls.setdefault(len(state.messages) - 1, []).append(orphan)


def _match(state: _MessageBuilder, answer: Answer) -> Place | None:
    """The open call that a result answers: the first with its id, else the first of its name, else the first."""
    if answer.id is not None:
        same = state.by_id.get(answer.id)
        if same:
            return _first(state, same, answer.by, None)
        return _first(state, state.by_id.get(None, {}), answer.by, answer.name)
    return _first(state, state.open, answer.by, answer.name)


def _first(state: _MessageBuilder, among: Mapping[Place, ToolCall], by: str | None, name: str | None) -> Place | None:
    """The first of these calls of the name that the role made; the first of the name when the role made none."""
    named = (place for place, call in among.items() if name is None or call.name == name)
    if by is None:
        return next(named, None)
    first = None
    for place in named:
        if state.messages[place[0]].role == by:
            return place
        first = place if first is None else first
    return first


def messages_of(items: Iterable[Any]) -> tuple[Message, ...]:
    """The messages of a list, whatever each looks like."""
    return tied(chain.from_iterable(map(read_item, items)))


def read_item(item: Any) -> Iterable[Message | Answer]:
    """One element of a message list: a message, a result, or a message and the results in its blocks."""
    if not isinstance(item, dict):
        return (Message("other", text_of(item)),)
    role = role_in(item)
    body, read = item.get("content"), READ
    if not body:
        for place in _OTHER_BODIES:
            if item.get(place):
                body, read = item[place], READ | {place}
                break
    plain = body is None or isinstance(body, str)
    if plain and role in _RESULT_ROLES:
        return (_result(item),)
    if plain:
        extra = left_over(item, read)
        if extra and not _CITING.isdisjoint(extra):
            extra = citations.of_message(extra, body or "", ())
        return (_message(item, role, body or "", "", calls_of(item), extra),)
    return _of_blocks(item, role, content_of(body, role in _RESULT_ROLES), left_over(item, read))


def _of_blocks(item: Mapping[str, Any], role: str, content: Content, extra: Json | None) -> Iterator[Message | Answer]:
    if role in _RESULT_ROLES and not content.answers:
        yield replace(_result(item), result=content.text)
        return
    calls = calls_of(item)
    if content.calls:
        calls += tuple(_untold(content.calls, calls))
    if content.answers and not content.calls:
        yield from content.answers
        if not (content.text or calls or content.reasoning or any(map(is_unread, content.other))):
            return
    if content.other:
        extra = {**(extra or {}), "blocks": content.other}
    if content.citations or (extra and not _CITING.isdisjoint(extra)):
        extra = citations.of_message(extra or {}, content.text, content.citations)
    yield _message(item, role, content.text, content.reasoning, calls, extra)
    if content.calls:  # results beside their calls: a tool that the provider runs
        yield from content.answers


def _untold(calls: Iterable[ToolCall], told: Sequence[ToolCall]) -> Iterator[ToolCall]:
    """The calls of some blocks that a message does not tell already: by their id, or by that of the item they are."""
    ids = {call.id for call in told if call.id is not None}
    others: dict[tuple[str, Any], list[str]] = {}
    for call in told:
        if call.id is not None:
            others.setdefault((call.name, _given(call)), []).append(call.id)
    for call in calls:
        if call.id is None or call.id not in ids:
            alike = others.get((call.name, _given(call)), []) if call.id is not None and others else []
            if call.id is not None and alike and kind_of(call.id) != kind_of(alike[-1]):
                alike.pop()
                continue
            yield call


def _given(call: ToolCall) -> str:
    return compact(unfolded(call.arguments))


def _result(item: Mapping[str, Any]) -> Answer:
    """A tool's message, with what else it says; an error that is told in words is one."""
    made = answer_of(item)
    error, rest = item.get("error"), left_over(item, _RESULT_READ)
    if rest:
        made.extra = {**(made.extra or {}), **{key: rest[key] for key in rest if key != "error"}} or None
    if isinstance(error, str | dict) and error:
        made.error = raw(error)
    return made


def _message(
    item: Mapping[str, Any],
    role: str,
    text: str,
    reasoning: str,
    calls: tuple[ToolCall, ...],
    extra: Json | None,
) -> Message:
    thinks, timed = not _THINKING.isdisjoint(item), not TIMED.isdisjoint(item)
    thought = next((item[key] for key in _THOUGHTS if item.get(key)), None) if thinks else None
    usage, cost = item.get("usage"), item.get("cost")
    return Message(
        ROLES.get(role.lower(), "other"),
        text,
        thoughts(thought_of(thought), reasoning) if thought else reasoning,
        calls,
        role,
        text_or_none(item.get("name")),
        time_of(first_of(item, *TIMES)) if timed else None,
        *tokens_of(usage),
        cost_of(usage.get("cost") if cost is None and isinstance(usage, dict) else cost),
        extra,
    )


def thoughts(beside: str, within: str) -> str:
    """The reasoning beside the content and that in its blocks, where neither repeats the other."""
    if within in beside or beside in within:
        return beside if within in beside else within
    return f"{beside}\n{within}"


def role_in(item: Mapping[str, Any]) -> str:
    """The source's own name for the role of a message, whichever key it uses."""
    return str(item.get("role") or item.get("from") or "")


def calls_of(item: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """The calls of one message: `tool_calls`, and the older `function_call` where it says another."""
    calls = item.get("tool_calls")
    if calls and not isinstance(calls, list):
        calls = unfolded(calls)
        calls = calls if isinstance(calls, list) else [calls]
    made: tuple[ToolCall, ...] = ()
    if isinstance(calls, list):
        made = tuple([call_of(call) if isinstance(call, dict) else ToolCall("", raw(call)) for call in calls])
    old = item.get("function_call")
    if not isinstance(old, dict) or not old:
        return made
    call = call_of(old)
    return made if any((it.name, it.arguments) == (call.name, call.arguments) for it in made) else (*made, call)


def left_over(item: Mapping[str, Any], read: frozenset[str] = READ) -> Json | None:
    """The rest of a message: fields that are not read elsewhere and are not empty."""
    if item.keys() <= read:
        return None
    rest = {key: item[key] for key in item if key not in read and item[key] not in (None, [], {}, "")}
    return rest or None
