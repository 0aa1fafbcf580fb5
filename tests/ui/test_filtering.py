"""The filter line and named queues."""

from __future__ import annotations

from pathlib import Path

from reviewer.annotations import queues
from tests.ui.room import Room, room
from tests.ui.test_reading import many


async def settled(here: Room) -> None:
    """Wait for what runs behind the screen."""
    await here.idle()


async def test_a_filter_narrows_the_queue_and_an_empty_one_opens_it_again(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f")
        await here.type("model:kimi run:2")
        await here.press("enter")
        await settled(here)
        assert here.foot == "2 conversations."
        assert here.ref == "kimi/used-item-1/2"
        assert "1 of 2" in here.lines()[0]
        assert "model:kimi run:2" in here.lines()[0]
        await here.press("f", "ctrl+u", "enter")
        await settled(here)
        assert "All 12 conversations" in here.foot
        assert here.ref == "kimi/used-item-1/2"


async def test_a_filter_is_completed_with_tab_and_what_may_follow_is_shown(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f")
        await here.type("mod")
        assert "model:" in here.foot
        await here.press("tab")
        await here.type("k")
        await here.press("tab", "enter")
        await settled(here)
        assert here.screen.reading.query == "model:kimi"


async def test_a_filter_that_lets_nothing_through_changes_nothing(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f")
        await here.type("model:nobody")
        await here.press("enter")
        await settled(here)
        assert "stays as it was" in here.foot
        assert len(here.screen.queue.ids) == 12
        await here.press("f")
        await here.type("colour:red")
        await here.press("enter")
        await settled(here)
        assert "colour" in here.foot
        assert len(here.screen.queue.ids) == 12


async def test_tags_can_be_asked_for(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("]", "j", "1", "f")
        await here.type("tag:unsupported-claim")
        await here.press("enter")
        await settled(here)
        assert len(here.screen.queue.ids) == 1


async def test_a_draw_is_kept_in_a_file_and_read_in_its_order(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press(":")
        await here.type("draw monday 5 by model seed 3")
        await here.press("enter")
        await settled(here)
        kept = queues.load(here.folder, "monday")
        assert len(kept.refs) == 5
        assert (kept.how, kept.seed, kept.strata, kept.of) == ("drawn", 3, "model", 12)
        assert [here.screen.queue.row(n).ref for n in range(5)] == list(kept.refs)  # type: ignore[union-attr]  # they are there
        await here.press(":")
        await here.type("draw nonsense")
        await here.press("enter")
        assert "draw NAME 60 by family" in here.foot


async def test_a_picked_queue_opens_again_by_its_name(tmp_path: Path) -> None:
    async with room(many(tmp_path), query="run:1") as here:
        await here.press(":")
        await here.type("pick mine")
        await here.press("enter")
        await settled(here)
        assert queues.load(here.folder, "mine").how == "picked"
        await here.press("f", "ctrl+u", "enter")
        await settled(here)
        await here.press(":")
        await here.type("q mine")
        await here.press("enter")
        await settled(here)
        assert len(here.screen.queue.ids) == 4
        await here.press(":")
        await here.type("q nobody")
        await here.press("enter")
        assert "no queue “nobody”" in here.foot


async def test_the_queue_shows_what_happened_and_what_was_said_of_it(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        assert all("⚡" in line for line in here.lines()[2:14])
        await here.press("j", "1", "F", "]", "R")
        assert "⚡   ✘ 1" in here.lines()[2]
        assert "⚡    ✓" in here.lines()[3]
