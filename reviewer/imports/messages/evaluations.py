"""What evaluation harnesses keep of a test (prompt, output, expectation, marks) -> messages, scores, names. Pure.

Prompts are text, chat messages, either of them as JSON in a string, or a provider's request; outputs are text, a
message, calls, a provider's response or any value. What is none of these stays as it is, as text.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

from reviewer.imports.messages import bodies, chat
from reviewer.imports.messages.content import content_of, mapping, raw, rest_of, score_of, text_or_none
from reviewer.imports.messages.prompts import Said
from reviewer.imports.source import compact, unfolded
from reviewer.transcripts.model import Score

_REQUESTS = ("messages", "contents", "input", "prompt", "chat_history", "inputText")
_WORDS = ("question", "query", "prompt", "input", "text", "content", "message", "request", "user_input")
_REPLIES = ("output", "answer", "response", "text", "result", "completion", "generated_text")
_RESPONSES = ("choices", "candidates", "content", "tool_calls", "output", "generation", "generations", "outputs")
_BLOCKS = ("text", "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "output_text")
_SHORT = 60


def asked(value: Any) -> list[Said]:
    """The messages of a prompt; an object that is no request as the one text in it, else as it is."""
    told = unfolded(value)
    if isinstance(told, list) and told and all(_is_message(each) for each in told):
        return bodies.asked(told)
    if isinstance(told, Mapping):
        if _is_message(told):
            return bodies.asked([told])
        if any(isinstance(told.get(key), list) for key in _REQUESTS):
            made = bodies.asked(told)
            if made:
                return made
        name, words = next(iter(told.items())) if len(told) == 1 else ("", None)
        if name in _WORDS and isinstance(words, str) and not isinstance(value, str):
            return [{"role": "user", "content": words}]
    text = raw(value)
    return [{"role": "user", "content": text}] if text else []


def answered(value: Any) -> list[Said]:
    """The messages of an output; an output of no known shape as its text."""
    told = unfolded(value)
    said = _listed(told if isinstance(told, list) else [told]) if isinstance(told, list | Mapping) else []
    if not said and isinstance(value, Mapping):
        said = _object(value)
    if said and (not isinstance(value, str) or _calls(said)):
        return said
    text = raw(value)
    return [{"role": "assistant", "content": text}] if text is not None else []


def _listed(told: list[Any]) -> list[Said]:
    """An output that is messages, choices, calls or the blocks of one message."""
    if not told:
        return []
    if all(_is_message(each) or _is_item(each) for each in told) and _speaks(told):
        return bodies.asked(told)
    if all("message" in mapping(each) for each in told):
        return bodies.answered({"choices": told})
    if all(_is_call(each) for each in told):
        return [{"role": "assistant", "content": None, "tool_calls": told}]
    return [{"role": "assistant", "content": told}] if all(_is_block(each) for each in told) else []


def _object(told: Mapping[str, Any]) -> list[Said]:
    """An output that is a provider's response, holds messages, or is one text under a name."""
    if isinstance(told.get("messages"), list) and all(_is_message(each) for each in told["messages"]):
        return bodies.asked(told["messages"])
    if _is_response(told):
        return bodies.answered(told)
    name, inner = next(iter(told.items())) if len(told) == 1 else ("", None)
    return [{"role": "assistant", "content": inner}] if name in _REPLIES and isinstance(inner, str) else []


def _calls(said: list[Said]) -> bool:
    """True if there is a call among the messages; JSON without any is just what the model wrote."""
    structured = (each.get("tool_calls") or content_of(each.get("content")).calls for each in said)
    return any(structured) or any(each.get("type") == "function_call" for each in said)


def continued(before: list[Said], after: list[Said]) -> list[Said]:
    """An output without the prompt that some frameworks repeat at its start."""
    n = len(before)
    repeated = n > 0 and len(after) > n and all(_same(*pair) for pair in zip(before, after, strict=False))
    return after[n:] if repeated else after


def priced(said: list[Said], cost: float | None) -> list[Said]:
    """An output with what it cost."""
    return [{**said[0], "cost": cost}, *said[1:]] if said and cost is not None and "role" in said[0] else said


