"""tau-bench result lists: `[{task_id, reward, info, traj, trial}]`, or one such object alone.

The model stands only in the file's name, the suite only in the tools and the policy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from reviewer.basics.errors import SourceError
from reviewer.imports import names
from reviewer.imports.formats import each, kept
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import first_of, listed, mapping, score_of, text_of, text_or_none, usage_of
from reviewer.imports.messages.text_calls import recovered
from reviewer.imports.source import BadRecord, Extract, Item, Source, compact, leads_out
from reviewer.transcripts import desk
from reviewer.transcripts.model import Case, Conversation, Message, Score, ToolCall

NAME = "tau-bench"
TITLE = "tau-bench results"

# strategy-model-temperature_range_...: what tau-bench calls its own result files.
_FILE = re.compile(r"^(?P<strategy>tool-calling|act|react|few-shot)-(?P<model>.+?)-\d(?:\.\d+)?_range_")
_CLOCK = re.compile(r"current time is (\d{4}-\d\d-\d\d)")
_SIBLINGS = 50
"""Files of a folder that are looked into for trials."""
_READ = {"task_id", "reward", "info", "traj", "trajectory", "trial", "model", "error_reason"}


def mine(source: Source) -> bool:
    """True if a record has a task and a trajectory."""
    return _is_record(source.record)


def read(source: Source) -> Iterator[Item]:
    """The file's conversations, in the order of the file; what only all records together tell is gathered before."""
    suite, trials, records = _gathered(source)
    model, strategy = _model(source.name)
    alone = not (source.is_lines or isinstance(source.document, list)) or records == 1
    for index, (position, record) in enumerate(source.records()):
        if not _is_record(record):
            yield record if isinstance(record, BadRecord) else BadRecord(position, "no task_id and traj", kept(record))
            continue
        place = Extract(position, Conversation("", (), run=trials[index] if trials else None), alone=alone)
        yield from each(position, record, partial(_extract, place, suite, (model, strategy)))


def _extract(place: Extract, suite: str, named: tuple[str, str], record: Mapping[str, Any]) -> Extract:
    item = _conversation(record, suite, place.conversation.run, _labelled(record, *named))
    return replace(place, conversation=item)


def _is_record(record: Any) -> bool:
    return isinstance(record, Mapping) and "task_id" in record and isinstance(_trajectory(record), list)


def _trajectory(record: Mapping[str, Any]) -> Any:
    return record.get("traj", record.get("trajectory"))


def _conversation(record: Mapping[str, Any], suite: str, run: int | None, model: str) -> Conversation:
    info = mapping(record.get("info"))
    messages = recovered([_with_errors(message) for message in chat.messages_of(_trajectory(record))])
    error = info.get("error")
    system = next((m.text for m in messages if m.role == "system"), "")
    clock = _CLOCK.search(system)
    rest = {key: value for key, value in record.items() if key not in _READ}
    kept = {key: value for key, value in info.items() if key not in ("task", "user_cost", "error")}
    meta = {"user_cost": info.get("user_cost"), "group": record.get("group"), "source": record.get("source")}
    return Conversation(
        model,
        messages,
        case=f"{suite}-{record['task_id']}",
        run=run,
        ended_by="error" if error else _ended_by(messages),
        clock=clock[1] if clock else None,
        error=str(error) if error else None,
        scores=tuple(_scores(record)),
        meta={key: value for key, value in meta.items() if value is not None} or None,
        extra={**rest, "info": kept} if kept else rest or None,
        facts=_case(record, suite, info.get("task")),
        usage=usage_of(record.get("usage"), first_of({**info, **record}, "agent_cost", "total_cost", "cost")),
    )


def _scores(record: Mapping[str, Any]) -> Iterator[Score]:
    reward = record.get("reward")
    if reward is not None:
        value, words = score_of(reward)
        yield Score("reward", value, note=text_or_none(record.get("error_reason")), raw=words)
    parts = mapping(mapping(mapping(record.get("info")).get("reward_info")).get("info"))
    missing = [str(each) for each, said in mapping(parts.get("outputs")).items() if said is False]
    notes = {"outputs": f"not told: {'; '.join(missing)}" if missing else None}
    for name in ("actions", "outputs"):
        if parts.get(f"r_{name}") is not None:
            value, words = score_of(parts[f"r_{name}"])
            yield Score(f"reward.{name}", value, note=notes.get(name), raw=words)


