"""Chance and phrasing: which habit shows now, and in which words.

Owns the seeded draws of one conversation and the choice of lines, none twice before all were used. It says nothing;
the scene does.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from reviewer.benchmark.northline.cases import SampleCase
from reviewer.benchmark.northline.figures import Figures
from reviewer.benchmark.northline.grammar import said
from reviewer.benchmark.northline.lines import OPEN, Phrase, Sayable, bank, marked, sayable
from reviewer.benchmark.northline.plan import Part
from reviewer.benchmark.northline.setting import Setting
from reviewer.benchmark.northline.stories import stories
from reviewer.benchmark.northline.voices import Voice, wording

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


@cache
def _in_style(key: str, style: str) -> str:
    """The list that a customer of this style takes: its own, the common one, or the plain one."""
    own = f"{key}.{style}"
    return own if own in bank() else key if key in bank() else f"{key}.plain"


class Prompter:
    """Draws the chances and picks the phrases of one conversation."""

    def __init__(self, case: SampleCase, part: Part, model: Figures, setting: Setting, rng: random.Random) -> None:
        self.case, self.part, self.model, self.rng = case, part, model, rng
        self.slots: dict[str, Any] = setting.drawn(rng)
        self.voice = Voice.of(model)
        self._known = setting.known
        self._agents = sayable(setting.known, self.voice.manner, wording(self.voice.manner))
        self._customers = sayable(setting.known, "", str)
        self.slips, self.nears = list(part.slips), list(part.nears)
        self._used: dict[str, int] = {}
        self._pushes: list[str] | None = None

    def chance(self, share: float) -> bool:
        """True with this probability."""
        return self.rng.random() < share

    def below(self, number: int) -> int:
        """A number from 0 up to, but not, this one."""
        return int(self.rng.random() * number)

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

    def line(self, key: str, mode: str | None = None, real: bool = True) -> Phrase:
        """The agent's next phrasing of a key, none twice in a conversation before all were used."""
        text = self._next(key, self._agents)
        return marked(text, mode, real) if mode or OPEN in text else Phrase(text)

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
        return self._next(_in_style(key, self.case.style), self._customers)

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
