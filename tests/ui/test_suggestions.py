"""What reads suggest: seen while reading, walked through, accepted and rejected; and listed across the store."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.app.suggestions.suggestion_screen import SuggestionScreen
from reviewer.findings.finding_store import findings_file
from reviewer.findings.scans import scan, usual
from reviewer.marks import folder, queues
from reviewer.marks.review import Session
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.alterations import FINDINGS
from tests.builders import agent, call, customer
from tests.ui.room import Room, golden, returning, room
from tests.ui.test_seeing import command

LEAKED, TWICE = "kimi/a-1/1", "kimi/b-1/1"
THOUGHTS = (
    *(customer("Where is it?"), agent("<think>Look.</think>On its way.")),
    *(customer("Sure?"), agent("</think>Yes.")),
)
HANDED = (customer("Cancel it."), agent("A colleague takes over.", call("hand_over")))


def scanned(where: Path) -> Path:
    """A store of three conversations, with five leaked marks of thought in two of them."""
    path = builders.store(
        where,
        builders.conversation(*THOUGHTS, case="a-1", run=1),
        builders.conversation(*THOUGHTS, customer("Really?"), agent("</think>It is."), case="b-1", run=1),
        builders.conversation(*HANDED, case="c-1", run=1),
    )
    rescanned(path)
    return path


def rescanned(path: Path) -> None:
    with Reader(path) as reader:
        scan(path, reader.ids(), usual(["leaked-think-tag"]), processes=1)


def waiting(here: Room) -> list[str]:
    """The suggestions that are shown in the open conversation: where each begins."""
    return [str(mark.places[0]) for mark in here.screen.marking.marks if mark.finding is not None]


async def listed(here: Room) -> SuggestionScreen:
    """The list of suggestions, opened with its key."""
    await here.press("!")
    await here.idle()
    assert isinstance(here.app.screen, SuggestionScreen)
    return here.app.screen


async def test_a_suggestion_is_seen_in_margin_queue_and_card_and_becomes_a_tag(tmp_path: Path) -> None:
    async with room(scanned(tmp_path)) as here:
        assert waiting(here) == [f"{LEAKED}#2:0-20", f"{LEAKED}#4:0-8"]
        line = next(line for line in here.lines() if "<think>Look." in line)
        assert "│◇" in line
        assert "◇2" in next(line for line in here.lines() if line.startswith("│▌a-1"))
        await here.press("}")
        assert "suggested by leaked-think-tag 1 · certain" in here.text
        assert "a accepts, x rejects; A accepts, X rejects all of this read here" in " ".join(here.text.split())
        golden("suggestion", here)
        await here.press("a")
        event = here.journal()[-1]
        assert (event["do"], event["finding"]["read"], event["ref"]) == ("accept", "leaked-think-tag", LEAKED)
        assert waiting(here) == [f"{LEAKED}#4:0-8"]
        assert "⟦leaked-think-tag" in here.text
        assert "accepted  leaked-think-tag:" in here.text
        await here.press("u")
        assert len(waiting(here)) == 2


async def test_x_rejects_for_good_also_over_another_scan_and_another_window(tmp_path: Path) -> None:
    path = scanned(tmp_path)
    async with room(path) as here:
        await here.press("}", "x")
        assert here.journal()[-1]["do"] == "reject"
        assert waiting(here) == [f"{LEAKED}#4:0-8"]
    (path.parent / "runs.db.findings.db").unlink()
    rescanned(path)
    async with room(path) as here:
        assert waiting(here) == [f"{LEAKED}#4:0-8"]


@pytest.mark.parametrize(("key", "done"), [("A", "accept"), ("X", "reject")])
async def test_all_of_a_read_are_decided_at_once_and_undone_at_once(key: str, done: str, tmp_path: Path) -> None:
    async with room(scanned(tmp_path), at=TWICE) as here:
        await here.press("}", key)
        assert [event["do"] for event in here.journal()] == [done] * 3
        assert waiting(here) == []
        assert f"{done.capitalize()}ed 3 × leaked-think-tag." in here.foot
        await here.press("u")
        assert len(waiting(here)) == 3


async def test_a_tag_put_by_hand_on_the_same_words_settles_a_suggestion(tmp_path: Path) -> None:
    path = scanned(tmp_path)
    async with room(path, codebook=folder.SUPPORT) as here:
        await here.press("j", "t")
        await here.type("leaked-think")
        await here.press("enter")
        assert here.journal()[-1]["do"] == "tag"
        assert waiting(here) == [f"{LEAKED}#4:0-8"]


@pytest.mark.parametrize("key", ["s", "S", "e", "w", "C", "h", "."])
async def test_what_is_about_tags_says_that_this_is_none(key: str, tmp_path: Path) -> None:
    async with room(scanned(tmp_path)) as here:
        await here.press("}", key)
        assert "only suggested" in here.foot or "No mode was given yet" in here.foot
        assert here.journal() == []


async def test_suggestions_can_be_switched_off_and_that_is_remembered_and_written_down(tmp_path: Path) -> None:
    path = scanned(tmp_path)
    async with returning(path) as here:
        await command(here, "suggestions off")
        assert (waiting(here), "◇" in here.text) == ([], False)
        assert "suggestions off" in here.lines()[0]
        await here.press("R")
        assert here.journal()[-1]["suggestions"] is False
    async with returning(path) as here:
        assert waiting(here) == []
        await command(here, "suggestions on")
        assert waiting(here)
        await here.press("R")
        assert (here.journal()[-1]["ref"], here.journal()[-1]["suggestions"]) == (TWICE, True)
        await command(here, "suggestions perhaps")
        assert "Suggestions are on or off." in here.foot


async def test_no_suggestions_is_for_this_time(tmp_path: Path) -> None:
    path = scanned(tmp_path)
    async with returning(path, suggestions=False) as here:
        assert waiting(here) == []
    async with returning(path) as here:
        assert waiting(here)


async def test_in_a_drawn_queue_they_wait_for_the_reader_who_then_sees_what_was_missed(tmp_path: Path) -> None:
    path = scanned(tmp_path)
    queues.save(tmp_path / "annotations", queues.Queue("week", (LEAKED, TWICE, "kimi/c-1/1"), "drawn"))
    async with room(path) as here:
        await command(here, "queue week")
        assert (waiting(here), "◇" in here.text) == ([], False)
        assert "others and suggestions hidden until R" in here.lines()[0]
        await here.press("a")
        assert "hidden until R" in here.foot
        screen = await listed(here)
        assert not screen.suggestions.modes
        await here.press("escape", "j", "1", "R")
        assert here.foot.startswith("Reviewed; reads suggest 2 more; 1 of your tags was not suggested. [ goes back.")
        assert here.journal()[-1]["suggestions"] is False
        await here.press("[")
        assert len(waiting(here)) == 2
        screen = await listed(here)
        assert [len(each.waiting) for each in screen.suggestions.modes] == [2]


async def test_the_list_is_worked_through_with_two_keys(tmp_path: Path) -> None:
    async with room(scanned(tmp_path)) as here:
        screen = await listed(here)
        assert "5 wait to be decided" in here.lines()[0]
        await here.press("j")
        golden("suggestions", here)
        await here.press("a", "x", "a")
        await here.idle()
        assert [event["do"] for event in here.journal()] == ["accept", "reject", "accept"]
        assert len({event["finding"]["claim"]["ref"] for event in here.journal()}) == 3
        assert "2 of 3 accepted (67%, 21–94%)" in here.text
        assert not any(event["do"] == "reviewed" for event in here.journal())
        await here.press("u")
        await here.idle()
        assert "1 of 2 accepted" in here.text
        assert [len(each.waiting) for each in screen.suggestions.modes] == [3]
        await here.press("enter")
        await here.idle()
        assert here.app.screen is here.screen
        assert here.cursor.message == 2
        again = await listed(here)
        assert again.suggestions.chosen is not None


def two_modes(where: Path) -> Path:
    """A store with two suggestions of one mode and two of another."""
    path = builders.store(
        where,
        builders.conversation(*THOUGHTS, case="a-1", run=1),
        builders.conversation(
            *(customer("Hello?"), agent(""), customer("Anyone?"), agent(""), customer("Well?"), agent("Yes.")),
            case="b-1",
            run=1,
        ),
    )
    with Reader(path) as reader:
        scan(path, reader.ids(), usual(["leaked-think-tag", "empty-reply"]), processes=1)
    return path


@pytest.mark.parametrize("key", ["a", "x"])
async def test_two_decisions_in_a_row_are_about_the_same_mode_and_then_its_heading(key: str, tmp_path: Path) -> None:
    async with room(two_modes(tmp_path)) as here:
        screen = await listed(here)
        order = [each.mode for each in screen.suggestions.modes]
        assert order == ["empty-reply", "leaked-think-tag"]
        await here.press("Z", "j", key)
        await here.idle()
        assert [each.mode for each in screen.suggestions.modes] == order, "the list keeps its order while it is open"
        assert screen.suggestions.chosen is not None
        assert screen.suggestions.chosen.mode == "empty-reply"
        await here.press(key)
        await here.idle()
        assert [event["finding"]["mode"] for event in here.journal()] == ["empty-reply"] * 2
        assert screen.suggestions.chosen is None
        assert screen.suggestions.place.mode == "empty-reply"
        await here.press(key)
        assert len(here.journal()) == 2, "the heading is decided about by nobody"
        assert "This is a mode" in screen.foot.shown


async def test_after_the_last_suggestion_of_a_mode_comes_its_heading_though_earlier_ones_wait(tmp_path: Path) -> None:
    async with room(two_modes(tmp_path)) as here:
        screen = await listed(here)
        await here.press("Z", "j", "j", "a")
        assert screen.suggestions.place == ("empty-reply", [])
        await here.press("j")
        assert screen.suggestions.chosen is not None
        assert screen.suggestions.chosen.mode == "empty-reply"


async def test_the_cursor_stays_on_its_suggestion_when_somebody_else_decides_about_others(tmp_path: Path) -> None:
    path = two_modes(tmp_path)
    async with room(path) as here:
        screen = await listed(here)
        await here.press("Z", "j", "j", "j", "j")
        at = screen.suggestions.chosen
        assert at is not None
        assert at.mode == "leaked-think-tag"
        with Reader(path) as reader:
            stored = reader.stored(2)
        empty = next(each for each in screen.suggestions.modes if each.mode == "empty-reply")
        finding = screen.finding_of(empty.waiting[0])
        assert finding is not None
        Session(here.folder, "jo", path.name).decide(stored, True, [finding])
        screen.marking.session.refresh()
        screen.marking.refresh()
        await here.idle()
        assert screen.suggestions.chosen == at
        assert [len(each.waiting) for each in screen.suggestions.modes] == [1, 2]


async def test_the_list_is_opened_again_at_the_suggestion_where_it_was_left(tmp_path: Path) -> None:
    async with room(two_modes(tmp_path)) as here:
        screen = await listed(here)
        await here.press("Z", "j", "a", "j", "j")
        at = screen.suggestions.chosen
        assert at is not None
        assert at.mode == "leaked-think-tag"
        await here.press("escape")
        again = await listed(here)
        assert [each.mode for each in again.suggestions.modes] == ["leaked-think-tag", "empty-reply"]
        assert again.suggestions.chosen == at


async def test_a_scan_while_the_list_is_open_changes_the_words_of_no_suggestion(tmp_path: Path) -> None:
    path = two_modes(tmp_path)
    async with room(path) as here:
        screen = await listed(here)
        await here.press("Z", "j", "j", "j", "j")
        before = screen.mark
        assert before is not None
        findings_file(path).unlink()
        rescanned(path)
        screen.marking.session.refresh()
        screen.marking.refresh()
        await here.idle()
        assert screen.mark is not None
        assert screen.mark.finding == before.finding


async def test_a_mode_is_opened_folded_and_decided_about_one_by_one(tmp_path: Path) -> None:
    async with room(scanned(tmp_path)) as here:
        screen = await listed(here)
        assert screen.suggestions.count == 6  # one mode is opened at once
        await here.press("z")
        assert screen.suggestions.count == 1
        await here.press("a")
        assert "This is a mode; enter lists what waits." in screen.foot.shown
        await here.press("Z", "j")
        assert screen.suggestions.chosen is not None
        assert here.journal() == []


async def test_the_conversations_of_a_mode_are_read_as_a_queue(tmp_path: Path) -> None:
    async with room(scanned(tmp_path)) as here:
        await listed(here)
        await here.press("f")
        await here.idle()
        assert here.app.screen is here.screen
        assert "finding:leaked-think-tag" in here.lines()[0]
        assert "conversation 1 of 2" in here.lines()[0]


async def test_what_is_scanned_and_decided_elsewhere_comes_in(tmp_path: Path) -> None:
    path = builders.store(tmp_path, builders.conversation(*THOUGHTS, case="a-1", run=1))
    async with room(path) as here:
        await listed(here)
        assert "Nothing was scanned yet. Type: reviewer scan runs.db" in here.text
        await here.press("escape")
        rescanned(path)
        assert here.screen.marking.session.stale()
        here.screen.marking.session.refresh()
        here.screen.marking.refresh()
        assert len(waiting(here)) == 2
        with Reader(path) as reader:
            stored = reader.stored(1)
        jo = Session(here.folder, "jo", path.name)
        finding = here.screen.marking.marks[0].finding
        assert finding is not None
        jo.decide(stored, False, [finding])
        here.screen.marking.session.refresh()
        here.screen.marking.refresh()
        assert len(waiting(here)) == 1


async def test_findings_of_what_has_changed_or_cannot_be_read_do_no_harm(tmp_path: Path) -> None:
    path = scanned(tmp_path)
    beside = path.parent / "runs.db.findings.db"
    beside.write_bytes(b"no database at all, but long enough to be looked at" * 20)
    async with room(path) as here:
        assert waiting(here) == []
        await listed(here)
        assert "runs.db" in here.app.screen.foot.shown  # type: ignore[attr-defined]


async def test_a_spoilt_file_of_findings_is_said_in_the_list(tmp_path: Path) -> None:
    store = scanned(tmp_path)
    FINDINGS["bytes for modes"](findings_file(store))
    async with room(store) as here:
        screen = await listed(here)
        assert "What is suggested cannot be read now." in here.text
        assert f"{findings_file(store)} is damaged: another program wrote into it." in screen.foot.shown
