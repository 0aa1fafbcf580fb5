"""The columns of the queue with keys and mouse: chosen, sorted by, filtered by, kept, hidden in a drawn queue."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.geometry import Offset

from reviewer.app.queue.column_keys import switched
from reviewer.marks import queues
from reviewer.transcripts.model import Score, Usage
from tests import builders
from tests.ui.room import LARGE, Room, returning, room
from tests.ui.test_filtering import settled
from tests.ui.test_ordering import order, refs

WIDE = (200, 40)


def scored(tmp_path: Path, count: int = 6) -> Path:
    """Two models on some cases, with two scores."""
    talks = (
        replace(
            builders.conversation(*said, model=model, case=f"case-{number}"),
            scores=(Score("reward", number / count), Score("tone", 0.9)),
        )
        for number in range(1, count + 1)
        for model, said in (("gpt", builders.CANCELLED), ("kimi", builders.CANCELLED[:1]))
    )
    return builders.store(tmp_path, *talks)


def heading(here: Room) -> list[str]:
    """The names of the columns on screen."""
    lines = here.lines()
    frame = next(number for number, line in enumerate(lines) if "─ Queue" in line)
    return lines[frame + 1].partition("││")[0].strip("│ ").split()


async def click(here: Room, column: str, line: int | None = None, times: int = 1) -> None:
    """Click the cell of a column, counted from the first conversation; without a line, its heading."""
    queue = here.screen.queue
    slots = here.screen.queueing.lines.slots(queue.words_shown)
    slot = next(each for each in slots if each.column.name == column)
    at = Offset(2 + slot.start, 1 if line is None else 2 + line)
    await here.pilot.click("#queue", offset=at, times=times)
    await settled(here)


async def test_a_heading_names_the_columns_that_the_store_fills(tmp_path: Path) -> None:
    async with room(scored(tmp_path), LARGE) as here:
        assert heading(here)[:3] == ["case", "model", "did"]
        assert "rewa" in heading(here) or "reward" in heading(here)
        assert "cost" not in heading(here)


async def test_a_column_that_was_chosen_stands_before_long_names_get_all_they_need(tmp_path: Path) -> None:
    long = "tau2-retail-" + 30 * "x"
    talks = [
        replace(builders.conversation(case=long, run=run), usage=Usage(900, 100, cost=0.1 * run)) for run in (1, 2)
    ]
    async with room(builders.store(tmp_path, *talks), LARGE) as here:
        await order(here, "columns case tokens cost")
        assert heading(here) == ["case", "tok", "cost"]
        await order(here, "sort cost")
        assert "0.200" in "".join(here.lines()[3:4])


async def test_columns_are_chosen_and_come_back_with_the_store(tmp_path: Path) -> None:
    store = scored(tmp_path)
    async with returning(store) as here:
        await order(here, "columns messages case score.tone")
        assert heading(here) == ["msgs", "case", "tone"]
        assert "Columns: messages case score.tone" in here.foot
        await order(here, "columns colour")
        assert "There is no column “colour”" in here.foot
        assert heading(here) == ["msgs", "case", "tone"]
        await here.press(":")
        await here.type("columns case score.t")
        await here.press("tab")
        assert here.screen.prompt.value == "columns case score.tone"
        await here.press("escape")
    async with returning(store) as here:
        assert heading(here) == ["msgs", "case", "tone"]
        await order(here, "columns usual")
        assert heading(here)[0] == "case"
    async with returning(store) as here:
        assert heading(here)[0] == "case"


async def test_a_heading_that_is_clicked_sorts_then_the_other_way_then_not(tmp_path: Path) -> None:
    async with room(scored(tmp_path), WIDE) as here:
        stored = refs(here)
        await click(here, "score.reward")
        assert [ref.split("/")[1] for ref in refs(here)[::2]] == [f"case-{n}" for n in range(1, 7)]
        assert any(name.endswith("↑") for name in heading(here))
        await click(here, "score.reward")
        assert refs(here)[0].split("/")[1] == "case-6"
        await click(here, "score.reward")
        assert refs(here) == stored
        await click(here, "messages")
        assert refs(here)[0].startswith("gpt/")


@pytest.mark.parametrize(
    ("column", "query", "count"),
    [("model", "model:gpt", 6), ("score.reward", "score.reward:<0.5", 4), ("happened", "wrote:cancel", 6)],
)
async def test_a_cell_that_is_clicked_filters_and_again_takes_it_out(
    tmp_path: Path, column: str, query: str, count: int
) -> None:
    async with room(scored(tmp_path), WIDE) as here:
        ref = here.ref
        await click(here, column, 0)
        assert here.screen.reading.query == query
        assert len(refs(here)) == count
        assert here.ref == ref
        await click(here, column, 0)
        assert here.screen.reading.query == ""
        assert len(refs(here)) == 12


async def test_a_name_opens_and_clicked_again_filters(tmp_path: Path) -> None:
    async with room(scored(tmp_path), WIDE, query="messages:>0") as here:
        await click(here, "case", 4)
        assert here.ref == "gpt/case-5/1"
        assert here.screen.reading.query == "messages:>0"
        await click(here, "model", 4)
        await click(here, "case", 4)
        assert here.screen.reading.query == "messages:>0 model:gpt case:case-5"
        await click(here, "case", 0)
        assert here.screen.reading.query == "messages:>0 model:gpt"
        await click(here, "opening", 2)
        assert here.ref == "gpt/case-3/1"
        await click(here, "case", 1, times=2)
        assert here.ref == "gpt/case-2/1"
        assert here.screen.transcript.has_focus
        assert here.screen.reading.query == "messages:>0 model:gpt"


def test_a_term_is_taken_out_whole_and_put_beside_an_or_in_parentheses() -> None:
    assert switched('"a  b" model:gpt run:1', "model:gpt") == '"a  b" run:1'
    assert switched("model:gpt-4", "model:gpt") == "model:gpt-4 model:gpt"
    assert switched("model:gpt or run:2", "case:a") == "(model:gpt or run:2) case:a"
    assert switched("score.a:>=0.5 score.a:<0.8", "score.a:>=0.5 score.a:<0.8") == ""


async def test_in_a_drawn_queue_scores_are_hidden_until_the_review(tmp_path: Path) -> None:
    store = scored(tmp_path, 4)
    queues.save(tmp_path / "annotations", queues.Queue("week", ("gpt/case-1/1", "gpt/case-3/1"), "drawn"))
    async with room(store, WIDE) as here:
        assert "0.25" in here.text
        await order(here, "queue week")
        assert "0.25" not in here.text
        await click(here, "score.reward", 1)
        assert here.screen.reading.query == "queue:week"
        await here.press("[", "R")
        assert "0.25" in here.text
        assert "0.75" not in here.text


async def test_looking_through_the_queue_asks_for_its_lines_once(tmp_path: Path) -> None:
    talks = (builders.conversation(case=f"case-{number}") for number in range(300))
    async with room(builders.store(tmp_path, *talks), LARGE) as here:
        asked: list[str] = []
        here.screen.reading.reader._db.set_trace_callback(asked.append)
        for _ in range(4):
            here.screen.queue.scroll_lines(3)
            await here.pilot.pause()
        assert asked == []
        here.screen.queue.scroll_lines(100)
        await here.pilot.pause()
        lines = [each for each in asked if "FROM" in each]
        assert 0 < len(lines) <= 9  # two windows of sixty, three queries and a desk each, and no more


async def test_the_queue_says_how_wide_it_wants_to_be(tmp_path: Path) -> None:
    async with room(scored(tmp_path), LARGE) as here:
        wide = here.screen.queue.wanted_width
        assert 32 < wide < 140
        await order(here, "columns case")
        assert here.screen.queue.wanted_width == 32


async def test_alone_on_a_narrow_screen_the_queue_takes_all_of_it(tmp_path: Path) -> None:
    async with room(scored(tmp_path), (80, 24)) as here:
        await here.press("shift+tab")
        assert here.screen.queue.region.width == 80
        assert "first words" in here.lines()[2]


async def test_grid_and_comparison_show_the_score_to_those_who_may_see_it(tmp_path: Path) -> None:
    talks = (replace(builders.conversation(run=run), scores=(Score("reward", run / 4),)) for run in (1, 2, 3))
    store = builders.store(tmp_path, *talks)
    queues.save(tmp_path / "annotations", queues.Queue("week", ("kimi/used-item-1/1", "kimi/used-item-1/3"), "drawn"))
    async with room(store, LARGE) as here:
        for key in ("=", "B"):
            await here.burst(key)
            assert all(score in here.text for score in ("0.25", "0.5", "0.75"))
            await here.press("escape")
        await order(here, "queue week")
        await here.press("[", "R")
        for key in ("=", "B"):
            await here.burst(key)
            assert "0.25" in here.text
            assert "0.75" not in here.text
            await here.press("escape")
