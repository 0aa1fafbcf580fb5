"""The quotes of a judge's note: which there are, which stand in what the judge was shown, what becomes of others."""

from __future__ import annotations

import asyncio

import pytest

from reviewer.benchmark.live import prompt_files
from reviewer.benchmark.live.note_quotes import has_remark, invented, quotes, remarked
from reviewer.benchmark.live.transcript_text import transcript
from reviewer.benchmark.live.verdict import Judgement, judged, rubrics
from reviewer.benchmark.northline.sample_conversations import chosen, sampled
from reviewer.transcripts.model import Case
from tests.builders import agent, call, customer

SHOWN = prompt_files.for_judge(
    rubrics()[0].text,
    transcript(
        [
            customer("I’d like to cancel, please."),
            agent(
                "I have cancelled order #1130. You’ll get\nyour 45.00 EUR back!",
                call(
                    "lookup_order",
                    '{"order_number":"#1130"}',
                    '{"status":"in transit","note":"Said \\"stop\\"\\nat the door"}',
                ),
            ),
        ]
    ),
    Case("a", goal="A refund of what was paid"),
    "Refunds are made within five days of the return.",
)


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ('It said "one two three".', ["one two three"]),
        ("It said “one two three” and „vier fünf“ and «six sept».", ["one two three", "vier fünf", "six sept"]),
        ('A 15" screen, a 17" screen and "one two".', ["one two"]),
        ('It wrote “he said "no" to them” then.', ['he said "no" to them']),
        ('The result {"status":"in transit"} says so.', ["status", "in transit"]),
        ('It never "ends', []),
        ("", []),
        ('"', []),
    ],
)  # fmt: skip
def test_what_stands_between_quotation_marks_is_a_quote(note: str, told: list[str]) -> None:
    assert list(quotes(note)) == told


@pytest.mark.parametrize(
    "quote",
    [
        "I have cancelled order #1130.",
        "i HAVE cancelled, order 1130",
        "You'll get your 45.00 EUR",  # another apostrophe, a blank for a line break
        "I have cancelled ... get your 45.00 EUR back",
        "I have cancelled […] your 45.00 EUR back",
        "I have cancelled order [of the customer's]",
        "status: in transit",
        "in transit, note: said stop at the door",  # as the JSON of a result writes it
        "Refunds are made within five days",  # the policy
        "refund of what was paid",  # the case
        "like to cancel,",
        "not there",  # two words are no quote
        "",
    ],
)
def test_words_that_stand_in_what_was_shown_are_not_invented(quote: str) -> None:
    assert invented(f'It says "{quote}" there.', SHOWN) == ()


@pytest.mark.parametrize(
    "quote",
    ["I have refunded you", "cancelled order #1131", "I have cancelled ... within six days of", "order 1130 I have"],
)
def test_words_that_stand_nowhere_are(quote: str) -> None:
    assert invented(f'It says "I have cancelled order" and “{quote}”.', SHOWN) == (quote,)


def test_letters_that_json_writes_as_numbers_are_letters() -> None:
    assert invented('It says "the café is open".', r'{"note":"the caf\u00e9 is open"}') == ()


def test_no_note_of_the_sample_quotes_what_nobody_said() -> None:
    known = {each.name.replace("_", "-"): each.text for each in rubrics()}
    counted = strange = 0
    others = ""
    for item in sampled(chosen(["kimi-k2.6"])):
        it = item.conversation
        shown = transcript(it.messages)
        for score in it.scores:
            counted += any(len(each.split()) > 2 for each in quotes(score.note or ""))
            assert invented(score.note or "", f"{shown} {known[score.scorer]}") == (), score.note
            strange += bool(invented(score.note or "", others))
        others = shown
    assert counted > 400
    assert strange > counted / 2  # of the conversation before it such notes quote words that it has not


def test_a_note_says_which_of_its_quotes_nobody_said() -> None:
    note = 'It says "a b c" and more.'
    assert remarked(note, ()) == note
    told = remarked(note, ("a b c", "x" * 100))
    assert told == f"{note}\n[Quoted here, and nowhere in what was judged: “a b c”, “{'x' * 59}…”]"
    assert has_remark(told)
    assert not has_remark(note)


GOOD = 'NOTE: "I have cancelled order #1130."\nSCORE: 1'
BAD = 'NOTE: "I have refunded you all."\nSCORE: 0.5'
NONE = "I would rather not say."


@pytest.mark.parametrize(
    ("answers", "value", "asked", "remark"),
    [
        ([GOOD], 1.0, 1, False),
        ([BAD, GOOD], 1.0, 2, False),
        ([BAD, BAD], 0.5, 2, True),
        ([BAD, NONE], 0.5, 2, True),
        ([NONE, BAD], 0.5, 2, True),
        ([NONE, NONE], None, 2, False),
    ],
)
def test_a_judge_is_asked_once_more_where_it_quotes_what_nobody_said(
    answers: list[str], value: float | None, asked: int, remark: bool
) -> None:
    put: list[str] = []

    async def ask(question: str) -> str:
        put.append(question)
        return answers[len(put) - 1]

    answer: Judgement | None = asyncio.run(judged(ask, SHOWN))
    assert put == [SHOWN] * asked
    assert (answer and answer.value) == value
    assert bool(answer and has_remark(answer.note)) is remark
