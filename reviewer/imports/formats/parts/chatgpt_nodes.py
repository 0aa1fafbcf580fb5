"""The nodes of a ChatGPT conversation -> messages. Pure.

A node holds one message of the person, the model, a tool or the system. What the model says to a recipient is a call
of that tool, and what tools say until somebody else speaks is the result. Thoughts go to the answer behind them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reviewer.imports.messages.content import (
    content_of,
    filled,
    first_of,
    listed,
    mapping,
    rest_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.transcripts.model import Message, Role, ToolCall

_ROLES: dict[str, Role] = {"user": "customer", "assistant": "agent", "system": "system", "tool": "other"}
_CONTEXTS = ("user_editable_context", "model_editable_context")
_KEPT = (
    *("attachments", "citations", "content_references", "search_result_groups", "search_queries", "gizmo_id"),
    *("voice_mode_message", "command", "canvas", "image_gen_title"),
)
_FINISHED = ("stop", "", None)


@dataclass
class _ChatBuilder:
    """The messages so far, and what waits for the next."""

    messages: list[Message] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    recap: str | None = None
    open: deque[int] = field(default_factory=deque)
    """The places of calls since anybody but a tool spoke; those that have a result too, until they are looked at."""
    by_tool: dict[str, deque[int]] = field(default_factory=dict)
    last: int | None = None
    """The call that was answered last, or made last."""
    results: dict[int, list[str]] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)


def model_of(node: Mapping[str, Any]) -> str | None:
    """The model that wrote a node's message."""
    message = mapping(node.get("message"))
    if mapping(message.get("author")).get("role") != "assistant":
        return None
    return text_or_none(mapping(message.get("metadata")).get("model_slug"))


def said_in(nodes: Iterable[Mapping[str, Any]]) -> tuple[Message, ...]:
    """The messages of nodes that follow each other; nodes that say nothing are none."""
    telling = _ChatBuilder()
    for node in nodes:
        message = mapping(node.get("message"))
        if message:
            _tell(telling, message)
    if telling.thoughts:
        telling.messages.append(Message("agent", reasoning="\n".join(telling.thoughts), source_role="assistant"))
    for place, results in telling.results.items():
        telling.messages[place] = _answered(telling.messages[place], "\n".join(results), telling.errors.get(place))
    return tuple(telling.messages)


def _tell(telling: _ChatBuilder, message: Mapping[str, Any]) -> None:
    content, role = mapping(message.get("content")), text_of(mapping(message.get("author")).get("role"))
    kind = text_of(content.get("content_type"))
    if kind == "thoughts":
        telling.thoughts += filter(None, (_thought(mapping(thought)) for thought in listed(content.get("thoughts"))))
    elif kind == "reasoning_recap":
        telling.recap = text_or_none(content.get("content"))
    elif role == "tool":
        _result(telling, message, content)
    else:
        _message(telling, message, content, role)


def _thought(thought: Mapping[str, Any]) -> str:
    return "\n".join(text_of(thought[key]) for key in ("summary", "content") if thought.get(key))


def _message(telling: _ChatBuilder, message: Mapping[str, Any], content: Mapping[str, Any], role: str) -> None:
    text, blocks = _text(content)
    metadata = mapping(message.get("metadata"))
    recipient = text_of(message.get("recipient")) or "all"
    calls = recipient != "all" and role == "assistant"
    if not text and not calls:
        return
    at = time_of(message.get("create_time"))
    files = [{"type": "file", **mapping(file), "filename": mapping(file).get("name")} for file in _attached(metadata)]
    hidden = metadata.get("is_visually_hidden_from_conversation") is True
    finished = mapping(metadata.get("finish_details")).get("type")
    place = len(telling.messages)
    telling.messages.append(
        Message(
            "system" if content.get("content_type") in _CONTEXTS else _ROLES.get(role, "other"),
            "" if calls else "\n".join([text, *(content_of([file]).text for file in files)]),
            "\n".join(telling.thoughts) if role == "assistant" else "",
            (ToolCall(recipient, text, id=text_or_none(message.get("id")), at=at),) if calls else (),
            role,
            text_or_none(mapping(message.get("author")).get("name")),
            at,
            extra=filled(
                rest_of({key: metadata[key] for key in _KEPT if key in metadata}, ()),
                blocks=blocks,
                hidden=hidden or None,
                channel=message.get("channel") if message.get("channel") not in (None, "final") else None,
                finished=finished if finished not in _FINISHED else None,
                recap=telling.recap if role == "assistant" else None,
            ),
        )
    )
    if calls:
        telling.open.append(place)
        telling.by_tool.setdefault(recipient, deque()).append(place)
        telling.last = place
    else:
        telling.open, telling.by_tool, telling.last = deque(), {}, None
    if role == "assistant":
        telling.thoughts, telling.recap = [], None


