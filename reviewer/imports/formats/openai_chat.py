"""Chat messages as OpenAI and Anthropic write them: one conversation an object, as JSON or JSON Lines.

A record has its messages under `messages` (or `conversation`, `history`, `trajectory`), or is itself the list, or is
one message of the conversation that it names, else of the file's, or is a question and its answer. Step recordings
repeat the whole history on every line; of those only the last step of each environment is a conversation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from reviewer.imports.formats import behind_headers, each
from reviewer.imports.messages import chat, plausibility, prompts
from reviewer.imports.messages.content import (
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    rest_of,
    score_of,
    text_of,
    text_or_none,
    time_of,
    usage_of,
)
from reviewer.imports.messages.text_calls import recovered
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source
from reviewer.transcripts.model import Conversation, Run, Score, Usage

NAME = "openai-chat"
TITLE = "OpenAI or Anthropic chat messages"

_LISTS = ("messages", "conversation", "conversations", "history", "trajectory", "turns", "chat", "dialogue")
_MODELS = ("model", "model_name", "model_id")
_IDS = ("id", "conversation_id", "session_id", "thread_id", "trace_id", "uuid", "rollout_id")
_CASES = ("case", "case_id", "task_id", "scenario_id", "test_case_id", "instance_id")
_RUNS = ("run", "trial", "epoch", "attempt")
_SCORES = ("reward", "score", "scores", "rating", "success")
_STARTED = ("started", "start_time", "created_at", "created", "timestamp")
_ENDED = ("ended", "end_time", "completed_at")
_REASONS = ("ended_by", "termination_reason", "end_reason", "stop_reason", "finish_reason")
_REPLIES = ("output", "response", "completion", "choices")
_SAID = ("content", "parts", "text", "value", "tool_calls", "function_call")
_READ = {*_LISTS, *_MODELS, *_IDS, *_CASES, *_RUNS, *_SCORES, *_STARTED, *_ENDED, *_REASONS} | {
    *("error", "metadata", "meta", "system", "response", "request", "tools", "functions", "env_index", "step"),
}
_USED = ("usage", "token_usage", "tokens", "usage_metadata")
_COSTS = ("cost", "total_cost", "cost_usd", "total_cost_usd")
_SETTINGS = ("temperature", "top_p", "max_tokens", "max_completion_tokens", "tool_choice", "reasoning_effort", "seed")


def mine(source: Source) -> bool:
    """True if a record holds a list of messages with roles, is one, or is one of its messages."""
    return any(_is_record(record) or _is_bare(record) for record in source.leading)


def read(source: Source) -> Iterator[Item]:
    """The file's conversations; bare messages are one, or one for each conversation that they name."""
    first = next((value for value in source.leading if _is_record(value) or _is_bare(value)), None)
    if _is_bare(first):
        yield from _gathered(source)
    elif any("env_index" in record and "step" in record for record in map(mapping, source.leading)):
        yield from _last_steps(source)
    else:
        alone = not source.is_lines and isinstance(source.document, Mapping)
        for position, record in behind_headers(source, _is_record):
            held = {"messages": record} if isinstance(record, list) else record
            yield from each(position, held, partial(_extract, position, alone))


def _is_record(record: Any) -> bool:
    """True for a conversation: a list of messages, or an object that has one."""
    if isinstance(record, list):
        return _has_roles(record)
    told = mapping(record)
    if told.get("messages") == [] or _has_roles(_messages(told)) or _has_roles(_messages(_body(told, "request"))):
        return True
    return (_has_roles(told.get("input")) and any(told.get(key) for key in _REPLIES)) or _is_exchange(told)


def _is_exchange(record: Mapping[str, Any]) -> bool:
    """True for a question and its answer as two texts; beside an instruction they are material for training."""
    texts = (record.get("input"), *(record.get(key) for key in _REPLIES))
    asked, *answers = (isinstance(text, str) and bool(text.strip()) for text in texts)
    return asked and any(answers) and "instruction" not in record


def _is_bare(record: Any) -> bool:
    return isinstance(record, Mapping) and _is_message(record)


def _is_message(value: Mapping[str, Any]) -> bool:
    return _has_roles([value]) and any(key in value for key in _SAID) and _messages(value) is None


