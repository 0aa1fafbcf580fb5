"""AutoGen from 0.4 on: results of tasks, messages in lists and lines, and the saved states of teams and agents.

What messages mean is `autogen_events`'s. A team's state keeps one thread and every agent's own memory of it: the thread
is the conversation, and a memory is one too where it holds calls that the thread lacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.formats.parts.autogen_events import TeamMessages, is_message
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import filled, first_of, listed, mapping, rest_of, text_of, text_or_none
from reviewer.imports.source import Extract, Item, Remark, Source
from reviewer.transcripts.model import Conversation, Message, Run

NAME = "autogen"
TITLE = "AutoGen results and states"

_WRAPPED = ("task_result", "result", "team_result", "response", "team_state", "state")
_ENDS = (
    ("Maximum number of ", "turn-limit"),
    ("Handoff to ", "handover"),
    ("Timeout", "cut"),
    ("Token usage limit", "cut"),
    ("External termination", "cut"),
)
_READ = {"messages", "stop_reason", "inner_messages", "chat_message", *_WRAPPED, "id", "task_id", "run_id"}


def mine(source: Source) -> bool:
    """True if the first record is a message with its kind, holds a list of these, or is a saved state."""
    record = source.record
    return is_message(record) or _messages(_opened(record)) is not None or _is_state(_opened(record))


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a result or a thread each; messages that stand alone are one."""
    if is_message(source.record):
        yield from _gathered(source)
        return
    for position, record in source.records():
        told = _opened(mapping(record))
        if _is_state(told):
            yield from _state(position, told)
        else:
            yield from each(position, record, partial(_extract, position))


def _opened(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A result or a state out of what was kept around it."""
    if _messages(record) is None and not _is_state(record):
        for name in _WRAPPED:
            inner = mapping(record.get(name))
            if _messages(inner) is not None or _is_state(inner):
                return {**{key: value for key, value in record.items() if key != name}, **inner}
    return record


def _messages(record: Mapping[str, Any]) -> list[Any] | None:
    """The messages of a result, or those of an agent's response with its last."""
    for name in ("messages", "inner_messages"):
        held = listed(record.get(name))
        if any(is_message(value) for value in held[:3]):
            return [*held, *([record["chat_message"]] if is_message(record.get("chat_message")) else [])]
    return [record["chat_message"]] if is_message(record.get("chat_message")) else None


def _is_state(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    return isinstance(kind, str) and kind.endswith("State") and ("version" in record or "agent_states" in record)


def _gathered(source: Source) -> Iterator[Item]:
    """Messages that stand alone; a result among them repeats them, and only says how it ended."""
    messages: list[Any] = []
    last: Mapping[str, Any] = {}
    for position, value in source.records(kept=True):
        if is_message(value):
            messages.append(value)
        elif isinstance(value, dict) and "stop_reason" in value:
            last = value
        else:
            yield from each(position, value, _unread)
    record = {"messages": messages, "stop_reason": last.get("stop_reason")}
    yield from each("the document", record, partial(_extract, "the document"))


def _unread(record: Mapping[str, Any]) -> None:
    raise ValueError(f"no message but {text_of(record.get('type')) or 'something else'}")


def _extract(position: str, record: Mapping[str, Any]) -> Extract:
    told = _opened(record)
    values = _messages(told)
    if values is None:
        if not isinstance(told.get("messages"), list):
            raise ValueError("no list of messages")
        values = told["messages"]
    return _conversation(position, values, told, text_or_none(first_of(told, "run_id", "task_id", "id")))


def _conversation(position: str, values: list[Any], record: Mapping[str, Any], id: str | None) -> Extract:
    team = TeamMessages()
    messages = chat.tied(team.items(values))
    reason = text_or_none(record.get("stop_reason"))
    times = [message.at for message in messages if message.at]
    agents = list(dict.fromkeys(message.name for message in messages if message.role == "agent" and message.name))
    return Extract(
        position,
        Conversation(
            "",
            messages,
            id=id,
            started=times[0] if times else None,
            ended=times[-1] if times else None,
            ended_by=_ended_by(reason, messages),
            meta=filled(agents=", ".join(agents), stop_reason=reason),
            extra=filled(rest_of(record, _READ), passed_over=dict(team.passed)),
        ),
        run=Run("", None, harness="AutoGen"),
    )


def _ended_by(reason: str | None, messages: tuple[Message, ...]) -> str | None:
    """Say how the chat ended: at a limit, with a handover, or at a word that somebody said."""
    for start, ending in _ENDS:
        if reason is not None and reason.startswith(start):
            return ending
    if reason is not None and reason.startswith("Text '") and messages:
        return "customer-stop" if messages[-1].role == "customer" else "agent-stop"
    return reason


def _state(position: str, record: Mapping[str, Any]) -> Iterator[Item]:
    """The thread of a team, and the memories of agents that hold more than it."""
    threads = list(_held(record, "message_thread", ""))
    memories = [(name, held) for name, held in _held(record, "llm_context", "") if held]
    told = [(name, held) for name, held in threads if held]
    called = any("ToolCall" in text_of(mapping(value).get("type")) for _, held in told for value in held)
    kept = [(name, held) for name, held in memories if not told or (not called and _calls(held))]
    for id, name, held in [*((None, *it) for it in told), *((it[0] or None, *it) for it in kept)]:
        place = f"{position}, {name}" if name else position
        yield from each(place, {"messages": held, "id": id}, partial(_extract, place))
    if not told and not kept:
        yield Remark(f"{position}: a state without messages")


def _calls(held: list[Any]) -> bool:
    return any(isinstance(mapping(value).get("content"), list) for value in held)


def _held(value: Any, name: str, within: str, depth: int = 8) -> Iterator[tuple[str, list[Any]]]:
    """Lists of messages under this name in a state, with the agent in whose state they stand."""
    if not isinstance(value, dict) or depth == 0:
        return
    for key, inner in value.items():
        if key == name or (name == "llm_context" and key == "llm_messages"):
            held = inner if isinstance(inner, list) else listed(mapping(inner).get("messages"))
            yield within, [each for each in held if isinstance(each, dict)]
        elif key == "agent_states":
            for agent, state in mapping(inner).items():
                yield from _held(state, name, str(agent).partition("/")[0], depth - 1)
        else:
            yield from _held(inner, name, within, depth - 1)
