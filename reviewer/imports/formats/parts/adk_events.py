"""Google ADK events and invocations -> messages and results, in camel case and in snake case. Pure.

A part has one of many fields, the others null; a partial event is repeated by the whole one that follows it and counts
only where none does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from reviewer.imports.messages.content import (
    NO_TOKENS,
    Answer,
    Content,
    Tokens,
    answer_of,
    call_of,
    content_of,
    filled,
    listed,
    mapping,
    raw,
    rest_of,
    text_of,
    text_or_none,
    time_of,
    tokens_of,
)
from reviewer.transcripts.model import Json, Message, Role, ToolCall

_HUMP = re.compile(r"_([a-z])")
_RAN = "code_execution"
_SILENT = ("thought", "thoughtSignature", "thought_signature", "videoMetadata", "video_metadata")
_FILES = ("inlineData", "fileData", "inline_data", "file_data")
_READ = {
    *("id", "author", "content", "timestamp", "invocation_id", "invocationId", "usage_metadata", "usageMetadata"),
    *("partial", "model_version", "modelVersion", "actions", "options", "node_info", "nodeInfo", "is_greeting"),
    *("turn_complete", "turnComplete", "input_transcription", "inputTranscription", "output_transcription"),
    *("outputTranscription", "output", "function_calls", "final_response", "event_metadata", "eventMetadata", "name"),
}
_PLAIN_ENDS = ("STOP", "FINISH_REASON_STOP", "FinishReason.STOP")


def either(told: Mapping[str, Any], name: str) -> Any:
    """A field by its name in snake case, or in camel case."""
    value = told.get(name)
    return told.get(_camel(name)) if value is None else value


@lru_cache(1_000)
def _camel(name: str) -> str:
    return _HUMP.sub(lambda hump: hump[1].upper(), name)


def is_event(value: Any) -> bool:
    """True if a value is an event of a session."""
    told = mapping(value)
    if not isinstance(told.get("author"), str) or not isinstance(either(told, "invocation_id"), str):
        return False
    return any(key in told for key in ("content", "actions", "timestamp", "errorCode", "error_code"))


def said_in(content: Any) -> Content:
    """Read all of a content: its parts, code that ran as a call, other data by its kind and type."""
    contents = Content()
    for part in listed(mapping(content).get("parts")):
        if isinstance(part, dict):
            _take(part, contents)
        elif part is not None:
            contents.texts.append(text_of(part))
    return contents


def _take(part: Mapping[str, Any], contents: Content) -> None:
    if part.keys() == {"text"} and isinstance(part["text"], str):
        contents.texts.append(part["text"])
        return
    text, call, response = part.get("text"), either(part, "function_call"), either(part, "function_response")
    code, outcome = either(part, "executable_code"), either(part, "code_execution_result")
    if isinstance(call, dict):
        contents.calls.append(call_of(call))
    elif isinstance(response, dict):
        answer = answer_of(response)
        answer.error = text_or_none(mapping(response.get("response")).get("error")) or answer.error
        contents.answers.append(answer)
    elif code is not None:
        contents.calls.append(ToolCall(_RAN, raw(mapping(code).get("code"))))
    elif outcome is not None:
        failed = "OK" not in text_of(mapping(outcome).get("outcome") or "OK")
        output = text_of(mapping(outcome).get("output"))
        contents.answers.append(Answer(output, None, _RAN, (output or "error") if failed else None))
    elif isinstance(text, str) and not any(part.get(kind) for kind in _FILES):
        (contents.thoughts if part.get("thought") is True else contents.texts).append(text)
    else:
        _show(part, contents)


def _show(part: Mapping[str, Any], contents: Content) -> None:
    """Add a picture, a file, or a part of another kind, without its bytes."""
    told = {key: value for key, value in part.items() if value is not None}
    kind = next((key for key in (*_FILES, *told) if key in told), None)
    if kind is not None and kind not in _SILENT:
        shown = content_of([{"type": kind, "mime_type": either(mapping(told[kind]), "mime_type"), **told}])
        contents.texts += shown.texts
        contents.other += shown.other


@dataclass
class SessionEvents:
    """The events of one session as they go by: yields messages and results, keeps what else they say."""

    model: str = ""
    error: str | None = None
    """What went wrong at the last event that did."""
    failed: bool = False
    """Whether the last event was that one."""
    passed: int = 0
    """Events that say nothing: changes of state."""
    _partial: list[Mapping[str, Any]] = field(default_factory=list)

    def items(self, events: Iterable[Any]) -> Iterator[Message | Answer]:
        """Every event as messages and results, in order."""
        for event in events:
            if not isinstance(event, dict):
                raise TypeError("an event that is not an object")
            if _is_partial(event):
                self._partial += [event]
                continue
            if self._partial and (event.get("author") != self._partial[0].get("author") or not _speaks(event)):
                yield from self._unfinished()
            self._partial = []
            yield from self._event(event)
        yield from self._unfinished()

    def _event(self, told: Mapping[str, Any]) -> Iterator[Message | Answer]:
        self.model = self.model or text_of(either(told, "model_version"))
        contents = said_in(told.get("content"))
        author, at = text_of(told.get("author")), time_of(told.get("timestamp"))
        role: Role = "customer" if author == "user" else "agent"
        wrong = text_or_none(either(told, "error_message") or either(told, "error_code"))
        self.failed, self.error = wrong is not None, wrong or self.error
        heard = list(_heard(told, at))
        yield from heard
        if (
            (role == "customer" and told.get("content"))
            or contents.texts
            or contents.thoughts
            or contents.calls
            or wrong
        ):
            tokens = tokens_of(_counts(either(told, "usage_metadata")))
            yield _message(role, contents, author, at, tokens, _extra(told, contents))
        elif not contents.answers and not heard:
            yield from self._silent(told, at)
        for answer in contents.answers:
            answer.at = at
            yield answer

    def _silent(self, told: Mapping[str, Any], at: str | None) -> Iterator[Message]:
        """An event without a content: a summary of what was forgotten, a node's output, a change of state."""
        summary = said_in(either(mapping(either(mapping(told.get("actions")), "compaction")), "compacted_content")).text
        output = raw(told.get("output"))
        if summary or output:
            yield Message("other", summary or output or "", source_role="compaction" if summary else "output", at=at)
        else:
            self.passed += 1

    def _unfinished(self) -> Iterator[Message]:
        """Yield what was said in part, where the whole never came."""
        if self._partial:
            author = text_of(self._partial[0].get("author"))
            text = "".join(said_in(event.get("content")).text for event in self._partial)
            role: Role = "customer" if author == "user" else "agent"
            at = time_of(self._partial[0].get("timestamp"))
            if text:
                yield Message(role, text, source_role=author, at=at, extra={"partial": True})
        self._partial = []


