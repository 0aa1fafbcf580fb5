"""Codex sessions: the rollout files that its command line keeps, old and new, and what `codex exec --json` prints.

A rollout holds Responses items, wrapped or bare, with events beside them that repeat what was said; the events give the
tokens, the turns taken back and how it ended, and the words only where no item has them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.formats.parts.codex_events import items_in
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    Answer,
    Tokens,
    content_of,
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
from reviewer.imports.messages.items import items_of
from reviewer.imports.source import Extract, Item, Remark, Source
from reviewer.transcripts.model import Conversation, Message, Run, Usage

NAME = "codex"
TITLE = "Codex sessions"

_WRAPPED = ("session_meta", "turn_context", "response_item", "event_msg", "compacted")
"""Kinds of the lines of a newer rollout; what each tells is in its `payload`."""
_INJECTED = (
    *("<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>", "<INSTRUCTIONS>"),
    *("<permissions instructions>", "<collaboration_mode>", "<skill>", "<subagent_notification>"),
)
"""How texts begin that the command line puts under the person's role."""
_GOING_ON = ("task_started", "user_message", "agent_message", "agent_reasoning")
_SPOKEN = {"user_message": "user", "agent_message": "assistant"}
_NO_ITEMS = ("ghost_snapshot",)
_SETTINGS = ("effort", "approval_policy", "sandbox_policy", "summary", "personality")


@dataclass
class _Rollout:
    """The state of reading one session, line by line."""

    items: list[Mapping[str, Any]] = field(default_factory=list)
    prompts: list[int] = field(default_factory=list)
    """Which of the items are the person's words."""
    events: list[Mapping[str, Any]] = field(default_factory=list)
    """What events say, as long as no item says anything."""
    spent: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    """Tokens of a model's call, with how many items there were when it ended."""
    undone_spent: list[Mapping[str, Any]] = field(default_factory=list)
    """Tokens of calls that were taken back with all they said."""
    about: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    models: Counter[str] = field(default_factory=Counter)
    total: Mapping[str, Any] = field(default_factory=dict)
    """All tokens so far, as the session counts them; it begins anew when the session is taken up again."""
    undone: int = 0
    error: str | None = None
    ended_by: str | None = None
    last: Any = None

    def add(self, item: Mapping[str, Any]) -> None:
        """Add one more item."""
        if item.get("role") == "user" and not _injected(item):
            self.prompts.append(len(self.items))
        self.items.append(item)

    def undo(self, turns: int) -> None:
        """Take back the last turns, each of which begins with words of the person."""
        if turns < 1 or not self.prompts:
            return
        start = self.prompts[-min(turns, len(self.prompts))]
        del self.prompts[-turns:]
        self.undone += len(self.items) - start
        del self.items[start:]
        while self.spent and self.spent[-1][0] > start:
            self.undone_spent.append(self.spent.pop()[1])


def mine(source: Source) -> bool:
    """True for a rollout, a rollout of an older version, or the events of a thread."""
    record = source.record
    if record.get("type") == "thread.started":
        return "thread_id" in record
    if record.get("type") in _WRAPPED and isinstance(record.get("payload"), Mapping):
        return source.is_lines
    return _is_bare(source)


def read(source: Source) -> Iterator[Item]:
    """The one conversation of the file."""
    rollout = _Rollout()
    streamed = source.record.get("type") == "thread.started"
    events: list[Mapping[str, Any]] = []
    for position, record in source.records(kept=True):
        yield from each(position, record, events.append if streamed else partial(_take, rollout))
    for made in items_in(events):
        _stream(rollout, made)
    if rollout.items or rollout.events:
        yield from each("the file", {}, partial(_extract, rollout))
    else:
        yield Remark("a Codex session in which nothing was said")
    if rollout.undone:
        yield Remark(f"{rollout.undone} messages and calls that were rolled back are not read")


