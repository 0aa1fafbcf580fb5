"""The grid with the keyboard: cells, flips, turning it, and tagging cases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.app import keys
from reviewer.app.compare.compare_screen import CompareScreen
from reviewer.app.grid.grid import Cell, GridRow, column_at, heading, line, shaped
from reviewer.app.grid.grid_screen import GridScreen
from reviewer.app.shared.line_widgets import width_of
from reviewer.marks import queues
from reviewer.transcripts.desk.outcome import Act, Outcome
from reviewer.transcripts.model import Case, Conversation, Score
from tests import builders
from tests.builders import agent, call, customer
from tests.ui.room import LARGE, SMALL, Room, golden, room
from tests.ui.test_compare import HOSTILE

ACTS = {
    "cancel": (customer("Cancel it."), agent("Done.", call("cancel_order", '{"order_id":"#1"}'))),
    "handover": (customer("Cancel it."), agent("One moment.", call("hand_over"))),
    "talk": (customer("Cancel it."), agent("No.")),
}
PLAN = {
    "kimi": {
        "late-gift-1": ("talk", "talk", "talk"),
        "shipped-1": ("cancel", "talk", "handover"),
        "shipped-2": ("handover", "handover", ""),
        "vip-1": ("cancel", "cancel", "talk"),
    },
    "gpt": {"shipped-1": ("talk", "talk", "")},
}
FORBIDDEN = {"shipped-1": ("cancel",), "vip-1": ()}


def told(model: str, case: str, run: int, act: str) -> Conversation:
    facts = Case(case, bucket="adversarial", forbidden=FORBIDDEN.get(case, ()))
    return replace(builders.conversation(*ACTS[act], model=model, case=case, run=run), facts=facts)


def planned(tmp_path: Path) -> Path:
    """Two models; the first flips on two of its four cases."""
    found = [
        told(model, case, run, act)
        for model, cases in PLAN.items()
        for case, acts in cases.items()
        for run, act in enumerate(acts, start=1)
        if act
    ]
    return builders.store(tmp_path, *found)


def gridded(here: Room) -> GridScreen:
    found = here.app.screen
    assert isinstance(found, GridScreen)
    return found


async def opened(here: Room, *pressed: str) -> None:
    for key in pressed:
        await here.press(key)
        await here.idle()


def row_of(here: Room, name: str) -> str:
    return next(each for each in here.lines() if name in each and "│" in each)


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_each_cell_says_what_came_of_it_and_flips_are_marked(tmp_path: Path, size: tuple[int, int]) -> None:
    async with room(planned(tmp_path), size, at="kimi/shipped-1/2") as here:
        await opened(here, "B")
        found = row_of(here, "shipped-1")
        assert all(word in found for word in ("≠", "⛔ cancel", "▌– no act", "⇥ handover"))
        assert " = " in row_of(here, "late-gift-1")
        assert row_of(here, "shipped-2").count("⇥ handover") == 2
        assert "≠" in row_of(here, "vip-1")
        assert "⚡ cancel" in row_of(here, "vip-1")
        assert "2 flips" in here.lines()[0]
        assert "case 2 of 4" in here.lines()[0]
        assert "run 1" in here.lines()[2]


async def test_the_cursor_moves_by_cell_and_by_flip(tmp_path: Path) -> None:
    async with room(planned(tmp_path), at="kimi/late-gift-1/1") as here:
        await opened(here, "B")
        grid = gridded(here).grid
        assert (grid.row, grid.column) == (0, 0)
        await here.press("j", "l", "right", "l")
        assert (grid.row, grid.column) == (1, 2)
        await here.press("h", "left", "left", "k", "up")
        assert (grid.row, grid.column) == (0, 0)
        await here.press("n", "n")
        assert grid.row == 3
        await here.press("n")
        assert "No flip after" in gridded(here).foot.shown
        await here.press("N")
        assert grid.row == 1
        await here.press("G")
        assert grid.row == 3
        await here.press("g", "space", "b", "ctrl+d", "ctrl+u")
        assert grid.row == 0


async def test_enter_reads_the_cell_and_an_empty_one_says_so(tmp_path: Path) -> None:
    async with room(planned(tmp_path), at="kimi/late-gift-1/1") as here:
        await opened(here, "B")
        await here.press("j", "j", "l", "l", "enter")
        assert "no conversation in this cell" in gridded(here).foot.shown
        await here.press("h", "enter")
        assert here.app.screen is here.screen
        assert here.ref == "kimi/shipped-2/2"


async def test_the_grid_turns_to_the_models_on_the_case_and_back(tmp_path: Path) -> None:
    async with room(planned(tmp_path), at="kimi/shipped-1/2") as here:
        await opened(here, "B", "B")
        assert "shipped-1" in here.lines()[0]
        assert "1 flip" in here.lines()[0]
        assert " of 2" in here.lines()[0]
        assert "≠" in row_of(here, "kimi")
        assert "=" in row_of(here, "gpt")
        await opened(here, "j", "B")
        assert "gpt" in here.lines()[0]
        await here.press("escape")
        assert here.app.screen is here.screen


async def test_a_line_is_compared_and_one_comes_back_to_it(tmp_path: Path) -> None:
    async with room(planned(tmp_path), at="kimi/shipped-1/3") as here:
        await opened(here, "B", "=")
        assert isinstance(here.app.screen, CompareScreen)
        assert "▌run 3" in here.text
        await opened(here, "B")
        assert gridded(here).grid.column == 2
        await here.press("escape", "escape")
        assert gridded(here).grid.row == 1


async def test_the_case_is_tagged_by_digit_and_by_name_and_undone(tmp_path: Path) -> None:
    async with room(planned(tmp_path), at="kimi/shipped-1/2") as here:
        await opened(here, "B", "3")
        tag = here.journal()[-1]
        assert tag["ref"] == "kimi/shipped-1"
        assert f"⟦{tag['code']}⟧" in row_of(here, "shipped-1")
        await here.press("j", "T")
        assert "whole case" in here.text
        await here.press("enter")
        assert here.journal()[-1]["ref"] == "kimi/shipped-2"
        await here.press("u", "u")
        assert [line["do"] for line in here.journal()[-2:]] == ["undo", "undo"]
        assert "⟦" not in here.text
        await here.press("k", ".")
        assert here.journal()[-1]["ref"] == "kimi/shipped-1"
        await here.press("escape")
        assert "⟦" in here.text


async def test_what_was_said_of_a_conversation_stands_in_its_cell(tmp_path: Path) -> None:
    async with room(planned(tmp_path), at="kimi/shipped-1/2") as here:
        await here.press("j", "2")
        await opened(here, "B")
        assert "– no act ⟦1⟧" in row_of(here, "shipped-1")


async def test_the_filter_keeps_the_cases_it_lets_through_with_all_their_runs(tmp_path: Path) -> None:
    async with room(planned(tmp_path), query="model:kimi case:shipped-* run:1") as here:
        await opened(here, "B")
        assert "case 1 of 2" in here.lines()[0]
        assert "⇥ handover" in row_of(here, "shipped-1")
        assert "late-gift-1" not in here.text


async def test_a_conversation_without_a_case_has_no_grid(tmp_path: Path) -> None:
    store = builders.store(tmp_path, Conversation("kimi", builders.CANCELLED, id="x-1"))
    async with room(store) as here:
        await here.press("B")
        assert "belongs to no case" in here.foot


async def test_every_key_of_the_grid_does_something(tmp_path: Path) -> None:
    async with room(planned(tmp_path)) as here:
        await opened(here, "B")
        assert {action.id for action in keys.reaching("grid")} <= gridded(here).verbs.keys()
        await here.press("?")
        assert "In the grid" in here.text
        await here.press("escape", ":")
        await here.type("goto gpt/shipped-1/1")
        await here.press("enter")
        assert here.ref == "gpt/shipped-1/1"


async def test_hundreds_of_cases_and_many_runs_are_scrolled(tmp_path: Path) -> None:
    many = [told("kimi", f"shipped-{case}", run, "talk") for case in range(1, 200) for run in range(1, 10)]
    async with room(builders.store(tmp_path, *many), SMALL) as here:
        await opened(here, "B")
        await here.press("G", *["l"] * 8)
        assert "shipped-199" in row_of(here, "▌")
        assert "run 9" in here.lines()[2]
        assert "run 1 " not in here.lines()[2]
        assert "0 flips" in here.lines()[0]


async def test_hostile_names_are_shown_literally(tmp_path: Path) -> None:
    evil = [
        replace(builders.conversation(agent(HOSTILE, call(HOSTILE)), model=HOSTILE, case=HOSTILE, run=run))
        for run in (1, 2)
    ]
    async with room(builders.store(tmp_path, *evil)) as here:
        await opened(here, "B", "1", "B", "j", "l", "n", "=")
        assert not set(here.text) & {"\x1b", "\x00", "\u202e", "\x9b"}
        assert "[bold]" in here.text


@pytest.mark.parametrize("width", range(40, 240, 7))
@pytest.mark.parametrize("plain", [False, True])
def test_every_line_fits_its_width(width: int, plain: bool) -> None:
    shape = shaped(width, 7)
    acts = (Act("cancel", forbidden=True), Act("edit-address"), Act("handover"))
    cell = Cell(Outcome(acts, "error", messages=3), "fail", 12)
    row = GridRow("名前" * 30, "must-escalate", (cell, None) * 3 + (cell,), ("⟦a-very-long-mode-of-failure⟧",) * 3)
    assert width_of(line(row, shape, 0, 3, plain)) <= width
    names = [f"run {run}" for run in range(7)]
    assert width_of(heading("case", names, 0, shape, plain)) <= width
    seen = [column_at(x, shape, 0) for x in range(width)]
    assert {each for each in seen if each is not None} == set(range(shape.shown))


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_golden_grid(tmp_path: Path, size: tuple[int, int]) -> None:
    async with room(planned(tmp_path), size, at="kimi/shipped-1/2") as here:
        await opened(here, "B", "3", "j", "k")
        golden("grid", here)


async def test_a_case_that_passed_in_one_run_only_is_marked_beside_its_acts(tmp_path: Path) -> None:
    runs = [
        replace(told("kimi", case, run, act), scores=(Score("reward", reward),))
        for case, rewards in {"a-same": (1.0, 1.0), "b-score": (1.0, 0.0), "c-both": (0.0, 1.0)}.items()
        for run, (reward, act) in enumerate(zip(rewards, ("talk", "talk"), strict=True), start=1)
    ]
    runs[-1] = replace(told("kimi", "c-both", 2, "cancel"), scores=(Score("reward", 1.0),))
    async with room(builders.store(tmp_path, *runs), LARGE, at="kimi/a-same/1") as here:
        await opened(here, "B")
        assert "1 flip by acts, 2 by score" in here.lines()[0]
        for name, sign in (("a-same", "=  "), ("b-score", "=± "), ("c-both", "≠± ")):
            assert f" {sign}" in row_of(here, name)
        await opened(here, "n")
        assert gridded(here).grid.row == 1
        await opened(here, "n")
        assert gridded(here).grid.row == 2
        await opened(here, "=")
        lines = [line for line in here.lines() if line.lstrip("▌ ").startswith("run ")]
        assert any("≠±" in line for line in lines)


async def test_a_drawn_queue_hides_which_cases_flip_by_score(tmp_path: Path) -> None:
    runs = [replace(told("kimi", "b", run, "talk"), scores=(Score("reward", float(run == 1)),)) for run in (1, 2)]
    store = builders.store(tmp_path, *runs)
    queues.save(tmp_path / "annotations", queues.Queue("week", ("kimi/b/1", "kimi/b/2"), "drawn"))
    async with room(store, LARGE, at="kimi/b/1") as here:
        await here.press(":")
        await here.type("queue week")
        await here.press("enter")
        await opened(here, "B")
        assert "0 flips by acts ·" in here.lines()[0]
        assert "±" not in here.text


async def test_a_refused_write_is_attempted_in_queue_grid_and_tool_layer(tmp_path: Path) -> None:
    tried = (customer("Cancel it."), agent("Trying.", call("cancel_order", '{"order_id":"#1"}', "Error: not pending")))
    runs = [builders.conversation(*tried, case="a", run=1), builders.conversation(*ACTS["cancel"], case="a", run=2)]
    async with room(builders.store(tmp_path, *runs), LARGE, at="kimi/a/1") as here:
        assert "↯ attempted" in here.text
        await opened(here, "B")
        assert "↯ attempted cancel" in here.text
