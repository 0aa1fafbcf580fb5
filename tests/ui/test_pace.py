"""What keeps keys quick, in what can be counted: frames, rows painted, questions put to the store, texts laid out.

Seconds are for `make bench`.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget

from reviewer.app.layout import CallLayout, MessageLayout
from reviewer.app.shared.line_widgets import ByLine
from reviewer.app.shared.position import QueueRequest, ReadingPosition, nearest
from reviewer.marks import shapes
from reviewer.transcripts import refs
from reviewer.transcripts.model import Message
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.calls import calls_of
from tests.terminal import PROGRAM, Terminal
from tests.ui.room import room
from tests.ui.test_reading import many


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Frames, and rows painted in each widget."""
    found: Counter[str] = Counter()
    frame, refresh = Screen._compositor_refresh, Widget.refresh

    def refreshed(screen: Screen[None]) -> None:
        found["frames"] += 1
        frame(screen)

    def painted(widget: Widget, *regions: Region, **asked: bool) -> Widget:
        found[widget.id or ""] += sum(region.height for region in regions) or widget.size.height
        return refresh(widget, *regions, **asked)

    monkeypatch.setattr(Screen, "_compositor_refresh", refreshed)
    monkeypatch.setattr(Widget, "refresh", painted)
    return found


@contextmanager
def asked(reader: Reader) -> Iterator[list[str]]:
    """The statements that a reader runs meanwhile."""
    found: list[str] = []
    reader._db.set_trace_callback(found.append)
    yield found
    reader._db.set_trace_callback(None)


@pytest.mark.parametrize("key", ["j", "]", ">", "G", "space", "1"])
async def test_all_that_a_key_changes_comes_in_one_frame(tmp_path: Path, counted: Counter[str], key: str) -> None:
    async with room(many(tmp_path), size=(140, 14)) as here:
        await here.press("j")
        counted.clear()
        await here.press(key)
        assert counted["frames"] == 1


async def test_moving_to_the_next_message_paints_the_rows_of_two(tmp_path: Path, counted: Counter[str]) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("j")
        counted.clear()
        await here.press("k")
        assert 0 < counted["transcript"] <= 7
        assert counted["queue"] == 0


async def test_another_conversation_paints_two_rows_of_the_queue(tmp_path: Path, counted: Counter[str]) -> None:
    async with room(many(tmp_path)) as here:
        counted.clear()
        await here.press("]")
        assert counted["queue"] == 2


@pytest.mark.parametrize("key", ["j", "]", ">", "G", "1"])
async def test_a_row_that_is_painted_is_painted_from_end_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    painted: list[tuple[ByLine, Region]] = []
    refresh = Widget.refresh

    def refreshed(widget: Widget, *regions: Region, **asked: bool) -> Widget:
        if isinstance(widget, ByLine):
            painted.extend((widget, region) for region in regions)
        return refresh(widget, *regions, **asked)

    monkeypatch.setattr(Widget, "refresh", refreshed)
    async with room(many(tmp_path), size=(140, 14)) as here:
        await here.press("j")
        painted.clear()
        await here.press(key)
        assert painted
        for widget, region in painted:
            assert region.translate(widget.content_offset).column_span == (0, widget.outer_size.width)


async def test_the_calls_of_another_conversation_are_laid_out_where_they_are_on_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid: set[int] = set()

    def lay(layout: CallLayout, *given: Any, **named: Any) -> None:
        laid.add(int(named["label"]))
        made(layout, *given, **named)

    made = CallLayout.__init__
    monkeypatch.setattr(CallLayout, "__init__", lay)
    turns = [builders.agent("Let me look. " * 40, builders.call("get_order")) for _ in range(30)]
    talks = (builders.conversation(*turns, case="long-1", run=run) for run in (1, 2))
    async with room(builders.store(tmp_path, *talks), size=(140, 14)) as here:
        await here.prepared()
        assert 1 in laid
        assert max(laid) < 10
        await here.press("G")
        laid.clear()
        await here.press("]")
        laid.add(0)
        assert max(laid) < 10


async def test_a_tag_paints_its_message_and_its_line_of_the_queue(tmp_path: Path, counted: Counter[str]) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("j")
        counted.clear()
        await here.press("1")
        assert counted["queue"] == 1
        assert counted["tools"] == 0
        assert 0 < counted["transcript"] <= 6


