"""Picking by a few letters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reviewer.ui.shared.pick import ranked, score

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
