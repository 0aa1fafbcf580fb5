"""Named queues: drawn alike by colleagues, opened with their progress, and still when their files are damaged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from reviewer.marks import queues
from reviewer.transcripts.model import Score
from tests import builders
from tests.ui.room import returning, room
from tests.ui.test_filtering import settled
from tests.ui.test_ordering import order, refs
from tests.ui.test_reading import many


async def test_a_queue_shows_how_far_one_is_with_it(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("R")
        await order(here, "draw monday 6 by case seed 3")
        read = "gpt/used-item-1/1"
        done = int(read in refs(here))
        assert f"1 of 6 · {done} of 6 reviewed" in here.lines()[0].replace("–", "1")
        await here.press("g", "R")
        assert f"{done + 1} of 6 reviewed" in here.lines()[0]
        await here.press("u")
        assert f"{done} of 6 reviewed" in here.lines()[0]
        await here.press("R", ":")
        await here.type("queue mo")
        await here.press("tab")
        assert here.foot == f"monday ({done + 1} of 6 reviewed to the end, 6 drawn by case from all 12 in its store)"
        await here.press("escape", "f", "ctrl+u", "enter")
        await settled(here)
        await here.press("Q")
        assert f"{done + 1} of 6 reviewed to the end, 6 drawn by case from all 12 in" in here.text
        await here.press("enter")
        await settled(here)
        assert here.screen.reading.name == "monday"
        assert here.screen.reading.query == "queue:monday"


async def test_a_picked_queue_keeps_the_order_and_what_cannot_be_kept_is_said(tmp_path: Path) -> None:
    async with room(many(tmp_path), query="model:kimi") as here:
        await order(here, "sort random 4")
        shown = refs(here)
        await order(here, "pick mine")
        assert here.foot.startswith("Kept 6 conversations in ")
        assert here.foot.endswith("mine.jsonl.")
        kept = queues.load(here.folder, "mine")
        assert (list(kept.refs), kept.how, kept.query) == (shown, "picked", "model:kimi")
        await order(here, "sort random 5")
        await order(here, "pick mine")
        assert "mine" in here.foot
        assert "another name" in here.foot
        assert list(queues.load(here.folder, "mine").refs) == shown


async def test_without_queues_the_command_says_how_to_make_one(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await order(here, "queue")
        assert here.foot.startswith("There are no queues yet. Type :draw NAME 60 by family")


async def test_a_colleague_draws_the_same_and_nothing_is_written_again(tmp_path: Path) -> None:
    for folder in ("mine", "theirs"):
        (tmp_path / folder).mkdir()
    async with room(many(tmp_path / "mine")) as here:
        await order(here, "sort random 4")
        await order(here, "draw monday 5 by case")
        mine, drawn = here.folder / "queues" / "monday.jsonl", refs(here)
        written = mine.read_bytes()
    async with room(many(tmp_path / "theirs")) as here:
        await order(here, "draw monday 5 by case")
        assert refs(here) == drawn
        (here.folder / "queues" / "monday.jsonl").write_bytes(written.replace(b"maria", b"ana"))
        await here.press("f", "ctrl+u", "enter")
        await settled(here)
        await order(here, "draw monday 5 by case")
        assert refs(here) == drawn
        assert queues.load(here.folder, "monday").by == "ana"
        await order(here, "draw monday 4 by case")
        assert "another queue “monday” already. :queue monday opens it" in here.foot
        await order(here, "draw tuesday 4 by smell")
        assert "Draw by: family, bucket, model, case" in here.foot


async def test_a_queue_keeps_its_order_until_it_is_sorted_and_finds_it_again(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await order(here, "draw monday 6 seed 2")
        drawn = refs(here)
        await order(here, "sort case")
        assert refs(here) != drawn
        assert sorted(refs(here)) == sorted(drawn)
        await here.press("O")
        await settled(here)
        assert sorted(refs(here)) == sorted(drawn)
        await here.press("O", "O")
        await settled(here)
        await order(here, "sort stored")
        assert refs(here) == drawn


async def test_a_damaged_file_costs_a_sentence_and_opens_still(tmp_path: Path) -> None:
    store = many(tmp_path)
    folder = tmp_path / "annotations" / "queues"
    folder.mkdir(parents=True)
    good = '{"ref": "gpt/used-item-1/1"}'
    (folder / "torn.jsonl").write_bytes(f'{{"queue": 7, "of": "x"}}\n{good}\n{{"ref": 3}}\n[\n\xff\n'.encode("latin-1"))
    (folder / "other.jsonl").write_text('{"ref": "nobody/x/1"}\n', "utf-8")
    (folder / "empty.jsonl").write_text("", "utf-8")
    (folder / "folder.jsonl").mkdir()
    async with room(store) as here:
        await order(here, "queue torn")
        assert refs(here) == ["gpt/used-item-1/1"]
        assert "torn.jsonl, line 3 and 2 more are not references and were left out." in here.foot
        for name, said in (
            ("other", "other holds 1 conversation, none of them in this store"),
            ("empty", "is empty"),
            ("folder", "cannot be read"),
        ):
            await order(here, f"queue {name}")
            assert said in here.foot
            assert here.screen.reading.name == "torn"
        await here.press("f", "ctrl+u")
        await here.type("queue:torn")
        await here.press("enter")
        await settled(here)
        assert here.foot.startswith("torn: 1 conversation, picked. torn.jsonl")
        await here.press("f", "ctrl+u")
        await here.type("queue:torn run:1")
        await here.press("enter")
        await settled(here)
        assert here.foot == "1 conversation."
        await order(here, "queue")
        assert "cannot be read" in here.text


async def test_one_comes_back_to_a_named_queue_in_its_order(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with returning(store) as here:
        await order(here, "draw monday 6 seed 2")
        drawn = refs(here)
    async with returning(store) as here:
        await settled(here)
        assert refs(here) == drawn
        assert "0 of 6 reviewed" in here.lines()[0]


async def test_in_a_drawn_queue_scores_are_not_shown_before_the_review(tmp_path: Path) -> None:
    judged = replace(builders.conversation(), scores=(Score("tone", 0.25, "gpt-judge", "The agent was curt."),))
    async with room(builders.store(tmp_path, judged)) as here:
        await here.press("i")
        assert "The agent was curt." in here.text
        await here.press("escape")
        await order(here, "draw monday 1")
        await here.press("i")
        assert "gpt-judge" not in here.text
        assert "The agent was curt." not in here.text
        assert "Hidden until you mark the conversation as reviewed" in here.text
        await here.press("escape", "R", "i")
        assert "The agent was curt." in here.text


async def test_tab_and_the_picker_find_a_queue_by_words_in_any_order(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await order(here, "draw flips-in-september 6 by case seed 3")
        await order(here, "draw monday 6 by case seed 3")
        await here.press("Q")
        await here.type("september flips")
        await here.press("enter")
        await settled(here)
        assert here.screen.reading.name == "flips-in-september"
        await here.press(":")
        await here.type("queue holding monday")
        await here.press("tab")
        assert here.screen.prompt.value == "queue monday"
