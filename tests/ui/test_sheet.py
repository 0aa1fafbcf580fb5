"""Sheets: what is long goes on below its beginning, at every width, and nothing of it is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from reviewer.app.layout.stack import Stack
from reviewer.app.reading.layouts import PIECES, Layouts
from reviewer.transcripts.model import Case
from tests import builders
from tests.ui.room import SMALL, Room, room

GOAL = "You want to exchange the bottle for a bigger one and the lamp for a dimmer one, and nothing else at all."
EXPECTED = ("find_user(name)", f"exchange_items({'x' * 90})")


def told(tmp_path: Path) -> Path:
    case = Case("used-item-1", goal=f"{GOAL}\nYou do not remember your address.", expected=EXPECTED)
    return builders.store(tmp_path, replace(builders.conversation(), facts=case))


def sheet(here: Room, name: str) -> list[str]:
    """The lines of the sheet from a name on, as long as they belong to it."""
    lines = [line.strip("│") for line in here.lines()]
    start = next(index for index, line in enumerate(lines) if line.strip().startswith(name))
    rest = lines[start + 1 :]
    end = next(index for index, line in enumerate(rest) if line[:19].strip() or not line.strip())
    return [lines[start], *rest[:end]]


async def test_what_is_long_goes_on_below_its_beginning(tmp_path: Path) -> None:
    async with room(told(tmp_path), SMALL) as here:
        await here.press("i")
        goal = sheet(here, "goal")
        assert " ".join(line[19:].strip() for line in goal) == f"{GOAL} You do not remember your address."
        assert len(goal) == 3
        expected = sheet(here, "expected")
        assert expected[0][19:].strip() == "find_user(name)"
        assert "".join(line[19:].strip() for line in expected) == "".join(EXPECTED)
        await here.pilot.resize_terminal(60, 30)
        await here.pilot.pause()
        narrow = sheet(here, "goal")
        assert " ".join(line[19:].strip() for line in narrow) == f"{GOAL} You do not remember your address."
        assert len(narrow) > len(goal)


async def test_plain_signs_stand_in_the_column_of_the_others(tmp_path: Path) -> None:
    async with room(told(tmp_path), SMALL, plain=True) as here:
        await here.press("?")
        starts = {line.index("Next ") for line in here.lines() if "Next item" in line or "Next page" in line}
        assert starts == {20}


def test_what_was_not_looked_at_for_long_is_laid_out_again() -> None:
    stored, layouts = builders.stored(), Layouts()
    made: list[int] = []

    def laid(key: int) -> Stack:
        def make() -> Stack:
            made.append(key)
            return Stack()

        return layouts.of(stored)(key, make)

    first = laid(0)
    for key in range(1, 3 * PIECES):
        laid(key)
        assert laid(0) is first
    laid(1)
    assert made == [*range(3 * PIECES), 1]
