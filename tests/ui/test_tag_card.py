"""The tag under the cursor: its card, what it cites unfolded and lit, and the walk over several on one item."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewer.app.compare.compare_screen import CompareScreen
from reviewer.app.reading.tool_layer import first_call
from reviewer.app.shared.sheet import Item
from reviewer.transcripts.refs import Part, parse_place
from tests import builders
from tests.builders import agent, call, customer
from tests.ui.room import LARGE, SMALL, Room, room

CARD = "Contradicts its own result"


def split(here: Room) -> tuple[str, str]:
    """What the transcript shows above its card, and the card; empty where there is none."""
    page = here.screen.transcript
    left, top, width, height = page.content_region
    lines = [line[left : left + width] for line in here.lines()[top : top + height]]
    return "\n".join(lines[: page.room]), "\n".join(lines[page.room :])


def card(here: Room) -> str:
    """The card as it stands on screen."""
    return split(here)[1]


def lit(here: Room) -> list[str]:
    """The stored words that are lit as what the tag cites."""
    viewing = here.screen.viewing
    return [
        viewing.stored_text(Item(each.message, each.call), each.part)[each.start : each.end]
        for each in viewing.paints()
        if each.style == "cited"
    ]


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_card_comes_and_goes_with_the_cursor_and_hides_nothing(tmp_path: Path, size: tuple[int, int]) -> None:
    async with room(builders.store(tmp_path), size) as here:
        await here.press("j", "v", "j", "2", "s")
        assert CARD in card(here)
        assert '🤖 #2 "It should be delivered' in card(here)
        assert "get_order #2.1 · status: in transit" in card(here)
        assert "It should be delivered" in split(here)[0]
        assert [words.strip('"') for words in lit(here)] == ["in transit"]
        await here.press("k")
        assert (card(here), lit(here)) == ("", [])
        await here.press("j", "v")
        assert card(here) == "", "while words are selected the room is theirs"


async def test_the_cursor_stays_above_the_card(tmp_path: Path) -> None:
    talk = builders.conversation(*(agent(f"Message {number}.") for number in range(12)))
    async with room(builders.store(tmp_path, talk), SMALL) as here:
        await here.press(*"jjjjjj", "1", "c", *"note", "enter")
        assert here.cursor == Item(7)
        assert "Message 6." in split(here)[0]


async def test_the_card_never_hides_the_words_it_is_about(tmp_path: Path) -> None:
    talk = builders.conversation(customer("Hi."), agent(LONG), customer("Bye."))
    async with room(builders.store(tmp_path, talk), SMALL) as here:
        await here.press("j", "enter", "v")
        for number in range(1, 60):
            await here.press("j")
            words = f"Line {number} of"
            if words in here.lines()[-7]:  # low enough for the card to stand there
                break
        await here.press("1")
        await here.press("h")
        await here.press("c", *"note", "enter")
        await here.press("C", "b")
        await here.press("w")
        await here.press(*"clause", "enter")
        assert here.journal()[0]["pieces"][0]["quote"].startswith(words)
        assert words in split(here)[0]
        assert words in card(here)
        await here.press("g", "}")
        assert words in split(here)[0]


async def test_several_tags_on_an_item_are_walked_and_counted(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "1", "2", "v", "j", "3", "j", "j", "j", "j", "4", "g")
        places, modes = [], set()
        for key in ("}", "}", "}", "}", "}", "{", "{"):
            await here.press(key)
            places.append((here.cursor.message, *[f"{at} of 3" for at in (1, 2, 3) if f" {at} of 3 " in card(here)]))
            modes.add(card(here).splitlines()[0].split("  ")[0])
        assert places == [(2, "1 of 3"), (2, "2 of 3"), (2, "3 of 3"), (4,), (2, "1 of 3"), (4,), (2, "3 of 3")]
        assert len(modes) == 4
        await here.press("x", "{")
        assert " 1 of 2 " in card(here)


async def test_keys_are_about_the_tag_that_was_walked_to(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "1", "2", "3", "g", "}", "h")
        assert here.journal()[-1]["tag"] == here.journal()[0]["id"]
        await here.press("}", "h")
        assert here.journal()[-1]["tag"] == here.journal()[1]["id"]


async def test_a_tag_of_the_whole_conversation_is_walked_to_where_one_stands(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("T", *"contra", "enter", "j", "j", "j", "1", "k", "}")
        assert here.cursor.message != 0
        at = here.cursor
        await here.press("}")
        assert "the whole conversation" in card(here)
        assert here.cursor == at


LONG = "\n".join(f"Line {number} of a long answer." for number in range(200))


async def test_what_a_tag_cites_is_unfolded_whole_messages_too(tmp_path: Path) -> None:
    result = json.dumps({f"field{number}": number for number in range(100)} | {"status": "sent"})
    said = agent(LONG, call("get_order", "{}", result), reasoning="I guess.")
    path = builders.store(tmp_path, builders.conversation(customer("Where is it?"), said, agent("It arrived.")))
    last: list[tuple[Item, Part, int]] = [
        (Item(2), "text", len(LONG) - 1), (Item(2, 1), "result", len(result) - 3), (Item(2), "reasoning", 3)
    ]  # fmt: skip
    async with room(path) as here:
        await here.press("G", "1")
        marking, showing = here.screen.marking, here.screen.showing
        assert all(showing.hides(*each) for each in last)
        stored, mark = here.screen.reading.stored, marking.here
        assert stored is not None
        assert mark is not None
        places = [parse_place(place, stored.ref) for place in ("2", "2.1.result/status", "2.reasoning:2-7")]
        marking.act(lambda session: session.attach(stored, mark.tag, *places))
        await here.press("k", "G")
        assert [words.strip('"') for words in lit(here)] == [LONG, "sent", "guess"]
        assert not any(showing.hides(*each) for each in last)
        assert here.cursor == Item(3)


async def test_what_the_reader_folds_again_stays_folded_and_a_folded_call_opens(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path), SMALL) as here:
        await here.press("j", "1", "j", "z", "k")
        assert "in transit" not in here.text
        await here.press("s")
        assert "← status   in transit" in here.text
        await here.press("j", "z", "k", "j", "k")
        assert "← status   in transit" not in here.text


async def test_evidence_is_never_taken_from_a_layer_that_stays_hidden(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path), SMALL) as here:
        await here.press("\\", "j", "1")
        assert "get_order" not in here.text
        await here.press("s")
        assert here.foot == "Took status: in transit from get_order #2.1 (1 of 3). The tool layer is shown again."
        assert "← status   in transit" in here.text


async def test_the_card_shows_in_a_comparison_too(tmp_path: Path) -> None:
    runs = [builders.conversation(run=number) for number in (1, 2)]
    async with room(builders.store(tmp_path, *runs)) as here:
        await here.press("=", "g", "j", "1", "s")
        assert "get_order #2.1 · status: in transit" in here.text
        assert "← status   in transit" in here.text
        screen = here.app.screen
        assert isinstance(screen, CompareScreen)
        await here.press("tab")
        assert "get_order #2.1 · status: in transit" not in here.text
        assert not any(view.cited for view in screen.showing.views), "what the other column's tag cites is not lit here"


async def test_the_tool_layer_stands_where_what_a_tag_cites_is_seen(tmp_path: Path) -> None:
    long = json.dumps({f"field{number}": number for number in range(60)})
    store = builders.store(
        tmp_path,
        builders.conversation(
            customer("Where is it?"),
            agent("", call("get_order", '{"order_id":"#1"}', json.dumps({"status": "in transit"} | json.loads(long)))),
            agent("", call("get_policy", "{}", long)),
            agent("It was delivered yesterday."),
        ),
    )
    async with room(store, LARGE) as here:
        await here.press("G", "2")
        assert "in transit" not in here.text.replace(card(here), "")
        await here.press("s")
        assert "status" in lit(here)[0] or "in transit" in lit(here)[0]
        assert any("in transit" in line.rpartition("││")[2] for line in here.lines() if "││" in line)
        await here.press("k")
        assert here.screen.tools.cursor != first_call(here.screen.viewing.cited)
