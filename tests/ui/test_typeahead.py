"""Keys typed in one go do what they do when each waits for the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import builders
from tests.ui.room import room

BURSTS = {
    "the next conversation, then a tag": "] 1 ] 2 ] j 3",
    "verdicts on the way": "] P ] F R R",
    "another pane": "tab j j 1",
    "a note": "j 1 c h e y enter 2",
    "a mode by name": "t i n v enter j 2",
    "what was found": "/ o r d e r enter 1 1",
    "another queue": "f r u n : 2 enter j 1",
    "a comparison": "= j 1 q",
    "a grid": "B j enter 1 1",
    "a command": ": g o t o space # 3 enter 1 1",
}


def _store(folder: Path) -> Path:
    folder.mkdir()
    return builders.store(folder, *(builders.conversation(case=case, run=run) for case in "abc" for run in (1, 2)))


async def _left(store: Path, keys: list[str], at_once: bool) -> tuple[list[tuple[Any, ...]], str, Any]:
    """The acts that are on disk, the open conversation and the cursor after these keys."""
    async with room(store) as here:
        for going in [keys] if at_once else [[key] for key in keys]:
            await here.burst(*going)
        acts = [(line["do"], line["ref"], line.get("code"), line.get("text")) for line in here.journal()]
        return acts, here.ref, here.cursor


@pytest.mark.parametrize("keys", BURSTS.values(), ids=BURSTS.keys())
async def test_keys_in_one_go_do_what_they_do_one_by_one(tmp_path: Path, keys: str) -> None:
    calm = await _left(_store(tmp_path / "calm"), keys.split(), at_once=False)
    assert calm[0]
    assert await _left(_store(tmp_path / "hasty"), keys.split(), at_once=True) == calm


async def test_ctrl_c_waits_for_no_other_key(tmp_path: Path) -> None:
    async with room(_store(tmp_path / "left")) as here:
        here.send(*"jk" * 500, "ctrl+c")
        while here.app.is_running:
            await here.pilot.pause()
        assert here.app.typed.waiting
