"""The queue in order and in groups: sorted by a key and by name, heads of groups that the cursor passes over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.app.queue.heads import MOST, Head, head_line, head_of
from reviewer.app.shared.facts import help_sheet
from reviewer.app.shared.legend import LEGEND, OF_GROUPS
from reviewer.app.shared.line_widgets import elided_middle, width_of
from reviewer.basics.glyphs import glyph
from reviewer.transcripts.model import Case, Conversation, QueueRow, Score
from tests import builders
from tests.ui.room import LARGE, Room, room
from tests.ui.test_filtering import settled
from tests.ui.test_reading import many


def refs(here: Room) -> list[str]:
    """The references of the queue, in order."""
    found = [here.screen.queue.row(index) for index in range(len(here.screen.queue.ids))]
    return [row.ref for row in found if row is not None]


def pane(here: Room, lines: int = 14) -> list[str]:
    """The lines of the queue's pane, as text."""
    return [line.partition("││")[0].strip("│▐ ") for line in here.lines()[3 : 3 + lines]]


async def order(here: Room, command: str) -> None:
    """Type a command, and wait for the queue."""
    await here.press(":")
    await here.type(command)
    await here.press("enter")
    await settled(here)


def lengths(tmp_path: Path, scored: bool = True) -> Path:
    """Four conversations of different lengths and scores."""
    return builders.store(
        tmp_path,
        *(
            Conversation(
                "kimi",
                builders.CANCELLED * (1 + number * 2 % 5),
                case=f"case-{number}",
                run=1,
                scores=(Score("reward", 1.0 - number / 10),) if scored else (),
            )
            for number in range(1, 5)
        ),
    )


def traps(tmp_path: Path) -> Path:
    """A case that forbids cancelling, where one of two runs does it; and one where it is right."""
    held = (builders.customer("Cancel it!"), builders.agent("It was shipped already."))
    facts = Case("trap", bucket="adversarial", forbidden=("cancel",))
    return builders.store(
        tmp_path,
        builders.conversation(case="fine"),
        *(
            replace(builders.conversation(*said, case="trap", run=run), facts=facts)
            for run, said in ((1, held), (2, ()))
        ),
    )


async def test_one_key_goes_through_the_orders_and_the_pane_says_which(tmp_path: Path) -> None:
    async with room(lengths(tmp_path)) as here:
        seen = []
        for _ in range(6):
            await here.press("o")
            await settled(here)
            seen.append(here.lines()[1].partition("╮")[0].strip("╭─ ").removesuffix(" · unless marked: wrote"))
        assert seen == ["Queue · unread ↑", "Queue · unsafe ↓", "Queue · score ↑", "Queue · messages ↓",
                        "Queue · random 1", "Queue"]  # fmt: skip


async def test_scores_are_passed_over_where_there_are_none(tmp_path: Path) -> None:
    async with room(lengths(tmp_path, scored=False)) as here:
        await here.press("o", "o")
        await settled(here)
        await here.press("o")
        await settled(here)
        assert "messages" in here.lines()[1]
        await order(here, "sort score")
        assert "Nothing here has a score" in here.foot
        assert "messages" in here.lines()[1]


async def test_an_order_is_typed_completed_and_listed(tmp_path: Path) -> None:
    async with room(lengths(tmp_path)) as here:
        await order(here, "sort score.reward down")
        assert here.foot == "Queue: highest score first (reward). :sort names the others."
        assert refs(here) == [f"kimi/case-{number}/1" for number in (1, 2, 3, 4)]
        await here.press(":")
        await here.type("sort sc")
        await here.press("tab")
        assert here.foot == "score  score.reward"
        await here.press("enter")
        await settled(here)
        assert refs(here) == [f"kimi/case-{number}/1" for number in (4, 3, 2, 1)]
        await order(here, "sort messages")
        assert refs(here) == [f"kimi/case-{number}/1" for number in (2, 4, 1, 3)]
        await order(here, "sort smell")
        assert "There is no order “smell”" in here.foot
        await here.press(":")
        await here.type("sort")
        await here.press("enter")
        assert "oldest first" not in here.text
        assert "newest first" in here.text
        await here.type("fewest")
        await here.press("escape")
        await order(here, "sort random 7")
        first = refs(here)
        await order(here, "sort random 8")
        await order(here, "sort random 7")
        assert refs(here) == first
        assert "random 7" in here.lines()[1]


