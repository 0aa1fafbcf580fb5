"""ShareGPT with functions, Hermes' tags and xLAM's rows: conversations that people train tool calling with.

Turns are `{from, value}`: a `function_call` is JSON, an `observation` its result; Hermes writes both between tags in
the words of the agent and of the tool. Calls in words are marked as such, and the words stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.messages import call_tags, chat
from reviewer.imports.messages.content import Answer, first_of, listed, mapping, rest_of, text_of, text_or_none
from reviewer.imports.source import Extract, Item, Source, unfolded
from reviewer.transcripts.model import Conversation, Json, Message, Run, ToolCall

NAME = "sharegpt"
TITLE = "ShareGPT and Hermes with functions"

_LISTS = ("conversations", "conversation", "messages")
_CALLING = ("function_call", "function-call", "tool_call", "tool_calls")
_RESULTS = ("observation", "tool", "tool_response", "function_response", "function-response", "function", "ipython")
_AGENTS = ("gpt", "chatgpt", "assistant", "model", "bot")
_MARKS = ("<tool_call>", "<tool_response>")
_IDS = ("id", "conversation_id", "uuid")
_READ = {*_LISTS, *_IDS, "tools", "system", "model", "query", "answers"}


def mine(source: Source) -> bool:
    """True if a record has turns with `from` and `value`, chat messages with Hermes' tags, or is a row of xLAM."""
    record = source.record
    if _is_row(record):
        return True
    said = [mapping(turn) for turn in _turns(record)[:12]]
    if any("from" in turn and "value" in turn for turn in said):
        return True
    if any(turn.get("tool_calls") or not isinstance(turn.get("role"), str) for turn in said):
        return False
    texts = [turn["content"] for turn in said if isinstance(turn.get("content"), str)]
    return any(mark in text for text in texts for mark in _MARKS)


def read(source: Source) -> Iterator[Item]:
    """A record a conversation."""
    for position, record in source.records():
        yield from each(position, record, partial(_extract, position))


def _is_row(record: Mapping[str, Any]) -> bool:
    """True for a row of xLAM: a question, the tools and the calls that answer it."""
    return isinstance(record.get("query"), str) and "answers" in record and "tools" in record


def _turns(record: Mapping[str, Any]) -> list[Any]:
    return next((record[key] for key in _LISTS if isinstance(record.get(key), list)), [])


def _extract(position: str, record: Mapping[str, Any]) -> Extract:
    if _is_row(record):
        calls = call_tags.calls_of(text_of(record["answers"]))
        said: list[Message | Answer] = [Message("customer", record["query"], source_role="query")]
        text = "" if calls else text_of(record["answers"])
        said.append(Message("agent", text, calls=calls, source_role="answers"))
    elif any(isinstance(record.get(key), list) for key in _LISTS):
        said = list(_said(record))
    else:
        raise ValueError("no list of turns")
    messages = chat.tied(said)
    tools = call_tags.tools_of(record.get("tools")) or _defined(messages)
    return Extract(
        position,
        Conversation(
            text_of(record["model"]) if isinstance(record.get("model"), str) else "",
            messages,
            id=text_or_none(first_of(record, *_IDS)),
            extra=rest_of(record, _READ),
        ),
        run=Run("", None, tools=tools) if tools else None,
    )


def _defined(messages: tuple[Message, ...]) -> tuple[Json, ...]:
    """The tools that the system prompt lists."""
    prompts = (message.text for message in messages if message.role == "system")
    return next((tools for text in prompts if (tools := call_tags.tools_in(text))), ())


def _said(record: Mapping[str, Any]) -> Iterator[Message | Answer]:
    """The turns as messages and results, the system prompt that stands beside them first."""
    system = record.get("system")
    if isinstance(system, str) and system:
        yield Message("system", system, source_role="system")
    waiting: list[ToolCall] = []
    for turn in _turns(record):
        for made in _turn(turn, waiting):
            if isinstance(made, Message) and made.calls:
                waiting = list(made.calls)
            yield made


def _turn(turn: Any, waiting: list[ToolCall]) -> Iterator[Message | Answer]:
    """One turn; `waiting` are the calls that a result may name."""
    told = mapping(turn)
    role = chat.role_in(told)
    value = first_of(told, "value", "content")
    if not isinstance(value, str):
        yield from chat.read_item(turn)
        return
    if role in _RESULTS:
        for text in call_tags.responses_in(value):
            named = mapping(unfolded(text.strip())).get("name") if "name" in text else None
            known = any(call.name == named for call in waiting)
            yield Answer(text, _call_id(told), named if known and isinstance(named, str) else None)
        return
    read = chat.READ | {"value"}
    calls = call_tags.calls_of(value) if role in _CALLING else ()
    if calls or role in _CALLING:
        text = "" if calls else value
        yield Message("agent", text, calls=calls, source_role=role, extra=chat.left_over(told, read))
        return
    agent = role.lower() in _AGENTS
    if not agent and _MARKS[1] in value:  # a result as the customer's words: they stay a message as well
        yield from map(Answer, listed(_responses(value)))
    for made in chat.read_item(told):
        wanting = agent and isinstance(made, Message) and not made.calls
        yield replace(made, calls=call_tags.calls_in(value)) if wanting and isinstance(made, Message) else made


def _responses(value: str) -> list[str]:
    made = call_tags.responses_in(value)
    return made if made != [value] else []


def _call_id(told: Mapping[str, Any]) -> str | None:
    return text_or_none(first_of(told, "tool_call_id", "call_id"))
