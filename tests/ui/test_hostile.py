"""Hostile text on the screen: seen, harmless, and quoted as it is stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.app.shared.sheet import Item
from tests import builders, hostile
from tests.ui.room import LARGE, SMALL, room


async def test_a_selection_behind_removed_characters_quotes_the_stored_words(tmp_path: Path) -> None:
    talk = hostile.conversation()
    async with room(builders.store(tmp_path, talk)) as here:
        await here.press("/")
        await here.type("delivered yesterday")
        await here.press("enter", "v", "1", "1")
        piece = here.journal()[-1]["pieces"][0]
        assert piece["quote"] == "It was delivered yesterday."
        start, end = map(int, piece["ref"].rpartition(":")[2].split("-"))
        assert talk.messages[0].text[start:end] == piece["quote"]


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_every_view_of_a_hostile_conversation_opens(tmp_path: Path, size: tuple[int, int]) -> None:
    async with room(builders.store(tmp_path, hostile.conversation()), size) as here:
        for key in ("r", "m", "p", "j", "j", "enter", "Z", "G", "space", "b", "g", "\\", "\\", "v", "w", "escape", "i"):
            await here.press(key)
        await here.press("escape", "1", "t", "escape", "S", "escape", "c", "escape", "y", "Y", "ctrl+p", "escape", "?")
        text = here.text
        assert not any(character in text for character in "\x1b\x00\x07\x9b\u202e\u202c")


async def test_a_message_of_a_megabyte_opens_scrolls_and_is_searched(tmp_path: Path) -> None:
    words = " ".join(f"word{n}" for n in range(110_000)) + " needle"
    talk = builders.conversation(builders.customer("Hi."), builders.agent(words), builders.customer("Bye."))
    async with room(builders.store(tmp_path, talk)) as here:
        await here.press("j", "enter", "space", "G")
        assert "Bye." in here.text
        await here.press("/")
        await here.type("needle")
        await here.press("enter")
        assert here.cursor == Item(2)
        assert "needle" in "\n".join(here.lines()[:-1])
