"""Content as providers write it -> text, reasoning, calls and results: strings, blocks, parts, or nothing. Pure.

Owns the many spellings of one thing: OpenAI and Anthropic blocks, Responses items, Gemini and OpenTelemetry parts. A
picture or a file leaves its kind and name in brackets in the text, and itself (when small) in `other`. A block of an
unknown kind leaves nothing in the text of a message; it is kept in `other`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from reviewer.imports.messages import citations
from reviewer.imports.messages.placeholders import WORDS, is_file, is_marker, placeholder
from reviewer.imports.messages.token_names import ALL_TOKENS, CANDIDATES, names_among
from reviewer.imports.source import compact, unfolded
from reviewer.transcripts.model import Json, ToolCall, Usage

SMALL = 4_000
"""Characters of a block without a place of its own that are kept."""
_THOUGHT = re.compile(r"thinking|reasoning(?:[._]\w+)?|redacted_thinking|.*ReasoningContent")
_CALL = re.compile(r"tool_call|function_call|tool-call|function|(?:.*_)?tool_use")
_ANSWER = re.compile(r"tool_call_response|function_response|tool-result|function_call_output|(?:.*_)?tool_result")
_CALL_KEYS = ("function_call", "functionCall", "toolUse")
_ANSWER_KEYS = ("function_response", "functionResponse", "toolResult")
_ID_NAMES = ("tool_call_id", "call_id", "source_call_id", "tool_use_id", "toolCallId", "toolUseId", "tool_call_ids")
_ITEM = "fc_"  # so begin the ids of the items in which Responses keeps calls; the calls have ids of their own
_COSTS = ("cost", "total_cost", "cost_usd", "total_cost_usd", "totalCost", "instance_cost")
TIMES = ("timestamp", "created_at", "createdAt")  # when a message or a result came
TIMED = frozenset(TIMES)
_MARKS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""How Inspect counts correct, partial, incorrect and no answer."""


@dataclass(slots=True)
class Answer:
    """A tool's result as the log gave it, before it is tied to its call."""

    result: str
    id: str | None = None
    name: str | None = None
    error: str | None = None
    at: str | None = None
    extra: Json | None = None
    by: str | None = None
    """The role whose call it answers, where the log says so."""


@dataclass
class Content:
    """The texts, thoughts, calls and results of one content."""

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    other: list[Any] = field(default_factory=list)
    citations: list[Json] = field(default_factory=list)
    """The passages that the texts cite."""

    @property
    def beside(self) -> dict[str, Any]:
        """What belongs to a message and is not its words, as it stands in the message's `extra`."""
        return {**(filled(blocks=self.other, citations=self.citations) or {})}

    def say(self, text: str, cited: Any) -> None:
        """Add a text with the passages that it cites."""
        if cited and text:
            at = sum(len(each) + 1 for each in self.texts)
            self.citations += citations.of_text(cited, text, at)
        if text:  # a block without words is no line of its own, unlike a blank string in a list of strings
            self.texts.append(text)

    @property
    def text(self) -> str:
        """The texts, a line after another; a blank string in a list of them is a blank line."""
        return "\n".join(self.texts)

    @property
    def reasoning(self) -> str:
        """The thoughts, a line after another."""
        return "\n".join(self.thoughts)


def content_of(value: Any, named: bool = False) -> Content:
    """Split a content into texts, thoughts, calls and results; `named` puts the names of unknown blocks into the text.

    A tool's result is shown with them, since nothing else says what came back.
    """
    content = Content()
    for block in value if isinstance(value, list) else [value]:
        if isinstance(block, str):
            content.texts.append(block)
        elif isinstance(block, dict):
            _take(block, content, named)
        elif block is not None:
            content.texts.append(compact(block))
    return content


