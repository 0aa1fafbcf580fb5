"""The reading room for tests: a real app over a real store and a real journal, driven by keys."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from textual.events import Key
from textual.keys import REPLACED_KEYS, _character_to_key, _get_unicode_name_from_key
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from reviewer.app.app import ReviewerApp
from reviewer.app.reading.memory import Memory
from reviewer.app.reading.review_screen import ReviewScreen
from reviewer.app.shared.position import PATIENCE, ReadingPosition
from reviewer.app.shared.sheet import Item
from reviewer.cli.last_place import returned
from reviewer.cli.open import _wanted
from reviewer.findings.review_session import ReviewSession
from reviewer.marks import folder
from reviewer.transcripts.store.connection import waiting_at_most
from reviewer.transcripts.store.reader import Reader

SMALL, LARGE = (80, 24), (140, 40)


def _event(key: str) -> Key:
    """A key by its name or its character, as a terminal would send it."""
    if len(key) == 1:
        return Key(_character_to_key(key), key)
    try:
        return Key(key, unicodedata.lookup(_get_unicode_name_from_key(REPLACED_KEYS.get(key, key))))
    except KeyError:
        return Key(key, None)


@dataclass
class Room:
    """An open reading room."""

    app: ReviewerApp
    pilot: Pilot[None]
    folder: Path

    @property
    def screen(self) -> ReviewScreen:
        """The screen where one reads, whatever stands over it."""
        found = self.app.screen_stack[0]
        assert isinstance(found, ReviewScreen)
        return found

    @property
    def cursor(self) -> Item:
        """The item under the cursor."""
        return self.screen.transcript.cursor

    @property
    def ref(self) -> str:
        """The open conversation."""
        assert self.screen.reading.stored is not None
        return self.screen.reading.stored.ref

    async def press(self, *keys: str) -> None:
        """Press keys one after the other, each when the one before it has been dealt with."""
        self.send(*keys)
        await self._dealt_with()

    async def idle(self) -> None:
        """Wait until nothing works behind the screen; what a later look has overtaken counts as done."""
        while working := [worker for worker in self.app.workers if not worker.is_finished]:
            for worker in working:
                with suppress(WorkerCancelled):
                    await worker.wait()
            await self.pilot.pause()
        await self.pilot.pause()

    async def prepared(self) -> None:
        """Wait until what comes next in the queue is read and laid out."""
        while self.screen.reading_ahead.is_due:
            await self.pilot.pause(0.005)

    async def type(self, text: str) -> None:
        """Type a text, character by character."""
        await self.press(*(" " if character == " " else character for character in text))

    def send(self, *keys: str) -> None:
        """Keys that arrive all at once, as over a slow line."""
        assert self.app._driver is not None
        self.app.typed.patience = 60.0  # however busy the machine is
        for key in keys:
            self.app._driver.send_message(_event(key))

    async def burst(self, *keys: str) -> None:
        """Keys that arrive all at once, and all that they set off."""
        await self.press(*keys)
        await self.idle()

    async def _dealt_with(self) -> None:
        await self.pilot.pause()
        while self.app.typed.busy and self.app.is_running:
            await self.pilot.pause()
        await self.pilot.pause()

    def journal(self, by: str = "maria") -> list[dict[str, Any]]:
        """The lines of a reviewer's journal as they are on disk."""
        path = self.folder / f"{by}.jsonl"
        return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []

    def lines(self) -> list[str]:
        """What is on the screen, as text."""
        return [line.text.rstrip() for line in self.app.screen._compositor.render_strips()]

    @property
    def text(self) -> str:
        """All of it as one text."""
        return "\n".join(self.lines())

    @property
    def foot(self) -> str:
        """The line at the foot."""
        return self.screen.foot.shown.strip()


GOLDEN = Path(__file__).resolve().parents[1] / "golden"


def golden(name: str, here: Room) -> None:
    """The screen as text is the one in the file; `make golden` writes it."""
    path = GOLDEN / f"{name}-{here.app.size.width}x{here.app.size.height}.txt"
    text = here.text + "\n"
    if os.environ.get("REVIEWER_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text


@asynccontextmanager
async def returning(
    store: Path, query: str = "", at: str = "", by: str = "maria", **options: Any
) -> AsyncIterator[Room]:
    """Open a store as somebody does who may have been there before; the state folder is beside it."""
    memory = Memory(store, by, folder=store.parent / "state")
    with Reader(store) as reader:
        start = returned(reader, partial(_wanted, reader, store, None), query, at, memory)
        async with _opened(store, start.reading, LARGE, at=start.at, memory=memory, by=by, **options) as here:
            yield here


@asynccontextmanager
async def room(store: Path, size: tuple[int, int] = LARGE, query: str = "", **options: Any) -> AsyncIterator[Room]:
    """Open a store in the reading room."""
    with Reader(store) as reader:
        reading = ReadingPosition(reader, _wanted(reader, store, None, query))
        async with _opened(store, reading, size, **options) as here:
            yield here


@asynccontextmanager
async def _opened(
    store: Path,
    reading: ReadingPosition,
    size: tuple[int, int],
    *,
    codebook: str = folder.GENERAL,
    by: str = "maria",
    **options: Any,
) -> AsyncIterator[Room]:
    annotations = folder.usual(store)
    app = ReviewerApp(reading, lambda: ReviewSession(annotations, by, store.name, codebook), **options)
    with waiting_at_most(PATIENCE):
        async with app.run_test(size=size, notifications=True) as pilot:
            here = Room(app, pilot, annotations)
            while not here.screen.query("#prompt"):  # it comes when the screen settles in
                await pilot.pause()
            await here.idle()
            yield here
