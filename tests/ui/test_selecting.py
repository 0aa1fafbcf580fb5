"""Selecting words by keyboard: by sentence, by word at both ends, by typed words; and what cannot be selected."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.app.shared.sheet import Item
from tests import builders
from tests.ui.room import room

FIRST, SECOND = (0, 49), (50, 83)
"""The sentences of the second message."""


@pytest.mark.parametrize(
    ("keys", "span"),
    [
        ("", FIRST),
        ("j", SECOND),
        ("j j", SECOND),
        ("j k", FIRST),
        ("k", FIRST),
        ("W", (5, 49)),
        ("W W B", (5, 49)),
        ("B", FIRST),
        ("w", (0, 52)),
        ("b", (0, 48)),
        ("w b b", (0, 35)),
        ("/ y e s t e r d a y enter", (73, 82)),
        ("/ D E L I V E R E D enter", (63, 72)),
        ("j / o r d e r enter", (5, 10)),
        ("/ e d space enter / e d space enter", (70, 73)),
        ("/ n o w h e r e enter", FIRST),
    ],
)
async def test_every_key_selects_other_words(keys: str, span: tuple[int, int], tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "v", *(" " if key == "space" else key for key in keys.split()), "1")
        assert here.journal()[-1]["ref"] == f"kimi/used-item-1/1#2:{span[0]}-{span[1]}"


async def test_words_that_are_not_there_are_said_and_the_selection_stays(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "v", "j", "/")
        await here.type("nowhere")
        await here.press("enter")
        assert here.foot == "No “nowhere” in this item."
        await here.press("1")
        assert here.journal()[-1]["pieces"][0]["quote"] == "It should be delivered yesterday."


async def test_it_opens_on_the_sentence_that_was_found(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("/")
        await here.type("delivered")
        await here.press("enter", "v", "1")
        assert here.journal()[-1]["ref"] == "kimi/used-item-1/1#2:50-83"


async def test_what_cannot_be_selected_is_said(tmp_path: Path) -> None:
    empty = builders.agent("", builders.call("ping", "", None))
    talk = builders.conversation(builders.customer("Hello there."), empty)
    async with room(builders.store(tmp_path, talk)) as here:
        await here.press("v", "tab")
        assert here.foot == "There is no reasoning here."
        await here.press("s")
        assert here.foot.startswith("Tag the claim first")
        await here.press("escape", "j", "v")
        assert here.foot == "There are no words to select here."
        await here.press("j", "v")
        assert here.foot == "There are no words to select here."
        assert not here.journal()


async def test_pieces_of_two_speakers_are_one_tag(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("v", "comma", "j", "j", "comma", "y", "1")
        tag = here.journal()[-1]
        assert [(piece["ref"].partition("#")[2], piece["quote"]) for piece in tag["pieces"]] == [
            ("1:0-52", "Please cancel order #1130, I ordered the wrong size."),
            ("2:50-83", "It should be delivered yesterday."),
        ]
        assert tag["ref"] == tag["pieces"][0]["ref"]
        assert here.app.clipboard.endswith(" … It should be delivered yesterday.")
        assert here.text.count("⟦") == 2, "the tag stands at both messages"


async def test_kept_pieces_stay_on_the_way_back_into_the_other_part_and_under_the_mouse(tmp_path: Path) -> None:
    said = builders.agent("First. Second.", reasoning="I thought so.")
    async with room(builders.store(tmp_path, builders.conversation(builders.customer("One. Two."), said))) as here:
        await here.press("v", "comma", "j", "j", "k", "k", "k", "1", "1")
        assert [piece["quote"] for piece in here.journal()[-1]["pieces"]] == ["One."], (
            "what was only passed is not kept"
        )
        await here.press("j", "v", "comma", "tab", "2")
        assert [piece["quote"] for piece in here.journal()[-1]["pieces"]] == ["I thought so.", "First."]
        await here.press("v", "comma")
        here.screen.action_do("select.words", Item(1), "text", (5, 6), "unit")
        await here.press("3")
        assert [piece["quote"] for piece in here.journal()[-1]["pieces"]] == ["Two.", "First."]


async def test_without_a_kept_piece_the_keys_stay_in_their_message(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("v", "j", "j", "1", "1")
        assert here.journal()[-1]["ref"].endswith("#1:0-52")
