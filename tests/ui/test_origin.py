"""Every screen says at its head where a model played the customers, in the place where it says SYNTHETIC."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import builders
from tests.ui.room import LARGE, SMALL, Room, room
from tests.ui.test_seeing import command

MARK = "simulated customer"


async def shown(here: Room, key: str) -> None:
    """Open a screen, by its key or by what is typed behind a colon."""
    if len(key) > 1:
        await command(here, key)
    elif key:
        await here.press(key)
    await here.idle()


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("key", ["", "M", "=", "B", "!", "report"])
async def test_the_head_says_that_customers_were_simulated(tmp_path: Path, key: str, size: tuple[int, int]) -> None:
    talks = [builders.conversation(run=run) for run in (1, 2)]
    path = builders.with_simulated_customers(builders.store(tmp_path, *talks))
    async with room(path, size) as here:
        await shown(here, key)
        assert here.lines()[0].startswith(f" runs.db · {MARK}")
        if key == "report":
            assert "SIMULATED CUSTOMERS: a model played them" in here.text


async def test_the_facts_and_what_is_copied_say_it_too(tmp_path: Path) -> None:
    async with room(builders.with_simulated_customers(builders.store(tmp_path)), LARGE) as here:
        await here.press("G", "y")
        assert here.app.clipboard.endswith(f" · {MARK}\n")
        await here.press("i")
        await here.idle()
        assert f"built.jsonl · {MARK}" in here.text
