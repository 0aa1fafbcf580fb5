"""The filter of the queue, a query: completed and counted while it is typed, answered behind the screen.

A filter that lets nothing through keeps its field open, with what excludes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.timer import Timer
from textual.worker import get_current_worker

from reviewer.app.shared.offers import MOST, OfferList
from reviewer.app.shared.rows import counted, pointing
from reviewer.basics.clean import printable_line
from reviewer.basics.errors import QueryError, ReviewerError
from reviewer.basics.glyphs import glyph, plainly
from reviewer.transcripts.query import Query
from reviewer.transcripts.query.orders import AS_STORED, Order

if TYPE_CHECKING:
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.app.shared.position import QueueRequest
    from reviewer.findings.questions import Question
    from reviewer.transcripts.query.completion import Completion
    from reviewer.transcripts.store.listings import Listing
    from reviewer.transcripts.store.reader import Reader


_LIKE = "refund or return · wrote:no role:agent cancelled · forbidden:yes model:kimi*"
_PAUSE = 0.15
_KEYS = "tab ↓ choose · enter filters · ↑ earlier filters · esc leaves"
_CHOOSING = "tab ↓ ↑ choose · enter takes · esc goes back"


class FilterField:
    """The field in which one types which conversations are read."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._waiting: Timer | None = None
        self._list: OfferList | None = None
        self._offers: list[Completion] = []
        self._entered = ""
        """What was entered last, until it is known whether anything passes."""

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            "filter": self.ask,
            "filter.typed": self.typed,
            "filter.complete": self.complete,
            "filter.chosen": self.chosen,
            "filter.picked": self.picked,
            "filter.entered": self.entered,
            "filter.left": self.leave,
        }

    def ask(self) -> None:
        """Ask for a query, beginning with the one there is."""
        self._ask(self._screen.reading.query)

    def typed(self, text: str) -> None:
        """Show what may follow, say what is wrong, and soon how many that would be."""
        self.left()
        if not self._holds(text):
            return  # more was typed since
        self._offer(text)
        query = _read(text)
        if isinstance(query, QueryError) and all(each.end is not None for each in self._offers):
            self._point(query)
        else:
            self._wait(text, query)

    def chosen(self) -> None:
        """Show which offer stands in the field, and soon how many that would be."""
        self.left()
        self._show_offers()
        text = self._screen.prompt.value
        self._wait(text, _read(text))

    def _wait(self, text: str, query: Query | QueryError | None) -> None:
        """Say which keys there are, and count in a moment."""
        self._screen.say(self._keys(), "muted")
        if isinstance(query, Query):
            self._waiting = self._screen.set_timer(_PAUSE, partial(self._count, text, query))

    def _keys(self) -> str:
        words = _KEYS if self._screen.prompt.chosen is None else _CHOOSING
        return plainly(words, self._screen.viewing.plain)

    def complete(self, text: str) -> None:
        """Go to the next of what may stand at the cursor."""
        prompt = self._screen.prompt
        if prompt.chosen is None:
            self.typed(text)
        prompt.choose(1)
        if len(self._offers) == 1:
            prompt.take()

    def picked(self, index: str) -> None:
        """Take the offer of that number."""
        prompt = self._screen.prompt
        prompt.put(int(index))
        prompt.take()

    def entered(self, text: str) -> None:
        """Read what the query lets through; when that is nothing, everything stays as it was."""
        self.leave()
        query = _read(text)
        if query is None:
            self._screen.action_do("command.entered", text)
        elif isinstance(query, QueryError):
            self._ask(text, len(text) if query.position is None else query.position)
            self._point(query)
        else:
            self._entered = text
            self._bring(query, AS_STORED)

    def leave(self) -> None:
        """Close the field and keep the filter there was."""
        self.left()
        self._make_room(0)

    def _ask(self, text: str, at: int | None = None) -> None:
        """Open the field with the list under it."""
        screen = self._screen
        screen.prompt.ask("filter", _LIKE, text, at)
        self._make_room(min(MOST, screen.size.height // 3))
        self.typed(text)

    def resume(self) -> None:
        """Read the named queue of last time, which has its own progress, in the order of last time."""
        wanted = self._screen.reading.wanted
        self._entered = ""
        self._bring(wanted.query, wanted.order)

    def left(self) -> None:
        """Keep the filter there was, and count no more for what was typed."""
        if self._waiting is not None:
            self._waiting.stop()
        self._screen.workers.cancel_group(self._screen, "count")
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
        from reviewer.findings.questions import asked

        return asked(query, lambda: self._screen.marking.session)

    def _holds(self, text: str) -> bool:
        """True if this is what stands in the open field now."""
        prompt = self._screen.prompt
        return prompt.display and prompt.purpose == "filter" and prompt.value == text

    def _count(self, text: str, query: Query) -> None:
        if not self._holds(text):
            return  # a timer that was stopped too late
        question = self.question(query)
        self._screen.run_worker(lambda: self._counted(text, question), thread=True, exclusive=True, group="count")

    def _counted(self, text: str, question: Question) -> None:
        screen, worker = self._screen, get_current_worker()
        if worker.is_cancelled:
            return
        try:
            with screen.reading.apart("count") as reader:
                reader.search.each_moment(lambda: worker.is_cancelled)
                words = counted(reader.count(question.selection(reader)))
                remarks = " ".join(question.unmatched(reader))
        except ReviewerError as error:
            words, remarks = error.message, ""
        if not worker.is_cancelled:
            words = f"{words}. {remarks}" if remarks else words
            screen.app.call_from_thread(self._said, text, words, wrong=bool(remarks))

    def _said(self, text: str, words: str, *, wrong: bool = False) -> None:
        """Say what was come to behind the screen, unless something else stands there by now."""
        screen = self._screen
        if self._holds(text):
            screen.say(printable_line(words if wrong else f"{words}   {self._keys()}"), "bad" if wrong else "muted")

    def _wanted(self, question: Question, reader: Reader) -> QueueRequest:
        from reviewer.app.shared.position import QueueRequest

        screen, selection = self._screen, question.selection(reader)
        if reader.search.lags(selection):
            screen.app.call_from_thread(screen.indexing.begin)
        remarks = tuple(question.unmatched(reader))
        return QueueRequest(question.query, selection, screen.reading.wanted.order, remarks=remarks)

    def take(self, wanted: QueueRequest, listing: Listing) -> None:
        """Go on with these conversations, at the open one when it is among them."""
        screen, ids = self._screen, listing.ids
        if not ids:
            self._refuse(wanted.query)
            return
        self._entered = ""
        screen.marking.session.sight.read(wanted.query)
        screen.queueing.take(wanted, listing)
        if screen.reading.index is None:
            screen.showing.open(ids[0])
            screen.queue.point(0)
        screen.marking.refresh()  # what is shown of others' work may be otherwise here
        number = f"{counted(len(ids))}." if wanted.query.text else f"All {counted(len(ids))}."
        remarks = printable_line(" ".join(wanted.remarks))
        screen.say(f"{number} {remarks}".strip(), "bad" if remarks else "good")

    # -- nothing passes ----------------------------------------------------------------------------------------------

    def _refuse(self, query: Query) -> None:
        """Say that nothing passes, in the open field where nobody has gone elsewhere, and soon what excludes."""
        screen, text, self._entered = self._screen, self._entered, ""
        if text == query.text and screen.is_current and not screen.prompt.display:
            self._ask(text, len(text))
            self.left()
        screen.queueing.refuse(f"No conversation passes {query.text}; the queue stays as it was.")
        question = self.question(query)
        screen.run_worker(lambda: self._explained(text, question), thread=True, exclusive=True, group="count")

    def _explained(self, text: str, question: Question) -> None:
        from reviewer.findings.questions import excluding

        screen, worker = self._screen, get_current_worker()
        if worker.is_cancelled:
            return
        try:
            with screen.reading.apart("count") as reader:
                reader.search.each_moment(lambda: worker.is_cancelled)
                said = excluding(question, reader)
        except ReviewerError:
            return  # somebody typed on
        if said and not worker.is_cancelled:
            words = printable_line(f"Nothing passes. {' '.join(said)} The queue stays as it was.")
            screen.app.call_from_thread(self._said, text, words, wrong=True)

    # -- completion --------------------------------------------------------------------------------------------------

    def _make_room(self, lines: int) -> None:
        """Have so many lines below the field for what may stand there."""
        screen = self._screen
        if self._list is None:
            self._list = OfferList("filter", id="offers")
            screen.mount(self._list)
        self._list.display = bool(lines)
        self._list.styles.height = max(1, lines)
        screen.prompt.styles.margin = (0, 0, lines, 0)

    def _offer(self, text: str) -> None:
        """Offer what may stand at the cursor; what holds characters that steer a terminal is left out."""
        prompt, query = self._screen.prompt, _read(text)
        cursor = prompt.cursor_position
        self._offers = [
            each
            for each in self._completions(text, cursor, query)
            if each.text != text[each.start : cursor] and printable_line(each.text) == each.text
        ]
        prompt.offer([(each.start, cursor if each.end is None else each.end, each.text) for each in self._offers])
        self._show_offers()

    def _show_offers(self) -> None:
        if self._list is not None:
            self._list.show([(each.text, each.meaning) for each in self._offers], self._screen.prompt.chosen)

    def _completions(self, text: str, cursor: int, query: Query | QueryError | None) -> list[Completion]:
        """What the query may go on with; with nothing, or with the cursor at what is wrong, what is meant instead."""
        from reviewer.findings.known_values import ReviewVocabulary
        from reviewer.transcripts.query.completion import complete, corrections

        if query is None:
            return []
        instead = corrections(query) if isinstance(query, QueryError) else []
        if isinstance(query, QueryError) and instead and query.position == cursor:
            return instead
        vocabulary = ReviewVocabulary(self._screen.reading.reader, self._screen.marking.session)
        return complete(text, cursor, vocabulary) or instead


@lru_cache(maxsize=1)
def _read(text: str) -> Query | QueryError | None:
    """What a text asks for, or what is wrong with it; None when it is a command.

    The last answer is kept: what enter takes was read when its last character was typed.
    """
    from reviewer.transcripts.query import parse

    try:
        return None if text.startswith(":") else parse(text)
    except QueryError as error:
        return error.with_traceback(None)
