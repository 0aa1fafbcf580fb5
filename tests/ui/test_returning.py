"""Coming back: the place, the filter and the look of last time, unless something else was asked for."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pytest

from reviewer.app.reading import memory as memories
from reviewer.app.reading.memory import LastPlace, Memory
from reviewer.app.shared.sheet import Item
from reviewer.cli import open as open_
from reviewer.marks import queues
from reviewer.marks.review import Session
from tests import builders
from tests.ui.room import returning, room
from tests.ui.test_reading import many
from tests.ui.test_seeing import command

WEEK = ("kimi/vip-skip-2/3", "gpt/used-item-1/1", "kimi/used-item-1/2")
"""A named queue."""


def files(store: Path) -> list[Path]:
    """What is remembered beside a store."""
    return sorted((store.parent / "state").glob("*"))


async def test_one_comes_back_to_the_item_where_one_left(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with returning(store) as here:
        assert here.ref == "gpt/used-item-1/1"
        await here.press("]", "]", "j", "j")
    async with returning(store) as here:
        assert (here.ref, here.cursor) == ("gpt/used-item-1/2", Item(2, 1))
        assert here.screen.queue.cursor == 2
    assert len(files(store)) == 1


async def test_filter_layers_layout_and_theme_come_back(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with returning(store) as here:
        await here.press("r", "m", "\\", "f")
        await here.type("model:kimi")
        await here.press("enter")
        await here.idle()
        await here.press("]", ":")
        await here.type("theme light")
        await here.press("enter")
    async with returning(store) as here:
        assert here.screen.reading.query == "model:kimi"
        assert here.screen.reading.total == 6
        assert here.ref == "kimi/vip-skip-2/1"
        assert here.screen.viewing.layers == ("reasoning", "raw")
        assert here.screen.viewing.mode == "inline"
        assert here.app.theme == "light"
        assert here.foot == "The filter of last time is on: model:kimi"


async def test_folds_come_back_with_the_conversation_they_are_of(tmp_path: Path) -> None:
    text = "\n".join(f"line {n}" for n in range(300))
    long = builders.conversation(builders.customer("Hi."), builders.agent(text))
    store = builders.store(tmp_path, builders.conversation(case="a"), long)
    async with returning(store) as here:
        await here.press("]", "Z", "j", "z")
        assert here.screen.viewing.folds == ("2.text",)
    async with returning(store) as here:
        assert here.screen.viewing.folds == ("2.text",)
        assert "folded" in here.screen.viewing.layers
        await here.press("G")
        assert "line 299" in here.text
        await here.press("[", "]")
        assert not here.screen.viewing.folds
    async with returning(store, at="kimi/a/1") as here:
        assert here.screen.viewing.folds == ()


async def test_order_and_groups_come_back_with_their_filter(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with returning(store) as here:
        await command(here, "sort random 7")
        await command(here, "group model")
        ids = list(here.screen.reading.ids)
        await here.press("]")
        here_now = here.ref
    async with returning(store) as here:
        assert list(here.screen.reading.ids) == ids
        assert here.screen.reading.wanted.order.title == "random 7 · by model"
        assert here.ref == here_now
        assert "random 7 · by model" in here.text
    async with returning(store, "model:kimi") as here:
        assert not here.screen.reading.wanted.order.sorted


async def test_a_named_queue_comes_back_in_its_own_order(tmp_path: Path) -> None:
    store = many(tmp_path)
    queues.save(tmp_path / "annotations", queues.Queue("week", WEEK))
    async with returning(store) as here:
        await command(here, "queue week")
        await here.press("]")
    async with returning(store) as here:
        assert here.screen.reading.name == "week"
        assert [here.screen.queue.row(index).ref for index in range(3)] == list(WEEK)  # type: ignore[union-attr]  # they are there
        assert here.ref == WEEK[2]


async def test_a_named_queue_that_was_sorted_comes_back_sorted(tmp_path: Path) -> None:
    store = many(tmp_path)
    queues.save(tmp_path / "annotations", queues.Queue("week", WEEK))
    async with returning(store) as here:
        await command(here, "queue week")
        await command(here, "sort random 7")
        await command(here, "group model")
        ids = list(here.screen.reading.ids)
        await here.press("]")
        here_now = here.ref
    async with returning(store) as here:
        assert (here.screen.reading.name, list(here.screen.reading.ids), here.ref) == ("week", ids, here_now)
        assert "random 7 · by model" in here.text
        assert "0 of 3 reviewed" in here.lines()[0]
        await command(here, "queue week")
        assert list(here.screen.reading.ids) != ids


async def test_whose_marks_are_seen_and_what_the_board_counts_come_back(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with returning(store, "model:gpt") as here:
        await command(here, "others off")
        await here.press("M")
        await here.idle()
        assert "board of model:gpt" in here.lines()[0]
        await here.press("f")
        await here.idle()
        assert "of everything; f counts model:gpt alone" in here.lines()[0]
    async with returning(store) as here:
        assert "others off" in here.lines()[0]
        await here.press("M")
        await here.idle()
        assert "of everything; f counts model:gpt alone" in here.lines()[0]
        await here.press("escape", "f", *["backspace"] * 9, "enter")
        await here.idle()
        await command(here, "others on")
        await here.press("M")
        await here.idle()
        assert "of model:gpt" not in here.lines()[0]
        assert "of 2" in here.lines()[0]
    async with returning(store) as here:
        assert "others off" not in here.lines()[0]


async def test_what_is_asked_for_outranks_what_is_remembered(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with returning(store, "model:kimi", theme="contrast") as here:
        await here.press("]")
        assert here.ref == "kimi/vip-skip-2/1"
    async with returning(store, at="gpt/vip-skip-2/3#2", theme="ansi") as here:
        assert (here.ref, here.cursor, here.screen.reading.query) == ("gpt/vip-skip-2/3", Item(2), "")
        assert here.app.theme == "ansi"
    async with returning(store, "model:kimi") as here:
        assert here.ref == "kimi/used-item-1/1"
    async with returning(store, "model:kimi") as here:
        await here.press("]", "j")
    async with returning(store, "model:kimi") as here:
        assert (here.ref, here.cursor) == ("kimi/vip-skip-2/1", Item(2))


async def test_a_reference_that_leads_nowhere_is_said_beside_the_first_conversation(tmp_path: Path) -> None:
    async with room(many(tmp_path), at="nobody/used-item-1/1") as here:
        assert here.foot.startswith("Nothing stands at nobody/used-item-1/1")
        assert (here.ref, here.screen.queue.cursor) == ("gpt/used-item-1/1", 0)
        await here.press("j")
        assert here.cursor.message == 2


async def test_what_is_gone_is_not_missed(tmp_path: Path) -> None:
    store = many(tmp_path)
    Memory(store, "maria", folder=tmp_path / "state").keep(
        LastPlace("nobody/nothing/1#4", "model:nobody", "sideways", ("smell",), ("x", "9.", "3.text"), "mauve")
    )
    async with returning(store) as here:
        assert here.ref == "gpt/used-item-1/1"
        assert here.screen.reading.total == 12
        assert "model:nobody, is off: nothing passes it now" in here.foot
        assert here.app.theme == "dark"
    Memory(store, "maria", folder=tmp_path / "state").keep(LastPlace(sort="smell up", group="mood"))
    async with returning(store) as here:
        assert here.screen.reading.wanted.order.title == ""
    Memory(store, "maria", folder=tmp_path / "state").keep(LastPlace(query="model:("))
    async with returning(store) as here:
        assert "is off" in here.foot


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b'{"ref":3}', b'{"layers":[1]}', b'{"folds":3}', b"\xff\xfe", b"[" * 100_000],
    ids=["empty", "torn", "list", "number", "layers", "folds", "bytes", "deep"],
)
async def test_a_damaged_memory_is_forgotten_with_a_word(tmp_path: Path, damage: bytes) -> None:
    store = builders.store(tmp_path)
    Memory(store, "maria", folder=tmp_path / "state").keep(LastPlace("kimi/used-item-1/1#3"))
    files(store)[0].write_bytes(damage)
    async with returning(store) as here:
        assert "could not be read back" in here.foot
        assert here.cursor == Item(1)
        await here.press("j")
    async with returning(store) as here:
        assert here.cursor == Item(2)


@pytest.fixture
def nothing_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place is remembered when a test says so: on a busy machine its moment comes between any two keys."""
    monkeypatch.setattr(memories, "_MOMENT", 3600.0)