def _case(record: Mapping[str, Any], suite: str, task: Any) -> Case:
    name = f"{suite}-{record['task_id']}"
    if not isinstance(task, Mapping):
        return Case(name, suite)
    actions = task.get("actions") if isinstance(task.get("actions"), list) else []
    return Case(
        name,
        suite,
        goal=text_of(task.get("instruction")) or None,
        expected=tuple(_act(action) for action in actions or () if isinstance(action, Mapping)),
        extra={key: task[key] for key in ("user_id", "outputs") if task.get(key)} or None,
    )


def _act(action: Mapping[str, Any]) -> str:
    return f"{action.get('name')}({compact(action.get('kwargs') or action.get('arguments') or {})})"


def _ended_by(messages: Sequence[Message]) -> str | None:
    if not messages:
        return None
    last = messages[-1]
    if last.role == "customer" and "###STOP###" in last.text:
        return "customer-stop"
    if any(call.name.startswith("transfer_to_human") for call in last.calls):
        return "handover"
    return None


def _with_errors(message: Message) -> Message:
    """tau-bench writes what went wrong as a result that starts with `Error:`."""
    if not message.calls or not any(_failed(call) for call in message.calls):
        return message
    return replace(
        message, calls=tuple(replace(call, error=call.result) if _failed(call) else call for call in message.calls)
    )


def _failed(call: ToolCall) -> bool:
    return call.result is not None and call.result.startswith("Error:")


def _gathered(source: Source) -> tuple[str, list[int | None], int]:
    """The suite whose tools the records speak of, else the one that the path names; their trials; how many they are."""
    expected: set[str] = set()
    called: set[str] = set()
    numbers: list[tuple[Any, Any]] = []
    for _, record in source.records():
        told = mapping(record)
        expected.update(_expected(told))
        if not expected:
            called.update(_called(told))
        numbers.append((told.get("trial"), told.get("task_id")))
    suite = desk.recognised(expected or called) or names.suite_in(source.name) or "tau"
    alone = len(numbers) == 1 and source.held is None
    beside = _states_trials(source.path.parent, source.home) if alone and _repeats(*numbers[0]) else False
    return suite, _trials(numbers, beside), len(numbers)


def _expected(record: Mapping[str, Any]) -> Iterator[str]:
    for action in listed(mapping(mapping(record.get("info")).get("task")).get("actions")):
        if isinstance(action, dict):
            yield str(action.get("name"))


def _called(record: Mapping[str, Any]) -> Iterator[str]:
    for message in listed(_trajectory(record)):
        if isinstance(message, Mapping) and message.get("tool_calls"):
            for call in listed(message["tool_calls"]):
                yield text_of(mapping(mapping(call).get("function")).get("name"))


def _trials(numbers: Sequence[tuple[Any, Any]], stated: bool) -> list[int | None]:
    """The trial of each record, of its trial and task; empty when it only repeats the task's number.

    `stated` says that other records of the run have trials that are none of their tasks' numbers.
    """
    if not stated and all(_repeats(trial, task) for trial, task in numbers):
        return []
    return [trial if isinstance(trial, int) and not isinstance(trial, bool) else None for trial, _ in numbers]


def _repeats(trial: Any, task: Any) -> bool:
    return str(trial) == str(task)


@lru_cache(16)
def _states_trials(folder: Path, home: Path | None) -> bool:
    """True if the files of a folder, one record each, count trials; task 0 of trial 0 alone would not show it."""
    for path in islice(sorted(folder.glob("*.json")), _SIBLINGS):
        try:
            if home is not None and leads_out(path, home):
                continue
            record = Source(path, path.name).record
        except SourceError:
            continue
        if _is_record(record) and "trial" in record and not _repeats(record["trial"], record["task_id"]):
            return True
    return False


def _model(name: str) -> tuple[str, str]:
    """Model and strategy from tau-bench's own file name."""
    match = _FILE.match(names.stem(name))
    if not match:
        return "", ""
    strategy = "" if match["strategy"] == "tool-calling" else match["strategy"]
    return match["model"], strategy


def _labelled(record: Mapping[str, Any], model: str, strategy: str) -> str:
    """The configuration: the model, and the strategy where it is not plain tool calling."""
    stated = record.get("model")
    name = stated if isinstance(stated, str) else model
    return f"{name}+{strategy}" if name and strategy else name
