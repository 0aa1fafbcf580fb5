"""The lines of one Claude Code thread -> its messages, on the branch of the last line. Pure.

A line names the one before it. Answers of several calls at once, retries and notes hang beside the branch and belong to
it; a prompt that hangs beside it, with all that follows, is a branch that the person left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reviewer.imports.formats.parts import branches
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    Answer,
    call_id,
    cost_of,
    filled,
    first_of,
    listed,
    mapping,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.transcripts.model import Message

_INJECTED = (
    *("<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>", "<bash-stdout>", "<bash-stderr>"),
    *("<task-notification>", "<system-reminder>", "[Request interrupted by user", "(no content)"),
)
"""How texts begin that the program puts under the person's role."""
_COMMANDS = ("<command-name>", "<command-message>", "<user-memory-input>", "<bash-input>")
"""How texts begin that the person gave to the program; some of these it answers itself."""
_MARKS = ("isMeta", "isCompactSummary", "isSynthetic")
_SYNTHETIC = "<synthetic>"
_ORDINARY = ("end_turn", "tool_use", "stop_sequence")

Line = Mapping[str, Any]


@dataclass
class ParsedThread:
    """A thread as messages, with what its lines say of it."""

    messages: tuple[Message, ...]
    first: Line
    last: Line
    models: list[str]
    agent: str | None
    error: str | None
    aside: branches.AbandonedBranches
    ids: list[str]


@dataclass
class _PartialAnswer:
    """One answer of the model, gathered while its lines come in."""

    line: Line
    content: list[Any] = field(default_factory=list)
    usage: Any = None
    cost: float | None = None
    stopped: Any = None


def thread(lines: Sequence[Line]) -> ParsedThread:
    """A thread from its lines, in the order of the file."""
    lines = _once(lines)
    on = _branch(lines)
    kept = [line for line, stays in zip(lines, on, strict=True) if stays]
    messages = chat.tied(_said(kept))
    models = Counter(text_of(mapping(line.get("message")).get("model")) for line in kept)
    named = [name for name, _ in models.most_common() if name and name != _SYNTHETIC]
    off = [line for line, stays in zip(lines, on, strict=True) if not stays]
    speaking = [line for line in kept if line.get("type") in ("user", "assistant")]
    failed = bool(speaking) and speaking[-1].get("isApiErrorMessage") is True
    return ParsedThread(
        messages,
        kept[0] if kept else {},
        kept[-1] if kept else {},
        named,
        _agent(kept),
        messages[-1].text if failed and messages else None,
        branches.aside(_beginnings(lines, on), chat.tied(_said(off)) if off else ()),
        [text_of(line.get("uuid")) for line in lines],
    )


def _agent(kept: Sequence[Line]) -> str | None:
    """The subagent whose thread it is, by its own name, else the call that began it, else its first line."""
    first = kept[0] if kept else {}
    if first.get("parent_tool_use_id"):
        return text_of(first["parent_tool_use_id"])
    if first.get("isSidechain") is not True:
        return None
    return next((text_of(line["agentId"]) for line in kept if line.get("agentId")), text_of(first.get("uuid")))


def _once(lines: Sequence[Line]) -> list[Line]:
    """The lines without those that are told again under the same id."""
    seen: set[str] = set()
    kept = []
    for line in lines:
        uuid = text_of(line.get("uuid"))
        if not uuid or uuid not in seen:
            kept.append(line)
        seen.add(uuid)
    return kept


def _before(lines: Sequence[Line]) -> list[int | None]:
    """The line before each: the one that it names, else the one above it.

    A prompt that names none begins anew; but where not even answers name what they answer, nothing says the order but
    the file.
    """
    linked = all(line.get("parentUuid") for line in lines if line.get("type") == "assistant")
    at: dict[str, int] = {}
    before: list[int | None] = []
    for index, line in enumerate(lines):
        named = text_or_none(line.get("parentUuid")) or text_or_none(line.get("logicalParentUuid"))
        above = index - 1 if index else None
        rooted = named is None and linked and line.get("type") == "user" and _is_prompt(line)
        before.append(None if rooted else at.get(named, above) if named else above)
        at[text_of(line.get("uuid"))] = index
    return before


def _branch(lines: Sequence[Line]) -> list[bool]:
    """Say for each line whether it belongs to the same branch as the last line.

    An answer beside the branch belongs to it where an answer follows on the branch, too: it was told in pieces, or
    tried again. Where a prompt follows, the person went back before it. What the program answers itself belongs to the
    branch wherever it hangs: some versions write it behind the first line.
    """
    before = _before(lines)
    answered = _answered_by_model(lines, before)
    on = [False] * len(lines)
    follows: dict[int, Line] = {}
    """The next prompt or answer on the branch behind each line."""
    index = _end(lines)
    then: Line = {}
    while index is not None and not on[index]:
        on[index], follows[index] = True, then
        if lines[index].get("type") == "assistant" or _is_prompt(lines[index]):
            then = lines[index]
        index = before[index]
    answers = {id for line, stays in zip(lines, on, strict=True) if stays for id in _answering(line)}
    for index, line in enumerate(lines):
        parent = before[index]
        if on[index] or parent is None or not on[parent]:
            continue
        ids = _answering(line)
        if line.get("type") == "assistant":
            on[index] = follows[parent].get("type") == "assistant" or any(id in answers for id in ids)
        elif ids:  # results that the branch has not
            on[index] = not any(id in answers for id in ids)
        else:
            on[index] = not _is_prompt(line) or (_is_command(line) and not answered[index])
        if on[index]:
            follows[index] = follows[parent]
            answers.update(ids)
    return on


