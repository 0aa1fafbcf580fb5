"""How a scripted agent speaks and how a scripted customer types. Pure text in, text out."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from reviewer.basics.errors import SourceError
from reviewer.benchmark.northline.figures import Figures
from reviewer.benchmark.northline.lines import bank

_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_US = {"colour": "color", "apologis": "apologiz", "favourite": "favorite", "neighbour": "neighbor"}
_USUAL = re.compile("|".join(_US))
_ENDINGS = {"m": "am", "ve": "have", "ll": "will", "d": "would", "s": "is", "re": "are"}
_CONTRACTED = re.compile(r"\b(I|you|we|they|it|that|there|here|what)'(m|ve|ll|d|s|re)\b", re.IGNORECASE)
_ASKED = re.compile(r"\b([A-Za-z]+)n't (you|we|I|it|they|that|there)\b")
_NOT = re.compile(r"\b([A-Za-z]+)n't\b")
_STEMS = {"ca": "can", "Ca": "Can", "wo": "will", "Wo": "Will"}


@dataclass(frozen=True, slots=True)
class Voice:
    """An agent's manner: shares between 0 and 1, and the words of its own that `voices.toml` gives it."""

    model: str
    warmth: float
    brevity: float
    markdown: float
    emoji: float
    names: float
    announces: float

    @classmethod
    def of(cls, model: Figures) -> Voice:
        """The voice that a model's table describes."""
        return _voice(model.model, tuple(model.voice.items()))

    def key(self, name: str) -> str | None:
        """The list of this voice's own lines of a kind, None where it has none."""
        key = f"voices.{self.model}.{name}"
        return key if key in bank() else None

    @property
    def manner(self) -> str:
        """How it writes, such as `full us`: without contractions, in American spelling."""
        return _manner(self.model)


@cache
def _voice(model: str, shares: tuple[tuple[str, float], ...]) -> Voice:
    if f"voices.{model}.writes" not in bank():
        raise SourceError(f"lines/voices.toml, “{model}”: “writes” is missing.")
    return Voice(model, **dict(shares))


@cache
def _manner(model: str) -> str:
    return " ".join(bank()[f"voices.{model}.writes"])


@cache
def wording(manner: str) -> Callable[[str], str]:
    """What turns a line's words into this manner's."""

    @cache
    def worded(text: str) -> str:
        if "full" in manner:
            text = _uncontracted(text)
        return _USUAL.sub(lambda match: _US[match[0]], text) if "us" in manner else text

    return worded if manner else str


def _uncontracted(text: str) -> str:
    if "'" not in text:
        return text
    text = _CONTRACTED.sub(lambda match: f"{match[1]} {_ENDINGS[match[2]]}", text.replace("'s been", " has been"))
    text = _ASKED.sub(lambda match: f"{_STEMS.get(match[1], match[1])} {match[2]} not", text)
    text = text.replace("can't", "cannot")
    return _NOT.sub(lambda match: f"{_STEMS.get(match[1], match[1])} not", text)


def shortened(text: str) -> str:
    """The beginning of a message, cut at a word, without the quotation marks that it will stand in."""
    plain = text[:200].replace('"', "'")
    if "\n" in plain or "  " in plain:
        plain = " ".join(plain.split())
    return plain if len(plain) <= 90 else plain[:90].rsplit(" ", 1)[0] + "…"


def typed(text: str, style: str, rng: random.Random) -> str:
    """A customer's line as somebody of this style would type it; what stands in brackets is left alone."""
    writer = _WRITERS.get(style)
    if writer is None or "[photo" in text or "http" in text:
        return text
    return writer(text, rng)


def _lower(text: str, rng: random.Random) -> str:
    text = text.rstrip(".").lower()
    if rng.random() < 0.5:
        text = text.replace("'", "")
    for word, short in (("please", "pls"), ("you", "u"), ("thanks", "thx"), ("okay", "ok")):
        if rng.random() < 0.25:
            text = re.sub(rf"\b{word}\b", short, text)
    return text


def _terse(text: str, rng: random.Random) -> str:
    return max(_SENTENCE.split(text), key=len) if rng.random() < 0.5 else text


def _angry(text: str, rng: random.Random) -> str:
    return text.rstrip(".") + "!" if rng.random() < 0.25 and text.endswith(".") else text


def _foreign(text: str, rng: random.Random) -> str:
    """Articles left out here and there, nothing contracted, as somebody writes who learned English late."""
    text = _uncontracted(text)
    return re.sub(r"(?<= )(?:the|a|an) (?=[a-z])", lambda match: "" if rng.random() < 0.45 else match[0], text)


def _slipped(text: str, rng: random.Random) -> str:
    """The text with two neighbouring letters of one longer word swapped, more often than not."""
    words = list(re.finditer(r"[a-z]{5,}", text))
    if not words or rng.random() < 0.35:
        return text
    word = rng.choice(words)
    at = word.start() + rng.randrange(1, len(word[0]) - 2)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


_WRITERS: Mapping[str, Callable[[str, random.Random], str]] = {
    "formal": lambda text, _: _uncontracted(text),
    "lower": _lower,
    "terse": _terse,
    "angry": _angry,
    "second": _foreign,
    "typo": _slipped,
}
