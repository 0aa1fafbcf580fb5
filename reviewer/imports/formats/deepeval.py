"""DeepEval: test runs, evaluation results and test cases alone; one conversation for each case.

Names are in camel case where a run is written and in snake case where a case or a result is dumped; both are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.messages import evaluations
from reviewer.imports.messages.chat import ROLES
from reviewer.imports.messages.content import (
    cost_of,
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    raw,
    rest_of,
    score_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.imports.source import Extract, Item, Remark, Source, compact
from reviewer.transcripts.model import Case, Conversation, Message, Run, Score, ToolCall

NAME = "deepeval"
TITLE = "DeepEval test runs"

_CASES = (
    "testCases",
    "conversationalTestCases",
    "test_cases",
    "conversational_test_cases",
    "test_results",
    "testResults",
)
_METRIC_READ = ("score", "success", "reason", "evaluationModel", "evaluation_model", "strictMode", "flaky")
_NAMED = ("id", "trace_id", "conversation_id", "session_id", "thread_id")
"""How others call a conversation; DeepEval has no such names for a case."""
_WRAPS = ("testRunData", "test_run_data", "testRun")
_OUTPUTS = ("actualOutput", "actual_output")
_METRICS = ("metricsData", "metrics_data")
_OWN = (
    *("expectedOutcome", "expected_outcome", "userDescription", "user_description", "chatbotRole", "chatbot_role"),
    *("expectedOutput", "expected_output", "toolsCalled", "tools_called", "retrievalContext", "retrieval_context"),
)
_READ = {
    *(
        *_OUTPUTS,
        *_METRICS,
        "metrics",
        *_OWN,
        "input",
        "turns",
        "name",
        "success",
        "order",
        "scenario",
        "context",
        "metadata",
    ),
    *("expectedTools", "expected_tools", "tokenCost", "token_cost", "inputTokenCount", "input_token_count", "tags"),
    *("outputTokenCount", "output_token_count", "completionTime", "completion_time", "conversational"),
    *("additional_metadata", "additionalMetadata"),
}


def mine(source: Source) -> bool:
    """True if a record is a run with its cases, or is a case with an output and what DeepEval alone asks of it."""
    record = _unwrapped(source.record)
    if _is_case(record):
        return True
    rows = [row for name in _CASES for row in listed(record.get(name))[:2]]
    return any(_is_case(row) or any(name in mapping(row) for name in (*_METRICS, *_OUTPUTS)) for row in rows)


def _is_case(value: Any) -> bool:
    told = mapping(value)
    marked = any(name in told for name in (*_METRICS, *_OWN))
    if isinstance(told.get("turns"), list) and (marked or ("scenario" in told and not told.keys() & set(_NAMED))):
        return any(mapping(turn).keys() >= {"role", "content"} for turn in told["turns"][:3]) or told["turns"] == []
    return "input" in told and any(name in told for name in _OUTPUTS) and marked


def _unwrapped(record: Mapping[str, Any]) -> Mapping[str, Any]:
    return next((mapping(record[name]) for name in _WRAPS if mapping(record.get(name))), record)


def read(source: Source) -> Iterator[Item]:
    """A case a conversation."""
    n = 0
    cases = evaluations.Cases()
    for position, record in source.records():
        about = _unwrapped(mapping(record))
        held = [name for name in _CASES if isinstance(about.get(name), list)]
        rows = [(f"{name}[{index}]", row) for name in held for index, row in enumerate(about[name])]
        if not held:
            about, rows = {}, [(position, record)]
        several = _ambiguous([mapping(row) for _, row in rows])
        for place, row in rows:
            n += 1
            yield from each(place, row, partial(_extract, place, about, several, cases))
    if not n:
        yield Remark("a test run without any case")


def _ambiguous(rows: list[Mapping[str, Any]]) -> set[str]:
    """The names under which several tests stand: a test function's, that was called with one input after another."""
    given: dict[str, set[str]] = {}
    for row in rows:
        given.setdefault(text_of(raw(row.get("name"))), set()).add(compact(_set_up(row)))
    return {name for name, inputs in given.items() if len(inputs) > 1 or not name}


def _set_up(row: Mapping[str, Any]) -> list[Any]:
    """The set-up of a test: what distinguishes it from other tests."""
    return [row.get(key) for key in ("name", "input", "scenario", "expectedOutput", "expected_output")]


