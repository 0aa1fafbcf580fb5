"""Chat messages as OpenAI and Anthropic write them: one conversation an object, as JSON or JSON Lines.

A record has its messages under `messages` (or `conversation`, `history`, `trajectory`), or is itself the list. Step
recordings repeat the whole history on every line; of those only the last step of each environment is a conversation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from reviewer.ingest import chat
from reviewer.ingest.content import (
    first_of,
    listed,
    mapping,
    number_of,
    rest_of,
    score_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.ingest.formats import each
from reviewer.ingest.source import Bad, Found, Item, Remark, Source
from reviewer.ingest.text_calls import recovered
from reviewer.model import Conversation, Score

NAME = "openai-chat"
TITLE = "OpenAI or Anthropic chat messages"

_LISTS = ("messages", "conversation", "conversations", "history", "trajectory", "turns", "chat", "dialogue")
_MODELS = ("model", "model_name", "model_id")
_IDS = ("id", "conversation_id", "session_id", "thread_id", "trace_id", "uuid", "rollout_id")
_CASES = ("case", "case_id", "task_id", "scenario_id", "test_case_id")
_RUNS = ("run", "trial", "epoch", "attempt")
_SCORES = ("reward", "score", "scores", "rating", "success")
_STARTED = ("started", "start_time", "created_at", "created", "timestamp")
_ENDED = ("ended", "end_time", "completed_at")
_REASONS = ("ended_by", "termination_reason", "end_reason", "stop_reason", "finish_reason")
_READ = {*_LISTS, *_MODELS, *_IDS, *_CASES, *_RUNS, *_SCORES, *_STARTED, *_ENDED, *_REASONS} | {
    *("error", "metadata", "meta", "system", "response", "request", "tools", "env_index", "step")
}


def mine(source: Source) -> bool:
    """A record holds a list of messages with roles."""
    if _has_roles(_messages(source.record)) or _has_roles(_messages(mapping(source.record.get("request")))):
        return True
    return _is_bare(source)


def read(source: Source) -> Iterator[Item]:
    """Its conversations; a list of bare messages is one."""
    if _is_bare(source):
        yield from each("the document", {"messages": source.document}, partial(_found, "the document", True))
    elif "env_index" in source.record and "step" in source.record:
        yield from _last_steps(source)
    else:
        alone = not source.is_lines and isinstance(source.document, Mapping)
        for position, record in source.records():
            yield from each(position, record, partial(_found, position, alone))


def _is_bare(source: Source) -> bool:
    """Whether the document is itself the list of messages."""
    return not source.is_lines and "role" in source.record and _has_roles([source.record])


def _has_roles(messages: Any) -> bool:
    return isinstance(messages, list) and any(
        isinstance(message, Mapping) and isinstance(message.get("role"), str) for message in messages[:5]
    )


def _messages(record: Mapping[str, Any]) -> list[Any] | None:
    found = next((record[key] for key in _LISTS if isinstance(record.get(key), list)), None)
    return found if found is not None else listed(record.get("input")) or None


def _last_steps(source: Source) -> Iterator[Item]:
    """Each line repeats all before it: keep the last of every environment."""
    last: dict[str, tuple[str, Mapping[str, Any]]] = {}
    steps = 0
    for position, record in source.records():
        if isinstance(record, Bad):
            yield record
        elif isinstance(record, Mapping) and isinstance(record.get("messages"), list):
            steps += 1
            last[str(record.get("env_index"))] = (position, record)
        else:
            yield Remark(f"{position}: passed over, a control record")
    yield Remark(f"{steps} steps that repeat what came before: the last of each environment is the conversation")
    for position, record in last.values():
        yield from each(position, record, partial(_found, position, False))


def _found(position: str, alone: bool, record: Mapping[str, Any]) -> Found | None:
    request, response = mapping(record.get("request")), mapping(record.get("response"))
    messages = _messages(record)
    if messages is None:
        messages = _messages(request)
    if messages is None:
        raise ValueError("no list of messages")
    system = first_of(record, "system") or request.get("system")
    said = [*([{"role": "system", "content": system}] if system else []), *messages, *_reply(response)]
    case = first_of(record, *_CASES)
    return Found(
        position,
        Conversation(
            text_of(first_of(record, *_MODELS) or first_of(response, *_MODELS) or first_of(request, *_MODELS)),
            recovered(chat.messages_of(said)),
            case=None if case is None else text_or_none(case),
            run=number_of(first_of(record, *_RUNS)),
            id=_id(record, response),
            started=time_of(first_of(record, *_STARTED)),
            ended=time_of(first_of(record, *_ENDED)),
            ended_by=text_or_none(first_of(record, *_REASONS)),
            error=text_or_none(record.get("error")),
            scores=tuple(_scores(record)),
            meta=_flat(first_of(record, "metadata", "meta")),
            extra=rest_of(record, _READ),
        ),
        alone=alone and case is not None,
    )


def _reply(response: Mapping[str, Any]) -> list[Any]:
    """What a provider's response adds to the messages of its request."""
    choice = mapping(next(iter(listed(response.get("choices"))), None)).get("message")
    if isinstance(choice, Mapping):
        return [choice]
    return [response] if response.get("role") and response.get("content") else []


def _id(record: Mapping[str, Any], response: Mapping[str, Any]) -> str | None:
    found = first_of(record, *_IDS)
    if found is None and record.get("env_index") is not None:
        found = f"env-{record['env_index']}"
    return text_or_none(response.get("id") if found is None else found)


def _scores(record: Mapping[str, Any]) -> Iterator[Score]:
    for name in _SCORES:
        stated = record.get(name)
        for scorer, value in stated.items() if isinstance(stated, Mapping) else [(name, stated)]:
            if value is not None:
                number, words = score_of(value)
                yield Score(str(scorer), number, raw=words)


def _flat(meta: Any) -> dict[str, Any] | None:
    return {str(key): value for key, value in meta.items()} if isinstance(meta, Mapping) and meta else None
