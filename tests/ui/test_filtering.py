"""The filter line and named queues."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.annotations import queues
from reviewer.query import parse
from reviewer.ui.shared.rows import pointing
from tests.calls import calls_of
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
        assert "unless marked: wrote" in here.lines()[1]  # so no line says it
        assert not any("⚡" in line.partition("││")[0] for line in here.lines()[3:15])
        await here.press("j", "1", "F", "]", "R")
        assert "✘ 1" in here.lines()[3]
        assert " ✓ " in here.lines()[4]


async def test_what_is_wrong_is_pointed_at_and_what_was_typed_stays(tmp_path: Path) -> None:
    async with room(many(tmp_path), query="run:1") as here:
        await settled(here)
        await here.press("f", "ctrl+u")
        await here.type("run:2 model:kimi colour:red")
        pointed = next(line for line in here.lines() if "▼" in line)
        assert pointed.index("▼") == len("run:2 model:kimi ")
        assert "There is no field" in pointed
        await here.press("enter")
        assert here.screen.prompt.has_focus
        assert here.screen.prompt.value == "run:2 model:kimi colour:red"
        assert here.screen.prompt.cursor_position == len("run:2 model:kimi ")
        await here.press("ctrl+k", "enter")
        await settled(here)
        assert here.foot == "2 conversations."


async def test_what_is_not_finished_yet_is_no_mistake(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f")
        assert "tab: model:  case:" in here.foot
        await here.type("model:")
        assert here.foot.endswith("tab: gpt  kimi")
        await here.press("tab")
        assert here.screen.prompt.value == "model:gpt"
        await here.press("shift+tab")
        assert here.screen.prompt.value == "model:kimi"
        await here.press("shift+tab", "enter")
        await settled(here)
        assert here.screen.reading.query == "model:gpt"


async def test_filters_are_recalled_and_the_old_one_stays_when_one_leaves(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        for text in ("run:1", "run:2", "model:nobody"):
            await here.press("f", "ctrl+u")
            await here.type(text)
            await here.press("enter")
            await settled(here)
        assert here.screen.reading.query == "run:2"
        await here.press("f", "ctrl+u")
        await here.type("fam")
        await here.press("up")
        assert here.screen.prompt.value == "model:nobody"
        await here.press("up", "up", "up")
        assert here.screen.prompt.value == "run:1"
        await here.press("down", "down", "down", "down")
        assert here.screen.prompt.value == "fam"
        await here.press("escape")
        assert here.screen.reading.query == "run:2"
        await here.press("f")
        assert here.screen.prompt.value == "run:2"
        await here.press("escape", ":", "up")
        assert here.screen.prompt.value == ""


async def test_how_many_would_pass_is_said_while_typing(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f")
        await here.type("run:3")
        here.screen.filtering._count("run:3", parse("run:3"))
        await settled(here)
        assert here.foot.startswith("4 conversations")
        here.screen.filtering._said("run:2", "an answer that comes too late")
        assert here.foot.startswith("4 conversations")


async def test_a_filter_is_parsed_once_for_each_text_that_stands_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room(many(tmp_path), query="run:1") as here:
        queues.save(here.folder, queues.Queue("week", ("kimi/vip-skip-2/3",)))
        texts = calls_of(monkeypatch, parse)
        await here.press("f")
        await here.type("run:2")
        here.screen.filtering._count("run:2", parse("run:2"))
        await here.press("enter")
        await settled(here)
        assert here.foot == "4 conversations."
        assert texts == ["run:1", "r", "ru", "run", "run:", "run:2"]
        texts.clear()
        await here.press("ctrl+l", "M")  # what is read again, and counted on the board, was parsed before
        await settled(here)
        await here.press("f")
        await settled(here)
        await here.press("escape")
        assert texts == []
        await here.press("f", "ctrl+u")
        await here.type("queue:week")
        texts.clear()
        await here.press("enter")
        await settled(here)
        assert here.screen.reading.name == "week"
        assert texts == []


async def test_the_filter_line_takes_commands_and_opens_queues(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("f")
        await here.type(":draw monday 5 seed 9")
        await here.press("enter")
        await settled(here)
        drawn = list(here.screen.reading.ids)
        await here.press("f", "enter")
        await settled(here)
        assert list(here.screen.reading.ids) == drawn
        assert here.screen.reading.name == "monday"


@given(st.text("ab ", max_size=60), st.integers(-5, 90), st.integers(1, 80))
def test_what_points_stands_where_it_points(words: str, at: int, width: int) -> None:
    shown = pointing(words, at, width, "▼")
    assert shown.index("▼") == max(0, min(at, width - 1))


@pytest.mark.parametrize(
    ("query", "name"),
    [("queue:monday", "monday"), ('queue:"a b"', "a b"), ("queue:mon*", ""), ("-queue:monday", ""), ("", ""),
     ("queue:a,b", ""), ("queue:a run:1", ""), ("queue:a refund", ""), ("queue:none", ""), ("run:1", "")],
)  # fmt: skip
def test_a_query_for_nothing_but_a_queue_names_it(query: str, name: str) -> None:
    assert parse(query).queue == name
