"""The laws of columns that stand level: one row more is one line more, and every line is at its row."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reviewer.app.compare.sides import Level, held, revealing
from reviewer.app.shared.scroll import slid, thumb
from reviewer.app.shared.sheet import Flow, LinePlace


@st.composite
def levels(draw: st.DrawFn) -> Level:
    sizes = draw(st.lists(st.integers(1, 9), min_size=1, max_size=12))
    block = draw(st.integers(0, len(sizes) - 1))
    line = draw(st.integers(0, sizes[block] - 1))
    return Level(Flow(len(sizes), lambda index: sizes[index]), LinePlace(block, line), draw(st.booleans()))


def places(level: Level) -> list[LinePlace]:
    return [LinePlace(block, line) for block in range(level.flow.count) for line in range(level.flow.height(block))]


@given(levels(), st.integers(-60, 60), st.integers(1, 40))
def test_a_screen_is_its_rows_one_by_one(level: Level, top: int, rows: int) -> None:
    assert level.lines(top, rows) == [level.lines(top + row, 1)[0] for row in range(rows)]


@given(levels())
def test_every_line_is_at_its_row_and_nothing_is_beyond_the_ends(level: Level) -> None:
    first, last = level.ends()
    for place in places(level):
        row = level.row(place)
        assert first <= row < last
        assert level.lines(row, 1) == [place]
    assert level.row(level.origin) == 0
    assert level.lines(first - 5, 5) == [None] * 5
    assert level.lines(last, 5) == [None] * 5
    assert level.lines(first, last - first).count(None) == level.ruled


@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(1, 30), st.integers(3, 30))
def test_what_is_revealed_is_on_screen_and_stays_where_it_is(top: int, start: int, tall: int, rows: int) -> None:
    found = revealing(top, start, start + tall, rows)
    if tall <= rows:
        assert found <= start
        assert start + tall <= found + rows
    else:
        assert start <= found
        assert found + rows <= start + tall
    assert revealing(found, start, start + tall, rows) == found


@given(st.integers(0, 20), st.integers(1, 4), st.integers(1, 20), st.data())
def test_a_window_slides_no_further_than_it_must(first: int, size: int, count: int, data: st.DataObject) -> None:
    wanted = data.draw(st.integers(0, count - 1))
    found = slid(first, size, wanted, count)
    assert found <= wanted < found + size
    assert found >= 0
    assert found + size <= count or found == 0


@given(st.integers(1, 60), st.integers(0, 1_000_000), st.data())
def test_a_scroll_bar_says_where_one_is(size: int, count: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, max(0, count - size)))
    found = thumb(first, size, count)
    assert bool(found) == (count > size)
    if found:
        assert 0 <= found.start < found.stop <= size
        assert thumb(0, size, count).start == 0
        assert thumb(count - size, size, count).stop == size
        assert found.start <= thumb(count - size, size, count).start


def test_columns_stop_where_all_of_them_end() -> None:
    assert held(-99, [(-5, 30), (-9, 12)], 10) == -9
    assert held(99, [(-5, 30), (-9, 12)], 10) == 20
    assert held(3, [(0, 4)], 10) == 0
