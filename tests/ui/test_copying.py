"""What `y` copies is what an export prints: the tag under the cursor, else the words there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import builders
from tests.ui.room import room

CASE = "- Used item 1: "


@pytest.mark.parametrize("synthetic", [False, True])
async def test_an_item_is_copied_as_reports_print_it(tmp_path: Path, synthetic: bool) -> None:
    async with room(builders.store(tmp_path, synthetic=synthetic)) as here:
        await here.press("G", "y")
        mark = " · SYNTHETIC" if synthetic else ""
        assert here.app.clipboard == f'{CASE}🤖 "Yes, it was. Sorry about that!" `kimi/used-item-1/1#4`{mark}\n'
        assert here.foot == "Copied the excerpt."


async def test_a_tag_is_copied_with_its_evidence_and_its_reviewer(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path, synthetic=True)) as here:
        await here.press("j", "v", "j", "1", "s", "y")
        said = '🤖 "It should be delivered yesterday." (get_order status: in transit).'
        assert here.app.clipboard == f"{CASE}{said} `kimi/used-item-1/1#2:50-83` · maria · SYNTHETIC\n"


async def test_words_that_were_found_are_copied_with_what_is_left_out(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("/")
        await here.type("cancelled")
        await here.press("enter", "y")
        assert here.app.clipboard == f'{CASE}🤖 "…cancelled…" `kimi/used-item-1/1#2:26-35`\n'
        await here.press("Y")
        assert here.app.clipboard == "kimi/used-item-1/1#2:26-35"


async def test_a_reference_that_a_shell_would_run_is_copied_quoted(tmp_path: Path) -> None:
    ref = "kimi/$(touch%20pwned)/1#1"
    async with room(builders.store(tmp_path, builders.conversation(case="$(touch pwned)"))) as here:
        await here.press("Y")
        assert here.app.clipboard == f"'{ref}'"
        assert here.foot == f"Copied {ref}."


async def test_markup_in_a_transcript_stays_text_where_it_is_pasted(tmp_path: Path) -> None:
    text = "See [here](http://x.test) *now* <b>\x1b[2J"
    async with room(builders.store(tmp_path, builders.conversation(builders.customer(text)))) as here:
        await here.press("y")
        assert "\x1b" not in here.app.clipboard
        assert "\\[here\\](http\\://x.test) \\*now\\* &lt;b&gt;␛" in here.app.clipboard