def _has_roles(messages: Any) -> bool:
    return isinstance(messages, list) and any(
        isinstance(message, Mapping) and isinstance(message.get("role", message.get("from")), str)
        for message in messages[:5]
    )


def _messages(record: Mapping[str, Any]) -> list[Any] | None:
    record = _unwrapped(record)
    return next((record[key] for key in _LISTS if isinstance(record.get(key), list)), None)


def _unwrapped(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The record with what stands beside its messages in an envelope (`data`, `conversation`) moved out of it."""
    for key in ("data", *_LISTS):
        inner = record.get(key)
        if isinstance(inner, Mapping) and any(isinstance(inner.get(name), list) for name in _LISTS):
            return {**{name: value for name, value in record.items() if name != key}, **inner}
    return record


def _body(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A request or response, out of the envelope that batches put around it."""
    told = mapping(record.get(name))
    return mapping(told.get("body")) or told


def _gathered(source: Source) -> Iterator[Item]:
    """Messages that stand alone, put together by the conversation they name; else the file is one."""
    held: dict[str | None, list[Any]] = {}
    about: dict[str, Any] = {}
    for _, record in source.records(kept=True):
        if isinstance(record, BadRecord):
            yield record
            continue
        if not held and isinstance(record, Mapping) and not _is_message(record):
            about |= record  # a header, that says something of the whole
            continue
        named = text_or_none(first_of(mapping(record), *_IDS[1:]))
        rest = {key: value for key, value in mapping(record).items() if key not in _IDS[1:]} if named else record
        held.setdefault(named, []).append(rest)
    for name, messages in held.items():
        position = f"conversation {name}" if name else "the file" if source.is_lines else "the document"
        told = {**about, "messages": messages, **({"id": name} if name else {})}
        yield from each(position, told, partial(_extract, position, len(held) == 1))


def _last_steps(source: Source) -> Iterator[Item]:
    """Each line repeats all before it: keep the last of every environment."""
    last: dict[str, tuple[str, Mapping[str, Any]]] = {}
    steps = 0
    for position, record in source.records():
        if isinstance(record, BadRecord):
            yield record
        elif isinstance(record, Mapping) and isinstance(record.get("messages"), list):
            steps += 1
            last[str(record.get("env_index"))] = (position, record)
        else:
            yield Remark(f"{position}: passed over, a control record")
    yield Remark(f"{steps} steps that repeat what came before: the last of each environment is the conversation")
    for position, record in last.values():
        yield from each(position, record, partial(_extract, position, False))


def _extract(position: str, alone: bool, record: Mapping[str, Any]) -> Extract | None:
    record = _unwrapped(record)
    request, response = _body(record, "request"), _body(record, "response")
    messages = next((candidate for candidate in map(_messages, (record, request)) if candidate is not None), None)
    if messages is None:
        asked = record.get("input")
        messages = [{"role": "user", "content": asked}] if _is_exchange(record) else listed(asked)
    if not messages and "messages" not in record:
        raise ValueError("no list of messages")
    system = first_of(record, "system") or request.get("system")
    said = [*([{"role": "system", "content": system}] if system else []), *messages]
    reply = [made for made in _reply(record, response) if not said or _words(made) != _words(said[-1])]
    said += reply
    read = chat.messages_of(said)
    plausibility.refuse(read)
    meta = first_of(record, "metadata", "meta")
    models = (first_of(mapping(place), *_MODELS) for place in (record, response, request, *messages, meta))
    case = _stated(record, meta, _CASES)
    return Extract(
        position,
        Conversation(
            text_of(next((model for model in models if model), None)),
            recovered(read),
            case=None if case is None else text_or_none(case),
            run=number_of(_stated(record, meta, _RUNS)),
            id=_id(record, response),
            started=time_of(first_of(record, *_STARTED)),
            ended=time_of(first_of(record, *_ENDED)),
            ended_by=text_or_none(first_of(record, *_REASONS)),
            error=text_or_none(record.get("error")),
            scores=tuple(_scores(record)),
            meta=_flat(meta),
            extra=rest_of(record, _READ | _told_by(record)),
            usage=None if any(mapping(made).get("usage") for made in reply) else _usage(record, response),
        ),
        alone=alone and case is not None,
        run=_run(record, request),
    )


def _stated(record: Mapping[str, Any], meta: Any, names: tuple[str, ...]) -> Any:
    """Return a record's value under one of these names, else its metadata's."""
    stated = first_of(record, *names)
    return first_of(mapping(meta), *names) if stated is None else stated


def _usage(record: Mapping[str, Any], response: Mapping[str, Any]) -> Usage | None:
    """The totals that stand beside the messages."""
    return usage_of(first_of(record, *_USED) or first_of(response, *_USED), first_of(record, *_COSTS))


def _run(record: Mapping[str, Any], request: Mapping[str, Any]) -> Run | None:
    """Return what the agent was given besides the messages: its tools, and a request's settings."""
    stated = next((place[key] for key in ("tools", "functions") for place in (record, request) if place.get(key)), None)
    tools = tuple(tool for tool in listed(stated) if isinstance(tool, dict))
    settings = filled(**{name: first_of(request, name) for name in _SETTINGS})
    return Run("", None, tools=tools, extra=settings) if tools or settings else None


def _reply(record: Mapping[str, Any], response: Mapping[str, Any]) -> list[Any]:
    """Return the messages that a provider's response adds, or a completion beside the prompt."""
    for told in (response, record):
        choice = mapping(next(iter(listed(told.get("choices"))), None)).get("message")
        if isinstance(choice, Mapping):
            at = {"timestamp": told["created"]} if told is response and told.get("created") is not None else {}
            return [{**at, **choice, "usage": choice.get("usage") or told.get("usage")}]
    if response.get("role") and response.get("content"):
        return [response]
    return prompts.answered(record[key]) if (key := _completion(record)) is not None else []


def _completion(record: Mapping[str, Any]) -> str | None:
    """The field with what was answered to `input`, or with words that follow the messages."""
    key = next((key for key in _REPLIES if record.get(key)), None)
    return key if key and (isinstance(record[key], str) or isinstance(record.get("input"), list)) else None


def _told_by(record: Mapping[str, Any]) -> set[str]:
    """The fields that became messages though they are no list of them."""
    asked = {"input"} if _messages(record) is None else set()
    choices = {"choices"} if len(listed(record.get("choices"))) < 2 else set()  # the others are kept as they are
    return {*asked, *choices, _completion(record) or "response"}


def _words(message: Any) -> tuple[str, str, list[tuple[str, str | None]]]:
    told = mapping(message)
    made = [(call.name, call.arguments) for call in chat.calls_of(told)]
    return text_of(told.get("role")), text_of(told.get("content")), made


def _id(record: Mapping[str, Any], response: Mapping[str, Any]) -> str | None:
    identifier = first_of(record, *_IDS)
    if identifier is None and record.get("env_index") is not None:
        identifier = f"env-{record['env_index']}"
    return text_or_none(response.get("id") if identifier is None else identifier)


def _scores(record: Mapping[str, Any]) -> Iterator[Score]:
    for name in _SCORES:
        stated = record.get(name)
        listed_so = isinstance(stated, list) and any(isinstance(mark, Mapping) for mark in stated)
        marks = [(name, mark) for mark in listed(stated)] if listed_so else [(name, stated)]
        for scorer, value in stated.items() if isinstance(stated, Mapping) else marks:
            if value is not None:
                yield _score(str(scorer), value)


def _score(scorer: str, stated: Any) -> Score:
    """One score: a value, or an object that says its name, its value and why."""
    told = mapping(stated)
    value = first_of(told, "value", "score")
    if value is None:
        number, words = score_of(stated)
        return Score(scorer, number, raw=words)
    number, words = score_of(value)
    note = text_or_none(first_of(told, "comment", "reason", "explanation", "note"))
    return Score(
        text_of(first_of(told, "name", "scorer")) or scorer, number, text_or_none(told.get("judge")), note, words
    )


def _flat(meta: Any) -> dict[str, Any] | None:
    return {str(key): value for key, value in meta.items()} if isinstance(meta, Mapping) and meta else None
