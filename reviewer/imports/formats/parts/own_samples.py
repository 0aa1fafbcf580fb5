"""What our own Inspect task says of a sample beside what Inspect says: the case, the clock, the customer, how it ended.

`reviewer/run` writes it under `reviewer` into the metadata of the task, of a sample and of a score; logs of other tasks
have nothing there. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from reviewer.imports.messages.content import filled, listed, mapping, number_of, text_or_none
from reviewer.transcripts.model import Case, Json, Message

KEY = "reviewer"
_CASE = {each.name for each in fields(Case)}
_LISTS = ("forbidden", "labels", "expected")


@dataclass(frozen=True, slots=True)
class OwnSample:
    """The facts of a conversation that our own task held."""

    facts: Case
    clock: str | None
    ended_by: str | None
    role_break: str | None
    """How the simulated customer fell out of its role: what follows says nothing of the agent."""
    meta: Json | None
    past: int = 0
    """Messages that another conversation had before this one went on with it."""
    acts: frozenset[str] = frozenset()
    """Tools that write or hand over."""

    def told(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """The messages of the sample: what was done in the past was a colleague's doing, and counts for no model."""
        past = (
            replace(each, role="colleague") if any(call.name in self.acts for call in each.calls) else each
            for each in messages[: self.past]
        )
        return (*past, *messages[self.past :])


def run_of(metadata: Any) -> int | None:
    """The number of the run that a task says it is; None where its epochs count."""
    return number_of(mapping(mapping(metadata).get(KEY)).get("run")) or None


def prompt_of(metadata: Any) -> str | None:
    """The agent's system prompt, as our task says it."""
    return text_or_none(mapping(mapping(metadata).get(KEY)).get("prompt"))


def desk_of(metadata: Any) -> str | None:
    """The text of the desk file, where our task played a desk that does not come with the program."""
    return text_or_none(mapping(mapping(metadata).get(KEY)).get("desk_file"))


def is_own(metadata: Any) -> bool:
    """True if the task of this metadata is ours."""
    return bool(mapping(mapping(metadata).get(KEY)))


def sample_of(metadata: Any) -> OwnSample | None:
    """What our task says of a sample; None for other tasks' samples."""
    told = mapping(mapping(metadata).get(KEY))
    case = mapping(told.get("case"))
    if not case.get("id"):
        return None
    values: dict[str, Any] = {key: value for key, value in case.items() if key in _CASE}
    values |= {key: tuple(map(str, values[key])) for key in _LISTS if isinstance(values.get(key), list)}
    broken = text_or_none(told.get("role_break"))
    return OwnSample(
        Case(**values),
        text_or_none(told.get("clock")),
        text_or_none(told.get("ended_by")),
        broken,
        filled(customer=text_or_none(told.get("customer")), role_break=broken, cut=text_or_none(told.get("cut"))),
        max(number_of(told.get("past")) or 0, 0),
        frozenset(map(str, listed(told.get("acts")))),
    )


def score_of(score: Mapping[str, Any]) -> tuple[str | None, str | None, str | None]:
    """The name of a score, its judge and the version of the prompt, as our scorers say them; nothing for others."""
    told = mapping(mapping(score.get("metadata")).get(KEY))
    return text_or_none(told.get("score")), text_or_none(told.get("judge")), text_or_none(told.get("prompt"))
