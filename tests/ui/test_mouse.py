"""The mouse: what it is dragged over is selected as stored, a click moves the cursor, the wheel scrolls."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.events import MouseScrollDown
from textual.geometry import Offset

from reviewer.app.compare.columns import Column
from reviewer.app.shared.messages import WordsChosen
from reviewer.app.shared.sheet import Item
from reviewer.app.shared.sheet_widgets import SheetWidget
from tests import builders
from tests.ui.room import LARGE, SMALL, Room, room
from tests.ui.test_reading import long_talk, many


def spot(here: Room, pane: SheetWidget, words: str, end: bool = False) -> Offset:
    """The cell of a pane that shows the first (or last) character of some words."""
    for y, line in enumerate(here.lines()):
        for found in re.finditer(re.escape(words), line):
            x = cell_len(line[: found.end() - 1 if end else found.start()])
            if pane.region.contains(x, y):
                return Offset(x, y) - pane.region.offset
    raise AssertionError(f"{words} is not in {pane}")


async def drag(here: Room, pane: SheetWidget, start: Offset, end: Offset) -> None:
    selector = f"#{pane.id}"
    await here.pilot.mouse_down(selector, offset=start)
    await here.pilot.hover(selector, offset=Offset((start.x + end.x) // 2, end.y))
    await here.pilot.hover(selector, offset=end)
    await here.pilot.mouse_up(selector, offset=end)
    await here.pilot.pause()


@pytest.mark.parametrize("backwards", [False, True])
async def test_what_is_dragged_over_is_tagged_as_stored(tmp_path: Path, backwards: bool) -> None:
    async with room(builders.store(tmp_path)) as here:
        pane = here.screen.transcript
        ends = spot(here, pane, "cancelled"), spot(here, pane, "It should", end=True)
        await drag(here, pane, *(ends[::-1] if backwards else ends))
        assert here.screen.scope == "select"
        assert here.cursor == Item(2)
        await here.press("1")
        assert here.journal()[-1]["ref"] == "kimi/used-item-1/1#2:26-59"
        assert here.journal()[-1]["pieces"][0]["quote"] == "cancelled successfully. It should"


async def test_a_drag_goes_over_wrapped_lines_and_stays_in_its_message(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        pane = here.screen.transcript
        await drag(here, pane, spot(here, pane, "ordered"), spot(here, pane, "Your order", end=True))
        chosen = here.screen.viewing.selecting
        assert chosen is not None
        assert chosen.quote == "ordered the wrong size."
        await here.press("y")
        assert here.app.clipboard == "ordered the wrong size."


async def test_a_drag_over_wide_and_hidden_characters_quotes_what_is_stored(tmp_path: Path) -> None:
    text = "Sehr geehrte 注文は\u202eabc\x1b[31m fertig, danke 👍 sehr."
    store = builders.store(tmp_path, builders.conversation(builders.customer(text), builders.agent("Ok.")))
    async with room(store) as here:
        pane = here.screen.transcript
        await drag(here, pane, spot(here, pane, "geehrte"), spot(here, pane, "fertig", end=True))
        chosen = here.screen.viewing.selecting
        assert chosen is not None
        assert chosen.quote == text[text.index("geehrte") : text.index("fertig") + len("fertig")]


async def test_fields_of_a_call_are_dragged_over_in_the_tool_layer(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        pane = here.screen.tools
        await drag(here, pane, spot(here, pane, "in transit"), spot(here, pane, "in transit", end=True))
        assert here.cursor == Item(2, 1)
        await here.press("2")
        assert here.journal()[-1]["pieces"][0]["quote"] == "in transit"
        assert here.journal()[-1]["ref"].startswith("kimi/used-item-1/1#2.1.result")


@pytest.mark.parametrize(
    ("times", "quote"), [(2, "successfully"), (3, "Your order #1130 has been cancelled successfully.")]
)
async def test_two_clicks_take_the_word_three_the_sentence(tmp_path: Path, times: int, quote: str) -> None:
    async with room(builders.store(tmp_path)) as here:
        pane = here.screen.transcript
        await here.pilot.click("#transcript", offset=spot(here, pane, "success"), times=times)
        await here.pilot.pause()
        assert here.screen.viewing.selecting is not None
        assert here.screen.viewing.selecting.quote == quote
        await here.pilot.click("#transcript", offset=spot(here, pane, "Please"))
        await here.pilot.pause()
        assert here.screen.viewing.selecting is None
        assert here.cursor == Item(1)


async def test_a_click_moves_the_cursor_and_shift_leaves_the_mouse_to_the_terminal(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        pane = here.screen.transcript
        await here.pilot.click("#tools", offset=spot(here, here.screen.tools, "cancel_order"))
        assert here.cursor == Item(2, 2)
        start, end = spot(here, pane, "Please"), spot(here, pane, "order #1130", end=True)
        await here.pilot.mouse_down("#transcript", offset=start, shift=True)
        await here.pilot.hover("#transcript", offset=end)
        await here.pilot.mouse_up("#transcript", offset=end, shift=True)
        assert here.screen.viewing.selecting is None


async def test_the_wheel_scrolls_and_a_drag_past_the_edge_does_too(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path, long_talk(60)), SMALL) as here:
        pane = here.screen.transcript
        before = here.text
        await here.pilot._post_mouse_events([MouseScrollDown], "#transcript", button=0)
        await here.pilot.pause()
        assert here.text != before
        text = "Line 4."
        start = spot(here, pane, text)
        await here.pilot.mouse_down("#transcript", offset=start)
        top = pane.place_at(0)
        await here.pilot.hover("#transcript", offset=Offset(start.x, pane.size.height + 1))
        await here.pilot.hover("#transcript", offset=Offset(start.x + 2, pane.size.height + 1))
        assert pane.place_at(0) != top
        await here.pilot.mouse_up("#transcript", offset=start)


async def test_the_queue_is_looked_through_with_the_wheel_and_its_scroll_bar(tmp_path: Path) -> None:
    async with room(many(tmp_path, runs=20), LARGE) as here:
        queue, ref = here.screen.queue, here.ref

        def column() -> str:
            x, y, width, height = queue.content_region
            lines = here.app.screen._compositor.render_strips()[y + 1 : y + height]  # below the heading
            return "".join(line.crop(x + width - 1, x + width).text for line in lines)

        top = column()
        assert top.startswith("▐")
        assert top.endswith(" ")
        await here.pilot._post_mouse_events([MouseScrollDown], "#queue", button=0)
        await here.pilot.pause()
        assert column() == f" {top[:-1]}"
        bar = Offset(queue.content_region.width, 2)
        await here.pilot.mouse_down("#queue", offset=bar)
        await here.pilot.hover("#queue", offset=bar + Offset(0, queue.size.height))
        await here.pilot.mouse_up("#queue", offset=bar + Offset(0, queue.size.height))
        await here.pilot.pause()
        assert column() == top[::-1]
        assert here.ref == ref
        await here.press("]")
        assert column().startswith("▐")


async def test_a_click_in_the_queue_opens_a_conversation(tmp_path: Path) -> None:
    async with room(many(tmp_path), LARGE) as here:
        await here.pilot.click("#queue", offset=Offset(4, 4))
        await here.pilot.pause()
        assert here.screen.reading.index == 2
        await here.pilot.click("#queue", offset=Offset(4, 5), times=2)
        await here.pilot.pause()
        assert here.screen.reading.index == 3
        assert here.screen.transcript.has_focus


async def test_in_a_comparison_a_drag_selects_in_its_own_column(tmp_path: Path) -> None:
    store = builders.store(tmp_path, *(builders.conversation(run=run) for run in (1, 2)))
    async with room(store, LARGE) as here:
        await here.press("=")
        await here.pilot.pause()
        pane = here.app.screen.query_one("#column-1", Column)
        await drag(here, pane, spot(here, pane, "Please"), spot(here, pane, "cancel", end=True))
        await here.press("3", "3")
        assert here.journal()[-1]["ref"] == "kimi/used-item-1/2#1:0-13"


@pytest.mark.parametrize("item", [Item(3, 1), Item(99), Item(2, 9)])
async def test_words_of_a_conversation_that_was_left_meanwhile_are_not_selected(tmp_path: Path, item: Item) -> None:
    async with room(builders.store(tmp_path)) as here:
        here.screen.post_message(WordsChosen(item, "result", 0, 4))
        await here.pilot.pause()
        assert here.app.is_running
        assert here.screen.viewing.selecting is None
