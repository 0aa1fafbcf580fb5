"""What was sent to a model and what came back, in any provider's body -> messages, usage, tools, settings. Pure.

Knows the bodies of OpenAI (chat and Responses), Anthropic, Bedrock's Converse and Nova, Gemini, Llama, Titan, Mistral
and Cohere. Messages come out as `chat` and `items` read them; a streamed response is joined first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.imports.messages import streams
from reviewer.imports.messages.content import filled, first_of, listed, mapping, text_of
from reviewer.imports.messages.prompts import Said
from reviewer.imports.source import compact, unfolded

_LISTS = ("messages", "input", "contents", "chat_history")
_WORDS = ("prompt", "inputText", "message", "input", "contents", "query")
_ANSWERS = ("generation", "completion", "outputText", "output_text", "text", "output")
_SYSTEMS = ("system", "instructions", "systemInstruction", "system_instruction", "preamble")
_ASKING = (*_LISTS, *_WORDS, *_SYSTEMS, "tools", "toolConfig", "model", "modelId", "functions")
_HEADER, _HEADED, _TURN_ENDS = "<|start_header_id|>", "<|end_header_id|>", ("<|eot_id|>", "<|eom_id|>")
_FILES = ("image", "document", "video", "audio")
"""Blocks that Converse names by a key and that hold a file."""


def asked(body: Any) -> list[Said]:
    """The messages that a request sent, its system prompt first; a text that is no request as the customer's words."""
    told = unfolded(body)
    said = _asked(told) if isinstance(told, Mapping) else _plain(told) if isinstance(told, list) else []
    return [{"role": "user", "content": body}] if isinstance(body, str) and body and not said else said


def _asked(told: Mapping[str, Any]) -> list[Said]:
    system = first_of(told, *_SYSTEMS)
    if isinstance(system, Mapping):
        system = system.get("parts") or system
    head: list[Said] = [{"role": "system", "content": _blocks(system)}] if system else []
    said: list[Any] = next((told[key] for key in _LISTS if isinstance(told.get(key), list) and told[key]), [])
    words = next((told[key] for key in _WORDS if isinstance(told.get(key), str) and told[key]), None)
    last = _turns(words) if words is not None and (not said or said is told.get("chat_history")) else []
    return [*head, *_plain(said), *last]


def answered(body: Any) -> list[Said]:
    """The messages that a response brought; a text that is no response as the agent's words."""
    told = _response(body)
    said = _answered(told) if isinstance(told, Mapping) else []
    return [{"role": "assistant", "content": body}] if isinstance(body, str) and body and not said else said


def _answered(told: Mapping[str, Any]) -> list[Said]:
    message = mapping(mapping(told.get("output")).get("message")) or mapping(told.get("message"))
    if "content" in message or message.get("tool_calls"):
        return _plain([message])
    if isinstance(told.get("choices"), list):
        return _choices([mapping(each) for each in told["choices"]])
    if isinstance(told.get("candidates"), list):
        return _plain([{"role": "model", **mapping(mapping(each).get("content"))} for each in told["candidates"]])
    if isinstance(told.get("output"), list):
        return _plain(told["output"])
    if "content" in told:
        rest = {"role": "assistant", "content": _blocks(told["content"])}
        return [{**rest, **({"tool_calls": told["tool_calls"]} if told.get("tool_calls") else {})}]
    words = next((told[key] for key in _ANSWERS if isinstance(told.get(key), str)), None)
    if words is not None or told.get("tool_calls"):
        return [{"role": "assistant", "content": words, "tool_calls": told.get("tool_calls")}]
    inner: list[Any] = next(
        (told[key] for key in ("results", "outputs", "generations") if isinstance(told.get(key), list)), []
    )
    return [made for each in inner if isinstance(each, Mapping) for made in answered(each)]


def usage_of(body: Any) -> Mapping[str, Any]:
    """The token counts of a response, under names that `tokens_of` knows."""
    told = _response(body)
    if isinstance(told, str):
        return {}
    counts = mapping(first_of(told, "usage", "usageMetadata"))
    if counts:
        return counts
    result = mapping(next(iter(listed(told.get("results"))), None))
    read = first_of(told, "prompt_token_count", "inputTextTokenCount")
    written = first_of(told, "generation_token_count", "totalOutputTextTokenCount") or result.get("tokenCount")
    return filled(input_tokens=read, output_tokens=written) or {}


def stop_of(body: Any) -> str | None:
    """Return the reason for which the model stopped, in its own word."""
    told = _response(body)
    if isinstance(told, str):
        return None
    first = mapping(next((each[0] for name in ("choices", "candidates") if (each := listed(told.get(name)))), None))
    stated = first_of({**first, **told}, "stopReason", "stop_reason", "finish_reason", "finishReason")
    return stated if isinstance(stated, str) else None


def model_of(request: Any, response: Any) -> str:
    """The model that answered, else the one that was asked for."""
    places = (_response(response), unfolded(request))
    names = (first_of(mapping(place), "model", "modelId", "modelVersion") for place in places)
    return next((name for name in names if isinstance(name, str) and name), "")


