"""The messages of a conversation that claude.ai exports -> messages, and which of them is whose answer. Pure.

Newer exports name the message before each; older ones only list them. A message has blocks, and beside them an older
text of the same, with attachments whose text the model read, and files of which only the name is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from reviewer.imports.messages import chat
from reviewer.imports.messages.content import filled, first_of, listed, mapping, rest_of, text_of, text_or_none
from reviewer.transcripts.model import Message

_UNSAID = ("token_budget", "flag")
"""Blocks that hold nothing said."""
_READ = {
    *("uuid", "text", "content", "sender", "index", "created_at", "updated_at", "files", "files_v2", "attachments"),
    *("parent_message_uuid", "chat_feedback"),
}


def parents_in(messages: Mapping[str, Mapping[str, Any]]) -> dict[str, str | None]:
    """The message before each, by the places of both: the one it names, else, where none names any, the one above."""
    places = {text_of(message.get("uuid")): place for place, message in messages.items() if message.get("uuid")}
    named = {place: places.get(text_of(message.get("parent_message_uuid"))) for place, message in messages.items()}
    if any(parent is not None for parent in named.values()):
        return named
    order = list(messages)
    return dict(zip(order, [None, *order], strict=False))


def last_in(messages: Mapping[str, Mapping[str, Any]], named: Any) -> str | None:
    """The place of the message on which the person ended: the one that is named, else the newest."""
    for place, message in messages.items():
        if named and message.get("uuid") == named:
            return place
    return max(messages, key=lambda place: (text_of(messages[place].get("created_at")), int(place)), default=None)


def said_in(messages: Iterable[Mapping[str, Any]]) -> tuple[Message, ...]:
    """The messages of a branch with their calls and results."""
    return chat.messages_of([_item(message) for message in messages])


def _item(message: Mapping[str, Any]) -> dict[str, Any]:
    content = listed(message.get("content"))
    blocks = [_block(mapping(block)) for block in content if mapping(block).get("type") not in _UNSAID]
    unsaid = [block for block in content if mapping(block).get("type") == "flag"]
    if not any(block.get("type") != "text" or block.get("text") for block in blocks) and message.get("text"):
        blocks = [{"type": "text", "text": text_of(message["text"])}]
    attached = [mapping(file) for file in listed(message.get("attachments"))]
    files = [mapping(file) for file in listed(first_of(message, "files", "files_v2"))]
    blocks += [{"type": "attachment", "filename": _name(file)} for file in attached]
    blocks += [{"type": "file", "filename": _name(file)} for file in files]
    kept = [rest_of(file, ()) for file in attached]
    item = {"role": text_of(message.get("sender")), "content": blocks, "timestamp": message.get("created_at")}
    more = filled(attachments=kept, files=[rest_of(file, ()) for file in files], flags=unsaid)
    rest = {key: value for key, value in message.items() if value is not False and key != "role"}
    return {**(rest_of({**rest, **(more or {})}, _READ - {"files", "attachments"}) or {}), **item}


def _name(file: Mapping[str, Any]) -> str | None:
    return text_or_none(first_of(file, "file_name", "file_uuid", "file_type"))


def _block(block: Mapping[str, Any]) -> dict[str, Any]:
    """A block; one of an unknown kind that has a text is that text."""
    if isinstance(block.get("text"), str):
        return {"type": "text", "text": block["text"], "citations": block.get("citations")}
    return dict(block)
