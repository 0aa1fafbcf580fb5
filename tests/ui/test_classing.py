"""`:class`: the desk says it, the screen follows at once, and what cannot be written is a sentence."""

from __future__ import annotations

from pathlib import Path

from reviewer.app.grid.grid_screen import GridScreen
from reviewer.transcripts.desk import kept
from reviewer.transcripts.query import EVERYTHING
from reviewer.transcripts.store.desks import put_desk
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer
from tests import builders
from tests.ui.room import Room, room
from tests.ui.test_compare import compared, flipping
from tests.ui.test_reading import many
from tests.ui.test_seeing import command


async def turned(here: Room, key: str) -> None:
    """Undo or redo, and what that writes behind the screen."""
    await here.press(key)
    await here.idle()


def desks(store: Path) -> set[str | None]:
    """The texts of the desks of a store's conversations."""
    with Reader(store) as reader:
        return {reader.stored(rowid).desk for rowid in reader.first_ids(EVERYTHING, 100)}


def kinds(store: Path, tool: str) -> set[str | None]:
    """What the desks of a store's conversations say of a tool."""
    with Reader(store) as reader:
        return {kept(reader.stored(rowid).desk).act(tool) for rowid in reader.first_ids(EVERYTHING, 100)}


async def test_the_tool_under_the_cursor_is_classed_everywhere_and_back(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with room(store) as here:
        await here.press("j", "j")
        await command(here, "class refund")
        assert here.foot == "get_order is refund now, in 12 conversations; u undoes it."
        assert kinds(store, "get_order") == {"refund"}
        assert here.cursor == (2, 1)
        assert "refund" in here.text.replace(here.foot, "")
        assert "changed" not in here.lines()[0]
        await command(here, "class read get_order")
        assert kinds(store, "get_order") == {None}
        await command(here, "class read get_order")
        assert here.foot == "get_order is read already."


async def test_a_store_without_a_desk_gets_one(tmp_path: Path) -> None:
    store = builders.store(tmp_path, desk=False)
    async with room(store) as here:
        await here.press("j", "j", "j")
        await command(here, "class")
        assert here.foot.startswith("cancel_order has no class.")
        await command(here, "class cancel")
        assert kinds(store, "cancel_order") == {"cancel"}
        await command(here, "class ? cancel_order")
        assert kinds(store, "cancel_order") == {None}


async def test_undo_takes_a_class_back_like_other_acts_and_redo_brings_it(tmp_path: Path) -> None:
    store = many(tmp_path)
    before = desks(store)
    async with room(store) as here:
        await here.press("j", "j", "P")
        await command(here, "class refund")
        await command(here, "class ? cancel_order")
        last = desks(store)
        await turned(here, "u")
        assert here.foot == "Undid the change of the desk (cancel_order is in no class)."
        await turned(here, "u")
        assert here.foot == "Undid the change of the desk (get_order is refund)."
        assert desks(store) == before
        assert "refund" not in here.text.replace(here.foot, "")
        await here.press("u")
        assert here.foot.startswith("Undid the verdict pass on")
        await here.press("ctrl+r")
        await turned(here, "ctrl+r")
        assert "Redid the change of the desk" in here.foot
        assert kinds(store, "get_order") == {"refund"}
    async with room(store) as here:
        await turned(here, "ctrl+r")
        assert desks(store) == last
        await turned(here, "u")
        await turned(here, "u")
        assert desks(store) == before


async def test_undo_leaves_a_store_without_a_desk_as_it_was(tmp_path: Path) -> None:
    store = builders.store(tmp_path, desk=False)
    async with room(store) as here:
        await here.press("j", "j", "j")
        await command(here, "class cancel")
        await turned(here, "u")
        assert desks(store) == {None}
        await turned(here, "ctrl+r")
        assert kinds(store, "cancel_order") == {"cancel"}


async def test_what_somebody_changed_since_or_elsewhere_stays(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with room(store) as here:
        await here.press("j", "j", "P")
        await command(here, "class refund")
        put_desk(store, builders.DESK, lambda attached: attached.all_ids())
        await turned(here, "u")
        assert here.foot.startswith("The desk was changed since.")
        assert desks(store) == {builders.DESK.text}
        await here.press("u")
        assert here.foot.startswith("Undid the verdict")
        await command(here, "class refund")
    other = store.rename(tmp_path / "other.db")
    held = desks(other)
    async with room(other) as here:
        await turned(here, "u")
        assert "in runs.db, which is not open here" in here.foot
        assert desks(other) == held


async def test_a_comparison_classes_and_undoes_too(tmp_path: Path) -> None:
    store = flipping(tmp_path)
    async with room(store, at="kimi/cancel-shipped-1/2") as here:
        await here.press("=", "g", "d")
        assert "⛔ cancel #1130" in here.lines()[2]
        screen = compared(here)
        await command(here, "class refund")
        assert screen.foot.shown.strip() == "cancel_order is refund now, in 4 conversations; u undoes it."
        assert "refund #1130" in here.lines()[2]
        assert screen.transcript.cursor == (6, 1)
        await turned(here, "u")
        assert screen.foot.shown.strip().startswith("Undid the change of the desk")
        assert "⛔ cancel #1130" in here.lines()[2]
        await command(here, "class ? hand_over")
        await here.press("escape")
        assert kinds(store, "hand_over") == {None}
        assert "⇥" not in here.text


async def test_a_grid_classes_what_is_named(tmp_path: Path) -> None:
    store = flipping(tmp_path)
    async with room(store, at="kimi/cancel-shipped-1/2") as here:
        await here.press("B")
        await here.idle()
        screen = here.app.screen
        assert isinstance(screen, GridScreen)
        await command(here, "class cancel")
        assert "No call is under the cursor" in screen.foot.shown
        assert "1 flip" in here.lines()[0]
        await command(here, "class read cancel_order")
        await command(here, "class read hand_over")
        assert "0 flips" in here.lines()[0]
        assert screen.grid.column == 1
        await turned(here, "u")
        assert "1 flip" in here.lines()[0]


async def test_what_cannot_be_classed_is_said(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await command(here, "class cancel")
        assert "No call is under the cursor" in here.foot
        await command(here, "class cancel get")
        assert "Near it: get_order" in here.foot
        await command(here, "class Big get_order")
        assert "not a word of small letters" in here.foot


async def test_a_store_that_is_being_written_or_gone_gets_a_sentence(tmp_path: Path) -> None:
    store = builders.store(tmp_path)

    async def refused(here: Room) -> str:
        await here.press("j", "j")
        await command(here, "class refund")
        return here.foot

    async with room(store) as here:
        with Writer(store) as writer:
            writer.begin()
            assert "is being written by another program" in await refused(here)
    async with room(store) as here:
        store.rename(tmp_path / "aside")
        assert "no longer there" in await refused(here)
        assert not store.exists()
