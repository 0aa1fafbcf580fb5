"""What was planted in a sample conversation: the truth that reads are measured against, kept out of the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reviewer.refs import Ref


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
