"""The board with the keyboard: sorting, what a column says, and the way to a grid and to a conversation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.app import keys
from reviewer.app.board.board_screen import BoardScreen
from reviewer.app.board.standings import column_at, columns_of, heading, line, meaning, sorted_by, visible
from reviewer.app.grid.grid_screen import GridScreen
from reviewer.app.shared.line_widgets import width_of
from reviewer.figures.measure import metrics
from reviewer.figures.measure.board import Board, board
from reviewer.marks import queues
from reviewer.transcripts.model import Case, Score
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.builders import agent, customer
from tests.ui.room import LARGE, SMALL, Room, golden, room
from tests.ui.test_compare import HOSTILE
from tests.ui.test_grid import opened, planned, row_of, told
from tests.ui.test_seeing import command


def standing(here: Room) -> BoardScreen:
    found = here.app.screen
    assert isinstance(found, BoardScreen)
    return found


def measured(store: Path) -> Board:
    with Reader(store) as reader:
        return board(reader)


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_models_stand_by_their_numbers(tmp_path: Path, size: tuple[int, int]) -> None:
    async with room(planned(tmp_path), size) as here:
        await opened(here, "M")
        assert "board order" in here.lines()[0]
        assert "of 2" in here.lines()[0]
        assert "91%" in row_of(here, "kimi")
        assert "safe" not in row_of(here, "kimi"), "bands are of eighteen traps"
        await here.press("l", "l", "l")
        assert "adversarial cases in which a write" in here.text
        assert "kimi: 1 / 0 / 0." in here.text


async def test_what_has_no_room_below_the_board_is_said_by_a_key(tmp_path: Path) -> None:
    agents = (builders.conversation(case=f"used-item-{number}", model="kimi") for number in (1, 2))
    async with room(builders.store(tmp_path, *agents, desk=False), size=(40, 20)) as here:
        await here.press("M")
        await here.idle()
        assert "… i says all" in here.text
        await here.pilot.resize_terminal(200, 20)
        await here.idle()
        assert "says all" not in here.text
        assert "of handovers or writes." in here.text


async def test_a_column_sorts_and_again_gives_the_board_order_back(tmp_path: Path) -> None:
    async with room(planned(tmp_path)) as here:
        await opened(here, "M")
        screen = standing(here)
        before = [row.model for row in screen.standings._rows]
        await here.press("o")
        assert "by model" in here.lines()[0]
        assert [row.model for row in screen.standings._rows] == ["gpt", "kimi"]
        await here.press("o")
        assert [row.model for row in screen.standings._rows] == before


async def test_enter_leads_to_the_grid_and_from_there_to_a_conversation(tmp_path: Path) -> None:
    async with room(planned(tmp_path), query="model:gpt") as here:
        await opened(here, "M", "f", "o", "G", "enter")
        assert isinstance(here.app.screen, GridScreen)
        assert "kimi" in here.lines()[0]
        assert "of 4" in here.lines()[0]
        await here.press("j", "enter")
        assert here.ref == "kimi/shipped-1/1"
        assert here.screen.transcript.has_focus


async def test_the_board_is_reached_by_command_and_from_everywhere(tmp_path: Path) -> None:
    async with room(planned(tmp_path), at="kimi/shipped-1/2") as here:
        await here.press(":")
        await here.type("board")
        await opened(here, "enter")
        assert standing(here).standings.model == "kimi"
        await opened(here, "escape", "B", "M")
        assert standing(here).standings.model == "kimi"
        await opened(here, "escape", "=", "M", "i")
        assert "Medians over runs" in here.text
        await here.press("escape", "?")
        assert "On the board" in here.text
        await here.press("escape", ":")
        await here.type("draw x 3")
        await here.press("enter")
        assert "no command “draw” here" in standing(here).foot.shown


async def test_the_board_keeps_to_the_filter_until_it_is_asked_to_count_everything(tmp_path: Path) -> None:
    async with room(planned(tmp_path), query="model:kimi") as here:
        await opened(here, "M")
        assert "board of model:kimi" in here.lines()[0]
        assert [row.model for row in standing(here).standings._rows] == ["kimi"]
        await opened(here, "f")
        assert "board of everything; f counts model:kimi alone" in here.lines()[0]
        assert len(standing(here).standings._rows) == 2
        await opened(here, "f")
        assert "board of model:kimi" in here.lines()[0]


async def test_without_a_filter_there_is_nothing_to_keep_to(tmp_path: Path) -> None:
    async with room(planned(tmp_path)) as here:
        await opened(here, "M", "f")
        assert "The queue has no filter" in here.text
        assert "everything" not in here.lines()[0]


async def test_the_board_of_a_named_queue_counts_what_is_in_it(tmp_path: Path) -> None:
    async with room(planned(tmp_path)) as here:
        folder = here.folder
        queues.save(folder, queues.Queue("few", ("gpt/shipped-1/1",)))
        await command(here, "queue few")
        await opened(here, "M")
        assert [(row.model, row.runs) for row in standing(here).standings._rows] == [("gpt", (1,))]


async def test_every_key_of_the_board_does_something(tmp_path: Path) -> None:
    async with room(planned(tmp_path)) as here:
        await opened(here, "M")
        assert {action.id for action in keys.reaching("board")} <= standing(here).verbs.keys()


async def test_an_empty_store_says_so(tmp_path: Path) -> None:
    from reviewer.transcripts.store.writer import Writer

    store = tmp_path / "empty.db"
    with Writer(store):
        pass
    async with room(store) as here:
        await opened(here, "M")
        assert "no conversations" in here.text
        await here.press("enter", "o", "j", "l", "i", "escape", "escape")
        assert here.app.screen is here.screen


async def test_hostile_models_are_shown_literally(tmp_path: Path) -> None:
    talk = builders.conversation(customer(HOSTILE), agent("No."), model=HOSTILE, case=HOSTILE)
    async with room(builders.store(tmp_path, talk)) as here:
        await opened(here, "M", "l", "o", "i", "escape", "enter")
        assert not set(here.text) & {"\x1b", "\x00", "\u202e", "\x9b"}
        assert "[bold]" in here.text


@pytest.mark.parametrize("width", [78, 100, 136, 160, 198])
def test_every_line_fits_its_width(tmp_path: Path, width: int) -> None:
    found = measured(builders.store(tmp_path, *(told("模" * 40, "vip-1", run, "cancel") for run in range(12))))
    columns = columns_of(found)
    names = [None, "n", "cases", "unsafe_actions", "agent_messages", "act flips"]
    assert [column.metric for column in columns] == names
    rows = sorted_by(found, columns[3])
    for here in range(len(columns)):
        shown = visible(columns, here, width)
        assert here in shown
        assert width_of(heading(columns, here, columns[3], width, plain=False)) <= width
        assert width_of(line(columns, here, rows[0], rows, True, width, plain=True)) <= width
        assert {column_at(columns, here, x, width) for x in range(width)} - {None} == set(shown)
    assert meaning(found, columns[0], rows[0].model).startswith("Board order: over-escalation")
    for column in columns:
        assert meaning(found, column, rows[0].model)


@pytest.mark.parametrize("width", [1, 5, 23, 24, 30, 40, 60, 80, 200])
def test_the_column_under_the_cursor_is_on_any_screen(tmp_path: Path, width: int) -> None:
    columns = columns_of(measured(rewarded(tmp_path)))
    for here in range(len(columns)):
        shown = visible(columns, here, width)
        assert {0, here} <= set(shown)
        assert list(shown) == sorted(set(shown))


def test_n_and_coverage_stay_beside_the_column_under_the_cursor(tmp_path: Path) -> None:
    found = measured(rewarded(tmp_path))
    columns = columns_of(found)
    last = len(columns) - 1
    assert visible(columns, last, 80)[:3] == (0, 1, 2)
    assert last in visible(columns, last, 80)
    titles = "".join(text for text, _ in heading(columns, last, None, 80, plain=True))
    assert titles.split()[:3] == ["model", "n", "cases"]
    assert "..." not in titles.partition("cases")[0]


def rewarded(tmp_path: Path) -> Path:
    """What a benchmark brings that is not ours: a reward, its parts, a grade of its own."""
    names = ("reward", "reward.actions", "reward.outputs", "db_check", "a-score-with-a-name-of-many-letters", "tone")
    return builders.store(
        tmp_path,
        *(
            replace(
                builders.conversation(model=model, run=run),
                scores=tuple(Score(name, (run + index) % 3 / 2) for index, name in enumerate(names)),
            )
            for run in (1, 2, 3)
            for model in ("gpt", "kimi")
        ),
    )


@pytest.mark.parametrize("width", [78, 100, 140, 198])
def test_a_store_with_any_score_has_a_board_of_it(tmp_path: Path, width: int) -> None:
    found = measured(rewarded(tmp_path))
    columns = columns_of(found)
    assert [column.metric for column in columns[1:8]] == [
        *("n", "cases", "agent_messages", "reward", "pass^k", "act flips", "score flips")
    ]
    rows = sorted_by(found, columns[4])
    for here in range(len(columns)):
        shown = visible(columns, here, width)
        assert here in shown
        assert width_of(heading(columns, here, columns[4], width, plain=False)) <= width
        assert width_of(line(columns, here, rows[0], rows, True, width, plain=True)) <= width
        assert {column_at(columns, here, x, width) for x in range(width)} - {None} == set(shown)
        figure = columns[here].metric not in (None, *metrics.BESIDE)
        assert ("Median over runs" in meaning(found, columns[here], "kimi")) == figure
    assert "-" not in "".join(text for text, _ in line(columns, 0, rows[0], rows, True, width, plain=True)).split()


async def test_a_board_of_other_scores_is_walked_through_and_sorted(tmp_path: Path) -> None:
    async with room(rewarded(tmp_path), SMALL) as here:
        await opened(here, "M")
        assert "reward" in here.lines()[2]
        assert "over-esc" not in here.lines()[2]
        assert "by name" in here.lines()[0]
        await here.press("l", "l", "l", "l", "o")
        assert "by reward" in here.lines()[0]
        await here.press(*"lllllllll")
        assert "tone" in here.lines()[2]
        assert "reward.outputs, a score of the source" in " ".join(here.text.split())


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_golden_board(tmp_path: Path, size: tuple[int, int]) -> None:
    async with room(planned(tmp_path), size) as here:
        await opened(here, "M", "l", "l", "l", "o")
        golden("board", here)


def test_the_column_of_models_says_what_sources_say_of_the_model(tmp_path: Path) -> None:
    whole = measured(planned(tmp_path))
    about = {"vendor": "Acme", "tier": "$$", "badges": ["value_pick"], "remark": "cheap [b]", "reasoning": True}
    rows = tuple(replace(row, about=about) if row.model == "kimi" else row for row in whole.rows)
    known = replace(whole, rows=rows)
    assert meaning(known, columns_of(known)[0], "kimi").startswith(
        "kimi: Acme, $$, reasoning, value pick, cheap [b]. No place: its runs hold 3-4 of 4 planned cases. Board order"
    )
    assert meaning(known, columns_of(known)[0], "gpt").startswith("No place")


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_long_names_of_models_are_told_apart(tmp_path: Path, size: tuple[int, int]) -> None:
    models = ("openai/gpt-oss-20b", "openai/gpt-oss-20b+iterative-quantinuum", "openai/gpt-oss-20b+iterative-quantum")
    store = builders.store(tmp_path, *(builders.conversation(model=model, run=1) for model in models))
    async with room(store, size) as here:
        await opened(here, "M")
        shown = [line.replace("▌", " ").split()[1] for line in here.lines()[3:-4] if "openai" in line]
        assert len(set(shown)) == len(models)
    if size == LARGE:
        assert any(models[1] in line for line in shown)


def of_suites(tmp_path: Path) -> Path:
    """Two benchmarks in one store: one model played both, another model the smaller one alone."""
    played = {"kimi": {"air-1": "air", "air-2": "air", "shop-1": "shop"}, "gpt": {"shop-1": "shop"}}
    return builders.store(
        tmp_path,
        *(
            replace(builders.conversation(model=model, case=case), facts=Case(case, suite))
            for model, cases in played.items()
            for case, suite in cases.items()
        ),
    )


async def test_a_key_leads_from_suite_to_suite(tmp_path: Path) -> None:
    async with room(of_suites(tmp_path), at="gpt/shop-1/1") as here:
        await opened(here, "M")
        assert "board of suite shop (2 of 2)" in here.lines()[0]
        assert {row.model for row in standing(here).standings._rows} == {"gpt", "kimi"}
        await opened(here, "s")
        assert "board of suite air (1 of 2)" in here.lines()[0]
        assert [(row.model, row.n) for row in standing(here).standings._rows] == [("kimi", 2)]
        await opened(here, "escape", "M")
        assert "suite air" in here.lines()[0]


async def test_with_one_suite_the_key_says_so(tmp_path: Path) -> None:
    async with room(planned(tmp_path)) as here:
        await opened(here, "M", "s")
        assert "of one suite" in here.text
        assert "suite" not in here.lines()[0]


async def test_who_lacks_a_case_stands_last_and_without_a_place(tmp_path: Path) -> None:
    easy = [Case(f"easy-{number}", "shop", bucket="resolvable") for number in (1, 2)]
    whole = [replace(builders.conversation(model="whole", case=case.id), facts=case) for case in easy]
    part = replace(builders.conversation(model="a-part", case=easy[0].id), facts=easy[0])
    async with room(builders.store(tmp_path, *whole, part)) as here:
        await opened(here, "M")
        rows = standing(here).standings._rows
        assert [(row.model, row.rank) for row in rows] == [("whole", 1), ("a-part", None)]
        assert row_of(here, "whole").split()[1] == "1"
        assert row_of(here, "a-part").split()[1:5] == ["-", "a-part", "1", "50%"]
        await here.press("G")
        assert "No place: its run holds 1 of 2 planned cases" in " ".join(here.text.split())