def _is_bare(source: Source) -> bool:
    """True for an older rollout: a line about the session, then unwrapped items."""
    record = source.record
    if not ({"id", "timestamp", "instructions"} <= record.keys()) or "type" in record or not source.is_lines:
        return False
    following = [mapping(each) for _, each in islice(source.records(), 1, 6)]
    kinds = (str(item.get("type") or item.get("record_type") or "") for item in following)
    return not following or any(kind in ("message", "reasoning", "state") or "_call" in kind for kind in kinds)


def _take(rollout: _Rollout, record: Mapping[str, Any]) -> None:
    """Take in one line."""
    kind, told = record.get("type"), record.get("payload")
    rollout.last = record.get("timestamp") or rollout.last
    if not isinstance(told, Mapping):
        if isinstance(kind, str) and kind not in _NO_ITEMS:
            rollout.add(record)
        elif "instructions" in record and not rollout.about:
            rollout.about = dict(record)
    elif kind == "response_item":
        if told.get("type") not in _NO_ITEMS:
            rollout.add({"timestamp": record.get("timestamp"), **told})
    elif kind == "session_meta":
        rollout.about = rollout.about or {"timestamp": record.get("timestamp"), **told}
    elif kind == "turn_context":
        rollout.models[text_of(told.get("model"))] += 1
        rollout.settings = rollout.settings or {key: told[key] for key in _SETTINGS if told.get(key)}
    elif kind == "compacted":
        kept = rest_of(told, {"message"})
        rollout.items.append({"role": "system", "content": text_of(told.get("message")), "compacted": kept or True})
    elif kind == "event_msg":
        _event(rollout, told, record.get("timestamp"))


def _event(rollout: _Rollout, told: Mapping[str, Any], at: Any) -> None:
    kind = str(told.get("type"))
    if kind in _GOING_ON:
        rollout.ended_by = None
    if kind == "token_count":
        info = mapping(told.get("info"))
        total = mapping(info.get("total_token_usage"))
        if total and total != rollout.total:  # told again whenever a limit changes
            rollout.spent.append((len(rollout.items), mapping(info.get("last_token_usage"))))
            rollout.total = total
    elif kind == "thread_rolled_back":
        rollout.undo(number_of(told.get("num_turns")) or 0)
    elif kind == "turn_aborted":
        rollout.ended_by = "cut"
    elif kind == "error":
        rollout.error, rollout.ended_by = text_or_none(told.get("message")) or "error", "error"
        told_where = rollout.items or rollout.events
        told_where.append({"role": "system", "content": rollout.error, "timestamp": at, "error": True})
    elif kind in _SPOKEN and not rollout.items:
        rollout.events.append({"role": _SPOKEN[kind], "content": text_of(told.get("message")), "timestamp": at})


def _injected(item: Mapping[str, Any]) -> bool:
    return content_of(item.get("content")).text.startswith(_INJECTED)


def _stream(rollout: _Rollout, made: Mapping[str, Any]) -> None:
    """Take in one event of a thread: an item that ended, a turn's tokens, a failure."""
    if "thread_id" in made:
        rollout.about = {"id": made["thread_id"]}
    elif "usage" in made:
        rollout.spent.append((len(rollout.items), mapping(made["usage"])))
    elif "failed" in made:
        rollout.error, rollout.ended_by = text_or_none(made["failed"]) or "error", "error"
    else:
        rollout.ended_by = None
        rollout.items.append(made)


