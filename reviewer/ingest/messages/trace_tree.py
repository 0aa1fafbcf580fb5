"""The spans of a trace, whatever told of them: which belong together, and which lie within which.

Owns the form that all formats give them, the groups that make a conversation, and the tree of those of one group.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Literal

from reviewer.ingest.messages.prompts import Said
from reviewer.model import Json, ToolCall

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


def grouped(spans: Iterable[TraceSpan]) -> list[list[TraceSpan]]:
    """Spans by session where they name one, else by trace; each group in order of time."""
    every = sorted(spans, key=lambda span: (span.start, span.end or ""))
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
    """The tree of spans: parents and children."""

    def __init__(self, spans: Sequence[TraceSpan]) -> None:
        self._spans = spans
        self._by_id = {span.id: span for span in spans}

    def above(self, span: TraceSpan) -> Iterator[TraceSpan]:
        """What a span lies within, the innermost first."""
        seen = {span.id}
        while span.parent and span.parent in self._by_id and span.parent not in seen:
            seen.add(span.parent)
            span = self._by_id[span.parent]
            yield span

    def speaking(self) -> list[TraceSpan]:
        """The spans to read: calls of models, of nested ones the finer; else the first agent that holds messages."""
        calls = [span for span in self._spans if span.kind == "llm" and span.speaks]
        speaks = {id(span) for span in calls}
        within: dict[int, list[TraceSpan]] = {}
        for each in calls:
            for outer in self.above(each):
                if id(outer) in speaks and outer is not each:
                    within.setdefault(id(outer), []).append(each)
        dropped: set[str] = set()
        for outer in calls:
            if inner := within.get(id(outer)):
                finer = all(each.structured for each in inner)
                dropped.update({outer.id} if finer else {each.id for each in inner})
        if calls:
            return [span for span in calls if span.id not in dropped]
        agents = [span for span in self._spans if span.kind != "tool" and span.speaks]
        best = max(agents, key=lambda span: (bool(span.asked) + bool(span.answered), span.structured), default=None)
        return [best] if best is not None else []

    def delegated(self, span: TraceSpan) -> bool:
        """True if a span ran inside a tool: the work of another agent, which the customer never sees."""
        return any(each.tool is not None for each in self.above(span))

    def agent_of(self, span: TraceSpan) -> str | None:
        """The name of the agent whose work a span is."""
        return span.agent or next((each.agent or each.name for each in self.above(span) if each.kind == "agent"), None)
