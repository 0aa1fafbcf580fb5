"""Terminals of any size: whatever is open, it is laid out and painted, and keys go on to do something. The siege in the
slow lane tries the other extremes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.monkey import EXTREMES
from tests.siege import ending
from tests.ui.room import LARGE, room
from tests.ui.test_grid import planned


@pytest.mark.parametrize(
    "opening",
    [
        "j 1",
        "=",
        "B",
        "M l l l",
        "!",
        ": r e p o r t enter",
        "?",
        "ctrl+p",
        "i",
        "t",
        "j 1 c",
        "f",
        "S",
        "l",
        "v",
        "shift+tab",
    ],
)
async def test_whatever_is_open_fits_any_terminal(tmp_path: Path, opening: str) -> None:
    async with room(planned(tmp_path), LARGE) as here:
        await here.press(*opening.split())
        await here.idle()
        for size in EXTREMES[:4]:
            with ending():
                await here.pilot.resize_terminal(*size)
                await here.press("j")
        await here.pilot.resize_terminal(*LARGE)
        await here.press(*["escape"] * 4, "]")
        assert here.app.is_running