def _take(block: Mapping[str, Any], content: Content, named: bool) -> None:
    kind = str(block.get("type") or "")
    if _THOUGHT.fullmatch(kind) or "reasoningContent" in block:
        content.thoughts += filter(None, ("" if kind == "redacted_thinking" else _thought(block),))
    elif _CALL.fullmatch(kind) or any(key in block for key in _CALL_KEYS):
        content.calls += map(call_of, _calls(_inner(block, *_CALL_KEYS)))
    elif _ANSWER.fullmatch(kind) or any(key in block for key in _ANSWER_KEYS):
        content.answers.append(answer_of(_inner(block, *_ANSWER_KEYS)))
    elif kind.startswith("tool-") and ("toolCallId" in block or "toolInvocation" in block):
        content.calls.append(_call_with_result(kind, _inner(block, "toolInvocation")))
    elif kind in WORDS and (said := _text(block)) is not None:
        if block.get("thought") is True:
            content.thoughts += filter(None, (said,))
        else:
            content.say(said, citations.stated(block))
    elif "citationsContent" in block:
        cited = mapping(block["citationsContent"])
        content.say(text_of(cited.get("content")), cited.get("citations"))
    elif not is_marker(block, kind):
        _keep(block, kind, content, named)


def _keep(block: Mapping[str, Any], kind: str, content: Content, named: bool) -> None:
    """Keep a block that is neither words nor thoughts, calls or results."""
    if citations.is_source(kind) and not named:
        content.citations.append(citations.of_source(block))
    elif not kind:
        content.texts.append(compact(block))
    else:
        known = kind in WORDS or is_file(kind)
        if kind not in WORDS and (named or known):  # words under a name that is not read are blank, which is seen
            content.texts.append(placeholder(block, kind))
        kept = rest_of(block, ()) if not known else block if len(compact(block)) <= SMALL else None
        content.other += [kept] if kept else []


