"""CrewAI: outputs of crews and tasks, logs of tasks, stored outputs of a kickoff, and recorded steps.

A run of a crew is one conversation: each task is asked of an agent and answered. Where the agent's own messages were
kept they are told; else the task's description and its output are. A log starts anew where a task starts again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from reviewer.imports.formats import each
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    Answer,
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    raw,
    rest_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.imports.messages.text_calls import FROM_TEXT
from reviewer.imports.source import BadRecord, Extract, Item, Source, unfolded
from reviewer.transcripts.model import Conversation, Message, Run, ToolCall, Usage

NAME = "crewai"
TITLE = "CrewAI outputs and logs"

_OUTPUT = {"raw", "tasks_output", "token_usage", "json_dict", "pydantic"}
_TASK = {
    "description",
    "raw",
    "agent",
    "messages",
    "name",
    "expected_output",
    "summary",
    "output_format",
    "tool_failures",
}
_STARTED = ("started", "in_progress")


def mine(source: Source) -> bool:
    """True if the first record is a crew's or a task's output, a line of its log, a stored output, or a step."""
    record = source.record
    return any(is_kind(record) for is_kind in (_is_crew, _is_task, _is_logged, _is_stored, _is_step))


def read(source: Source) -> Iterator[Item]:
    """The file's conversations: a run of a crew each."""
    first = source.record
    if _is_crew(first):
        for position, record in source.records():
            yield from each(position, record, partial(_crew, position))
        return
    rows: list[tuple[str, Mapping[str, Any]]] = []
    seen: set[tuple[str, str]] = set()
    for position, record in source.records():
        if isinstance(record, BadRecord) or not isinstance(record, dict):
            yield from each(position, record, lambda _: None)
            continue
        row = _opened(record)
        if rows and _begins(row, seen):
            yield from _run(rows)
            rows = []
            seen.clear()
        rows.append((position, row))
        seen.add(_stage(row))
    if rows:
        yield from _run(rows)


def _is_crew(record: Mapping[str, Any]) -> bool:
    return "raw" in record and isinstance(record.get("tasks_output"), list)


def _is_task(record: Mapping[str, Any]) -> bool:
    return record.keys() >= {"description", "raw", "agent"} and bool(
        record.keys() & {"expected_output", "output_format"}
    )


def _is_logged(record: Mapping[str, Any]) -> bool:
    return record.keys() >= {"timestamp", "task", "agent", "status"} and isinstance(record["task"], str)


def _is_stored(record: Mapping[str, Any]) -> bool:
    return record.keys() >= {"task_id", "expected_output", "output", "task_index", "was_replayed"}


def _is_step(record: Mapping[str, Any]) -> bool:
    return record.keys() >= {"thought", "text"} and bool(record.keys() & {"tool_input", "output"})


