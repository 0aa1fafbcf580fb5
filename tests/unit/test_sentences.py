"""Sentences and words: what `v` opens on and what its keys move by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.basics import sentences as s


def _texts(text: str) -> list[str]:
    return [text[a:b] for a, b in s.sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  \n ", []),
        ("One.", ["One."]),
        ("It came yesterday. Really?  Yes!", ["It came yesterday.", "Really?", "Yes!"]),
        ("It costs $1,458.00 today. Fine.", ["It costs $1,458.00 today.", "Fine."]),
        ("Write to Dr. Lee, e.g. at 9 a.m. sharp. Thanks.", ["Write to Dr. Lee, e.g. at 9 a.m. sharp.", "Thanks."]),
        ("Your order:\n1. Duffel bag\n2. Tent\n\nDone", ["Your order:", "1. Duffel bag", "2. Tent", "Done"]),
        ("“It ripped.” He was angry.", ["“It ripped.”", "He was angry."]),
        ("已发货。请稍等！好", ["已发货。", "请稍等！", "好"]),
        ("**Sure.** I will… wait", ["**Sure.**", "I will…", "wait"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert _texts(text) == expected


def test_words_keep_numbers_orders_and_apostrophes_whole() -> None:
    text = "Don't ship #1130 (1,458.00 USD) – 已发"
    assert [text[a:b] for a, b in s.words(text)] == ["Don't", "ship", "#1130", "1,458.00", "USD", "已", "发"]


def test_the_ends_move_by_words() -> None:
    text = "It should be delivered yesterday. Sorry!"
    span = s.sentences(text)[0]
    span = s.start_forward(text, s.start_forward(text, s.start_forward(text, span)))
    assert text[slice(*span)] == "delivered yesterday."
    assert text[slice(*s.end_back(text, span))] == "delivered yesterday"
    assert text[slice(*s.end_back(text, s.end_back(text, span)))] == "delivered"
    assert text[slice(*s.start_back(text, span))] == "be delivered yesterday."
    assert text[slice(*s.end_forward(text, span))] == "delivered yesterday. Sorry"


def test_the_last_word_takes_the_closing_mark_with_it() -> None:
    text = "Gone now!"
    assert s.end_forward(text, (0, 8)) == (0, 9)
    assert s.end_forward(text, (0, 9)) == (0, 9)


@given(st.text())
def test_sentences_cover_all_but_blanks_in_order(text: str) -> None:
    spans = s.sentences(text)
    position = 0
    for start, end in spans:
        assert position <= start < end <= len(text)
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


@given(st.text(), st.data())
def test_no_move_leaves_the_text_or_turns_the_span_round(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    for move in (s.end_forward, s.end_back, s.start_forward, s.start_back):
        left, right = move(text, (start, end))
        assert 0 <= left <= right <= len(text)


WORDY = ("Don't ship #1130 (1,458.00 USD) – 已发, " * 20 + "x" * 3_000 + " \n" * 900 + "an end-of-day " * 9) * 2
SPANS = list(s.words(WORDY))


@given(st.integers(0, len(WORDY)), st.integers(0, len(WORDY)))
def test_a_move_in_a_long_text_goes_where_all_its_words_say(one: int, other: int) -> None:
    start, end = sorted((one, other))
    after = next((last for _, last in SPANS if last > end), max(end, len(WORDY.rstrip())))
    assert s.end_forward(WORDY, (start, end)) == (start, after)
    within = [last for _, last in SPANS if start < last < end]
    assert s.end_back(WORDY, (start, end)) == (start, within[-1] if within else end)
    within = [first for first, _ in SPANS if start < first < end]
    assert s.start_forward(WORDY, (start, end)) == (within[0] if within else start, end)
    before = [first for first, _ in SPANS if first < start]
    assert s.start_back(WORDY, (start, end)) == (before[-1] if before else start, end)
    assert s.word_at(WORDY, start) == next((each for each in SPANS if each[0] <= start < each[1]), None)
