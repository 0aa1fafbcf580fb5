"""A chat that Gemini's command line keeps: its messages, with calls and their results, thoughts and tokens.

Older versions keep one JSON value; newer ones write lines: what is known of the session, a message (again under its id
when it has changed), fields that changed, and the message from which on all was taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reviewer.imports.formats.parts.gemini_parts import answered, parts_of
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    Answer,
    content_of,
    filled,
    listed,
    mapping,
    number_of,
    raw,
    rest_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.imports.source import Extract
from reviewer.transcripts.model import Conversation, Message, Role, Run, ToolCall

_ROLES: dict[str, Role] = {"user": "customer", "gemini": "agent"}
_NOTES = ("info", "error", "warning")
_READ = ("sessionId", "projectHash", "startTime", "lastUpdated", "messages", "summary", "kind")
_MESSAGE = ("id", "timestamp", "type", "content", "displayContent", "toolCalls", "thoughts", "tokens", "model")


def is_chat(record: Mapping[str, Any]) -> bool:
    """True if a record is a chat, or the first line of one."""
    if not isinstance(record.get("sessionId"), str):
        return False
    if "messages" not in record:
        return "projectHash" in record and "type" not in record
    first = [mapping(message).get("type") for message in listed(record["messages"])[:5]]
    return "projectHash" in record or any(kind in _ROLES for kind in first)


def is_prompt(record: Mapping[str, Any]) -> bool:
    """True for a line of the list of prompts that the command line keeps beside its chats."""
    return {"sessionId", "messageId", "message", "type"} <= record.keys() and record["type"] == "user"


@dataclass
class Log:
    """The lines of a chat, put together."""

    about: dict[str, Any] = field(default_factory=dict)
    messages: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    undone: int = 0
    """How many messages were taken back."""

    def take(self, line: Mapping[str, Any]) -> None:
        """Take in one line."""
        if "$rewindTo" in line:
            self._rewind(text_of(line["$rewindTo"]))
        elif "$set" in line:
            self._change(mapping(line["$set"]))
        elif isinstance(line.get("id"), str) and "type" in line:
            self.messages[line["id"]] = line
        else:
            self._change(line)

    def record(self) -> dict[str, Any]:
        """The chat as older versions keep it."""
        return {**self.about, "messages": list(self.messages.values())}

    def _change(self, told: Mapping[str, Any]) -> None:
        for message in map(mapping, listed(told.get("messages"))):
            # what a shortened history lacks or hides was said all the same
            self.messages.setdefault(text_of(message.get("id")), message)
        self.about |= {key: value for key, value in told.items() if key != "messages"}

    def _rewind(self, id: str) -> None:
        """Take back a message with all behind it; all of them when it is not known."""
        while self.messages:
            last, _ = self.messages.popitem()
            self.undone += 1
            if last == id:
                return


def extract(position: str, undone: int, record: Mapping[str, Any]) -> Extract:
    """The conversation of a chat."""
    messages = [mapping(message) for message in listed(record.get("messages"))]
    models = dict.fromkeys(text_of(message["model"]) for message in messages if message.get("model"))
    return Extract(
        position,
        Conversation(
            next(iter(models), ""),
            chat.tied(_said(messages)),
            id=text_or_none(record.get("sessionId")),
            started=time_of(record.get("startTime")),
            ended=time_of(record.get("lastUpdated")),
            meta=filled(
                title=record.get("summary"),
                project=record.get("projectHash"),
                subagent=True if record.get("kind") == "subagent" else None,
                models=", ".join(models) if len(models) > 1 else None,
            ),
            extra=filled(rest_of(record, _READ), rewound=undone or None),
        ),
        run=Run("", None, harness="gemini-cli"),
    )


def _said(messages: Iterable[Mapping[str, Any]]) -> Iterator[Message | Answer]:
    known: set[str] = set()
    for message in messages:
        calls = [_call(mapping(call)) for call in listed(message.get("toolCalls"))]
        known.update(call.id for call in calls if call.id)
        kind = text_of(message.get("type"))
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else parts_of(content)
        item = {"role": kind, "content": blocks, "timestamp": message.get("timestamp")}
        for made in chat.read_item(item):
            if isinstance(made, Message):
                yield _message(made, message, kind, calls)
            elif made.id not in known:  # the call holds its result
                yield made


def _message(made: Message, message: Mapping[str, Any], kind: str, calls: list[ToolCall]) -> Message:
    tokens = mapping(message.get("tokens"))
    read, written, thought = (number_of(tokens.get(key)) for key in ("input", "output", "thoughts"))
    thoughts = "\n".join(_thought(mapping(each)) for each in listed(message.get("thoughts")))
    said = {call.id for call in calls}
    return replace(
        made,
        role=_ROLES.get(kind, "system" if kind in _NOTES else "other"),
        reasoning="\n".join(part for part in (thoughts, made.reasoning) if part),
        calls=(*calls, *(call for call in made.calls if call.id is None or call.id not in said)),
        tokens_in=None if read is None else read + (number_of(tokens.get("tool")) or 0),
        tokens_out=None if written is None else written + (thought or 0),
        tokens_reasoning=thought,
        tokens_cached=number_of(tokens.get("cached")),
        extra=filled(made.extra, rest_of(message, _MESSAGE)),
    )


def _thought(told: Mapping[str, Any]) -> str:
    return "\n".join(text_of(told[key]) for key in ("subject", "description") if told.get(key))


def _call(call: Mapping[str, Any]) -> ToolCall:
    """A call with its result: the responses of the function, and what came beside them."""
    told, status = call.get("result"), text_or_none(call.get("status"))
    parts = [mapping(part) for part in listed(told)]
    responses = [mapping(part["functionResponse"]).get("response") for part in parts if "functionResponse" in part]
    others = parts_of([part for part in parts if "functionResponse" not in part])
    beside = content_of(others, named=True).text
    result = "\n".join(text for text in (*map(answered, responses), beside) if text)
    error = next((text_of(mapping(each)["error"]) for each in responses if mapping(each).get("error")), None)
    if error is None and status in ("error", "cancelled"):
        error = status
    return ToolCall(
        text_of(call.get("name")),
        raw(call.get("args")),
        result if isinstance(told, list) else raw(told),
        error,
        text_or_none(call.get("id")),
        at=time_of(call.get("timestamp")),
        extra=filled(status=status if status != "success" else None, agent=call.get("agentId")),
    )
