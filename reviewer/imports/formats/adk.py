"""Google ADK: sessions, lists and lines of events, evaluation sets and cases, and the results of evaluations.

What events and turns mean is `adk_events`'s, what they were before, `adk_older`'s. Of an evaluation's result the
session that was made is the conversation; where it is not kept, the turns that were judged are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.formats.parts import adk_old_files
from reviewer.imports.formats.parts.adk_events import SessionEvents, called_in, either, invocations, is_event
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import filled, listed, mapping, rest_of, score_of, text_of, text_or_none, time_of
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source, unfolded
from reviewer.transcripts.model import Case, Conversation, Json, Run, Score

NAME = "adk"
TITLE = "Google ADK sessions and evaluations"

_READ = {
    *("id", "app_name", "appName", "user_id", "userId", "events", "session_events", "sessionEvents"),
    *("last_update_time", "lastUpdateTime"),
}
_CASE_READ = {"eval_id", "evalId", "conversation", "creation_timestamp", "creationTimestamp"}
_PASSED = {1: 1.0, 2: 0.0, "PASSED": 1.0, "FAILED": 0.0}


def mine(source: Source) -> bool:
    """True if the first record is an event or a session, an evaluation's case, a set of them or the results of one."""
    if source.head.lstrip().startswith(b'"{') and b"eval_case_results" in source.head:
        return True
    record = source.record
    if is_event(record) or any(is_event(event) for event in _events(record)[:1]):
        return True
    if "events" in record and not _events(record):
        return all(either(record, name) is not None for name in ("app_name", "user_id"))
    if either(record, "eval_case_results") is not None or _is_case(record):
        return True
    if adk_old_files.is_case(record) or (adk_old_files.is_turn(record) and "expected_tool_use" in record):
        return True
    case = mapping(next(iter(listed(either(record, "eval_cases"))), None))
    return either(case, "eval_id") is not None or (either(record, "eval_set_id") is not None and "eval_cases" in record)


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a session, an evaluation's case or result each."""
    if not source.is_lines and isinstance(source.document, str):  # some versions fold the results into a string
        yield from _of("the document", mapping(unfolded(source.document)))
    elif is_event(source.record):
        events = []
        for position, value in source.records():
            if isinstance(value, dict):
                events.append(value)
            else:
                yield from each(position, value, lambda _: None)
        yield from each("the document", {"events": events}, partial(_session, "the document"))
    elif adk_old_files.is_turn(source.record):
        yield from (value for _, value in source.records() if isinstance(value, BadRecord))
        turns = [value for _, value in source.records(kept=True) if not isinstance(value, BadRecord)]
        yield from each("the document", {"data": turns}, partial(_older, "the document"))
    else:
        for position, record in source.records():
            yield from _of(position, record)


def _of(position: str, record: Any) -> Iterator[Item]:
    """The conversations of one record, whichever it is."""
    told = mapping(record)
    results, cases = either(told, "eval_case_results"), either(told, "eval_cases")
    if isinstance(results, list):
        again = Counter(text_of(either(mapping(result), "eval_id")) for result in results)
        seen: Counter[str] = Counter()
        for index, result in enumerate(results):
            name = text_of(either(mapping(result), "eval_id"))
            place = f"{position}, case {index}"
            yield from each(place, result, partial(_result, place, told, seen[name] if again[name] > 1 else None))
            seen[name] += 1
    elif isinstance(cases, list):
        for index, case in enumerate(cases):
            if either(mapping(case), "conversation_scenario") is not None and not mapping(case).get("conversation"):
                yield Remark(f"{position}, case {index}: a plan for a conversation, not one")
                continue
            place = f"{position}, case {index}"
            yield from each(place, case, partial(_case, place, told))
    elif adk_old_files.is_case(told):
        yield from each(position, record, partial(_older, position))
    elif _is_case(told):
        yield from each(position, record, partial(_case, position, {}))
    else:
        yield from each(position, record, partial(_session, position))
    if results == [] or cases == []:
        yield Remark("no cases in it")


def _is_case(record: Mapping[str, Any]) -> bool:
    return either(record, "eval_id") is not None and isinstance(record.get("conversation"), list)


def _events(record: Mapping[str, Any]) -> list[Any]:
    return listed(record.get("events")) or listed(either(record, "session_events"))


def _session(position: str, record: Mapping[str, Any]) -> Extract:
    if not isinstance(record.get("events"), list) and not _events(record):
        raise ValueError("no list of events")
    return Extract(position, _conversation(record))


def _conversation(record: Mapping[str, Any]) -> Conversation:
    """A session as a conversation."""
    told = SessionEvents()
    messages = chat.tied(told.items(_events(record)))
    times = [message.at for message in messages if message.at]
    return Conversation(
        told.model,
        messages,
        id=text_or_none(record.get("id")),
        started=times[0] if times else None,
        ended=times[-1] if times else time_of(either(record, "last_update_time")),
        ended_by="error" if told.failed else None,
        error=told.error if told.failed else None,
        meta=filled(app=either(record, "app_name"), user=either(record, "user_id")),
        extra=filled(rest_of(record, _READ), passed_over=told.passed or None),
    )


