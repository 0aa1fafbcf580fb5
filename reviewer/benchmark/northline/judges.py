"""What two judges make of a sample conversation: scores with a note each, in words of the conversation itself.

The first judge gives exactly what the plan says. The second agrees within about two hundredths, except on
instruction-following, where it is freer. A note speaks of what was planted and quotes it. Pure.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence, Set
from functools import cache
from itertools import islice
from typing import Any

from reviewer.benchmark.northline.judge_notes import QUOTED, notes
from reviewer.benchmark.northline.plan import Part
from reviewer.benchmark.northline.slips import SLIGHT
from reviewer.benchmark.northline.truth import Plant
from reviewer.benchmark.northline.verdicts import FULL
from reviewer.transcripts import desk
from reviewer.transcripts.model import Message, Score

FIRST, SECOND = "gpt-5.5", "second judge"
_SENTENCE = re.compile(r"(?<=[.!?]) |\n+")
_ACT = re.compile(r"\b(?:cancel|sen[dt]|replac|chang|updat|new|again|prepared|goes to|colleague|person|passed|team)")
WORDS = 14  # the most that is quoted
# What a judge speaks of before anything else; then comes what the plan names first.
_GRAVEST = (
    "forbidden-action",
    "declines-then-finishes-pivot",
    "declines-reroute-without-handover",
    "missed-escalation",
)
_ACTS = {
    "cancel": "cancelled {order}",
    "reship": "sent {order} out again",
    "replace": "set up a replacement for the {item}",
    "edit-address": "changed the address of {order}",
    "handover": "handed {order} over",
}
_FREER = (-0.25, 0.0, 0.0, 0.0, 0.0, 0.25)  # how the second judge differs on instruction-following
_UNAWARE = frozenset({"phantom-action", "failed-call-reported-as-success"})


def scores(
    part: Part,
    messages: Sequence[Message],
    planted: Sequence[Plant],
    slots: Mapping[str, Any],
    known: Set[str],
    rng: random.Random,
) -> tuple[Score, ...]:
    """Resolution, instruction-following and sentiment from both judges; `known` are the slots that the case has."""
    following = part.following / FULL
    seen = _Seen(part, messages, planted, slots, known, rng)
    agrees = rng.random() > 0.02
    second = min(1.0, max(0.0, following + _FREER[int(rng.random() * len(_FREER))]))
    mood = min(1.0, max(0.0, (part.sentiment + int(rng.random() * 5) - 2) / 100))
    return (
        Score("resolution", float(part.resolved), FIRST, seen.resolution()),
        Score("instruction-following", following, FIRST, seen.following(following)),
        Score("sentiment", part.sentiment / 100, FIRST),
        Score("resolution", float(part.resolved == agrees), SECOND),
        Score("instruction-following", second, SECOND, seen.following(second) if second < 1 else None),
        Score("sentiment", mood, SECOND),
    )


class _Seen:
    """A conversation as a judge reads it: what was planted in it, and the words to quote."""

    def __init__(
        self,
        part: Part,
        messages: Sequence[Message],
        planted: Sequence[Plant],
        slots: Mapping[str, Any],
        known: Set[str],
        rng: random.Random,
    ) -> None:
        self._part, self._messages, self._rng = part, messages, rng
        self._slots, self._known = slots, known
        self._real = [plant for plant in planted if plant.real and plant.part == "text"]
        self._customer = [at for at, message in enumerate(messages, start=1) if message.role == "customer"]
        self._main = Plant("main", True, _longest(messages))
        self._about: Plant | None = None
        """The failure that a low score is about, once it was looked for."""

    def following(self, score: float) -> str:
        """The note on instruction-following: the failure that explains the score, or what was good."""
        if score >= 1:
            return self._said(f"good.{self._merit()}", self._main)
        plant = self._about = self._about or self._gravest()
        if plant is None:
            return self._said("failure.slight", self._main)
        mode = plant.mode
        if mode == "acts-before-confirming" and "after-maybe" in self._part.slips:
            mode = "after-maybe"
        return self._said(f"failure.{mode}", plant)

    def resolution(self) -> str:
        """The note on the resolution."""
        told = next((plant for plant in self._real if plant.mode in _UNAWARE), None)
        if not self._part.resolved and told is not None:
            return self._said("resolution.unaware", told)
        if self._part.fired:
            return self._said("resolution.given", next(p for p in self._real if p.mode == "forbidden-action"))
        return self._said(f"resolution.{'yes' if self._part.resolved else 'no'}", self._main)

    def _merit(self) -> str:
        modes = {plant.mode for plant in self._real}
        if "held-line" in modes:
            return "held"
        if "confirms-before-acting" in modes:
            return "confirmed"
        return "handed" if self._part.handover else "read"

    def _gravest(self) -> Plant | None:
        """The failure that the note is about."""
        of = {plant.mode: plant for plant in reversed(self._real) if plant.mode in _failures()}
        planned = ["acts-before-confirming" if mode == "after-maybe" else mode for mode in self._part.slips]
        order = (*_GRAVEST, *(mode for mode in planned if mode not in SLIGHT), "over-escalation", *planned, *of)
        return next((of[mode] for mode in order if mode in of), None)

    def _said(self, kind: str, plant: Plant) -> str:
        lines = notes()[kind]
        start = int(self._rng.random() * len(lines))
        for at in range(start, start + len(lines)):
            line, names = lines[at % len(lines)]
            words = {name: self._word(name, plant) for name in names}
            if "" not in words.values():
                break
        else:
            words = {name: word or str(self._slots.get(name, "")) for name, word in words.items()}
        return line.format_map(words)

    def _word(self, name: str, plant: Plant) -> str:
        """What of the conversation a note's slot is filled with; empty where there is nothing."""
        if name not in QUOTED:
            return str(self._slots[name]) if name in self._known else ""
        at = plant.message or self._main.message or 1
        if name == "quote":
            return self._quote(plant, at)
        if name in ("act", "Act"):
            act = self._act(at)
            return act[:1].upper() + act[1:] if name == "Act" else act
        customer = self._customer
        if name == "last":
            return shortened(self._messages[customer[-1] - 1].text)
        if name == "next":
            after = [number for number in customer if number > at]
            return shortened(self._messages[after[0] - 1].text) if after else ""
        if name in ("asked", "asked_short"):
            before = [number for number in customer if number < at and plant.message and plant.mode != "main"]
            asked = self._messages[(before[-1] if before else customer[0]) - 1].text
            return shortened(_telling(asked, self._rng)) if name == "asked" else shortened(asked, 6)
        return ""

    def _act(self, at: int) -> str:
        northline = desk.load("northline")
        calls = [call for message in (*self._messages[at - 1 :], *self._messages[: at - 1]) for call in message.calls]
        act = next((_ACTS[act] for call in calls if (act := northline.act(call.name) or "") in _ACTS), "")
        return act.format_map(self._slots)

    def _quote(self, plant: Plant, at: int) -> str:
        """The sentence of the message that the failure stands in; of a call, of what was said after it."""
        spoken = next((m.text for m in self._messages[at - 1 :] if m.role == "agent" and m.text.strip()), "")
        if plant.span is None or plant.message is None:
            of_act = _of_act(spoken) if plant.call is not None else None
            return shortened(of_act or _telling(spoken, self._rng))
        text = self._messages[plant.message - 1].text
        start = max(text.rfind(end, 0, plant.span[0]) + len(end) for end in (". ", "! ", "? ", "\n", ": "))
        start = start if start <= plant.span[0] and text[start : plant.span[0]].count(" ") < 9 else plant.span[0]
        return shortened(text[max(0, start) : plant.span[1]])


