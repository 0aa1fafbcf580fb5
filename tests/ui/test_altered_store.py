"""A store that another program replaces, empties or spoils under the open app: a sentence, and the marks are safe."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from reviewer.app.shared.position import PATIENCE
from reviewer.basics.errors import StoreError
from reviewer.findings.finding_store import findings_file
from tests import builders
from tests.alterations import CONTENT, FILE, FINDINGS, locked
from tests.ui.room import Room, room
from tests.ui.test_growing import look
from tests.ui.test_reading import many
from tests.ui.test_suggestions import scanned

ALL = {**FILE, **CONTENT}
TOUR = (
    ("]", "j", "1", "c", *"why", "enter", ">", "<", "G", "g", "v", "2", "s", "u"),
    ("shift+tab", "j", "G", "enter", "i", "escape", "l", "n", "escape", "P", "R"),
    ("=", "tab", "d", "1", "escape"),
    ("B", "l", "j", "1", "enter", "escape"),
    ("M", "j", "o", "enter", "escape"),
    ("!", "j", "a", "escape"),
    ("o", "O", "f", *"delivered", "enter", "f", *["backspace"] * 9, "enter"),
    (":", *"report", "enter", "j", "escape"),
    (":", *"draw a 3", "enter", ":", *"pick mine", "enter", ":", *"queue mine", "enter"),
    (":", *"class cancel", "enter", ":", *"goto #99", "enter", ":", *"goto gpt/vip-skip-2/2#2", "enter"),
    ("/", *"order", "enter", "n", "escape", "y", "Y", "T", "escape", "S", "escape", "ctrl+p", "escape", "ctrl+l"),
)
"""Keys that ask the store for something, feature by feature."""
SUGGESTED = (
    ("[", "}", "a", "}", "x", "}", "l", "escape", "1"),
    ("!", "j", "enter", "a", "escape", "!", "G", "x", "escape", "A", "u"),
    ("f", *"finding:yes", "enter", "j", "]", "X", "f", *["backspace"] * 11, "enter"),
)
"""Keys that look at suggestions."""


async def toured(here: Room, tour: tuple[tuple[str, ...], ...] = TOUR) -> set[str]:
    """Press them all, and return what was said at the foot; the app must go on."""
    said = set()
    for keys in tour:
        await here.press(*keys)
        await here.idle()
        assert here.app.is_running, f"{keys}: {here.app._exception!r}, return code {here.app.return_code}"
        said.add(here.foot)
    return said


async def altered(tmp_path: Path, name: str, tour: tuple[tuple[str, ...], ...] = TOUR) -> None:
    """Tag, have the store altered, go on; what was marked is in the journal."""
    store = many(tmp_path)
    async with room(store) as here:
        await here.press("]", "j", "1")
        await look(here)
        before = here.journal()
        held = ALL[name](store)
        await look(here)
        await toured(here, tour)
        assert here.journal()[: len(before)] == before != []
        assert here.screen.marking.session.troubles() == []
    if isinstance(held, sqlite3.Connection):
        held.close()


@pytest.mark.parametrize(
    "name", ["truncated to half", "overwritten by text", "messages dropped", "messages emptied", "words for totals"]
)
async def test_the_app_goes_on(tmp_path: Path, name: str) -> None:
    await altered(tmp_path, name, (TOUR[0], TOUR[3], TOUR[9]))


async def test_a_store_that_is_locked_is_said_and_read_again_afterwards(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with room(store) as here:
        assert here.screen.reading.reader._all("PRAGMA busy_timeout") == [(PATIENCE * 1000,)]
        with closing(locked(store)):
            await here.press("]")
            assert "is being written by another program" in here.foot
            await here.press("1", "1", "=")
            assert len(here.journal()) == 1
            assert here.app.screen is here.screen
        await here.press("]", "]")
        assert here.ref == "gpt/used-item-1/2"
        assert "another program" not in here.text


async def test_a_message_that_is_not_there_is_said_where_nobody_calls_anything(tmp_path: Path) -> None:
    talk = builders.conversation(builders.customer("Hi."), builders.agent("Hello."))
    async with room(builders.store(tmp_path, builders.conversation(case="a"), talk)) as here:
        await here.type(":goto kimi/used-item-1/1#99")
        await here.press("enter")
        assert "has 2 messages, no #99" in here.foot


async def test_what_nobody_takes_up_closes_the_app_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise StoreError("[/foo]\x1b[2J is gone.", "Find it.")

    codes = []

    async def failing() -> None:
        async with room(builders.store(tmp_path)) as here:
            here.app.call_later(fails)
            while here.app.is_running:
                await asyncio.sleep(0)
            codes.append(here.app.return_code)

    with pytest.raises(StoreError):  # what drives the app is told as well
        await failing()
    assert codes == [2]
    said = capsys.readouterr().err
    assert "[/foo]␛[2J is gone. Find it." in said
    assert "Traceback" not in said


async def findings_altered(tmp_path: Path, name: str, when: str) -> None:
    """Look at suggestions whose file was altered before the app opened, or under it; the app goes on."""
    store = scanned(tmp_path)
    held = FINDINGS[name](findings_file(store)) if when == "before" else None
    async with room(store) as here:
        await here.press("]", "j", "1")
        held = FINDINGS[name](findings_file(store)) if when == "open" else held
        for _ in range(2):
            await look(here)
            await toured(here, SUGGESTED)
        assert here.journal()
    if isinstance(held, sqlite3.Connection):
        held.close()


@pytest.mark.parametrize(("name", "when"), [("bytes for modes", "before"), ("no JSON", "open")])
async def test_the_app_goes_on_with_other_findings(tmp_path: Path, name: str, when: str) -> None:
    await findings_altered(tmp_path, name, when)
