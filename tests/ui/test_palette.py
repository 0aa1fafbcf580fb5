"""The palette: every action by name, those last chosen first, what would do nothing greyed with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.app import keys
from reviewer.app.shared.pick import PickScreen
from reviewer.app.shared.sheet import Item
from tests import builders
from tests.ui.room import Room, room
from tests.ui.test_reading import many


def offered(here: Room) -> list[tuple[str, bool]]:
    """What the palette offers, in order, and whether it is greyed."""
    assert isinstance(here.app.screen, PickScreen)
    return [(choice.name, choice.off) for choice in here.app.screen.choices._choices]


async def test_every_action_is_in_it_with_its_key(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("ctrl+p")
        assert sorted(name for name, _ in offered(here)) == sorted(action.label for action in keys.all_actions())
        await here.type("pick evidence")
        line = next(line for line in here.lines() if "pick evidence  (" in line)
        assert "S " in line.partition("pick evidence")[0]


async def test_a_few_letters_and_enter_do_it(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("ctrl+p")
        await here.type("rsng")
        await here.press("enter")
        assert here.screen.viewing.shows("reasoning")


async def test_what_was_last_chosen_comes_first(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        for words in ("raw text", "reasoning", "raw text"):
            await here.press("ctrl+p")
            await here.type(words)
            await here.press("enter")
        await here.press("ctrl+p")
        assert [name for name, _ in offered(here)][:2] == ["raw text", "reasoning"]
        await here.press("down", "enter")
        assert not here.screen.viewing.shows("reasoning")


async def test_what_would_do_nothing_is_greyed_with_the_reason_and_stands_last(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("ctrl+p")
        greyed = [off for _, off in offered(here)]
        assert greyed == sorted(greyed)
        await here.type("remove")
        assert "(no tag under the cursor)" in here.text
        await here.press("enter")
        assert here.foot == "Not now: no tag under the cursor."
        await here.press("2", "2", "ctrl+p")
        await here.type("remove")
        assert "(no tag" not in here.text
        await here.press("enter")
        assert not here.screen.marking.marks
        await here.press("ctrl+p")
        await here.type("add a piece")
        assert "(selecting words (after v))" in here.text
        await here.press("escape")
        assert here.cursor == Item(1)


@pytest.mark.parametrize("typed", ["q", "quit", "wq", "q!"])
async def test_what_leaves_other_programs_leaves_this_one(tmp_path: Path, typed: str) -> None:
    async with room(builders.store(tmp_path)) as here:
        here.send(":", *typed, "enter")
        await here.idle()
        assert not here.app.is_running


async def test_who_opens_a_queue_with_the_command_that_leaves_is_told_the_other_one(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.type(":q week 2")
        await here.press("enter")
        assert here.foot == "“q” leaves the program. To open a queue, type: queue week 2"
