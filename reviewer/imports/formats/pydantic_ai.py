"""PydanticAI message histories: requests and responses of parts, bare or inside records, and evaluation reports.

A history is a list of messages, JSON in a string, or a field anywhere near the top of a record. Instructions are
repeated with every request: they are told where they change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.formats.parts.pydantic_parts import told
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    filled,
    first_of,
    listed,
    mapping,
    rest_of,
    score_of,
    text_of,
    text_or_none,
)
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source, unfolded
from reviewer.transcripts.model import Case, Conversation, Run, Score

NAME = "pydantic-ai"
TITLE = "PydanticAI message histories"

_KINDS = ("request", "response")
_TOLD = ("conversation_id", "session_id", "thread_id", "run_id", "id")
_CASES = ("case", "case_id", "task_id")
_DEPTH = 3
"""How far below a record a history is looked for."""
_WIDE = 200
"""Fields of an object in which it is looked for: an index of thousands of names holds none."""
_HEAD = 4_000
"""Characters of a text in which a history that it holds has to show."""
_REPORT = {"name", "inputs", "output", "expected_output", "scores", "labels", "assertions", "metadata", "attributes"}


def mine(source: Source) -> bool:
    """True if the first record is a message, a list of them, or holds one near its top."""
    record: Any = source.record
    if not record and source.head.lstrip()[:1] == b"[":
        record = next((value for _, value in source.records()), None)
    if not isinstance(record, BadRecord) and (_is_message(record) or _history(record) is not None):
        return True
    return _is_report(record) and any(_history(case) is not None for case in listed(record["cases"])[:20])


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a record each; messages that stand alone are one."""
    if _is_message(source.record):
        messages = []
        for position, value in source.records(kept=True):
            if _is_message(value):
                messages.append(value)
            else:
                yield from each(position, value, _unread)
        yield from each("the document", {"messages": messages}, partial(_extract, "the document"))
        return
    for position, record in source.records():
        if _is_report(record):
            yield from _report(position, record)
        else:
            held = {"messages": record} if isinstance(record, list) else record
            yield from each(position, held, partial(_extract, position))


def _unread(record: Mapping[str, Any]) -> None:
    raise ValueError(f"no message of a request or a response but {', '.join(map(str, list(record)[:5]))}")


def _is_message(value: Any) -> bool:
    told = mapping(value)
    if told.get("kind") not in _KINDS or not isinstance(told.get("parts"), list):
        return False
    return not told["parts"] or "part_kind" in mapping(told["parts"][0])


def _is_report(record: Any) -> bool:
    first = mapping(next(iter(listed(mapping(record).get("cases"))), None))
    return "inputs" in first and "output" in first and ("scores" in first or "assertions" in first)


def _history(value: Any, depth: int = _DEPTH) -> list[Any] | None:
    """The first list of messages in a value, not far below its top, also as JSON in a string."""
    if isinstance(value, str) and value[:1] == "[" and '"part_kind"' in value[:_HEAD]:
        value = unfolded(value)
    if isinstance(value, list):
        return value if value and _is_message(value[0]) else None
    if depth == 0 or not isinstance(value, dict):
        return None
    held = (
        _history(inner, depth - 1) for inner in islice(value.values(), _WIDE) if isinstance(inner, dict | list | str)
    )
    return next((history for history in held if history is not None), None)


def _extract(position: str, record: Mapping[str, Any]) -> Extract:
    messages = _history(record)
    if messages is None:
        if "messages" not in record:
            raise ValueError("no list of messages")
        messages = listed(record["messages"])
    answer = next((value for value in record.values() if mapping(value).get("kind") == "response"), None)
    if _is_message(answer) and messages and answer not in messages[-1:]:
        messages = [*messages, answer]
    holders = {key for key, value in record.items() if _history(value, _DEPTH - 1) is not None or value is answer}
    case = text_or_none(first_of(record, *_CASES))
    own = text_or_none(first_of(record, *_TOLD))
    return Extract(
        position,
        _conversation(messages, own, case, filled(**(rest_of(record, {*holders, *_TOLD, *_CASES}) or {}))),
        run=Run("", None, harness="PydanticAI"),
    )


def _conversation(
    items: list[Any],
    id: str | None,
    case: str | None,
    extra: Mapping[str, Any] | None,
    scores: tuple[Score, ...] = (),
    error: str | None = None,
    facts: Case | None = None,
) -> Conversation:
    messages = chat.tied(told(items))
    models = (mapping(item).get("model_name") for item in items)
    ids = (first_of(mapping(item), "conversation_id", "run_id") for item in items)
    times = [message.at for message in messages if message.at]
    return Conversation(
        text_of(next((model for model in models if model), None)),
        messages,
        case=case,
        id=id or text_or_none(next((candidate for candidate in ids if candidate), None)),
        started=times[0] if times else None,
        ended=times[-1] if times else None,
        ended_by="error" if error else None,
        error=error,
        scores=scores,
        extra=extra,
        facts=facts,
    )


def _report(position: str, record: Mapping[str, Any]) -> Iterator[Item]:
    """The cases of an evaluation report whose messages were kept; the others are counted."""
    silent = 0
    cases = [*listed(record["cases"]), *listed(record.get("failures"))]
    again: dict[str, int] = {}
    for index, case in enumerate(cases):
        if isinstance(case, dict) and _history(case) is None:
            silent += 1
            continue
        name = text_of(mapping(case).get("source_case_name") or mapping(case).get("name"))
        place = f"{position}, case {index}"
        run = again.get(name, 0)
        again[name] = run + 1
        yield from each(
            place,
            case,
            partial(_case, place, text_or_none(first_of(record, "dataset_name", "name")), name, run or None),
        )
    if silent or not cases:
        yield Remark(f"{silent} of {len(cases)} cases without messages: passed over")


def _case(position: str, suite: str | None, name: str, run: int | None, record: Mapping[str, Any]) -> Extract:
    id = "-".join(part for part in (suite, name) if part)
    goal, wanted = text_or_none(record.get("inputs")), text_or_none(record.get("expected_output"))
    item = _conversation(
        _history(record) or [],
        text_or_none(record.get("trace_id")),
        id,
        filled(rest_of(record, _REPORT), inputs=record.get("inputs")),
        tuple(_scores(record)),
        text_or_none(record.get("error_message")),
        Case(id, suite, goal=goal, expected=(wanted,) if wanted else (), extra=filled(about=record.get("metadata"))),
    )
    return Extract(position, replace(item, run=run), run=Run("", None, harness="PydanticAI"))


def _scores(record: Mapping[str, Any]) -> Iterator[Score]:
    """The results of the evaluators: numbers, labels, and assertions."""
    for group in ("scores", "labels", "assertions"):
        for name, stated in mapping(record.get(group)).items():
            told = mapping(stated)
            value, words = score_of(told.get("value")) if group != "labels" else (None, text_of(told.get("value")))
            judge = text_or_none(mapping(mapping(told.get("source")).get("arguments")).get("model"))
            yield Score(str(name), value, judge, text_or_none(told.get("reason")), words)
