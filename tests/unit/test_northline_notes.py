"""The judges' notes: each quotes its own conversation, and what explains a low score is what it speaks of."""

from __future__ import annotations

import re

from reviewer.benchmark.northline.cases import cases
from reviewer.benchmark.northline.judge_notes import notes
from reviewer.benchmark.northline.judges import FIRST, shortened
from reviewer.benchmark.northline.sample_conversations import SampleConversation
from reviewer.transcripts.model import Score
from tests.played import whole_sample

CASES = {case.id: case for case in cases()}


def first_note(each: SampleConversation, scorer: str) -> Score:
    return next(s for s in each.conversation.scores if s.scorer == scorer and s.judge == FIRST)


def shapes(kind: str) -> list[re.Pattern[str]]:
    """The lines of a kind, with anything in their slots."""
    return [
        re.compile("".join(".+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w+\})", text)))
        for text, _ in notes()[kind]
    ]


SHAPES = {kind: shapes(kind) for kind in notes()}


def kinds(note: str) -> set[str]:
    return {kind for kind, patterns in SHAPES.items() if any(pattern.fullmatch(note) for pattern in patterns)}


def test_every_kind_of_note_has_four_phrasings() -> None:
    assert {kind: len(lines) for kind, lines in notes().items() if len(set(lines)) < 4} == {}


def test_quotes_are_words_of_the_conversation() -> None:
    quoted = 0
    for each in whole_sample():
        said = shortened(" ".join(message.text for message in each.conversation.messages), 10_000)
        for score in each.conversation.scores:
            for quote in re.findall(r'"([^"]+)"', score.note or ""):
                if quote != "shall I?":
                    quoted += 1
                    assert quote.rstrip("…") in said, (score.note, each.conversation.id)
    assert quoted > len(whole_sample())


def test_a_low_score_s_note_names_a_failure_of_its_conversation() -> None:
    for each in whole_sample():
        score = first_note(each, "instruction-following")
        if CASES[each.conversation.case or ""].bucket == "resolvable" and (score.value or 0) < 1:
            real = {f"failure.{plant.mode}" for plant in each.planted if plant.real}
            real |= {"failure.after-maybe"} if "failure.acts-before-confirming" in real else set()
            assert kinds(score.note or "") & real, (score.note, real)


def test_notes_are_as_many_as_their_conversations() -> None:
    for scorer, share in (("instruction-following", 0.75), ("resolution", 0.7)):
        given = [first_note(each, scorer).note for each in whole_sample()]
        assert len(set(given)) >= share * len(given), len(set(given)) / len(given)
