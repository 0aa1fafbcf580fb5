"""From open to tag to undo with real keys: the journal first, the screen second."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewer.app.shared.pick import Choices
from tests import builders
from tests.ui.room import LARGE, SMALL, Room, room


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_open_select_tag_evidence_note_undo(tmp_path: Path, size: tuple[int, int]) -> None:
    async with room(builders.store(tmp_path), size) as here:
        await here.press("j", "v", "j", "1")
        tag = here.journal()[-1]
        assert tag["do"] == "tag"
        assert tag["pieces"][0]["quote"] == "It should be delivered yesterday."
        assert tag["ref"] == "kimi/used-item-1/1#2:50-83"
        assert f"⟦{tag['code']}⟧" in here.text

        await here.press("s")
        attached = here.journal()[-1]
        assert attached["do"] == "attach"
        assert attached["evidence"][0]["ref"] == "kimi/used-item-1/1#2.1.result/status"
        assert "⊕" in here.text

        await here.press("c")
        await here.type("Not what the lookup says.")
        await here.press("enter")
        assert here.journal()[-1]["note"] == "Not what the lookup says."
        assert "✎" in here.text

        await here.press("u", "u", "u")
        assert [line["do"] for line in here.journal()[-3:]] == ["undo"] * 3
        assert tag["code"] not in here.text.replace(here.foot, "")
        assert here.foot.startswith("Undid")

        await here.press("ctrl+r")
        assert here.journal()[-1]["do"] == "redo"
        assert f"⟦{tag['code']}⟧" in here.text


async def test_the_same_digit_takes_a_bare_tag_back(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "3", "3")
        assert [line["do"] for line in here.journal()] == ["tag", "untag"]
        assert "⟦" not in here.text


async def test_a_call_is_tagged_as_an_item(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "j", "j", "7")
        assert here.journal()[-1]["ref"] == "kimi/used-item-1/1#2.2"


async def test_two_pieces_make_one_tag(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "v", "b", "b", "comma", "w", "2")
        assert len(here.journal()[-1]["pieces"]) == 2


async def test_fields_of_a_call_are_selected_one_by_one(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "j", "v", "j", "1")
        assert here.journal()[-1]["pieces"][0]["quote"] == '"UPS"'


async def test_a_mode_by_name_and_a_new_one(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "t")
        await here.type("gives")
        await here.press("enter")
        assert here.journal()[-1]["code"] == "gives-up"
        await here.press("t")
        await here.type("zzz brand new")
        await here.press("enter")
        assert "Make a new mode “zzz brand new”?" in here.text
        await here.press("enter")
        assert here.journal()[-1]["code"] == "zzz-brand-new"
        await here.press("T")
        await here.type("zzz")
        await here.press("enter")
        assert here.journal()[-1]["ref"] == "kimi/used-item-1/1"


async def test_evidence_by_hand_and_stated_absence(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "1", "S")
        await here.type("no handover")
        await here.press("enter")
        assert here.journal()[-1]["evidence"] == [{"no": "handover", "before": 2}] or "no handover" in str(
            here.journal()[-1]["evidence"]
        )


async def test_of_very_many_fields_the_first_are_listed_and_then_the_whole(tmp_path: Path) -> None:
    fields = json.dumps({f"f{at}": at for at in range(700)})
    looked = [builders.call("get_order", "{}", fields) for _ in range(5)]
    said = builders.conversation(builders.customer("Hi."), builders.agent("It is due.", *looked))
    async with room(builders.store(tmp_path, said)) as here:
        await here.press("j", "1", "S")
        assert "Evidence: the nearest 2,000 · others: v, then s" in here.text
        assert len(here.app.screen.query_one(Choices)._names) == 2_000 + 2  # and no write, and no handover
        await here.type("f499")
        assert "f499  499  get_order #2.1" in here.text
        await here.press(*["backspace"] * 4)
        await here.type("whole")
        assert "the whole result  get_order #2.1, of more than 500 fields" in here.text
        await here.press("enter")
        (proof,) = here.journal()[-1]["evidence"]
        assert proof["ref"] == "kimi/used-item-1/1#2.1.result"
        assert "get_order" in here.text


async def test_an_escaped_note_is_there_again(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "1", "c")
        await here.type("half a thou")
        await here.press("escape", "c")
        await here.type("ght")
        await here.press("enter")
        assert here.journal()[-1]["note"] == "half a thought"


async def test_what_cannot_be_written_is_not_shown_and_stays_until_saved(tmp_path: Path) -> None:
    store = builders.store(tmp_path)
    async with room(store) as here:
        await here.press("j", "1")
        journal = here.folder / "maria.jsonl"
        before = journal.read_bytes()
        journal.rename(here.folder / "aside")
        journal.mkdir()
        await here.press("j", "j", "j", "j", "2")
        assert "Not saved" in here.text
        assert "⟦" not in here.text, "a tag whose journal is not there is not shown either"
        await here.press("x", "r")
        assert "Not saved" in here.text
        journal.rmdir()
        (here.folder / "aside").rename(journal)
        await here.press("r")
        assert "Not saved" not in here.text
        assert journal.read_bytes().startswith(before)
        assert len(here.journal()) == 2
        assert here.text.count("⟦") == 2


async def test_what_cannot_be_written_here_is_saved_elsewhere(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        here.folder.mkdir()
        (here.folder / "maria.jsonl").mkdir()
        await here.press("j", "1")
        assert "Not saved" in here.text
        await here.press("s")
        await here.type(str(tmp_path / "kept.jsonl"))
        await here.press("enter")
        assert "Not saved" not in here.text
        assert '"do":"tag"' in (tmp_path / "kept.jsonl").read_text("utf-8")


async def not_saved(here: Room, *typed_on: str) -> None:
    """A tag whose journal cannot be written, and what was typed before anybody saw that."""
    (here.folder / "maria.jsonl").mkdir(parents=True)
    await here.press("j", "1", *typed_on)
    assert "Not saved" in here.text


async def test_what_could_not_be_saved_can_be_given_up(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await not_saved(here)
        for words in ("r     try again", "s     save it to another file", "esc   go back without it", "q     quit"):
            assert words in here.text
        await here.press("escape")
        assert "Not saved" not in here.text
        assert here.foot == "It was not saved, and is not marked."
        (here.folder / "maria.jsonl").rmdir()
        await here.press("2")
        assert [line["ref"] for line in here.journal()] == ["kimi/used-item-1/1#2"]


async def test_who_leaves_with_something_unsaved_is_told_so(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await not_saved(here)
        here.send("q")
        await here.idle()
        assert not here.app.is_running
        assert here.app.return_code == 1
        assert any("not saved" in str(each) for each in here.app._exit_renderables)


async def test_what_was_typed_on_before_it_was_seen_saves_nothing_and_names_no_file(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await not_saved(here, *"scnote", "enter", "q")
        assert "try again" in here.text
        await here.press(*"snote", "enter")
        assert "“note” is not a whole path." in here.text
        await here.press("s", *str(tmp_path / "not yet"), "escape")
        assert "try again" in here.text
        assert sorted(path.name for path in tmp_path.iterdir()) == ["annotations", "runs.db"]


@pytest.mark.parametrize("size", [(40, 16), SMALL, LARGE])
async def test_the_mode_under_the_cursor_is_explained_whole(tmp_path: Path, size: tuple[int, int]) -> None:
    async with room(builders.store(tmp_path), size) as here:
        modes = here.screen.marking.session.codebook.active()
        await here.press("j", "t")
        for mode in modes[:3]:
            shown = " ".join(line.split("│")[1].strip() if "│" in line else "" for line in dialog(here))
            assert mode.definition in shown
            if size != (40, 16):
                assert f"Counts: {mode.counts}" in shown
                assert f"Does not count: {mode.not_counts}" in shown
            await here.press("down")


def dialog(here: Room) -> list[str]:
    """The lines of the dialog, from edge to edge."""
    lines = here.lines()
    top = next(line for line in lines if "A failure mode" in line)
    left = top.index("╭─ A failure mode")
    right = top.index("╮", left) + 1
    return [line[left:right] for line in lines]


async def test_a_new_mode_is_not_made_before_that_is_confirmed(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "t", *"phantom-action", "enter")
        assert here.journal()[-1]["code"] == "phantom-action"
        await here.press("t", *"unsafe acts", "enter")
        assert "Make a new mode “unsafe acts”? There is “Unsafe act" in here.text
        await here.press("escape")
        assert "Make a new mode" not in here.text
        await here.press("enter", "x")
        assert "Make a new mode" not in here.text
        await here.press("escape")
        assert len(here.journal()) == 1
        assert not (here.folder / "modes").exists()
