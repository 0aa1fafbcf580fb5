"""Somebody's first opening of all: three lines that say how to begin, and never again."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.app.keys import AS_USUAL
from reviewer.app.reading.welcome import welcome_lines
from reviewer.marks.review import Session
from reviewer.transcripts.refs import Ref
from tests import builders
from tests.ui.room import returning

HIDES = "hides these lines"


@pytest.mark.parametrize("width", range(40, 200, 10))
def test_every_line_fits(width: int) -> None:
    assert all(len("".join(text for text, _ in line)) <= width for line in welcome_lines(width, AS_USUAL))


@pytest.mark.parametrize("key", ["escape", "?", "1"])
async def test_the_first_lines_go_when_they_are_put_away_or_understood_and_never_come_again(
    tmp_path: Path, key: str
) -> None:
    store = builders.store(tmp_path)
    async with returning(store) as here:
        assert [line.strip()[:1] for line in here.lines()[1:4]] == ["R", "1", "?"]
        await here.press("j")
        assert HIDES in here.text
        await here.press(key)
        assert HIDES not in here.text
        assert (key == "1") == bool(here.journal())
    other = builders.store(tmp_path, name="other.db")
    for each in (store, other):
        async with returning(each) as here:
            assert HIDES not in here.text


async def test_who_has_marked_before_needs_no_welcome(tmp_path: Path) -> None:
    store, stored = builders.store(tmp_path), builders.stored()
    Session(tmp_path / "annotations", "maria", store.name).tag(stored, "gives-up", Ref(stored.ref, 2))
    async with returning(store) as here:
        assert HIDES not in here.text
