"""What a run has to do: for each model and run the cases that are not in the store yet, and how many calls that takes.

Plans from the store alone, so that the same command goes on where it stopped, however it was stopped. A run that was
begun otherwise (another customer, other prompts) is not gone on with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reviewer.basics.errors import DeskError, ReviewerError
from reviewer.benchmark.live import prompt_files
from reviewer.benchmark.live.desk_kit import NORTHLINE, DeskKit, PlayedCase, kit
from reviewer.benchmark.live.simulated_customer import BROKEN
from reviewer.benchmark.northline.desk_tools import SCHEMAS
from reviewer.imports.formats.parts.own_samples import KEY
from reviewer.transcripts.desk import Desk
from reviewer.transcripts.store.past_runs import HeldCase, held_cases, settings


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What was asked for: which models, how often, over which cases, with whom."""

    models: tuple[str, ...]
    runs: int
    cases: tuple[PlayedCase, ...]
    turns: int
    customer: str | None = None
    judge: str | None = None
    second_judge: str | None = None
    played: DeskKit = field(default_factory=kit)
    """The desk that is played."""

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges, the first one first."""
        return tuple(each for each in (self.judge, self.second_judge) if each)

    @property
    def roles(self) -> dict[str, str]:
        """Models by role, as Inspect takes them."""
        told = {"customer": self.customer_of(self.models[0]), "judge": self.judge, "second_judge": self.second_judge}
        return {role: model for role, model in told.items() if model}

    def customer_of(self, model: str) -> str:
        """Who plays the customer of a model: by default the model itself."""
        return self.customer or model


@dataclass(frozen=True, slots=True)
class Leg:
    """One run of one model, as far as it is still to be done."""

    model: str
    run: int
    cases: tuple[PlayedCase, ...]
    whole: int
    """Cases of it, those in the store included."""


@dataclass(frozen=True, slots=True)
class Programme:
    """All that is still to be done, and the stored conversations that are played again because they went wrong."""

    wanted: RunRequest
    legs: tuple[Leg, ...]
    failed: tuple[HeldCase, ...]
    """The stored conversations that went wrong and are played again."""
    held: tuple[HeldCase, ...]
    """The stored conversations that are not played again."""

    @property
    def again(self) -> tuple[int, ...]:
        """The conversations that give way to what is played again."""
        return tuple(each.rowid for each in self.failed)

    @property
    def left(self) -> int:
        """Conversations that are still to be held."""
        return sum(len(leg.cases) for leg in self.legs)

    @property
    def whole(self) -> int:
        """Conversations in all."""
        return sum(leg.whole for leg in self.legs)


def programme(store: Path, wanted: RunRequest) -> Programme:
    """Plan what a store lacks: run by run, so that the first run of every model is done first."""
    check_tools(wanted.played.desk, wanted.played.schemas)
    prompt_files.check(wanted.played)
    _check_settings(store, wanted)
    held = held_cases(store, wanted.models)
    failed = dict.fromkeys(each for each in held if each.error is not None and not each.error.startswith(BROKEN))
    there = {(each.model, each.run, each.case): each for each in held if each not in failed}
    legs, kept = [], []
    for run in range(1, wanted.runs + 1):
        for model in wanted.models:
            left = tuple(case for case in wanted.cases if (model, run, case.id) not in there)
            kept += [there[model, run, case.id] for case in wanted.cases if (model, run, case.id) in there]
            legs.append(Leg(model, run, left, len(wanted.cases)))
    return Programme(wanted, tuple(legs), tuple(each for each in failed if _is_wanted(each, legs)), tuple(kept))


def check_tools(played: Desk, schemas: Sequence[Mapping[str, Any]] = SCHEMAS) -> None:
    """Refuse a desk file that does not say what the agent's tools mean: nothing an agent did could be counted."""
    absent = [schema["name"] for schema in schemas if schema["name"] not in played.tools]
    if absent:
        raise DeskError(
            f"The desk {played.name} names {'none' if len(absent) == len(schemas) else 'not all'} of the agent's tools:"
            f" {absent[0]} is missing.",
            "Add it to [tools] in its desk.toml.",
        )


def _is_wanted(held: HeldCase, legs: Sequence[Leg]) -> bool:
    return any(
        (leg.model, leg.run) == (held.model, held.run) and any(case.id == held.case for case in leg.cases)
        for leg in legs
    )


def _check_settings(store: Path, wanted: RunRequest) -> None:
    """Refuse to go on with a run that was begun with other settings: it would be two runs under one number."""
    for (model, run), extra in settings(store, wanted.models).items():
        if run > wanted.runs:
            continue
        differs = _difference(extra, wanted)
        if differs:
            raise ReviewerError(
                f"Run {run} of {model} in {store} was begun otherwise: {differs}.",
                "Say the same again to go on with it, or name another store with --into.",
            )


def _difference(extra: Mapping[str, Any], wanted: RunRequest) -> str | None:
    """Say in which setting a stored run differs from what is wanted; None for none."""
    told = extra.get("metadata")
    own = told.get(KEY) if isinstance(told, dict) else None
    if not isinstance(own, dict):
        return "it is no run of this command"
    at = own.get("desk", NORTHLINE)
    if at != wanted.played.name:
        return f"it is at the desk {at}, not {wanted.played.name}"
    roles = extra.get("model_roles") or {}
    for role in ("customer", "judge", "second_judge"):
        before, now = roles.get(role), wanted.roles.get(role)
        if before != now:
            return f"its {role.replace('_', ' ')} is {before or 'nobody'}, not {now or 'nobody'}"
    if own.get("turns") != wanted.turns:
        return f"{own.get('turns')} turns, not {wanted.turns}"
    stored, current = own.get("prompts") or {}, prompt_files.hashes(wanted.played)
    changed = sorted(name for name in stored.keys() | current.keys() if stored.get(name) != current.get(name))
    return f"{changed[0]} has changed since" if changed else None
