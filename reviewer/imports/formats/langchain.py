"""LangChain and LangGraph: lists of messages, threads and their states, stored histories, an agent's steps.

A record has messages in one of LangChain's shapes under `messages`, in its state, or is itself the list or one of them.
States of one thread repeat what came before: together they are one conversation, and what the graph later took out of
its state stays in it. States that name no thread are one where one follows the other and holds all its messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.formats.parts import langchain_messages
from reviewer.imports.formats.parts.record_groups import RecordGroups
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    filled,
    first_of,
    listed,
    mapping,
    raw,
    rest_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.imports.source import Extract, Item, Remark, Source, unfolded
from reviewer.transcripts.model import Conversation, Json

NAME = "langchain"
TITLE = "LangChain and LangGraph messages"

_PLACES = ("values", "channel_values", "checkpoint", "state", "data", "output", "outputs", "result")
_LISTS = ("messages", "chat_history", "history", "History", "conversation", "output")
_THREADS = ("thread_id", "session_id", "SessionId", "conversation_id")
_READ = frozenset(
    (
        *(*_THREADS, "config", "parent_config", "checkpoint_id", "parent_checkpoint", "parent_checkpoint_id"),
        *("metadata", "created_at", "updated_at", "started", "message", "id", "model", "error"),
    )
)


@dataclass(frozen=True, slots=True)
class _State:
    """The state of a thread that one record holds."""

    at: str
    record: Mapping[str, Any]
    messages: list[Any]


def mine(source: Source) -> bool:
    """True if a record holds messages in LangChain's shapes, is one, or lists an agent's steps."""
    record = source.record
    if not record and source.head.lstrip()[:1] == b"[":
        first = next((value for _, value in source.records()), None)
        return langchain_messages.is_list(first)
    if langchain_messages.is_message(record):
        return langchain_messages.is_list([value for _, value in islice(source.records(), 5)])
    return _messages(record) is not None or _steps(record) is not None


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a thread each, else a record; bare messages are one, the file."""
    bare = langchain_messages.is_message(source.record)
    waiting: list[tuple[str, Any]] = []
    """The last record of no thread: the next may be a later state of the same."""
    with RecordGroups(source) as threads:
        for position, record in source.records():
            several = isinstance(record, list) and all(isinstance(each, Mapping) for each in record)
            held = {"messages": record} if several else record
            key = "the file" if bare and langchain_messages.is_message(held) else _thread(held)
            if key is not None and threads.put(key, held):
                continue
            if waiting and not several and (more := _further(waiting[-1][1], held)) is not None:
                waiting = [(position, held)] if more else waiting
                continue
            yield from _each(waiting)
            waiting = [(position, held)]
        yield from _each(waiting)
        for key, records in threads.groups():
            yield from _together("the document" if key == "the file" and not source.is_lines else key, records)


def _each(records: list[tuple[str, Any]]) -> Iterator[Item]:
    for position, record in records:
        yield from each(position, record, partial(_extract, position))


def _further(known: Any, record: Any) -> bool | None:
    """True if a record holds all messages of a known one, False if only the known one holds all of its; else None."""
    if mapping(known).get("id") != mapping(record).get("id"):
        return None
    before, after = _messages(known) or [], _messages(record) or []
    shorter = min(len(before), len(after))
    if not shorter or _message_id(before[0]) != _message_id(after[0]):
        return None
    ids = [_message_id(message) for message in before[:shorter]]
    same = all(ids) and ids == [_message_id(message) for message in after[:shorter]]
    return len(after) >= len(before) if same else None


def _together(key: str, records: list[Any]) -> Iterator[Item]:
    """The conversation of one thread, or of bare messages."""
    if all(langchain_messages.is_message(record) for record in records):
        yield from each(key, {"messages": records}, partial(_extract, key))
        return
    states = [_State(_time(record) or "", record, _messages(record) or []) for record in records]
    states.sort(key=lambda state: state.at)
    trunk = _trunk(states)
    if len(trunk) < len(states):
        yield Remark(f"{key}: {len(states) - len(trunk)} states of branches that were given up are passed over")
    messages: list[Any] = []
    for state in trunk:
        messages = _joined(messages, state.messages)
    last = {**_with(trunk[-1].record, messages), "started": trunk[0].at if len(trunk) > 1 else None}
    yield from each(key, last, partial(_extract, key))


