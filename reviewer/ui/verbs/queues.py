"""Named queues: drawing a sample into a file, keeping a hand-picked one, opening one with its progress."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from reviewer.clean import printable_line
from reviewer.errors import ReviewerError
from reviewer.model import QueueRow

if TYPE_CHECKING:
    from reviewer.annotations.queues import Queue
    from reviewer.ui.screens.review import ReviewScreen

_DRAW = re.compile(r"(?P<name>\S+)\s+(?P<size>\d+)(?:\s+by\s+(?P<strata>\w+))?(?:\s+seed\s+(?P<seed>\d+))?")
_STRATA: dict[str, Callable[[QueueRow], str]] = {
    "family": lambda row: f"{row.family}·{row.bucket}",
    "bucket": lambda row: str(row.bucket),
    "model": lambda row: row.model,
    "case": lambda row: str(row.case),
}
_BATCH = 500


class Queues:
    """Commands about the files in annotations/queues."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Nothing has a key; the command line leads here."""
        return {"queue.open": self.open, "queue.draw": self.draw, "queue.pick": self.pick}

    def open(self, text: str) -> None:
        """Read a named queue in its own order; without a name, say which there are."""
        from reviewer.annotations import queues

        folder = self._screen.marking.session.folder
        if not text:
            names = ", ".join(queues.names(folder))
            self._screen.say(f"Queues: {names}. :quit leaves." if names else "No queues yet. :quit leaves.", "muted")
            return
        self._show(queues.load(folder, text))

    def draw(self, text: str) -> None:
        """Draw a seeded, stratified sample of what the filter lets through into a file, and read it."""
        wanted = _DRAW.fullmatch(text)
        if wanted is None or (wanted["strata"] or "family") not in _STRATA:
            raise ReviewerError("That is no draw.", "It looks like: draw NAME 60 by family, or: draw NAME 60 seed 7.")
        self._screen.say("Drawing …", "muted")
        self._screen.run_worker(partial(self._drawn, wanted), thread=True, exclusive=True, group="filter")

    def pick(self, text: str) -> None:
        """Keep what the filter lets through as a hand-picked queue: no rates will be printed of it."""
        from reviewer.annotations import queues

        if not text:
            raise ReviewerError("A queue needs a name.", "It looks like: pick NAME.")
        reading, session = self._screen.reading, self._screen.marking.session
        refs = tuple(row.ref for row in self._rows(reading.ids))
        queue = queues.Queue(text, refs, "picked", reading.query, by=session.by, at=_now())
        path = queues.save(session.folder, queue)
        self._screen.say(f"Kept {len(refs):,} conversations in {printable_line(str(path))}.", "good")

    def _drawn(self, wanted: re.Match[str]) -> None:
        from reviewer.annotations import queues
        from reviewer.session.drawing import draw

        screen, session, worker = self._screen, self._screen.marking.session, get_current_worker()
        reading = screen.reading
        name, strata, seed = wanted["name"], wanted["strata"] or "", int(wanted["seed"] or 1)
        groups: dict[str, list[str]] = {}
        try:
            with reading.apart() as reader:
                for start in range(0, len(reading.ids), _BATCH):
                    for row in reader.rows(reading.ids[start : start + _BATCH]):
                        groups.setdefault(_STRATA[strata](row) if strata else "", []).append(row.ref)
            refs = draw(groups, int(wanted["size"]), seed)
            how: queues.How = "exhaustive" if len(refs) == len(reading.ids) else "drawn"
            queue = queues.Queue(
                name, tuple(refs), how, reading.query, seed, strata, len(reading.ids), session.by, _now()
            )
            queues.save(session.folder, queue)
        except ReviewerError as error:
            screen.app.call_from_thread(screen.say, printable_line(str(error)), "bad")
        else:
            if not worker.is_cancelled:
                screen.app.call_from_thread(self._show, queue)

    def _show(self, queue: Queue) -> None:
        screen = self._screen
        ids = array("q", [rowid for ref in queue.refs for rowid in screen.reading.reader.find(ref)[:1]])
        screen.filtering.take(ids, screen.reading.selection, f"queue:{queue.name}", queue.name)
        missing = len(queue.refs) - len(ids)
        gone = f"; {missing:,} of its conversations are not in this store" if missing else ""
        screen.say(f"{queue.name}: {len(ids):,} conversations, {queue.how}{gone}.", "good")

    def _rows(self, ids: array[int]) -> list[QueueRow]:
        rows = self._screen.reading.rows
        return [row for start in range(0, len(ids), _BATCH) for row in rows(ids[start : start + _BATCH])]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
