"""What `j` and `k` of a selection go by, in long texts too."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer.basics.jsonspans import LONGEST_PYTHON, leaves
from reviewer.basics.sentences import Span, sentences
from reviewer.basics.units import REACH, Units, units_of

LONG = "It left on Monday. Was it late? No, e.g. not for Dr. Lee!\n1. A tent 已发货。\n\n" * 1_600
RECORDS = json.dumps([{"id": n, "note": "it left", "more": {"a": [], "b": [n, None]}} for n in range(2_000)])
SHORT_RECORDS = json.dumps([{"id": n, "note": "it left"} for n in range(40)])
LIKE_PYTHON = str([{"id": n, "gone": None} for n in range(40)])
SENTENCES = sentences(LONG)
FIELDS = [(leaf.start, leaf.end) for leaf in leaves(RECORDS) or ()]


def forward(walked: Units, text: str) -> list[Span]:
    """The units one comes to with `j`, from the first."""
    spans: list[Span] = []
    at = walked.at(0)
    while at is not None:
        spans.append(at)
        at = walked.after(at[0])
    assert spans == sorted(set(spans))
    assert all(0 <= start < end <= len(text) for start, end in spans)
    return spans


def backward(walked: Units, text: str) -> list[Span]:
    """The units one comes to with `k`, from the last."""
    spans: list[Span] = []
    at = walked.before(len(text))
    while at is not None:
        spans.append(at)
        at = walked.before(at[0])
    return spans[::-1]


def test_a_long_text_has_the_sentences_of_a_short_one() -> None:
    text = LONG[: 3 * REACH]
    assert forward(units_of(text, False), text) == sentences(text)
    assert backward(units_of(text, False), text) == sentences(text)


def test_a_sentence_without_an_end_is_cut_in_the_same_places_wherever_one_comes_from() -> None:
    text = "a tent and " * (REACH // 2)
    spans = forward(units_of(text, False), text)
    assert backward(units_of(text, False), text) == spans
    assert all(text[start:end].startswith(("a", "t")) and end - start <= 2 * REACH for start, end in spans)
    assert all(end + 1 == start for (_, end), (start, _) in pairwise(spans))


@pytest.mark.parametrize("text", [SHORT_RECORDS, LIKE_PYTHON])
def test_one_comes_to_every_field(text: str) -> None:
    every = [(leaf.start, leaf.end) for leaf in leaves(text) or ()]
    assert len(every) == 80
    assert forward(units_of(text, True), text) == every
    assert backward(units_of(text, True), text) == every


def test_a_field_of_many_pages_is_found_from_inside_it_and_from_behind_it() -> None:
    text = json.dumps({"before": 1, "page": "word " * LONGEST_PYTHON, "after": 2})
    first, page, last = ((leaf.start, leaf.end) for leaf in leaves(text) or ())
    walked = units_of(text, True)
    places = (0, page[0], page[1] - 1, page[1], last[0], len(text))
    assert [walked.at(at) for at in places] == [first, page, page, last, last, last]
    assert walked.before(last[0]) == page
    assert walked.after(page[0]) == last


@pytest.mark.parametrize("in_fields", [False, True])
@settings(max_examples=30)
@given(share=st.floats(0, 1))
def test_a_place_of_a_long_text_has_the_units_around_it_that_the_whole_gives(in_fields: bool, share: float) -> None:
    text, every = (RECORDS, FIELDS) if in_fields else (LONG, SENTENCES)
    assert len(text) > LONGEST_PYTHON
    walked, place = units_of(text, in_fields), int(share * len(text))
    assert walked.at(place) == next((each for each in every if each[1] > place), every[-1])
    assert walked.after(place) == next((each for each in every if each[0] > place), None)
    assert walked.before(place) == next((each for each in reversed(every) if each[0] < place), None)


@pytest.mark.parametrize("text", ["", " \n " * 4 * REACH])
def test_a_text_without_words_has_no_units(text: str) -> None:
    walked = units_of(text, False)
    assert [walked.at(0), walked.after(-1), walked.before(len(text))] == [None] * 3
    assert units_of("[]", True).at(0) == (0, 2)
