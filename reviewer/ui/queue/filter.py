"""The filter of the queue, a query: completed and counted while it is typed, answered behind the screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.timer import Timer
from textual.worker import get_current_worker

from reviewer.errors import QueryError, ReviewerError
from reviewer.query import Query
from reviewer.query.orders import AS_STORED, Order
from reviewer.text.clean import printable_line
from reviewer.text.glyphs import glyph
from reviewer.ui.shared.rows import counted, pointing

if TYPE_CHECKING:
    from reviewer.query.completion import Completion
    from reviewer.session.questions import Question
    from reviewer.store.listings import Listing
    from reviewer.store.reader import Reader
    from reviewer.ui.reading.review_screen import ReviewScreen
    from reviewer.ui.shared.position import QueueRequest


_LIKE = "model:kimi* bucket:adversarial “delivered yesterday”"
_PAUSE = 0.15
_OFFERED = 8


class FilterField:
    """The field in which one types which conversations are read."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._waiting: Timer | None = None

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            "filter": self.ask,
            "filter.typed": self.typed,
            "filter.complete": self.complete,
            "filter.entered": self.entered,
            "filter.left": self.left,
        }

    def ask(self) -> None:
        """Ask for a query, beginning with the one there is."""
        text = self._screen.reading.query
        self._screen.prompt.ask("filter", _LIKE, text)
        self.typed(text)

    def typed(self, text: str) -> None:
        """Say what may follow or what is wrong, and soon how many that would be."""
        self.left()
        offered = self._offered(text)
        query = _read(text)
        if isinstance(query, QueryError) and not offered:
            self._point(query)
        else:
            self._screen.say(offered, "muted")
        if isinstance(query, Query):
            self._waiting = self._screen.set_timer(_PAUSE, partial(self._count, text, query))

    def complete(self, text: str) -> None:
        """Put the first of what may stand at the cursor there."""
        cursor = self._screen.prompt.cursor_position
        offered = self._completions(text, cursor)
        if offered:
            self._screen.prompt.fill(offered[0].start, cursor, [each.text for each in offered])

    def entered(self, text: str) -> None:
        """Read what the query lets through; when that is nothing, everything stays as it was."""
        self.left()
        query = _read(text)
        if query is None:
            self._screen.action_do("command.entered", text)
        elif isinstance(query, QueryError):
            self._screen.prompt.ask("filter", _LIKE, text, len(text) if query.position is None else query.position)
            self._point(query)
        else:
            self._bring(query, AS_STORED)

    def resume(self) -> None:
        """Read the named queue of last time, which has its own progress, in the order of last time."""
        wanted = self._screen.reading.wanted
        self._bring(wanted.query, wanted.order)

    def left(self) -> None:
        """Keep the filter there was."""
        if self._waiting is not None:
            self._waiting.stop()
        self._screen.reading.stop("count")

    def _bring(self, query: Query, order: Order) -> None:
        """Read what passes a query in the order there is; a named queue has its own, unless told otherwise."""
        if query.queue:
            self._screen.queues.open(query.queue, order)
        else:
            self._screen.say("Filtering …", "muted")
            self._screen.queueing.bring(partial(self._wanted, self.question(query)), self.take)

    def _point(self, wrong: QueryError) -> None:
        """Say what is wrong above the place where it is."""
        screen, prompt = self._screen, self._screen.prompt
        at = cell_len(prompt.value[: wrong.position or 0]) - prompt.scroll_offset.x
        words = printable_line(f"{wrong.reason} {wrong.hint}".strip())
        screen.say(pointing(words, at, screen.size.width, glyph("here", screen.viewing.plain)), "bad", indent=0)

    # -- behind the screen -------------------------------------------------------------------------------------------

    def question(self, query: Query) -> Question:
        """A query with what is marked now, to be answered behind the screen."""
        from reviewer.session.questions import asked

        return asked(query, lambda: self._screen.marking.session)

    def _count(self, text: str, query: Query) -> None:
        work = partial(self._counted, text, self.question(query))
        self._screen.run_worker(work, thread=True, exclusive=True, group="count")

    def _counted(self, text: str, question: Question) -> None:
        screen, worker = self._screen, get_current_worker()
        try:
            with screen.reading.apart("count") as reader:
                words = counted(reader.count(question.selection(reader)))
        except ReviewerError as error:
            words = error.message
        if not worker.is_cancelled:
            screen.app.call_from_thread(self._said, text, words)

    def _said(self, text: str, words: str) -> None:
        """Say how many there are, unless something else stands there by now."""
        prompt = self._screen.prompt
        if prompt.display and prompt.purpose == "filter" and prompt.value == text:
            self._screen.say(printable_line(f"{words}   {self._offered(text)}"), "muted")

    def _wanted(self, question: Question, reader: Reader) -> QueueRequest:
        from reviewer.ui.shared.position import QueueRequest

        screen, selection = self._screen, question.selection(reader)
        if reader.search.lags(selection):
            screen.app.call_from_thread(screen.indexing.begin)
        return QueueRequest(question.query, selection, screen.reading.wanted.order)

    def take(self, wanted: QueueRequest, listing: Listing) -> None:
        """Go on with these conversations, at the open one when it is among them."""
        screen, ids = self._screen, listing.ids
        if not ids:
            screen.queueing.refuse(f"No conversation passes {wanted.query.text}; the queue stays as it was.")
            return
        screen.marking.session.sight.read(wanted.query)
        screen.queueing.take(wanted, listing)
        if screen.reading.index is None:
            screen.showing.open(ids[0])
            screen.queue.point(0)
        screen.marking.refresh()  # what is shown of others' work may be otherwise here
        screen.say(f"{counted(len(ids))}." if wanted.query.text else f"All {counted(len(ids))}.", "good")

    # -- completion --------------------------------------------------------------------------------------------------

    def _offered(self, text: str) -> str:
        completions = self._completions(text, self._screen.prompt.cursor_position)
        words = "  ".join(each.text for each in completions[:_OFFERED])
        return printable_line(f"tab: {words}{' …' if len(completions) > _OFFERED else ''}") if completions else ""

    def _completions(self, text: str, cursor: int) -> list[Completion]:
        from reviewer.query.completion import complete
        from reviewer.session.known_values import ReviewVocabulary

        vocabulary = ReviewVocabulary(self._screen.reading.reader.vocabulary, self._screen.marking.session)
        return complete(text, cursor, vocabulary)


@lru_cache(maxsize=1)
def _read(text: str) -> Query | QueryError | None:
    """What a text asks for, or what is wrong with it; None when it is a command.

    The last answer is kept: what enter takes was read when its last character was typed.
    """
    from reviewer.query import parse

    try:
        return None if text.startswith(":") else parse(text)
    except QueryError as error:
        return error.with_traceback(None)
