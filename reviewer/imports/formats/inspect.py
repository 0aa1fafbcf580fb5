"""Inspect AI logs: `.eval`, a zip of samples that is read a sample at a time, and the same as one `.json`.

Read without Inspect's own package: docs/decisions says why. The events of a sample repeat its messages: what they
add (usage, times, tools) is taken from them. What its messages keep as attachments is put back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from typing import Any

from reviewer.basics.errors import SourceError
from reviewer.imports import names
from reviewer.imports.containers import archive
from reviewer.imports.formats import SURPRISES, each
from reviewer.imports.formats.parts import own_samples, sample_events, sample_files
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
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
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source
from reviewer.transcripts.model import SIMULATED, Case, Conversation, Json, Message, Run, Score

NAME = "inspect"
TITLE = "Inspect AI logs"

_ATTACHED = re.compile(r"(?:attachment|tc)://([0-9a-f]{32}|\d+)")
_LIMITS = {"message": "turn-limit", "time": "cut", "working": "cut", "token": "cut", "context": "cut", "cost": "cut"}
_READ = {
    *("id", "epoch", "input", "target", "messages", "output", "scores", "score", "metadata", "events", "attachments"),
    *("error", "limit", "uuid", "started_at", "completed_at", "model_usage", "transcript", "choices", "error_retries"),
    *("total_time", "working_time", "turn_count", "files", "setup", "store", "timelines", "role_usage"),
    *("message_refs", "events_data"),
}
_MESSAGE = frozenset((*chat.READ, "id", "source", "tool_call_id", "function", "error", "model", "internal"))
_SAID = {"task", "model", "model_roles", "dataset", "packages", "solver", "scorers", "created"}
"""Of an evaluation what has a place of its own; the rest are its settings."""
_SHORT = 20_000


def mine(source: Source) -> bool:
    """True for a zip that ends in `.eval`, or a log with what Inspect says of an evaluation."""
    if source.suffix == ".eval":
        return True
    if source.suffix == ".zip":
        return source.head.startswith(b"PK") and _holds_a_header(source)
    record = source.record
    return isinstance(record.get("eval"), Mapping) and ("samples" in record or "status" in record)


def _holds_a_header(source: Source) -> bool:
    with archive.opened(source) as file:
        return not {"header.json", "_journal/start.json"}.isdisjoint(file.names)


def read(source: Source) -> Iterator[Item]:
    """The log's conversations, one per sample."""
    if source.head.startswith(b"PK") or source.suffix == ".eval":
        with archive.opened(source) as file:
            yield from _unpacked(file)
        return
    for _, record in source.records():
        log = InspectLog(mapping(record))
        samples = listed(mapping(record).get("samples"))
        if not samples:
            yield Remark(f"no samples in it: {mapping(record).get('status') or 'its status is not known'}")
        for index, sample in enumerate(samples):
            yield from each(f"samples[{index}]", sample, partial(extract, log, f"samples[{index}]", ()))


def _unpacked(file: archive.Archive) -> Iterator[Item]:
    header = next((name for name in ("header.json", "_journal/start.json") if name in file.names), None)
    if header is None:
        raise SourceError("it holds neither header.json nor _journal/start.json.", "Is it an Inspect log?")
    told = mapping(file.json(header))
    log = InspectLog(told)
    samples = sample_files.names(file)
    if not samples:
        yield Remark(f"no samples in it: {told.get('status') or 'it was not finished'}")
    for name in samples:
        try:
            made = list(
                each(
                    name, sample_files.sample(file, name), partial(extract, log, name, sample_files.events(file, name))
                )
            )
        except SourceError as error:
            made = [BadRecord(name, error.message)]
        except SURPRISES:
            made = [BadRecord(name, "the parts of this sample do not fit together")]
        yield from made


