"""Inspect AI logs: `.eval`, a zip of samples that is read a sample at a time, and the same as one `.json`.

Read without Inspect's own package: docs/design.md says why. The events of a sample repeat its messages and are not
kept; what its messages keep as attachments is put back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from reviewer.errors import SourceError
from reviewer.ingest import archive, chat, chunked
from reviewer.ingest.content import (
    Answer,
    answer_of,
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    rest_of,
    score_of,
    text_of,
    text_or_none,
    time_of,
)
from reviewer.ingest.formats import SURPRISES, each
from reviewer.ingest.source import Bad, Found, Item, Remark, Source
from reviewer.model import Case, Conversation, Message, Run, Score

NAME = "inspect"
TITLE = "Inspect AI logs"

_ATTACHED = re.compile(r"(?:attachment|tc)://([0-9a-f]{32}|\d+)")
_LIMITS = {"message": "turn-limit", "time": "cut", "working": "cut", "token": "cut", "context": "cut", "cost": "cut"}
_READ = {
    *("id", "epoch", "input", "target", "messages", "output", "scores", "score", "metadata", "events", "attachments"),
    *("error", "limit", "uuid", "started_at", "completed_at", "model_usage", "transcript", "choices", "error_retries"),
    *(
        "total_time",
        "working_time",
        "files",
        "setup",
        "store",
        "timelines",
        "role_usage",
        "message_refs",
        "events_data",
    ),
}
_MESSAGE = frozenset((*chat.READ, "id", "source", "tool_call_id", "function", "error", "model", "internal"))


def mine(source: Source) -> bool:
    """A zip that ends in `.eval`, or a log with what Inspect says of an evaluation."""
    if source.path.suffix.lower() == ".eval":
        return True
    record = source.record
    return isinstance(record.get("eval"), Mapping) and ("samples" in record or "status" in record)


def read(source: Source) -> Iterator[Item]:
    """Its samples, one at a time."""
    if source.head.startswith(b"PK") or source.path.suffix.lower() == ".eval":
        with archive.opened(source) as file:
            yield from _unpacked(file)
        return
    for _, log in source.records():
        samples = listed(mapping(log).get("samples"))
        if not samples:
            yield Remark(f"no samples in it: {mapping(log).get('status') or 'its status is not known'}")
        for index, sample in enumerate(samples):
            yield from each(f"samples[{index}]", sample, partial(_found, mapping(log), f"samples[{index}]"))


def _unpacked(file: archive.Archive) -> Iterator[Item]:
    header = next((name for name in ("header.json", "_journal/start.json") if name in file.names), None)
    if header is None:
        raise SourceError("it holds neither header.json nor _journal/start.json.", "Is it an Inspect log?")
    log = mapping(file.json(header))
    samples = chunked.names(file)
    if not samples:
        yield Remark(f"no samples in it: {log.get('status') or 'it was not finished'}")
    for name in samples:
        try:
            sample = chunked.sample(file, name)
        except SourceError as error:
            yield Bad(name, error.message)
        except SURPRISES:
            yield Bad(name, "the parts of this sample do not fit together")
        else:
            yield from each(name, sample, partial(_found, log, name))


def _found(log: Mapping[str, Any], position: str, sample: Mapping[str, Any]) -> Found:
    about = mapping(log.get("eval"))
    suite = text_of(about.get("task")).rpartition("/")[2] or "inspect"
    epochs = number_of(mapping(about.get("config")).get("epochs")) or 1
    attached = mapping(sample.get("attachments")) or mapping(mapping(sample.get("transcript")).get("content"))
    said = _restored(sample["messages"], attached) if attached else sample["messages"]
    epoch = number_of(sample.get("epoch")) or 1
    messages = chat.tied(made for item in said for made in _message(item))
    error, limit = mapping(sample.get("error")), mapping(sample.get("limit"))
    hit = text_of(limit.get("type"))
    name = f"{suite}-{sample['id']}"
    judge = _judge(about)
    return Found(
        position,
        Conversation(
            _model(about, sample),
            messages,
            case=name,
            run=epoch if epochs > 1 or epoch > 1 else None,
            id=text_or_none(sample.get("uuid")),
            started=time_of(first_of(sample, "started_at") or about.get("created")),
            ended=time_of(sample.get("completed_at")),
            ended_by="error" if error else _LIMITS.get(hit, hit) or None,
            error=text_of(error.get("message")) or None,
            scores=tuple(_scores(sample, judge)),
            meta=filled(total_time=sample.get("total_time"), **_plain(sample.get("metadata"))),
            extra=filled(limit=limit, traceback=error.get("traceback"), **(rest_of(sample, _READ) or {})),
            facts=_case(sample, name, suite),
        ),
        whole=True,
        run=_run(log, about, judge),
    )


def _model(about: Mapping[str, Any], sample: Mapping[str, Any]) -> str:
    """The model evaluated; where the log only says that there was none, the one that answered."""
    stated = text_of(about.get("model"))
    return text_of(mapping(sample.get("output")).get("model")) if stated in ("", "none/none") else stated


def _judge(about: Mapping[str, Any]) -> str | None:
    scorers = [mapping(mapping(each).get("options")).get("model") for each in listed(about.get("scorers"))]
    role = mapping(mapping(about.get("model_roles")).get("grader")).get("model")
    return text_or_none(next((each for each in (*scorers, role) if isinstance(each, str)), None))


def _run(log: Mapping[str, Any], about: Mapping[str, Any], judge: str | None) -> Run:
    version = text_of(mapping(about.get("packages")).get("inspect_ai"))
    ids = listed(mapping(about.get("dataset")).get("sample_ids"))
    suite = text_of(about.get("task")).rpartition("/")[2]
    solver = text_of(about.get("solver"))
    harness = " ".join(part for part in ("inspect", version, solver) if part)
    prompts = [
        mapping(mapping(step).get("params")).get("template") for step in listed(mapping(log.get("plan")).get("steps"))
    ]
    prompt = next((each for each in prompts if isinstance(each, str)), None)
    return Run("", None, prompt=prompt, harness=harness, judge=judge, meant=tuple(f"{suite}-{each}" for each in ids))


def _message(item: Any) -> Iterator[Message | Answer]:
    told = mapping(item)
    if told.get("role") == "tool":
        error = mapping(told.get("error"))
        said = ": ".join(part for part in (text_of(error.get("type")), text_of(error.get("message"))) if part)
        yield replace(answer_of(told), error=said or None)
        return
    for made in chat.read_item(item):
        extra = chat.left_over(told, _MESSAGE)
        blocks = (made.extra or {}).get("blocks")
        yield replace(made, extra={**(extra or {}), "blocks": blocks} if blocks else extra)


def _restored(value: Any, attached: Mapping[str, Any]) -> Any:
    """The value with what stands in for long texts put back."""
    if isinstance(value, str):
        if "attachment://" not in value:
            return value
        return _ATTACHED.sub(lambda found: text_of(attached.get(found[1])) or found[0], value)
    if isinstance(value, list):
        return [_restored(each, attached) for each in value]
    if isinstance(value, Mapping):
        return {key: _restored(each, attached) for key, each in value.items()}
    return value


def _scores(sample: Mapping[str, Any], judge: str | None) -> Iterator[Score]:
    scores = mapping(sample.get("scores")) or filled(score=sample.get("score")) or {}
    for name, stated in scores.items():
        told = stated if isinstance(stated, Mapping) else {"value": stated}
        value = told.get("value")
        note = text_or_none(told.get("explanation"))
        for part, mark in value.items() if isinstance(value, Mapping) else [("", value)]:
            number, words = score_of(mark)
            graded = judge if name.startswith("model_graded") else None
            yield Score(f"{name}.{part}" if part else str(name), number, graded, note, words)


def _case(sample: Mapping[str, Any], name: str, suite: str) -> Case:
    asked = sample.get("input")
    goal = asked if isinstance(asked, str) else None
    target = first_of(sample, "target")
    extra = filled(target=target, choices=sample.get("choices"))
    return Case(name, suite, goal=goal, extra=extra)


def _plain(metadata: Any) -> dict[str, Any]:
    """Metadata of a sample that can be asked for: short values under their own names."""
    pairs = mapping(metadata).items()
    return {
        str(key): value
        for key, value in pairs
        if isinstance(value, int | float) or (isinstance(value, str) and len(value) <= 500)
    }
