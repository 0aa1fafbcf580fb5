"""The items of a spoken conversation while its events go by: their order, their words, what was called. Pure.

An item is created empty and filled by later events, a customer's words often after the agent's answer to them. Each
stands behind the item that it names as the one before it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    Answer,
    content_of,
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    raw,
    text_of,
    text_or_none,
    tokens_of,
)
from reviewer.imports.source import compact
from reviewer.transcripts.model import Message, ToolCall

Event = Mapping[str, Any]

_FINAL = {
    "conversation.item.input_audio_transcription.completed": "transcript",
    "response.audio_transcript.done": "transcript",
    "response.output_audio_transcript.done": "transcript",
    "response.text.done": "text",
    "response.output_text.done": "text",
}
_PARTIAL = (
    "conversation.item.input_audio_transcription.delta",
    *("response.audio_transcript.delta", "response.output_audio_transcript.delta"),
    *("response.text.delta", "response.output_text.delta", "response.function_call_arguments.delta"),
)
_PLACING = ("conversation.item.created", "conversation.item.added", "conversation.item.create")
_ROOT = "root"


@dataclass
class LiveItems:
    """The items of a session, as far as its events were read."""

    items: dict[str, dict[str, Any]] = field(default_factory=dict)
    at: dict[str, str] = field(default_factory=dict)
    _next: dict[str, str | None] = field(default_factory=lambda: {_ROOT: None})
    _tail: str = _ROOT
    _final: defaultdict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    """The words of each part of an item, as they were in the end."""
    _partial: defaultdict[str, dict[int, list[str]]] = field(default_factory=lambda: defaultdict(dict))
    """The same as far as they were told."""
    _notes: defaultdict[str, dict[str, Any]] = field(default_factory=lambda: defaultdict(dict))
    _usage: dict[str, Any] = field(default_factory=dict)
    _sent: defaultdict[str, deque[str]] = field(default_factory=lambda: defaultdict(deque))
    """Items that the client sent without an id, by what they say."""
    _alias: dict[str, str] = field(default_factory=dict)
    _orders: dict[str, str] = field(default_factory=dict)
    """The last instructions given behind an item, which whatever names that item comes behind as well."""
    _ordered: dict[str, str] = field(default_factory=dict)
    """The same in the other direction."""

    @property
    def placed(self) -> bool:
        """True if the place of any item is known."""
        return self._tail != _ROOT

    def take(self, event: Event, at: str | None) -> None:
        """Take in one event."""
        kind = text_of(event.get("type"))
        if isinstance(event.get("item"), Mapping):
            self._put(mapping(event["item"]), kind, event.get("previous_item_id"), at)
        elif kind == "input_audio_buffer.committed" and event.get("item_id"):
            spoken = {"type": "message", "role": "user", "content": [{"type": "input_audio"}]}
            item = {"id": event["item_id"], **spoken}
            self._put(item, "conversation.item.created", event.get("previous_item_id"), at)
        elif kind == "response.done":
            self._answered(mapping(event.get("response")), at)
        elif event.get("item_id"):
            self._fill(kind, event)

    def instruct(self, text: str, at: str | None) -> None:
        """Instructions that changed while the conversation went on."""
        name = f"instructions {len(self.items)}"
        behind = self._ordered.get(self._tail, self._tail)
        self._orders[behind], self._ordered[name] = name, behind
        self._put({"id": name, "type": "message", "role": "system", "content": text}, _PLACING[0], None, at)

    def messages(self) -> tuple[Message, ...]:
        """The conversation, in order, with results at their calls."""
        return chat.tied(made for name in self._in_order() for made in self._made(name))

    def _named(self, name: Any) -> str:
        return self._alias.get(text_of(name), text_of(name))

    def _put(self, item: Mapping[str, Any], kind: str, previous: Any, at: str | None) -> None:
        says = compact([item.get(key) for key in ("type", "role", "call_id", "output", "name")] + [_told(item)])
        name = text_of(item.get("id"))
        if not name:
            name = f"sent {len(self.items)}"
            self._sent[says].append(name)
        elif kind in _PLACING and name not in self.items and self._sent.get(says):
            self._alias[name] = self._sent[says].popleft()
        name = self._named(name)
        known = self.items.setdefault(name, {})
        known.update({key: value for key, value in item.items() if value not in (None, "", []) or key not in known})
        if at is not None:
            self.at.setdefault(name, at)
        if kind in _PLACING:
            self._place(name, self._named(previous) if previous is not None else None)

    def _place(self, name: str, previous: str | None) -> None:
        """Put an item behind the one before it, at the end where that is not known."""
        if name in self._next or name == _ROOT:
            return
        before = self._orders.get(previous or "", previous) if previous in self._next else self._tail
        self._next[name] = self._next[before or _ROOT]
        self._next[before or _ROOT] = name
        if before == self._tail:
            self._tail = name

    def _in_order(self) -> Iterator[str]:
        name = self._next[_ROOT]
        while name is not None:
            yield name
            name = self._next[name]
        yield from (each for each in self.items if each not in self._next)

    def _fill(self, kind: str, event: Event) -> None:
        name, index = self._named(event["item_id"]), number_of(event.get("content_index")) or 0
        self.items.setdefault(name, {})
        if kind in _FINAL and isinstance(event.get(_FINAL[kind]), str):
            self._final[name][index] = event[_FINAL[kind]]
        elif kind in _PARTIAL:
            self._partial[name].setdefault(index, []).append(text_of(event.get("delta")))
        elif kind == "response.function_call_arguments.done":
            told = {"type": "function_call", **{key: event.get(key) for key in ("name", "call_id", "arguments")}}
            self.items[name] |= {key: value for key, value in told.items() if value is not None}
        elif kind == "conversation.item.truncated":
            self._notes[name]["audio_end_ms"] = event.get("audio_end_ms")
        elif kind == "conversation.item.deleted":
            self._notes[name]["deleted"] = True
        elif kind.endswith("transcription.failed"):
            self._notes[name]["transcription"] = mapping(event.get("error")).get("message")

    def _answered(self, response: Mapping[str, Any], at: str | None) -> None:
        """Take in a finished response: its items, and its usage at the first of them."""
        output = [mapping(item) for item in listed(response.get("output")) if mapping(item).get("id")]
        for item in output:
            self._put(item, "response.done", None, at)
            self._place(self._named(item["id"]), None)
        if output and response.get("usage"):
            self._usage.setdefault(self._named(output[0]["id"]), response["usage"])
        status = text_of(response.get("status"))
        if output and status not in ("", "completed"):
            details = response.get("status_details")
            self._notes[self._named(output[-1]["id"])]["response"] = filled(status=status, details=details)

    def _made(self, name: str) -> Iterator[Message | Answer]:
        item = self.items[name]
        kind, at = text_of(item.get("type")), self.at.get(name)
        if kind == "mcp_list_tools":
            return
        if kind == "function_call_output":
            output = raw(item.get("output"))
            yield Answer(output or "", text_or_none(item.get("call_id")), at=at, extra=self._notes.get(name))
            return
        tokens = tokens_of(self._usage.get(name))
        extra = filled(
            self._notes.get(name, {}), status=None if item.get("status") == "completed" else item.get("status")
        )
        if kind.endswith("_call"):
            yield Message("agent", "", "", (self._call(name, item),), "assistant", None, at, *tokens, None, extra)
            return
        role = text_of(item.get("role")) or ("user" if not kind else "")
        text, pictures = self._text(name, item)
        said = Message(chat.ROLES.get(role, "other"), text, "", (), role or kind, None, at, *tokens, None, extra)
        yield replace(said, extra=filled(extra, blocks=pictures)) if pictures else said

    def _call(self, name: str, item: Mapping[str, Any]) -> ToolCall:
        given = item.get("arguments") or self._so_far(name, 0) or None
        error = item.get("error")
        failed = text_or_none(mapping(error).get("message") or error)
        id = text_or_none(first_of(item, "call_id", "id"))
        return ToolCall(
            text_of(item.get("name")), raw(given), raw(item.get("output")), failed, id, at=self.at.get(name)
        )

    def _text(self, name: str, item: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """An item's words, part by part: as they were said in the end, else as far as they were told."""
        content = item.get("content")
        if isinstance(content, str):
            return content, []
        parts = list(map(mapping, listed(content)))
        heard = {*self._final.get(name, ()), *self._partial.get(name, ())} if not parts else range(len(parts))
        texts: list[str] = []
        pictures: list[Any] = []
        for index in sorted(heard):
            part: Event = parts[index] if parts else {}
            kind = text_of(part.get("type"))
            said = self._final.get(name, {}).get(index) or part.get("transcript") or part.get("text")
            said = said or self._so_far(name, index)
            if not said and kind == "input_audio":
                said = "[input_audio]"
            elif not said and not kind.endswith(("audio", "text")) and part:
                shown = content_of([part])
                said, pictures = shown.text, [*pictures, *shown.other]
            texts.append(text_of(said))
        return "\n".join(text for text in texts if text), pictures

    def _so_far(self, name: str, index: int) -> str:
        return "".join(self._partial.get(name, {}).get(index, []))


def _told(item: Mapping[str, Any]) -> list[Any]:
    """Return what an item says, so that it is recognised under another id."""
    return [first_of(mapping(part), "text", "transcript", "image_url") for part in listed(item.get("content"))]
