"""LangSmith runs: exports of the client, the API or the interface, a list, a line each, or trees of child runs.

A run is a span; the runs of a trace, and the traces of a thread, are one conversation. Lines that tell a run's start
and its end are put together by its id.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from reviewer.imports.formats import kept
from reviewer.imports.formats.parts import agent_relay, run_spans
from reviewer.imports.formats.parts.record_groups import grouped_conversations
from reviewer.imports.messages import trace_tree, traces
from reviewer.imports.messages.content import (
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    score_of,
    text_of,
    text_or_none,
)
from reviewer.imports.source import BadRecord, Extract, Item, Source
from reviewer.transcripts.model import Json, Run, Score, Usage

NAME = "langsmith"
TITLE = "LangSmith runs"

_PLUMBING = ("ls_", "langgraph_", "lc_", "LANGSMITH", "LANGCHAIN", "langgraph", "x-", "checkpoint_", "__")
"""How names of metadata begin that say how a run was brought about, and nothing of the conversation."""


def mine(source: Source) -> bool:
    """True if a record is a run, or holds some."""
    return any(run_spans.is_run(row) for row in run_spans.rows_of(source.glance))


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a thread each, else a trace."""
    silent = "traces without any message: passed over"
    return grouped_conversations(source, _runs, _conversation, silent, _joins)


def _runs(position: str, record: Any) -> Iterator[BadRecord | tuple[str, run_spans.Row]]:
    """The runs of a record, each under its trace."""
    rows = [row for row in run_spans.rows_of(record) if run_spans.is_run(row) or run_spans.is_end(row)]
    if not rows:
        yield BadRecord(position, "no run in it", kept(record))
    yield from ((run_spans.trace_of(row), row) for row in rows)


def _joins(trace: str, row: run_spans.Row) -> Iterator[tuple[str, str]]:
    if "outputs" not in row and trace != run_spans.id_of(row):
        yield run_spans.id_of(row), trace  # the line that tells its end may name nothing else
    if (thread := run_spans.thread_of(row)) is not None:
        yield trace, f"thread {thread}"


def _conversation(key: str, held: list[Any]) -> Extract | None:
    """The conversation that the runs of a thread, or of a trace without one, tell."""
    rows: dict[str, run_spans.Row] = {}
    for row in map(mapping, held):
        rows[run_spans.id_of(row)] = {**rows.get(run_spans.id_of(row), {}), **run_spans.without_blanks(row)}
    in_file_order = [run_spans.span_of(row) for row in rows.values()]
    spans = trace_tree.in_order(_listening(in_file_order))
    made = agent_relay.conversation(spans)
    if made is None:
        return None
    roots = [row for row in rows.values() if run_spans.parent_of(row) not in rows]
    case = next((text_or_none(row["reference_example_id"]) for row in roots if row.get("reference_example_id")), None)
    thread = next((span.session for span in spans if span.session), None)
    position = key if thread else f"trace {key}"
    made = replace(
        made,
        id=thread or made.id,
        case=case,
        usage=_usage(roots),
        extra=_about(roots),
        scores=tuple(_scores(rows.values())),
    )
    return Extract(position, made, run=traces.run_of(in_file_order) or Run("", None))


def _listening(spans: list[trace_tree.TraceSpan]) -> list[trace_tree.TraceSpan]:
    """Return the spans. In a trace without a model call, the outermost span with words counts as one."""
    calling = {span.trace for span in spans if span.kind == "llm" and span.speaks}
    by_id = {span.id: span for span in spans}
    for span in spans:
        above = by_id.get(span.parent or "")
        if span.trace not in calling and span.kind == "" and span.speaks and (above is None or not above.speaks):
            span.kind = "llm"
    return spans


def _about(roots: list[run_spans.Row]) -> Json | None:
    """The metadata of the runs, without that about the machinery that ran them."""
    merged = {key: value for row in roots for key, value in run_spans.metadata_of(row).items() if _is_told(key, value)}
    return filled(metadata=merged)


def _is_told(key: str, value: Any) -> bool:
    return not key.startswith(_PLUMBING) and isinstance(value, str | int | float) and len(str(value)) < 1_000


def _usage(roots: list[run_spans.Row]) -> Usage | None:
    """The usage of all traces together, if each states it."""
    read = [number_of(row.get("prompt_tokens")) for row in roots]
    written = [number_of(row.get("completion_tokens")) for row in roots]
    costs = [run_spans.cost_in(row) for row in roots]
    if not any(read) and not any(written):
        return None
    paid = sum(cost for cost in costs if cost is not None) if any(costs) else None
    return Usage(sum(n or 0 for n in read), sum(n or 0 for n in written), cost=paid)


def _scores(rows: Any) -> Iterator[Score]:
    """Yield the scores by people and evaluators on any run: each mark where they are listed, else their average."""
    for row in rows:
        marks = [mark for mark in map(mapping, listed(row.get("feedback"))) if mark]
        for mark in marks:
            value, words = score_of(first_of(mark, "score", "value"))
            words = text_or_none(mark.get("value")) if mark.get("score") is not None else words
            judge = mapping(mark.get("feedback_source")).get("type")
            note = text_or_none(mark.get("comment"))
            yield Score(text_of(mark.get("key")) or "feedback", value, text_or_none(judge), note, words)
        for name, stated in mapping(row.get("feedback_stats")).items() if not marks else ():
            value, words = score_of(mapping(stated).get("avg"))
            said = ", ".join(map(str, mapping(mapping(stated).get("values"))))
            yield Score(str(name), value, note=f"{mapping(stated).get('n')} marks", raw=said or words)
