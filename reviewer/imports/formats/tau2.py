"""tau2 and tau3 results: many simulations in a file, one task a file, or one trajectory of a person as agent.

The cases are numbered anew in each domain and differ from tau-bench's of the same number, so their suite is
`tau2-DOMAIN`. A results file is a run of its own: two that hold different tasks are still two runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

from reviewer.basics.errors import SourceError
from reviewer.imports import names
from reviewer.imports.formats import each
from reviewer.imports.formats.parts import ticks
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import (
    SMALL,
    Answer,
    call_id,
    content_of,
    cost_of,
    filled,
    first_of,
    listed,
    mapping,
    number_of,
    raw,
    rest_of,
    score_of,
    text_of,
    text_or_none,
    thought_of,
    tokens_of,
    usage_of,
)
from reviewer.imports.source import Extract, Item, Source, compact, unfolded
from reviewer.transcripts import desk
from reviewer.transcripts.model import Case, Conversation, Json, Message, Run, Score

NAME = "tau2"
TITLE = "tau2 / tau3 results"

_ENDINGS = {
    "user_stop": "customer-stop",
    "agent_stop": "agent-stop",
    "max_steps": "turn-limit",
    "too_many_errors": "error",
    "agent_error": "error",
    "user_error": "error",
    "timeout": "cut",
    "context_window_exceeded": "cut",
    "infrastructure_error": "error",
    "unexpected_error": "error",
}
_CLOCK = re.compile(r"current (?:time|date) is (\d{4}-\d\d-\d\d)")
_SETTINGS = ("max_steps", "max_errors", "seed", "num_trials")
_CHECKS = {
    "actions": ("action_checks", "action_match", "action"),
    "communicated": ("communicate_checks", "met", "info"),
    "env_assertions": ("env_assertions", "met", "env_assertion"),
    "assertions": ("nl_assertions", "met", "nl_assertion"),
}
"""Parts of a reward: where they stand, the field that says whether one was met, the field that says what."""
_PLAIN = ("llm_agent", "llm_agent_solo", "")
_MESSAGE = chat.READ | {
    *("turn_idx", "requestor", "raw_data", "id", "error", "tool_messages", "is_final_chunk", "contains_speech"),
    *("audio_content", "audio_format"),
}
_SIMULATION = {
    *("id", "task_id", "messages", "start_time", "end_time", "timestamp", "termination_reason", "agent_cost"),
    *(
        "user_cost",
        "reward_info",
        "trial",
        "seed",
        "duration",
        "duration_sec",
        "policy",
        "task",
        "run_info",
        "simulation_id",
        "ticks",
    ),
}


def mine(source: Source) -> bool:
    """True if a record holds simulations, or is one."""
    record = source.record
    if "simulations" in record:
        return isinstance(record["simulations"], list)
    return _is_simulation(record) and ("run_info" in record or "termination_reason" in record)


def read(source: Source) -> Iterator[Item]:
    """The file's conversations, in the order of the file."""
    for position, record in source.records():
        if isinstance(record, Mapping) and "simulations" in record:
            yield from _results(record, source)
        else:
            yield from each(position, record, partial(_single, source, position))


def _is_simulation(record: Any) -> bool:
    told = mapping(record)
    return "task_id" in told and (isinstance(told.get("messages"), list) or isinstance(told.get("ticks"), list))


def _results(record: Mapping[str, Any], source: Source) -> Iterator[Item]:
    info = mapping(record.get("info"))
    suite = _suite(mapping(info.get("environment_info")).get("domain_name"), record["simulations"], source.name)
    tasks = _tasks(record)
    run = _run(info, suite, tasks)
    model = _model(mapping(info.get("agent_info")))
    clock = _clock(text_of(mapping(info.get("environment_info")).get("policy")))

    def convert(simulation: Mapping[str, Any]) -> Extract:
        task = tasks.get(str(simulation.get("task_id")), {})
        item = _conversation(simulation, task, suite, model, number_of(simulation.get("trial")))
        return Extract(position, item if item.clock else replace(item, clock=clock), whole=True, run=run)

    for index, simulation in enumerate(listed(record["simulations"])):
        position = f"simulations[{index}]"
        yield from each(position, simulation, convert)


def _single(source: Source, position: str, record: Mapping[str, Any]) -> Extract:
    """One task a file, or a trajectory alone; the rest is said by the results beside it, its path and its tools."""
    if not _is_simulation(record):
        raise ValueError("no task_id and messages")
    beside = _beside(source)
    info, tasks = mapping(beside.get("info")), _tasks(beside)
    task = mapping(record.get("task")) or tasks.get(str(record["task_id"]), {})
    instructions = mapping(mapping(task.get("user_scenario")).get("instructions"))
    stated = first_of(mapping(info.get("environment_info")), "domain_name") or instructions.get("domain")
    suite = _suite(stated, [record], source.name)
    told = mapping(record.get("run_info"))
    simulation = {**record, **told, "id": first_of(record, "id") or told.get("simulation_id")}
    person = "human" if re.search(r"(?:^|[-_./])human(?:$|[-_./])", source.name) else ""
    item = _conversation(
        simulation, task, suite, _model(mapping(info.get("agent_info"))) or person, number_of(record.get("trial"))
    )
    return Extract(position, item, alone=not source.is_lines, run=_run(info, suite, tasks) if info else None)


