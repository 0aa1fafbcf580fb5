"""How the open conversation comes onto the screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from reviewer.app.marking.tag_screen import Panes
from reviewer.app.reading.widths import Widths, shared_out
from reviewer.app.shared import rows
from reviewer.app.shared.sheet import Item
from reviewer.basics.glyphs import plainly
from reviewer.transcripts.model import QueueRow, Stored
from reviewer.transcripts.refs import Part

if TYPE_CHECKING:
    from reviewer.app.reading.conversation_view import ConversationView, ViewState
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.app.shared.sheet_widgets import SheetWidget


_FRAME = 2
"""Cells of a pane that its frame takes."""

_AROUND = 5
"""Lines that are not for the text: its frame, head and foot."""


class ReadingPanes(Panes):
    """The panes of the reading room: puts what is read before the reader's eyes."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._laid: ViewState | None = None
        """What was laid out."""
        self._widths: Widths | None = None
        self._news = 0
        """The news of the marks that the queue shows."""

    @property
    def views(self) -> list[ConversationView]:
        """The view of the open conversation, in a list."""
        return [self._screen.viewing]

    @property
    def covered(self) -> bool:
        """True while the queue stands over the transcript, as it does on a narrow screen."""
        return self._screen.has_class("-narrow") and self._screen.has_class("-queue")

    def stand(self, index: int) -> None:
        """Put the cursor of the queue on a line, or the nearest there is, and open its conversation.

        Both in one go, so that they come with the same frame.
        """
        ids, queue = self._screen.reading.ids, self._screen.queue
        if ids:
            at = max(0, min(index, len(ids) - 1))
            queue.point(at)
            self._screen.reading.near = at
            stored = self._screen.reading.stored
            if stored is None or stored.rowid != ids[at]:
                self.open(ids[at])

    def open(self, rowid: int, item: Item | None = None) -> None:
        """Show a conversation, at an item of it or at its beginning."""
        screen = self._screen
        stored = screen.reading.open(rowid)
        screen.viewing.judges = screen.marking.shows_judges(stored.ref)
        screen.viewing.take(stored)
        screen.marking.look()
        self._lay_out(item or _first(stored))
        screen.remembering.soon()
        if screen.has_settled:
            screen.reading_ahead.soon()

    def read_again(self) -> None:
        """Look at the open conversation as the store has it now; the reader's place and folds stay."""
        screen, stored = self._screen, self._screen.reading.stored
        if stored is not None:
            screen.viewing.take(screen.reading.open(stored.rowid))

    def present(self) -> None:
        """Show what differs from what is on screen: layers, folds, badges, signs, and what is laid over the words."""
        screen = self._screen
        stored = screen.viewing.stored
        screen.viewing.judges = stored is None or screen.marking.shows_judges(stored.ref)
        self.fit()
        if self._laid != screen.viewing.look:
            self._lay_out()
        if self._news != screen.marking.news:
            self._news = screen.marking.news
            if screen.queueing.lines.know_scanned(screen.marking.scanned):
                screen.queue.repaint()
            else:
                screen.queue.compare_marks()
        paints = screen.viewing.paints()
        screen.transcript.paint(paints)
        screen.tools.paint(paints)

    def reveal(self, item: Item, part: Part, offset: int) -> None:
        """Put the cursor on an item, with the line on screen that shows a character of it, unfolded where need be."""
        if self.hides(item, part, offset):
            self._screen.viewing.open_fold(item, part)
        self.present()
        self.bring(item, part, offset)

    def bring(self, item: Item, part: Part, offset: int) -> None:
        """The same as things are folded now; a queue that covers the transcript makes way."""
        screen = self._screen
        if self.covered:
            screen.remove_class("-queue")
            screen.transcript.focus()
        screen.transcript.reveal(item, part, offset)
        if self.page_of(item) is screen.tools:
            screen.lead_tools()
            screen.tools.reveal(item, part, offset)

    def _lay_out(self, item: Item | None = None) -> None:
        """Show the open conversation with the layers of now; without an item it keeps its place."""
        screen = self._screen
        stored, viewing = screen.reading.stored, screen.viewing
        self._laid = viewing.look
        if stored is None:
            return
        if item is not None:
            beside = self._shared_out(calls=True).text - _FRAME
            viewing.meet_calls_near(item, screen.transcript.size.height or screen.app.size.height - _AROUND, beside)
        self.fit()
        screen.transcript.instead = rows.no_messages(stored, screen.app.bound)
        if item is None:
            screen.transcript.relaid(viewing.transcript, viewing.items())
        else:
            items, start = viewing.items(), _first(stored)
            there = item if item.message <= len(stored.conversation.messages) else start
            screen.transcript.show(viewing.transcript, items, there if there.message or there in items else start)
            screen.transcript.entitle(plainly(rows.title(stored, screen.reading.runs()), viewing.plain))
        screen.tools.show(viewing.margin)

    def fit(self) -> None:
        """Give each pane the cells that it needs for what it shows now."""
        screen, viewing = self._screen, self._screen.viewing
        beside, widths = viewing.mode == "beside", self._shared_out(calls=viewing.calls_met)
        if widths == self._widths:
            return
        self._widths = widths
        screen.tools.set_class(beside, "-beside")  # a class of the screen would style everything anew
        screen.tools.set_class(widths.ruled, "-ruled")
        screen.tools.fold(widths.ruled)
        if widths.queue is None:
            screen.queue.styles.clear_rule("width")
        else:
            screen.queue.styles.width = widths.queue
        screen.transcript.styles.width = widths.text
        screen.tools.styles.width = widths.calls

    def in_sight_beside_calls(self, rows: Mapping[int, int]) -> Iterator[int]:
        """The messages, of those at these rows, that stay on screen when the tool layer opens and narrows the text."""
        text = self._screen.transcript
        here = rows.get(text.cursor.message, 0)  # what is under the cursor stays where it is
        longer = text.size.width / max(1, self._shared_out(calls=True).text - _FRAME)
        yield from (number for number, row in rows.items() if here + (row - here) * longer < text.room)

    def _shared_out(self, *, calls: bool) -> Widths:
        """The cells of each pane, with or without calls to show."""
        screen, beside = self._screen, self._screen.viewing.mode == "beside"
        return shared_out(screen.app.size.width, screen.queue.wanted_width, beside=beside, calls=calls)

    def page_of(self, item: Item) -> SheetWidget:
        """Return the pane that shows an item: the tool layer for a call beside the transcript."""
        beside = item.message and item.call is not None and self._screen.viewing.mode == "beside"
        return self._screen.tools if beside else self._screen.transcript

    def rows(self, ids: Sequence[int]) -> Sequence[QueueRow]:
        """Read the rows of these conversations."""
        return self._screen.reading.rows(ids)


def _first(stored: Stored) -> Item:
    """Return the item at which reading begins: the first message that is not the system's."""
    spoken = (number for number, message in enumerate(stored.conversation.messages, 1) if message.role != "system")
    return Item(next(spoken, 1))