@pytest.mark.usefixtures("nothing_by_itself")
async def test_moving_writes_nothing_opening_another_does_soon(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with returning(store) as here:
        await here.press("j", "k", "G", "space", "r")
        assert not files(store)
        await here.press("]")
        assert not files(store)
        here.screen.remembering.in_passing()
        await here.idle()
        assert json.loads(files(store)[0].read_text("utf-8"))["ref"].startswith("gpt/vip-skip-2/1")


async def test_a_moment_later_the_place_is_written_without_being_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "_MOMENT", 0.01)
    store = many(tmp_path)
    async with returning(store) as here:
        await here.press("]")
        while not files(store):
            await here.pilot.pause(0.01)


def test_a_place_that_was_not_written_whole_leaves_the_one_before(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "runs.db", "maria", folder=tmp_path / "state")
    memory.keep(LastPlace("kimi/a/1"))
    (kept,) = files(tmp_path / "runs.db")
    before = kept.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, hard))
    try:
        assert "cannot be remembered" in memory.keep(LastPlace("kimi/b/1"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert kept.read_bytes() == before
    assert memory.keep(LastPlace("kimi/b/1")) == ""
    assert Memory(tmp_path / "runs.db", "maria", folder=tmp_path / "state").place == LastPlace("kimi/b/1")


@pytest.mark.usefixtures("nothing_by_itself")
async def test_a_state_folder_that_cannot_be_written_costs_a_sentence(tmp_path: Path) -> None:
    store = many(tmp_path)
    (tmp_path / "state").write_text("a file where a folder should be", "utf-8")
    async with returning(store) as here:
        await here.press("]")
        here.screen.remembering.in_passing()
        await here.idle()
        assert "cannot be remembered" in here.foot
        await here.press("j")
        assert here.cursor == Item(2)


async def test_each_reviewer_has_a_place_of_their_own(tmp_path: Path) -> None:
    store = many(tmp_path)
    async with returning(store, by="ana") as here:
        await here.press("r", "f")
        await here.type("model:kimi")
        await here.press("enter")
        await here.idle()
        await here.press("]", "j")
        left = (here.ref, here.cursor)
    async with returning(store, by="Bea") as here:
        assert (here.ref, here.cursor) == ("gpt/used-item-1/1", Item(1))
        assert here.screen.reading.total == 12
        assert here.screen.viewing.layers == ()
        assert here.screen.remembering.new_here
    async with returning(store, by="ana") as here:
        assert (here.ref, here.cursor) == left
        assert not here.screen.remembering.new_here
    assert len(files(store)) == 2


def test_a_place_of_before_places_had_names_is_taken_over_once(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    Memory(store, "ana", folder=tmp_path / "state").keep(LastPlace("kimi/a/1"))
    (named,) = files(store)
    nameless = named.with_name(f"{named.stem.partition('-')[0]}.json")
    kept = {name: value for name, value in json.loads(named.read_text()).items() if name != "reviewer"}
    named.unlink()
    nameless.write_text(json.dumps(kept), "utf-8")
    assert Memory(store, "bea", lambda: False, tmp_path / "state").place == LastPlace()
    ana = Memory(store, "ana", lambda: True, tmp_path / "state")
    assert (ana.place, ana.new_here) == (LastPlace("kimi/a/1"), False)
    assert nameless.exists()
    ana.keep(LastPlace("kimi/b/1"))
    assert files(store) == [named]
    assert Memory(store, "bea", lambda: True, tmp_path / "state").place == LastPlace()
    assert Memory(store, "ana", folder=tmp_path / "state").place == LastPlace("kimi/b/1")


@pytest.mark.parametrize(
    ("journals", "theirs"),
    [([], "usual"), (["ana"], "ana"), (["ana", "bea"], "ana bea"), (["somebody else"], "")],
)
def test_a_nameless_place_belongs_to_who_wrote_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, journals: list[str], theirs: str
) -> None:
    monkeypatch.setenv("REVIEWER_NAME", "usual")
    stored = builders.stored(builders.customer("Hi."))
    for name in journals:
        Session(tmp_path, name, "runs.db").verdict(stored, "pass")
    assert [
        name for name in ("usual", "ana", "bea") if open_._writes_here(tmp_path, name, tmp_path / "runs.db")
    ] == theirs.split()


def test_each_store_has_a_memory_of_its_own(tmp_path: Path) -> None:
    one, other = tmp_path / "one.db", tmp_path / "other.db"
    Memory(one, "maria", folder=tmp_path).keep(LastPlace("kimi/a/1"))
    assert Memory(one, "maria", folder=tmp_path).place == LastPlace("kimi/a/1")
    assert Memory(other, "maria", folder=tmp_path).place == LastPlace()
