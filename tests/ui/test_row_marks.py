"""Rows of the queue show the marks of now, whichever conversation is open and whoever marked it.

After each act the rows are drawn anew, all of them: nothing on the screen may differ then.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from reviewer.findings.finding_store import findings_file
from reviewer.marks import queues
from reviewer.marks.review import Session
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.ui.room import Room, room
from tests.ui.test_reading import many
from tests.ui.test_seeing import command
from tests.ui.test_suggestions import LEAKED, TWICE, listed, rescanned, scanned
from tests.ui.test_together import look

BESIDE = "kimi/used-item-1/2"


def row_of(here: Room, rowid: int) -> str:
    """The row of a conversation as it is on the screen."""
    index = here.screen.queue.ids.index(rowid)
    queue = here.screen.queue
    return queue.render_line(queue.above + queue.groups.line(index) - queue.top).text


async def settled(here: Room) -> None:
    """Take in what is marked; then nothing differs when all rows are drawn anew."""
    await look(here)
    shown = here.lines()
    here.screen.queue.repaint()
    await here.pilot.pause()
    assert here.lines() == shown


def two_runs(where: Path) -> Path:
    """Two runs of a case, in a queue that is drawn."""
    store = builders.store(where, *(builders.conversation(run=run) for run in (1, 2)))
    queues.save(where / "annotations", queues.Queue("week", ("kimi/used-item-1/1", BESIDE), "exhaustive"))
    return store


async def test_the_row_that_was_left_loses_what_is_undone_and_gets_what_is_redone(tmp_path: Path) -> None:
    async with room(many(tmp_path)) as here:
        first = here.screen.queue.ids[0]
        bare = row_of(here, first)
        await here.press("j", "1", "]")
        assert row_of(here, first).count("1") == bare.count("1") + 1
        await settled(here)
        await here.press("u")
        assert row_of(here, first)[1:] == bare[1:]
        await settled(here)
        await here.press("ctrl+r")
        assert row_of(here, first)[1:] != bare[1:]
        for key in ("F", "R", "[", "2", "u", "]", "P"):
            await here.press(key)
            await settled(here)


async def test_a_row_beside_the_open_one_shows_what_somebody_else_marks_there(tmp_path: Path) -> None:
    async with room(two_runs(tmp_path)) as here:
        rowid, ref = here.screen.queue.ids[1], BESIDE
        bare = row_of(here, rowid)
        with Reader(here.screen.reading.path) as reader:
            stored = reader.stored(rowid)
        bob = Session(here.folder, "bob", "runs.db")
        bob.tag(stored, "phantom-action", Ref(ref, 2))
        bob.verdict(stored, "fail")
        await settled(here)
        assert row_of(here, rowid) != bare
        await command(here, "others off")
        assert row_of(here, rowid) == bare
        await settled(here)
        await command(here, "others on")
        assert row_of(here, rowid) != bare
        await command(here, "queue week")
        await here.idle()
        assert row_of(here, rowid) == bare, "it is read alone"
        await settled(here)
        await here.press("R", "R")
        assert row_of(here, rowid) != bare
        await settled(here)
        shutil.rmtree(here.folder)
        await settled(here)
        assert row_of(here, rowid)[1:] == bare[1:]


async def test_rows_beside_the_open_one_lose_suggestions_that_were_decided_in_the_list(tmp_path: Path) -> None:
    async with room(scanned(tmp_path)) as here:
        first, second = list(here.screen.queue.ids)[:2]
        assert "◇2" in row_of(here, first)
        assert "◇3" in row_of(here, second)
        await listed(here)
        await here.press("j", "x", "x", "a")
        await here.idle()
        assert [event["ref"].partition("#")[0] for event in here.journal()] == [LEAKED, LEAKED, TWICE]
        await here.press("escape")
        await settled(here)
        assert "◇" not in row_of(here, first)
        assert "1◇2" in row_of(here, second)
        await here.press("u")
        await settled(here)
        assert "◇3" in row_of(here, second)
        await command(here, "suggestions off")
        assert "◇" not in row_of(here, second)
        await settled(here)


async def test_a_scan_meanwhile_is_seen_in_all_rows(tmp_path: Path) -> None:
    path = scanned(tmp_path)
    findings_file(path).unlink()
    async with room(path) as here:
        first, second = list(here.screen.queue.ids)[:2]
        assert "◇" not in row_of(here, first)
        rescanned(path)
        await settled(here)
        assert "◇2" in row_of(here, first)
        assert "◇3" in row_of(here, second)


async def test_a_tag_on_the_case_is_seen_in_each_of_its_runs(tmp_path: Path) -> None:
    async with room(two_runs(tmp_path)) as here:
        await here.press("B")
        await here.idle()
        await here.press("T", *"phantom", "enter")
        assert here.journal()[-1]["ref"] == "kimi/used-item-1"
        await here.press("escape")
        for key in ("", "]"):
            await here.press(*key)
            assert "⟦phantom-action" in here.text
            await settled(here)
        await here.press("u")
        assert "⟦" not in here.text
        await here.press("[")
        assert "⟦" not in here.text
