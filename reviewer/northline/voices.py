"""How a scripted agent speaks and how a scripted customer types. Pure text in, text out."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass

EMOJI = ("🙂", "😊", "✨", "📦", "🙏", "👍")
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Voice:
    """An agent's manner: each a share between 0 and 1."""

    warmth: float
    brevity: float
    markdown: float
    emoji: float
    names: float
    announces: float

    @classmethod
    def of(cls, shares: Mapping[str, float]) -> Voice:
        """The voice that a model's table describes."""
        return cls(**shares)


def typed(text: str, style: str, rng: random.Random) -> str:
    """A customer's line as somebody of this style would type it; what stands in brackets is left alone."""
    if text.startswith("[") or style in ("plain", "chatty", "formal"):
        return text
    if style == "terse":
        return max(_SENTENCE.split(text), key=len) if rng.random() < 0.5 else text
    if style == "lower":
        return text.rstrip(".").lower() if "[photo" not in text else text
    if style == "typo":
        return _slipped(text, rng) if rng.random() < 0.3 else text
    if style == "angry" and rng.random() < 0.3:
        return text.rstrip(".") + "!"
    return text


def _slipped(text: str, rng: random.Random) -> str:
    """The text with two neighbouring letters of one longer word swapped."""
    words = [match for match in re.finditer(r"[a-z]{5,}", text) if "[photo" not in text[: match.start()]]
    if not words:
        return text
    word = rng.choice(words)
    at = word.start() + rng.randrange(1, len(word[0]) - 2)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
