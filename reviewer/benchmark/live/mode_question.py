"""The question to a model that looks for failure modes, and what it answered. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from reviewer.basics.errors import ReviewerError
from reviewer.basics.shell import shell_word
from reviewer.benchmark.live.prompt_files import digest, reader_version
from reviewer.marks.codebook import Codebook, Mode

_VERSION_DIGITS = 6
_NAMES = ("mode", "message", "quote", "reason")


class QuotedWords(NamedTuple):
    """One place that a model names: the mode, the number of the message, its words, and why."""

    mode: str
    message: int
    quote: str
    reason: str


class ModeAnswer(NamedTuple):
    """What a model answered: the places it names, and how many of its objects name none."""

    places: tuple[QuotedWords, ...]
    unusable: int = 0


def asked_modes(codebook: Codebook, codes: Iterable[str]) -> tuple[Mode, ...]:
    """The modes of these codes; a sentence for a code that there is not, or that nobody could look for."""
    modes: dict[str, Mode] = {}
    for code in codes:
        mode = codebook.mode(code)
        if mode is None:
            near = ", ".join(each.code for each in codebook.alike(code))
            known = ", ".join(each.code for each in codebook.active())
            raise ReviewerError(f"The codebook has no “{code}”.", f"Near it: {near}." if near else f"Modes: {known}.")
        if mode.retired:
            raise ReviewerError(f"“{mode.code}” is retired.", "Name a mode that can be given.")
        if not mode.definition:
            raise ReviewerError(
                f"“{mode.code}” has no definition to look for it by.",
                f"Write it: reviewer codebook set {shell_word(mode.code)} definition TEXT",
            )
        modes[mode.code] = mode
    if not modes:
        raise ReviewerError("Which failure modes?", "Name one: --mode invented-delivery-date; may be given again.")
    return tuple(modes.values())


def described(mode: Mode) -> str:
    """A mode as a model is told it: what it is, what counts, what does not."""
    lines = [f"## {mode.code}", "", f"{mode.title}. {mode.definition}"]
    lines += [f"Counts: {mode.counts}"] if mode.counts else []
    lines += [f"Does not count: {mode.not_counts}"] if mode.not_counts else []
    return "\n".join(lines)


def question_digest(mode: Mode) -> str:
    """What a question about a mode is known by: another one when the prompt or the mode's words change."""
    return digest(f"{reader_version()}\n{described(mode)}")


def prompt_version() -> int:
    """The version of a source that is asked with the prompt as it stands: the first digits of its hash as a number."""
    return int(reader_version()[:_VERSION_DIGITS], 16)


def answer_in(text: str) -> ModeAnswer | None:
    """Read an answer: the JSON array in it, whatever stands around; None where there is none."""
    start, end = text.find("["), text.rfind("]")
    try:
        told = json.loads(text[start : end + 1]) if start >= 0 else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, list):
        return None
    places = tuple(place for each in told if (place := _place(each)) is not None)
    return ModeAnswer(places, len(told) - len(places))


def _place(told: Any) -> QuotedWords | None:
    if not isinstance(told, dict):
        return None
    mode, message, quote, reason = (told.get(name) for name in _NAMES)
    if not isinstance(mode, str) or type(message) is not int or not isinstance(quote, str):
        return None
    if reason is not None and not isinstance(reason, str):
        return None
    return QuotedWords(mode, message, quote, reason or "") if quote.strip() else None
