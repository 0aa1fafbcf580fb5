"""SWE-agent trajectories: `{trajectory, history, info, replay_config, environment}`, one `.traj` a conversation.

The history is what the model saw and said; the steps beside it repeat it, but for answers that were not accepted, which
stand only there. A file of several attempts is a conversation for each; its own history is a copy of the chosen one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from reviewer.imports import names
from reviewer.imports.formats import each
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    Answer,
    cost_of,
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    rest_of,
    score_of,
    text_of,
    text_or_none,
)
from reviewer.imports.messages.text_calls import FROM_TEXT
from reviewer.imports.source import Extract, Item, Source, compact, unfolded
from reviewer.transcripts.model import Case, Conversation, Json, Message, Run, Score, ToolCall, Usage

NAME = "swe-agent"
TITLE = "SWE-agent trajectories"

_ENDINGS = {
    "submitted": "agent-stop",
    "exit_command": "agent-stop",
    "exit_forfeit": "agent-stop",
    "exit_cost": "cut",
    "exit_context": "cut",
    "exit_total_execution_time": "cut",
    "exit_command_timeout": "cut",
    "early_exit": "cut",
}
_FAILED = ("exit_error", "exit_api", "exit_environment_error", "exit_format", "error")
_PLAIN = ("action", "observation", "system_prompt")
_EXIT = ("Exit due to ", "Exiting due to ")
_MAIN = ("main", "primary", "")
_READ = {"trajectory", "history", "info", "replay_config", "attempts", "instance_id", "model_name", "model"}
_TOLD = {"model_stats", "exit_status", "submission", "review", "swe_agent_version", "edited_files50", "edited_files70"}
_STEP = {"action", "observation", "response", "thought", "query", "execution_time"}


def mine(source: Source) -> bool:
    """True if a record has steps of action and observation, attempts of these, or a history with kinds of messages."""
    record = source.record
    return any(_is_trajectory(each) for each in (record, mapping(next(iter(listed(record.get("attempts"))), None))))


def read(source: Source) -> Iterator[Item]:
    """The file's conversations, of several attempts one each."""
    case = None if source.is_lines or isinstance(source.document, list) else names.stem(source.name)
    for position, record in source.records():
        attempts = listed(mapping(record).get("attempts"))
        if len(attempts) < 2:
            whole = {**attempts[0], **record} if attempts and isinstance(attempts[0], dict) else record
            yield from each(position, whole, partial(_extract, position, case, None, None))
            continue
        chosen = mapping(record["info"]).get("best_attempt_idx")
        for index, attempt in enumerate(attempts):
            place = f"{position}, attempts[{index}]"
            yield from each(place, attempt, partial(_extract, place, case, index, chosen))


def _is_trajectory(record: Mapping[str, Any]) -> bool:
    step, item = (mapping(next(iter(listed(record.get(key))), None)) for key in ("trajectory", "history"))
    if "action" in step and "observation" in step and ("response" in step or "thought" in step):
        return True
    return "role" in item and "agent" in item and ("message_type" in item or "info" in record)


def _extract(position: str, stem: str | None, attempt: int | None, chosen: Any, record: Mapping[str, Any]) -> Extract:
    info, config = mapping(record.get("info")), mapping(unfolded(record.get("replay_config")))
    items, steps = listed(record.get("history")), [mapping(step) for step in listed(record.get("trajectory"))]
    if not items and not steps:
        raise ValueError("neither a history nor steps")
    messages = chat.tied(_told(items, steps) if items else _of_steps(steps))
    case = text_or_none(record.get("instance_id") or mapping(config.get("problem_statement")).get("id")) or stem
    ending = text_of(info.get("exit_status"))
    stats = mapping(info.get("model_stats"))
    agent = _agent(config, attempt or 0)
    return Extract(
        position,
        Conversation(
            text_of(first_of(record, "model_name", "model") or mapping(agent.get("model")).get("name")),
            messages,
            case=case,
            run=attempt,
            ended_by=_ended_by(ending),
            error=ending if _ended_by(ending) == "error" else None,
            scores=tuple(_scores(info)),
            meta=filled(
                exit_status=ending,
                api_calls=stats.get("api_calls"),
                chosen=True if attempt is not None and attempt == chosen else None,
                seconds=_seconds(steps),
            ),
            extra=filled(rest_of(record, _READ), submission=info.get("submission"), info=rest_of(info, _TOLD)),
            facts=Case(case, goal=text_or_none(mapping(config.get("problem_statement")).get("text"))) if case else None,
            usage=_usage(stats),
        ),
        alone=case is not None and attempt is None and position == "the document",
        run=Run(
            "",
            None,
            harness=f"SWE-agent {text_of(info.get('swe_agent_version'))}".strip(),
            prompt=text_or_none(mapping(agent.get("templates")).get("system_template")),
            extra=filled(model=_settings(agent)),
        ),
    )


def _agent(config: Mapping[str, Any], attempt: int) -> Mapping[str, Any]:
    """The settings of the agent that made this attempt."""
    agent = mapping(config.get("agent"))
    several = listed(agent.get("agent_configs"))
    return mapping(several[attempt % len(several)]) if several else agent


def _settings(agent: Mapping[str, Any]) -> Json | None:
    """The settings of the model, without its API keys."""
    model = mapping(agent.get("model"))
    return filled(**{key: model.get(key) for key in ("temperature", "top_p", "per_instance_cost_limit")})