def _end(lines: Sequence[Line]) -> int | None:
    """The line on which the branch ends: the last that says something to the model or of it."""
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index]
        if line.get("type") == "assistant" or (not _is_command(line) and (_is_prompt(line) or _answering(line))):
            return index
    return len(lines) - 1 if lines else None


def _answered_by_model(lines: Sequence[Line], before: Sequence[int | None]) -> list[bool]:
    """Say for each line whether the model speaks there or further down."""
    answered = [line.get("type") == "assistant" for line in lines]
    for index in range(len(lines) - 1, -1, -1):
        parent = before[index]
        if answered[index] and parent is not None:
            answered[parent] = True
    return answered


def _answering(line: Line) -> list[str]:
    """The id of the model's answer that a line is part of, or the calls whose results it holds."""
    message = mapping(line.get("message"))
    if line.get("type") == "assistant":
        return [text_of(message["id"])] if message.get("id") else []
    blocks = map(mapping, listed(message.get("content")))
    return [text_of(call_id(block)) for block in blocks if block.get("type") == "tool_result"]


def _is_prompt(line: Line) -> bool:
    """True if a line holds new words of the user, not a note of the program's."""
    if line.get("type") == "attachment":
        return True
    if line.get("type") != "user" or any(line.get(mark) for mark in _MARKS):
        return False
    return not _begins(line, _INJECTED)


def _is_command(line: Line) -> bool:
    """True if a line is a command that the person gave to the program."""
    return line.get("type") == "user" and _begins(line, _COMMANDS)


def _begins(line: Line, with_any: tuple[str, ...]) -> bool:
    content = mapping(line.get("message")).get("content")
    if isinstance(content, list):
        content = mapping(content[0]).get("text") if content else None
    return isinstance(content, str) and content.startswith(with_any)


def _beginnings(lines: Sequence[Line], on: Sequence[bool]) -> int:
    """Count the abandoned branches: lines off the branch whose parent is on it, or missing."""
    before = _before(lines)
    return sum(not on[index] and ((parent := before[index]) is None or on[parent]) for index in range(len(lines)))


def _said(lines: Iterable[Line]) -> Iterator[Message | Answer]:
    """Messages and results; the lines of one answer of the model together, where the first of them stands."""
    order: list[_PartialAnswer | Line] = []
    answers: dict[str, _PartialAnswer] = {}
    for line in lines:
        if line.get("type") != "assistant":
            order.append(line)
            continue
        message = mapping(line.get("message"))
        id = text_or_none(message.get("id"))
        answer = answers.get(id) if id else None
        if answer is None:
            answer = _PartialAnswer(line)
            order.append(answer)
            if id:
                answers[id] = answer
        content = message.get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": text_of(content)}]
        at = line.get("timestamp")
        answer.content += [{**block, "at": at} if isinstance(block, dict) else block for block in blocks]
        answer.usage = message.get("usage") or answer.usage
        answer.cost = cost_of(line.get("costUSD")) if answer.cost is None else answer.cost
        answer.stopped = message.get("stop_reason") or answer.stopped
    for item in order:
        yield from _answered(item) if isinstance(item, _PartialAnswer) else _asked(item)


def _answered(answer: _PartialAnswer) -> Iterator[Message | Answer]:
    line = answer.line
    times = {text_of(block.get("id")): block.pop("at", None) for block in answer.content if isinstance(block, dict)}
    item = {"role": "assistant", "content": answer.content, "timestamp": line.get("timestamp"), "usage": answer.usage}
    synthetic = mapping(line.get("message")).get("model") == _SYNTHETIC or line.get("isApiErrorMessage") is True
    for made in chat.read_item(item):
        if not isinstance(made, Message):
            yield made
            continue
        calls = tuple(replace(call, at=time_of(times.get(call.id or ""))) for call in made.calls)
        more = filled(
            made.extra,
            stop_reason=None if answer.stopped in _ORDINARY else answer.stopped,
            error=first_of(line, "error", "apiErrorStatus") if synthetic else None,
        )
        yield replace(made, role="system" if synthetic else made.role, calls=calls, cost=answer.cost, extra=more)


def _asked(line: Line) -> Iterator[Message | Answer]:
    """A line of the person's side: words, results, or a note of the program."""
    kind, at = line.get("type"), time_of(line.get("timestamp"))
    if kind == "system":
        told = line.get("content") or text_of(first_of(mapping(line.get("error")), "message", "error", "formatted"))
        about = filled(compaction=line.get("compactMetadata"), error=None if line.get("content") else line.get("error"))
        subtype = text_or_none(line.get("subtype"))
        yield Message("system", text_of(told), source_role="system", name=subtype, at=at, extra=about)
        return
    attached = mapping(line.get("attachment"))
    content = attached.get("prompt") if kind == "attachment" else mapping(line.get("message")).get("content")
    for made in chat.read_item({"role": "user", "content": content, "timestamp": line.get("timestamp")}):
        if isinstance(made, Answer):
            yield replace(made, at=at, extra=filled(made.extra, mapping(line.get("about"))))
        else:
            yield replace(made, role="customer" if _is_said(line, attached, made.text) else "system")


def _is_said(line: Line, attached: Line, text: str) -> bool:
    """True if the user said these words: the program writes under the same role."""
    if not _is_prompt(line) or attached.get("isMeta") or text.startswith(_INJECTED):
        return False
    if attached and attached.get("commandMode") not in (None, "prompt"):
        return False
    origin = mapping(first_of(attached, "origin") or line.get("origin")).get("kind")
    return origin in (None, "human")