def tools_of(body: Any) -> tuple[Mapping[str, Any], ...]:
    """The tools that a request offered, as it defines them."""
    told = mapping(unfolded(body))
    tools = first_of(told, "tools", "functions") or mapping(told.get("toolConfig")).get("tools")
    return tuple(each for each in listed(tools) if isinstance(each, Mapping))


def settings_of(body: Any) -> dict[str, Any]:
    """The other settings of a request: temperature, limits, the choice of tools."""
    told = mapping(unfolded(body))
    kept = {key: value for key, value in told.items() if key not in _ASKING and value not in (None, "", [], {})}
    choice = mapping(told.get("toolConfig")).get("toolChoice")
    kept |= {"toolChoice": choice} if choice else {}
    return kept if len(compact(kept)) <= 20_000 else {}


def converse_block(block: Any) -> bool:
    """True for a block of a Converse message, which is named by its key and has no type."""
    told = mapping(block)
    return bool(told) and "type" not in told and bool(told.keys() & {*_BLOCK_KEYS})


_BLOCK_KEYS = (
    *("text", "toolUse", "toolResult", "reasoningContent", "cachePoint", "guardContent", "citationsContent"),
    *_FILES,
)
_TURNED = frozenset(("toolResult", "cachePoint", "guardContent", *_FILES))
"""Those that others write differently."""


def _response(body: Any) -> Mapping[str, Any] | str:
    told = unfolded(body)
    if isinstance(told, list):
        return streams.joined(told)
    if isinstance(told, str):
        return _unstreamed(told)
    inner = mapping(told).get("body")
    return _response(inner) if isinstance(inner, Mapping) and "status_code" in mapping(told) else mapping(told)


def _unstreamed(text: str) -> Mapping[str, Any] | str:
    """The response in the lines of a stream as it went over the wire; any other text as it is."""
    if not text.startswith(("data:", "event:")):
        return text
    lines = [line.removeprefix("data:").strip() for line in text.splitlines() if line.startswith("data:")]
    return streams.joined([line for line in lines if line.startswith("{")])


def _choices(choices: list[Mapping[str, Any]]) -> list[Said]:
    """The first choice; the others are kept with it, since the conversation went on from one."""
    made: list[Said] = []
    for choice in choices:
        message = first_of(choice, "message", "delta")
        made.append(
            dict(message) if isinstance(message, Mapping) else {"role": "assistant", "content": choice.get("text")}
        )
    if len(made) > 1:
        made[0]["other_choices"] = made[1:]
    return [{"role": "assistant", **made[0]}] if made else []


def _plain(messages: list[Any]) -> list[Said]:
    """Messages with the blocks of Converse as others write them; what is no object as the customer's words."""
    plain: list[Said] = []
    for each in messages:
        if isinstance(each, Mapping):
            content = each.get("content")
            plain.append({**each, "content": _blocks(content)} if isinstance(content, list) else dict(each))
        elif each not in (None, ""):
            plain.append({"role": "user", "content": each if isinstance(each, str) else compact(each)})
    return plain


def _blocks(content: Any) -> Any:
    if not isinstance(content, list) or not any(_needs_turning(block) for block in content):
        return content
    return [made for block in content for made in _block(block)]


def _needs_turning(block: Any) -> bool:
    return isinstance(block, dict) and "type" not in block and not _TURNED.isdisjoint(block)


def _block(block: Any) -> Iterator[Any]:
    if not converse_block(block):
        yield block
        return
    told = mapping(block)
    kind = next((key for key in _FILES if key in told), None)
    guarded = mapping(mapping(told.get("guardContent")).get("text")).get("text")
    if kind is not None:
        inner = mapping(told[kind])
        source = {key: value for key, value in mapping(inner.get("source")).items() if key != "bytes"}
        yield filled(type=kind, filename=inner.get("name"), format=inner.get("format"), source=source)
    elif guarded is not None:
        yield {"type": "text", "text": text_of(guarded)}
    elif isinstance(told.get("toolResult"), Mapping):
        result = told["toolResult"]
        yield {"toolResult": {**result, "content": _result(result.get("content"))}}
    elif told.keys() != {"cachePoint"}:
        yield block


def _result(content: Any) -> Any:
    """A tool's result, with JSON as text."""
    shown = [
        {"type": "text", "text": compact(mapping(block)["json"])} if mapping(block).keys() == {"json"} else made
        for block in listed(content)
        for made in _block(block)
    ]
    return shown if isinstance(content, list) else content


def _turns(text: str) -> list[Said]:
    """The turns of a prompt that Llama's headers tell apart; any other prompt as the customer's words."""
    if _HEADER not in text:
        return [{"role": "user", "content": text}]
    said: list[Said] = []
    for part in text.split(_HEADER)[1:]:
        role, _, body = part.partition(_HEADED)
        words = body.removeprefix("\n\n")
        for mark in _TURN_ENDS:
            words = words.removesuffix(mark)
        if words or role != "assistant":
            said.append({"role": role, "content": words})
    return said
