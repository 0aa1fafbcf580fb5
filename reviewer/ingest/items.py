"""OpenAI Responses items -> messages and results; chat messages among them are read as such.

Each call is a message of its own, as the source has it; reasoning goes to the agent's message that follows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from reviewer.ingest import chat
from reviewer.ingest.content import Answer, answer_of, call_of, content_of, first_of, mapping
from reviewer.model import Message

_ANSWERS = ("function_call_output", "custom_tool_call_output", "computer_call_output", "local_shell_call_output")
_CALLS = ("function_call", "custom_tool_call", "computer_call", "web_search_call", "file_search_call", "mcp_call")


def items_of(values: Iterable[Any]) -> Iterator[Message | Answer]:
    """Responses items as messages and results."""
    thought: list[str] = []
    for value in values:
        item = mapping(value)
        kind = item.get("type")
        if kind == "reasoning":
            found = content_of(first_of(item, "summary", "content") or [])
            thought.append(found.text or found.reasoning)
        elif kind in _ANSWERS:
            yield answer_of(item)
        else:
            for made in _messages(value, item, str(kind or "")):
                spoken = isinstance(made, Message) and made.role == "agent"
                if spoken and thought and isinstance(made, Message):
                    made = replace(made, reasoning="\n".join((*thought, made.reasoning)).strip("\n"))
                    thought.clear()
                yield made
    if any(thought):
        yield Message("agent", reasoning="\n".join(thought), source_role="assistant")


def _messages(value: Any, item: Mapping[str, Any], kind: str) -> Iterator[Message | Answer]:
    if kind in _CALLS and "role" not in item:
        call = call_of(item)
        yield Message("agent", calls=(replace(call, name=call.name or kind),), source_role="assistant")
        return
    rest = {key: part for key, part in item.items() if key not in ("type", "id", "status")}
    yield from chat.read_item(rest if item else value)
