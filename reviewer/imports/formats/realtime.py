"""OpenAI Realtime: the events of spoken conversations, a line each, a list, or in whatever envelope a log puts them.

The server's events make the conversation, the client's fill in what it sent. A session is one conversation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from reviewer.imports.formats import SURPRISES, kept, told
from reviewer.imports.formats.parts.live_items import Event, LiveItems
from reviewer.imports.formats.parts.record_groups import RecordGroups
from reviewer.imports.messages.content import (
    filled,
    first_of,
    listed,
    mapping,
    text_of,
    text_or_none,
    time_of,
    tokens_of,
)
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source, unfolded
from reviewer.transcripts.model import Conversation, Json, Message, Run, Usage

NAME = "realtime"
TITLE = "OpenAI Realtime events"

_LISTS = ("events", "log", "messages")
_ENVELOPES = ("event", "data", "message", "payload", "body")
_TIMES = ("timestamp", "time", "ts", "at", "created_at", "received_at", "datetime")
_KINDS = ("session.", "conversation.", "response.", "input_audio_buffer.", "output_audio_buffer.", "rate_limits.")
_OWN = ("input_audio_buffer.", "conversation.item.", "response.audio_transcript.", "response.output_audio")
_SILENT = ("response.audio.delta", "response.output_audio.delta", "input_audio_buffer.append", "rate_limits.updated")
"""Events of sound and of limits, of which nothing is read."""
_SETTINGS = (
    "modalities",
    "output_modalities",
    "voice",
    "temperature",
    "turn_detection",
    "tool_choice",
    "speed",
    "audio",
)


def mine(source: Source) -> bool:
    """True if one of the first events is of a kind that only this service sends."""
    if not any(True for _ in _events(source.glance)):
        return False
    first = (event for _, record in islice(source.records(), 50) for event, _ in islice(_events(record), 50))
    return any(_is_own(event) for event in first)


def read(source: Source) -> Iterator[Item]:
    """The file's conversations, a session each."""
    silent, session = 0, "the file"
    with RecordGroups(source) as sessions:
        for position, record in source.records():
            if isinstance(record, BadRecord):
                yield record
                continue
            events = list(_events(record))
            if not events:
                yield BadRecord(position, "no event of this service", kept(record))
            for event, at in events:
                if event.get("type") == "session.created":
                    named = text_or_none(mapping(event.get("session")).get("id"))
                    session = f"session {named}" if named else position
                silent += event.get("type") in _SILENT
                if event.get("type") not in _SILENT and not sessions.put(session, [event, at]):
                    yield BadRecord(position, "nested too deeply to read")
        for key, held in sessions.groups():
            try:
                extract = _conversation(key, held)
            except SURPRISES as error:
                yield BadRecord(key, f"not shaped as this format is ({told(error)})", kept(held))
                continue
            yield Remark(f"{key}: nothing was said in it") if extract is None else extract
    if silent:
        yield Remark(f"{silent} events of sound and of rate limits are passed over")


def _events(record: Any) -> Iterator[tuple[Event, str | None]]:
    """The events of a record with their times: itself, in its envelope, or those it lists."""
    held = mapping(record)
    if _is_event(held):
        yield held, _time(held)
        return
    for name in _ENVELOPES:
        inner = mapping(unfolded(held.get(name)))
        if _is_event(inner):
            yield inner, _time(held) or _time(inner)
            return
    for name in _LISTS:
        for each in listed(held.get(name)):
            yield from _events(each) if not mapping(each).keys() & set(_LISTS) else ()


def _is_event(value: Event) -> bool:
    kind = value.get("type")
    return isinstance(kind, str) and (kind.startswith(_KINDS) or (kind == "error" and "error" in value))


def _is_own(event: Event) -> bool:
    """True if only this service sends such an event: the Responses API has some of the same names."""
    kind = text_of(event.get("type"))
    if kind.startswith("session."):
        return isinstance(event.get("session"), Mapping)
    if kind == "response.done":
        return isinstance(event.get("response"), Mapping)
    return kind.startswith(_OWN) and ("item" in event or "item_id" in event or "audio" in event)


def _time(value: Event) -> str | None:
    return time_of(first_of(value, *_TIMES))


@dataclass
class _SessionRecord:
    """Collects what the events of one session contain."""

    items: LiveItems = field(default_factory=LiveItems)
    session: dict[str, Any] = field(default_factory=dict)
    orders: str = ""
    """The instructions it began with."""
    current: str = ""
    errors: list[Any] = field(default_factory=list)
    spent: list[Any] = field(default_factory=list)
    times: list[str] = field(default_factory=list)
    failed: str | None = None

    def take(self, event: Event, at: str | None) -> None:
        """Take in one event."""
        self.times += [at] if at else []
        if event.get("type") == "error":
            self.errors.append(event["error"])
        elif isinstance(event.get("session"), Mapping):
            self.session.update({key: value for key, value in event["session"].items() if value is not None})
            given = text_of(self.session.get("instructions"))
            if self.items.placed and given != self.current:
                self.items.instruct(given, at)
            self.orders, self.current = self.orders if self.items.placed else given, given
        else:
            self.items.take(event, at)
        if event.get("type") == "response.done":
            response = mapping(event.get("response"))
            self.spent.append(response.get("usage"))
            self.failed = _failure(response)


def _conversation(key: str, held: list[Any]) -> Extract | None:
    """One session, from its events."""
    heard = _SessionRecord()
    for pair in held:
        heard.take(mapping(pair[0]), pair[1])
    said, session, times = heard.items.messages(), heard.session, heard.times
    if not said:
        return None
    began, ended = (times[0], times[-1]) if times else (None, None)
    system = [Message("system", heard.orders, source_role="system", at=began)] if heard.orders else []
    return Extract(
        key,
        Conversation(
            text_of(session.get("model")),
            (*system, *said),
            id=text_or_none(session.get("id")),
            started=began,
            ended=ended,
            ended_by="error" if heard.failed else None,
            error=heard.failed,
            meta=filled(voice=_voice(session)),
            extra=filled(errors=heard.errors),
            usage=_usage(heard.spent),
        ),
        run=_run(session, heard.orders),
    )


def _failure(response: Mapping[str, Any]) -> str | None:
    """The error of a response; None if it did not fail."""
    error = mapping(mapping(response.get("status_details")).get("error"))
    return text_of(error.get("message") or error.get("code")) or "error" if response.get("status") == "failed" else None


def _voice(session: Mapping[str, Any]) -> str | None:
    return text_or_none(session.get("voice") or mapping(mapping(session.get("audio")).get("output")).get("voice"))


def _usage(spent: list[Any]) -> Usage | None:
    """The usage of all responses that state it."""
    counted = [tokens_of(usage) for usage in spent if mapping(usage)]
    if not counted:
        return None
    read, written, _, cached = (sum(each[n] or 0 for each in counted) for n in range(4))
    return Usage(read, written, tokens_cached=cached)


def _run(session: Mapping[str, Any], orders: str) -> Run:
    """The instructions, tools and settings of a session."""
    tools: tuple[Json, ...] = tuple(tool for tool in listed(session.get("tools")) if isinstance(tool, Mapping))
    settings = filled(**{name: session.get(name) for name in _SETTINGS})
    return Run("", None, prompt=orders or None, tools=tools, extra=settings)
