"""The events that `codex exec --json` prints -> Responses items. Pure.

An item is told when it starts, changes and ends; what counts is how it stood last, in the place where it began.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reviewer.imports.messages.content import first_of, mapping, raw, text_of

_ARGUMENTS = {
    "command_execution": "command",
    "file_change": "changes",
    "web_search": "query",
    "todo_list": "items",
    "mcp_tool_call": "arguments",
    "collab_tool_call": "prompt",
}
"""Kinds of items that are calls, and the field with what was called for."""


def items_in(records: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Each item as the Responses items it amounts to, and what else was told: `thread_id`, `usage`, `failed`."""
    waiting: dict[str, Mapping[str, Any]] = {}
    for record in records:
        kind, item = record.get("type"), mapping(record.get("item"))
        if kind == "thread.started":
            yield {"thread_id": record.get("thread_id")}
        elif kind in ("item.started", "item.updated"):
            waiting[text_of(item.get("id"))] = item
        elif kind == "item.completed":
            waiting.pop(text_of(item.get("id")), None)
            yield from _items(item)
        elif kind == "error":
            yield _error(record)
        elif kind in ("turn.failed", "turn.completed"):
            yield from _unended(waiting)
            failed = text_of(mapping(record.get("error")).get("message"))
            yield {"usage": record.get("usage")} if kind == "turn.completed" else {"failed": failed}
    yield from _unended(waiting)


def _unended(waiting: dict[str, Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for item in waiting.values():
        yield from _items(item)
    waiting.clear()


def _items(item: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    kind, text = str(item.get("type") or item.get("item_type") or ""), text_of(item.get("text"))
    if kind == "reasoning":
        yield {"type": "reasoning", "summary": [{"type": "summary_text", "text": text}]}
    elif kind in ("agent_message", "assistant_message"):
        yield {"type": "message", "role": "assistant", "content": text}
    elif kind in _ARGUMENTS:
        yield from _call(item, kind)
    elif kind == "error":
        yield _error(item)
    else:
        yield {"type": "message", "role": kind, "content": text_of(first_of(item, "text", "message")), "item": item}


def _error(told: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "message", "role": "system", "content": text_of(told.get("message")), "error": True}


def _call(item: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    name = ".".join(text_of(item[key]) for key in ("server", "tool") if item.get(key)) or kind
    arguments = raw(item.get(_ARGUMENTS[kind]))
    yield {"type": "function_call", "call_id": item.get("id"), "name": name, "arguments": arguments}
    result = first_of(item, "aggregated_output", "result", "error")
    if result is None and item.get("status") in (None, "in_progress"):
        return
    failed = item.get("status") == "failed" or bool(item.get("error"))
    if isinstance(result, Mapping) and isinstance(result.get("content"), list):
        result = text_of(result["content"])
    yield {
        "type": "function_call_output",
        "call_id": item.get("id"),
        "output": raw(result if result is not None else item.get("status")),
        "is_error": failed,
    }
