"""Drawing samples: seeded, stratified, of the size asked for."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.marks.review.draws import draw

STRATA = {"used-item": 80, "vip-skip": 19, "rare": 1}


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    assert draw(STRATA, 20, 1) == draw(STRATA, 20, 1)
    assert draw(STRATA, 20, 1) != draw(STRATA, 20, 2)


def test_strata_come_in_proportion_and_none_is_missed() -> None:
    found = draw(STRATA, 20, 1)
    assert [sum(name == each for each, _ in found) for name in STRATA] == [16, 3, 1]


@pytest.mark.parametrize(
    ("sizes", "size", "shares"),
    [
        ({"a": 33, "b": 67}, 10, [3, 7]),
        ({"a": 67, "b": 33}, 10, [7, 3]),
        ({"a": 24, "b": 38, "c": 38}, 10, [2, 4, 4]),
        ({"a": 1, "b": 1, "c": 98}, 10, [1, 1, 8]),
        ({"a": 5, "b": 5, "c": 5}, 2, [1, 1, 0]),
    ],
)
def test_what_is_left_over_goes_to_the_largest_remainders(sizes: dict[str, int], size: int, shares: list[int]) -> None:
    drawn = Counter(name for name, _ in draw(sizes, size, 1))
    assert [drawn[name] for name in sizes] == shares


def test_more_than_there_is_draws_all() -> None:
    assert sorted(draw(STRATA, 1_000, 1)) == sorted((name, at) for name, n in STRATA.items() for at in range(n))


@given(
    st.dictionaries(st.text(max_size=3), st.integers(0, 30), max_size=6),
    st.integers(0, 100),
    st.integers(0, 5),
)
def test_a_draw_is_as_large_as_asked_and_holds_nothing_twice(sizes: dict[str, int], size: int, seed: int) -> None:
    everything = {(name, at) for name, count in sizes.items() for at in range(count)}
    found = draw(sizes, size, seed)
    assert len(found) == min(size, len(everything)) == len(set(found))
    assert set(found) <= everything