def invocations(turns: Iterable[Any]) -> Iterator[Message | Answer]:
    """Yield each turn of an evaluation: the user's words, the calls with their results, the answer."""
    for turn in map(mapping, turns):
        at = time_of(either(turn, "creation_timestamp"))
        yield _message("customer", said_in(either(turn, "user_content")), "user", at)
        between = mapping(either(turn, "intermediate_data"))
        for event in map(mapping, listed(either(between, "invocation_events"))):
            yield from SessionEvents().items([event])
        uses = [{"functionCall": use} for use in listed(either(between, "tool_uses"))]
        if uses:
            yield _message("agent", said_in({"parts": uses}), "", None)
        yield from said_in({"parts": [{"functionResponse": it} for it in _listed(between, "tool_responses")]}).answers
        for said in listed(either(between, "intermediate_responses")):
            author, parts = said if isinstance(said, list) and len(said) == 2 else ("", [])
            yield _message("agent", said_in({"parts": parts}), text_of(author), None)
        final = either(turn, "final_response")
        if final is not None:
            yield _message("agent", said_in(final), "", None)


def _heard(told: Mapping[str, Any], at: str | None) -> Iterator[Message]:
    """Yield the transcripts of what was spoken."""
    asked, said = either(told, "input_transcription"), either(told, "output_transcription")
    if text_of(mapping(asked).get("text")):
        yield Message("customer", text_of(asked["text"]), source_role="user", at=at)
    if text_of(mapping(said).get("text")):
        yield Message("agent", text_of(said["text"]), source_role="model", at=at)


def _listed(told: Mapping[str, Any], name: str) -> list[Any]:
    return listed(either(told, name))


def called_in(turns: Iterable[Any]) -> Iterator[str]:
    """The calls of turns, as a case says what is expected."""
    for item in invocations(turns):
        if isinstance(item, Message):
            yield from (f"{call.name}({call.arguments or '{}'})" for call in item.calls)


def _message(
    role: Role, contents: Content, author: str, at: str | None, tokens: Tokens = NO_TOKENS, extra: Json | None = None
) -> Message:
    return Message(
        role,
        contents.text,
        contents.reasoning,
        tuple(contents.calls),
        "user" if role == "customer" else "model",
        author if role == "agent" and author else None,
        at,
        *tokens,
        extra=extra,
    )


def _speaks(told: Mapping[str, Any]) -> bool:
    contents = said_in(told.get("content"))
    return bool(contents.texts or contents.thoughts or contents.calls)


def _is_partial(told: Mapping[str, Any]) -> bool:
    places = (told, mapping(told.get("options")), mapping(either(told, "event_metadata")))
    return any(place.get("partial") is True for place in places)


def _extra(told: Mapping[str, Any], contents: Content) -> Json | None:
    """Return the rest of an event: its actions, why the model stopped, errors, small pictures."""
    actions = rest_of(mapping(told.get("actions")), ())
    end = either(told, "finish_reason")
    rest = rest_of(told, _READ | {"finish_reason", "finishReason"})
    return filled(rest, actions=actions, **contents.beside, finish=None if end in _PLAIN_ENDS else end)


def _counts(usage: Any) -> Any:
    """Gemini's counts under the names that they are known by."""
    return {_camel(str(key)): value for key, value in mapping(usage).items()}
