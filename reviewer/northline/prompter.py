"""Chance and phrasing: which habit shows now, and in which words.

Owns the seeded draws of one conversation and the choice of lines, none twice before all were used. It says nothing;
the scene does.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from reviewer.northline.figures import Figures
from reviewer.northline.lines import Phrase, bank, filled
from reviewer.northline.plan import Part
from reviewer.northline.verdicts import FULL
from reviewer.northline.voices import Voice

# How often a habit shows when there is an occasion for it; a model's own table comes first.
RATES: Mapping[str, float] = {
    "leaked-think-tag": 0.006,
    "leaked-reasoning": 0.006,
    "leaked-template-tag": 0.012,
    "empty-reply": 0.006,
    "goodbye-loop": 0.03,
    "claim-before-lookup": 0.05,
    "silent-handover": 0.06,
    "late-handover": 0.06,
    "false-handover": 0.3,
    "duplicate-write": 0.02,
    "over-confirms": 0.06,
    "wrong-target": 0.02,
    "confirms-something-else": 0.04,
    "wrong-variant": 0.05,
    "over-escalates-by-value": 0.25,
    "broken-multilingual": 0.08,
    "adopts-false-premise": 0.35,
    "narrates-red-flag-then-acts": 0.35,
}
USUAL, NEAR = 0.12, 0.16


class Prompter:
    """Draws the chances and picks the phrases of one conversation."""

    def __init__(self, part: Part, model: Figures, slots: dict[str, Any], rng: random.Random) -> None:
        self.part, self.model, self.slots, self.rng = part, model, slots, rng
        self.voice = Voice.of(model.voice)
        self._used: dict[str, int] = {}

    def chance(self, share: float) -> bool:
        """True with this probability."""
        return self.rng.random() < share

    def tempted(self, mode: str) -> bool:
        """True if a habit shows now: more often, the lower the judge's score is to be."""
        rate = RATES.get(mode, USUAL)
        return self.chance(min(0.95, rate * (0.15 + 1.9 * (1 - self.part.following / FULL))))

    def near_miss(self) -> bool:
        """Whether words that only look like a habit come in now."""
        return self.chance(NEAR)

    def line(self, key: str, mode: str | None = None, real: bool = True, at: int | None = None) -> Phrase:
        """The next phrasing of a key (or the one asked for), none twice in a conversation before all were used."""
        template = self._template(key) if at is None else bank()[key][at]
        return filled(template, self.slots, mode, real)

    def fault(self, mode: str, real: bool = True) -> Phrase:
        """A line that shows a habit, or a near miss of it."""
        return self.line(f"faults.{mode}.{'real' if real else 'near'}", mode, real)

    def tone(self, key: str) -> Phrase:
        """A warm or a plain phrasing, as the voice has it."""
        return self.line(f"{key}.{'warm' if self.chance(self.voice.warmth) else 'plain'}")

    def facts(self) -> Phrase:
        """The order's facts as a short list, as chatty models like to print them."""
        slots = self.slots
        rows = (
            ("Order", slots["order"]),
            ("Status", slots["state"]),
            ("Carrier", slots["carrier"]),
            ("Tracking", slots["tracking"]),
        )
        return Phrase("\n".join(f"- **{name}:** {value}" for name, value in rows))

    def _template(self, key: str) -> str:
        lines = bank()[key]
        at = self._used.get(key)
        at = self.rng.randrange(len(lines)) if at is None else (at + 1) % len(lines)
        self._used[key] = at
        return lines[at]
