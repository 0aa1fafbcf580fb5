"""A prompt that Google's AI Studio saves: chunks of one text each, thoughts apart from the answer they led to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reviewer.imports.formats.parts.gemini_parts import parts_of
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    filled,
    listed,
    mapping,
    number_of,
    rest_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.imports.source import Extract
from reviewer.transcripts.model import Conversation, Run

_READ = ("chunkedPrompt", "runSettings", "systemInstruction", "id", "title", "createTime", "updateTime")
_CHUNK = ("text", "role", "parts", "tokenCount", "isThought", "thoughtSignatures", "finishReason", "createTime")


def is_saved(record: Mapping[str, Any]) -> bool:
    """True if a record is a saved prompt."""
    return isinstance(mapping(record.get("chunkedPrompt")).get("chunks"), list)


def extract(position: str, record: Mapping[str, Any]) -> Extract:
    """The conversation of a saved prompt."""
    settings = mapping(record.get("runSettings"))
    told = mapping(record.get("systemInstruction"))
    system = text_or_none(told.get("text")) or parts_of(told.get("parts"))
    said = [{"role": "system", "content": system}] if system else []
    chunks = map(mapping, listed(mapping(record.get("chunkedPrompt")).get("chunks")))
    return Extract(
        position,
        Conversation(
            text_of(settings.get("model")).rpartition("/")[2],
            chat.messages_of([*said, *_items(chunks)]),
            id=text_or_none(record.get("id")),
            started=time_of(record.get("createTime")),
            ended=time_of(record.get("updateTime")),
            meta=filled(title=record.get("title")),
            extra=rest_of(record, _READ),
        ),
        run=Run("", None, harness="ai-studio", extra=filled(**settings)),
    )


def _items(chunks: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Chunks as messages; thoughts go to the message behind them, with their tokens."""
    thoughts: list[Any] = []
    spent = 0
    for chunk in chunks:
        count = number_of(chunk.get("tokenCount"))
        held = {key: value for key, value in chunk.items() if key not in _CHUNK}
        parts = [part for part in ({"text": chunk["text"]} if chunk.get("text") else None, held or None) if part]
        if chunk.get("isThought") is True:
            thoughts += parts_of([{**part, "thought": True} for part in parts])
            spent += count or 0
            continue
        role = text_of(chunk.get("role")) or "user"
        item = {"role": role, "content": [*thoughts, *parts_of(parts)], "timestamp": chunk.get("createTime")}
        if role == "model" and count is not None:
            item["usage"] = {"output_tokens": count + spent, "reasoning_tokens": spent}
        if chunk.get("finishReason") not in (None, "STOP"):
            item["finish_reason"] = chunk["finishReason"]
        yield item
        thoughts, spent = [], 0
    if thoughts:
        yield {"role": "model", "content": thoughts}
