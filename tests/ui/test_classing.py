"""`:class`: the desk says it, the screen follows at once, and what cannot be written is a sentence."""

from __future__ import annotations

from pathlib import Path

from reviewer.desk import kept
from reviewer.query import EVERYTHING
from reviewer.store.reader import Reader
from reviewer.store.writer import Writer
from tests import builders
from tests.ui.room import Room, room
from tests.ui.test_reading import many
from tests.ui.test_seeing import command


def kinds(store: Path, tool: str) -> set[str | None]:
    """What the desks of a store's conversations say of a tool."""
    with Reader(store) as reader:
        return {kept(reader.stored(rowid).desk).act(tool) for rowid in reader.first_ids(EVERYTHING, 100)}


async def test_the_tool_under_the_cursor_is_classed_everywhere_and_back(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with room(store) as here:
        await here.press("j", "j")
        await command(here, "class refund")
        assert here.foot == "get_order is refund now in 12 conversations; :class read get_order takes it back."
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
        assert ":class ? cancel_order takes it back." in here.foot
        assert kinds(store, "cancel_order") == {"cancel"}
        await command(here, "class ? cancel_order")
        assert kinds(store, "cancel_order") == {None}


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
