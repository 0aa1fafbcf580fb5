"""Tool calls that an agent wrote as text: recovered where they parse, with the text left as it was.

Act and react prompts make the agent write `Action: {"name": ...}` and answer with `API output: ...` as the user's next
words; shell agents write a fenced block. Such a call is marked `from_text` and counted apart, and the answering message
stays a message as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from reviewer.ingest.source import compact
from reviewer.model import Message, ToolCall

FROM_TEXT = {"from_text": True}
OUTPUT = "API output: "
_TAGGED = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>", re.DOTALL)
_FENCE = re.compile(r"^```(?:bash|sh|shell|mswea_bash_command)[ \t]*\n(.*?)\n?^```", re.DOTALL | re.MULTILINE)
_SPEAKS = ("respond", "final")
"""Actions that are words to the customer and no tool."""


def recovered(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages with the calls of act and react agents beside their text."""
    return tuple(
        _with(message, _actions(message.text), _output(messages, index + 1)) if _wants(message) else message
        for index, message in enumerate(messages)
    )


def recovered_shell(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages with the fenced commands of a shell agent; what the next message says is the command's output."""
    return tuple(
        _with(message, _commands(message.text), messages[index + 1].text if index + 1 < len(messages) else None)
        if _wants(message)
        else message
        for index, message in enumerate(messages)
    )


def _wants(message: Message) -> bool:
    return message.role == "agent" and not message.calls and ("{" in message.text or "```" in message.text)


def _with(message: Message, calls: Iterable[tuple[str, Any]], result: str | None) -> Message:
    made = [ToolCall(name, compact(arguments), extra=FROM_TEXT) for name, arguments in calls]
    if made and result is not None:
        error = result if result.startswith("Error:") else None
        made[-1] = replace(made[-1], result=result, error=error)
    return replace(message, calls=tuple(made)) if made else message


def _output(messages: Sequence[Message], index: int) -> str | None:
    if index < len(messages) and messages[index].role == "customer":
        text = messages[index].text
        return text.removeprefix(OUTPUT) if text.startswith(OUTPUT) else None
    return None


def _actions(text: str) -> list[tuple[str, Any]]:
    tagged = _TAGGED.findall(text)
    written = tagged or [text.rpartition("Action:")[2]]
    return [action for action in map(_action, written) if action is not None]


def _action(text: str) -> tuple[str, Any] | None:
    text = text.strip()
    if not text.startswith("{"):
        return None
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    name = value.get("name")
    arguments = next((value[key] for key in ("arguments", "kwargs", "parameters") if key in value), None)
    if not isinstance(name, str) or not isinstance(arguments, dict) or name in _SPEAKS:
        return None
    return name, arguments


def _commands(text: str) -> list[tuple[str, Any]]:
    return [("bash", {"command": found}) for found in _FENCE.findall(text)[:1]]
