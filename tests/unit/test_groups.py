"""Lines of a queue in groups: every line is a head or a conversation, each once, and found both ways."""

from __future__ import annotations

from array import array
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from reviewer.app.queue.list import Groups


def groups(sizes: list[int]) -> Groups:
    """Groups of these sizes."""
    return Groups(sum(sizes), array("i", [0, *accumulate(sizes)][: len(sizes)]))


@given(st.lists(st.integers(1, 5), min_size=1, max_size=30))
def test_every_line_is_a_head_or_a_conversation(sizes: list[int]) -> None:
    found = groups(sizes)
    lines = [found.at(line) for line in range(found.lines)]
    expected: list[tuple[int, int | None]] = []
    for group, size in enumerate(sizes):
        expected += [(group, None), *((group, sum(sizes[:group]) + each) for each in range(size))]
    assert lines == expected


@given(st.lists(st.integers(1, 5), max_size=30), st.integers(0, 200))
def test_a_conversation_is_found_on_its_line(sizes: list[int], at: int) -> None:
    found = groups(sizes) if sizes else Groups(50)
    index = at % found.count
    assert found.at(found.line(index))[1] == index
    assert found.near(found.line(index)) == index
    if sizes:
        start, stop = found.members(found.group(index))
        assert start <= index < stop
        assert found.near(found.line(start) - 1) == start


def test_beyond_the_ends_is_the_nearest() -> None:
    found = groups([2, 3])
    assert (found.near(-4), found.near(99)) == (0, 4)
    assert (Groups(3).near(-4), Groups(3).near(99), Groups(3).lines) == (0, 2, 3)
