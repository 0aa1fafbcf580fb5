"""What a judge answered, as a number and a note that quotes; and a rubric as a team writes it. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from reviewer.basics.errors import SourceError
from reviewer.benchmark.live.desk_kit import DeskKit
from reviewer.benchmark.live.note_quotes import invented, remarked
from reviewer.benchmark.live.prompt_files import RUBRICS, prompt

_SCORE = re.compile(r"^[ \t*#_]*SCORE[\s*_]*:[\s*_]*(-?\d+(?:[.,]\d+)?)", re.IGNORECASE | re.MULTILINE)
_NOTE = re.compile(r"^[ \t*#_]*NOTE[\s*_]*:[\s*_]*", re.IGNORECASE | re.MULTILINE)
_NAME = re.compile(r"[a-z][a-z0-9_-]*")


ATTEMPTS = 2
"""Times a judge is asked before its answer is taken as it is."""


class Judgement(NamedTuple):
    """A judge's number between 0 and 1, and what it noted."""

    value: float
    note: str


class Rubric(NamedTuple):
    """What is judged: the name of the score and the words that say how."""

    name: str
    text: str


def judgement(answer: str) -> Judgement | None:
    """Read a judge's answer; None where no number from 0 to 1 stands in it."""
    scores = list(_SCORE.finditer(answer))
    if not scores:
        return None
    value = float(scores[-1][1].replace(",", "."))
    if not math.isfinite(value) or not 0 <= value <= 1:
        return None
    said = answer[: scores[-1].start()]
    notes = list(_NOTE.finditer(said))
    return Judgement(value, (said[notes[-1].end() :] if notes else said).strip())


async def judged(ask: Callable[[str], Awaitable[str]], question: str) -> Judgement | None:
    """Ask a judge, once more where its answer has no number or its note quotes what nobody said.

    None where it never gave a number; a note that quotes so all the same says which words these are.
    """
    given: Judgement | None = None
    for _ in range(ATTEMPTS):
        answer = judgement(await ask(question))
        if answer is None:
            continue
        absent = invented(answer.note, question)
        given = Judgement(answer.value, remarked(answer.note, absent))
        if not absent:
            break
    return given


def rubrics(played: DeskKit | None = None) -> tuple[Rubric, ...]:
    """The rubrics of a desk, its own or those that are shipped: resolution, instruction-following, sentiment."""
    return tuple(Rubric(name, prompt(file, played)) for name, file in RUBRICS.items())


def rubric_in(path: Path) -> Rubric:
    """A team's own rubric: a text file, whose name is that of the score."""
    try:
        text = path.read_text(encoding="utf-8-sig").strip()
    except OSError as error:
        raise SourceError(
            f"{path} cannot be read: {error.strerror}.", "Name a text file that says what is judged."
        ) from error
    except UnicodeDecodeError as error:
        raise SourceError(f"{path} is not UTF-8 at byte {error.start}.", "Save it as UTF-8.") from None
    name = path.stem.lower().replace(" ", "_")
    if not text:
        raise SourceError(f"{path} is empty.", "Write what is judged, and what 0 and 1 mean.")
    if not _NAME.fullmatch(name):
        raise SourceError(f"A score cannot be called “{path.stem}”.", "Name the file with letters, digits, _ and -.")
    return Rubric(name, text)
