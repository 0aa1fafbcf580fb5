"""A stored past as a model takes it: texts, calls and their results, word by word; what the agent thought is not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser
from inspect_ai.tool import ToolCall, ToolCallError

from reviewer.benchmark.live import prompt_files
from reviewer.benchmark.live.desk_kit import DeskKit
from reviewer.transcripts.model import Message


def as_chat(past: Sequence[Message], context: str | None, played: DeskKit) -> Iterator[ChatMessage]:
    """The past, with the agent's prompt and the context of the case where the conversation itself holds no prompt."""
    if not any(message.role == "system" for message in past):
        yield ChatMessageSystem(content=prompt_files.for_agent(played))
        if context:
            yield ChatMessageSystem(content=context)
    for number, message in enumerate(past, start=1):
        if message.role == "system":
            yield ChatMessageSystem(content=message.text)
        elif message.role == "agent":
            yield from _of_agent(number, message)
        else:
            yield ChatMessageUser(content=message.text)


def _of_agent(number: int, message: Message) -> Iterator[ChatMessage]:
    calls = [(f"call_{number}_{index}", call) for index, call in enumerate(message.calls, start=1) if not call.orphan]
    made = [ToolCall(id=id, function=call.name, arguments=_arguments(call.arguments)) for id, call in calls]
    yield ChatMessageAssistant(content=message.text, tool_calls=made or None)
    for id, call in calls:
        error = ToolCallError("unknown", call.error) if call.error and call.result is None else None
        yield ChatMessageTool(content=call.result or "", tool_call_id=id, function=call.name, error=error)


def _arguments(raw: str | None) -> dict[str, Any]:
    try:
        told = json.loads(raw or "{}")
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
