"""How far a review says that its conversation was read; what says nothing is never a reading to the end."""

from __future__ import annotations

from typing import Any

import pytest

from reviewer.marks.read_extent import ReadCounts, extent, furthest


@pytest.mark.parametrize(
    ("how", "far"),
    [
        ({"seen": 34, "of": 34}, "end"),
        ({"seen": 0, "of": 0}, "end"),
        ({"seen": 9, "of": 34}, "part"),
        ({"seen": 0, "of": 34}, "part"),
        ({}, "unknown"),
        ({"seen": 34}, "unknown"),
        ({"seen": "34", "of": "34"}, "unknown"),
        ({"seen": True, "of": True}, "unknown"),
        ({"seen": 35, "of": 34}, "unknown"),
        ({"seen": -1, "of": 34}, "unknown"),
    ],
)
def test_a_review_was_to_the_end_only_where_its_counts_say_so(how: dict[str, Any], far: str) -> None:
    assert extent(how) == far


def test_of_several_reviews_the_furthest_counts() -> None:
    assert furthest(["unknown", "part"]) == "part"
    assert furthest(["part", "end", "unknown"]) == "end"
    assert (furthest(["unknown"]), furthest([])) == ("unknown", None)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (ReadCounts(), "0 of 60 reviewed"),
        (ReadCounts(end=5), "5 of 60 reviewed to the end"),
        (ReadCounts(part=2), "2 of 60 reviewed in part"),
        (ReadCounts(unknown=3), "3 of 60 reviewed (unknown how far)"),
        (ReadCounts(1_200, 2, 3), "1,205 of 60 reviewed (1,200 to the end, 2 in part, 3 unknown how far)"),
    ],
)
def test_what_was_read_to_the_end_and_in_part_is_counted_apart(counts: ReadCounts, words: str) -> None:
    assert counts.words("of 60") == words
