"""The word index is made behind the screen, once a filter looks for words in a store where it pays."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.transcripts.query import parse
from reviewer.transcripts.store import word_index
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.ui.room import room
from tests.ui.test_seeing import filtered

FEW, EACH = 21, 1_000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with more texts than one scans gladly."""
    talk = tuple(builders.customer(f"Parcel {number} is late.") for number in range(EACH))
    told = [builders.conversation(*talk, case=f"late-{case}") for case in range(FEW)]
    last = builders.conversation(builders.customer("Where is my refund?"), case="refund-1")
    return builders.store(tmp_path_factory.mktemp("large"), *told, last)


def lags(store: Path) -> bool:
    """Whether a word search would want the index first."""
    with Reader(store) as reader:
        return reader.search.lags(parse("refund").selection)


async def test_a_word_filter_is_answered_and_the_index_made(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert lags(large)
    async with room(large) as here:
        await here.press("j")
        assert lags(large)
        await filtered(here, "refund")
        assert here.ref == "kimi/refund-1/1"
        assert not lags(large)
        here.screen.indexing._look()
        assert "indexing" not in here.screen.head.shown
    async with room(large, query="parcel") as here:
        assert here.screen.indexing.words == ""


async def test_a_filter_from_the_start_does_so_too(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    async with room(large, query="refund") as here:
        assert here.ref == "kimi/refund-1/1"
        assert not lags(large)


async def test_a_cache_that_cannot_be_written_costs_nothing_but_time(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    async with room(large) as here:
        await filtered(here, "refund")
        assert here.screen.reading.total == 1
        assert lags(large)


async def test_who_quits_waits_for_no_index(large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(word_index, "_CHUNK", 1)
    async with room(large, query="") as here:
        here.screen.indexing.begin()
        assert "indexing words 0%" in here.screen.head.shown
        (worker,) = (each for each in here.app.workers if each.group == "words")
        while not here.screen.indexing._share:
            await here.pilot.pause()
        worker.cancel()
        await here.idle()
    monkeypatch.setattr(word_index, "WORTHWHILE", 1)
    assert lags(large)