async def test_an_order_stays_when_the_filter_changes_and_the_open_conversation_does(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("]", "]", "R")
        read = "gpt/used-item-1/2"
        await order(here, "sort unread")
        assert refs(here)[-1] == read
        assert here.ref != read
        here_before = here.ref
        await order(here, "sort model down")
        assert here.ref == here_before
        assert here.screen.reading.index == here.screen.queue.cursor
        await here.press("f")
        await here.type("run:2")
        await here.press("enter")
        await settled(here)
        assert refs(here)[0].startswith("kimi")
        assert "model ↓" in here.lines()[1]


async def test_forbidden_acts_come_first_and_are_marked_as_such(tmp_path: Path) -> None:
    store = traps(tmp_path)
    async with room(store) as here:
        await order(here, "sort unsafe")
        assert refs(here)[0] == "kimi/trap/2"
        assert "⛔" in pane(here)[0]
        assert not any("⛔" in line for line in pane(here)[1:])


async def test_groups_have_heads_that_the_cursor_passes_over(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        await here.press("O")
        await settled(here)
        lines = pane(here)
        assert lines[0].split() == ["used-item-1", "1", "2", "3", "=", "6"]
        assert lines[1].startswith("▌  gpt")
        assert lines[7].split() == ["vip-skip-2", "1", "2", "3", "=", "6"]
        assert "by case" in here.lines()[1]
        await here.press("]", "]", "]", "]", "]", "]")
        assert here.ref == "gpt/vip-skip-2/1"
        assert pane(here)[8].startswith("▌")
        await here.press("[", "shift+tab", "G")
        assert here.ref == "kimi/vip-skip-2/3"
        await here.press("g", "j", "k", "pagedown")
        assert here.ref == "kimi/vip-skip-2/3"
        await here.press("g", ">")
        assert here.ref == "gpt/used-item-1/2"
        assert here.screen.queue.cursor == 1
        await here.press("O")
        await settled(here)
        assert pane(here)[0].split() == ["gpt", "1", "2", "3", "=", "6"]
        assert here.screen.queue.cursor == 2
        await here.press("O")
        await settled(here)
        assert "by" not in here.lines()[1].partition("╮")[0]


async def test_the_head_stays_when_its_group_is_scrolled(tmp_path: Path) -> None:
    talks = [builders.conversation(case=f"case-{number}", run=run) for run in range(1, 41) for number in (1, 2)]
    async with room(builders.store(tmp_path, *talks), (140, 24)) as here:
        await order(here, "group case")
        await here.press("shift+tab", "space", "j")
        assert pane(here)[0].split() == ["case-1", "1-40", "=", "40"]
        assert here.ref == "kimi/case-1/20"
        await here.pilot.click("#queue", offset=(5, 2))
        assert here.ref == "kimi/case-1/1"
        await here.press("space", "space")
        assert here.ref == "kimi/case-1/37"
        await here.press("space")
        assert here.ref == "kimi/case-2/14"


async def test_only_the_heads_on_screen_are_looked_at(tmp_path: Path) -> None:
    talks = [builders.conversation(case=f"case-{number}", run=run) for number in range(300) for run in (1, 2)]
    async with room(builders.store(tmp_path, *talks), LARGE) as here:
        await order(here, "group case")
        asked: list[int] = []
        fetch = here.screen.reading.rows

        def counted(ids: Sequence[int]) -> Sequence[QueueRow]:
            asked.extend(ids)
            return fetch(ids)

        here.screen.reading.rows = counted  # type: ignore[method-assign]  # passes on what it counts
        await here.press("shift+tab", "G")
        assert here.ref == "kimi/case-299/2"
        assert 0 < len(asked) <= 120


async def test_flips_are_marked_and_what_differs_by_model_is_no_flip(tmp_path: Path) -> None:
    async with room(traps(tmp_path)) as here:
        await order(here, "group case")
        heads = [line.split() for line in pane(here) if line.endswith("2") and "kimi" not in line]
        assert heads == [["trap", "1", "2", "≠", "2"]]
    talks = [
        builders.conversation(builders.customer("Hi."), builders.agent("Hello."), model="gpt", case="a", run=1),
        builders.conversation(model="kimi", case="a", run=1),
    ]
    (tmp_path / "more").mkdir()
    async with room(builders.store(tmp_path / "more", *talks)) as here:
        await order(here, "group case")
        assert pane(here)[0].split() == ["a", "1", "2"]


async def test_a_large_group_says_how_many_there_are_at_once_and_the_rest_when_it_was_counted(tmp_path: Path) -> None:
    cases = [f"case-{number}" for number in range(MOST // 2 + 2)]
    talks = [builders.conversation(case=case, run=run) for case in cases for run in (1, 2)]
    quiet = builders.conversation(builders.customer("Hi."), builders.agent("Hello."), case=cases[7], run=3)
    async with room(builders.store(tmp_path, *talks, quiet)) as here:
        row = here.screen.queue.row(0)
        assert row is not None
        assert head_of([row], MOST + 1, "model", whole=False).runs == ()
        await order(here, "group model")
        count = str(len(talks) + 1)
        assert pane(here)[0].split() in (["kimi", count], ["kimi", "1", "2", "3", "≠", count])
        while pane(here)[0].split() == ["kimi", count]:
            await here.pilot.pause()
        assert pane(here)[0].split() == ["kimi", "1", "2", "3", "≠", count]
        await order(here, "group nothing")
        assert "≠" not in here.text


async def test_a_store_that_grows_is_taken_in_where_it_belongs(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with room(store) as here:
        await order(here, "group case")
        builders.store(tmp_path, builders.conversation(model="zeta"), name=store.name)
        await here.press("ctrl+l")
        await settled(here)
        assert refs(here)[6] == "zeta/used-item-1/1"
        assert pane(here)[0].split()[-1] == "7"


@pytest.mark.parametrize("plain", [False, True])
def test_the_help_explains_every_sign_of_the_queue(plain: bool) -> None:
    shown = help_sheet("queue", 80, plain=plain).plain
    for name, meaning in (*LEGEND, *OF_GROUPS):
        assert any(line.split(maxsplit=1) == [glyph(name, plain), meaning] for line in shown.splitlines()), name


@pytest.mark.parametrize("plain", [False, True])
def test_no_two_signs_of_a_line_look_alike(plain: bool) -> None:
    signs = [glyph(name, plain) for name, _ in LEGEND]
    assert len(set(signs)) == len(signs)


async def test_conversations_without_a_case_are_told_apart_by_name_and_opening(tmp_path: Path) -> None:
    talks = [builders.conversation(builders.customer(f"Hello {n}"), case=None, run=None) for n in range(3)]
    async with room(builders.store(tmp_path, *talks)) as here:
        await order(here, "group case")
        assert [line.strip("▌ ").split() for line in pane(here, 4)] == [
            ["no", "case", "3"],
            *(["kimi", f"built-{n + 1}", "1", "Hello", str(n)] for n in range(3)),
        ]


def test_names_keep_their_ends() -> None:
    assert elided_middle("price-match-over-limit-14", 16) == "price-ma…imit-14"
    assert elided_middle("short", 16) == "short"
    assert width_of([(elided_middle("一二三四五六七八九十", 9), "")]) <= 9


async def test_the_queue_scrolls_to_where_the_cursor_goes(tmp_path: Path) -> None:
    talks = [builders.conversation(case=f"case-{number}") for number in range(100)]
    async with room(builders.store(tmp_path, *talks), LARGE) as here:
        await here.press("shift+tab", "G")
        assert "▌case-99" in here.text
        await here.press("g")
        assert "▌case-0" in here.text


async def test_heads_follow_what_the_desk_says_of_tools(tmp_path: Path) -> None:
    async with room(traps(tmp_path)) as here:
        await order(here, "group case")
        assert any(line.split() == ["trap", "1", "2", "≠", "2"] for line in pane(here))
        await order(here, "class read cancel_order")
        assert any(line.split() == ["trap", "1", "2", "=", "2"] for line in pane(here))


async def test_names_that_steer_a_terminal_are_shown_and_never_typed(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07"
    talk = Conversation(evil, builders.CANCELLED, case=evil, run=1, scores=(Score(evil, 1.0),))
    async with room(builders.store(tmp_path, talk)) as here:
        for keys in (("O",), ("O",), ("f",), ("escape", ":")):
            await here.press(*keys)
            await here.idle()
            assert "\x1b" not in here.text
        await here.type("sort score.")
        await here.press("tab")
        assert here.screen.prompt.value == "sort score."
        await here.press("escape")
        await order(here, "sort")
        assert "\x1b" not in here.text
        await here.type("lowest")
        await here.press("down", "enter")
        await here.idle()
        assert "Queue · score." in here.lines()[1]
        assert "\x1b" not in here.text
        await here.press("f")
        await here.type("model:")
        await here.press("tab")
        assert here.screen.prompt.value == "model:"


@given(st.text(max_size=40), st.integers(1, 2_000_000), st.sets(st.integers(0, 40), max_size=12), st.integers(24, 80))
def test_the_head_of_a_group_fits(name: str, count: int, runs: set[int], width: int) -> None:
    head = Head(name, count, tuple(sorted(runs)), flips=count)
    whole = width + width_of(head_line(replace(head, name=""), 0, False))
    assert width_of(head_line(head, whole, False)) == whole