@lru_cache(4)
def _results_in(path: Path) -> Mapping[str, Any]:
    try:
        return mapping(Source(path, path.name).document)
    except SourceError:
        return {}


def _beside(source: Source) -> Mapping[str, Any]:
    """The results file of a folder of simulations: it says the model, the domain and the tasks for all of them."""
    folder = source.path.parent
    results = folder.parent / "results.json"
    there = folder.name == "simulations" and results.is_file() and source.may_read(results)
    return _results_in(results) if there else {}


def _tasks(record: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {str(task.get("id")): task for task in listed(record.get("tasks")) if isinstance(task, Mapping)}


def _conversation(
    it: Mapping[str, Any], task: Mapping[str, Any], suite: str, model: str, run: int | None
) -> Conversation:
    ending = text_or_none(it.get("termination_reason"))
    said = listed(it.get("messages")) or ticks.messages_of(listed(it.get("ticks")))
    messages = chat.tied(chain.from_iterable(map(_message, said)))
    failed = _ENDINGS.get(ending or "") == "error"
    reward = mapping(it.get("reward_info"))
    checks = {key: value for key, value in reward.items() if key not in ("reward", "info") and value not in (None, [])}
    return Conversation(
        model,
        messages,
        case=f"{suite}-{it['task_id']}",
        run=run,
        id=text_or_none(it.get("id")),
        started=text_or_none(it.get("start_time")),
        ended=text_or_none(it.get("end_time")) or text_or_none(it.get("timestamp")),
        ended_by=_ENDINGS.get(ending, ending) if ending else None,
        clock=_clock(text_of(it.get("policy")), messages),
        error=ending if failed else None,
        scores=tuple(_scores(reward)),
        meta=filled(
            agent_cost=it.get("agent_cost"),
            user_cost=it.get("user_cost"),
            seed=it.get("seed"),
            duration=first_of(it, "duration", "duration_sec"),
        ),
        extra=filled(rest_of(it, _SIMULATION), checks=checks),
        facts=_case(f"{suite}-{it['task_id']}", suite, task),
        usage=usage_of({}, it.get("agent_cost")),
    )


def _message(item: Any) -> Iterable[Message | Answer]:
    if not isinstance(item, dict):
        return chat.read_item(item)
    if item.get("role") == "tool":
        return [_answer(mapping(result)) for result in listed(item.get("tool_messages")) or [item]]
    role, said = text_of(item.get("role")), mapping(item.get("raw_data"))
    first = mapping(next(iter(listed(said.get("choices"))), None)) if said else said
    told = mapping(said.get("message") or first.get("message")) if said else said
    content = item.get("content")
    contents = content_of(content) if isinstance(content, list) else None
    thought = thought_of(first_of(item, "reasoning_content") or told.get("reasoning_content"))
    message = Message(
        chat.ROLES.get(role, "other"),
        text_of(content) if contents is None else contents.text,
        thought if contents is None else chat.thoughts(thought, contents.reasoning),
        (*chat.calls_of(item), *(contents.calls if contents is not None else ())),
        role,
        text_or_none(item.get("name")),
        text_or_none(item.get("timestamp")),
        *tokens_of(item.get("usage")),
        cost_of(item.get("cost")),
        filled(_beyond(item, said, told, first), **(contents.beside if contents is not None else {})),
    )
    return (message,)


def _answer(result: Mapping[str, Any]) -> Answer:
    """tau2 puts the call's id where others put the message's own."""
    said = text_of(result.get("content"))
    return Answer(
        said,
        call_id(result) or text_or_none(result.get("id")),
        text_or_none(result.get("name")),
        (said or "error") if result.get("error") is True else None,
        text_or_none(result.get("timestamp")),
        by=chat.ROLES.get(text_of(result.get("requestor"))),
    )


def _beyond(item: Mapping[str, Any], said: Mapping[str, Any], told: Json, first: Json) -> Json | None:
    """The fields of a message other than its words; of the raw completion only those not repeated."""
    kept = {
        key: value
        for key, value in (rest_of(item, _MESSAGE, SMALL) or {}).items()
        if value is not False and value != 0.0
    }
    if not said:
        return kept or None
    more = filled(
        model=said.get("model"),
        finish_reason=first_of(said, "finish_reason") or first.get("finish_reason"),
        action=said.get("action"),
        provider=rest_of(mapping(told.get("provider_specific_fields")), (), SMALL),
    )
    return {**kept, **(more or {})} or None


def _scores(reward: Mapping[str, Any]) -> Iterator[Score]:
    if reward.get("reward") is not None:
        value, words = score_of(reward["reward"])
        yield Score("reward", value, raw=words)
    for name, part in mapping(reward.get("reward_breakdown")).items():
        value, words = score_of(part)
        yield Score(f"reward.{name}", value, raw=words)
    check = mapping(reward.get("db_check"))
    if check.get("db_match") is not None:
        value, words = score_of(check["db_match"])
        yield Score("db_check", value, judge="db_check", raw=words)
    for name, (field, met, what) in _CHECKS.items():
        checks = [each for each in listed(reward.get(field)) if isinstance(each, Mapping)]
        if checks:
            yield _checked(name, field, [(each.get(met) is True, _checked_as(each, what)) for each in checks])


def _checked(name: str, judge: str, checks: list[tuple[bool, str]]) -> Score:
    """The part of some checks that was met, with those that were not."""
    missed = [text for met, text in checks if not met]
    note = f"not met: {'; '.join(missed)}" if missed else None
    return Score(name, sum(met for met, _ in checks) / len(checks), judge=judge, note=note)


def _checked_as(check: Mapping[str, Any], what: str) -> str:
    """Describe one check, with the judge's reason."""
    told = check.get(what)
    if isinstance(told, Mapping):
        said = _act({"name": told.get("func_name"), **told}) if "func_name" in told or "name" in told else compact(told)
    else:
        said = text_of(told)
    why = text_of(check.get("justification"))
    return f"{said} ({why})" if why else said


def _case(name: str, suite: str, task: Mapping[str, Any]) -> Case:
    scenario = mapping(task.get("user_scenario"))
    told = scenario.get("instructions")
    parts = mapping(told)
    goal = [text_of(parts.get(key)) for key in ("reason_for_call", "known_info", "unknown_info", "task_instructions")]
    criteria = mapping(task.get("evaluation_criteria"))
    purpose = mapping(task.get("description")).get("purpose")
    outcome = filled(
        purpose=purpose,
        communicate=criteria.get("communicate_info"),
        assertions=criteria.get("nl_assertions"),
        basis=criteria.get("reward_basis"),
    )
    return Case(
        name,
        suite,
        persona=text_of(scenario.get("persona")) or None,
        goal=(told if isinstance(told, str) else "\n".join(part for part in goal if part)) or None,
        expected=tuple(_act(act) for act in listed(criteria.get("actions")) if isinstance(act, Mapping)),
        context=text_or_none(raw(task.get("ticket"))),
        extra=outcome,
    )


def _act(act: Mapping[str, Any]) -> str:
    return f"{act.get('name')}({compact(act.get('arguments') or {})})"


def _run(info: Mapping[str, Any], suite: str, tasks: Mapping[str, Any]) -> Run:
    agent, about = mapping(info.get("agent_info")), mapping(info.get("environment_info"))
    commit = text_of(info.get("git_commit"))
    harness = " ".join(part for part in ("tau2", text_of(agent.get("implementation")), commit[:12]) if part)
    policy = text_of(about.get("policy")) or None
    user = text_of(mapping(info.get("user_info")).get("llm"))
    meant = tuple(f"{suite}-{name}" for name in tasks)
    return Run(
        "",
        None,
        prompt=policy,
        harness=f"{harness}, customer {user}" if user else harness,
        meant=meant,
        tools=_tools(about),
        extra=filled(agent=filled(**mapping(agent.get("llm_args"))), **{name: info.get(name) for name in _SETTINGS}),
    )


def _tools(about: Mapping[str, Any]) -> tuple[Json, ...]:
    """The tools as the results define them: a list, or by their names as objects or texts."""
    stated = unfolded(first_of(about, "tool_defs", "tools"))
    named = {name: unfolded(each) for name, each in mapping(stated).items()}
    by_name = [each if isinstance(each, dict) else {"name": name, "definition": each} for name, each in named.items()]
    return tuple(each for each in (*by_name, *listed(stated)) if isinstance(each, dict) and each)


def _model(agent: Mapping[str, Any]) -> str:
    """The configuration: the agent's model, and its implementation where that is not tau2's plain one."""
    model, built = text_of(agent.get("llm")), text_of(agent.get("implementation"))
    return model if not model or built in _PLAIN or built == model else f"{model}+{built}"


def _suite(domain: Any, simulations: Sequence[Any], name: str) -> str:
    if isinstance(domain, str) and domain:
        return f"tau2-{domain}"
    tools = {
        call.name
        for simulation in simulations
        for message in listed(mapping(simulation).get("messages"))
        for call in chat.calls_of(mapping(message))
    }
    suite = desk.recognised(tools) or names.suite_in(name)
    return f"tau2-{suite}" if suite else "tau2"


def _clock(policy: str, messages: Sequence[Message] = ()) -> str | None:
    match = _CLOCK.search(policy) or next(
        (hit for m in messages if m.role == "system" and (hit := _CLOCK.search(m.text))), None
    )
    return match[1] if match else None