def _thread(record: Any) -> str | None:
    """The thread that a record is a part of, with the part of the graph where that is not the whole."""
    told = mapping(record)
    place = mapping(told.get("checkpoint")) or mapping(mapping(told.get("config")).get("configurable"))
    thread = _id(told)
    within = first_of(place, "checkpoint_ns")
    return None if thread is None else f"thread {thread} {within}" if within else f"thread {thread}"


def _id(told: Mapping[str, Any]) -> str | None:
    """The thread's own id."""
    places = (
        told,
        mapping(told.get("checkpoint")),
        mapping(mapping(told.get("config")).get("configurable")),
        mapping(told.get("metadata")),
    )
    return next((text_of(place[name]) for place in places for name in _THREADS if place.get(name)), None)


def _time(told: Mapping[str, Any]) -> str | None:
    return time_of(first_of(told, "created_at", "ts") or mapping(told.get("checkpoint")).get("ts"))


def _trunk(states: list[_State]) -> list[_State]:
    """The newest state and those it came from; all of them where that is not told back to the first."""
    by_id = {name: state for state in states if (name := _checkpoint(state.record))}
    if len(by_id) < len(states):
        return states
    kept: list[_State] = []
    seen: set[str] = set()
    here = _checkpoint(states[-1].record)
    while here in by_id and here not in seen:
        seen.add(here)
        kept.append(by_id[here])
        here = _checkpoint(by_id[here].record, "parent_")
    return states if here else kept[::-1]


def _with(record: Mapping[str, Any], messages: list[Any]) -> dict[str, Any]:
    """A record with these messages where it has its own."""
    state, name = _place(record)
    if state is record:
        return {**record, name: messages}
    rest = {key: value for key, value in record.items() if value is not state and key not in ("message", "History")}
    return {**rest, "values": {**state, name or "messages": messages}}


def _checkpoint(record: Mapping[str, Any], prefix: str = "") -> str:
    """The id of a state, or of the one before it."""
    place = mapping(record.get(f"{prefix}checkpoint")), mapping(record.get(f"{prefix}config")), record
    named = (
        place[0].get("checkpoint_id"),
        mapping(place[1].get("configurable")).get("checkpoint_id"),
        record.get(f"{prefix}checkpoint_id"),
        place[0].get("id"),
    )
    return next((text_of(name) for name in named if name), "")


def _joined(known: list[Any], more: list[Any]) -> list[Any]:
    """Merge a later state of a thread into what is known; messages that it no longer holds stay."""
    ids = [_message_id(message) for message in more]
    if not all(ids):
        repeats = more[: len(known)] == known
        return more if repeats else known if known[: len(more)] == more else [*known, *more]
    places = {_message_id(message): index for index, message in enumerate(known)}
    made = list(known)
    for name, message in zip(ids, more, strict=True):
        if name in places:
            made[places[name]] = message
        else:
            places[name] = len(made)
            made.append(message)
    return made


def _message_id(message: Any) -> str | None:
    name = mapping(langchain_messages.fields_of(message)).get("id")
    return name if isinstance(name, str) and name else None


def _messages(record: Any) -> list[Any] | None:
    """The messages of a record: under a name of their own, in its state, or one in a row of a store."""
    told = mapping(record)
    for value in map(unfolded, (told.get("message"), told.get("History"))):
        if langchain_messages.is_message(value):
            return [value]
    place, name = _place(told)
    if name:
        return listed(unfolded(place[name]))
    return [] if "messages" in mapping(told.get("values")) and _id(told) else None