class InspectLog:
    """The facts of an evaluation's log that hold for all its samples."""

    def __init__(self, log: Mapping[str, Any]) -> None:
        self.about = mapping(log.get("eval"))
        self.suite = text_of(self.about.get("task")).rpartition("/")[2] or "inspect"
        self.epochs = number_of(mapping(self.about.get("config")).get("epochs")) or 1
        self.roles = mapping(self.about.get("model_roles"))
        self.own = own_samples.is_own(self.about.get("metadata"))
        """Whether it is our own task: its cases have their own names."""
        self.number = own_samples.run_of(self.about.get("metadata"))
        self.desk = own_samples.desk_of(self.about.get("metadata"))
        self.tools: dict[str, Any] = {}
        """Offered so far, by name: a sample that failed early was offered none."""
        self._log = log
        scorers = (mapping(each) for each in listed(self.about.get("scorers")))
        self._scorers = {text_of(each.get("name")).rpartition("/")[2]: mapping(each.get("options")) for each in scorers}

    def judge(self, scorer: str = "") -> str | None:
        """The model that a scorer asks: its own, that of its role, for Inspect's own graders that of the grader."""
        options = self._scorers.get(scorer, {})
        if isinstance(options.get("model"), str):
            return text_or_none(options["model"])
        role = options.get("model_role") or ("grader" if scorer.startswith("model_graded") else None)
        return text_or_none(mapping(self.roles.get(role)).get("model")) if isinstance(role, str) else None

    def case_name(self, sample_id: Any) -> str:
        """The name of a case, unique across suites."""
        return str(sample_id) if self.own else f"{self.suite}-{sample_id}"

    def run_of(self, epoch: int) -> int | None:
        """The run of a sample: the one that the task states, else its epoch, where there are several."""
        return self.number or (epoch if self.own or self.epochs > 1 or epoch > 1 else None)

    def id_of(self, sample: Mapping[str, Any]) -> str | None:
        """The sample's own identifier, equal in every copy of the log; before there was one, of what it was made."""
        if sample.get("uuid"):
            return text_or_none(sample["uuid"])
        whole = text_of(self.about.get("eval_id")) or "-".join(
            part for part in (text_of(self.about.get(key)) for key in ("run_id", "task_id")) if part
        )
        return f"{whole}-{sample['id']}-{number_of(sample.get('epoch')) or 1}" if whole else None

    def run(self) -> Run:
        """The run, with all tools that were offered so far."""
        return replace(self._run, tools=tuple(self.tools.values()))

    @cached_property
    def _run(self) -> Run:
        about = self.about
        version = text_of(mapping(about.get("packages")).get("inspect_ai"))
        steps = [mapping(step) for step in listed(mapping(self._log.get("plan")).get("steps"))]
        prompts = (
            own_samples.prompt_of(about.get("metadata")),
            *(mapping(step.get("params")).get("template") for step in steps),
        )
        judges = dict.fromkeys(judge for judge in map(self.judge, (*self._scorers, "model_graded")) if judge)
        settings = filled(
            model_roles={role: mapping(told).get("model") or told for role, told in self.roles.items()},
            steps=[step.get("solver") for step in steps],
            status=self._log.get("status"),
        )
        return Run(
            "",
            None,
            prompt=next((each for each in prompts if isinstance(each, str)), None),
            harness=" ".join(part for part in ("inspect", version, text_of(about.get("solver"))) if part)
            + (f", {SIMULATED}" if self.own else ""),
            judge=(next(iter(judges), None) if self.own else ", ".join(judges)) or None,
            meant=tuple(map(self.case_name, listed(mapping(about.get("dataset")).get("sample_ids")))),
            extra={**(rest_of(about, _SAID, _SHORT) or {}), **(settings or {})} or None,
        )


def extract(log: InspectLog, position: str, parts: Iterable[Any], sample: Mapping[str, Any]) -> Extract:
    """The conversation of one sample; `parts` are the events that a log keeps apart."""
    transcript = mapping(sample.get("transcript"))
    attached = mapping(sample.get("attachments")) or mapping(transcript.get("content"))
    restored = partial(_restored, attached=attached) if attached else _as_it_is
    events = sample_events.read(chain(listed(sample.get("events")), listed(transcript.get("events")), parts), restored)
    log.tools = {**events.tools, **log.tools}
    model = _model(log.about, sample)
    messages = chat.tied(made for item in restored(sample["messages"]) for made in _message(item, events, model))
    epoch = number_of(sample.get("epoch")) or 1
    error, limit = mapping(sample.get("error")), mapping(sample.get("limit"))
    hit = text_of(limit.get("type"))
    name = log.case_name(sample["id"])
    own = own_samples.sample_of(sample.get("metadata")) if log.own else None
    return Extract(
        position,
        Conversation(
            model,
            own.told(messages) if own else messages,
            case=name,
            run=log.run_of(epoch),
            id=log.id_of(sample),
            started=time_of(first_of(sample, "started_at") or log.about.get("created")),
            ended=time_of(sample.get("completed_at")),
            ended_by="error" if error or (own and own.role_break) else _ending(hit, own),
            clock=own.clock if own else None,
            error=text_of(error.get("message")) or (own.role_break if own else None) or None,
            scores=tuple(_scores(sample, log, restored)),
            meta=filled(_meta(sample), own.meta if own else None),
            extra=_extra(sample, restored),
            facts=own.facts if own else _case(sample, name, log.suite),
            usage=sample_events.usage_of(sample, model, log.roles, events),
        ),
        whole=True,
        run=log.run(),
        desk=log.desk,
        names_run=log.number is not None,
    )


