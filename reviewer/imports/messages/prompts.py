"""What a model was asked and what it answered, in any framework's shape -> chat messages or Responses items. Pure.

Traces keep prompts and completions as JSON in a string, as a provider's request, as a framework's own objects or as the
`repr` of them. `asked` and `answered` turn each into one list of message objects; what is none of these gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.basics.python_literals import literal
from reviewer.imports.messages import citations
from reviewer.imports.messages.content import call_of, first_of, listed, mapping, text_of
from reviewer.imports.source import unfolded

Said = dict[str, Any]

_LANGCHAIN = {"human": "user", "ai": "assistant", "aimessagechunk": "assistant", "system": "system", "tool": "tool"}
_REPR = re.compile(
    r"(?<!\w)(\w+)=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|None\b|\[.*?\](?=,? \w+=|$)|[^\s,()]+)", re.DOTALL
)
_BEGINS = re.compile(r"(?:[A-Z]\w*\()?\w+=")
_MOST_LISTS = 50
"""So many lists may stand in what was written with `repr`: each is looked for up to the end of the text."""
_CALL_REPR = re.compile(r"ResponseFunctionToolCall\((.*)\)", re.DOTALL)
_OF_MESSAGES = (
    *("role", "content", "parts", "text", "tool_calls", "function_call", "tool_call_id", "name", "refusal"),
    *("reasoning_content", "reasoning", "thinking", "thinking_blocks", "reasoning_details", "usage"),
    *citations.LISTS,
)
_OF_ITEMS = ("type", "call_id", "arguments", "output", "summary", "id")
_CALLING = "Calling tools:"


def asked(value: Any) -> list[Said]:
    """The messages of a prompt."""
    value = _opened(value)
    if isinstance(value, str):
        return [{"role": "user", "content": value}] if value else []
    if isinstance(value, list):
        return _messages(value)
    return _request(value) if isinstance(value, Mapping) else []


def answered(value: Any) -> list[Said]:
    """The messages of a completion."""
    value = _opened(value)
    if isinstance(value, str):
        return [{"role": "assistant", "content": value}] if value not in ("", "None") else []
    if isinstance(value, list):
        if value and all("toolName" in mapping(each) for each in value):
            return [{"role": "assistant", "tool_calls": value}]
        return _messages(value)
    return _completion(value) if isinstance(value, Mapping) else []


def instructed(said: list[Said], completion: Any) -> list[Said]:
    """The prompt with the instructions that only a stored response repeats."""
    told = mapping(_opened(completion)).get("instructions")
    if not isinstance(told, str) or not told or any(each.get("role") == "system" for each in said):
        return said
    return [{"role": "system", "content": told}, *said]


def is_structured(value: Any) -> bool:
    """True if a prompt is more than one text."""
    return not isinstance(_opened(value), str | None)


def _opened(value: Any) -> Any:
    """JSON out of its string, twice where it was folded twice."""
    for _ in range(2):
        if isinstance(value, str) and value[:1] == '"' and value[-1:] == '"':
            inner = unfolded(f"[{value}]")
            value = inner[0] if isinstance(inner, list) and len(inner) == 1 else value
        value = unfolded(value)
    return value


def _request(value: Mapping[str, Any]) -> list[Said]:
    if "role" in value:
        return _messages([value])
    system = first_of(value, "system", "instructions") or mapping(value.get("config")).get("system_instruction")
    head: list[Said] = [{"role": "system", "content": _parts(system)}] if system else []
    for key in ("messages", "contents", "input", "new_message", "prompt", "args", "kwargs"):
        inner = value.get(key)
        if isinstance(inner, list) and inner:
            return [*head, *_messages(inner)]
        if (isinstance(inner, Mapping) and inner) or (
            isinstance(inner, str) and key in ("input", "prompt", "contents")
        ):
            return [*head, *asked(inner)]
    return head


def _completion(value: Mapping[str, Any]) -> list[Said]:
    if "generations" in value:
        return [made for each in _flat(value["generations"]) for made in _generation(mapping(each))]
    if isinstance(value.get("choices"), list):
        return _messages([mapping(each).get("message") for each in value["choices"]])
    if isinstance(value.get("candidates"), list):
        return _messages([{"role": "model", **mapping(mapping(each).get("content"))} for each in value["candidates"]])
    for key in ("output", "messages"):
        if isinstance(value.get(key), list):
            return _messages(value[key])
    for key in ("content", "message"):
        inner = value.get(key)
        if isinstance(inner, Mapping):
            return _messages([{"role": "assistant", **inner}])
    if "role" in value or _is_langchain(value):
        return _messages([value])
    return [{"role": "assistant", "content": value["text"]}] if isinstance(value.get("text"), str) else []


def _flat(value: Any) -> Iterator[Any]:
    for each in listed(value):
        yield from _flat(each) if isinstance(each, list) else [each]


def _generation(value: Mapping[str, Any]) -> list[Said]:
    message = mapping(value.get("message"))
    message = mapping(message.get("kwargs")) or message
    calls = listed(message.get("tool_calls"))
    text = text_of(value.get("text")) or message.get("content")
    old = mapping(message.get("additional_kwargs")).get("function_call")
    return [{"role": "assistant", "content": text, "tool_calls": calls, **({"function_call": old} if old else {})}]


def _messages(values: list[Any]) -> list[Said]:
    messages: list[Said] = []
    called: set[str] = set()
    for made in (made for value in _flat(values) for made in _message(value)):
        role = made.get("role")
        if isinstance(role, str) and role in called:  # some frameworks give a result the tool's name for a role
            made |= {"role": "tool", "name": role}
        called.update(call_of(call).name for call in listed(made.get("tool_calls")) if isinstance(call, Mapping))
        messages.append(made)
    return messages


def _message(value: Any) -> Iterator[Said]:
    if isinstance(value, str):
        told = _from_repr(value)
        yield told if "role" in told else {"role": "user", "content": value}
        return
    told = dict(mapping(value))
    told = dict(mapping(told.get("message"))) if "role" not in told and "message" in told else told
    told = dict(mapping(told.get("kwargs"))) if "kwargs" in told and "role" not in told else told
    if "role" not in told and _is_langchain(told):
        told["role"] = _LANGCHAIN[str(told["type"]).lower()]
    if not told or _is_tool_definition(told):
        return
    if not told.get("tool_calls"):
        beside = mapping(told.get("additional_kwargs"))
        calls, old = beside.get("tool_calls"), beside.get("function_call")
        if old and not calls and not told.get("function_call"):
            told["function_call"] = old
        written = [] if calls else _calls_in(told)
        told["tool_calls"] = calls or written
        if written:
            told |= {"role": "assistant", "content": None, "parts": None}
    items = _OF_ITEMS if "role" not in told else ()
    yield {key: told[key] for key in (*_OF_MESSAGES, *items) if told.get(key) is not None}


def _is_langchain(told: Mapping[str, Any]) -> bool:
    return str(told.get("type") or "").lower() in _LANGCHAIN


def _is_tool_definition(told: Mapping[str, Any]) -> bool:
    inner = mapping(told.get("content"))
    return "parameters" in mapping(inner.get("function"))


def _calls_in(told: Mapping[str, Any]) -> list[Any]:
    """Calls that a framework wrote as the text of a message, and nothing beside them."""
    body = first_of(told, "content", "parts")
    if listed(body) and all(isinstance(mapping(each).get("function"), Mapping) for each in listed(body)):
        return listed(body)
    texts = [body] if isinstance(body, str) else [_block(each) for each in listed(body)]
    matches = [_CALL_REPR.fullmatch(text) for text in texts]
    if texts and all(matches):
        return [_from_repr(each[1]) for each in matches if each is not None]
    if len(texts) != 1:
        return []
    if told.get("role") == "tool-call" and texts[0].startswith(_CALLING):
        return listed(_literal(texts[0].removeprefix(_CALLING).strip()))
    calls = listed(unfolded(texts[0]))
    return calls if all("function" in mapping(each) for each in calls) else []


def _block(value: Any) -> str:
    return value if isinstance(value, str) else text_of(first_of(mapping(value), "text", "content"))


def _from_repr(text: str) -> Said:
    """The fields of an object that was written with `repr`; none of a text that only looks a little like it."""
    if not _BEGINS.match(text) or text.count("=[") > _MOST_LISTS:
        return {}
    return {name: _literal(value) for name, value in _REPR.findall(text)}


def _literal(text: str) -> Any:
    return literal(text, text)


def _parts(value: Any) -> Any:
    return mapping(value).get("parts") or value
