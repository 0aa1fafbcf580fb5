"""Dialogues between other parties than user and assistant: flow sessions by turns, and clinic cases with a doctor.

The doctor of a clinic case is the agent and the patient the customer; whoever else speaks (measurements, a moderator)
is `other` under the source's own role.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.messages.content import (
    call_of,
    filled,
    first_of,
    listed,
    mapping,
    raw,
    rest_of,
    score_of,
    text_of,
    text_or_none,
)
from reviewer.imports.source import Extract, Item, Source
from reviewer.transcripts.model import BUCKETS, Case, Conversation, Message, Role, Run, Score, ToolCall

NAME = "dialogues"
TITLE = "flow sessions and clinic dialogues"

_ROLES: dict[str, Role] = {"doctor": "agent", "patient": "customer"}
_ENDINGS = {"turn_cap": "turn-limit", "transfer": "handover", "user_hangup": "customer-stop"}
_STAMP = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z")
_FLOW = {
    *("task_id", "turns", "transcript", "outcome", "metadata", "persona", "goal", "scenario", "ts", "agent_type"),
    *("conversation_id", "flow_spec", "flow_trace"),
}
_CLINIC = {
    *("scenario_id", "dialogue", "doctor_turns", "score", "dataset", "correct_diagnosis", "diagnostics", "error"),
    *("latency_ms", "answer_options"),
}


def mine(source: Source) -> bool:
    """True if a record has turns with both sides in each, or a dialogue."""
    record = source.record
    if isinstance(record.get("dialogue"), list) and "scenario_id" in record:
        return True
    turns = record.get("turns")
    if not isinstance(turns, list) or "task_id" not in record:
        return False
    return "flow_trace" in record or any("user_msg" in mapping(turn) for turn in turns[:3])


def read(source: Source) -> Iterator[Item]:
    """The file's conversations."""
    for position, record in source.records():
        alone = not source.is_lines and isinstance(source.document, Mapping)
        yield from each(position, record, partial(_extract, position, alone))


def _extract(position: str, alone: bool, record: Mapping[str, Any]) -> Extract:
    if "dialogue" in record:
        judge = mapping(mapping(mapping(record.get("diagnostics")).get("provenance")).get("judge")).get("judge_model")
        return Extract(
            position, _clinic(record, text_or_none(judge)), alone, run=Run("", None, judge=text_or_none(judge))
        )
    return Extract(position, _flow(record), alone)


def _flow(record: Mapping[str, Any]) -> Conversation:
    outcome, about = mapping(record.get("outcome")), mapping(record.get("metadata"))
    name = f"{text_of(record.get('agent_type')) or 'flow'}-{record['task_id']}"
    bucket = record.get("scenario")
    failed, ending = text_or_none(about.get("setup_error")), text_or_none(outcome.get("end_reason"))
    scores = []
    for key in ("task_success", "sim_goal_met"):
        if outcome.get(key) is not None:
            value, words = score_of(outcome[key])
            note = text_or_none(outcome.get("task_success_reason")) if key == "task_success" else None
            scores.append(Score(key, value, note=note, raw=words))
    return Conversation(
        "",
        tuple(message for turn in listed(record["turns"]) for message in _turn(mapping(turn))),
        case=name,
        id=text_or_none(record.get("conversation_id")),
        started=_stamp(record.get("ts")),
        ended_by="error" if failed else _ENDINGS.get(ending, ending) if ending else None,
        error=failed,
        scores=tuple(scores),
        meta=filled(mode=record.get("mode"), agent_id=record.get("agent_id")),
        extra=rest_of({**record, "metadata": rest_of(about, ("audio",))}, _FLOW - {"metadata"}),
        facts=Case(
            name,
            text_or_none(record.get("agent_type")),
            bucket=bucket if bucket in BUCKETS else None,
            persona=text_or_none(record.get("persona")),
            goal=text_or_none(record.get("goal")),
        ),
    )


def _turn(turn: Mapping[str, Any]) -> Iterator[Message]:
    if turn.get("user_msg") is not None:
        yield Message("customer", text_of(turn["user_msg"]), source_role="user")
    used = listed(turn.get("tool_calls_in_reply")) or listed(turn.get("tools_used"))
    calls = tuple(call_of(each) if isinstance(each, Mapping) else ToolCall(text_of(each)) for each in used)
    read = ("user_msg", "agent_reply", "tool_calls_in_reply", "tools_used", "n", "signals", "user_metadata")
    if turn.get("agent_reply") is not None or calls:
        extra = rest_of(turn, (*read, "metadata_final"), 4_000)
        yield Message("agent", text_of(turn.get("agent_reply")), calls=calls, source_role="agent", extra=extra)


def _clinic(record: Mapping[str, Any], judge: str | None) -> Conversation:
    score = mapping(record.get("score"))
    calls: defaultdict[Any, list[ToolCall]] = defaultdict(list)
    for turn in listed(record.get("doctor_turns")):
        for call in listed(mapping(turn).get("tool_calls")):
            calls[turn.get("inference")].append(call_of(mapping(call)))
    value, words = score_of(score.get("correctness"))
    outcome = text_or_none(score.get("outcome")) or words
    failed = text_or_none(record.get("error"))
    name = text_of(raw(record["scenario_id"]))
    return Conversation(
        "",
        tuple(_line(mapping(line), calls) for line in listed(record["dialogue"])),
        case=name,
        ended=text_or_none(mapping(mapping(record.get("diagnostics")).get("provenance")).get("captured_at")),
        ended_by="error" if failed else None,
        error=failed,
        scores=(Score("outcome", value, judge, raw=outcome),) if outcome or value is not None else (),
        meta=filled(dataset=record.get("dataset"), mode=record.get("mode")),
        extra=rest_of({**record, "score_details": score}, _CLINIC),
        facts=Case(
            name,
            text_or_none(record.get("dataset")),
            extra=filled(
                correct_diagnosis=record.get("correct_diagnosis"), answer_options=record.get("answer_options")
            ),
        ),
    )


def _line(line: Mapping[str, Any], calls: Mapping[Any, list[ToolCall]]) -> Message:
    role = text_of(line.get("role"))
    made = calls.get(line.get("inference"), []) if role == "doctor" else []
    rest = rest_of(line, ("role", "text", "content", "inference"), 4_000)
    return Message(
        _ROLES.get(role, "other"),
        text_of(first_of(line, "text", "content")),
        calls=tuple(made),
        source_role=role,
        extra=rest,
    )


def _stamp(value: Any) -> str | None:
    match = _STAMP.fullmatch(value) if isinstance(value, str) else None
    return "{}-{}-{}T{}:{}:{}Z".format(*match.groups()) if match else text_or_none(value)
