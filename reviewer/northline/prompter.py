"""Chance and phrasing: which habit shows now, and in which words.

Owns the seeded draws of one conversation and the choice of lines, none twice before all were used. It says nothing;
the scene does.
"""

from __future__ import annotations

import random
from typing import Any

from reviewer.northline.figures import Figures
from reviewer.northline.lines import Phrase, bank, filled
from reviewer.northline.plan import Part
from reviewer.northline.voices import Voice


class Prompter:
    """Draws the chances and picks the phrases of one conversation."""

    def __init__(self, part: Part, model: Figures, slots: dict[str, Any], rng: random.Random) -> None:
        self.part, self.model, self.slots, self.rng = part, model, slots, rng
        self.voice = Voice.of(model.voice)
        self.slips, self.nears = list(part.slips), list(part.nears)
        self._used: dict[str, int] = {}

    def chance(self, share: float) -> bool:
        """True with this probability."""
        return self.rng.random() < share

    def tempted(self, mode: str) -> bool:
        """True, once, for a failure that this conversation is planned to show."""
        planned = mode in self.slips
        if planned:
            self.slips.remove(mode)
        return planned

    def looks_like(self, *modes: str) -> str | None:
        """The first of these near misses that this conversation is planned to have, once."""
        mode = next((each for each in modes if each in self.nears), None)
        if mode is not None:
            self.nears.remove(mode)
        return mode

    def line(self, key: str, mode: str | None = None, real: bool = True, at: int | None = None) -> Phrase:
        """The next phrasing of a key (or the one asked for), none twice in a conversation before all were used."""
        template = self._template(key) if at is None else bank()[key][at]
        return filled(template, self.slots, mode, real)

    def fault(self, mode: str, real: bool = True) -> Phrase:
        """A line that shows a habit, or a near miss of it: the one that fits the case best."""
        kind = "real" if real else "near"
        keys = (f"faults.{mode}.{tag}.{kind}" for tag in self.tags())
        return self.line(next((key for key in keys if key in bank()), f"faults.{mode}.{kind}"), mode, real)

    def tags(self) -> list[str]:
        """What a line for this case may be marked with, the narrowest first."""
        return []

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