def _told(items: list[Any], steps: list[Mapping[str, Any]]) -> Iterator[Message | Answer]:
    """The history, with the answers that were not accepted where they were given."""
    places = _places(steps)
    at = 0
    for index, item in enumerate(items):
        told = mapping(item)
        acts = told.get("role") == "assistant" and not told.get("is_demo")
        reached = _reached(told, places, at) if acts else None
        if reached is not None:
            for step in steps[at:reached]:
                yield from _refused(step)
            at = reached + 1
        following = mapping(items[index + 1]) if acts and index + 1 < len(items) else {}
        yield from _message(item, following)
    for step in steps[at:]:
        yield from _refused(step)


def _keys(answer: str, action: str) -> Iterator[tuple[str, str, str]]:
    """Yield keys that match an answer in the history (which may be edited) with its step, the surest first."""
    yield "both", answer, action
    if answer:
        yield "answer", answer, ""
    if action:
        yield "action", "", action


def _places(steps: list[Mapping[str, Any]]) -> dict[tuple[str, str, str], list[int]]:
    places: dict[tuple[str, str, str], list[int]] = {}
    for index, step in enumerate(steps):
        for key in _keys(text_of(step.get("response")), text_of(step.get("action"))):
            places.setdefault(key, []).append(index)
    return places


def _reached(item: Mapping[str, Any], places: dict[tuple[str, str, str], list[int]], at: int) -> int | None:
    """The step, none before `at`, that an answer in the history came from."""
    for key in _keys(text_of(item.get("content")), text_of(item.get("action"))):
        steps = places.get(key, [])
        index = bisect_left(steps, at)
        if index < len(steps):
            return steps[index]
    return None


def _refused(step: Mapping[str, Any]) -> Iterator[Message]:
    """A step that the history does not hold: its answer was asked for again, or it was the last."""
    observed = text_of(step.get("observation"))
    text = text_of(step.get("response")) or text_of(step.get("thought"))
    action = text_of(step.get("action"))
    calls = (_act(action, observed or None),) if action else ()
    if text.startswith(_EXIT) and not calls:  # said by the harness in the agent's place
        yield Message("other", text, source_role="exit")
    elif text or calls:
        yield Message("agent", text, calls=calls, source_role="assistant", extra={"not_in_history": True})
    if observed and not calls:
        yield Message("other", observed, source_role="observation")


def _message(item: Any, following: Mapping[str, Any]) -> Iterator[Message | Answer]:
    told = mapping(item)
    name, kind = text_of(told.get("agent")), text_of(told.get("message_type"))
    for made in chat.read_item(item):
        if not isinstance(made, Message):
            yield replace(made, name=None)
            continue
        dropped = {"agent", "tool_call_ids", *(("message_type",) if kind in _PLAIN else ())}
        dropped |= {key for key in ("thought", "action") if told.get(key) and text_of(told[key]) in made.text}
        dropped |= {"action"} if made.calls else set()
        calls = made.calls
        if not calls and made.role == "agent" and told.get("action"):
            output = text_of(following.get("content")) if following.get("role") == "user" else None
            calls, dropped = (_act(text_of(told["action"]), output),), dropped | {"action"}
        yield replace(
            made,
            role="other" if told.get("is_demo") else made.role,
            calls=calls,
            name=made.name or (None if name in _MAIN or made.role != "agent" else name),
            extra=rest_of(made.extra or {}, dropped),
        )


def _act(action: str, output: str | None) -> ToolCall:
    """The command that SWE-agent parsed out of an answer."""
    return ToolCall("bash", compact({"command": action}), output, extra=FROM_TEXT)


def _of_steps(steps: list[Mapping[str, Any]]) -> Iterator[Message | Answer]:
    """The conversation of a file that keeps steps only: what was asked first, then every answer and observation."""
    for item in listed(steps[0].get("query")):
        yield from _message(item, {})
    for step in steps:
        observed, action = text_or_none(step.get("observation")), text_of(step.get("action"))
        text = text_of(first_of(step, "response", "thought"))
        calls = (_act(action, observed),) if action else ()
        extra = {**(rest_of(step, _STEP) or {}), **({} if text_of(step.get("thought")) in text else _thought(step))}
        yield Message("agent", text, calls=calls, source_role="assistant", extra=extra or None)
        if observed and not calls:
            yield Message("customer", observed, source_role="observation")


def _thought(step: Mapping[str, Any]) -> dict[str, Any]:
    return {"thought": step.get("thought")}


def _ended_by(ending: str) -> str | None:
    """Say how the run ended; a submission made on the agent's behalf does not hide what stopped it."""
    inner = ending.removeprefix("submitted (").removesuffix(")")
    return "error" if inner in _FAILED else _ENDINGS.get(inner, ending) or None


def _scores(info: Mapping[str, Any]) -> Iterator[Score]:
    """The scores that a reviewing model gave to an attempt."""
    accept = mapping(info.get("review")).get("accept")
    if accept is not None:
        value, words = score_of(accept)
        yield Score("review", value, note=text_or_none(mapping(info["review"]).get("outputs")), raw=words)


def _usage(stats: Mapping[str, Any]) -> Usage | None:
    """The tokens and the cost of an instance; a replay asks no model and says zeros."""
    sent, received = number_of(stats.get("tokens_sent")), number_of(stats.get("tokens_received"))
    cost = cost_of(first_of(stats, "instance_cost", "total_cost"))
    return Usage(sent, received, cost=cost) if sent or received or cost else None


def _seconds(steps: list[Mapping[str, Any]]) -> float | None:
    """The total time of its commands, in seconds."""
    spent = [cost_of(step.get("execution_time")) or 0.0 for step in steps]
    return round(sum(spent), 3) or None