def _case(position: str, about: Mapping[str, Any], record: Mapping[str, Any]) -> Extract:
    """The conversation that an evaluation expects."""
    if not isinstance(record["conversation"], list):
        raise TypeError("its conversation is not a list")
    suite = text_or_none(either(about, "eval_set_id"))
    case = _named(suite, either(record, "eval_id")) or None
    start = mapping(either(record, "session_input"))
    item = Conversation(
        "",
        chat.tied(invocations(record["conversation"])),
        case=case,
        started=time_of(either(record, "creation_timestamp")),
        meta=filled(app=either(start, "app_name"), user=either(start, "user_id")),
        extra=rest_of(record, _CASE_READ),
        facts=Case(case, suite, expected=tuple(called_in(record["conversation"]))) if case else None,
    )
    return Extract(position, item, run=_run(record["conversation"], "evaluation set"))


def _older(position: str, record: Mapping[str, Any]) -> Extract:
    return _case(position, {}, adk_old_files.case_of(record))


def _named(suite: str | None, name: Any) -> str:
    return "-".join(part for part in (suite, text_of(name)) if part)


def _result(position: str, about: Mapping[str, Any], run: int | None, record: Mapping[str, Any]) -> Extract:
    """Return one evaluated conversation with its scores."""
    turns = [mapping(turn) for turn in listed(either(record, "eval_metric_result_per_invocation"))]
    actual = [either(turn, "actual_invocation") for turn in turns]
    expected = [turn for turn in (either(turn, "expected_invocation") for turn in turns) if turn is not None]
    session = mapping(either(record, "session_details"))
    item = _conversation(session) if _events(session) else Conversation("", chat.tied(invocations(actual)))
    suite = text_or_none(either(record, "eval_set_id") or either(about, "eval_set_id"))
    case = _named(suite, either(record, "eval_id"))
    told = Conversation(
        item.model,
        item.messages,
        case=case,
        run=run,
        id=text_or_none(either(record, "session_id")),
        started=item.started or time_of(either(about, "creation_timestamp")),
        ended=item.ended,
        ended_by=item.ended_by,
        error=item.error,
        scores=tuple(_scores(record)),
        meta=item.meta or filled(user=either(record, "user_id")),
        extra=filled(item.extra, turns=[_judged(turn) for turn in turns]),
        facts=Case(case, suite, expected=tuple(called_in(expected))),
    )
    return Extract(position, told, run=_run(actual, "evaluation"))


def _run(turns: list[Any], kind: str) -> Run:
    """Return the instructions and tools that the agents were given, where the turns state them."""
    details = mapping(either(mapping(either(mapping(next(iter(turns), None)), "app_details")), "agent_details"))
    agents = [mapping(agent) for agent in details.values()]
    prompts = [text_of(agent.get("instructions")) for agent in agents if agent.get("instructions")]
    tools = [tool for agent in agents for tool in listed(either(agent, "tool_declarations"))]
    return Run(
        "",
        None,
        prompt="\n\n".join(prompts) or None,
        harness=f"ADK {kind}",
        tools=tuple(tool for tool in tools if isinstance(tool, dict)),
    )


def _scores(record: Mapping[str, Any]) -> Iterator[Score]:
    """The verdict, and every metric's score."""
    status = either(record, "final_eval_status")
    if status is not None:
        yield Score("final_eval_status", _passed(status), raw=text_of(status))
    older = [pair[-1] | pair[0] for pair in listed(either(record, "eval_metric_results")) if _is_pair(pair)]
    for metric in map(mapping, [*listed(either(record, "overall_eval_metric_results")), *older]):
        value, words = score_of(metric.get("score"))
        options = mapping(either(mapping(metric.get("criterion")), "judge_model_options"))
        yield Score(
            text_of(either(metric, "metric_name")) or "metric",
            value,
            text_or_none(either(options, "judge_model")),
            _rationale(metric),
            words,
        )


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(part, dict) for part in value)


def _passed(status: Any) -> float | None:
    return _PASSED.get(status) if isinstance(status, int | str) and not isinstance(status, bool) else None


def _rationale(metric: Mapping[str, Any]) -> str | None:
    """Return a judge's reasons for its score, rubric by rubric."""
    details = mapping(either(metric, "details"))
    rubrics = [text_of(mapping(rubric).get("rationale")) for rubric in listed(either(details, "rubric_scores"))]
    return "\n".join(part for part in rubrics if part) or None


def _judged(turn: Mapping[str, Any]) -> Json | None:
    """The scores of one turn."""
    metrics = map(mapping, listed(either(turn, "eval_metric_results")))
    return filled(**{text_of(either(metric, "metric_name")): metric.get("score") for metric in metrics})
