"""The report in the app: read section by section, doubted at its quotes, and mended in the conversation."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.app.report.report_screen import ReportScreen
from reviewer.app.shared.editor import editor_command
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests.ui.room import Room, golden, room
from tests.ui.test_grid import planned
from tests.ui.test_seeing import command


def tagged(folder: Path) -> tuple[Path, str]:
    """A store with runs, and a tag of which a report prints the words."""
    store = planned(folder)
    session = Session(folder / "annotations", "jo", store.name, SUPPORT)
    with Reader(store) as reader:
        rows = reader.rows(reader.ids())
        row = next(each for each in rows if each.model == "kimi" and each.messages > 1)
        stored = reader.stored(row.rowid)
    number = next(at for at, each in enumerate(stored.conversation.messages, 1) if each.role == "agent" and each.text)
    session.tag(stored, "phantom-action", Ref(row.ref, number), clause="nothing was called")
    return store, row.ref


async def printed(here: Room) -> ReportScreen:
    """The report on the model that is read."""
    await command(here, "report")
    await here.idle()
    assert isinstance(here.app.screen, ReportScreen)
    return here.app.screen


async def test_a_report_is_read_by_section_and_its_quotes_lead_to_their_conversation_and_back(tmp_path: Path) -> None:
    store, ref = tagged(tmp_path)
    async with room(store, at=ref, codebook=SUPPORT) as here:
        screen = await printed(here)
        assert screen.view.page_shown is not None
        headings = [each.heading for each in screen.view.page_shown.sections if each.blocks and each.heading]
        for heading in headings:
            await here.press("n")
            assert heading in here.text
        await here.press("n")
        assert "The last section." in screen.foot.shown
        await here.press("g")
        while not screen.view.here.ref:
            await here.press("j")
        golden("report", here)
        assert screen.view.here.ref.startswith(ref)
        assert "enter reads it in its conversation" in here.lines()[0]
        row = screen.view.row
        await here.press("enter")
        await here.idle()
        assert here.app.screen is here.screen
        assert here.ref == ref
        assert "esc goes back to the report" in here.foot
        await here.press("escape")
        await here.idle()
        again = here.app.screen
        assert isinstance(again, ReportScreen)
        assert again.view.row == row
        await here.press("escape", "escape")
        assert here.app.screen is here.screen


async def test_a_section_without_tags_offers_its_query_as_a_queue(tmp_path: Path) -> None:
    async with room(planned(tmp_path), at="kimi/cancel-1/1") as here:
        screen = await printed(here)
        while not screen.view.here.query:
            await here.press("j")
        query = screen.view.here.query
        await here.press("enter")
        await here.idle()
        assert here.app.screen is here.screen
        assert query in here.lines()[0]


async def test_what_is_tagged_meanwhile_is_on_the_page_when_one_comes_back(tmp_path: Path) -> None:
    store, ref = tagged(tmp_path)
    async with room(store, at=ref, codebook=SUPPORT) as here:
        screen = await printed(here)
        assert screen.view.page_shown is not None
        before = len(screen.view.page_shown.excerpts())
        await here.press("escape", "j", "1")
        again = await printed(here)
        assert again.view.page_shown is not None
        assert len(again.view.page_shown.excerpts()) == before + 1


async def test_the_prose_is_opened_at_the_section_of_the_tag_and_stands_on_the_page(tmp_path: Path) -> None:
    store, ref = tagged(tmp_path)
    async with room(store, at=ref, codebook=SUPPORT) as here:
        await here.press("}", "W")
        path = tmp_path / "annotations" / "reports" / "kimi.md"
        text = path.read_text("utf-8")
        heading = next(at for at, line in enumerate(text.splitlines(), 1) if line == "## Tool usage and grounding")
        assert f"kimi.md, line {heading}" in here.foot
        path.write_text(f"{text}\nIt says so [bold]without[/bold] a call.\n\nAnd twice.\n", "utf-8")
        screen = await printed(here)
        assert screen.view.page_shown is not None
        await here.press("G")
        assert "It says so [bold]without[/bold] a call." in "\n".join(
            "".join(text for text, _ in line.bits) for line in screen.view._lines
        )
        await here.press("W")
        assert "kimi.md, line" in screen.foot.shown


@pytest.mark.parametrize(
    ("editor", "words"),
    [
        ("nvim -p", ["nvim", "-p", "+7", "kimi.md"]),
        ("/usr/bin/nano", ["/usr/bin/nano", "+7", "kimi.md"]),
        ("code --wait", ["code", "--wait", "kimi.md"]),
        ("", ["vi", "+7", "kimi.md"]),
    ],
)
def test_the_editor_is_the_readers_own(editor: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", editor)
    monkeypatch.delenv("VISUAL", raising=False)
    assert editor_command(Path("kimi.md"), 7) == words
