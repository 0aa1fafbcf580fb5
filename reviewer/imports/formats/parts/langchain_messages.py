"""LangChain's messages in all the shapes in which it writes them -> chat messages. Pure.

A message is `{"type": "human", "data": {...}}`, a constructor with its `kwargs`, a dump of its fields, a pair of a role
and a text, or a plain text. `said` turns each into what `messages.chat` reads: calls with their arguments as the
model wrote them where both are kept, usage and reasoning under one name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reviewer.imports.messages import chat
from reviewer.imports.messages.content import Answer, first_of, listed, mapping, rest_of, text_of
from reviewer.transcripts.model import Message

_ROLES = {
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "developer": "developer",
    "tool": "tool",
    "function": "function",
    "chat": "chat",
    "remove": "remove",
}
_MODELS = ("model_name", "model", "model_id", "ls_model_name")
_USAGES = ("token_usage", "usage", "tokenUsage", "usage_metadata")
_METADATA_READ = frozenset((*_MODELS, *_USAGES, "logprobs", "created_at", "created"))
_KWARGS_READ = frozenset(
    ("tool_calls", "function_call", "reasoning_content", "reasoning", "timestamp", "created_at", "refusal")
)
_READ = frozenset(
    (
        *("type", "role", "content", "tool_calls", "invalid_tool_calls", "tool_call_chunks", "tool_call_id", "name"),
        *("usage_metadata", "response_metadata", "additional_kwargs", "status", "example", "timestamp", "created_at"),
        *("reasoning_content", "lc_kwargs", "lc_namespace", "lc_serializable", "chunk_position"),
    )
)
_JAVASCRIPT_USAGE = {"promptTokens": "prompt_tokens", "completionTokens": "completion_tokens"}
_HALF_WRITTEN = ("input_json_delta", "tool_call_chunk", "server_tool_call_chunk")
"""Blocks of a streamed message that its calls tell whole."""


def is_message(value: Any) -> bool:
    """True for a message in one of LangChain's own shapes, neither a pair nor OpenAI's."""
    told = mapping(value)
    kind = kind_of(told)
    if kind not in _ROLES:
        return False
    if "lc" in told or isinstance(told.get("data"), Mapping):
        return bool(fields_of(told))
    return "content" in told and ("role" not in told or kind == "chat")


def is_list(values: Any) -> bool:
    """True for a list of messages, one of the first of which a person or a model said."""
    first = listed(values)[:5]
    return any(is_message(each) and (kind_of(each) in ("human", "ai") or "lc" in each) for each in first)


def kind_of(told: Mapping[str, Any]) -> str:
    """A message's kind: `human`, `ai`, `tool`; empty when it names none."""
    name = told.get("type")
    if "lc" in told:
        path = told.get("id")
        name = path[-1] if isinstance(path, list) and path else name
    return name.lower().removesuffix("chunk").removesuffix("message") if isinstance(name, str) else ""


def fields_of(message: Any) -> Mapping[str, Any]:
    """A message's own fields, out of the envelope around them."""
    told = mapping(message)
    return mapping(told.get("kwargs")) or mapping(told.get("data")) or told


def said(message: Any) -> dict[str, Any]:
    """A message as a chat message; one that is none of LangChain's is given back as it was, a text as a person's."""
    if isinstance(message, str):
        return {"role": "user", "content": message}
    if isinstance(message, list) and len(message) == 2 and isinstance(message[0], str):
        kind = message[0].lower()
        return {"role": _ROLES.get(kind, kind), "content": message[1]}
    told = mapping(message)
    if not is_message(told):
        return dict(told)
    return _said(kind_of(told), fields_of(told))


