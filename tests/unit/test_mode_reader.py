"""A model that reads stored conversations: which question it is put, what becomes of its answer. No model is needed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.live.admission import Budget
from reviewer.benchmark.live.mode_question import (
    ModeAnswer,
    QuotedWords,
    answer_in,
    asked_modes,
    described,
    prompt_version,
)
from reviewer.benchmark.live.mode_reader import (
    ModeReader,
    ReadingReport,
    ReadingTask,
    expected_usage,
    source_of,
    tasks,
    worded,
)
from reviewer.benchmark.live.question_round import QuestionRound
from reviewer.cli.program import composed
from reviewer.findings.finding_import import bring_in
from reviewer.findings.finding_store import shown
from reviewer.marks import codebook, folder
from reviewer.marks.codebook import Codebook
from reviewer.transcripts.query import EVERYTHING
from reviewer.transcripts.store.reader import Reader
from tests.builders import CANCELLED, agent, conversation, customer, store

BOOK = codebook.parse(
    """
[modes.phantom-action]
definition = "Says that it did what no call did."
counts = "“I cancelled it” without a call."
not_counts = "An offer."
was = ["ghost"]
[modes.late]
definition = "Names a day."
[modes.bare]
[modes.old]
definition = "Gone."
retired = true
""",
    "codebook.toml",
)
MODEL = "openai/gpt-5"
QUOTE = "has been cancelled successfully"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    failed = replace(conversation(case="c"), error="the model was down")
    return store(
        tmp_path, conversation(case="a"), conversation(customer("Hi {modes}"), agent("So. So."), case="b"), failed
    )


def waiting(path: Path, *codes: str, book: Codebook = BOOK) -> list[ReadingTask]:
    with Reader(path) as reader:
        return tasks(path, list(reader.ids()), asked_modes(book, codes), MODEL)


def held(
    path: Path,
    answers: Sequence[ModeAnswer | ReviewerError | None],
    *codes: str,
    held_round: QuestionRound | None = None,
) -> tuple[ReadingReport, list[str]]:
    """Ask one after the other, and answer so."""
    questions: list[str] = []
    left = list(answers)

    async def ask(question: str) -> ModeAnswer | None:
        questions.append(question)
        answer = left.pop(0) if left else ModeAnswer(())
        if isinstance(answer, ReviewerError):
            raise answer
        return answer

    reader = ModeReader(path, MODEL, BOOK)
    asyncio.run(reader.read(waiting(path, *codes), ask, held_round or QuestionRound(1, Budget(), lambda *_: None)))
    return reader.report, questions


def kept(path: Path) -> list[tuple[str, str, str]]:
    with Reader(path) as reader:
        rows = shown(path, reader.search.where, EVERYTHING).rows
    return [
        (row.mode, claim["ref"], claim.get("quote", "")) for row in rows for claim in [json.loads(row.body)["claim"]]
    ]


def test_a_model_is_told_what_a_mode_is_what_counts_and_what_does_not(path: Path) -> None:
    (mode,) = asked_modes(BOOK, ["ghost"])  # what it was called before
    told = described(mode)
    assert told.splitlines() == [
        "## phantom-action",
        "",
        "Phantom action. Says that it did what no call did.",
        "Counts: “I cancelled it” without a call.",
        "Does not count: An offer.",
    ]
    with Reader(path) as reader:
        question = worded(reader.stored(reader.find("kimi/b/1")[0]), [mode])
    assert told in question
    assert " message 1, customer\nHi {modes}\n" in question
    assert " message 2, agent\nSo. So.\n" in question


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("phantom-actions", "The codebook has no “phantom-actions”."),
        ("bare", "“bare” has no definition"),
        ("old", "“old” is retired"),
    ],
)
def test_what_nobody_could_look_for_is_refused(code: str, said: str) -> None:
    with pytest.raises(ReviewerError, match=said):
        asked_modes(BOOK, [code])
    with pytest.raises(ReviewerError, match="Which failure modes"):
        asked_modes(BOOK, [])
    with pytest.raises(ReviewerError, match="is a read of this program"):
        source_of("phantom-action")


PLACE = {"mode": "late", "message": 2, "quote": "yesterday", "reason": "no result says so"}


@pytest.mark.parametrize(
    ("text", "places", "unusable"),
    [
        ("[]", 0, 0),
        (json.dumps([PLACE]), 1, 0),
        (f"Here:\n```json\n{json.dumps([PLACE, PLACE])}\n```", 2, 0),
        (json.dumps([PLACE, {**PLACE, "message": "2"}, {**PLACE, "quote": " "}, {**PLACE, "mode": None}, 7]), 1, 4),
        (json.dumps([{**PLACE, "message": True}, {**PLACE, "reason": ["x"]}]), 0, 2),
    ],
)
def test_an_answer_is_the_array_in_it(text: str, places: int, unusable: int) -> None:
    answer = answer_in(text)
    assert answer is not None
    assert (len(answer.places), answer.unusable) == (places, unusable)


@pytest.mark.parametrize("text", ["", "None stands there.", "[so]", '{"mode": "late"}', "[{]", "[" * 100_000, "]["])
def test_an_answer_without_an_array_cannot_be_read(text: str) -> None:
    assert answer_in(text) is None


def test_exact_words_are_suggested_and_all_else_is_dropped_and_counted(path: Path) -> None:
    places = [
        QuotedWords("phantom-action", 2, QUOTE, "no such call"),
        QuotedWords("phantom-action", 2, QUOTE, "the same again"),
        QuotedWords("phantom-action", 4, QUOTE, "the wrong message"),
        QuotedWords("phantom-action", 99, QUOTE, "no message"),
        QuotedWords("phantom-action", 0, QUOTE, "no message"),
        QuotedWords("phantom-action", 2, "Has been cancelled", "other letters"),
        QuotedWords("phantom-action", 2, QUOTE, "half a \ud800 character"),
        QuotedWords("late", 2, "in transit", "a mode that was not asked for"),
    ]
    twice = ModeAnswer((QuotedWords("phantom-action", 2, "So.", "stands twice"),), 1)
    report, questions = held(path, [ModeAnswer(tuple(places)), twice], "phantom-action")
    assert len(questions) == 2  # what ended in an error is not asked about
    assert (report.answered, report.suggested, report.dropped, report.unusable) == (2, 1, 6, 2)
    assert report.first_dropped == f"“{QUOTE}” at kimi/a/1#4"
    assert kept(path) == [("phantom-action", "kimi/a/1#2:17-48", QUOTE)]


def test_the_result_of_a_call_is_quoted_where_it_stands(path: Path) -> None:
    held(path, [ModeAnswer((QuotedWords("late", 2, '"carrier":"UPS"', "so"),))], "late")
    assert kept(path) == [("late", "kimi/a/1#2.1.result:23-38", '"carrier":"UPS"')]


def test_what_was_answered_is_not_asked_again_and_what_was_not_is(path: Path) -> None:
    told = ModeAnswer((QuotedWords("late", 2, "yesterday", ""),))
    report, _ = held(path, [told, None], "late")
    assert (report.answered, report.unreadable) == (1, 1)
    failing = QuestionRound(1, Budget(), lambda *_: None)
    report, _ = held(path, [ReviewerError("it is down.")], "late", held_round=failing)
    assert (report.answered, [*failing.failures.lines()]) == (0, ["1  it is down"])
    assert [[mode.code for mode in task.modes] for task in waiting(path, "late", "phantom-action")] == [
        ["phantom-action"],
        ["late", "phantom-action"],
    ]
    held(path, [ModeAnswer((QuotedWords("phantom-action", 2, QUOTE, ""),))], "phantom-action")
    assert [mode for mode, *_ in kept(path)] == ["late", "phantom-action"]  # the first mode's stay


def test_a_mode_worded_anew_and_a_conversation_that_changed_are_asked_about_anew(path: Path, tmp_path: Path) -> None:
    held(path, [ModeAnswer((QuotedWords("late", 2, "yesterday", ""),))], "late")
    assert not waiting(path, "late")
    anew = replace(BOOK, modes=tuple(replace(mode, not_counts="A month.") for mode in BOOK.modes))
    assert len(waiting(path, "late", book=anew)) == 2
    (tmp_path / "other").mkdir()
    changed = store(tmp_path / "other", conversation(*CANCELLED[:3], case="a"), conversation(case="d"))
    path.write_bytes(changed.read_bytes())
    assert len(waiting(path, "late")) == 2


def test_suggestions_brought_in_under_the_same_name_make_it_ask_again(path: Path) -> None:
    held(path, [ModeAnswer((QuotedWords("late", 2, "yesterday", ""),))], "late")
    record = {"ref": "kimi/a/1#2", "mode": "phantom-action", "by": MODEL}
    with Reader(path) as reader:
        bring_in(reader, [("line 1", record)], BOOK)
    assert [mode for mode, *_ in kept(path)] == ["phantom-action"]  # another version: all else it said is gone
    assert len(waiting(path, "late")) == 2


def test_the_expected_cost_follows_from_the_questions(path: Path) -> None:
    usage = expected_usage(path, waiting(path, "late"))
    with Reader(path) as reader:
        lengths = [len(worded(reader.stored(task.rowid), task.modes)) for task in waiting(path, "late")]
    assert abs((usage.tokens_in or 0) - sum(lengths) / 4) < 4
    assert expected_usage(path, []).tokens_in == 0
    assert source_of(MODEL).version == prompt_version() < 2**31


def test_the_command_says_what_it_would_ask_and_refuses_what_cannot_be_meant(path: Path, tmp_path: Path) -> None:
    folder.make(tmp_path / "annotations", "support-agent")

    def said(*words: str) -> str:
        result = CliRunner().invoke(composed(["ask"]), ["ask", str(path), *words])
        return result.output + str(result.exception or "")

    one = ("--mode", "phantom-action")
    assert "2 questions to openai/gpt-5, about $0.0" in said("--model", MODEL, *one, "--dry-run")
    assert "1 questions to nobody/x, price unknown." in said("case:b", "--model", "nobody/x", *one, "--dry-run")
    assert "Who reads?" in said(*one)
    assert "Which failure modes?" in said("--model", MODEL)
    assert "The codebook has no “ghosts”." in said("--model", MODEL, "--mode", "ghosts")
    assert "nobody/x has no price" in said("--model", "nobody/x", *one, "--limit-cost", "1")
    assert "No conversation matches." in said("case:zzz", "--model", MODEL, *one)
    assert not path.with_name("runs.db.findings.db").exists()
