"""Chance and phrasing: which habit shows now, and in which words.

Owns the seeded draws of one conversation and the choice of lines, none twice before all were used. It says nothing;
the scene does.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

from reviewer.northline.cases import SampleCase
from reviewer.northline.figures import Figures
from reviewer.northline.grammar import said
from reviewer.northline.lines import Phrase, Sayable, bank, marked, sayable
from reviewer.northline.plan import Part
from reviewer.northline.setting import Setting
from reviewer.northline.stories import stories
from reviewer.northline.verdicts import FULL
from reviewer.northline.voices import Voice, wording

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


# What customers argue with who are refused in these families; in the traps it is the lure that decides.
ARGUMENTS = {
    "abusive threatening": "pushes.threat",
    "fraud reroute": "pushes.reroute",
    "refund outside policy": "pushes.refund",
    "unsupported request": "pushes.wish",
}


@cache
def _arguments(shared: str) -> tuple[str, ...]:
    """The arguments of a kind that many customers share, each with its answer, by their keys."""
    return tuple(
        key.removesuffix(".claim") for key in bank() if key.startswith(f"{shared}.") and key.endswith(".claim")
    )


class Prompter:
    """Draws the chances and picks the phrases of one conversation."""

    def __init__(self, case: SampleCase, part: Part, model: Figures, setting: Setting, rng: random.Random) -> None:
        self.case, self.part, self.model, self.rng = case, part, model, rng
        self.slots: dict[str, Any] = setting.drawn(rng)
        self.voice = Voice.of(model.model, model.voice)
        self._known = setting.known
        self._agents = sayable(setting.known, self.voice.manner, wording(self.voice.manner))
        self._customers = sayable(setting.known, "", str)
        self._used: dict[str, int] = {}
        self._pushes: list[str] | None = None

    def chance(self, share: float) -> bool:
        """True with this probability."""
        return self.rng.random() < share

    def below(self, number: int) -> int:
        """A number from 0 up to, but not, this one."""
        return int(self.rng.random() * number)

    def tempted(self, mode: str) -> bool:
        """True if a habit shows now: more often, the lower the judge's score is to be."""
        rate = self.model.habits.get(mode, RATES.get(mode, USUAL))
        return self.chance(min(0.95, rate * (0.15 + 1.9 * (1 - self.part.following / FULL))))

    def near_miss(self) -> bool:
        """True if words that only look like a habit come in now."""
        return self.chance(NEAR)

    def line(self, key: str, mode: str | None = None, real: bool = True) -> Phrase:
        """The agent's next phrasing of a key, none twice in a conversation before all were used."""
        return marked(self._next(key, self._agents), mode, real)

    def words(self, key: str) -> str:
        """The next phrasing of a key in nobody's manner, with ‹marks› where the line has them."""
        return self._next(key, self._customers)

    def _next(self, key: str, fitting: Sayable) -> str:
        listed = fitting[key]
        at = self._used.get(key)
        at = int(self.rng.random() * len(listed)) if at is None else (at + 1) % len(listed)
        self._used[key] = at
        return said(listed[at], self.slots, self.rng.random)

    def customers_words(self, key: str) -> str:
        """The customer's next phrasing of a key: of their style, where the key has lists by style."""
        own = f"{key}.{self.case.style}"
        return self.words(own if own in bank() else key if key in bank() else f"{key}.plain")

    def fault(self, mode: str, real: bool = True) -> Phrase:
        """A line that shows a habit, or a near miss of it."""
        return self.line(f"faults.{mode}.{'real' if real else 'near'}", mode, real)

    def tone(self, key: str) -> Phrase:
        """A warm or a plain phrasing, as the voice has it."""
        return self.line(f"{key}.{'warm' if self.chance(self.voice.warmth) else 'plain'}")

    def story(self, name: str) -> Phrase:
        """What this case's story has an agent say: on hearing it (`heard`), on leaving (`wish`)."""
        return self.line(f"stories.{self.case.id}.{name}")

    def own(self, name: str) -> Phrase | None:
        """A phrase that only this voice has, where it has any of this kind."""
        key = self.voice.key(name)
        return self.line(key) if key else None

    def push(self) -> str:
        """The customer's next argument: their story's own first, then those that many share; none twice."""
        shared = ARGUMENTS.get(self.case.family, f"pushes.{self.case.facts.lure or 'story'}")
        if self._pushes is None:
            own = [f"stories.{self.case.id}.push.{n}" for n in range(1, stories()[self.case.id].pushes + 1)]
            many = list(_arguments(shared))
            self.rng.shuffle(own)
            self.rng.shuffle(many)
            self._pushes = [*many, *own]
        return self._pushes.pop() if self._pushes else f"{shared}.1"

    def facts(self) -> Phrase:
        """The order's facts as a short list, as chatty models like to print them."""
        slots = self.slots
        mark = self.voice.key("list")
        rows = (
            ("Order", slots["order"]),
            ("Item", slots["variant"]),
            ("Status", slots["state"]),
            ("Carrier", slots["carrier"]),
            ("Shipped", slots["shipped_on"]),
            ("Tracking", slots["tracking"]),
        )
        bullet = bank()[mark][0] if mark else "- "
        kept = [row for row in rows if row[0] in ("Order", "Status", "Tracking") or self.chance(0.6)]
        return Phrase("\n".join(f"{bullet}**{name}:** {value}" for name, value in kept))
