"""A key acts on what is on screen; what is not is brought there first, and the same key again acts on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.app.compare.compare_screen import CompareScreen
from reviewer.app.shared.sheet import Item, Paint
from reviewer.marks import folder
from tests import builders
from tests.builders import agent, call, customer
from tests.ui.room import LARGE, SMALL, Room, room
from tests.ui.test_suggestions import LEAKED, scanned

LONG = " ".join(f"This is sentence number {number} of a long answer." for number in range(1, 121))
NOT_SEEN = "not on screen; now it is. The same key again"


def long_talk(where: Path) -> Path:
    """A store with one conversation, whose second message is taller than any screen."""
    return builders.store(
        where, builders.conversation(customer("Hello there."), agent(LONG), customer("Thanks."), agent("Bye."))
    )


def selected_is_seen(here: Room) -> bool:
    """Whether any of the selected words are on screen."""
    chosen = here.screen.viewing.selecting
    assert chosen is not None
    words = Paint(*chosen.item, chosen.part, *chosen.span, "selected")
    return here.screen.showing.page_of(chosen.item).shows(chosen.item, words)


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize(("keys", "number"), [("G", 120), ("end", 120), ("G g", 1), ("j home", 1)])
async def test_first_and_last_keep_a_selection_inside_its_message(
    keys: str, number: int, size: tuple[int, int], tmp_path: Path
) -> None:
    async with room(long_talk(tmp_path), size) as here:
        await here.press("j", "v", *keys.split())
        assert here.cursor == Item(2)
        assert selected_is_seen(here)
        await here.press("1")
        assert here.journal()[-1]["pieces"][0]["quote"] == f"This is sentence number {number} of a long answer."


@pytest.mark.parametrize("away", ["ctrl+d ctrl+d ctrl+d", "space space", "J J J J J J J J J J J J"])
@pytest.mark.parametrize("key", ["1", "."])
async def test_a_selection_that_was_scrolled_away_is_shown_before_it_is_tagged(
    key: str, away: str, tmp_path: Path
) -> None:
    async with room(long_talk(tmp_path), SMALL) as here:
        await here.press("T", "enter", "j", "v", *away.split())
        assert not selected_is_seen(here)
        before = len(here.journal())
        await here.press(key)
        assert len(here.journal()) == before
        assert NOT_SEEN in here.foot
        assert selected_is_seen(here)
        await here.press(key)
        assert here.journal()[-1]["ref"].endswith("#2:0-43")


async def test_a_mode_is_picked_for_words_and_evidence_taken_only_where_they_are_seen(tmp_path: Path) -> None:
    async with room(long_talk(tmp_path), SMALL) as here:
        await here.press("0", "j", "v")
        for key in ("t", "s"):
            here.screen.transcript.scroll_lines(30)
            await here.press(key)
            assert NOT_SEEN in here.foot
            assert here.app.screen is here.screen
            assert selected_is_seen(here)
        assert len(here.journal()) == 1
        await here.press("s")
        assert here.journal()[-1]["do"] == "attach"


async def test_words_that_were_found_are_tagged_only_where_they_are_seen(tmp_path: Path) -> None:
    async with room(long_talk(tmp_path), SMALL) as here:
        await here.press("/")
        await here.type("number 60 ")
        await here.press("enter", "space", "space")
        assert here.cursor == Item(2)
        await here.press("1")
        assert not here.journal()
        assert NOT_SEEN in here.foot
        assert "number 60" in here.text
        await here.press("1")
        assert here.journal()[-1]["pieces"][0]["quote"].strip() == "number 60"


@pytest.mark.parametrize("key", ["1", "t", ".", "c"])
async def test_a_queue_over_the_transcript_makes_way_before_anything_is_tagged(key: str, tmp_path: Path) -> None:
    async with room(long_talk(tmp_path), SMALL) as here:
        await here.press("j", "1", "1", "shift+tab")
        assert here.screen.showing.covered
        before = here.journal()
        await here.press(key)
        assert here.journal() == before
        assert not here.screen.showing.covered
        assert here.app.screen is here.screen
        assert NOT_SEEN in here.foot
        assert "This is sentence" in here.text


@pytest.mark.parametrize("key", ["x", "s", "S", "e", "w", "C", "h"])
async def test_a_queue_over_the_transcript_makes_way_before_a_tag_is_changed(key: str, tmp_path: Path) -> None:
    async with room(builders.store(tmp_path), SMALL, codebook=folder.SUPPORT) as here:
        await here.press("j", "1", "shift+tab", key)
        assert len(here.journal()) == 1
        assert not here.screen.showing.covered
        assert NOT_SEEN in here.foot
        assert here.app.screen is here.screen


@pytest.mark.parametrize("key", ["a", "x", "A", "X"])
async def test_a_suggestion_is_decided_about_where_its_card_is_seen(key: str, tmp_path: Path) -> None:
    async with room(scanned(tmp_path), SMALL, at=LEAKED) as here:
        await here.press("}", "shift+tab", key)
        assert not here.journal()
        assert NOT_SEEN in here.foot
        await here.press("v", key)
        assert not here.journal()
        assert here.foot == "Words are selected; esc leaves them for the tag here."
        await here.press("escape", key)
        assert here.journal()


async def test_a_tag_is_not_removed_while_words_are_selected(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "1", "v", "x")
        assert [event["do"] for event in here.journal()] == ["tag"]
        assert here.foot == "Words are selected; esc leaves them for the tag here."
        await here.press("escape", "x")
        assert [event["do"] for event in here.journal()] == ["tag", "untag"]


async def test_both_ends_of_a_selection_are_seen_while_they_move(tmp_path: Path) -> None:
    async with room(long_talk(tmp_path), SMALL) as here:
        await here.press("j", "v", *["w"] * 220)
        chosen = here.screen.viewing.selecting
        assert chosen is not None
        assert chosen.quote.split()[-1] in here.text
        at = Paint(2, None, "text", chosen.span[1] - 1, chosen.span[1], "selected")
        assert here.screen.transcript.shows(chosen.item, at)


async def test_a_field_of_a_long_call_comes_into_sight_in_the_tool_layer(tmp_path: Path) -> None:
    result = "{" + ", ".join(f'"field_{number}": "value {number}"' for number in range(200)) + "}"
    talk = builders.conversation(customer("Hi."), agent("Look.", call("look", "{}", result)), customer("And?"))
    async with room(builders.store(tmp_path, talk), LARGE) as here:
        await here.press("j", "j", "v", *["j"] * 120)
        assert here.screen.viewing.mode == "beside"
        assert selected_is_seen(here)
        assert "value 120" in here.text
        await here.press("1")
        assert here.journal()[-1]["pieces"][0]["quote"].endswith('"value 120"')


async def test_an_item_of_a_comparison_that_the_wheel_moved_away_is_shown_before_it_is_tagged(tmp_path: Path) -> None:
    said = (customer("Hello."), *(agent(LONG) for _ in range(4)))
    talks = [builders.conversation(*said, case="a-1", run=run) for run in (1, 2)]
    async with room(builders.store(tmp_path, *talks)) as here:
        await here.press("=")
        await here.idle()
        screen = here.app.screen
        assert isinstance(screen, CompareScreen)
        at = screen.transcript.cursor
        screen.transcript.scroll_lines(40)
        await here.pilot.pause()
        assert not screen.transcript.shows(at)
        await here.press("0")
        assert not here.journal()
        assert NOT_SEEN in screen.foot.shown
        assert screen.transcript.shows(at)
        await here.press("0")
        assert here.journal()[-1]["do"] == "tag"


async def test_what_is_shown_nowhere_can_be_tagged_beside_its_call(tmp_path: Path) -> None:
    talk = builders.conversation(customer("Hi."), agent("Look.", call("look", "{}", None)))
    async with room(builders.store(tmp_path, talk)) as here:
        await here.press("j", "j", "v", "1")
        assert not here.journal()
        await here.press("1")
        assert here.journal()[-1]["pieces"][0]["quote"] == "{}"
