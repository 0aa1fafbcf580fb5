"""Verdicts, reviewed conversations, and what a tag says beyond its mode."""

from __future__ import annotations

from pathlib import Path

from reviewer.ui.shared.sheet import Item
from tests import builders
from tests.ui.room import room
from tests.ui.test_reading import many


async def test_a_verdict_is_written_and_taken_back(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("F")
        assert here.journal()[-1]["verdict"] == "fail"
        await here.press("P", "P")
        assert [line["verdict"] for line in here.journal()] == ["fail", "pass", ""]


async def test_reviewed_goes_to_the_next_unreviewed(tmp_path: Path) -> None:
    async with room(many(tmp_path, runs=1)) as here:
        await here.press("]", "R")
        assert here.journal()[-1]["do"] == "reviewed"
        assert here.ref == "kimi/used-item-1/1"
        assert "1 reviewed" in here.lines()[0]
        await here.press("R", "R", "R")
        assert "Nothing unreviewed" in here.foot


async def test_reviewed_goes_on_from_the_beginning_past_the_end_of_the_queue(tmp_path: Path) -> None:
    async with room(many(tmp_path, runs=1)) as here:
        await here.press("]", "]", "R")
        assert here.ref == "kimi/vip-skip-2/1"
        await here.press("R")
        assert here.ref == "gpt/used-item-1/1"
        await here.press("]", "R")
        assert here.ref == "gpt/used-item-1/1"
        await here.press("R")
        assert "Nothing unreviewed" in here.foot


async def test_clause_stance_and_cause_of_the_tag_under_the_cursor(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "1", "w")
        await here.type("says it came")
        await here.press("enter", "h", "h", "C")
        await here.type("pressure")
        await here.press("enter")
        assert [line["do"] for line in here.journal()] == ["tag", "edit", "edit", "edit", "edit"]
        assert here.journal()[1]["clause"] == "says it came"
        assert here.journal()[3]["stance"] == "debatable"
        assert here.journal()[4]["cause"] == "folded to pressure"


async def test_tags_are_stepped_through_in_reading_order(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "1", "G", "1", "g", ")")
        assert here.cursor == Item(2)
        await here.press("}")
        assert here.cursor == Item(4)
        await here.press("}", "{")
        assert here.cursor == Item(4)


async def test_what_was_reviewed_in_another_store_of_the_folder_does_not_count(tmp_path: Path) -> None:
    other = builders.store(tmp_path, builders.conversation(model="astra"), name="other.db")
    async with room(other) as here:
        await here.press("R")
        assert "1 reviewed" in here.lines()[0]
    store = many(tmp_path, runs=1)
    async with room(store) as here:
        assert "0 reviewed" in here.lines()[0]
        await here.press("R")
        assert "1 reviewed" in here.lines()[0]
        builders.store(tmp_path, builders.conversation(model="astra"), name=store.name)
        here.screen.watching.look()
        await here.idle()
        await here.press("ctrl+l")
        await here.idle()
        assert "2 reviewed" in here.lines()[0]
