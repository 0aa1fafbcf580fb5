"""A desk as an Inspect task: `inspect eval reviewer/northline`. What the entry point `inspect_ai` loads."""

from __future__ import annotations

import logging
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, model_roles

from reviewer import __version__
from reviewer.benchmark.live import prompt_files
from reviewer.benchmark.live.case_choice import chosen_cases
from reviewer.benchmark.live.cut_cases import CutCase
from reviewer.benchmark.live.desk_kit import DeskKit, PlayedCase, kit
from reviewer.benchmark.live.dialogue import KEY, TURNS, dialogue
from reviewer.benchmark.live.inspect_tools import desk_tools
from reviewer.benchmark.live.judge_scorers import JUDGE, SECOND, scorers
from reviewer.benchmark.live.past_chat import as_chat
from reviewer.benchmark.live.programme import check_tools
from reviewer.transcripts.conversation_json import case_object
from reviewer.transcripts.desk import shipped

_log = logging.getLogger(__name__)


@task
def northline(cases: str = "", turns: int = TURNS) -> Task:
    """The Northline desk: a simulated customer, an agent with the desk's tools, judges.

    Args:
        cases: Which cases, in the filter language of reviewer, such as "bucket:adversarial"; all when empty.
        turns: Messages of the customer, the first one included.
    """
    played = kit()
    return desk_task(played, chosen_cases(cases, played, remark=_log.warning), turns, _judges())


@task
def desk(desk: str, cases: str = "", turns: int = TURNS) -> Task:
    """Another desk: a shipped one, or one in a folder of your own.

    Args:
        desk: Its name or its folder, such as lapwing or ./mydesk.
        cases: Which cases, in the filter language of reviewer; all when empty.
        turns: Messages of the customer, the first one included.
    """
    played = kit(desk)
    check_tools(played.desk, played.schemas)
    prompt_files.check(played)
    desk_tools(played)  # refused here and not in every conversation
    return desk_task(played, chosen_cases(cases, played, remark=_log.warning), turns, _judges())


def _judges() -> list[str]:
    return [role for role in (JUDGE, SECOND) if role in model_roles()]


def desk_task(
    played: DeskKit, cases: tuple[PlayedCase, ...], turns: int, judges: list[str], run: int | None = None
) -> Task:
    """The task over these cases; `run` is the run's number where it is not that of Inspect's epoch."""
    about: dict[str, Any] = {"version": __version__, "customer": "simulated", "turns": turns, "run": run}
    about |= {"desk": played.name, "desk_file": None if played.name in shipped() else played.desk.text}
    about |= {"prompts": prompt_files.hashes(played), "prompt": prompt_files.for_agent(played)}
    return Task(
        dataset=MemoryDataset([_sample(played, case) for case in cases], name=played.name),
        solver=dialogue(turns),
        scorer=scorers(judges) or None,
        name=played.name,
        metadata={KEY: {name: value for name, value in about.items() if value is not None}},
    )


def _sample(played: DeskKit, case: PlayedCase) -> Sample:
    facts = case.facts
    context: list[ChatMessage] = [ChatMessageSystem(content=prompt_files.for_agent(played))]
    context += [ChatMessageSystem(content=facts.context)] if facts.context else []
    told: dict[str, Any] = {"case": case_object(facts), "clock": prompt_files.today(played), "desk": played.name}
    told["instructions"] = prompt_files.for_customer(facts, case.style, played)
    said = [*context, ChatMessageUser(content=facts.opening or "")]
    if isinstance(case, CutCase):
        said = list(as_chat(case.past, facts.context, played))
        told |= {"clock": case.clock or told["clock"], "past": sum(each.role != "tool" for each in said)}
        told["acts"] = sorted(name for name in played.desk.tools if played.desk.act(name))
        told["later"] = [[each.call.name, each.call.arguments, each.call.result] for each in case.later]
    return Sample(
        id=facts.id,
        input=said,
        target=str((facts.extra or {}).get("resolves", "")),
        metadata={KEY: told},
    )
