"""Named queues: drawing a sample into a file, keeping a hand-picked one, opening one with its progress."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from reviewer.app.shared.rows import counted
from reviewer.basics.clean import printable_line
from reviewer.basics.errors import JournalError, ReviewerError
from reviewer.marks.read_extent import ReadCounts
from reviewer.transcripts.query.orders import AS_STORED, Order

if TYPE_CHECKING:
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.app.shared.keyed_screen import Offer
    from reviewer.app.shared.position import QueueRequest
    from reviewer.marks.queues import Queue
    from reviewer.transcripts.store.listings import Listing
    from reviewer.transcripts.store.reader import Reader


_DRAW = re.compile(r"(?P<name>\S+)\s+(?P<size>\d{1,9})(?:\s+by\s+(?P<strata>\w+))?(?:\s+seed\s+(?P<seed>\d{1,18}))?")
_LIKE = "It looks like: draw NAME 60 by family, or: draw NAME 60 seed 7."


class Queues:
    """Commands about the files in annotations/queues."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._refs: tuple[str, ...] = ()
        """What the open queue holds, whether or not it is in this store."""
        self._progress: tuple[tuple[str, ReadCounts], ReadCounts] = (("", ReadCounts()), ReadCounts())

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with their functions; none has a key, the command line leads here."""
        return {"queue.open": self.open, "queue.draw": self.draw, "queue.pick": self.pick}

    def offers(self) -> dict[str, Offer]:
        """Return the completions of this group's commands."""
        return {"queue": self._like}

    def _like(self, typed: str) -> list[tuple[str, str]]:
        """The queues that have what is typed in their name or in what is said of them, the best first."""
        from reviewer.app.shared.pick import ranked

        queues = [(name, self._about(name)) for name in self._names()]
        return [queues[index] for index in ranked(typed, queues)]

    @property
    def progress(self) -> tuple[ReadCounts, int] | None:
        """Say how much of the open named queue this reviewer has reviewed, and of how many; None when none is open."""
        name, total = self._screen.reading.name, self._screen.marking.reviewed
        if not name or total is None:
            return None
        if self._progress[0] != (name, total):
            self._progress = ((name, total), self._done(self._refs))
        return self._progress[1], len(self._refs)

    def open(self, text: str = "", order: Order = AS_STORED) -> None:
        """Read a named queue, in its own order unless told otherwise; without a name, offer those there are."""
        from reviewer.marks import queues

        if text:
            queue = queues.load(self._screen.marking.session.folder, text)
            self._screen.queueing.bring(partial(self._wanted, queue, order), partial(self._take, queue))
            return
        from reviewer.app.shared.pick import Choice, PickScreen

        screen, names = self._screen, self._names()
        if not names:
            screen.say("There are no queues yet. Type :draw NAME 60 by family, or :pick NAME, to make one.", "muted")
            return

        def picked(answer: int | str | None) -> None:
            if isinstance(answer, int):
                self.open(names[answer])

        choices = [Choice(printable_line(name), printable_line(self._about(name))) for name in names]
        screen.app.push_screen(PickScreen("Queues", choices), screen.guarded(picked))

    def draw(self, text: str) -> None:
        """Draw a seeded, stratified sample of what the filter lets through into a file, and read it."""
        from reviewer.transcripts.store.listings import STRATA

        wanted = _DRAW.fullmatch(text)
        if wanted is None:
            raise ReviewerError("That cannot be drawn.", _LIKE)
        if wanted["strata"] and wanted["strata"] not in STRATA:
            raise ReviewerError(f"Nothing is drawn by “{wanted['strata']}”.", f"Draw by: {', '.join(STRATA)}.")
        self._screen.say("Drawing …", "muted")
        self._screen.queueing.bring(partial(self._drawn, wanted, self._screen.reading.wanted), self._taken)

    def pick(self, text: str) -> None:
        """Keep what the filter lets through as a hand-picked queue: no rates will be printed of it."""
        if not text:
            raise ReviewerError("A queue needs a name.", "It looks like: pick NAME.")
        wanted = self._screen.reading.wanted
        self._screen.queueing.bring(lambda _: wanted, partial(self._keep, text))

    def _keep(self, name: str, wanted: QueueRequest, listing: Listing) -> None:
        screen = self._screen
        screen.queueing.take(wanted, listing)
        screen.say("Keeping …", "muted")
        screen.run_worker(
            lambda: self._kept(name, wanted.query.text, listing.ids), thread=True, exclusive=True, group="pick"
        )

    # -- behind the screen -------------------------------------------------------------------------------------------

    def _kept(self, name: str, query: str, ids: array[int]) -> None:
        """Write what was picked: very many references take a moment to read and to write."""
        from reviewer.marks import queues

        screen, session, worker = self._screen, self._screen.marking.session, get_current_worker()
        try:
            with screen.reading.apart() as reader:
                refs = tuple(reader.orders.refs(ids))
            path = queues.save(session.folder, queues.Queue(name, refs, "picked", query, by=session.by, at=_now()))
            words, style = f"Kept {counted(len(refs))} in {printable_line(str(path))}.", "good"
        except ReviewerError as error:
            words, style = printable_line(str(error)), "bad"
        if not worker.is_cancelled:
            screen.app.call_from_thread(screen.say, words, style)

    def _drawn(self, wanted: re.Match[str], kept: QueueRequest, reader: Reader) -> QueueRequest:
        """Draw from what the filter lets through, keep it, and want it."""
        from reviewer.marks import queues
        from reviewer.marks.review.draws import draw

        session = self._screen.marking.session
        name, strata, seed = wanted["name"], wanted["strata"] or "", int(wanted["seed"] or 1)
        sizes = reader.orders.strata(strata, kept.selection, kept.among)
        places = draw(sizes, int(wanted["size"]), seed)
        refs = tuple(reader.orders.refs_at(places, strata, kept.selection, kept.among))
        total = sum(sizes.values())
        how: queues.How = "exhaustive" if len(refs) == total else "drawn"
        queue = queues.Queue(name, refs, how, kept.query.text, seed, strata, total, session.by, _now())
        queues.save(session.folder, queue)
        return self._wanted(queue, AS_STORED, reader)

    def _wanted(self, queue: Queue, order: Order, reader: Reader) -> QueueRequest:
        from reviewer.app.shared.position import QueueRequest
        from reviewer.marks.journal import slug
        from reviewer.transcripts.query import of_queue

        known = reader.orders.rowids(queue.refs)
        among = tuple(known[ref] for ref in queue.refs if ref in known)
        return QueueRequest(of_queue(slug(queue.name)), order=order, name=queue.name, among=among)

    # -- progress ----------------------------------------------------------------------------------------------------

    def _taken(self, wanted: QueueRequest, listing: Listing) -> None:
        from reviewer.marks import queues

        self._take(queues.load(self._screen.marking.session.folder, wanted.name), wanted, listing)

    def _take(self, queue: Queue, wanted: QueueRequest, listing: Listing) -> None:
        screen = self._screen
        if not listing.ids:
            held = f"{queue.name} holds {counted(len(queue.refs))}, none of them in this store."
            screen.queueing.refuse(f"{queue.trouble} {held if queue.refs else f'{queue.name} is empty.'}".strip())
            return
        self._refs = queue.refs
        screen.filtering.take(wanted, listing)
        missing = len(queue.refs) - len(listing.ids)
        gone = f"; {missing:,} of its conversations are not in this store" if missing else ""
        words = f"{queue.name}: {counted(len(listing.ids))}, {printable_line(queue.frame)}{gone}. {queue.trouble}"
        screen.say(words.strip(), "bad" if queue.trouble else "good")

    def _names(self) -> list[str]:
        from reviewer.marks import queues

        return queues.names(self._screen.marking.session.folder)

    def _about(self, name: str) -> str:
        """Say how far this reviewer is with a queue."""
        from reviewer.marks import queues

        try:
            queue = queues.load(self._screen.marking.session.folder, name)
        except JournalError:
            return "its file cannot be read; opening it says why"
        return f"{self._done(queue.refs).words(f'of {len(queue.refs):,}')}, {queue.frame}"

    def _done(self, refs: tuple[str, ...]) -> ReadCounts:
        session = self._screen.marking.session
        reviews = (session.book.ledger.brief(ref).reviewed.get(session.by) for ref in refs)
        return ReadCounts.of(done.extent for done in reviews if done is not None)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
