"""Tool calls that an agent wrote as text: recovered where they parse, with the text left as it was.

Act and react prompts make the agent write `Action: {"name": ...}` and answer with `API output: ...` as the user's next
words; shell agents write a fenced block. Such a call is marked `from_text` and counted apart, and the answering message
stays a message as well.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from reviewer.imports.source import compact
from reviewer.transcripts.model import Message, ToolCall

FROM_TEXT = {"from_text": True}
OUTPUT = "API output: "
_OPENS, _CLOSES = "<tool_call>", "</tool_call>"
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
    """True if an agent wrote what may be a call and the log has no call of that message."""
    written = message.role == "agent" and ("{" in message.text or "```" in message.text)
    return written and all(call.orphan for call in message.calls)


def _with(message: Message, calls: Iterable[tuple[str, Any]], result: str | None) -> Message:
    made = [ToolCall(name, compact(arguments), extra=FROM_TEXT) for name, arguments in calls]
    if not made:
        return message
    alone = _tied(made, message.calls)
    if result is not None and made[-1].result is None:
        error = result if result.startswith("Error:") else None
        made[-1] = replace(made[-1], result=result, error=error)
    return replace(message, calls=(*made, *alone))


def _tied(made: list[ToolCall], orphans: Sequence[ToolCall]) -> list[ToolCall]:
    """Give the results that had no call to the calls written in the text, in order; the rest of the results."""
    waiting = deque(range(len(made)))
    alone: list[ToolCall] = []
    for orphan in orphans:
        if not waiting or orphan.name not in ("", made[waiting[0]].name):
            alone.append(orphan)
            continue
        index = waiting.popleft()
        extra = {**FROM_TEXT, **(orphan.extra or {}), **({"result_at": orphan.at} if orphan.at else {})}
        made[index] = replace(made[index], result=orphan.result, error=orphan.error, id=orphan.id, extra=extra)
    return alone


def _output(messages: Sequence[Message], index: int) -> str | None:
    if index < len(messages) and messages[index].role == "customer":
        text = messages[index].text
        return text.removeprefix(OUTPUT) if text.startswith(OUTPUT) else None
    return None


def _actions(text: str) -> list[tuple[str, Any]]:
    parts = [part.partition(_CLOSES) for part in text.split(_OPENS)[1:]]
    bodies = [body.strip() for body, closed, _ in parts if closed]
    tagged = [body for body in bodies if body.startswith("{") and body.endswith("}")]
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
    return [("bash", {"command": command}) for command in _FENCE.findall(text)[:1]]
