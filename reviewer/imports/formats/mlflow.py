"""MLflow: traces with their spans and assessments, and the tables that `mlflow.evaluate` writes.

Traces of one session are one conversation, told once; else each trace is one. A row of a table is a conversation of
what was asked and what came back. Values stand in attributes as JSON in a string.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from reviewer.imports.formats import each, kept
from reviewer.imports.formats.parts.record_groups import grouped_conversations
from reviewer.imports.formats.parts.span_table import SpanTable
from reviewer.imports.messages import bodies, content, evaluations, trace_tree, traces
from reviewer.imports.messages.exchanges import messages_of
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source, unfolded
from reviewer.transcripts.model import Case, Conversation, Run, Score

NAME = "mlflow"
TITLE = "MLflow traces and evaluation tables"

_SPANS = SpanTable(
    id=("span_id", "context.span_id"),
    parent=("parent_span_id", "parent_id"),
    trace=("info.trace_id", "info.request_id", "context.trace_id"),
    start=("start_time_unix_nano", "start_time_ns", "start_time"),
    end=("end_time_unix_nano", "end_time_ns", "end_time"),
    kind=("attributes.mlflow.spanType",),
    kinds={"chat_model": "llm", "llm": "llm", "tool": "tool", "agent": "agent"},
    input=("attributes.mlflow.spanInputs",),
    output=("attributes.mlflow.spanOutputs",),
    session=("about.mlflow.trace.session",),
)
_ASKED = ("inputs", "input", "request", "question", "messages", "query", "prompt")
_SAID = ("outputs", "output", "response", "prediction", "predictions", "answer")
_RIGHT = ("targets", "target", "ground_truth", "expected_response", "expectations", "expected_facts")
_PARTS = ("score", "justification", "value", "rationale")


def mine(source: Source) -> bool:
    """True if a record is a trace whose spans have MLflow's attributes, or a table of prompts, answers and scores."""
    record = source.record
    return any(_is_trace(trace) for trace in _traces(record)[:2]) or _is_table(record)


def read(source: Source) -> Iterator[Item]:
    """A session or a trace a conversation; a row of a table one."""
    if _is_table(source.record):
        yield from _table(source)
        return
    silent = "traces without any message of a model: passed over"
    yield from grouped_conversations(source, _rows, _told, silent, refused_by_row=True)


def _rows(position: str, record: Any) -> Iterator[BadRecord | tuple[str, Any]]:
    """The traces of a record, each under its session if it names one."""
    for index, trace in enumerate(_traces(content.mapping(record))):
        place = f"{position}, trace {index}"
        if _is_trace(trace):
            yield _session(trace) or f"trace {_id(trace) or place}", trace
        else:
            yield BadRecord(place, "not shaped as this format is (it has no spans)", kept(trace))


def _traces(record: Mapping[str, Any]) -> list[Any]:
    """The traces of a record: itself, a page of them, or a row of the frame that `search_traces` gives."""
    page = record.get("traces")
    if isinstance(page, list):
        return page
    held = unfolded(record.get("trace"))
    if isinstance(held, Mapping) and "data" in held:
        return [held]
    return [record]


def _spans_in(trace: Mapping[str, Any]) -> list[Any]:
    return content.listed(content.mapping(unfolded(trace.get("data"))).get("spans")) or content.listed(
        unfolded(trace.get("spans"))
    )


def _is_trace(value: Any) -> bool:
    spans = _spans_in(content.mapping(value))
    return any(
        str(key).startswith("mlflow.")
        for span in spans[:3]
        for key in content.mapping(content.mapping(span).get("attributes"))
    )


def _is_table(record: Mapping[str, Any]) -> bool:
    if not isinstance(record.get("columns"), list) or not isinstance(record.get("data"), list):
        return False
    names = {str(name) for name in record["columns"]}
    scored = any("/" in name for name in names)
    return bool(names & set(_ASKED)) and (bool(names & set(_SAID)) or scored)


def _info(trace: Mapping[str, Any]) -> Mapping[str, Any]:
    return content.mapping(unfolded(trace.get("info"))) or trace


def _about(trace: Mapping[str, Any]) -> Mapping[str, Any]:
    info = _info(trace)
    return content.mapping(content.first_of(info, "trace_metadata", "request_metadata"))


def _session(trace: Mapping[str, Any]) -> str | None:
    return content.text_or_none(_about(trace).get("mlflow.trace.session"))


def _id(trace: Mapping[str, Any]) -> str:
    return content.text_of(content.raw(content.first_of(_info(trace), "trace_id", "request_id")))


def _told(key: str, held: list[Mapping[str, Any]]) -> Extract | None:
    """The conversation of these traces."""
    spans = [_span(content.mapping(span), trace) for trace in held for span in _spans_in(trace)]
    it = traces.conversation(trace_tree.in_order(spans))
    if it is None:
        return None
    wanted = [mark for trace in held for mark in _assessments(trace) if content.mapping(mark.get("expectation"))]
    expected = {content.text_of(mark.get("name")): content.mapping(mark["expectation"]).get("value") for mark in wanted}
    scores = tuple(score for trace in held for score in _scores(trace))
    it = replace(it, scores=scores, extra=content.filled(expected=expected))
    return Extract(key, it, run=traces.run_of(spans, "mlflow"))


def _decoded(value: Any) -> Any:
    """An attribute out of the JSON that it is written as; `"a text"` too."""
    if isinstance(value, str) and value[:1] == '"':
        made = unfolded(f"[{value}]")
        return made[0] if isinstance(made, list) and len(made) == 1 else value
    return unfolded(value)


