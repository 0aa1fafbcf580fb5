"""Gemini's contents and parts -> chat items; a response's candidates -> the message that the model answered. Pure.

A part has no type: the key that it holds says what it is, in camel or in snake case. Adjoining texts of one answer are
one text, as they are one however many chunks a stream cut it into.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from reviewer.imports.messages.content import first_of, listed, mapping, number_of, raw, rest_of, text_of

Item = dict[str, Any]

KINDS = (
    *("functionCall", "functionResponse", "inlineData", "fileData", "executableCode", "codeExecutionResult"),
    *("toolCall", "toolResponse"),
)
_SNAKE = {"".join(f"_{c.lower()}" if c.isupper() else c for c in kind): kind for kind in KINDS}
_BESIDE = ("thought", "thoughtSignature", "thought_signature", "videoMetadata", "video_metadata", "partMetadata")
_MEDIA = ("inlineData", "fileData")
_READ = ("content", "finishReason", "finish_reason", "index", "safetyRatings", "safety_ratings", "avgLogprobs")
CODE = "code_execution"


def is_content(value: Any) -> bool:
    """True if a value is a content: a role, if any, and parts in Gemini's shape."""
    parts = mapping(value).get("parts")
    if isinstance(parts, Mapping):
        parts = [parts]
    return isinstance(parts, list) and bool(parts) and all(_is_part(part) for part in parts[:5])


def _is_part(part: Any) -> bool:
    keys = mapping(part).keys()
    return "type" not in keys and ("text" in keys or any(key in _SNAKE or key in KINDS for key in keys))


def item_of(content: Any, role: str = "user", joined: bool = False) -> Item:
    """A content as a message for the reader of chats; `joined` makes adjoining texts one."""
    told = mapping(content)
    parts = content if isinstance(content, str | list) else told.get("parts")
    made = parts_of(parts)
    return {"role": text_of(told.get("role")) or role, "content": _joined(made) if joined else made}


def parts_of(parts: Any) -> list[Item]:
    """Parts as the blocks that the reader of contents knows."""
    every = parts if isinstance(parts, list) else [parts]
    return [_block(part) for part in every if part is not None]


def _block(part: Any) -> Item:
    told = mapping(part)
    if not told:
        return {"type": "text", "text": text_of(part)}
    held = {_SNAKE.get(key, key): value for key, value in told.items() if value is not None}
    kind = next((key for key in KINDS if key in held), None)
    if kind is None:
        if "text" in held:
            return {"type": "text", "text": text_of(held["text"]), "thought": held.get("thought")}
        rest = {key: value for key, value in held.items() if key not in _BESIDE}
        return {**rest, "type": next(iter(rest))} if rest else {"type": "text", "text": ""}
    inner = mapping(held[kind])
    if kind in _MEDIA:
        named = first_of(inner, "displayName", "display_name", "fileUri", "file_uri")
        media = first_of(inner, "mimeType", "mime_type")
        return {"type": kind, "filename": named, "mime_type": media, "size": len(text_of(inner.get("data"))) or None}
    id, name = inner.get("id"), first_of(inner, "name", "toolType", "tool_type")
    if kind == "executableCode":
        return {"type": "function_call", "name": CODE, "arguments": text_of(inner.get("code")), "id": id}
    if kind in ("functionCall", "toolCall"):
        return {"type": "function_call", "name": name, "args": inner.get("args"), "id": id}
    answer: Any = inner.get("response")
    failed = isinstance(answer, Mapping) and answer.keys() == {"error"}
    if kind == "codeExecutionResult":
        name, answer = CODE, text_of(inner.get("output"))
        failed = inner.get("outcome") not in (None, "OUTCOME_OK", "OK")
    return {"type": "function_response", "name": name, "response": answer, "id": id, "is_error": failed}


def _joined(blocks: Iterable[Item]) -> list[Item]:
    """The blocks with adjoining texts as one, and adjoining thoughts."""
    made: list[Item] = []
    for (kind, thought), group in groupby(blocks, lambda block: (block["type"], bool(block.get("thought")))):
        same = list(group)
        if kind == "text":
            same = [{"type": "text", "text": "".join(block["text"] for block in same), "thought": thought}]
        made += same
    return made


def answer_in(response: Any) -> tuple[list[Item], Mapping[str, Any]]:
    """The candidates of a response as messages, the first of them the answer, and the response's other fields.

    A streamed response is a list of responses, each with the next piece.
    """
    chunks = [mapping(chunk) for chunk in (response if isinstance(response, list) else [response])]
    about: dict[str, Any] = {}
    pieces: dict[int, list[Any]] = {}
    told: dict[int, dict[str, Any]] = {}
    for chunk in chunks:
        about |= {key: value for key, value in chunk.items() if key != "candidates" and value is not None}
        for place, candidate in enumerate(map(mapping, listed(chunk.get("candidates")))):
            index = number_of(candidate.get("index"))
            index = place if index is None else index
            parts = mapping(candidate.get("content")).get("parts")
            pieces.setdefault(index, []).extend(parts if isinstance(parts, list) else [parts])
            told[index] = {**told.get(index, {}), **candidate}
    items = []
    for index in sorted(pieces):
        item = item_of({"parts": pieces[index]}, "model", joined=True)
        items.append({**item, **(rest_of(told[index], _READ) or {})})
    reason = first_of(told[min(told)], "finishReason", "finish_reason") if told else None
    return items, {**about, "finishReason": reason}


def answered(response: Any) -> str:
    """Return a function's answer; only its text, where the command line merely wrapped it in an object."""
    told = mapping(response)
    return text_of(next(iter(told.values()))) if told.keys() in ({"output"}, {"error"}) else raw(response) or ""


def tools_in(request: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The tools of a request: each function that it declares, and each that the provider runs by its name."""
    for tool in map(mapping, listed(request.get("tools"))):
        for key, value in tool.items():
            if key in ("functionDeclarations", "function_declarations"):
                yield from map(mapping, listed(value))
            elif value is not None:
                yield {"name": key, **mapping(value)}
