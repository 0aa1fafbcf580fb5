"""Gemini: requests and responses of its API, Vertex AI's logs and batches of these, AI Studio's prompts, CLI chats.

A record is a request with its response, or contents alone. A chat of the command line is a file: one JSON value, or
lines that each put, change or take back a message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.formats.parts import branches, gemini_chat, gemini_studio
from reviewer.imports.formats.parts.gemini_parts import answer_in, is_content, item_of, tools_in
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    cost_of,
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    rest_of,
    text_of,
    text_or_none,
    time_of,
    tokens_of,
)
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source, unfolded
from reviewer.transcripts.model import Conversation, Json, Message, Run

NAME = "gemini"
TITLE = "Gemini API logs and Gemini CLI chats"

_REQUESTS, _RESPONSES = ("request", "full_request", "fullRequest"), ("response", "full_response", "fullResponse")
_CONTENTS = ("contents", "history")
_INSTRUCTIONS = ("systemInstruction", "system_instruction")
_IDS = ("key", "custom_id", "request_id", "requestId", "id")
_TIMES = ("logging_time", "loggingTime", "processed_time", "timestamp", "createTime", "create_time")
_SETTINGS = (
    *("generationConfig", "generation_config", "safetySettings", "safety_settings", "toolConfig"),
    *("tool_config", "cachedContent", "cached_content", "labels"),
)
_READ = {*_REQUESTS, *_RESPONSES, *_CONTENTS, *_INSTRUCTIONS, *_IDS, *_TIMES, *_SETTINGS} | {
    *("model", "model_version", "status", "error", "tools", "candidates", "usageMetadata", "promptFeedback"),
    *("usage_metadata", "prompt_feedback", "response_id"),
    *("modelVersion", "responseId", "request_payload", "response_payload", "otel_log", "metadata", "config"),
}
_ENDED = {"MAX_TOKENS": "cut", "STOP": None, "FINISH_REASON_UNSPECIFIED": None}


def mine(source: Source) -> bool:
    """True if the first record is a chat of the command line, or is or has contents made of parts."""
    record = source.record
    if gemini_chat.is_chat(record) or gemini_chat.is_prompt(record) or gemini_studio.is_saved(record):
        return True
    if is_content(record):
        return record.get("role") in ("user", "model")
    if isinstance(unfolded(first_of(record, *_REQUESTS[1:])), Mapping):
        return True
    return _has_contents(record)


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a chat, a record each, or bare contents as one."""
    record = source.record
    if gemini_chat.is_prompt(record):
        count = sum(1 for _, value in source.records() if not isinstance(value, BadRecord))
        yield Remark(f"{count} prompts without answers: not read, the chats beside them hold the whole")
    elif gemini_chat.is_chat(record):
        yield from _chat(source)
    elif gemini_studio.is_saved(record):
        for position, value in source.records():
            yield from each(position, value, partial(gemini_studio.extract, position))
    elif is_content(record):
        yield from (value for _, value in source.records() if isinstance(value, BadRecord))
        contents = [value for _, value in source.records(kept=True) if not isinstance(value, BadRecord)]
        position = "the file" if source.is_lines else "the document"
        yield from each(position, {"contents": contents}, partial(_extract, position, []))
    else:
        left: list[branches.AbandonedBranches] = []
        for position, value in source.records():
            yield from each(position, value, partial(_extract, position, left))
        said = branches.summed(left)
        if said:
            yield Remark(said)


def _chat(source: Source) -> Iterator[Item]:
    if "messages" in source.record:
        for position, value in source.records():
            yield from each(position, value, partial(gemini_chat.extract, position, 0))
        return
    whole = gemini_chat.Log()
    for position, value in source.records():
        yield from each(position, value, whole.take)
    undone = whole.undone
    yield from each("the file", whole.record(), partial(gemini_chat.extract, "the file", undone))
    if undone:
        yield Remark(f"{undone} messages that were rewound are not read")


