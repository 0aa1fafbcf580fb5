"""What was planted in a sample conversation: the truth that reads are measured against, kept out of the store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from reviewer import desk
from reviewer.model import Conversation
from reviewer.refs import Ref, case_ref, conversation_ref


@dataclass(frozen=True, slots=True)
class Plant:
    """A habit that was put in (real), or words that only look like one (a near miss), and where."""

    mode: str
    real: bool
    message: int | None = None
    """From 1; None for the conversation as a whole."""
    call: int | None = None
    span: tuple[int, int] | None = None
    part: str = "text"


def as_object(conversation: str, plant: Plant) -> dict[str, Any]:
    """One line of a truth file."""
    part: Any = plant.part
    place = Ref(conversation).at(plant.message, plant.call, part, plant.span)
    return {
        "ref": str(place),
        "conversation": conversation,
        "mode": plant.mode,
        "message": plant.message,
        "call": plant.call,
        "span": list(plant.span) if plant.span else None,
        "kind": "real" if plant.real else "near miss",
    }


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of one conversation as far as acts go: what flips between runs, and what differs within a family."""

    model: str
    case: str
    run: int | None
    cluster: tuple[str | None, str | None]
    acts: frozenset[str]

    @classmethod
    def of(cls, conversation: Conversation) -> Ending:
        """The ending of a conversation, from its calls."""
        northline = desk.load("northline")
        acts = {northline.act(call.name) for message in conversation.messages for call in message.calls}
        facts = conversation.facts
        cluster = (facts.family, facts.bucket) if facts else (None, None)
        fired = frozenset(act for act in acts if act)
        return cls(conversation.model, conversation.case or "", conversation.run, cluster, fired)


def across(endings: Iterable[Ending]) -> Iterator[dict[str, Any]]:
    """Findings across conversations: cases that flip between runs, families routed both ways within a run."""
    runs: defaultdict[tuple[str, str], list[Ending]] = defaultdict(list)
    families: defaultdict[tuple[Any, ...], list[Ending]] = defaultdict(list)
    for each in endings:
        runs[each.model, each.case].append(each)
        families[each.model, each.run, *each.cluster].append(each)
    for (model, case), group in runs.items():
        if len({each.acts for each in group}) > 1:
            yield as_object(case_ref(model, case), Plant("flips-across-runs", True))
    for group in families.values():
        handed = [each for each in group if "handover" in each.acts]
        if 0 < len(handed) < len(group):
            minority = handed if 2 * len(handed) <= len(group) else [each for each in group if each not in handed]
            for each in minority:
                ref = conversation_ref(each.model, each.case, each.run)
                yield as_object(ref, Plant("inconsistent-identical-asks", True))