def _span(row: Mapping[str, Any], trace: Mapping[str, Any]) -> trace_tree.TraceSpan:
    given = {
        name: _decoded(value)
        for name, value in content.mapping(row.get("attributes")).items()
        if name.startswith("mlflow.")
    }
    inputs, outputs = given.get("mlflow.spanInputs"), given.get("mlflow.spanOutputs")
    status = content.mapping(row.get("status"))
    code = content.text_of(content.raw(content.first_of(status, "code") or row.get("status_code"))).upper()
    failure = content.text_or_none(content.first_of(status, "message") or row.get("status_message")) or "error"
    placed = {**row, "attributes": given, "info": _info(trace), "about": _about(trace)}
    span = _SPANS.span(placed, failure if code.endswith("ERROR") else None)
    if span.tool is None:
        span.asked = evaluations.asked(_bare(inputs))
        if span.kind == "llm" and not content.mapping(inputs).keys() & {"messages", "input", "contents", "prompt"}:
            span.asked = _chat(given, outputs) or span.asked
        span.answered = evaluations.continued(span.asked, evaluations.answered(outputs))
        span.answered = evaluations.priced(span.answered, _cost(given))
    span.structured = not isinstance(inputs, str)
    if span.kind == "llm":
        named = content.first_of(given, "mlflow.llm.model", "mlflow.chat.model")
        span.model = content.text_of(named) or bodies.model_of(inputs, outputs)
    span.usage = given.get("mlflow.chat.tokenUsage") or bodies.usage_of(outputs)
    tools = content.listed(given.get("mlflow.chat.tools")) or bodies.tools_of(inputs)
    span.tools = tuple(tool for tool in tools if isinstance(tool, Mapping))
    span.agent = span.name if span.kind == "agent" else None
    tags = content.mapping(_info(trace).get("tags")).items()
    span.meta = traces.meta_of(
        user=_about(trace).get("mlflow.trace.user"),
        **{key: value for key, value in tags if not key.startswith("mlflow.")},
    )
    return span


def _bare(inputs: Any) -> Any:
    """The one argument that a traced function was called with, else all of them."""
    told = content.mapping(inputs)
    if len(told) == 1:
        (value,) = told.values()
        return value if isinstance(value, str) else inputs
    return inputs


def _chat(given: Mapping[str, Any], outputs: Any) -> list[dict[str, Any]]:
    """The messages that a span keeps apart, without the answer at their end."""
    said = bodies.asked(content.listed(given.get("mlflow.chat.messages")))
    return said[:-1] if said and evaluations.answered(outputs) and said[-1].get("role") == "assistant" else said


def _cost(given: Mapping[str, Any]) -> float | None:
    stated = given.get("mlflow.llm.cost")
    return content.cost_of(content.mapping(stated).get("total_cost") if isinstance(stated, Mapping) else stated)


def _assessments(trace: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    for mark in map(content.mapping, content.listed(_info(trace).get("assessments"))):
        yield {**mark, "name": content.first_of(mark, "assessment_name", "name")}


def _scores(trace: Mapping[str, Any]) -> Iterator[Score]:
    for mark in _assessments(trace):
        feedback = content.mapping(mark.get("feedback"))
        if not feedback:
            continue
        number, words = content.score_of(feedback.get("value"))
        by = content.mapping(mark.get("source"))
        judge = content.text_or_none(content.first_of(by, "source_id", "source_type"))
        error = content.mapping(feedback.get("error")).get("error_message")
        yield Score(
            content.text_of(mark["name"]) or "feedback",
            number,
            judge,
            content.text_or_none(content.first_of(mark, "rationale") or error),
            words,
        )


def _table(source: Source) -> Iterator[Item]:
    cases = evaluations.Cases()
    n = 0
    for _, record in source.records():
        table = content.mapping(record)
        names = [str(name) for name in content.listed(table.get("columns"))]
        for index, cells in enumerate(content.listed(table.get("data"))):
            n += 1
            row = dict(zip(names, cells, strict=False)) if isinstance(cells, list) else cells
            yield from each(f"row {index}", row, partial(_row, index, cases))
    if not n:
        yield Remark("a table without rows")


def _row(index: int, cases: evaluations.Cases, row: Mapping[str, Any]) -> Extract:
    given, made, right = content.first_of(row, *_ASKED), content.first_of(row, *_SAID), content.first_of(row, *_RIGHT)
    marks: dict[str, dict[str, Any]] = {}
    for name, value in row.items():
        head, _, last = name.rpartition("/")
        if head:
            marks.setdefault(head if last in _PARTS else name, {})[last] = value
    scores: list[Score] = []
    for name, parts in marks.items():
        value = next((parts[key] for key in ("score", "value") if key in parts), None)
        value = next(iter(parts.values())) if value is None and len(parts) == 1 else value
        note = content.text_or_none(content.first_of(parts, "justification", "rationale"))
        if value is not None:
            number, words = content.score_of(value)
            scores.append(Score(name, number, None, note, words))
    case = f"mlflow-{cases.number(given, right)}"
    asked = evaluations.asked(_bare(given))
    read = {*_ASKED, *_SAID, *_RIGHT} & {key for key in row if row[key] in (given, made, right)}
    return Extract(
        f"row {index}",
        Conversation(
            "",
            messages_of(asked, [] if made is None else evaluations.continued(asked, evaluations.answered(made))),
            case=case,
            run=cases.run(int(case.rpartition("-")[2]), ""),
            scores=tuple(scores),
            extra=content.rest_of({key: value for key, value in row.items() if "/" not in key}, read),
            facts=Case(case, "mlflow", expected=evaluations.expected_in(right) if right is not None else ()),
        ),
        whole=True,
        run=Run("", None, harness="mlflow"),
    )
