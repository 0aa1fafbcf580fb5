"""Braintrust: rows of experiments, logs and datasets; the rows of one trace are one conversation, told once.

A row is a span: a task or an evaluation above, calls of models and tools below, scorers beside them. What a model was
asked and answered is read from the calls; where there are none, from the row above.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from reviewer.imports.formats import kept
from reviewer.imports.formats.parts.record_groups import grouped_conversations
from reviewer.imports.formats.parts.span_table import SpanTable
from reviewer.imports.messages import bodies, content, evaluations, trace_tree, traces
from reviewer.imports.source import BadRecord, Extract, Item, Source
from reviewer.transcripts.model import Case, Score

NAME = "braintrust"
TITLE = "Braintrust experiments and logs"

_OWNERS = ("experiment_id", "dataset_id", "log_id", "root_span_id", "_xact_id", "span_attributes", "project_id")
_SPANS = SpanTable(
    id=("span_id", "id"),
    parent=("parent",),
    trace=("root_span_id", "id", "span_id"),
    name=("span_attributes.name",),
    start=("metrics.start", "created"),
    end=("metrics.end",),
    kind=("span_attributes.type",),
    kinds={"llm": "llm", "tool": "tool", "function": "tool"},
    input=("input",),
    output=("output",),
)
_PAGES = ("rows", "events", "data")
_READ = {
    *("id", "span_id", "root_span_id", "span_parents", "span_attributes", "input", "output", "expected", "scores"),
    *("metadata", "metrics", "tags", "created", "error", "is_root", "context", "_xact_id", "_pagination_key", "log_id"),
    *("project_id", "org_id", "experiment_id", "dataset_id", "audit_data", "_async_scoring_state", "facets"),
}
Row = Mapping[str, Any]


def mine(source: Source) -> bool:
    """True if a row has the names that Braintrust gives its spans and where they belong."""
    rows = _rows_in(source.record)
    return bool(rows) and _is_row(rows[0])


def _is_row(value: Any) -> bool:
    row = content.mapping(value)
    named, says = row.keys() & {"id", "span_id"}, row.keys() & {"input", "output", "span_attributes"}
    return bool(named and says) and sum(name in row for name in _OWNERS) >= 2


def _rows_in(record: Row) -> list[Any]:
    page = next((record[name] for name in _PAGES if isinstance(record.get(name), list)), None)
    return [record] if page is None or "input" in record else page


def read(source: Source) -> Iterator[Item]:
    """A trace a conversation; a row of a dataset one."""
    conversation_of = partial(_told, evaluations.Cases())
    silent = "traces without any message: passed over"
    return grouped_conversations(source, _rows, conversation_of, silent, refused_by_row=True)


def _rows(position: str, record: Any) -> Iterator[BadRecord | tuple[str, Row]]:
    """The spans of a record, each under its trace."""
    for row in _rows_in(content.mapping(record)):
        if _is_row(row):
            yield f"trace {content.text_of(content.raw(content.first_of(row, 'root_span_id', 'id', 'span_id')))}", row
        else:
            yield BadRecord(position, "not shaped as this format is (it has no span)", kept(row))


def _told(cases: evaluations.Cases, key: str, rows: list[Row]) -> Extract | None:
    spans = [_span(row) for row in rows]
    scorers = {id(span) for row, span in zip(rows, spans, strict=True) if _kind(row) in ("score", "scorer")}
    it = traces.conversation(trace_tree.in_order(span for span in spans if id(span) not in scorers))
    if it is None:
        return None
    root = next((row for row in rows if row.get("is_root") or row.get("span_id") == row.get("root_span_id")), rows[0])
    case, model = (
        _case(root, cases),
        it.model or content.text_of(content.raw(content.mapping(root.get("metadata")).get("model"))),
    )
    error, about = content.text_or_none(root.get("error")), root.get("metadata")
    it = replace(
        it,
        model=model,
        id=content.text_of(content.raw(root.get("id"))) or key.removeprefix("trace "),
        case=case.id if case else None,
        run=cases.run(int(case.id.rpartition("-")[2]), model) if case else None,
        error=error,
        ended_by="error" if error else None,
        scores=tuple(_scores(root, rows)),
        meta=content.filled(
            **{key: value for key, value in evaluations.plain(about).items() if key != "model"}, tags=root.get("tags")
        ),
        extra=content.filled(content.rest_of(root, _READ), metadata=evaluations.rest(about)),
        facts=case,
    )
    return Extract(key, it, whole=case is not None, run=traces.run_of(spans, "braintrust"))


def _kind(row: Row) -> str:
    return content.text_of(content.raw(content.mapping(row.get("span_attributes")).get("type"))).lower()


def _span(row: Row) -> trace_tree.TraceSpan:
    metrics, about = content.mapping(row.get("metrics")), content.mapping(row.get("metadata"))
    given, made, parents = row.get("input"), row.get("output"), content.listed(row.get("span_parents"))
    span = _SPANS.span({**row, "parent": parents[0] if parents else None}, content.text_or_none(row.get("error")))
    if span.tool is None:
        span.asked = evaluations.asked(given)
        span.answered = [] if made is None else _priced(span.asked, made, metrics)
    span.structured = not isinstance(given, str)
    span.model = content.text_of(content.raw(about.get("model"))) if span.kind == "llm" else ""
    span.usage = _usage(metrics) or bodies.usage_of(made)
    span.tools = tuple(tool for tool in content.listed(about.get("tools")) if isinstance(tool, Mapping))
    return span


def _usage(metrics: Row) -> dict[str, Any]:
    told = {key: metrics[key] for key in ("prompt_tokens", "completion_tokens") if metrics.get(key) is not None}
    cached, thought = metrics.get("prompt_cached_tokens"), metrics.get("completion_reasoning_tokens")
    told |= {"cached_tokens": cached} if cached is not None else {}
    return told | ({"reasoning_tokens": thought} if thought is not None else {})


def _priced(asked: list[dict[str, Any]], made: Any, metrics: Row) -> list[dict[str, Any]]:
    said = evaluations.continued(asked, evaluations.answered(made))
    return evaluations.priced(said, content.cost_of(content.first_of(metrics, "estimated_cost", "cost")))


def _case(root: Row, cases: evaluations.Cases) -> Case | None:
    """Return the case that an experiment or a dataset set up; production logs have none."""
    if root.get("expected") is None and not root.get("experiment_id") and not root.get("dataset_id"):
        return None
    name = f"braintrust-{cases.number(root.get('input'), root.get('expected'))}"
    wanted = root.get("expected")
    return Case(name, "braintrust", expected=evaluations.expected_in(wanted) if wanted is not None else ())


def _scores(root: Row, rows: list[Row]) -> Iterator[Score]:
    """The scores of the trace once each: the row above has them all, the scorers' rows say why."""
    reasons: dict[str, Any] = {}
    marks: dict[str, Any] = {}
    for row in [*(row for row in rows if row is not root), root]:
        for name, value in content.mapping(row.get("scores")).items():
            marks[str(name)] = value
            about = content.mapping(content.mapping(row.get("output")).get("metadata")) or content.mapping(
                row.get("metadata")
            )
            if row is not root:
                reasons[str(name)] = content.first_of(about, "rationale", "reason", "explanation")
    for score in evaluations.scores_of(marks):
        yield replace(score, note=score.note or content.text_or_none(reasons.get(score.scorer)))
