"""Verdicts, reviewed conversations, and what a tag says beyond its mode."""

from __future__ import annotations

from pathlib import Path

from reviewer.app.queue.queue_line import marks
from reviewer.app.shared.sheet import Item
from reviewer.marks.review import Session
from reviewer.marks.row_marks import RowMarks
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.ui.room import Room, room
from tests.ui.test_reading import long_talk, many


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


async def test_reviewed_says_how_many_messages_were_not_shown(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path, long_talk(60)), size=(80, 24)) as here:
        await here.press("R")
        seen = here.journal()[-1]["seen"]
        assert 0 < seen < 60
        assert here.foot.startswith(f"Reviewed in part: {60 - seen} of 60 messages not shown.")
        assert "1 reviewed in part" in here.lines()[0]
        assert queue_marks(here) == ["◐"]
        await here.press("R")
        assert len(here.journal()) == 1, "nothing more was shown"


async def test_who_reads_on_says_so_with_the_same_key(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path, long_talk(60)), size=(80, 24)) as here:
        await here.press("R")
        await here.press(*["pagedown"] * 40)
        await here.press("R")
        line = here.journal()[-1]
        assert (line["seen"], line["of"], line["further"]) == (60, 60, True)
        assert here.foot.startswith("Reviewed. ")
        assert "1 reviewed to the end" in here.lines()[0]
        await here.press("u")
        assert "1 reviewed in part" in here.lines()[0]


async def test_what_was_shown_before_another_was_opened_counts(tmp_path: Path) -> None:
    talks = (long_talk(40), builders.conversation(case="short"))
    async with room(builders.store(tmp_path, *talks), size=(80, 24)) as here:
        await here.press(*["pagedown"] * 30)
        await here.press("]", "[")
        assert here.ref == "kimi/long-1/1"
        await here.press("R")
        line = here.journal()[-1]
        assert (line["seen"], line["of"]) == (40, 40)


async def test_a_review_without_counts_is_not_taken_for_a_reading_to_the_end(tmp_path: Path) -> None:
    store = builders.store(tmp_path)
    with Reader(store) as reader:
        stored = reader.stored(reader.ids()[0])
    Session(tmp_path / "annotations", "maria", store.name).reviewed(stored)
    async with room(store) as here:
        assert "1 reviewed (unknown how far)" in here.lines()[0]
        assert queue_marks(here) == ["¿"]
        await here.press("R")
        assert "1 reviewed to the end" in here.lines()[0], "all of its four messages are on screen"


def queue_marks(here: Room) -> list[str]:
    """The sign of the review in each line of the queue."""
    session, rows = here.screen.marking.session, map(here.screen.queue.row, range(len(here.screen.reading.ids)))
    states = [session.state(row.ref) for row in rows if row is not None]
    return [marks(RowMarks(state, session.by))[1][0] for state in states]


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
