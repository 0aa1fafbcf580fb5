"""Identifiers sort by time, and never run backwards."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from reviewer.marks import ulid

TIMES = some.integers(0, (1 << 48) - 1)
CHANCES = some.integers(0, (1 << 80) - 1)


@given(some.integers(0, (1 << 128) - 1))
def test_what_is_encoded_is_decoded(value: int) -> None:
    assert ulid.decode(ulid.encode(value)) == value


@given(TIMES, TIMES, CHANCES, CHANCES)
def test_the_next_is_beyond_the_last_whatever_the_clock_says(first: int, second: int, one: int, other: int) -> None:
    last = ulid.after(None, first, one)
    following = ulid.after(last, second, other)
    assert following > last or last == ulid.encode((1 << 128) - 1)
    assert len(following) == 26


@given(TIMES, TIMES, CHANCES, CHANCES)
def test_they_sort_by_time(first: int, second: int, one: int, other: int) -> None:
    if first < second:
        assert ulid.after(None, first, one) < ulid.after(None, second, other)


def test_other_text_is_no_identifier() -> None:
    assert [ulid.decode(text) for text in ("", "x" * 26, "1", "Z" * 26, "I" * 26)] == [None] * 5