def _place(told: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """Find the messages of a record: the object that holds them, and their key in it."""
    inner = [mapping(told.get(name)) for name in _PLACES]
    for place in (told, *inner, mapping(mapping(told.get("checkpoint")).get("channel_values"))):
        for name in _LISTS:
            if name in place and langchain_messages.is_list(unfolded(place[name])):
                return place, name
    return mapping(told.get("values")), ""


def _steps(record: Mapping[str, Any]) -> list[Any] | None:
    """An agent's steps, each an action and what was observed."""
    steps = record.get("intermediate_steps")
    whole = isinstance(steps, list) and all(isinstance(step, list) and len(step) == 2 for step in steps)
    return listed(steps) if whole and "input" in record and "output" in record else None


def _extract(position: str, record: Mapping[str, Any]) -> Extract | None:
    messages, steps = _messages(record), _steps(record)
    model = langchain_messages.model_of(
        [*(messages or []), *(each for step in steps or [] for each in _logged(step[0]))]
    )
    if steps is not None:
        messages = [*(messages or []), *_told(record, steps)]
    if messages is None:
        raise ValueError("no list of messages")
    about = mapping(record.get("metadata"))
    failed = text_or_none(record.get("error")) or _task_error(record)
    snapshot = any(record.get(name) for name in ("checkpoint", "config"))
    return Extract(
        position,
        Conversation(
            model or text_of(first_of(record, "model") or about.get("model")),
            chat.tied(langchain_messages.items(messages)),
            id=_id(record) or (text_or_none(record["id"]) if isinstance(record.get("id"), str) else None),
            started=time_of(record.get("started") if snapshot else record.get("created_at")),
            ended=_time(record) if snapshot else time_of(record.get("updated_at")),
            ended_by="error" if failed else None,
            error=failed,
            meta=filled(**{str(key): value for key, value in about.items() if isinstance(value, str | int | float)}),
            extra=_extra(record, steps is not None),
        ),
    )


def _extra(record: Mapping[str, Any], stepped: bool) -> Json | None:
    """The fields of a record and its state other than the messages."""
    state, name = _place(record)
    read = {*_READ, *(("input", "output", "intermediate_steps") if stepped else ())}
    if state is record:
        return rest_of(record, read | {name})
    held = {place for place in _PLACES if record.get(place) is state} | {"checkpoint"}
    return filled(rest_of(record, read | held), state=rest_of(state, {name, "messages"}))


def _task_error(record: Mapping[str, Any]) -> str | None:
    tasks = [mapping(task) for task in listed(record.get("tasks"))]
    return next((text_or_none(task["error"]) for task in tasks if task.get("error")), None)


def _told(record: Mapping[str, Any], steps: list[Any]) -> Iterator[Any]:
    """An agent's run as messages: what it was asked, each action with its observation, the answer."""
    yield from [] if langchain_messages.is_list(record["input"]) else [_spoken("user", record["input"])]
    last: list[Any] = []
    for action, observed in steps:
        told, kept = langchain_messages.fields_of(action), _logged(action)
        call = {"id": told.get("tool_call_id"), "name": told.get("tool"), "arguments": told.get("tool_input")}
        made = (
            langchain_messages.said(kept[-1]) if kept else {"role": "assistant", "reasoning_content": told.get("log")}
        )
        if not kept or kept != last:
            yield from map(langchain_messages.said, kept[:-1])
            yield {**made, "tool_calls": made.get("tool_calls") or [call]}
        elif not made.get("tool_calls"):  # calls made at once share the message that made them
            yield {"role": "assistant", "content": "", "tool_calls": [call]}
        last = kept
        yield {"role": "tool", "tool_call_id": told.get("tool_call_id"), "content": raw(observed) or ""}
    yield _spoken("assistant", record["output"])


def _logged(action: Any) -> list[Any]:
    """The messages that led to an action, where they are kept."""
    held = listed(langchain_messages.fields_of(action).get("message_log"))
    return [each for each in held if langchain_messages.is_message(each)]


def _spoken(role: str, value: Any) -> dict[str, Any]:
    return {"role": role, "content": raw(value) or ""}
