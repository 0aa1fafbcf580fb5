"""Filtering the queue with a query: completed and counted while it is typed, answered behind the screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.timer import Timer
from textual.worker import get_current_worker

from reviewer.clean import printable_line
from reviewer.errors import ReviewerError

if TYPE_CHECKING:
    from reviewer.query import Selection
    from reviewer.query.completion import Completion
    from reviewer.store.orders import Listing
    from reviewer.store.reader import Reader
    from reviewer.ui.reading import Wanted
    from reviewer.ui.screens.review import ReviewScreen

_PAUSE = 0.15
_OFFERED = 8


class Filtering:
    """The key that decides which conversations are read."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._waiting: Timer | None = None

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {
            "filter": self.ask,
            "filter.typed": self.typed,
            "filter.complete": self.complete,
            "filter.entered": self.entered,
            "filter.left": self.left,
        }

    def ask(self) -> None:
        """Ask for a query, beginning with the one there is."""
        self._screen.prompt.ask(
            "filter", "model:kimi* bucket:adversarial “delivered yesterday”", self._screen.reading.query
        )

    def typed(self, text: str) -> None:
        """Say what may follow, and soon how many that would be."""
        self._wait()
        self._offer(text)
        self._waiting = self._screen.set_timer(_PAUSE, partial(self._count, text))

    def complete(self, text: str) -> None:
        """Put the first of what may stand at the cursor there."""
        prompt = self._screen.prompt
        cursor = prompt.cursor_position
        offered = self._completions(text, cursor)
        if offered:
            prompt.value = text[: offered[0].start] + offered[0].text + text[cursor:]
            prompt.cursor_position = offered[0].start + len(offered[0].text)

    def entered(self, text: str) -> None:
        """Read what the query lets through; when that is nothing, everything stays as it was."""
        self.left()
        self._screen.say("Filtering …", "muted")
        self._screen.queueing.bring(partial(self._wanted, text), self.take)

    def left(self) -> None:
        """Keep the filter there was."""
        self._wait()
        self._screen.reading.stop("count")

    # -- behind the screen -------------------------------------------------------------------------------------------

    def selection(self, reader: Reader, text: str) -> Selection:
        """What a query means in this store and for these journals."""
        from reviewer.annotations.terms import narrowed
        from reviewer.query import EVERYTHING, parse
        from reviewer.session.asking import marked_in

        query = parse(text) if text.strip() else None
        if query is None or not query.ledger:
            return query.selection if query else EVERYTHING
        session = self._screen.marking.session
        return narrowed(query, marked_in(session.folder, session.book.ledger, session.codebook, reader))

    def _count(self, text: str) -> None:
        self._screen.reading.stop("count")
        self._screen.run_worker(partial(self._counted, text), thread=True, exclusive=True, group="count")

    def _counted(self, text: str) -> None:
        screen, worker = self._screen, get_current_worker()
        try:
            with screen.reading.apart("count") as reader:
                words = f"{reader.count(self.selection(reader, text)):,} conversations"
        except ReviewerError as error:
            words = error.message
        if not worker.is_cancelled:
            screen.app.call_from_thread(self._said, words)

    def _said(self, words: str) -> None:
        if self._screen.prompt.display:
            offered = self._offered(self._screen.prompt.value)
            self._screen.say(printable_line(f"{words}   {offered}"), "muted")

    def _wanted(self, text: str, reader: Reader) -> Wanted:
        from reviewer.ui.reading import Wanted

        return Wanted(text.strip(), self.selection(reader, text), self._screen.reading.wanted.order)

    def take(self, wanted: Wanted, listing: Listing) -> None:
        """Go on with these conversations, at the open one when it is among them."""
        screen, ids = self._screen, listing.ids
        if not ids:
            screen.queueing.refuse(f"No conversation passes {wanted.query}; the queue stays as it was.")
            return
        screen.marking.session.sight.read(wanted.query)
        screen.queueing.take(wanted, listing)
        if screen.reading.index is None:
            screen.showing.open(ids[0])
            screen.queue.point(0)
        screen.marking.refresh()  # what is shown of others' work may be otherwise here
        screen.say(f"{len(ids):,} conversations." if wanted.query else f"All {len(ids):,} conversations.", "good")

    # -- completion --------------------------------------------------------------------------------------------------

    def _offer(self, text: str) -> None:
        self._screen.say(self._offered(text), "muted")

    def _offered(self, text: str) -> str:
        found = self._completions(text, self._screen.prompt.cursor_position)
        words = "  ".join(each.text for each in found[:_OFFERED])
        return printable_line(f"tab: {words}{' …' if len(found) > _OFFERED else ''}") if found else ""

    def _completions(self, text: str, cursor: int) -> list[Completion]:
        from reviewer.query.completion import complete
        from reviewer.session.offering import Offering

        session = self._screen.marking.session
        vocabulary = Offering(
            self._screen.reading.reader.vocabulary, session.folder, session.book.ledger, session.codebook
        )
        return complete(text, cursor, vocabulary)

    def _wait(self) -> None:
        if self._waiting is not None:
            self._waiting.stop()
