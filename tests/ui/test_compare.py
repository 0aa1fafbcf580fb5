"""Side by side with the keyboard: runs and models, where they part, and tagging there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.app.compare.compare_screen import CompareScreen
from reviewer.app.shared.sheet import Item
from reviewer.transcripts.model import Case, Conversation, Message
from tests import builders
from tests.builders import agent, call, customer
from tests.ui.room import LARGE, SMALL, Room, golden, room

CANCEL = call("cancel_order", '{"order_id":"#1130"}', '{"ok":true}')
LOOK = call("get_order", '{"order_id":"#1130"}', '{"status":"shipped"}')
ASK = (customer("Cancel #1130, please."), agent("One moment.", LOOK), customer("Well?"))
RUNS = (
    (*ASK, agent("It has shipped, so I cannot cancel it."), customer("Fine.")),
    (*ASK, agent("Let me think. " * 40), customer("Hurry up."), agent("It is cancelled.", CANCEL), customer("Great.")),
    (*ASK, agent("A colleague takes over.", call("hand_over")), customer("Thanks."), agent("Bye.")),
)
CASE = Case("cancel-shipped-1", bucket="adversarial", forbidden=("cancel",))


def told(messages: tuple[Message, ...], run: int, model: str = "kimi") -> Conversation:
    made = builders.conversation(*messages, model=model, case=CASE.id, run=run)
    return replace(made, facts=CASE, ended_by="customer")


def flipping(tmp_path: Path) -> Path:
    """Three runs of one case that came out three ways, and another model."""
    runs = [told(messages, run) for run, messages in enumerate(RUNS, start=1)]
    return builders.store(tmp_path, *runs, told(RUNS[1], 2, "gpt"))


def compared(here: Room) -> CompareScreen:
    found = here.app.screen
    assert isinstance(found, CompareScreen)
    return found


def row_of(here: Room, words: str) -> int:
    return next(row for row, line in enumerate(here.lines()) if words in line)


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_each_run_has_a_line_that_says_what_came_of_it(tmp_path: Path, size: tuple[int, int]) -> None:
    async with room(flipping(tmp_path), size, at="kimi/cancel-shipped-1/2") as here:
        await here.press("=")
        head, *lines = here.lines()[:4]
        assert "forbidden: cancel" in head
        assert "3 runs" in head
        assert "run 1 ≠  – no act" in lines[0]
        assert lines[1].startswith("▌run 2    ⛔ cancel #1130")
        assert "run 3 ≠  ⇥ handover" in lines[2]
        assert "customer, 6 messages" in lines[2]


async def test_at_80_columns_nothing_decisive_is_cut(tmp_path: Path) -> None:
    forbidden = ("reship", "replace", "edit-address", "cancel")
    case = replace(CASE, id="address-change-after-shipping-1", forbidden=forbidden)
    asked = [call("hand_over", '{"order_id":"#1130-of-last-summer"}')] * 2
    acts = [CANCEL, *asked, call("cancel_order", '{"order_id":"#1131"}'), *asked, CANCEL]
    long = (customer("Cancel."), *(agent("Done.", each) for each in acts), customer("Thanks."))
    runs = [replace(told(long, run, "kimi-k2.7-code"), case=case.id, facts=case) for run in (1, 2)]
    store = builders.store(tmp_path, *runs, synthetic=True, name="northline-september.db")
    async with room(store, SMALL) as here:
        await here.press("=", "4", "4")
        head, forbids, *lines = here.lines()[:4]
        assert "SYNTHETIC · address-change-after-shipping-1" in head
        assert head.endswith("2 runs")
        assert forbids == " forbidden: reship, replace, edit-address, cancel"
        assert lines[0].startswith("▌run 1    ⛔ cancel  ⇥ handover ×2  ⛔ cancel  ⇥ handover ×2  ⛔ cancel")
        assert lines[0].endswith("1 tag")
        assert lines[1].endswith("⇥ handover ×2  ⛔ cancel")
        await here.pilot.resize_terminal(180, 40)
        await here.pilot.pause()
        assert here.lines()[0].count("forbidden: reship, replace, edit-address, cancel") == 1
        assert here.lines()[1].startswith("▌run 1")


async def test_the_first_act_that_differs_stands_level_and_is_marked(tmp_path: Path) -> None:
    async with room(flipping(tmp_path), at="kimi/cancel-shipped-1/2") as here:
        await here.press("=")
        rule = next(line for line in here.lines() if "──" in line and "╭" not in line and "╰" not in line)
        assert [part.strip() for part in rule.replace("│", "").split("──") if part.strip("─ ")] == [
            "≠ – no act",
            "≠ ⛔ cancel #1130",
            "≠ ⇥ handover",
        ]
        assert compared(here).transcript.cursor == Item(6, 1)
        await here.press("g")
        assert "Cancel #1130, please." in here.text
        await here.press("d")
        assert compared(here).transcript.cursor == Item(6, 1)
        assert rule in here.lines()


async def test_columns_scroll_together_and_the_cursor_crosses_at_its_height(tmp_path: Path) -> None:
    async with room(flipping(tmp_path), (140, 24), at="kimi/cancel-shipped-1/1") as here:
        await here.press("=")
        screen = compared(here)
        await here.press("g")
        top = screen.showing.top
        await here.press("J")
        assert screen.showing.top > top
        await here.press("K")
        assert screen.showing.top <= top
        await here.press("d", "tab")
        assert screen.comparing.side.run == 2
        assert screen.transcript.has_focus
        assert screen.transcript.cursor == Item(6, 1)
        await here.press("tab", "tab")
        assert screen.comparing.side.run == 1
        await here.press("shift+tab")
        assert screen.comparing.side.run == 3


async def test_a_narrow_screen_shows_one_transcript_and_all_lines(tmp_path: Path) -> None:
    async with room(flipping(tmp_path), SMALL, at="kimi/cancel-shipped-1/1") as here:
        await here.press("=")
        assert len(compared(here).showing.columns) == 1
        assert "╭─ run 1 · kimi ─" in here.text
        await here.press("tab")
        assert "╭─ run 2 · kimi ─" in here.text
        assert "▌run 2" in here.text


async def test_the_other_axis_has_the_models_in_the_same_run(tmp_path: Path) -> None:
    async with room(flipping(tmp_path), at="kimi/cancel-shipped-1/2") as here:
        await here.press("=", "=")
        assert "2 models" in here.lines()[0]
        assert "╭─ gpt · run 2 ─" in here.text
        await here.press("d")
        assert "to the end" in compared(here).foot.shown
        await here.press("=")
        assert "3 runs" in here.lines()[0]


async def test_enter_reads_there_and_escape_goes_back_to_where_one_was(tmp_path: Path) -> None:
    async with room(flipping(tmp_path), at="kimi/cancel-shipped-1/1#3") as here:
        await here.press("=", "tab", "enter")
        assert here.app.screen is here.screen
        assert here.ref == "kimi/cancel-shipped-1/2"
        assert here.cursor == Item(6, 1)
        await here.press("=", "tab", "escape")
        assert here.app.screen is here.screen
        assert here.ref == "kimi/cancel-shipped-1/2"
        assert here.cursor == Item(6, 1)


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_tagging_works_there_and_is_seen_in_the_reading_room(tmp_path: Path, size: tuple[int, int]) -> None:
    async with room(flipping(tmp_path), size, at="kimi/cancel-shipped-1/2") as here:
        await here.press("=", "k", "v", "1")
        tag = here.journal()[-1]
        assert tag["ref"].startswith("kimi/cancel-shipped-1/2#6:0-")
        assert f"⟦{tag['code']}⟧" in here.lines()[2]
        await here.press("tab", "7")
        assert here.journal()[-1]["ref"].startswith("kimi/cancel-shipped-1/3#")
        await here.press("u", "escape")
        assert here.journal()[-1]["do"] == "undo"
        assert Item(6) in here.screen.viewing.badges


async def test_find_lights_up_every_column_and_steps_through_this_one(tmp_path: Path) -> None:
    async with room(flipping(tmp_path)) as here:
        await here.press("=", "/")
        await here.type("moment")
        await here.press("enter")
        screen = compared(here)
        assert [len(viewing.hits) for viewing in screen.showing.views] == [1, 1, 1]
        assert screen.transcript.cursor == Item(2)
        assert "hit 1 of 1" in here.text
        await here.press("tab", "n", "1")
        assert here.journal()[-1]["ref"] == "kimi/cancel-shipped-1/2#2:4-10"
        assert here.journal()[-1]["pieces"][0]["quote"] == "moment"
        await here.press("escape")
        assert not any(viewing.hits for viewing in screen.showing.views)
        await here.press("escape")
        assert here.app.screen is here.screen


async def test_reviewed_is_said_of_the_column_under_the_cursor(tmp_path: Path) -> None:
    async with room(flipping(tmp_path), query="model:kimi") as here:
        await here.press("=", "tab", "R")
        line = here.journal()[-1]
        assert (line["do"], line["ref"], line["query"]) == ("reviewed", "kimi/cancel-shipped-1/2", "model:kimi")
        assert 0 < line["seen"] <= line["of"] == 7
        sign = "✓" if line["seen"] == line["of"] else "◐"
        assert sign in here.lines()[row_of(here, "run 2")]
        assert "✓" not in here.lines()[row_of(here, "run 1")]
        await here.press("R")
        assert len(here.journal()) == 1
        await here.press("u")
        assert "✓" not in here.lines()[row_of(here, "run 2")]


async def test_a_mode_for_all_of_it_is_for_the_case(tmp_path: Path) -> None:
    async with room(flipping(tmp_path), at="kimi/cancel-shipped-1/2") as here:
        await here.press("=", "T")
        assert "whole case" in here.text
        await here.press("enter")
        tag = here.journal()[-1]
        assert tag["ref"] == "kimi/cancel-shipped-1"
        assert sum(f"⟦{tag['code']}⟧" in line for line in here.lines()[1:4]) == 3


async def test_layers_and_folds_are_turned_in_all_columns(tmp_path: Path) -> None:
    async with room(flipping(tmp_path), at="kimi/cancel-shipped-1/2") as here:
        await here.press("=", "g")
        assert "shipped" not in "".join(line for line in here.lines() if "status" in line)
        await here.press("Z")
        assert here.text.count("status  shipped") == 3
        await here.press("\\")
        assert "get_order" not in here.text
        await here.press("\\", "Z", "j", "j", "z")
        assert here.text.count("status  shipped") == 1


async def test_a_single_run_and_no_case_say_so(tmp_path: Path) -> None:
    single = builders.store(tmp_path, told(RUNS[0], 1), Conversation("kimi", RUNS[0], id="x-1"))
    async with room(single, at="kimi/cancel-shipped-1/1") as here:
        await here.press("=")
        assert "run only once" in here.foot
        await here.press("]", "=")
        assert "belongs to no case" in here.foot


async def test_a_verdict_stands_in_the_line_of_its_conversation(tmp_path: Path) -> None:
    async with room(flipping(tmp_path), at="kimi/cancel-shipped-1/2") as here:
        await here.press("=", "F")
        assert here.journal()[-1]["verdict"] == "fail"
        assert "✘ fail" in here.lines()[2]
        await here.press("tab", "P")
        assert "✔ pass" in here.lines()[3]
        assert "✘ fail" in here.lines()[2]


async def test_many_runs_are_looked_at_a_few_at_a_time(tmp_path: Path) -> None:
    store = builders.store(tmp_path, *(told(RUNS[run % 3], run) for run in range(1, 8)))
    async with room(store, at="kimi/cancel-shipped-1/1") as here:
        await here.press("=")
        assert "1–4 of 7" in here.lines()[0]
        await here.press(*["tab"] * 4)
        assert "2–5 of 7" in here.lines()[0]
        assert "▌run 5" in here.text
        await here.press("tab", "tab", "tab")
        assert "1–4 of 7" in here.lines()[0]


async def test_every_key_of_a_comparison_does_something(tmp_path: Path) -> None:
    from reviewer.app import keys

    async with room(flipping(tmp_path), at="kimi/cancel-shipped-1/2") as here:
        await here.press("=")
        assert {action.id for action in keys.reaching("compare")} <= compared(here).verbs.keys()
        await here.press("?")
        assert "Side by side" in here.text
        await here.press("escape", "i")
        assert "cancel-shipped-1" in here.text
        await here.press("escape", "ctrl+p", "escape")
        assert isinstance(here.app.screen, CompareScreen)


async def test_a_resize_keeps_the_conversation_and_its_item(tmp_path: Path) -> None:
    async with room(flipping(tmp_path), LARGE, at="kimi/cancel-shipped-1/3") as here:
        await here.press("=")
        before = compared(here).transcript.cursor
        await here.pilot.resize_terminal(80, 24)
        await here.pilot.pause()
        assert compared(here).comparing.side.run == 3
        assert compared(here).transcript.cursor == before
        assert "╭─ run 3 · kimi ─" in here.text


async def test_more_room_shows_more_of_them(tmp_path: Path) -> None:
    async with room(flipping(tmp_path), SMALL, at="kimi/cancel-shipped-1/3") as here:
        await here.press("=")
        before = compared(here).transcript.cursor
        await here.pilot.resize_terminal(140, 40)
        await here.pilot.pause()
        assert [each.display for each in compared(here).columns] == [True, True, True, False]
        assert compared(here).comparing.side.run == 3
        assert compared(here).transcript.cursor == before


HOSTILE = "\x1b[31m[bold]\u202e</think>\x00 [/foo] \x9b2J"


async def test_hostile_conversations_are_compared_literally(tmp_path: Path) -> None:
    evil = call(f"cancel_order{HOSTILE}", HOSTILE, HOSTILE)
    order = call("cancel_order", '{"order_id":"\\u001b[2J[/x]"}', None)
    talks = [(customer(HOSTILE), agent(HOSTILE, evil, order)), (customer(HOSTILE), agent("No.")), ()]
    store = builders.store(
        tmp_path,
        *(
            replace(builders.conversation(model=HOSTILE, case=HOSTILE, run=run), messages=talk, ended_by=HOSTILE)
            for run, talk in enumerate(talks, start=1)
        ),
    )
    async with room(store) as here:
        await here.press(
            "=", "tab", "tab", "j", "G", "d", "Z", "m", "r", "p", "1", "T", "enter", "=", "shift+tab", "v", "escape"
        )
        assert isinstance(here.app.screen, CompareScreen)
        assert not set(here.text) & {"\x1b", "\x00", "\u202e", "\x9b"}
        assert "[/foo]" in here.text


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_golden_comparison(tmp_path: Path, size: tuple[int, int]) -> None:
    async with room(flipping(tmp_path), size, at="kimi/cancel-shipped-1/2") as here:
        await here.press("=", "2", "k", "j")
        golden("compare", here)
