"""Several at work in one folder: what others write is seen, what is wrong is said, what is gone is not shown."""

from __future__ import annotations

import shutil
from pathlib import Path

from reviewer.marks import folder
from reviewer.marks.review import Session
from reviewer.transcripts.refs import Ref
from tests import builders
from tests.ui.room import Room, room

STORED = builders.stored()
BAD = "[modes.slow]\nkey = 'j'\n"
GOOD = "[modes.slow]\nkey = 1\n"


async def look(here: Room) -> None:
    """What the screen does every half second."""
    await here.idle()
    here.screen.marking.listening.look()
    await here.idle()


def other(here: Room, by: str = "Bob Smith") -> Session:
    """Somebody else at work in the same folder."""
    return Session(here.folder, by, "runs.db")


async def test_who_reviews_stands_in_the_header_before_any_key(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        assert here.lines()[0].endswith("1 of 1 · 0 reviewed · maria")


async def test_what_others_mark_is_seen_with_their_initials_and_can_be_hidden(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "1")
        bob = other(here)
        bob.tag(STORED, "phantom-action", Ref(STORED.ref, 2))
        bob.verdict(STORED, "fail")
        await look(here)
        assert "⟦phantom-action BS⟧" in here.text
        await here.type(":others off")
        await here.press("enter")
        assert "BS⟧" not in here.text
        assert here.text.count("⟦") == 1
        assert "others off" in here.lines()[0]
        bob.tag(STORED, "gives-up", Ref(STORED.ref, 4))
        await look(here)
        assert here.text.count("⟦") == 1
        await here.type(":others on")
        await here.press("enter")
        assert here.text.count("BS⟧") == 2
        await here.type(":others maybe")
        await here.press("enter")
        assert "others off, or: others on" in here.foot


async def test_a_second_window_of_the_same_reviewer_is_seen(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        other(here, "maria").tag(STORED, "phantom-action", Ref(STORED.ref, 2))
        await look(here)
        assert "⟦phantom-action⟧" in here.text
        await here.press("j", "1")
        assert [line["code"] for line in here.journal()] == ["phantom-action", "unsupported-claim"]


async def test_a_comparison_listens_too(tmp_path: Path) -> None:
    runs = [builders.conversation(run=run) for run in (1, 2)]
    async with room(builders.store(tmp_path, *runs)) as here:
        await here.press("=")
        other(here).tag("kimi/used-item-1", "phantom-action")
        here.app.screen.marking.listening.look()  # type: ignore[attr-defined]  # a comparison has one
        await here.idle()
        assert here.text.count("⟦phantom-action BS⟧") == 2


async def test_a_codebook_edited_meanwhile_is_taken_up_and_a_bad_one_said_while_reading_goes_on(tmp_path: Path) -> None:
    (tmp_path / "annotations").mkdir()
    codebook = tmp_path / "annotations" / "codebook.toml"
    codebook.write_text(BAD, "utf-8")
    async with room(builders.store(tmp_path)) as here:
        assert "codebook.toml, line 2" in here.foot
        assert "Please cancel order" in here.text
        await here.press("j", "1")
        assert "line 2" in here.foot
        await here.press("t")
        assert "line 2" in here.foot
        codebook.write_text(GOOD, "utf-8")
        await look(here)
        assert "in order again" in here.foot
        await here.press("1")
        assert here.journal()[-1]["code"] == "slow"
        codebook.write_text(BAD.replace("slow", "swift"), "utf-8")
        await look(here)
        assert "codebook.toml, line 2" in here.foot
        assert "⟦slow⟧" in here.text


async def test_lines_that_cannot_be_read_are_said_and_the_rest_is_there(tmp_path: Path) -> None:
    store = builders.store(tmp_path)
    Session(tmp_path / "annotations", "bob", store.name).tag(STORED, "phantom-action", Ref(STORED.ref, 2))
    with (tmp_path / "annotations" / "bob.jsonl").open("ab") as file:
        file.write(b"not even JSON\n\xff\xfe\n")
    async with room(store) as here:
        assert "bob.jsonl, line 2" in here.foot
        assert "And 1 more" in here.foot
        assert "⟦phantom-action BO⟧" in here.text


async def test_a_folder_that_is_gone_is_said_and_none_is_begun_in_its_place(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "1")
        here.folder.rename(tmp_path / "away")
        await look(here)
        assert "⟦" not in here.text
        assert "is gone" in here.foot
        await here.press("2")
        assert "Not saved" in here.text
        await here.press("r")
        assert "no longer there" in here.text
        assert not here.folder.exists()
        (tmp_path / "away").rename(here.folder)
        await here.press("r")
        assert "Not saved" not in here.text
        assert len(here.journal()) == 2
        assert here.text.count("⟦") == 2


async def test_a_folder_that_was_replaced_is_read_anew(tmp_path: Path) -> None:
    store = builders.store(tmp_path)
    async with room(store) as here:
        await here.press("j", "1")
        shutil.copytree(here.folder, tmp_path / "copy")
        Session(tmp_path / "copy", "bob", store.name).tag(STORED, "phantom-action", Ref(STORED.ref, 4))
        shutil.rmtree(here.folder)
        (tmp_path / "copy").rename(here.folder)
        await look(here)
        assert here.text.count("⟦") == 2
        await here.press("2")
        assert len(here.journal()) == 2


async def test_a_journal_that_is_a_link_is_not_written_through(tmp_path: Path) -> None:
    store, target = builders.store(tmp_path), tmp_path / "precious"
    target.write_text("mine\n", "utf-8")
    (tmp_path / "annotations").mkdir()
    (tmp_path / "annotations" / "maria.jsonl").symlink_to(target)
    async with room(store) as here:
        await here.press("j", "1")
        assert "it is a link" in here.text.replace("\n", " ")
        assert target.read_text("utf-8") == "mine\n"


async def test_the_codebook_is_changed_by_commands_and_every_change_undone(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "3", "c", *"mine", "enter")
        codebook = here.folder / "codebook.toml"
        before = codebook.read_text("utf-8")
        for command, said, there in [
            ("rename phantom-action Says it did", "phantom-action is now says-it-did", "[modes.says-it-did]"),
            ("merge gives-up wrong-call", "gives-up counts as wrong-call", "# merged into wrong-call:"),
            ("retire unsafe-action", "unsafe-action is retired", "retired = true"),
            ("split says-it-did Says so early", "1 tags of says-it-did are now says-so-early", "[modes.says-so-early]"),
        ]:
            await here.type(f":{command}")
            await here.press("enter")
            assert said in here.foot
            assert there in folder.text(here.folder)
        assert "⟦says-so-early ✎⟧" in here.text
        assert "⟦says-it-did" not in here.text
        await here.type(":retag contra")
        await here.press("tab", "enter")
        assert "⟦contradicts-result ✎⟧" in here.text
        await here.press("u", "u")
        assert here.foot.startswith("Undid the change of the codebook (New mode says-so-early")
        assert "⟦says-it-did ✎⟧" in here.text
        await here.press("u", "u", "u")
        assert "rename" in here.foot or "is now says-it-did" in here.foot
        assert folder.text(here.folder) == codebook.read_text("utf-8") == before
        await here.press("ctrl+r", "ctrl+r", "ctrl+r", "ctrl+r")
        assert "[modes.says-so-early]" in (here.folder / "modes" / "says-so-early.toml").read_text("utf-8")
        assert "⟦says-so-early ✎⟧" in here.text


async def test_a_change_of_the_codebook_that_somebody_wrote_over_is_passed_over(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        await here.press("j", "3")
        await here.type(":rename phantom-action Says it did")
        await here.press("enter")
        codebook = here.folder / "codebook.toml"
        codebook.write_text(codebook.read_text("utf-8").replace("Says it did", "Claims it did"), "utf-8")
        await look(here)
        await here.press("u")
        assert "was changed there since" in here.foot
        await here.press("u")
        assert here.foot.startswith("Undid tag phantom-action")
        assert "Claims it did" in codebook.read_text("utf-8")


async def test_a_command_about_modes_that_is_not_whole_says_how_it_goes(tmp_path: Path) -> None:
    async with room(builders.store(tmp_path)) as here:
        for command, said in [("rename gives-up", "rename CODE A NEW NAME"), ("retire", "retire CODE"),
                              ("merge a b", "no “a”"), ("retag gives-up", "no tag under the cursor")]:  # fmt: skip
            await here.type(f":{command}")
            await here.press("enter")
            assert said in here.foot
        assert here.journal() == []
