"""The pieces of a streamed response -> the response they make up, in the shape it would have had unstreamed. Pure.

Knows the streams of OpenAI's chat, of Anthropic, of Bedrock's Converse and of models that send bare text a piece.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reviewer.imports.messages.content import first_of, listed, mapping, text_of
from reviewer.imports.source import unfolded

_TEXTS = ("generation", "outputText", "completion", "text")
_CONVERSE = ("messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata")


def joined(chunks: Sequence[Any]) -> Mapping[str, Any]:
    """The response that these pieces make up; of pieces of no known stream, the last that is an object."""
    pieces = [mapping(mapping(unfolded(each)).get("chunk")) or mapping(unfolded(each)) for each in chunks]
    if any(isinstance(piece.get("choices"), list) for piece in pieces):
        return _openai(pieces)
    if any(str(piece.get("type")).startswith(("message_", "content_block_")) for piece in pieces):
        return _anthropic(pieces)
    if any(name in piece for piece in pieces for name in _CONVERSE[:5]):
        return _converse(pieces)
    key = next((key for key in _TEXTS if any(isinstance(piece.get(key), str) for piece in pieces)), None)
    told = {name: value for piece in pieces for name, value in piece.items() if value is not None}
    return told if key is None else {**told, key: "".join(text_of(piece.get(key)) for piece in pieces)}


def _openai(pieces: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The first choice of OpenAI's chat chunks as one message."""
    texts: dict[str, list[str]] = {"content": [], "reasoning_content": [], "refusal": []}
    calls: dict[Any, dict[str, Any]] = {}
    whole: dict[str, Any] = {}
    stop: Any = None
    for piece in pieces:
        whole |= {key: value for key, value in piece.items() if key != "choices" and value is not None}
        choice = mapping(next(iter(listed(piece.get("choices"))), None))
        delta = mapping(first_of(choice, "delta", "message"))
        stop = choice.get("finish_reason") or stop
        for name, said in texts.items():
            value = delta.get(name) or (delta.get("reasoning") if name == "reasoning_content" else None)
            said += [value] if isinstance(value, str) else []
        for told in map(mapping, listed(delta.get("tool_calls"))):
            call = calls.setdefault(told.get("index", len(calls)), {"name": [], "arguments": []})
            call["id"] = call.get("id") or told.get("id")
            for name in ("name", "arguments"):
                call[name].append(text_of(mapping(told.get("function")).get(name)))
    made = [
        {"id": it["id"], "function": {"name": "".join(it["name"]), "arguments": "".join(it["arguments"])}}
        for it in calls.values()
    ]
    message = {name: "".join(said) for name, said in texts.items() if said}
    return {
        **whole,
        "choices": [{"message": {"role": "assistant", **message, "tool_calls": made}, "finish_reason": stop}],
    }


def _anthropic(pieces: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Anthropic's events as one message with its blocks."""
    message: dict[str, Any] = {"role": "assistant"}
    blocks: dict[Any, dict[str, Any]] = {}
    usage: dict[str, Any] = {}
    for piece in pieces:
        told = mapping(piece.get("message"))
        message |= {key: value for key, value in told.items() if key not in ("content", "usage")}
        usage |= {**mapping(told.get("usage")), **mapping(piece.get("usage"))}
        if piece.get("type") == "content_block_start":
            blocks[piece.get("index")] = dict(mapping(piece.get("content_block")))
        delta = mapping(piece.get("delta"))
        if piece.get("type") == "content_block_delta":
            _extend(blocks.setdefault(piece.get("index"), {"type": "text"}), delta)
        elif delta.get("stop_reason"):
            message["stop_reason"] = delta["stop_reason"]
    return {**message, "content": [_closed(block) for block in blocks.values()], "usage": usage}


def _extend(block: dict[str, Any], delta: Mapping[str, Any]) -> None:
    """Add a piece to its block; the pieces of a call's arguments are gathered as text."""
    for name, into in (("text", "text"), ("thinking", "thinking"), ("partial_json", "pieces")):
        if isinstance(delta.get(name), str):
            block[into] = text_of(block.get(into)) + delta[name]


def _closed(block: dict[str, Any]) -> dict[str, Any]:
    pieces = block.pop("pieces", None)
    return {**block, "input": pieces} if pieces else block


def _converse(pieces: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The events of Converse (and of Nova, which sends the same) as one response."""
    blocks: dict[Any, dict[str, Any]] = {}
    whole: dict[str, Any] = {}
    for piece in pieces:
        started, delta = mapping(piece.get("contentBlockStart")), mapping(piece.get("contentBlockDelta"))
        if started:
            blocks.setdefault(started.get("contentBlockIndex"), {}).update(mapping(started.get("start")))
        if delta:
            _add(blocks.setdefault(delta.get("contentBlockIndex"), {}), mapping(delta.get("delta")))
        whole |= {**mapping(piece.get("messageStop")), **mapping(piece.get("metadata"))}
    return {**whole, "output": {"message": {"role": "assistant", "content": list(blocks.values())}}}


def _add(block: dict[str, Any], delta: Mapping[str, Any]) -> None:
    thought, called = mapping(delta.get("reasoningContent")), mapping(delta.get("toolUse"))
    if isinstance(delta.get("text"), str):
        block["text"] = text_of(block.get("text")) + delta["text"]
    if thought:
        before = text_of(mapping(mapping(block.get("reasoningContent")).get("reasoningText")).get("text"))
        block["reasoningContent"] = {"reasoningText": {"text": before + text_of(thought.get("text"))}}
    if called:
        use = mapping(block.get("toolUse"))
        before = use["input"] if isinstance(use.get("input"), str) else ""
        block["toolUse"] = {**use, "input": before + text_of(called.get("input"))}
