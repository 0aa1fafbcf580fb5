"""The sample: planned outcomes played out as conversations, one value at a time, with what was planted in each.

Same seed, same conversations, whichever models are asked for. Writes nothing; `reviewer.benchmark.northline.build` puts
it into a store.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.northline import judges, lines
from reviewer.benchmark.northline.cases import SampleCase, cases
from reviewer.benchmark.northline.figures import Figures, figures
from reviewer.benchmark.northline.flows import play
from reviewer.benchmark.northline.plan import Part, Plan, planned
from reviewer.benchmark.northline.scene import Clock, Scene
from reviewer.benchmark.northline.setting import TODAY, Setting, setting
from reviewer.benchmark.northline.truth import Plant, with_twins
from reviewer.transcripts.model import Conversation

SEED = 2
DEEP = ("kimi-k2.7-code", "kimi-k2.6", "qwen3.7-plus")


@dataclass(frozen=True, slots=True)
class SampleConversation:
    """A sample conversation and what was planted in it."""

    conversation: Conversation
    plants: tuple[Plant, ...]

    @property
    def planted(self) -> tuple[Plant, ...]:
        """What was planted, and for each failure the near miss of its good twin."""
        return with_twins(self.plants)


def chosen(names: Sequence[str] | None = None, board: bool = False) -> tuple[Figures, ...]:
    """The models to play, in the published order: those named, else all for the board, else the three deep reports'."""
    known = {model.model: model for model in figures()}
    wanted = set(names) if names is not None else set(known) if board else set(DEEP)
    if unknown := sorted(wanted - known.keys()):
        raise ReviewerError(f"The sample has no model “{unknown[0]}”.", f"It has: {', '.join(known)}.")
    return tuple(model for model in figures() if model.model in wanted)


def count(models: Sequence[Figures]) -> int:
    """Count the conversations of these models."""
    return sum(model.runs for model in models) * len(cases())


def sampled(models: Sequence[Figures], seed: int = SEED) -> Iterator[SampleConversation]:
    """Every conversation of these models: by model, run, case."""
    lines.check(frozenset().union(*(_setting(case.id).known for case in cases())))
    plan = _plan(seed)
    for model in models:
        for run in range(1, model.runs + 1):
            for case, part in zip(cases(), plan[model.model, run], strict=True):
                yield _played(model, run, case, part, seed)


@cache
def _plan(seed: int) -> Plan:
    return planned(figures(), cases(), seed)


@cache
def _setting(case_id: str) -> Setting:
    return setting(next(case for case in cases() if case.id == case_id))


def _played(model: Figures, run: int, case: SampleCase, part: Part, seed: int) -> SampleConversation:
    rng = random.Random(f"{seed}/{model.model}/{case.id}/{run}")
    clock = Clock(TODAY.isoformat(), 6 * 3600 + int(rng.random() * 14 * 3600))
    own = _setting(case.id)
    scene = Scene(case, part, model, own, clock, rng)
    play(scene)
    messages = tuple(scene.messages)
    conversation = Conversation(
        model=model.model,
        messages=messages,
        case=case.id,
        run=run,
        id=f"{model.model}-{run}-{case.id}",
        started=messages[0].at,
        ended=messages[-1].at,
        ended_by=scene.ended_by,
        clock=TODAY.isoformat(),
        scores=judges.scores(part, messages, scene.planted, scene.slots, own.known, rng),
        facts=case.facts,
    )
    return SampleConversation(conversation, tuple(scene.planted))
