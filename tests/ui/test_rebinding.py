"""Keys bound otherwise: they do what they are bound to, everywhere, and are shown so."""

from __future__ import annotations

from pathlib import Path

from reviewer.app.shared.sheet import Item
from reviewer.basics.errors import ReviewerError
from tests import builders
from tests.ui.room import LARGE, room
from tests.ui.test_reading import many

BOUND = {
    "item.next": ("ctrl+n", "down"),
    "select.next": ("j",),
    "conversation.next": ("n",),
    "find.next": ("ctrl+g",),
    "help": ("f2",),
    "compare": ("u",),
    "undo": ("=",),
    "quit": (),
}


async def test_the_new_key_works_and_the_old_one_does_not(tmp_path: Path) -> None:
    async with room(many(tmp_path), bound=BOUND) as here:
        await here.press("j")
        assert here.cursor == Item(1)
        await here.press("ctrl+n", "down")
        assert here.cursor == Item(2, 1)
        await here.press("n")
        assert here.ref == "gpt/vip-skip-2/1"
        await here.press("]", "q")
        assert here.ref == "gpt/vip-skip-2/1"
        assert here.app.is_running


async def test_a_mode_keeps_the_keys_that_are_its_own(tmp_path: Path) -> None:
    async with room(many(tmp_path), bound=BOUND) as here:
        await here.press("ctrl+n", "v")
        assert here.screen.viewing.selecting is not None
        first = here.screen.viewing.selecting.span
        await here.press("j")
        assert here.screen.viewing.selecting.span != first
        await here.press("escape", "ctrl+n")
        assert here.cursor == Item(2, 1)


async def test_a_mode_takes_a_key_before_what_else_has_it_and_only_while_it_is_on(tmp_path: Path) -> None:
    async with room(many(tmp_path), bound={"select.next": ("Z",)}) as here:
        await here.press("j", "v")
        assert here.screen.viewing.selecting is not None
        first = here.screen.viewing.selecting.span
        await here.press("Z")
        assert here.screen.viewing.selecting.span != first
        assert "folded" not in here.screen.viewing.layers
        await here.press("escape", "Z")
        assert here.screen.viewing.selecting is None
        assert "folded" in here.screen.viewing.layers


async def test_in_the_queue_and_side_by_side_too(tmp_path: Path) -> None:
    async with room(many(tmp_path), bound=BOUND) as here:
        await here.press("shift+tab", "ctrl+n")
        assert here.ref == "gpt/vip-skip-2/1"
        await here.press("enter", "u")
        assert len(here.app.screen_stack) == 2
        before = here.text
        await here.press("ctrl+n")
        assert here.text != before
        await here.press("escape")
        assert len(here.app.screen_stack) == 1


async def test_help_foot_and_palette_show_the_keys_as_they_are(tmp_path: Path) -> None:
    async with room(many(tmp_path), LARGE, bound=BOUND) as here:
        assert "^n/k move" in here.foot
        assert "n/[ conversation" in here.foot
        assert "f2 help" in here.foot
        await here.press("f2")
        assert "^n ↓" in here.text
        await here.press("escape", "ctrl+p")
        await here.type("next hit")
        assert "^g" in here.text


async def test_what_is_wrong_with_the_file_is_said_and_the_room_opens(tmp_path: Path) -> None:
    trouble = ReviewerError("keys.toml, line 3: there is no action “fly”.", "The usual keys count.")
    async with room(builders.store(tmp_path), trouble=trouble) as here:
        await here.pilot.pause(0.2)
        assert "line 3" in here.text
        await here.press("j")
        assert here.cursor == Item(2)


async def test_sentences_name_the_keys_that_count(tmp_path: Path) -> None:
    bound = {"item.fold": ("ctrl+o",), "untag": ("delete",), "evidence.pick": (), "mark.pick": ("M",), "board": ()}
    text = "\n".join(f"line {n}" for n in range(300))
    runs = [builders.conversation(builders.customer("Hi."), builders.agent(text), run=run) for run in (1, 2)]
    async with room(builders.store(tmp_path, *runs), bound={**bound, "note": ("ctrl+e",), "side.fold": ("Z",)}) as here:
        assert "^o opens" in here.text
        await here.press("j", "1", "ctrl+e", "a", "escape")
        assert "^e goes on with it" in here.foot
        await here.press("ctrl+e", "enter", "1")
        assert "delete removes it" in here.foot
        await here.press("s")
        assert "“pick evidence” in the palette picks by hand" in here.foot
        await here.press("g", "=")
        assert "Z opens" in here.text