def _inner(block: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    return next((block[name] for name in names if isinstance(block.get(name), Mapping)), block)


def _calls(block: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The call of a block, or those that its `value` holds, as JSON too."""
    value = block.get("value")
    if value is None or "name" in block or "function" in block:
        return [block]
    held = unfolded(value)
    made: list[Mapping[str, Any]] = [
        each for each in (held if isinstance(held, list) else [held]) if isinstance(each, Mapping)
    ]
    return made or [{**block, "arguments": value}]


def _text(block: Mapping[str, Any]) -> str | None:
    said = (block.get(key) for key in ("text", "content", "refusal", "value"))
    values = (mapping(each).get("value") if isinstance(each, dict) else each for each in said)
    return next((value for value in values if isinstance(value, str)), None)


def _thought(block: Mapping[str, Any]) -> str:
    for key in ("reasoningContent", "reasoningText", "thinking", "reasoning", "text", "content", "summary", "value"):
        if block.get(key):
            inner = block[key]
            return _thought(inner) if isinstance(inner, dict) else thought_of(inner)
    return ""


def call_of(call: Mapping[str, Any]) -> ToolCall:
    """Read one call, whichever names it uses: its function nested or not, its arguments as text or object."""
    function = call.get("function") or call.get("custom")
    inner: Mapping[str, Any] = function if isinstance(function, dict) else call
    name = function if isinstance(function, str) else first_of(inner, "name", "toolName", "function_name", "tool_name")
    arguments = first_of(inner, "arguments", "input", "args", "parameters", "kwargs")
    id = call.get("id") if call.get("id") is not None else call_id(call)
    if call.get("call_id") is not None:  # Responses items have an `id` of their own beside it
        id = call["call_id"]
    error = call.get("parse_error") or call.get("error")
    result = call.get("result") if isinstance(call.get("type"), str) else None  # of a tool that the provider runs
    at = None if TIMED.isdisjoint(call) else time_of(first_of(call, *TIMES))
    return ToolCall(
        text_of(name), raw(arguments), raw(result), text_or_none(error), None if id is None else str(id), at=at
    )


def _call_with_result(kind: str, block: Mapping[str, Any]) -> ToolCall:
    """A call and its result in one part, as Vercel's messages have them: `tool-get_order` names the tool."""
    named = {"name": first_of(block, "toolName") or kind.removeprefix("tool-"), **block}
    error = text_or_none(block.get("errorText"))
    return replace(call_of(named), result=raw(first_of(block, "output", "result", "errorText")), error=error)


def answer_of(item: Mapping[str, Any]) -> Answer:
    """Read one result, whichever names it uses for its content and its error."""
    value = first_of(item, "content", "output", "response", "result", "text", "value")
    failed = item.get("is_error") is True or item.get("isError") is True or item.get("status") == "error"
    result = text_of(value)
    named = first_of(item, "name", "toolName", "function", "tool_name")
    shown = content_of(value, named=True).other if isinstance(value, list) else []
    return Answer(
        result,
        call_id(item),
        str(named) if named else None,
        (result or "error") if failed else None,
        None if TIMED.isdisjoint(item) else time_of(first_of(item, *TIMES)),
        filled(blocks=shown),
    )


def kind_of(id: str | None) -> str:
    """Whether an id is an item's or a call's: the Responses API has both for one call."""
    return ("item" if id.startswith(_ITEM) else "call") if id else ""


def call_id(item: Mapping[str, Any]) -> str | None:
    """The id that ties a result to its call, whichever key it uses."""
    for name in _ID_NAMES:
        value = item.get(name)
        if isinstance(value, list) and value:
            value = value[0]
        if value is not None and value != "" and value != []:
            return str(value)
    return str(item["id"]) if item.get("id") not in (None, "") and "role" not in item else None


def first_of(item: Mapping[str, Any], *names: str) -> Any:
    """The first of these fields that is not empty."""
    for name in names:
        value = item.get(name)
        if value is not None:
            return value
    return None


def raw(value: Any) -> str | None:
    """A value as text: a string as it is, anything else as compact JSON."""
    if value is None or isinstance(value, str):
        return value
    return compact(value)


def text_of(content: Any) -> str:
    """The text of a content that may be text, blocks, strings or nothing; what is more than words as JSON."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if isinstance(content, list) and all(isinstance(each, str) or _is_block(each) for each in content):
        said = content_of(content, named=True)
        if not (said.thoughts or said.calls or said.answers):
            return said.text
    return compact(content)


def thought_of(content: Any) -> str:
    """The text of a field that holds reasoning: text, or blocks of it."""
    if isinstance(content, list) and all(isinstance(each, str) or _is_block(each) for each in content):
        said = content_of(content)
        return "\n".join((*said.thoughts, *said.texts))
    return text_of(content)


def _is_block(value: Any) -> bool:
    return isinstance(value, Mapping) and ("type" in value or value.keys() == {"text"})


def text_or_none(value: Any) -> str | None:
    """The text of a field; None if it is empty."""
    return None if value is None or value == "" else str(value) if not isinstance(value, list | dict) else raw(value)


def number_of(value: Any) -> int | None:
    """A count that fits a column; None for anything else."""
    if value is None:
        return None
    if type(value) is int and 0 <= value < 2**63:
        return value
    value = int(value) if isinstance(value, float) and value.is_integer() else value
    return value if type(value) is int and -(2**63) <= value < 2**63 else None


def time_of(value: Any) -> str | None:
    """A time as ISO text: as it is, or from seconds, milliseconds or nanoseconds since 1970."""
    if value is None:
        return None
    if isinstance(value, str) and len(value) >= 10 and value.isdigit():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return text_or_none(value)
    seconds = float(value) if abs(value) < 2**1000 else math.inf
    while 1e11 < seconds < math.inf:
        seconds /= 1000
    if not 0 < seconds <= 1e11:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


Tokens = tuple[int | None, int | None, int | None, int | None]
NO_TOKENS: Tokens = (None, None, None, None)


def tokens_of(usage: Any) -> Tokens:
    """Tokens in (cached ones included), out (reasoning included), spent on reasoning, and cached; under any names."""
    if not isinstance(usage, dict) or not usage:
        return NO_TOKENS
    reads, writes, thoughts, caches, kept, made, more, within = names_among(tuple(usage))
    tokens_in, tokens_out = number_of(first_of(usage, *reads)), number_of(first_of(usage, *writes))
    if not (thoughts or caches or kept or made or more or within):
        return tokens_in, tokens_out, None, None
    read, written = mapping(first_of(usage, *more)), mapping(first_of(usage, *within))
    thought = _counted((usage, *thoughts), (written, "reasoning_tokens", "reasoning"))
    cached = _counted((usage, *caches), (read, "cached_tokens", "cache_read"))
    beside = number_of(first_of(usage, *kept))
    apart = (beside or 0) + (number_of(first_of(usage, *made)) or 0) if cached is None else 0
    if apart or cached or thought:
        over = _over(usage, tokens_in, tokens_out)
        if tokens_in is not None and over != 0 and (apart or (cached and over in (cached, cached + (thought or 0)))):
            tokens_in += apart or cached or 0
        # Gemini counts thoughts apart, and so does who has more of them than words
        if tokens_out is not None and thought:
            told_apart = thought > tokens_out or (over != 0 and first_of(usage, *CANDIDATES) is not None)
            tokens_out += thought if told_apart or over in (thought, thought + (cached or apart)) else 0
    return tokens_in, tokens_out, thought, cached if cached is not None else beside


def _over(usage: Mapping[str, Any], tokens_in: int | None, tokens_out: int | None) -> int | None:
    """The tokens that a stated total contains beyond those in and out."""
    total = number_of(first_of(usage, *ALL_TOKENS))
    return None if total is None or tokens_in is None or tokens_out is None else total - tokens_in - tokens_out


def _counted(*places: tuple[Any, ...]) -> int | None:
    """The first count among the fields of some places; a nought does not hide what another place says."""
    told = None
    for place, *names in places:
        count = number_of(first_of(place, *names)) if place and names else None
        if count:
            return count
        told = count if told is None else told
    return told


def cost_of(value: Any) -> float | None:
    """A cost that is a number; None for anything else."""
    counts = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**1000
    return float(value) if counts and math.isfinite(value) else None


def usage_of(usage: Any, cost: Any = None) -> Usage | None:
    """The usage of a whole conversation, from the totals of its source; None if it has none."""
    told = mapping(usage)
    spent = cost_of(first_of(told, *_COSTS)) if cost_of(cost) is None else cost_of(cost)
    figures = (*tokens_of(told), spent)
    return Usage(*figures) if any(each is not None for each in figures) else None


def score_of(value: Any) -> tuple[float | None, str | None]:
    """A score's number, and its words where it is none: `C`, `partial`, a list of marks."""
    if isinstance(value, bool):
        return float(value), "true" if value else "false"
    if isinstance(value, int | float) and abs(value) < 2**1000 and math.isfinite(value):
        return float(value), None
    if isinstance(value, str) and value in _MARKS:
        return _MARKS[value], value
    return None, raw(value) if not isinstance(value, int | float) else str(value)


def mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def listed(value: Any) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def filled(*told: Mapping[str, Any] | None, **values: Any) -> Json | None:
    """The values that are not empty, None if all are; what `told` has under the same name is kept as the source's."""
    made = {key: value for key, value in values.items() if value not in (None, "", [], {})}
    for rest in told:
        for key, value in (rest or {}).items():
            if value not in (None, "", [], {}):
                made[f"{key} of the source" if key in made else key] = value
    return made or None


def rest_of(record: Mapping[str, Any], read: Collection[str], most: int = 20 * SMALL) -> Json | None:
    """The fields of a record that were not read; a value too large to keep is replaced by its size."""
    if isinstance(read, frozenset) and record.keys() <= read:
        return None
    rest: dict[str, Any] = {}
    for key, value in record.items():
        if key in read or value in (None, "", [], {}):
            continue
        size = len(value) if isinstance(value, str) else len(compact(value)) if isinstance(value, list | dict) else 0
        rest[str(key)] = value if size <= most else f"({size:,} characters not kept)"
    return rest or None