def _attached(metadata: Mapping[str, Any]) -> list[Any]:
    return [file for file in listed(metadata.get("attachments")) if mapping(file).get("name")]


def _result(telling: _ChatBuilder, message: Mapping[str, Any], content: Mapping[str, Any]) -> None:
    """Take a tool's message as the result of the waiting call, as more of a result, or as one without a call."""
    name, metadata = text_of(mapping(message.get("author")).get("name")), mapping(message.get("metadata"))
    text, blocks = _text(content)
    failed = text_of(mapping(metadata.get("aggregate_result")).get("status")).startswith("failed")
    failed = failed or content.get("content_type") == "system_error"
    place = _waiting(telling, telling.by_tool.get(name, deque()))
    place = _waiting(telling, telling.open) if place is None else place
    place = telling.last if place is None else place
    if place is None:
        if not text:
            return
        at = time_of(message.get("create_time"))
        kept = rest_of({key: metadata[key] for key in _KEPT if key in metadata}, ())
        call = ToolCall(name, None, text, text if failed else None, orphan=True, at=at, extra=filled(blocks=blocks))
        telling.messages.append(Message("other", "", "", (call,), "tool", name or None, at, extra=kept))
        return
    telling.last = place
    telling.results.setdefault(place, []).extend([text] if text else [])
    if failed:
        telling.errors[place] = text or "error"


def _waiting(telling: _ChatBuilder, calls: deque[int]) -> int | None:
    """The first of these calls that has no result."""
    while calls and calls[0] in telling.results:
        calls.popleft()
    return calls[0] if calls else None


def _answered(message: Message, result: str, error: str | None) -> Message:
    call = message.calls[0]
    answered = ToolCall(call.name, call.arguments, result, error, call.id, at=call.at)
    return Message(
        *(message.role, message.text, message.reasoning, (answered,), message.source_role, message.name, message.at),
        extra=message.extra,
    )


def _text(content: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """The text of a content of any kind, and the blocks in it that are none."""
    parts = content.get("parts")
    if isinstance(parts, list):
        held = content_of([_block(part) for part in parts])
        return held.text, held.other
    if content.get("content_type") in _CONTEXTS:
        told = (content.get(key) for key in ("user_profile", "user_instructions", "model_set_context"))
        return "\n".join(text_of(each) for each in told if each), []
    said = first_of(content, "text", "content", "result", "response_text", "summary")
    rest = {key: value for key, value in content.items() if key != "content_type"}
    if said is None and rest:
        held = content_of([{"type": text_of(content.get("content_type")) or "content", **rest}])
        return held.text, held.other
    return text_of(said), []


def _block(part: Any) -> Any:
    """A part: text, or what a picture, a sound or a transcript says of itself."""
    told = mapping(part)
    if not told:
        return {"type": "text", "text": text_of(part)}
    kind = text_of(told.get("content_type"))
    if isinstance(told.get("text"), str):
        return {"type": "text", "text": told["text"]}
    inner = mapping(told.get("audio_asset_pointer"))
    return {**told, "type": kind or "part", "url": first_of(told, "asset_pointer") or inner.get("asset_pointer")}
