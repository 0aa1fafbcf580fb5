"""Picking by words in any order, or by a few letters."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.app.shared.pick import ranked, score

NAMES = [("Acts before a yes", ""), ("Unsafe act", ""), ("Repeats itself", "says or acts the same"), ("Good move", "")]


def test_the_beginning_of_a_name_comes_before_a_word_in_it_before_its_description() -> None:
    assert ranked("act", NAMES) == [0, 1, 2]


def test_letters_in_order_are_enough_for_a_name_but_not_for_a_description() -> None:
    assert ranked("gmv", NAMES) == [3]
    assert ranked("stm", NAMES) == []


@given(st.text(), st.text())
def test_what_a_name_contains_matches_it(before: str, typed: str) -> None:
    if typed.strip() == typed and typed.lower() in (before + typed).lower():
        assert score(typed, before + typed) is not None


def test_nothing_typed_keeps_the_order() -> None:
    assert ranked("", NAMES) == [0, 1, 2, 3]


FIELDS = [
    ("reservation_id  NM1VX1", "get_reservation #12.1"),
    ("cabin  basic_economy", "get_reservation #2.1"),
    ("cabin  economy", "get_reservation #12.1"),
    ("cabin  business", "get_reservation #112.1"),
    ("#12 agent", "Your cabin is on file, as of 12.1."),
]


@pytest.mark.parametrize("typed", ["cabin 12.1", "12.1 cabin", "CABIN  #12.1", "cab 12.1"])
def test_every_word_counts_wherever_it_stands_and_in_any_order(typed: str) -> None:
    names = [name for name, _ in FIELDS]
    assert names[ranked(typed, FIELDS)[0]] == "cabin  economy"
    assert names.index("cabin  basic_economy") not in ranked(typed, FIELDS)


def test_two_words_of_a_name_match_in_any_order() -> None:
    modes = [("Claim before lookup", "claim-before-lookup"), ("Unsupported claim", ""), ("Looks up first", "")]
    assert ranked("lookup claim", modes) == [0]
    assert ranked("claim-before look", modes) == [0]


def test_a_whole_word_comes_before_the_beginning_of_one_before_the_middle_before_a_description() -> None:
    names = [("Refusals", "an order"), ("Reorders", ""), ("The ordering", ""), ("An order", ""), ("Orderly", "")]
    assert [names[index][0] for index in ranked("order", names)] == [
        "Orderly", "An order", "The ordering", "Reorders", "Refusals",
    ]  # fmt: skip


def test_letters_are_a_fallback_where_no_name_has_all_the_words() -> None:
    names = [("Invented refund timeline", ""), ("Invented ETA", "")]
    assert ranked("invnted", names) == [1, 0]
    assert ranked("in re ti", names) == [0]
    assert ranked("invtd eta", names) == [1]
    assert ranked("eta zzz", names) == []


@given(st.lists(st.text(min_size=1), min_size=1), st.randoms())
def test_the_order_of_the_words_is_of_no_account(words: list[str], random: Random) -> None:
    shuffled = random.sample(words, len(words))
    names = [("a name", " ".join(words))]
    assert ranked(" ".join(shuffled), names) == [0]