def _extract(
    position: str, about: Mapping[str, Any], several: set[str], cases: evaluations.Cases, row: Mapping[str, Any]
) -> Extract:
    if not any(name in row for name in ("turns", "input", *_OUTPUTS)):
        raise ValueError("neither turns nor an input")
    suite = evaluations.short(first_of(about, "datasetAlias", "identifier"), "deepeval")
    title = text_of(raw(row.get("name")))
    number = cases.number(*_set_up(row), *([position] if not about else []))
    name = "-".join(part for part in (suite, title, str(number) if title in several else "") if part)
    told_of = first_of(row, "metadata", "additionalMetadata", "additional_metadata")
    settings = mapping(about.get("hyperparameters"))
    models = (value for key, value in settings.items() if "model" in str(key).lower() and isinstance(value, str))
    metrics = [mapping(metric) for metric in _metrics(row)]
    judges = (metric.get(key) for metric in metrics for key in ("evaluationModel", "evaluation_model"))
    return Extract(
        position,
        Conversation(
            next(models, ""),
            tuple(_messages(row)),
            case=name,
            run=cases.run(number, ""),
            scores=tuple(_scores(row, metrics)),
            meta=filled(evaluations.plain(told_of), tags=row.get("tags")),
            extra=filled(
                rest_of(row, _READ),
                metadata=evaluations.rest(told_of),
                metrics=[made for metric in metrics if (made := rest_of(metric, _METRIC_READ))],
                completionTime=first_of(row, "completionTime", "completion_time"),
            ),
            facts=_case(name, suite, row),
        ),
        whole=bool(about),
        run=Run(
            "",
            None,
            harness="deepeval",
            judge=next((j for j in judges if isinstance(j, str)), None),
            extra=settings or None,
        ),
    )


def _metrics(row: Mapping[str, Any]) -> list[Any]:
    """The metrics of a case: a list, or under the kinds that newer runs tell apart, or each under its name."""
    told = first_of(row, *_METRICS, "metrics")
    if isinstance(told, Mapping):
        return [
            metric
            for name, part in told.items()
            for metric in (part if isinstance(part, list) else [_named(name, part)])
        ]
    return listed(told)


def _named(name: str, part: Any) -> Mapping[str, Any]:
    return {"name": name, **part} if isinstance(part, Mapping) else {"name": name, "score": part}


def _messages(row: Mapping[str, Any]) -> Iterator[Message]:
    if isinstance(row.get("turns"), list):
        for turn in row["turns"]:
            yield _turn(mapping(turn)) if isinstance(turn, Mapping) else Message("other", text_of(turn))
        return
    yield Message("customer", text_of(row.get("input")), source_role="input")
    calls = _calls(row)
    made = first_of(row, *_OUTPUTS)
    if made is not None or calls:
        yield Message(
            "agent",
            text_of(made),
            calls=calls,
            source_role="actual_output",
            tokens_in=number_of(first_of(row, "inputTokenCount", "input_token_count")),
            tokens_out=number_of(first_of(row, "outputTokenCount", "output_token_count")),
            cost=cost_of(first_of(row, "tokenCost", "token_cost")),
        )


def _turn(turn: Mapping[str, Any]) -> Message:
    role = text_of(turn.get("role"))
    read = ("role", "content", "toolsCalled", "tools_called", "order", "createdAt", "created_at")
    return Message(
        ROLES.get(role.lower(), "other"),
        text_of(turn.get("content")),
        calls=_calls(turn),
        source_role=role,
        at=time_of(first_of(turn, "createdAt", "created_at")),
        extra=rest_of(turn, read),
    )


def _calls(told: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """The tools that were called, each with what it gave back."""
    return tuple(
        ToolCall(
            text_of(call.get("name")),
            raw(first_of(call, "inputParameters", "input_parameters", "input")),
            raw(call.get("output")),
            extra=filled(reasoning=call.get("reasoning"), description=call.get("description")),
        )
        for call in map(mapping, listed(first_of(told, "toolsCalled", "tools_called")))
    )


def _scores(row: Mapping[str, Any], metrics: list[Mapping[str, Any]]) -> Iterator[Score]:
    if isinstance(row.get("success"), bool):
        number, words = score_of(row["success"])
        yield Score("success", number, raw=words)
    for metric in metrics:
        number, words = score_of(first_of(metric, "score", "success"))
        judge = text_or_none(first_of(metric, "evaluationModel", "evaluation_model"))
        note = text_or_none(first_of(metric, "reason", "error"))
        yield Score(text_of(metric.get("name")) or "metric", number, judge, note, words if words != "null" else None)


def _case(name: str, suite: str, row: Mapping[str, Any]) -> Case:
    tools = [
        f"{text_of(call.get('name'))}({raw(first_of(call, 'inputParameters', 'input_parameters')) or ''})"
        for call in map(mapping, listed(first_of(row, "expectedTools", "expected_tools")))
    ]
    wanted = (first_of(row, "expectedOutput", "expected_output"), first_of(row, "expectedOutcome", "expected_outcome"))
    context = [text_of(part) for part in listed(row.get("context"))]
    return Case(
        name,
        suite,
        persona=text_or_none(first_of(row, "userDescription", "user_description")),
        goal=text_or_none(row.get("scenario")),
        expected=(*evaluations.expected_in(*wanted), *tools),
        context="\n".join(context) or None,
        extra=filled(
            retrieved=first_of(row, "retrievalContext", "retrieval_context"),
            role=first_of(row, "chatbotRole", "chatbot_role"),
        ),
    )
