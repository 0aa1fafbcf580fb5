"""Ordering the queue: sorted by what is known of a conversation, or grouped; the cursor stays on what is read."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.worker import get_current_worker

from reviewer.clean import printable_line
from reviewer.errors import ReviewerError
from reviewer.model import QueueRow

if TYPE_CHECKING:
    from reviewer.ui.screens.review import ReviewScreen

Key = Callable[[QueueRow], Any]
_BATCH = 500
_AS_STORED = "as stored"
_RANDOM = "random, the same for everybody"


class Ordering:
    """The keys that sort and group the queue."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {
            "queue.sort": partial(self.pick, "Sort by", self._sorts),
            "queue.group": partial(self.pick, "Group by", self._groups),
        }

    def pick(self, title: str, orders: Callable[[], dict[str, Key | None]]) -> None:
        """Offer the orders there are."""
        from reviewer.ui.screens.pick import Choice, PickScreen

        screen, found = self._screen, orders()
        names = list(found)

        def picked(answer: int | str | None) -> None:
            if isinstance(answer, int):
                screen.say("Sorting …", "muted")
                work = partial(self._sorted, names[answer], found[names[answer]])
                screen.run_worker(work, thread=True, exclusive=True, group="filter")

        screen.app.push_screen(PickScreen(title, [Choice(name) for name in names]), screen.guarded(picked))

    def _sorts(self) -> dict[str, Key | None]:
        session, desk = self._screen.marking.session, self._screen.viewing.desk

        def unreviewed(row: QueueRow) -> bool:
            return session.by in session.state(row.ref).reviewed

        return {
            _AS_STORED: None,
            "unreviewed first": unreviewed,
            "most tags first": lambda row: -len(session.shown(row.ref).tags),
            "most messages first": lambda row: -row.messages,
            "most calls first": lambda row: -row.tool_calls,
            "most failed calls first": lambda row: -row.errors,
            "most writes first": lambda row: -sum(desk.kind(name) == "write" for name in row.tools),
            _RANDOM: None,
        }

    def _groups(self) -> dict[str, Key | None]:
        return {
            "nothing": None,
            "case": lambda row: (row.case is None, row.case or "", row.model, row.run or 0),
            "model": lambda row: (row.model, row.run or 0, row.case or ""),
            "family": lambda row: (row.family is None, row.family or "", row.bucket or "", row.case or ""),
        }

    def _sorted(self, name: str, key: Key | None) -> None:
        screen, worker = self._screen, get_current_worker()
        reading = screen.reading
        try:
            ids = reading.all_ids(reading.selection, lambda: worker.is_cancelled) if key is None else reading.ids
            if ids is None:
                return
            if name == _RANDOM:
                ids = array("q", random.Random(1).sample(ids, len(ids)))  # noqa: S311 -- an order, not a secret
            elif key is not None:
                rows = sorted(self._rows(ids, lambda: worker.is_cancelled), key=key)
                ids = array("q", [row.rowid for row in rows])
        except ReviewerError as error:
            screen.app.call_from_thread(screen.say, printable_line(str(error)), "bad")
            return
        if not worker.is_cancelled:
            screen.app.call_from_thread(self._take, ids, name)

    def _rows(self, ids: array[int], stopped: Callable[[], bool]) -> Iterator[QueueRow]:
        with self._screen.reading.apart() as reader:
            for start in range(0, len(ids), _BATCH):
                if stopped():
                    return
                yield from reader.rows(ids[start : start + _BATCH])

    def _take(self, ids: array[int], name: str) -> None:
        reading = self._screen.reading
        reading.ids, reading.complete = ids, True
        self._screen.queue.show(ids, -1 if reading.index is None else reading.index)
        self._screen.say(f"Queue: {name}.", "muted")
