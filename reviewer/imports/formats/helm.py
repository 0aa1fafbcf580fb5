"""HELM: the state of a scenario, one conversation for each request; the scores are in the statistics beside it.

An instance that was asked again with other examples before it is a further run; one that was changed on purpose (in
spelling, in dialect) is a case of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from reviewer.basics.errors import SourceError
from reviewer.imports.formats import each
from reviewer.imports.messages import evaluations
from reviewer.imports.messages.content import (
    filled,
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
from reviewer.imports.messages.exchanges import messages_of
from reviewer.imports.source import Extract, Item, Remark, Source
from reviewer.transcripts.model import Case, Conversation, Run, Score, Usage

NAME = "helm"
TITLE = "HELM scenario states"

_SPEC = "adapter_spec"
_SETTINGS = (
    "method",
    "temperature",
    "max_tokens",
    "max_train_instances",
    "num_outputs",
    "stop_sequences",
    "model_deployment",
)
Key = tuple[str, str, int]
"""An instance, how it was changed, and the trial."""


def mine(source: Source) -> bool:
    """True if a record has the states of requests with the specification of the adapter that made them."""
    record = source.record
    return _SPEC in record and isinstance(record.get("request_states"), list)


def read(source: Source) -> Iterator[Item]:
    """A state a conversation."""
    spec = mapping(_beside(source, "run_spec.json"))
    marks = _marks(_beside(source, "per_instance_stats.json"))
    n = 0
    for _, record in source.records():
        about = mapping(record)
        states = listed(about.get("request_states"))
        trials = {number_of(mapping(state).get("train_trial_index")) for state in states}
        for index, state in enumerate(states):
            n += 1
            yield from each(
                f"request_states[{index}]", state, partial(_extract, index, about, spec, marks, len(trials) > 1)
            )
    if not n:
        yield Remark("a scenario without any request")


def _beside(source: Source, name: str) -> Any:
    beside = source.path.parent / name
    if not source.path.name.startswith("scenario_state") or not source.may_read(beside):
        return None
    try:
        return Source(beside, name).document if beside.is_file() else None
    except (SourceError, OSError):
        return None


def _marks(document: Any) -> dict[Key, list[Score]]:
    """The statistics of each instance as scores."""
    by_key: dict[Key, list[Score]] = {}
    for told in map(mapping, listed(document)):
        key = (text_of(raw(told.get("instance_id"))), _changed(told), number_of(told.get("train_trial_index")) or 0)
        for stat in map(mapping, listed(told.get("stats"))):
            number, words = score_of(stat.get("mean"))
            name = mapping(stat.get("name"))
            if stat.get("mean") is not None:
                by_key.setdefault(key, []).append(Score(text_of(name.get("name")) or "stat", number, raw=words))
    return by_key


def _changed(told: Mapping[str, Any]) -> str:
    return text_of(mapping(told.get("perturbation")).get("name"))


def _extract(
    index: int,
    about: Mapping[str, Any],
    spec: Mapping[str, Any],
    marks: Mapping[Key, list[Score]],
    several: bool,
    state: Mapping[str, Any],
) -> Extract:
    adapter, instance = mapping(about.get(_SPEC)), mapping(state["instance"])
    request, result = mapping(state.get("request")), mapping(state.get("result"))
    named = text_of(spec.get("name"))
    suite = evaluations.short(named.partition(":")[0].partition(",")[0], "helm")
    id, changed = text_of(raw(instance.get("id"))) or str(index), _changed(instance)
    trial = number_of(state.get("train_trial_index")) or 0
    reference = state.get("reference_index")
    name = (
        f"{suite}-{id}" + (f"-{changed}" if changed else "") + (f".{reference}" if isinstance(reference, int) else "")
    )
    asked = evaluations.asked(
        request.get("messages") or request.get("prompt") or mapping(instance.get("input")).get("text")
    )
    completions = [mapping(made) for made in listed(result.get("completions"))]
    answered = [_said(completions)] if completions else []
    failed = result.get("success") is False
    scores = tuple(marks.get((id, changed, trial), ()))
    return Extract(
        f"request_states[{index}]",
        Conversation(
            text_of(adapter.get("model")) or text_of(request.get("model")),
            messages_of(asked, answered),
            case=name,
            run=trial + 1 if several else None,
            started=time_of(result.get("request_datetime")),
            ended_by="error" if failed else None,
            error=(text_or_none(result.get("error")) or "error") if failed else None,
            scores=scores,
            usage=_used(scores),
            meta=filled(split=instance.get("split"), request_time=result.get("request_time"), run=named),
            extra=filled(
                mode=state.get("request_mode"), mapping=state.get("output_mapping"), notes=state.get("annotations")
            ),
            facts=_case(name, suite, instance),
        ),
        whole=True,
        run=_run(adapter),
    )


def _used(scores: tuple[Score, ...]) -> Usage | None:
    """The tokens, which HELM counts among the statistics."""
    read, written = (
        next((number_of(score.value) for name in names for score in scores if score.scorer == name), None)
        for names in (("num_prompt_tokens",), ("num_completion_tokens", "num_output_tokens"))
    )
    return None if read is None and written is None else Usage(read, written)


def _said(completions: list[Mapping[str, Any]]) -> dict[str, Any]:
    """The first completion; the others are kept with it."""
    first = completions[0]
    thought = mapping(first.get("thinking")).get("text")
    message = {"role": "assistant", "content": text_of(first.get("text")), "reasoning_content": thought}
    message["finish_reason"] = mapping(first.get("finish_reason")).get("reason")
    others = [text_of(made.get("text")) for made in completions[1:]]
    return {**message, "other_choices": others} if others else message


def _case(name: str, suite: str, instance: Mapping[str, Any]) -> Case:
    references = [mapping(reference) for reference in listed(instance.get("references"))]
    texts = [(text_of(mapping(each.get("output")).get("text")), listed(each.get("tags"))) for each in references]
    extra = filled(rest_of(instance, ("input", "references", "id", "split")), references=[text for text, _ in texts])
    return Case(
        name,
        suite,
        goal=text_or_none(mapping(instance.get("input")).get("text")),
        expected=tuple(text for text, tags in texts if "correct" in tags),
        extra=extra,
    )


def _run(adapter: Mapping[str, Any]) -> Run:
    settings = {key: adapter[key] for key in _SETTINGS if adapter.get(key) not in (None, "", [])}
    return Run("", None, prompt=text_or_none(adapter.get("instructions")), harness="helm", extra=settings or None)
