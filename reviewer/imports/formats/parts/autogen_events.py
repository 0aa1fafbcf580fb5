"""AutoGen messages from 0.4 on, a team's and a model's, -> messages and results. Pure.

A team's messages name their kind and their source; whoever gave the task, or is asked for input, is the customer. A
thought stands before the words or calls that came of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reviewer.imports.messages.content import (
    Answer,
    call_of,
    content_of,
    filled,
    first_of,
    listed,
    mapping,
    rest_of,
    text_of,
    text_or_none,
    time_of,
    tokens_of,
)
from reviewer.imports.source import compact
from reviewer.transcripts.model import Message, Role, ToolCall

_SAID = {
    *("TextMessage", "MultiModalMessage", "StopMessage", "HandoffMessage", "ToolCallSummaryMessage"),
    *("StructuredMessage", "ResetMessage"),
}
_CALLED = ("ToolCallRequestEvent", "ToolCallMessage")
_ANSWERED = ("ToolCallExecutionEvent", "ToolCallResultMessage", "FunctionExecutionResultMessage")
_PASSED = ("ModelClientStreamingChunkEvent", "SelectSpeakerEvent", "SelectorEvent", "UserInputRequestedEvent")
_OTHER = ("ThoughtEvent", "MemoryQueryEvent", "CodeGenerationEvent", "CodeExecutionEvent")
_MODELS = ("SystemMessage", "UserMessage", "AssistantMessage")
_KINDS = {*_SAID, *_CALLED, *_ANSWERED, *_PASSED, *_OTHER, *_MODELS}
_PEOPLE = ("user", "user_proxy", "userproxy", "human", "admin")
_CODE = "code_execution"
_READ = {
    *("id", "source", "models_usage", "created_at", "content", "type", "context", "tool_calls", "results", "thought"),
    *("finish_reason", "usage", "cached", "full_message_id", "format_string"),
}


def is_message(value: Any) -> bool:
    """True if a value is a message of a team or of a model, with its kind."""
    told = mapping(unwrapped(value))
    kind = told.get("type")
    if not isinstance(kind, str) or (kind not in _KINDS and not kind.startswith("StructuredMessage")):
        return False
    return "content" in told and ("source" in told or kind in _ANSWERED or kind == "SystemMessage")


def unwrapped(value: Any) -> Any:
    """A message out of the row that a studio keeps it in."""
    inner = mapping(value).get("config")
    return inner if isinstance(inner, dict) and "content" in inner and "source" in inner else value


@dataclass
class TeamMessages:
    """The messages of one run as they go by: yields ours, keeps what is no message."""

    people: set[str] = field(default_factory=lambda: set(_PEOPLE))
    """The sources that are the customer."""
    passed: Counter[str] = field(default_factory=Counter)
    _first: bool = True
    _thoughts: list[str] = field(default_factory=list)
    _thinker: str = ""

    def items(self, values: Iterable[Any]) -> Iterator[Message | Answer]:
        """Every message as messages and results, in order."""
        for value in values:
            told = unwrapped(value)
            if not isinstance(told, dict):
                raise TypeError("a message that is not an object")
            yield from self._message(told, text_of(told.get("type")))
        yield from self._left()

    def _message(self, told: Mapping[str, Any], kind: str) -> Iterator[Message | Answer]:
        source, content = text_of(told.get("source")), told.get("content")
        if self._first and source and kind not in _MODELS:
            self.people.add(source)
        self._first = self._first and kind == "SystemMessage"
        if kind in _PASSED:
            self.passed[kind] += 1
            if kind == "UserInputRequestedEvent":
                self.people.add(source)
        elif kind == "ThoughtEvent":
            if source != self._thinker:
                yield from self._left()
            self._thoughts, self._thinker = [*self._thoughts, text_of(content)], source
        elif kind in _ANSWERED:
            yield from (_answer(mapping(each), told) for each in listed(content))
        elif kind == "CodeExecutionEvent":
            result = mapping(first_of(told, "result"))
            code = result.get("exit_code")
            output = text_of(result.get("output"))
            yield Answer(output, None, _CODE, (output or "error") if code else None, extra=filled(exit_code=code))
        else:
            if self._thoughts and source != self._thinker:
                yield from self._left()
            yield self._spoken(told, kind, source)

    def _spoken(self, told: Mapping[str, Any], kind: str, source: str) -> Message:
        content = told.get("content")
        calls = _calls(told, kind)
        shown = content_of([_block(block) for block in content] if isinstance(content, list) and not calls else [])
        text = shown.text if isinstance(content, list) else text_of(content)
        thoughts = [*self._thoughts, text_of(told.get("thought"))]
        tokens = tokens_of(told.get("models_usage"))
        self._thoughts = []
        role = self._role(kind, source)
        return Message(
            role,
            text,
            "\n".join(thought for thought in thoughts if thought),
            calls,
            kind,
            source if role != "customer" and source else None,
            time_of(told.get("created_at")),
            *tokens,
            extra=filled(rest_of(told, _READ), **shown.beside),
        )

    def _role(self, kind: str, source: str) -> Role:
        if kind == "SystemMessage":
            return "system"
        if kind == "MemoryQueryEvent":
            return "other"
        if kind == "AssistantMessage":
            return "agent"
        if kind == "UserMessage":  # what another agent said comes to a model as a user's message
            return "customer" if source.lower() in self.people or not source else "other"
        return "customer" if source in self.people or source.lower() in _PEOPLE else "agent"

    def _left(self) -> Iterator[Message]:
        """A thought that nothing came of."""
        if self._thoughts:
            yield Message("agent", reasoning="\n".join(self._thoughts), source_role="ThoughtEvent", name=self._thinker)
        self._thoughts = []


def _calls(told: Mapping[str, Any], kind: str) -> tuple[ToolCall, ...]:
    content = told.get("content")
    if kind == "CodeGenerationEvent":
        blocks = [mapping(block) for block in listed(told.get("code_blocks"))]
        return tuple(ToolCall(_CODE, compact(block)) for block in blocks)
    if kind in _CALLED or (kind == "AssistantMessage" and isinstance(content, list)):
        return tuple(replace(call_of(mapping(call)), result=None) for call in listed(content))
    return ()


def _answer(told: Mapping[str, Any], around: Mapping[str, Any]) -> Answer:
    result = text_of(told.get("content"))
    failed = (result or "error") if told.get("is_error") is True else None
    at = time_of(around.get("created_at"))
    return Answer(result, text_or_none(told.get("call_id")), text_or_none(told.get("name")), failed, at)


def _block(block: Any) -> Any:
    """A piece of what was said: text, what a memory held, or a picture, whose bytes stay out of the text."""
    told = mapping(block)
    if "data" in told:
        return {"type": "image", **told}
    return {"type": "text", "text": text_of(told["content"])} if "content" in told and "type" not in told else block
