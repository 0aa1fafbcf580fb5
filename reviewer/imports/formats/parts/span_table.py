"""Where a format keeps what all spans have: a table of the names of its fields, and the span that they make. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reviewer.imports.messages.content import raw, text_of, text_or_none, time_of
from reviewer.imports.messages.trace_tree import Kind, TraceSpan
from reviewer.transcripts.model import ToolCall

Names = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class SpanTable:
    """The names of the fields of a format's spans. Of several names the first that is not empty counts.

    A dot leads into an object: `context.span_id` is the `span_id` of `context`.
    """

    id: Names
    parent: Names
    trace: Names
    start: Names
    end: Names
    name: Names = ("name",)
    kind: Names = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    """The kinds by the format's words for them, in small letters; any other word is of no kind."""
    input: Names = ()
    """What a tool was given."""
    output: Names = ()
    """What a tool gave back."""
    model: Names = ()
    session: Names = ()
    agent: Names = ()
    time: Callable[[Any], str | None] = time_of

    def span(self, row: Mapping[str, Any], error: str | None = None) -> TraceSpan:
        """The span of a row, without its words and its costs; a tool's with its call."""
        kind = self.kinds.get(text_of(raw(value_in(row, self.kind))).lower(), "")
        name, start = text_of(value_in(row, self.name)), self.time(value_in(row, self.start))
        tool = None
        if kind == "tool":
            given, came_back = raw(value_in(row, self.input)), raw(value_in(row, self.output))
            tool = ToolCall(name, given, came_back, error, at=start)
        return TraceSpan(
            id=text_of(raw(value_in(row, self.id))),
            parent=text_or_none(value_in(row, self.parent)),
            trace=text_of(raw(value_in(row, self.trace))),
            name=name,
            kind=kind,
            start=start or "",
            end=self.time(value_in(row, self.end)),
            model=text_of(value_in(row, self.model)),
            tool=tool,
            error=error,
            session=text_or_none(value_in(row, self.session)),
            agent=text_or_none(value_in(row, self.agent)),
        )


def value_in(row: Mapping[str, Any], names: Names) -> Any:
    """The first value under these names that is not empty, else the last."""
    value = None
    for name in names:
        value = row.get(name)
        if value is None and "." in name:
            outer, _, inner = name.partition(".")
            value = value_in(row[outer], (inner,)) if isinstance(row.get(outer), dict) else None
        if value is not None and value != "":
            break
    return value
