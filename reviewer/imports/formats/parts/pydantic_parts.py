"""PydanticAI requests and responses, by their parts -> messages and results. Pure.

Instructions are repeated with every request: they are told where they change. Counts of tokens include cached ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.imports.messages.content import (
    Answer,
    Content,
    content_of,
    cost_of,
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    raw,
    rest_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.transcripts.model import Message, ToolCall

_PART = {
    "part_kind",
    "content",
    "timestamp",
    "tool_name",
    "tool_call_id",
    "args",
    "signature",
    "dynamic_ref",
    "speaker",
}
_MESSAGE = {
    *("kind", "parts", "usage", "timestamp", "model_name", "instructions", "run_id", "conversation_id", "state"),
    *("provider_response_id", "provider_url", "finish_reason", "vendor_id", "provider_details", "vendor_details"),
}
_PLAIN_ENDS = ("stop", "tool_call")
_INSTRUCTIONS = ("instruction", "instruction-delta", "instruction-baseline")


def told(items: list[Any]) -> Iterator[Message | Answer]:
    """The messages in order; instructions where they change."""
    instructed = ""
    for item in items:
        if not isinstance(item, dict) or not isinstance(item.get("parts"), list):
            raise TypeError("a message without parts")
        told = text_of(item.get("instructions"))
        if told and told != instructed:
            instructed = told
            yield Message("system", told, source_role="instructions", at=time_of(item.get("timestamp")))
        yield from _response(item) if item.get("kind") == "response" else _request(item)


def _request(item: Mapping[str, Any]) -> Iterator[Message | Answer]:
    for part in map(mapping, item["parts"]):
        kind = text_of(part.get("part_kind"))
        at = time_of(part.get("timestamp") or item.get("timestamp"))
        content = part.get("content")
        if kind == "tool-return" or (kind in ("retry-prompt", "retry-feedback") and part.get("tool_name")):
            yield _answer(part, at)
        elif kind == "user-prompt":
            said = content_of([_block(block) for block in content] if isinstance(content, list) else content)
            yield Message("customer", said.text, source_role=kind, at=at, extra=filled(**said.beside))
        elif kind == "system-prompt":
            yield Message("system", text_of(content), source_role=kind, at=at)
        elif kind in _INSTRUCTIONS:
            texts = [mapping(each).get("content") for each in listed(part.get("instructions"))] or [content]
            yield Message("system", "\n".join(map(text_of, texts)), source_role=kind, at=at)
        elif kind == "speech":
            yield Message("customer", text_of(part.get("transcript")), source_role=kind, at=at)
        else:
            yield Message("other", text_of(content), source_role=kind, at=at, extra=rest_of(part, _PART))


def _answer(part: Mapping[str, Any], at: str | None) -> Answer:
    """Return a tool's result, or the reason for which it has to be called again."""
    content = part.get("content")
    shown = isinstance(content, list) and any("kind" in mapping(each) for each in content)
    result = content_of([_block(each) for each in listed(content)], named=True).text if shown else raw(content) or ""
    outcome = text_of(part.get("outcome")) or ("success" if part.get("part_kind") != "retry-prompt" else "retried")
    extra = filled(metadata=part.get("metadata"), outcome=None if outcome == "success" else outcome)
    failed = (result or outcome) if outcome != "success" else None
    return Answer(
        result, text_or_none(part.get("tool_call_id")), text_or_none(part.get("tool_name")), failed, at, extra
    )


def _block(block: Any) -> Any:
    """A piece of what the user gave: its kind is under another name; bytes stay out of the text."""
    told = mapping(block)
    kind = told.get("kind")
    if not isinstance(kind, str):
        return block
    if kind == "text-content":
        return {"type": "text", "text": text_of(told.get("content"))}
    return {"type": kind, **{key: value for key, value in told.items() if key != "kind" and value is not None}}


def _response(item: Mapping[str, Any]) -> Iterator[Message | Answer]:
    at = time_of(item.get("timestamp"))
    contents = Content()
    before = ""
    for part in map(mapping, item["parts"]):
        kind = text_of(part.get("part_kind"))
        if kind == "text" and before == "text":  # pieces of one text, as citations divide it
            contents.texts[-1] += text_of(part.get("content"))
        else:
            _take(part, kind, at, contents)
        before = kind
    tokens_in, tokens_out, thought, cached, cost = _used(mapping(item.get("usage")))
    end, state = text_or_none(item.get("finish_reason")), text_or_none(item.get("state"))
    yield Message(
        "agent",
        contents.text,
        contents.reasoning,
        tuple(contents.calls),
        "response",
        None,
        at,
        tokens_in,
        tokens_out,
        thought,
        cached,
        cost,
        filled(
            rest_of(item, _MESSAGE),
            finish=None if end in _PLAIN_ENDS else end,
            state=None if state == "complete" else state,
            **contents.beside,
        ),
    )
    yield from contents.answers


def _take(part: Mapping[str, Any], kind: str, at: str | None, contents: Content) -> None:
    """Take in one part of an answer."""
    if kind in ("text", "speech"):
        contents.texts.append(text_of(first_of(part, "content", "transcript")))
    elif kind == "thinking":
        contents.thoughts.append(text_of(part.get("content")))
    elif kind in ("tool-call", "builtin-tool-call"):
        contents.calls.append(_call(part))
    elif kind == "builtin-tool-return":
        contents.answers.append(_answer(part, time_of(part.get("timestamp")) or at))
    elif kind == "file":
        shown = content_of([_block({"kind": kind, **mapping(part.get("content"))})])
        contents.texts += shown.texts
        contents.other += shown.other
    else:
        contents.other += filter(None, [rest_of({**part, "type": kind}, _PART - {"content"})])


def _call(part: Mapping[str, Any]) -> ToolCall:
    """A call; one that the provider runs says so."""
    hosted = part.get("provider_name") if part.get("part_kind") == "builtin-tool-call" else None
    args = part.get("args")
    if isinstance(args, dict) and args.keys() <= {"args_json", "args_dict"}:  # as the first versions wrote it
        args = first_of(args, "args_json", "args_dict")
    id = text_or_none(part.get("tool_call_id"))
    return ToolCall(text_of(part.get("tool_name")), raw(args), id=id, extra=filled(provider=hosted))


def _used(usage: Mapping[str, Any]) -> tuple[int | None, int | None, int | None, int | None, float | None]:
    """Tokens in, out, of thought and cached, and the cost; a request that nobody counted says zeros."""
    details = mapping(usage.get("details"))
    read = number_of(first_of(usage, "input_tokens", "request_tokens"))
    written = number_of(first_of(usage, "output_tokens", "response_tokens"))
    if not read and not written:
        return None, None, None, None, _cost(usage.get("cost"))
    thought = number_of(usage.get("output_reasoning_tokens") or details.get("reasoning_tokens"))
    cached = number_of(first_of(usage, "cache_read_tokens") or first_of(details, "cached_tokens"))
    return read, written, thought, cached, _cost(usage.get("cost"))


def _cost(value: Any) -> float | None:
    """A cost, also as the text of a decimal."""
    if isinstance(value, str) and len(value) < 40:
        try:
            return cost_of(float(value))
        except ValueError:
            return None
    return cost_of(value)