def _opened(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row; of a stored output what it stores, with its place."""
    if not _is_stored(record):
        return record
    output = mapping(unfolded(record["output"]))
    return {**output, **{key: record.get(key) for key in ("task_index", "timestamp", "inputs", "was_replayed")}}


def _stage(row: Mapping[str, Any]) -> tuple[str, str]:
    """A task of a log, and how far it was."""
    return text_of(row.get("task")), text_of(row.get("status"))


def _begins(row: Mapping[str, Any], seen: set[tuple[str, str]]) -> bool:
    """True if a row starts another run: with the first task, or with one that this run has already had."""
    if "task_index" in row:
        return number_of(row["task_index"]) == 0
    return _is_logged(row) and _stage(row) in seen


def _run(rows: list[tuple[str, Mapping[str, Any]]]) -> Iterator[Item]:
    """The rows of one run as a conversation."""
    place = rows[0][0] if len(rows) == 1 else f"{rows[0][0]} to {rows[-1][0]}"
    yield from each(place, {"rows": [row for _, row in rows]}, partial(_rows, place))


def _rows(position: str, record: Mapping[str, Any]) -> Extract:
    rows = [mapping(row) for row in record["rows"]]
    inputs = next((row["inputs"] for row in rows if row.get("inputs")), None)
    return _extract(position, _of_rows(rows), extra=filled(inputs=inputs))


def _of_rows(rows: list[Mapping[str, Any]]) -> Iterator[Message | Answer]:
    asked: set[str] = set()
    for row in rows:
        if _is_logged(row):
            yield from _logged(row, asked)
        elif _is_step(row):
            yield from _step(row)
        elif "raw" in row or "messages" in row:
            yield from _task(row)
        else:
            raise ValueError("no task, line of a log, or step")


def _crew(position: str, record: Mapping[str, Any]) -> Extract:
    tasks = [mapping(task) for task in record["tasks_output"]]
    items = [made for task in tasks for made in _task(task)]
    used = mapping(record.get("token_usage"))
    counts = [number_of(used.get(key)) for key in ("prompt_tokens", "completion_tokens")]
    thought, cached = number_of(used.get("reasoning_tokens")), number_of(used.get("cached_prompt_tokens"))
    usage = Usage(counts[0], counts[1], thought, cached) if any(counts) else None
    last = text_of(tasks[-1].get("raw")) if tasks else ""
    answer = text_of(record["raw"])
    if answer and answer != last:  # a manager's own words, or a crew whose tasks were not kept
        items.append(Message("agent", answer, source_role="output"))
    extra = filled(rest_of(record, _OUTPUT), requests=used.get("successful_requests"))
    return _extract(position, items, usage, extra)


def _extract(
    position: str, items: Iterable[Message | Answer], usage: Usage | None = None, extra: Mapping[str, Any] | None = None
) -> Extract:
    messages = chat.tied(items)
    agents = dict.fromkeys(message.name for message in messages if message.role == "agent" and message.name)
    times = [message.at for message in messages if message.at]
    return Extract(
        position,
        Conversation(
            "",
            messages,
            started=times[0] if times else None,
            ended=times[-1] if times else None,
            meta=filled(agents=", ".join(agents)),
            extra=extra,
            usage=usage,
        ),
        run=Run("", None, harness="CrewAI"),
    )


def _task(task: Mapping[str, Any]) -> Iterator[Message | Answer]:
    """A task: the agent's own messages where they were kept, else what was asked; then what it gave, unless told."""
    name, at = text_or_none(task.get("agent")), time_of(task.get("timestamp"))
    given, said = text_of(task.get("raw")), ""
    messages = listed(task.get("messages"))
    for made in (made for item in messages for made in chat.read_item(item)):
        if isinstance(made, Message) and made.role == "agent":
            said = made.text
            yield _acting(replace(made, name=name, at=made.at or at))
        else:
            yield made
    if not messages:
        yield Message("customer", text_of(task.get("description")), source_role="task", at=at)
    if given and given not in said:
        extra = rest_of(task, _TASK | {"task_index", "timestamp", "inputs", "was_replayed", "json_dict", "pydantic"})
        yield Message("agent", given, source_role="output", name=name, at=at, extra=extra)


def _acting(message: Message) -> Message:
    """A message with the call that its agent wrote as text, and the result that was written behind it."""
    _, _, after = message.text.partition("Action:")
    name, given, rest = after.partition("Action Input:")
    if message.calls or not given:
        return message
    arguments, observed, result = rest.partition("\nObservation:")
    call = ToolCall(name.strip(), arguments.strip(), result.removeprefix(" ") if observed else None, extra=FROM_TEXT)
    return replace(message, calls=(call,))


def _logged(row: Mapping[str, Any], asked: set[str]) -> Iterator[Message]:
    """A line of a crew's log: a task that starts, or what it gave."""
    task, at = text_of(row["task"]), time_of(row.get("timestamp"))
    if task not in asked:
        asked.add(task)
        yield Message("customer", task, source_role="task", name=text_or_none(row.get("task_name")), at=at)
    status, output = text_of(row.get("status")), first_of(row, "output")
    if status not in _STARTED or output is not None:
        extra = None if status == "completed" else {"status": status}
        yield Message(
            "agent", text_of(output), source_role="output", name=text_or_none(row["agent"]), at=at, extra=extra
        )


def _step(row: Mapping[str, Any]) -> Iterator[Message]:
    """A step of an agent: a tool that it used, or its answer."""
    tool = text_of(row.get("tool"))
    calls = (ToolCall(tool, raw(row.get("tool_input")), raw(row.get("result")), extra=FROM_TEXT),) if tool else ()
    text = text_of(row.get("text")) or text_of(row.get("output"))
    thought = text_of(row.get("thought"))
    yield Message("agent", text, "" if thought in text else thought, calls, "assistant")