def _request(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The request of a record, parsed if a table keeps it as JSON text, else the record itself."""
    request = mapping(unfolded(first_of(record, *_REQUESTS))) or record
    config = mapping(request.get("config"))  # Python's client puts all but the contents there
    if not config:
        return request
    apart = {key: value for key, value in config.items() if key in (*_INSTRUCTIONS, "tools", "labels")}
    rest = {key: value for key, value in config.items() if key not in apart}
    return {"generationConfig": rest, **apart, **{key: value for key, value in request.items() if key != "config"}}


def _has_contents(record: Mapping[str, Any]) -> bool:
    request = _request(record)
    contents = first_of(request, *_CONTENTS)
    if isinstance(contents, list):
        return any(is_content(content) for content in contents[:5])
    answered = mapping(unfolded(first_of(record, *_RESPONSES))) or record
    return is_content(contents) or any(
        is_content(mapping(mapping(candidate).get("content"))) for candidate in listed(answered.get("candidates"))[:2]
    )


def _extract(position: str, left: list[branches.AbandonedBranches], record: Mapping[str, Any]) -> Extract:
    request = _request(record)
    answered = unfolded(first_of(record, *_RESPONSES))
    response = answered if answered else record if "candidates" in record else {}
    if not any(key in request for key in (*_CONTENTS, "messages")) and not response:
        raise ValueError("it has neither contents nor candidates")
    items, about = answer_in(response)
    said = [*_asked(request), *items[:1], *(_plain(response) if "messages" in request else [])]
    messages = _counted(chat.messages_of(said), about, bool(items))
    others = chat.messages_of(items[1:]) if len(items) > 1 else ()
    aside = branches.aside(len(others), others)
    left.append(aside)
    error = first_of(record, "error", "status") or about.get("error")
    blocked = first_of(mapping(first_of(about, "promptFeedback", "prompt_feedback")), "blockReason", "block_reason")
    reason = text_or_none(about.get("finishReason"))
    return Extract(
        position,
        Conversation(
            _model(record, request, about),
            messages,
            id=text_or_none(first_of(about, "responseId", "response_id") or first_of(record, *_IDS)),
            started=time_of(first_of(about, "createTime", "create_time") or first_of(record, *_TIMES)),
            ended_by="error" if error or blocked else _ENDED.get(reason, reason) if reason else None,
            error=text_or_none(error) or (f"blocked: {text_of(blocked)}" if blocked else None),
            meta=_flat(record, request),
            extra=filled(rest_of(record, _READ), branches=aside.branches or None, aside=list(aside.kept)),
        ),
        run=_run(request),
    )


def _asked(request: Mapping[str, Any]) -> Iterator[Any]:
    """The instructions and the contents; of another provider's model its messages."""
    told = first_of(request, *_INSTRUCTIONS)
    told = told if told is not None else request.get("system") if "messages" in request else None
    if told:
        yield {**item_of(told), "role": "system"} if not isinstance(told, list) else {"role": "system", "content": told}
    contents = first_of(request, *_CONTENTS)
    for content in contents if isinstance(contents, list) else [contents] if contents else []:
        role = "model" if mapping(content).get("role") == "model" else "user"
        yield item_of(content, role, joined=role == "model")
    yield from listed(request.get("messages"))


def _plain(response: Any) -> Iterator[Any]:
    """The answer of another provider's model, whose response is a message."""
    if isinstance(response, Mapping) and response.get("role"):
        yield {key: response[key] for key in ("role", "content", "usage") if key in response}


def _counted(messages: tuple[Message, ...], about: Mapping[str, Any], answered: bool) -> tuple[Message, ...]:
    """The messages with the tokens of the response on its answer."""
    usage = mapping(first_of(about, "usageMetadata", "usage_metadata"))
    last = max((n for n, message in enumerate(messages) if message.role == "agent"), default=None)
    if last is None or not answered or not usage:
        return messages
    tokens_in, written, thought, cached = tokens_of(_camel(usage))
    tools = number_of(first_of(usage, "toolUsePromptTokenCount", "tool_use_prompt_token_count"))
    if tokens_in is not None and tools:
        tokens_in += tools
    counted = replace(
        messages[last],
        tokens_in=tokens_in,
        tokens_out=written,
        tokens_reasoning=thought,
        tokens_cached=cached,
        cost=cost_of(about.get("cost")),
    )
    return (*messages[:last], counted, *messages[last + 1 :])


def _camel(usage: Mapping[str, Any]) -> dict[str, Any]:
    """The counts under the names of the API, which Python's client writes in snake case."""
    return {(head := str(key).split("_"))[0] + "".join(map(str.title, head[1:])): value for key, value in usage.items()}


def _model(record: Mapping[str, Any], request: Mapping[str, Any], about: Mapping[str, Any]) -> str:
    named = first_of(about, "modelVersion", "model_version") or about.get("model")
    named = named or first_of(record, "model") or request.get("model")
    return text_of(named).rpartition("/")[2]


def _flat(record: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, Any] | None:
    """The caller's metadata of a record, and the labels of its request."""
    meta = {**mapping(unfolded(record.get("metadata"))), **mapping(request.get("labels"))}
    return {str(key): value for key, value in meta.items()} or None


def _run(request: Mapping[str, Any]) -> Run | None:
    tools: tuple[Json, ...] = tuple(tools_in(request))
    settings = filled(**{key: request.get(key) for key in _SETTINGS if key != "labels"})
    return Run("", None, tools=tools, extra=settings) if tools or settings else None