def _same(one: Said, other: Said) -> bool:
    return (one.get("role"), one.get("content")) == (other.get("role"), other.get("content"))


def _is_message(value: Any) -> bool:
    told = mapping(value)
    return isinstance(told.get("role"), str) and bool(told.keys() & {"content", "parts", "tool_calls", "function_call"})


def _speaks(told: list[Any]) -> bool:
    """True if an agent says or does something in it, so that it is more than a repeated prompt."""
    return any(chat.ROLES.get(chat.role_in(mapping(each)).lower()) == "agent" or _is_item(each) for each in told)


def _is_item(value: Any) -> bool:
    return mapping(value).get("type") in ("function_call", "function_call_output", "reasoning", "message")


def _is_call(value: Any) -> bool:
    told = mapping(value)
    inner = mapping(told.get("function")) or told
    return isinstance(inner.get("name"), str) and bool(inner.keys() & {"arguments", "input", "args"})


def _is_block(value: Any) -> bool:
    """True for a part of a message: a text, a thought or a call, as Anthropic and Gemini write them."""
    told = mapping(value)
    if isinstance(told.get("functionCall"), Mapping) or isinstance(told.get("toolUse"), Mapping):
        return True
    if told.get("type") in _BLOCKS:
        return True
    return isinstance(told.get("text"), str) and told.keys() <= {"text", "thought", "thoughtSignature"}


def _is_response(told: Mapping[str, Any]) -> bool:
    """True for a provider's response, or a message without its role."""
    shaped = any(isinstance(told.get(key), list) for key in _RESPONSES)
    return shaped or bool(mapping(mapping(told.get("output")).get("message")))


def scores_of(marks: Any, judge: str | None = None) -> tuple[Score, ...]:
    """Marks by their names, each a number, a word, or an object with `score` or `value` and a reason."""
    made: list[Score] = []
    for name, stated in mapping(marks).items():
        told = mapping(stated)
        value = next((told[key] for key in ("score", "value", "result") if key in told), None) if told else stated
        note = next((told[key] for key in ("reason", "rationale", "explanation", "comment") if told.get(key)), None)
        if value is not None:
            number, words = score_of(value)
            made.append(Score(str(name), number, judge, text_or_none(note), words))
    return tuple(made)


def short(text: Any, otherwise: str) -> str:
    """A name out of a text that may be a whole prompt."""
    said = text.strip() if isinstance(text, str) else ""
    return said if said and len(said) <= _SHORT and "\n" not in said else otherwise


def plain(metadata: Any) -> dict[str, Any]:
    """The short values of a test's metadata, which can be queried."""
    pairs = mapping(metadata).items()
    return {str(key): value for key, value in pairs if isinstance(value, int | float | str) and len(str(value)) <= 500}


def rest(metadata: Any) -> Mapping[str, Any] | None:
    """The lists, objects and long texts of a test's metadata."""
    return rest_of(mapping(metadata), plain(metadata).keys())


def expected_in(*values: Any) -> tuple[str, ...]:
    """The expected outputs of a test, as texts."""
    expected = [
        made for value in values for each in (value if isinstance(value, list) else [value]) if (made := raw(each))
    ]
    return tuple(dict.fromkeys(expected))


class Cases:
    """Names for tests that have none: the same inputs are the same case, and again by the same model a further run."""

    def __init__(self) -> None:
        self._known: dict[bytes, int] = {}
        self._runs: Counter[tuple[int, str]] = Counter()

    def number(self, *facts: Any) -> int:
        """The number of the case with these facts, from 0 in the order of the file."""
        digest = hashlib.blake2b(compact(list(facts)).encode("utf-8", "replace"), digest_size=16).digest()
        return self._known.setdefault(digest, len(self._known))

    def run(self, number: int, model: str) -> int | None:
        """None for the first time that this model met the case, then 2, 3 and so on."""
        self._runs[number, model] += 1
        times = self._runs[number, model]
        return times if times > 1 else None
