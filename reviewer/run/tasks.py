"""The benchmark as an Inspect task: `inspect eval reviewer/northline`. What the entry point `inspect_ai` loads."""

from __future__ import annotations

from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, model_roles

from reviewer import __version__, desk
from reviewer.conversation_json import case_object
from reviewer.northline.cases import SampleCase
from reviewer.run import prompt_files
from reviewer.run.case_choice import chosen_cases
from reviewer.run.cut_cases import CutCase
from reviewer.run.dialogue import KEY, TURNS, dialogue
from reviewer.run.judge_scorers import JUDGE, SECOND, scorers
from reviewer.run.past_chat import as_chat


@task
def northline(cases: str = "", turns: int = TURNS) -> Task:
    """The Northline desk: a simulated customer, an agent with the desk's tools, judges.

    Args:
        cases: Which cases, in the filter language of reviewer, such as "bucket:adversarial"; all when empty.
        turns: Messages of the customer, the first one included.
    """
    judges = [role for role in (JUDGE, SECOND) if role in model_roles()]
    return northline_task(chosen_cases(cases), turns, judges)


def northline_task(cases: tuple[SampleCase, ...], turns: int, judges: list[str], run: int | None = None) -> Task:
    """The task over these cases; `run` is the run's number where it is not that of Inspect's epoch."""
    about: dict[str, Any] = {"version": __version__, "customer": "simulated", "turns": turns, "run": run}
    about |= {"prompts": prompt_files.hashes(), "prompt": prompt_files.for_agent()}
    return Task(
        dataset=MemoryDataset([_sample(case) for case in cases], name="northline"),
        solver=dialogue(turns),
        scorer=scorers(judges) or None,
        name="northline",
        metadata={KEY: {name: value for name, value in about.items() if value is not None}},
    )


def _sample(case: SampleCase) -> Sample:
    facts = case.facts
    context: list[ChatMessage] = [ChatMessageSystem(content=prompt_files.for_agent())]
    context += [ChatMessageSystem(content=facts.context)] if facts.context else []
    told: dict[str, Any] = {"case": case_object(facts), "clock": prompt_files.today()}
    told["instructions"] = prompt_files.for_customer(facts, case.style)
    said = [*context, ChatMessageUser(content=facts.opening or "")]
    if isinstance(case, CutCase):
        said = list(as_chat(case.past, facts.context))
        told |= {"clock": case.clock or told["clock"], "past": sum(each.role != "tool" for each in said)}
        played = desk.load(prompt_files.NORTHLINE)
        told["acts"] = sorted(name for name in played.tools if played.act(name))
        told["later"] = [[each.call.name, each.call.arguments, each.call.result] for each in case.later]
    return Sample(
        id=facts.id,
        input=said,
        target=str((facts.extra or {}).get("resolves", "")),
        metadata={KEY: told},
    )
