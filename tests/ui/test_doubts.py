"""An agent's failure on the customer's words: asked about once, and never where it cannot be a slip."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.marks import folder
from tests import builders
from tests.builders import agent, call, customer
from tests.ui.room import Room, room
from tests.ui.test_seeing import command

ASKED = "#1 is the customer's, and “Unsupported claim” is an agent's failure. The same again tags it."


def done(here: Room) -> list[str]:
    """What stands in the journal."""
    return [event["do"] for event in here.journal()]


async def test_the_first_press_asks_and_the_same_again_tags_and_asks_no_more_about_that_mode(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("1")
        assert here.foot == ASKED
        assert done(here) == []
        await here.press("1")
        assert here.journal()[-1]["ref"].endswith("#1")
        await here.press("1")
        assert done(here) == ["tag", "untag"], "taking it back is not asked about"
        await here.press("1", "G", "k", "1")
        assert [event["ref"].partition("#")[2] for event in here.journal() if event["do"] == "tag"] == ["1", "1", "3"]
        await here.press("2")
        assert "“Contradicts its own result” is an agent's failure" in here.foot


async def test_elsewhere_the_question_is_put_again_until_it_is_answered(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("1", "G", "k", "1")
        assert here.foot == ASKED.replace("#1", "#3")
        assert done(here) == []


async def test_the_last_mode_and_the_picker_ask_and_answer_as_well(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("t")
        await here.type("unsupported")
        await here.press("enter")
        assert here.foot == ASKED
        await here.press(".")
        assert done(here) == ["tag"]
        await here.press("j", "2", "k", ".")
        assert "“Contradicts its own result” is an agent's failure" in here.foot
        await here.press("t")
        await here.type("contradicts")
        await here.press("enter")
        assert done(here) == ["tag"] * 3


async def test_selected_words_stay_selected_while_one_is_asked(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("v", "1")
        assert here.foot == ASKED
        assert here.screen.viewing.selecting is not None
        await here.press("1")
        assert here.journal()[-1]["ref"].endswith("#1:0-52")


@pytest.mark.parametrize("keys", ["0", "j 1", "T enter", "v , j j , 1"])
async def test_merits_the_agents_words_and_all_of_it_are_not_asked_about(keys: str, tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press(*(key.replace(",", "comma") for key in keys.split()))
        assert done(here) == ["tag"]


@pytest.mark.parametrize("field", ['layer = "customer"', 'polarity = "neutral"'])
async def test_modes_of_the_customer_are_not_asked_about(field: str, tmp_path: Path) -> None:
    path = builders.store(tmp_path)
    modes = f'[modes.lies]\ntitle = "Lies"\nkey = "1"\n{field}\n'
    (tmp_path / "annotations").mkdir()
    (tmp_path / "annotations" / folder.FILE).write_text(modes, "utf-8")
    async with room(path) as here:
        await here.press("1")
        assert done(here) == ["tag"]


async def test_a_mode_that_was_made_for_the_customers_words_is_not_asked_about(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("t")
        await here.type("sob story")
        await here.press("enter", "enter")
        assert done(here) == ["codebook", "tag"]


async def test_a_call_of_the_customer_and_a_tag_that_becomes_another_are_questioned_too(tmp_path: Path) -> None:
    talk = builders.conversation(replace(customer("I look."), calls=(call("reboot", "{}", "done"),)), agent("Good."))
    async with room(builders.store(tmp_path, talk)) as here:
        await here.press("j", "1")
        assert here.foot == ASKED
        await here.press("0")
        await command(here, "retag unsupported-claim")
        assert done(here) == ["tag", "edit"]
        assert "“Unsupported claim” is an agent's failure." in here.foot