def _extract(rollout: _Rollout, _: Mapping[str, Any]) -> Extract:
    about = rollout.about
    models = [name for name, _ in rollout.models.most_common() if name]
    git = mapping(about.get("git"))
    version = text_or_none(about.get("cli_version"))
    subagent = mapping(about.get("source")).get("subagent")
    return Extract(
        "the file",
        Conversation(
            models[0] if models else "",
            chat.tied([*_told(about), *_spoken(rollout)]),
            id=text_or_none(about.get("id")),
            started=time_of(about.get("timestamp")),
            ended=time_of(rollout.last),
            ended_by=rollout.ended_by,
            error=rollout.error if rollout.ended_by == "error" else None,
            meta=filled(
                cwd=about.get("cwd"),
                branch=git.get("branch"),
                commit=git.get("commit_hash"),
                originator=about.get("originator"),
                subagent=None if subagent is None else text_of(subagent),
                forked_from=about.get("forked_from_id"),
                models=", ".join(models) if len(models) > 1 else None,
            ),
            extra=filled(repository=git.get("repository_url"), provider=about.get("model_provider")),
            usage=_usage([_tokens(usage) for usage in (*(u for _, u in rollout.spent), *rollout.undone_spent)])
            or _usage([_tokens(rollout.total)]),
        ),
        run=Run(
            "",
            None,
            harness=f"codex {version}" if version else "codex",
            tools=tuple(map(mapping, listed(about.get("dynamic_tools")))),
            extra=filled(**rollout.settings),
        ),
    )


def _told(about: Mapping[str, Any]) -> Iterator[Message]:
    """The instructions to the model, if the session has them."""
    base = first_of(mapping(about.get("base_instructions")), "text") or about.get("base_instructions")
    for text in (base, about.get("instructions")):
        if text:
            yield Message("system", text_of(text), source_role="instructions")


def _spoken(rollout: _Rollout) -> list[Message | Answer]:
    """The messages and results with their times, and each call's tokens on the last message that it made."""
    passed: list[Mapping[str, Any]] = []

    def passing() -> Iterator[Mapping[str, Any]]:
        for item in rollout.items or rollout.events:
            passed.append(item)
            yield item

    said: list[Message | Answer] = []
    starts: list[int] = []
    """How many items had been read when each of these was made."""
    for made in items_of(passing()):
        said.append(_dated(made, time_of(passed[-1].get("timestamp")) if passed else None))
        starts.append(len(passed))
    ends = [bisect_right(starts, items) for items, _ in rollout.spent]
    # older versions write a call's tokens before what it said, newer ones behind it
    early = bool(ends) and not any(isinstance(made, Message) and made.role == "agent" for made in said[: ends[0]])
    begins, ends = (ends, [*ends[1:], len(said)]) if early else ([0, *ends], ends)
    for begin, end, (_, usage) in zip(begins, ends, rollout.spent, strict=False):
        _count(said, begin, end, usage)
    return said


def _dated(made: Message | Answer, at: str | None) -> Message | Answer:
    if isinstance(made, Answer):
        return replace(made, at=at)
    role = "system" if made.role == "customer" and made.text.startswith(_INJECTED) else made.role
    calls = tuple(replace(call, at=at) for call in made.calls)
    return replace(made, role=role, calls=calls, at=made.at or at)


def _count(said: list[Message | Answer], begin: int, end: int, usage: Mapping[str, Any]) -> None:
    """Put a call's tokens on the last message of the agent that came since the call before."""
    for index in range(end - 1, begin - 1, -1):
        made = said[index]
        if isinstance(made, Message) and made.role == "agent":
            read, written, thought, cached = _tokens(usage)
            said[index] = replace(
                made, tokens_in=read, tokens_out=written, tokens_reasoning=thought, tokens_cached=cached
            )
            return


def _tokens(usage: Mapping[str, Any]) -> Tokens:
    """A call's tokens; these names are the command line's own."""
    cached, thought = usage.get("cached_input_tokens"), usage.get("reasoning_output_tokens")
    return tokens_of({**usage, "cached_tokens": cached, "reasoning_tokens": thought})


def _usage(calls: list[Tokens]) -> Usage | None:
    """The usage of all calls, including those that left no message."""
    sums = [sum(part for part in parts if part is not None) for parts in zip(*calls, strict=True)]
    return Usage(*sums) if any(sums) else None