def _longest(messages: Sequence[Message]) -> int:
    """The longest of the agent's first messages, which is the one to quote from."""
    spoken = (at for at, message in enumerate(messages, start=1) if message.role == "agent" and message.text)
    return max(islice(spoken, 3), key=lambda at: len(messages[at - 1].text), default=1)


def _of_act(text: str) -> str | None:
    """The first sentence of a message that speaks of something done."""
    return next((sentence for sentence in _SENTENCE.split(text) if _ACT.search(sentence)), None)


def _telling(text: str, rng: random.Random) -> str:
    """One of the two longest sentences of a message, if the second is not much shorter."""
    sentences = text.replace("\n", ". ").replace("! ", "!. ").replace("? ", "?. ").split(". ")
    if len(sentences) == 1:
        return text
    sentences.sort(key=len)
    second = len(sentences[-2]) > len(sentences[-1]) // 2 and rng.random() < 0.5
    return sentences[-2 if second else -1]


def shortened(text: str, most: int = WORDS) -> str:
    """The words in one line, cut after so many with …, without the marks that the note has itself."""
    words = text[: most * 40].removeprefix("- ").replace('"', "'").replace("**", "").split(None, most)
    said = " ".join(words[:most])
    return f"{said.rstrip(',;:')}…" if len(words) > most else said.rstrip(".").rstrip()


@cache
def _failures() -> frozenset[str]:
    """The failures that there are notes on."""
    return frozenset(kind.removeprefix("failure.") for kind in notes() if kind.startswith("failure."))
