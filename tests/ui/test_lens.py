"""The grounding lens: four looks, the walk from fact to fact, the way to a source and back, who confirmed writes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.app.reading.grounding_lens import GroundingLens
from reviewer.app.shared.sheet import Item, Paint
from reviewer.findings.reads.grounds import grounds
from reviewer.transcripts.model import Conversation, Message, Stored
from tests import builders
from tests.builders import agent, call, customer
from tests.ui.room import SMALL, Room, room

REF = "kimi/used-item-1/1"
POLICY = "Refunds take 5-7 business days."
ORDER = {"status": "in transit", "shipped": "2026-06-22", "carrier": "UPS"}
TOLD = "Order #1130 left on June 22 and comes on March 3. A refund takes 5-7 business days."
KNOWN = (
    Message("system", POLICY),
    customer("Where is order 1130?"),
    agent("", call("get_order", '{"order_id":"1130"}', json.dumps(ORDER))),
    agent(TOLD),
    customer("Cancel it."),
    agent("It is cancelled.", call("cancel_order", '{"order_id":"1130"}', '{"ok":true}')),
)
FACTS = ("#1130", "June 22", "March 3", "5-7 business days", "cancelled")
LEGEND = "tool  told  customer  nowhere"


def store(folder: Path, *messages: Message, runs: int = 1) -> Path:
    return builders.store(folder, *(builders.conversation(*(messages or KNOWN), run=run + 1) for run in range(runs)))


def painted(here: Room, kind: str = "fact.") -> list[tuple[str, str]]:
    """The words that are painted in such a style, each with the style."""
    viewing = here.screen.viewing
    return [
        (viewing.stored_text(Item(each.message, each.call), each.part)[each.start : each.end], each.style)
        for each in viewing.paints()
        if each.style.startswith(kind)
    ]


def cited(here: Room) -> list[str]:
    return [words for words, _ in painted(here, "cited")]


async def test_each_fact_has_the_look_of_where_it_comes_from(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("j", "k")
        before = here.text
        await here.press("l")
        assert painted(here) == [
            ("#1130", "fact.customer"),
            ("June 22", "fact.tool"),
            ("March 3", "fact.nowhere"),
            ("5-7 business days", "fact.told"),
            ("cancelled", "fact.tool"),
        ]
        words = "5 facts: 2 from tools, 1 from what the agent was told, 1 from the customer only, 1 from nowhere."
        assert here.foot.startswith(words)
        assert here.foot.endswith("tool 2  told 1  customer 1  nowhere 1")
        await here.press("l")
        assert here.foot == "Grounding lens off."
        await here.press("j", "k")
        assert here.text == before


async def test_the_looks_are_told_at_the_foot_where_there_is_less_room(tmp_path: Path) -> None:
    async with room(store(tmp_path), SMALL) as here:
        await here.press("l", "n")
        assert here.foot == f'"#1130" · only the customer says so, #2  1 of 5  {LEGEND}'


async def test_the_keys_go_from_fact_to_fact_and_the_foot_says_where_each_comes_from(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("l")
        feet = []
        for key in ("n", "n", "n", "n", "n", "n", "N"):
            await here.press(key)
            feet.append(here.foot.partition("  tool ")[0].strip())
        assert feet == [
            '"#1130" · only the customer says so, #2  1 of 5',
            '"June 22" · get_order #3.1 /shipped  2 of 5',
            '"March 3" · nowhere before #4  3 of 5',
            '"5-7 business days" · told in the prompt, #1  4 of 5',
            '"cancelled" · cancel_order #6.1  5 of 5',
            '"#1130" · only the customer says so, #2  1 of 5',
            '"cancelled" · cancel_order #6.1  5 of 5',
        ]
        assert here.cursor == Item(6)


async def test_the_walk_begins_at_the_cursor(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("l", "G", "N")
        assert '"5-7 business days"' in here.foot
        await here.press("l", "l", "G", "k", "n")
        assert '"cancelled"' in here.foot


async def test_the_source_is_lit_while_one_stands_on_the_fact(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("l", "n", "n")
        assert cited(here) == ['"2026-06-22"']
        await here.press("n")
        assert not cited(here)
        await here.press("n")
        assert cited(here) == ["5-7 business days"]
        await here.press("j")
        assert not cited(here)
        assert "next fact" in here.foot


async def test_a_source_that_is_folded_is_opened(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("Z", "l")
        assert "shipped" not in here.text
        await here.press("n", "n")
        assert "2026-06-22" in here.text


@pytest.mark.parametrize("size", [SMALL, (140, 40)])
async def test_enter_goes_to_the_field_and_back_leads_to_the_fact(size: tuple[int, int], tmp_path: Path) -> None:
    async with room(store(tmp_path), size) as here:
        await here.press("l", "n", "n", "enter")
        assert here.cursor == Item(3, 1)
        assert cited(here) == ['"2026-06-22"']
        assert '"June 22" · get_order #3.1 /shipped' in here.foot
        await here.press("N")
        assert here.cursor == Item(4)
        assert '"June 22"' in here.foot
        await here.press("enter", "n")
        assert '"March 3"' in here.foot


async def test_enter_shows_a_tool_layer_that_is_hidden(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        here.screen.viewing.tools = "hidden"
        await here.press("l", "n", "n", "enter")
        assert here.cursor == Item(3, 1)
        assert "2026-06-22" in here.text


async def test_enter_goes_to_the_words_of_customer_and_prompt_and_says_where_there_are_none(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("l", "n", "enter")
        assert (here.cursor, cited(here)) == (Item(2), ["1130"])
        await here.press("n", "n", "enter")
        assert here.cursor == Item(4)
        assert here.foot.startswith("Nothing before this message holds it.")
        await here.press("n", "enter")
        assert here.cursor == Item(1)


async def test_what_stands_beside_the_conversation_is_named(tmp_path: Path) -> None:
    it = builders.conversation(customer("When?"), agent("We write June 29, 2026."))
    async with room(builders.store(tmp_path, replace(it, clock="2026-06-29"))) as here:
        await here.press("l", "n")
        assert here.foot.startswith('"June 29, 2026" · the conversation’s clock'.replace("’", "'"))
        await here.press("enter")
        assert here.foot.startswith("It stands beside the conversation; i shows")


async def test_away_from_a_fact_enter_folds_as_ever(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("l", "n", "j", "j", "j")
        assert here.cursor == Item(6, 1)
        await here.press("enter")
        assert "order_id" in here.text
        assert here.screen.viewing.folds == ("6.1",)


async def test_a_digit_tags_the_fact_and_v_opens_on_its_sentence(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("l", "n", "n", "n", "1")
        assert here.journal()[-1]["pieces"][0]["quote"] == "March 3"
        await here.press("n", "v", "2")
        assert here.journal()[-1]["pieces"][0]["quote"] == "A refund takes 5-7 business days."
        await here.press("j", "0")
        assert here.journal()[-1]["ref"] == f"{REF}#5"


async def test_words_that_were_typed_come_before_facts_and_go_before_the_lens(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("l", "n", "/")
        await here.type("order")
        await here.press("enter", "n")
        assert "hit" in here.foot
        await here.press("1")
        assert here.journal()[-1]["pieces"][0]["quote"].lower() == "order"
        await here.press("escape")
        assert here.screen.viewing.lens.on
        await here.press("n")
        assert '"June 22"' in here.foot
        await here.press("escape")
        assert not here.screen.viewing.lens.on
        assert not painted(here)


async def test_escape_in_the_queue_goes_to_the_words_and_leaves_the_lens_on(tmp_path: Path) -> None:
    async with room(store(tmp_path)) as here:
        await here.press("l", "shift+tab", "escape")
        assert here.screen.viewing.lens.on
        assert here.screen.transcript.has_focus


@pytest.mark.parametrize("size", [SMALL, (140, 40)])
async def test_each_write_says_who_confirmed_it(size: tuple[int, int], tmp_path: Path) -> None:
    asked = agent("I would cancel order #1130. Shall I go ahead?")
    wrote = agent("", call("cancel_order", '{"order_id":"1130"}', '{"ok":true}'))
    talk = (customer("Cancel 1130"), wrote, asked, customer("Yes, please."), wrote, asked, customer("No, wait."))
    async with room(store(tmp_path, *talk), size) as here:
        assert "confirmed" not in here.text
        await here.press("l")
        assert "confirmed by nobody" in here.text
        await here.press("G")
        assert "confirmed: asked in #3, yes in #4" in here.text
        await here.press("l", "j")
        assert "confirmed" not in here.text


@pytest.mark.parametrize(
    ("answer", "remark"),
    [
        ("No, wait.", "unconfirmed: no in #3"),
        ("Let me think about it.", "unconfirmed: left open in #3"),
        ("What does it cost?", "confirmed? no clear yes in #3"),
        ("", "unconfirmed: no answer to #2"),
    ],
)
async def test_an_answer_that_is_no_yes_is_told_as_it_is(answer: str, remark: str, tmp_path: Path) -> None:
    asked = agent("I would cancel order #1130. Shall I go ahead?")
    wrote = agent("", call("cancel_order", '{"order_id":"1130"}', '{"ok":true}'))
    async with room(store(tmp_path, customer("Cancel 1130"), asked, customer(answer), wrote)) as here:
        await here.press("l", "G")
        assert remark in here.text


async def test_the_lens_stays_on_from_conversation_to_conversation(tmp_path: Path) -> None:
    async with room(store(tmp_path, runs=2)) as here:
        await here.press("l", "n", "]")
        assert [words for words, _ in painted(here)] == list(FACTS)
        assert "next fact" in here.foot


async def test_a_conversation_without_facts_says_so(tmp_path: Path) -> None:
    async with room(store(tmp_path, customer("Hi"), agent("Hello!"))) as here:
        await here.press("l")
        assert here.foot.startswith("The agent tells no dates, sums, numbers or addresses here.")
        await here.press("n", "N", "enter")
        assert here.cursor == Item(1)


def long(text: str = TOLD) -> Conversation:
    filler = customer("Nothing to see here. " * 2_000)
    return builders.conversation(*KNOWN[:3], filler, agent(text), run=2)


def test_until_a_long_conversation_is_worked_out_that_is_said() -> None:
    asked: list[Stored] = []
    lens = GroundingLens(asked.append)
    stored, other = builders.stored(*long().messages), builders.stored(*KNOWN)
    lens.take(stored)
    assert asked == [stored]
    assert not lens.paints()
    assert "is being worked out" in "".join(text for text, _ in lens.foot(Item(1), 80).told)
    lens.hold(other, grounds(other))
    assert not lens.paints()
    lens.hold(stored, grounds(stored))
    assert len(lens.paints()) == len(FACTS) - 1
    assert not lens.foot(Item(1), 80).told


async def test_a_long_conversation_is_worked_out_behind_the_screen(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path, builders.conversation(*KNOWN), long())) as here:
        await here.press("]")
        await here.burst("l")
        assert [words for words, _ in painted(here)] == list(FACTS[:-1])
        assert "next fact" in here.foot
        await here.press("n")
        assert '"#1130"' in here.foot


async def test_what_is_worked_out_late_is_not_shown_on_another_conversation(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path, builders.conversation(*KNOWN), long("March 3 and March 4."))) as here:
        await here.press("l")
        await here.burst("]", "[")
        assert [words for words, _ in painted(here)] == list(FACTS)


async def test_facts_in_hostile_words_are_painted_and_tagged_where_they_stand(tmp_path: Path) -> None:
    text = "\x1b[2J\u202e\r\n\tIt comes on\u200b March\u00a03 or June 22 \x00$5.\u202c"
    async with room(store(tmp_path, *KNOWN[:3], agent(text))) as here:
        await here.press("l", "n")
        assert painted(here)[0] == ("$5", "fact.nowhere")
        assert '"June 22"' in here.foot
        sheet = here.screen.transcript.sheet
        assert sheet is not None
        paint = next(each for each in here.screen.viewing.paints() if each.style == "hit-here")
        assert _shown(here, paint) == "June 22"
        await here.press("1")
        assert here.journal()[-1]["pieces"][0]["quote"] == "June 22"


def _shown(here: Room, paint: Paint) -> str:
    """The characters on screen that a paint lies over."""
    transcript = here.screen.transcript
    sheet = transcript.sheet
    assert sheet is not None
    for row in range(transcript.room):
        place = transcript.place_at(row)
        if place is not None and sheet.items[place.block].message == paint.message:
            text = "".join(piece.text for piece in sheet.line(place))
            for start, end in sheet.cells(place, paint):
                return text[start:end]
    return ""
