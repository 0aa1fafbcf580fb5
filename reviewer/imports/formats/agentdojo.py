"""AgentDojo results: `{suite_name, pipeline_name, user_task_id, injection_task_id, attack_type, messages, utility}`.

One file a task under `runs/PIPELINE/SUITE/USER_TASK/ATTACK/INJECTION.json`; the pipeline (model and defence) is the
configuration. A task with something injected is another case than the task alone. `security` is as the harness has it:
true where what was injected was done, and where nothing could be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from reviewer.imports.formats import behind_headers, each
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    filled,
    mapping,
    number_of,
    rest_of,
    score_of,
    text_of,
    text_or_none,
    usage_of,
)
from reviewer.imports.messages.text_calls import recovered
from reviewer.imports.source import Extract, Item, Source
from reviewer.transcripts.model import Case, Conversation, Run, Score

NAME = "agentdojo"
TITLE = "AgentDojo results"

_READ = {
    *("suite_name", "pipeline_name", "user_task_id", "injection_task_id", "attack_type", "injections", "messages"),
    *("error", "utility", "security", "duration", "evaluation_timestamp", "agentdojo_package_version"),
    *("benchmark_version", "task_id", "condition", "seed", "run_id", "system_prompt", "user_prompt", "usage"),
}


def mine(source: Source) -> bool:
    """True if a record names its suite, its pipeline and its task besides its messages."""
    return any(_is_record(record) for record in source.leading)


def read(source: Source) -> Iterator[Item]:
    """The file's conversations, one per record; nearly always there is just one."""
    alone = not source.is_lines and isinstance(source.document, Mapping)
    for position, record in behind_headers(source, _is_record):
        yield from each(position, record, partial(_extract, position, alone))


def _is_record(value: Any) -> bool:
    record = mapping(value)
    named = "suite_name" in record and ("pipeline_name" in record or "attack_type" in record)
    return named and ("user_task_id" in record or "task_id" in record) and isinstance(record.get("messages"), list)


def _extract(position: str, alone: bool, record: Mapping[str, Any]) -> Extract:
    if not isinstance(record["messages"], list):
        raise TypeError("its messages are not a list")
    facts = _case(record)
    error = text_or_none(record.get("error"))
    version = text_of(record.get("agentdojo_package_version"))
    return Extract(
        position,
        Conversation(
            text_of(record.get("pipeline_name")),
            recovered(chat.messages_of(map(_message, record["messages"]))),
            case=facts.id,
            run=number_of(record.get("seed")),
            id=text_or_none(record.get("run_id")),
            started=text_or_none(record.get("evaluation_timestamp")),
            ended_by="error" if error else None,
            error=error,
            scores=tuple(_scores(record)),
            meta=filled(
                attack=record.get("attack_type"),
                injection=record.get("injection_task_id"),
                condition=record.get("condition"),
                duration=record.get("duration"),
                benchmark=record.get("benchmark_version"),
            ),
            extra=rest_of(record, _READ),
            facts=facts,
            usage=usage_of(record.get("usage")),
        ),
        alone=alone,
        run=Run("", None, harness=f"AgentDojo {version}".strip()),
    )


def _case(record: Mapping[str, Any]) -> Case:
    """The task, with what was injected and how: each is another case."""
    suite = text_of(record["suite_name"])
    parts = [record.get("user_task_id"), record.get("task_id")]
    parts = [part for part in parts if part is not None][:1]
    injected = record.get("injection_task_id")
    if injected is not None:
        parts += [injected, *([record["attack_type"]] if record.get("attack_type") else [])]
    elif record.get("condition") is not None:
        parts.append(record["condition"])
    return Case(
        "-".join(text_of(part) for part in (suite, *parts)),
        suite,
        family=text_or_none(record.get("attack_type")),
        bucket="adversarial" if injected is not None else None,
        extra=filled(injections=record.get("injections")),
    )


def _message(item: Any) -> Any:
    """A message; a result repeats the call that it answers, of which its name ties those without an id."""
    told = mapping(item)
    if told.get("role") != "tool":
        return item
    call = mapping(told.get("tool_call"))
    rest = {key: value for key, value in told.items() if key != "tool_call"}
    return {"name": call.get("function"), **rest, "tool_call_id": told.get("tool_call_id") or call.get("id")}


def _scores(record: Mapping[str, Any]) -> Iterator[Score]:
    for name in ("utility", "security"):
        if record.get(name) is not None:
            value, words = score_of(record[name])
            yield Score(name, value, raw=words)
    for name, told in mapping(record.get("evaluation")).items():
        if isinstance(told, bool | int | float):
            value, words = score_of(told)
            yield Score(name, value, raw=words)
