"""OpenAI Responses items -> messages and results; chat messages among them are read as such.

Each call is a message of its own, as the source has it; reasoning goes to the agent's message that follows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from reviewer.imports.messages import chat
from reviewer.imports.messages.content import Answer, answer_of, call_of, first_of, mapping, raw, thought_of
from reviewer.transcripts.model import Message, ToolCall

_HOSTED = ("action", "code", "queries", "input")
_RESULTS = ("output", "outputs", "results", "result")


def items_of(values: Iterable[Any]) -> Iterator[Message | Answer]:
    """Responses items as messages and results."""
    thought: list[str] = []
    for value in values:
        item = mapping(value)
        kind = item.get("type")
        if kind == "reasoning":
            whole, short = (thought_of(item.get(name)) for name in ("content", "summary"))
            thought += filter(None, (chat.thoughts(short, whole),))
        elif isinstance(kind, str) and kind.endswith("_call_output"):
            yield answer_of(item)
        elif kind == "tool_search_output":
            yield answer_of({**item, "output": raw(item.get("tools"))})
        else:
            for made in _messages(value, item, str(kind or "")):
                if thought and isinstance(made, Message):
                    if made.role == "agent":
                        made = replace(made, reasoning="\n".join((*thought, *filter(None, (made.reasoning,)))))
                    else:  # nothing came of it before somebody else spoke
                        yield Message("agent", reasoning="\n".join(thought), source_role="assistant")
                    thought.clear()
                yield made
    if thought:
        yield Message("agent", reasoning="\n".join(thought), source_role="assistant")


def _messages(value: Any, item: Mapping[str, Any], kind: str) -> Iterator[Message | Answer]:
    if kind.endswith("_call") and "role" not in item:
        call = _call(item, kind)
        yield Message("agent", calls=(call,), source_role="assistant", at=call.at)
        return
    rest = {key: part for key, part in item.items() if key not in ("type", "id", "status")}
    yield from chat.read_item(rest if item else value)


def _call(item: Mapping[str, Any], kind: str) -> ToolCall:
    """A call; one of a tool that the provider runs (a search, code, a computer) says its input and result itself."""
    call = call_of(item)
    made = raw(first_of(item, *_RESULTS)) if call.result is None else call.result
    given = raw(first_of(item, *_HOSTED)) if call.arguments is None else call.arguments
    return replace(call, name=call.name or kind, arguments=given, result=made)
