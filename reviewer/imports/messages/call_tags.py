"""Calls, results and tools that stand between tags in a text, as Hermes and those who follow it write them. Pure.

`<tool_call>` holds a name and arguments as JSON (or as Python prints them), `<tool_response>` a result, `<tools>` what
the agent was given. The texts stay as they are: what is found in them comes beside them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.basics.python_literals import literal
from reviewer.imports.messages.content import listed, mapping, raw
from reviewer.imports.messages.text_calls import FROM_TEXT
from reviewer.imports.source import unfolded
from reviewer.transcripts.model import Json, ToolCall

CALL, RESPONSE, TOOLS = "tool_call", "tool_response", "tools"
_ARGUMENTS = ("arguments", "parameters", "args", "kwargs", "input")


def between(text: str, tag: str) -> Iterator[str]:
    """The texts between each pair of these tags, in order."""
    opening, closing = f"<{tag}>", f"</{tag}>"
    at = text.find(opening)
    while at >= 0:
        end = text.find(closing, at)
        if end < 0:
            return
        # a tag that only names itself in a sentence is opened again before it is closed
        start = text.rfind(opening, at, end) + len(opening)
        yield text[start:end]
        at = text.find(opening, end)


def calls_in(text: str) -> tuple[ToolCall, ...]:
    """The calls between tags, where they parse."""
    if f"<{CALL}>" not in text:
        return ()
    return tuple(call for part in between(text, CALL) for call in calls_of(part, FROM_TEXT))


def calls_of(text: str, extra: Json | None = None) -> tuple[ToolCall, ...]:
    """The calls of a text that consists of calls only: an object, a list, or several one after another."""
    made = [_call(mapping(value), extra) for value in _values(text)]
    return tuple(call for call in made if call is not None) if all(made) else ()


def responses_in(text: str) -> list[str]:
    """The results of a text that consists of results only; a text without tags is one result."""
    opening = f"<{RESPONSE}>"
    if opening not in text:
        return [text]
    parts = list(between(text, RESPONSE))
    rest = len(text.split()) - sum(len(f"<{RESPONSE}>{part}</{RESPONSE}>".split()) for part in parts)
    return [part.strip("\n") for part in parts] if parts and rest <= 0 else [text]


def tools_in(text: str) -> tuple[Json, ...]:
    """The tools that a system prompt defines between tags."""
    parts = (part for part in between(text, TOOLS) if "{" in part)
    return next((made for part in parts if (made := tools_of(part))), ())


def tools_of(value: Any) -> tuple[Json, ...]:
    """Tool definitions as a list, as one in a string, or one a line."""
    told = unfolded(value.strip()) if isinstance(value, str) else value
    if isinstance(told, str):
        told = _values(told)
    return tuple(each for each in (told if isinstance(told, list) else [told]) if isinstance(each, dict))


def _call(told: Mapping[str, Any], extra: Json | None) -> ToolCall | None:
    told = mapping(told.get("function")) or told
    name = told.get("name")
    given = next((told[key] for key in _ARGUMENTS if key in told), None)
    if not isinstance(name, str) or not name:
        return None
    return ToolCall(name, raw(given), extra=extra)


def _values(text: str) -> list[Any]:
    """The JSON values of a text, one after another or in a list; as Python prints them where they are no JSON."""
    text = text.strip()
    if not text.startswith(("{", "[")):
        return []
    values: list[Any] = []
    read = json.JSONDecoder().raw_decode
    try:
        at = 0
        while at < len(text):
            value, at = read(text, at)
            values += value if isinstance(value, list) else [value]
            at += len(text[at : at + 100]) - len(text[at : at + 100].lstrip(", \n\r\t"))
    except (ValueError, RecursionError):
        return _literals(text)
    return values


def _literals(text: str) -> list[Any]:
    value = literal(text, [])
    try:
        json.dumps(value)
    except (ValueError, TypeError, RecursionError):
        return []
    return listed(value) if isinstance(value, list) else [value]
