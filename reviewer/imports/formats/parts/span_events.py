"""What older conventions and log-style exporters keep in a span's events -> the attributes that newer ones have. Pure.

A message is an event of its role, an answer a choice; contents and calls may be JSON in a string. A tool's span says
its arguments and its result in the same two ways.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from reviewer.imports.formats.parts.otlp import Span
from reviewer.imports.messages.content import listed, mapping, text_of
from reviewer.imports.source import unfolded

_TOLD = re.compile(r"gen_ai\.|llm\.|ai\.|openinference\.|gcp\.vertex\.agent\.|input\.value")
_EVENT_ROLES = {f"gen_ai.{role}.message": role for role in ("system", "user", "assistant", "tool")}
_BLOCKS = ("text", "type", "toolUse", "toolResult", "reasoningContent", "image", "document")


def taken_in(events: list[Span], given: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a span with what its events say."""
    asked: list[Any] = []
    answered: list[Any] = []
    for event in events:
        name, held, body = event["name"], event["attributes"], mapping(event["body"])
        if name in _EVENT_ROLES:
            asked.append(_message(_EVENT_ROLES[name], {**held, **body}))
        elif name == "gen_ai.choice":
            answered.append(_choice({**held, **body}))
        elif "input" in body or "output" in body:
            given = {**given, **_from_body(body)}
        else:
            given = {**{key: each for key, each in {**held, **body}.items() if _TOLD.match(key)}, **given}
    if given.get("gen_ai.operation.name") == "execute_tool":
        return {**_of_tool(asked, answered), **given}
    return {
        **given,
        **({"gen_ai.input.messages": asked} if asked else {}),
        **({"gen_ai.output.messages": answered} if answered else {}),
    }


def _message(role: str, told: Mapping[str, Any]) -> dict[str, Any]:
    message = {"role": role, **told, "content": _opened(told.get("content"))}
    if isinstance(told.get("tool_calls"), str):
        message["tool_calls"] = unfolded(told["tool_calls"])
    if role == "tool" and "id" in told:
        message["tool_call_id"] = told["id"]
    return message


def _choice(told: Mapping[str, Any]) -> dict[str, Any]:
    said = _opened(told.get("message"))
    if isinstance(said, str) and isinstance(unfolded(said), Mapping):
        said = unfolded(said)
    return _message(
        "assistant", said if isinstance(said, Mapping) else {**told, "content": said or told.get("content")}
    )


def _opened(value: Any) -> Any:
    """Blocks that were folded into a string; any other text as it is, JSON or not."""
    opened = unfolded(value)
    if isinstance(opened, list) and opened and all(any(key in mapping(each) for key in _BLOCKS) for each in opened):
        return opened
    return value


def _of_tool(asked: list[Any], answered: list[Any]) -> dict[str, Any]:
    told = {"gen_ai.tool.call.arguments": asked, "gen_ai.tool.call.result": answered}
    return {name: text_of(said[0].get("content")) for name, said in told.items() if said}


def _from_body(body: Mapping[str, Any]) -> dict[str, Any]:
    """A log-style body: its one output message tells by its shape whether a model, a tool or a wrapper spoke."""
    said = [mapping(each) for each in listed(mapping(body.get("output")).get("messages"))]
    made = unfolded(said[0].get("content")) if said else None
    asked = listed(mapping(body.get("input")).get("messages"))
    if isinstance(made, Mapping) and "generations" in made:
        return {"told_as": "generation", "told_input": asked, "told_output": made}
    if isinstance(made, Mapping) and made.get("type") == "tool":
        return {
            "told_as": "tool",
            "gen_ai.tool.name": made.get("name"),
            "told_output": made.get("content"),
            "told_input": mapping(asked[0] if asked else None).get("content"),
            "gen_ai.tool.call.id": made.get("tool_call_id"),
        }
    return {}
