"""Which lines are on screen, and where notes stand beside them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reviewer.app.reading.tool_layer import placed
from reviewer.app.shared.sheet import Flow, LinePlace


def _flow(*heights: int) -> Flow:
    return Flow(len(heights), heights.__getitem__)


def test_a_screen_takes_lines_from_block_after_block() -> None:
    assert _flow(2, 3, 4).lines(LinePlace(0, 1), 5) == [
        LinePlace(0, 1),
        LinePlace(1, 0),
        LinePlace(1, 1),
        LinePlace(1, 2),
        LinePlace(2, 0),
    ]


def test_scrolling_stops_at_both_ends() -> None:
    flow = _flow(2, 3, 4)
    assert flow.moved(LinePlace(0, 1), -10, 4) == LinePlace(0, 0)
    assert flow.moved(LinePlace(0, 1), 100, 4) == LinePlace(2, 0)
    assert flow.end(4) == LinePlace(2, 0)
    assert flow.end(5) == LinePlace(1, 2)
    assert _flow(2, 90).end(10) == LinePlace(1, 80)


def test_only_what_is_looked_at_is_measured() -> None:
    asked: list[int] = []

    def height(block: int) -> int:
        asked.append(block)
        return 3

    flow = Flow(1_000_000, height)
    flow.revealing(LinePlace(0, 0), 500_000, (0, 3), 40)
    flow.end(40)
    assert len(set(asked)) < 100


def test_a_span_on_screen_does_not_move_it() -> None:
    flow = _flow(*[3] * 20)
    assert flow.revealing(LinePlace(2, 1), 4, (0, 3), 20) == LinePlace(2, 1)


def test_a_span_taller_than_the_screen_shows_its_beginning_but_lets_one_scroll_in_it() -> None:
    flow = _flow(5, 100, 5)
    assert flow.revealing(LinePlace(0, 0), 1, (0, 100), 20) == LinePlace(0, 4)
    assert flow.revealing(LinePlace(1, 40), 1, (0, 100), 20) == LinePlace(1, 40)


def test_a_tall_span_just_above_the_screen_is_not_taken_for_one_on_it() -> None:
    assert _flow(7, 1, 2).revealing(LinePlace(1, 0), 0, (0, 7), 3) == LinePlace(0, 0)


heights = st.lists(st.integers(1, 9), min_size=1, max_size=12)


@given(heights, st.data())
def test_a_revealed_span_is_on_screen_and_no_room_is_left_below(sizes: list[int], data: st.DataObject) -> None:
    flow = _flow(*sizes)
    rows = data.draw(st.integers(3, 20))
    block = data.draw(st.integers(0, len(sizes) - 1))
    start = data.draw(st.integers(0, sizes[block] - 1))
    end = data.draw(st.integers(start + 1, sizes[block]))
    first = data.draw(st.integers(0, len(sizes) - 1))
    top = flow.settled(LinePlace(first, data.draw(st.integers(0, sizes[first] - 1))), rows)
    lines = flow.lines(flow.revealing(top, block, (start, end), rows), rows)
    assert len(lines) == min(rows, sum(sizes))
    shown = [place.line for place in lines if place.block == block]
    if end - start <= rows - 2:
        assert set(range(start, end)) <= set(shown)
    else:
        assert set(range(start, end)) & set(shown)


@given(heights, st.data())
def test_scrolling_down_and_up_again_comes_back(sizes: list[int], data: st.DataObject) -> None:
    flow = _flow(*sizes)
    rows = data.draw(st.integers(1, 20))
    top = flow.settled(LinePlace(data.draw(st.integers(0, len(sizes) - 1)), 0), rows)
    down = flow.moved(top, 1, rows)
    if down != top:
        assert flow.moved(down, -1, rows) == top


def test_notes_stand_level_unless_they_would_overlap() -> None:
    assert placed([0, 4, 20], [3, 3, 3], 0, 30) == [0, 4, 20]
    assert placed([0, 2, 20], [3, 3, 3], 1, 30) == [-1, 2, 20]
    assert placed([0, 2, 4], [3, 3, 3], 0, 30) == [0, 3, 6]


def test_the_note_one_looks_at_comes_on_screen_as_far_as_it_fits() -> None:
    assert placed([25], [10], 0, 30) == [20]
    assert placed([25], [50], 0, 30) == [0]
    assert placed([-4], [3], 0, 30) == [0]


@given(st.data())
def test_notes_never_overlap(data: st.DataObject) -> None:
    wanted = sorted(data.draw(st.lists(st.integers(-20, 60), min_size=1, max_size=8)))
    sizes = data.draw(st.lists(st.integers(1, 15), min_size=len(wanted), max_size=len(wanted)))
    at = placed(wanted, sizes, data.draw(st.integers(0, len(wanted) - 1)), 30)
    assert all(a + size <= b for a, size, b in zip(at, sizes, at[1:], strict=False))
