"""The spans of a trace, whatever told of them: which belong together, and which lie within which.

Owns the form that all formats give them, the groups that make a conversation, and the tree of those of one group.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Literal

from reviewer.imports.messages.prompts import Said
from reviewer.transcripts.model import Json, ToolCall

Kind = Literal["llm", "tool", "agent", ""]
_DOT = re.compile(r"\.")
_PARTS = 64
"""Names within the name of a span that are looked for."""


@dataclass
class TraceSpan:
    """One span of a trace, in a form common to all formats."""

    id: str
    parent: str | None
    trace: str
    name: str
    kind: Kind
    start: str
    end: str | None = None
    asked: list[Said] = field(default_factory=list)
    answered: list[Said] = field(default_factory=list)
    structured: bool = True
    """Whether its prompt came as messages rather than one text."""
    model: str = ""
    usage: Any = None
    cost: float | None = None
    tools: tuple[Json, ...] = ()
    """The tools that a model was given."""
    settings: dict[str, Any] = field(default_factory=dict)
    tool: ToolCall | None = None
    error: str | None = None
    session: str | None = None
    agent: str | None = None
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def speaks(self) -> bool:
        """True if the span holds messages."""
        return bool(self.asked or self.answered)


def in_order(spans: Iterable[TraceSpan]) -> list[TraceSpan]:
    """Spans in order of time."""
    return sorted(spans, key=lambda span: (span.start, span.end or ""))


def grouped(spans: Iterable[TraceSpan]) -> list[list[TraceSpan]]:
    """Spans by session where they name one, else by trace; each group in order of time."""
    every = in_order(spans)
    _adopt(every)
    sessions = {span.trace: span.session for span in every if span.session}
    groups: defaultdict[str, list[TraceSpan]] = defaultdict(list)
    for span in every:
        groups[sessions.get(span.trace) or span.trace].append(span)
    return list(groups.values())


def _adopt(spans: Sequence[TraceSpan]) -> None:
    """Let a parentless span join the one whose name it extends and whose time it falls in, whatever its trace."""
    holding: defaultdict[str, list[tuple[int, TraceSpan]]] = defaultdict(list)
    every = ((at, span) for at, span in enumerate(spans) if span.kind == "llm" and span.end)
    for _, together in groupby(every, key=lambda each: each[1].start):
        began = list(together)
        for at, span in began:
            open_ = holding[span.name]
            while open_ and (open_[-1][1].end or "") <= (span.end or ""):
                open_.pop()  # the later one holds whatever this one holds
            open_.append((at, span))
        for _, span in began:
            if span.parent is None:
                names = (span.name[: dot.start()] for dot in islice(_DOT.finditer(span.name), _PARTS))
                around = [held for name in names if name in holding and (held := _holding(holding[name], span))]
                if around:
                    _, last = max(around, key=itemgetter(0))
                    span.parent, span.trace = last.id, last.trace


def _holding(open_: Sequence[tuple[int, TraceSpan]], span: TraceSpan) -> tuple[int, TraceSpan] | None:
    """The last of some that end one before the other which is not over before this one is."""
    low, high = 0, len(open_)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if (open_[middle][1].end or "") >= (span.end or "") else (low, middle)
    return open_[low - 1] if low else None


class SpanTree:
    """The tree of spans: what each lies within, found once for all, however deep."""

    def __init__(self, spans: Sequence[TraceSpan]) -> None:
        self._spans = spans
        self._around: dict[int, TraceSpan | None] = {}
        self._inwards: list[TraceSpan] = []
        """Every span after the one that it lies within."""
        by_id = {span.id: span for span in spans}
        for span in spans:
            self._place(span, by_id)
        self._tools: dict[int, ToolCall | None] = {}
        self._agents: dict[int, str | None] = {}
        self._named: dict[int, str | None] = {}
        for span in self._inwards:
            outer = self._around[id(span)]
            self._tools[id(span)] = (outer.tool or self._tools[id(outer)]) if outer else None
            self._named[id(span)] = (outer.agent or self._named[id(outer)]) if outer else None
            agent = (outer.agent or outer.name) if outer and outer.kind == "agent" else None
            self._agents[id(span)] = self._agents[id(outer)] if outer and agent is None else agent

    def _place(self, span: TraceSpan, by_id: Mapping[str, TraceSpan]) -> None:
        """Find what a span lies within, and what that does; a span around itself lies within none."""
        path: dict[int, TraceSpan] = {}
        each: TraceSpan | None = span
        while each is not None and id(each) not in self._around and id(each) not in path:
            path[id(each)] = each
            each = by_id.get(each.parent) if each.parent else None
        outer = None if each is None or id(each) in path else each
        for inner in reversed(path.values()):
            self._around[id(inner)] = outer
            self._inwards.append(inner)
            outer = inner

    def around(self, spans: Iterable[TraceSpan]) -> set[int]:
        """The identities of all that any of these lies within."""
        marked: set[int] = set()
        for span in spans:
            outer = self._around[id(span)]
            while outer is not None and id(outer) not in marked:
                marked.add(id(outer))
                outer = self._around[id(outer)]
        return marked

    def speaking(self) -> list[TraceSpan]:
        """The spans to read: calls of models, of nested ones the finer; else the first agent that holds messages."""
        calls = [span for span in self._spans if span.kind == "llm" and span.speaks]
        if calls:
            dropped = self._coarser(calls)
            return [span for span in calls if span.id not in dropped]
        agents = [span for span in self._spans if span.kind != "tool" and span.speaks]
        best = max(agents, key=lambda span: (bool(span.asked) + bool(span.answered), span.structured), default=None)
        return [best] if best is not None else []

    def _coarser(self, calls: Sequence[TraceSpan]) -> set[str]:
        """The ids of calls around finer ones, and of those within one that is finer than some of them."""
        called = {id(span) for span in calls}
        finer: dict[int, bool] = {}
        """Whether all calls within a span are structured; a span without any is not there."""
        for span in reversed(self._inwards):
            outer = self._around[id(span)]
            if outer is not None and (id(span) in called or id(span) in finer):
                own = span.structured or id(span) not in called
                finer[id(outer)] = own and finer.get(id(span), True) and finer.get(id(outer), True)
        dropped = {span.id for span in calls if finer.get(id(span))}
        lost: set[int] = set()
        for span in self._inwards:
            outer = self._around[id(span)]
            if outer is not None and (id(outer) in lost or (id(outer) in called and not finer.get(id(outer), True))):
                lost.add(id(span))
        return dropped | {span.id for span in calls if id(span) in lost}

    def cause(self, span: TraceSpan) -> ToolCall | None:
        """The call of a tool that a span ran inside of: the work of another agent, which the customer never sees."""
        return self._tools[id(span)]

    def agent_of(self, span: TraceSpan) -> str | None:
        """The name of the agent whose work a span is."""
        return span.agent or self._agents[id(span)]

    def named_agent_of(self, span: TraceSpan) -> str | None:
        """The agent that a span or what it lies within names."""
        return span.agent or self._named[id(span)]

    def is_outermost(self, span: TraceSpan) -> bool:
        """True if a span lies within no other."""
        return self._around[id(span)] is None
