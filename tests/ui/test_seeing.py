"""Others' work: hidden in a drawn queue until one has read for oneself, and wherever one asks for that."""

from __future__ import annotations

from pathlib import Path

from reviewer.marks import queues
from reviewer.marks.review import Session
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests.ui.room import Room, room
from tests.ui.test_reading import many

FIRST, SECOND = "gpt/used-item-1/1", "gpt/vip-skip-2/1"


def marked_by_others(tmp_path: Path) -> Path:
    """A store of which a colleague has tagged a message, a case and said a verdict."""
    store = many(tmp_path, runs=1)
    jo = Session(tmp_path / "annotations", "jo", store.name)
    with Reader(store) as reader:
        first: Stored = reader.stored(reader.find(FIRST)[0])
        jo.tag(first, jo.codebook.active()[0].code, Ref(FIRST, 2))
        jo.tag("gpt/used-item-1", jo.codebook.active()[1].code)
        jo.verdict(first, "fail")
    return store


def drawn(tmp_path: Path, how: queues.How = "drawn") -> None:
    queues.save(tmp_path / "annotations", queues.Queue("week", (FIRST, SECOND), how))


async def filtered(here: Room, text: str) -> None:
    await here.press("f")
    await here.type(text)
    await here.press("enter")
    await here.idle()


async def command(here: Room, text: str) -> None:
    await here.press(":")
    await here.type(text)
    await here.press("enter")
    await here.idle()


async def test_in_a_drawn_queue_others_are_hidden_until_reviewed(tmp_path: Path) -> None:
    store = marked_by_others(tmp_path)
    drawn(tmp_path)
    async with room(store) as here:
        assert here.text.count("JO⟧") == 2
        await command(here, "queue week")
        assert "JO" not in here.text
        assert "others hidden until R" in here.lines()[0]

        await here.press("R")
        line = here.journal()[-1]
        assert (line["do"], line["ref"], line["queue"]) == ("reviewed", FIRST, "week")
        assert (line["others"], line["suggestions"]) == (False, False)
        assert (line["seen"], line["of"]) == (4, 4)
        assert here.ref == SECOND
        assert here.foot.startswith("Reviewed; others put 2 tags on it. [ goes back. Next: conversation 2 of 2.")

        await here.press("[")
        assert here.text.count("JO⟧") == 2
        await here.press("R")
        assert len(here.journal()) == 1

        await here.press("[", "u")
        assert "JO⟧" not in here.text


async def test_the_grid_and_the_comparison_hide_them_too(tmp_path: Path) -> None:
    store = marked_by_others(tmp_path)
    drawn(tmp_path, "exhaustive")
    async with room(store, query="") as here:
        await command(here, "queue week")
        await here.press("B")
        await here.idle()
        assert "⟦" not in here.text
        await here.press("escape", "=")
        assert "⟦" not in here.text
        assert "✗" not in here.text


async def test_a_picked_queue_hides_nothing_and_neither_does_leaving_one(tmp_path: Path) -> None:
    store = marked_by_others(tmp_path)
    drawn(tmp_path, "picked")
    queues.save(tmp_path / "annotations", queues.Queue("other", (FIRST,), "drawn"))
    async with room(store) as here:
        await command(here, "queue week")
        assert "JO⟧" in here.text
        await here.press("R")
        assert (here.journal()[-1]["queue"], here.journal()[-1]["others"]) == ("week", True)
        await filtered(here, "queue:other -reviewed:jo")
        assert "others hidden until R" in here.text
        await filtered(here, "model:gpt")
        assert "others hidden" not in here.text


async def test_others_off_and_on_again(tmp_path: Path) -> None:
    store = marked_by_others(tmp_path)
    async with room(store) as here:
        await command(here, "others off")
        assert "JO⟧" not in here.text
        assert "others off" in here.lines()[0]
        await here.press("1", "1")
        assert "⟦" in here.text
        await here.press("R")
        assert here.journal()[-1]["others"] is False
        await here.press("[")
        await command(here, "others on")
        assert "JO⟧" in here.text


async def test_a_filter_that_names_a_drawn_queue_hides_them_from_the_start(tmp_path: Path) -> None:
    store = marked_by_others(tmp_path)
    drawn(tmp_path)
    async with room(store) as here:
        await filtered(here, "model:gpt queue:we*")
        assert "JO⟧" not in here.text