def _ending(limit: str, own: own_samples.OwnSample | None) -> str | None:
    """How it ended: at a limit of Inspect's, else as our own task says."""
    return _LIMITS.get(limit, limit) or (own.ended_by if own else None)


def messages_in(messages: Iterable[Any]) -> tuple[Message, ...]:
    """The messages of a sample, as they come in without what its events add."""
    events = sample_events.Events()
    return chat.tied(made for item in messages for made in _message(item, events, ""))


def _meta(sample: Mapping[str, Any]) -> Json | None:
    """The values to query: times, turns, the number of retries, and the short values of the metadata."""
    retries = len(listed(sample.get("error_retries"))) or None
    told = {key: sample.get(key) for key in ("total_time", "working_time", "turn_count")}
    return filled(**{**told, "retries": retries, **_plain(sample.get("metadata"))})


def _extra(sample: Mapping[str, Any], restored: Callable[[Any], Any]) -> Json | None:
    """The rest of a sample: limits, tracebacks, failed attempts, additions of scorers, usage by model and role."""
    scores = {
        str(name): rest_of(told, {"value", "explanation"}, _SHORT)
        for name, told in mapping(sample.get("scores")).items()
        if isinstance(told, Mapping)
    }
    tried = [
        rest_of(each, {"events", "traceback_ansi"}, _SHORT)
        for each in listed(sample.get("error_retries"))
        if isinstance(each, Mapping)
    ]
    models = mapping(sample.get("model_usage"))
    beside = filled(
        limit=sample.get("limit"),
        traceback=mapping(sample.get("error")).get("traceback"),
        error_retries=tried,
        scores=restored({name: told for name, told in scores.items() if told}),
        model_usage=models if len(models) > 1 else None,
        role_usage=sample.get("role_usage"),
    )
    return {**(rest_of(sample, _READ) or {}), **(beside or {})} or None


def _model(about: Mapping[str, Any], sample: Mapping[str, Any]) -> str:
    """The model evaluated; where the log only says that there was none, the one that answered."""
    stated = text_of(about.get("model"))
    return text_of(mapping(sample.get("output")).get("model")) if stated in ("", "none/none") else stated


def _message(item: Any, events: sample_events.Events, model: str) -> Iterator[Message | Answer]:
    told = mapping(item)
    if told.get("role") == "tool":
        error = mapping(told.get("error"))
        said = ": ".join(part for part in (text_of(error.get("type")), text_of(error.get("message"))) if part)
        yield replace(answer_of(told), error=said or None)
        return
    for made in chat.read_item(item):
        extra = chat.left_over(told, _MESSAGE) or {}
        beside = {name: (made.extra or {}).get(name) for name in ("blocks", "citations")}
        by = text_of(told.get("model"))
        more = filled(**beside, model=by if by and not names.same_model(by, model) else None)
        whole = replace(made, extra={**extra, **(more or {})} or None)
        if isinstance(whole, Message) and whole.role == "agent":
            whole = events.message(whole, sample_events.key_of(told))
        yield whole


def _as_it_is(value: Any) -> Any:
    return value


def _restored(value: Any, attached: Mapping[str, Any]) -> Any:
    """The value with what stands in for long texts put back."""
    if isinstance(value, str):
        if "attachment://" not in value:
            return value
        return _ATTACHED.sub(lambda match: text_of(attached.get(match[1])) or match[0], value)
    if isinstance(value, list):
        return [_restored(each, attached) for each in value]
    if isinstance(value, Mapping):
        return {key: _restored(each, attached) for key, each in value.items()}
    return value


def _scores(sample: Mapping[str, Any], log: InspectLog, restored: Callable[[Any], Any]) -> Iterator[Score]:
    scores = mapping(sample.get("scores")) or filled(score=sample.get("score")) or {}
    for name, stated in scores.items():
        told = stated if isinstance(stated, Mapping) else {"value": stated}
        value = told.get("value")
        note = text_or_none(restored(told.get("explanation")))
        stated, by, prompt = own_samples.score_of(told) if log.own else (None, None, None)
        name, judge = stated or name, by or _grader(told) or log.judge(str(name))
        for part, mark in value.items() if isinstance(value, Mapping) else [("", value)]:
            number, words = score_of(mark)
            yield Score(f"{name}.{part}" if part else str(name), number, judge, note, words, prompt)


def _grader(score: Mapping[str, Any]) -> str | None:
    """The model that gave the score, where the talk with it was kept."""
    talk = listed(mapping(score.get("metadata")).get("grading"))
    return next((str(each["model"]) for each in map(mapping, reversed(talk)) if each.get("model")), None)


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
