"""What comes from files on its way out of the reading room: to the foot, to the clipboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Paste

from tests import builders, hostile
from tests.ui.room import room


async def test_what_a_codebook_says_is_cleaned_at_the_foot(tmp_path: Path) -> None:
    store = builders.store(tmp_path)
    hostile.journals(tmp_path, hostile.EVIL, hostile.NAME)
    async with room(store) as here:
        await here.press("1", "1")
        assert here.journal()[-1]["code"] == "odd"
        assert here.foot.startswith("␛]0;PWNED␇␛[31mred")
        assert not hostile.HIDDEN.search(here.text)


async def test_what_is_copied_cannot_steer_the_terminal_it_is_pasted_into(tmp_path: Path) -> None:
    text = "Pay\x1b[201~ rm -rf now\u202e."
    async with room(builders.store(tmp_path, builders.conversation(builders.agent(text)))) as here:
        await here.press("v", "y")
        assert here.app.clipboard == "Pay␛[201~ rm -rf now⟨U+202E⟩."
        await here.press("1")
        assert here.journal()[-1]["pieces"][0]["quote"] == text


@pytest.mark.parametrize("keys", ["/", ":", "f", "t", "2 c"], ids=["find", "command", "filter", "mode", "note"])
async def test_what_is_pasted_into_a_line_is_not_printed_as_it_came(tmp_path: Path, keys: str) -> None:
    async with room(builders.store(tmp_path, builders.conversation())) as here:
        await here.press(*keys.split())
        here.app.post_message(Paste("delivered\x1b[2J\u202e\tlate"))
        await here.pilot.pause()
        assert "delivered␛[2J⟨U+202E⟩    late" in here.text


async def test_a_tag_is_copied_as_an_export_prints_it_with_what_was_typed_escaped(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("2", "2", "w", *"so *said*", "enter", "y")
        tag = here.journal()[0]
        assert here.app.clipboard == (
            '- Used item 1: 👤 "Please cancel order #1130, I ordered the wrong size." so \\*said\\*. '
            f"`{tag['ref']}` · {tag['by']}\n"
        )


@pytest.mark.parametrize("ends", ["\r", "\n", "\r\n"])
async def test_several_lines_that_are_pasted_stay_several(tmp_path: Path, ends: str) -> None:
    pasted = ends.join(("It says: delivered.", "", "The lookup says: in transit."))
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "1", "c")
        here.app.post_message(Paste(pasted))
        await here.press("enter")
        assert here.journal()[-1]["note"] == "It says: delivered.\n\nThe lookup says: in transit."
        await here.press("f")
        here.app.post_message(Paste(f"run:1{ends}delivered"))
        await here.press("end")
        assert here.screen.prompt.value == "run:1 delivered"