def _said(kind: str, told: Mapping[str, Any]) -> dict[str, Any]:
    given, about = mapping(told.get("additional_kwargs")), mapping(told.get("response_metadata"))
    thought = first_of(told, "reasoning_content") or first_of(given, "reasoning_content", "reasoning")
    if isinstance(thought, Mapping):
        thought = text_of(thought.get("summary") or thought.get("text") or "")
    made: dict[str, Any] = {
        "role": text_of(told.get("role")) or "chat" if kind == "chat" else _ROLES.get(kind, kind),
        "content": _content(told.get("content")),
        "name": told.get("name"),
        "tool_call_id": told.get("tool_call_id"),
        "tool_calls": _calls(told, given),
        "reasoning_content": thought,
        "usage": usage_of(told),
        "timestamp": first_of(told, "timestamp", "created_at")
        or first_of(given, "timestamp", "created_at")
        or first_of(about, "created_at", "created"),
        "is_error": True if told.get("status") == "error" else None,
        "refusal": given.get("refusal"),
        "response_metadata": rest_of(about, _METADATA_READ),
        "additional_kwargs": rest_of(given, _KWARGS_READ),
        **(rest_of(told, _READ) or {}),
    }
    return {key: value for key, value in made.items() if value not in (None, "", [], {}) or key == "content"}


def items(messages: Iterable[Any]) -> Iterator[Message | Answer]:
    """Messages and results; what tells the graph to take messages out of its state says nothing and is left out."""
    for message in messages:
        told = said(message)
        if told.get("role") == "remove":
            continue
        for item in chat.read_item(told) if told else chat.read_item(message):
            if isinstance(item, Answer) and told.get("artifact") is not None:
                item.extra = {**(item.extra or {}), "artifact": told["artifact"]}
            yield item


def model_of(messages: Iterable[Any]) -> str:
    """The model that most of the messages name, the first of those named equally often."""
    counts: dict[str, int] = {}
    for message in messages:
        named = first_of(mapping(fields_of(message).get("response_metadata")), *_MODELS)
        if isinstance(named, str) and named:
            counts[named] = counts.get(named, 0) + 1
    return max(counts, key=lambda name: counts[name], default="")


def usage_of(told: Mapping[str, Any]) -> Mapping[str, Any]:
    """The token counts of a message, whichever names it uses."""
    usage = mapping(told.get("usage_metadata"))
    about = mapping(told.get("response_metadata"))
    usage = usage or next((about[name] for name in _USAGES if mapping(about.get(name))), {})
    return {_JAVASCRIPT_USAGE.get(key, key): value for key, value in usage.items()}


def generated(generation: Any) -> dict[str, Any]:
    """The output of one of LangChain's generations: its message, else its text."""
    told = mapping(generation)
    message = said(told.get("message")) if is_message(told.get("message")) else {}
    if message and not message.get("content") and not message.get("tool_calls"):
        message["content"] = text_of(told.get("text"))
    return message or {"role": "assistant", "content": text_of(told.get("text"))}


def _content(value: Any) -> Any:
    return [_block(each) for each in value if _is_whole(each)] if isinstance(value, list) else value


def _is_whole(block: Any) -> bool:
    return mapping(block).get("type") not in _HALF_WRITTEN


def _block(block: Any) -> Any:
    """A block as providers write it, where LangChain has a spelling of its own."""
    told = mapping(block)
    kind = told.get("type")
    if kind == "server_tool_call":
        return {**told, "type": "server_tool_use", "input": told.get("args")}
    if kind == "server_tool_result":
        return {**told, "type": "tool_result", "content": told.get("output")}
    if kind == "reasoning_content":
        inner = told.get("reasoning_content")
        return {"type": "reasoning", "text": text_of(mapping(inner).get("text") or inner)}
    return block


def _calls(told: Mapping[str, Any], given: Mapping[str, Any]) -> list[Any]:
    """A message's calls: as the model wrote them where that is kept as well, else as they were parsed."""
    parsed, invalid = listed(told.get("tool_calls")), listed(told.get("invalid_tool_calls"))
    written = [each for each in listed(given.get("tool_calls")) if isinstance(each, Mapping)]
    if written and len(written) == len(parsed) + len(invalid):
        errors = {mapping(each).get("id"): mapping(each).get("error") for each in invalid if _has_id(each)}
        return [{**each, "error": errors.get(each.get("id"))} if _has_id(each) else each for each in written]
    if parsed or invalid or written:
        return [*parsed, *invalid] or written
    return [given["function_call"]] if isinstance(given.get("function_call"), Mapping) else []


def _has_id(call: Any) -> bool:
    return isinstance(mapping(call).get("id"), str)
