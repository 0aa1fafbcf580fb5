"""A store that changes while it is read: offered, taken in with the place kept; replaced or gone, said."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.app.compare.compare_screen import CompareScreen
from reviewer.app.compare.sides import MOST
from reviewer.app.shared.sheet import Item
from reviewer.transcripts.store.writer import Writer
from tests import builders
from tests.ui.room import Room, room
from tests.ui.test_reading import many


def grow(store: Path, *models: str) -> None:
    """Import more, as another program would."""
    for model in models:
        builders.store(store.parent, builders.conversation(model=model), name=store.name)


def remove(store: Path, rowid: int) -> None:
    """Take a conversation out, as another program would."""
    with Writer(store) as writer:
        for table in ("messages", "calls"):
            writer._db.execute(f"DELETE FROM {table} WHERE conversation_id = ?", [rowid])
        writer._db.execute("DELETE FROM conversations WHERE id = ?", [rowid])
        writer.commit()


async def look(here: Room) -> None:
    """What the screen does every second."""
    await here.idle()
    here.screen.watching.look()
    await here.idle()


async def test_new_rows_are_offered_and_nothing_moves(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with room(store) as here:
        await here.press("]", "j")
        await look(here)
        assert "new" not in here.lines()[0]
        grow(store, "astra", "zeta")
        await look(here)
        assert "+2 new · ^l" in here.lines()[0]
        assert (here.ref, here.cursor, len(here.screen.reading.ids)) == ("gpt/vip-skip-2/1", Item(2), 12)


async def test_taking_them_in_keeps_the_place(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with room(store) as here:
        await here.press("]", "]", "j", "j")
        await look(here)
        grow(store, "astra", "zeta")
        await look(here)
        await here.press("ctrl+l")
        await here.idle()
        assert (here.ref, here.cursor) == ("gpt/used-item-1/2", Item(2, 1))
        assert len(here.screen.reading.ids) == 14
        assert here.screen.reading.ids[here.screen.queue.cursor] == here.screen.reading.stored.rowid  # type: ignore[union-attr]  # it is open
        assert "14 conversations, 2 more" in here.foot
        assert "new" not in here.lines()[0]
        grow(store, "omega")
        await look(here)
        assert "+1 new" in here.lines()[0]


async def test_only_what_passes_the_filter_is_taken_in(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with room(store, query="model:kimi") as here:
        await look(here)
        grow(store, "zeta")
        await look(here)
        await here.press("f5")
        await here.idle()
        assert "6 conversations, 0 more" in here.foot


async def test_an_empty_store_that_fills_can_be_read(tmp_path: Path) -> None:
    with Writer(tmp_path / "runs.db"):
        pass
    async with room(tmp_path / "runs.db") as here:
        await look(here)
        grow(tmp_path / "runs.db", "kimi")
        await look(here)
        await here.press("ctrl+l")
        await here.idle()
        assert here.ref == "kimi/used-item-1/1"


async def test_a_store_that_is_gone_or_replaced_is_said(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with room(store) as here:
        await look(here)
        store.rename(tmp_path / "elsewhere.db")
        await look(here)
        assert "runs.db is no longer there" in here.foot
        await here.press("]", "j")
        assert (here.ref, here.cursor) == ("gpt/vip-skip-2/1", Item(2))
        builders.store(tmp_path)
        await look(here)
        assert "replaced by another file" in here.foot
        await here.press("j", "ctrl+l")
        assert "replaced by another file" in here.foot
        await here.press("f")
        await here.type("model:kimi")
        await here.press("enter")
        await here.idle()
        assert here.app.is_running


async def test_a_store_that_is_spoilt_in_place_costs_a_sentence(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with room(store) as here:
        store.write_bytes(b"\x00" * store.stat().st_size)
        await look(here)
        await here.press("]", "]", "shift+tab", "G", ">")
        await here.pilot.pause()
        assert here.app.is_running
        assert "damaged" in here.foot or "SQLite" in here.foot


@pytest.mark.parametrize("before", [(), ("j",)], ids=["at once", "after it was read ahead"])
@pytest.mark.parametrize(("removed", "key"), [(1, "]"), (0, "=")], ids=["opened", "compared"])
async def test_a_conversation_that_was_removed_is_said(
    tmp_path: Path, removed: int, key: str, before: tuple[str, ...]
) -> None:
    store = many(tmp_path)
    async with room(store) as here:
        await here.press(*before)
        remove(store, here.screen.reading.ids[removed])
        await here.press(key)
        assert "no longer in the store" in here.foot


async def test_a_comparison_stays_when_the_next_of_it_was_removed(tmp_path: Path) -> None:
    store = many(tmp_path, runs=MOST + 1)
    async with room(store) as here:
        await here.press("=", *["tab"] * (MOST - 1))
        remove(store, here.screen.reading.reader.find(f"gpt/used-item-1/{MOST + 1}")[0])
        await here.press("tab")
        screen = here.app.screen
        assert isinstance(screen, CompareScreen)
        assert screen.comparing.side.run == MOST
        assert "no longer in the store" in here.text


async def test_a_store_that_was_replaced_has_nothing_to_compare(tmp_path: Path) -> None:
    store = many(tmp_path)
    other = builders.store(tmp_path, builders.conversation(case="another"), name="other.db")
    async with room(store) as here:
        other.replace(store)
        await here.press("=")
        assert "no longer in the store" in here.foot