async def test_nothing_is_asked_of_the_store_by_keys_that_move_within(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("j")
        await here.prepared()
        with asked(here.screen.reading.reader) as statements:
            await here.press("k", "j", "space", "b", "G", "g", "1", "u")
        assert statements == []


async def test_a_reference_is_parsed_when_its_line_is_written_and_by_no_other_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room(many(tmp_path)) as here:
        shapes.reference.cache_clear()
        texts = calls_of(monkeypatch, refs.parse)
        for key, parsed in (("j", 0), ("j", 0), ("1", 1), ("k", 0), ("1", 1), ("2", 0), ("j", 0), ("h", 0)):
            texts.clear()
            await here.press(key)
            assert len(texts) == parsed
        assert [line["do"] for line in here.journal()] == ["tag", "tag", "tag", "edit"]
        texts.clear()
        await here.press("u", "ctrl+r", "]", "[", "j", "k")
        assert texts == []


async def test_opening_a_conversation_asks_the_same_few_things_in_any_store(tmp_path: Path) -> None:
    counts = []
    for runs in (2, 12):
        folder = tmp_path / str(runs)
        folder.mkdir()
        async with room(many(folder, runs)) as here:
            await here.prepared()
            with asked(here.screen.reading.reader) as statements:
                await here.press("]")
                await here.prepared()
            counts.append(len(statements))
    assert counts[0] == counts[1] <= 20


async def test_going_back_lays_nothing_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    laid: list[int] = []

    def lay(layout: MessageLayout, message: Message, number: int, *more: Any) -> None:
        laid.append(number)
        made(layout, message, number, *more)

    made = MessageLayout.__init__
    monkeypatch.setattr(MessageLayout, "__init__", lay)
    async with room(many(tmp_path)) as here:
        await here.press("]", "]")
        await here.prepared()
        assert laid
        laid.clear()
        await here.press("[", "]")
        assert laid == []
        await here.press("0")
        assert laid == [here.cursor.message]


def _noting(laid: list[object], made: Callable[..., None]) -> Callable[..., None]:
    def lay(layout: object, *given: Any, **named: Any) -> None:
        laid.append(given[0])
        made(layout, *given, **named)

    return lay


@pytest.mark.parametrize(("there", "key"), [((), "]"), (("]", "]", "["), "["), (("]", "]", "["), "]")])
async def test_one_step_further_in_the_queue_everything_is_laid_out_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: tuple[str, ...], key: str
) -> None:
    laid: list[object] = []
    monkeypatch.setattr(MessageLayout, "__init__", _noting(laid, MessageLayout.__init__))
    async with room(many(tmp_path), size=(140, 30)) as here:
        await here.press(*there)
        await here.prepared()
        before = here.ref
        assert laid
        laid.clear()
        await here.press(key)
        stored = here.screen.reading.stored
        assert stored is not None
        assert stored.ref != before
        assert not [each for message in stored.conversation.messages for each in laid if each is message]


async def test_a_neighbour_that_is_gone_is_told_of_when_it_is_opened(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with room(store) as here:
        with sqlite3.connect(store) as db:
            db.execute("DELETE FROM conversations WHERE id = ?", (here.screen.reading.ids[2],))
        await here.press("]")
        await here.prepared()
        assert "no longer in the store" not in here.text
        await here.press("]")
        assert "no longer in the store" in here.text


def test_what_is_asked_at_the_start_looks_at_no_table_as_a_whole(tmp_path: Path) -> None:
    """`sources`, `desks` and `totals` are small however large the store; the first page is read off an index."""
    with Reader(many(tmp_path)) as reader, asked(reader) as statements:
        reading = ReadingPosition(reader, QueueRequest())
        stored = reading.open(reading.ids[0])
        reading.runs()
        reading.rows(reading.ids)
        reading.find(stored.ref)
    with sqlite3.connect(reader.path) as db:
        plans = {sql: [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}")] for sql in statements}
    big = {"conversations", "messages", "calls", "scores", "cases", "runs"}
    steps = {step for plan in plans.values() for step in plan if step.split()[1] in big}
    scans = {step for step in steps if step.startswith("SCAN")}
    assert scans == {"SCAN conversations USING COVERING INDEX conversations_by_run"}
    (first,) = (sql for sql, plan in plans.items() if scans & set(plan))
    assert "LIMIT 100" in first
    assert not any("TEMP B-TREE" in step for step in plans[first])


async def test_only_what_is_near_the_screen_is_laid_out(tmp_path: Path) -> None:
    turns = [builders.customer(f"Line {number}. " + "word " * 60) for number in range(1_000)]
    async with room(builders.store(tmp_path, builders.conversation(*turns))) as here:
        await here.press("G", "k", "b", "b")
        sheet = here.screen.transcript.sheet
        assert sheet is not None
        assert len(sheet._blocks) < 60


@given(st.lists(st.integers(0, 300), unique=True), st.integers(0, 300), st.integers(0, 400))
def test_a_conversation_is_found_wherever_one_begins_to_look(rows: list[int], wanted: int, start: int) -> None:
    assert nearest(array("q", rows), wanted, start) == (rows.index(wanted) if wanted in rows else None)


async def test_a_row_that_shows_the_same_is_not_painted_again(tmp_path: Path, counted: Counter[str]) -> None:
    async with room(many(tmp_path)) as here:
        counted.clear()
        here.screen.transcript.repaint()
        here.screen.queue.repaint()
        await here.pilot.pause()
        assert counted["transcript"] == counted["queue"] == 0


def test_the_thread_that_writes_what_is_painted_gets_its_turn_within_a_millisecond(tmp_path: Path) -> None:
    told = tmp_path / "interval"
    tell = f"pathlib.Path({str(told)!r}).write_text(str(sys.getswitchinterval()))"
    hook = f"import atexit, pathlib, sys\natexit.register(lambda: {tell})"
    (tmp_path / "sitecustomize.py").write_text(hook)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    with Terminal(*PROGRAM, "open", builders.store(tmp_path), env={"HOME": str(tmp_path), "PYTHONPATH": path}) as here:
        here.until("reviewed").settle().press("q").wait()
    assert float(told.read_text()) <= 0.001
