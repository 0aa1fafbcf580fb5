"""Judges as Inspect's scorers: one for each score and judge, with a number and a note that quotes.

Whether a conversation was handed over and whether an act was forbidden is never asked of a judge: calls say that.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from inspect_ai.model import Model, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from reviewer.benchmark.live import prompt_files
from reviewer.benchmark.live.desk_kit import kit_for
from reviewer.benchmark.live.prompt_files import RUBRICS
from reviewer.benchmark.live.transcript_text import transcript
from reviewer.benchmark.live.verdict import Rubric, judged, rubrics
from reviewer.benchmark.live.whole_replies import whole
from reviewer.imports.formats.inspect import messages_in
from reviewer.imports.formats.parts.own_samples import KEY, sample_of

JUDGE, SECOND = "judge", "second_judge"
"""The roles of the models that judge."""


def scorers(roles: list[str]) -> list[Scorer]:
    """The scorers of these judges' roles: the first judge's are called by what they judge."""
    makers = {JUDGE: (resolution, instruction_following, sentiment), SECOND: _seconds}
    return [make() for role in roles for make in makers[role]]


@scorer(metrics=[mean(), stderr()])
def resolution(model_role: str = JUDGE) -> Scorer:
    """Was what the customer came for settled, as far as the policy allows?"""
    return _asking(rubrics()[0], model_role)


@scorer(metrics=[mean(), stderr()])
def instruction_following(model_role: str = JUDGE) -> Scorer:
    """Did the agent keep to the policy?"""
    return _asking(rubrics()[1], model_role)


@scorer(metrics=[mean(), stderr()])
def sentiment(model_role: str = JUDGE) -> Scorer:
    """How does the customer feel about the care at the end?"""
    return _asking(rubrics()[2], model_role)


@scorer(metrics=[mean(), stderr()])
def second_resolution(model_role: str = SECOND) -> Scorer:
    """Resolution, by the second judge."""
    return _asking(rubrics()[0], model_role)


@scorer(metrics=[mean(), stderr()])
def second_instruction_following(model_role: str = SECOND) -> Scorer:
    """Instruction-following, by the second judge."""
    return _asking(rubrics()[1], model_role)


@scorer(metrics=[mean(), stderr()])
def second_sentiment(model_role: str = SECOND) -> Scorer:
    """Sentiment, by the second judge."""
    return _asking(rubrics()[2], model_role)


_seconds = (second_resolution, second_instruction_following, second_sentiment)


def _asking(rubric: Rubric, role: str) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score | None:  # noqa: ARG001  (Inspect calls it with both)
        own = sample_of(state.metadata)
        if own is None or own.role_break:
            return None
        judge = whole(get_model(role=role, required=True))
        messages = messages_in([each.model_dump(mode="json", exclude_none=True) for each in state.messages])
        played = kit_for(state.metadata[KEY]["desk"])
        policy, text = prompt_files.policy(played), prompt_files.prompt(RUBRICS[rubric.name], played)
        question = prompt_files.for_judge(text, transcript(messages, policy), own.facts, policy, played)
        answer = await judged(partial(_said, judge), question)
        about: dict[str, Any] = {
            "score": rubric.name,
            "judge": str(judge),
            "prompt": prompt_files.judge_version(text, played),
        }
        if answer is None:
            return Score.unscored(
                reason="grader_failed", explanation="The judge gave no number from 0 to 1.", metadata={KEY: about}
            )
        return Score(value=answer.value, explanation=answer.note, metadata={KEY: about})

    return score


async def _said(judge: Model, question: str) -> str:
    return (await judge.generate(question)).completion
