"""A judge asked about conversations that are stored: what is left to ask, the asking, each score kept as it comes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from reviewer.benchmark.live import prompt_files
from reviewer.benchmark.live.desk_kit import DeskKit
from reviewer.benchmark.live.note_quotes import has_remark
from reviewer.benchmark.live.question_round import QuestionRound, whole_ones
from reviewer.benchmark.live.transcript_text import transcript
from reviewer.benchmark.live.verdict import Judgement, Rubric
from reviewer.transcripts import desk
from reviewer.transcripts.model import Score, Stored
from reviewer.transcripts.store.past_runs import scored_by
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer

Ask = Callable[[str], Awaitable[Judgement | None]]
"""Puts a question to the judge; None where its answer has no number, a `ReviewerError` where it gave none."""


class JudgeQuestion(NamedTuple):
    """One conversation that is to be judged by one rubric."""

    rowid: int
    rubric: Rubric


@dataclass(slots=True)
class JudgeReport:
    """What came of asking."""

    given: int = 0
    misquoting: int = 0
    """Of those given, with a note that quotes what nobody said."""
    none: int = 0
    """Answers without a number."""


def questions(
    store: Path, ids: Sequence[int], rubrics: Sequence[Rubric], judge: str, played: DeskKit | None = None
) -> list[JudgeQuestion]:
    """What this judge has not said yet with the prompt as it stands; what is empty or ended in an error is left out."""
    known = scored_by(store, judge)
    versions = {rubric.name: prompt_files.judge_version(rubric.text, played) for rubric in rubrics}
    with Reader(store) as reader:
        judged = [row.rowid for row in whole_ones(reader, ids)]
    return [
        JudgeQuestion(rowid, rubric)
        for rowid in judged
        for rubric in rubrics
        if (rowid, rubric.name, versions[rubric.name]) not in known
    ]


def otherwise_asked(store: Path, waiting: Iterable[JudgeQuestion], judge: str) -> int:
    """How many of these questions the judge has answered with another version of the prompt."""
    answered = {(rowid, scorer) for rowid, scorer, _ in scored_by(store, judge)}
    return sum((each.rowid, each.rubric.name) in answered for each in waiting)


def worded(stored: Stored, rubric: Rubric) -> str:
    """The question about a stored conversation, with the policy of its own desk."""
    policy = desk.kept(stored.desk).policy.strip()
    it = stored.conversation
    return prompt_files.for_judge(rubric.text, transcript(it.messages, policy), it.facts, policy)


async def asked(
    store: Path, waiting: Sequence[JudgeQuestion], judge: str, ask: Ask, held: QuestionRound, report: JudgeReport
) -> None:
    """Ask the judge in a round, and store each score when the judge gives it."""
    with Reader(store) as reader, Writer(store) as writer:

        async def answer_to(question: JudgeQuestion) -> Judgement | None:
            return await ask(worded(reader.stored(question.rowid), question.rubric))

        def keep(question: JudgeQuestion, answer: Judgement | None) -> None:
            if answer is None:
                report.none += 1
                return
            writer.begin()
            writer.attached.score(question.rowid, _score(question.rubric, judge, answer))
            writer.commit()
            report.given += 1
            report.misquoting += has_remark(answer.note)

        await held.hold(waiting, answer_to, keep)


def _score(rubric: Rubric, judge: str, answer: Judgement) -> Score:
    return Score(rubric.name, answer.value, judge, answer.note or None, prompt=prompt_files.judge_version(rubric.text))
