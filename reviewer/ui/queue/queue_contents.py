"""How a queue comes to be: what it is to hold is listed behind the screen, then taken with the place kept; its lines.

Owns the one worker that lists: a later wish takes the place of an earlier one. What is wished for is the verbs'.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from reviewer.errors import ReviewerError
from reviewer.text.clean import printable_line
from reviewer.text.glyphs import plainly
from reviewer.ui.queue.heads import GroupCounts, Heads, head_line, signs
from reviewer.ui.shared import rows

if TYPE_CHECKING:
    from reviewer.model import QueueRow
    from reviewer.query.orders import Order
    from reviewer.session.ranks import MarkRanks
    from reviewer.store.listings import Listing, Ranks
    from reviewer.store.reader import Reader
    from reviewer.ui.reading.review_screen import ReviewScreen
    from reviewer.ui.shared.line_widgets import Bit
    from reviewer.ui.shared.position import QueueRequest


Then = Callable[["QueueRequest", "Listing"], None]
_PURPOSE = "queue"


class QueueContents:
    """Lists a queue behind the screen and brings it there."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self.lines = QueueLines(screen)

    def bring(self, want: Callable[[Reader], QueueRequest], then: Then) -> None:
        """Find out what is wanted and list it, both on a thread; then hand it over, unless something else is wanted."""
        screen = self._screen
        screen.reading.stop(_PURPOSE)
        work = partial(self._work, want, then, screen.marking.ranks())
        screen.run_worker(work, thread=True, exclusive=True, group=_PURPOSE)

    def read_all(self) -> None:
        """Read the rest of a queue whose first page is there."""
        wanted = self._screen.reading.wanted
        self.bring(lambda _: wanted, self.take)

    def take(self, wanted: QueueRequest, listing: Listing) -> None:
        """Go on with this queue; the cursor stays on what is read, or is off the list when that is not in it."""
        screen, reading = self._screen, self._screen.reading
        reading.take(wanted, listing)
        screen.viewing.seek(tuple(wanted.selection.words()))
        screen.queue.entitle(plainly(rows.queue_title(wanted.order), screen.viewing.plain))
        screen.queue.show(reading.ids, -1 if reading.index is None else reading.index, reading.starts)
        screen.changed()

    def forget(self) -> None:
        """Forget lines and heads whose facts may have changed, so that they are read again."""
        self.lines.forget()
        self._screen.queue.forget()

    def refuse(self, words: str) -> None:
        """Say why the queue stays as it was."""
        self._screen.say(printable_line(words), "bad")
        if not self._screen.reading.complete:
            self.read_all()

    # -- behind the screen -------------------------------------------------------------------------------------------

    def _work(self, want: Callable[[Reader], QueueRequest], then: Then, marks: MarkRanks | None) -> None:
        screen, worker = self._screen, get_current_worker()
        try:
            with screen.reading.apart(_PURPOSE) as reader:
                wanted = want(reader)
                listing = reader.orders.listing(
                    wanted.selection,
                    wanted.order,
                    among=wanted.among,
                    ranks=_ranks(reader, wanted.order, marks),
                    stopped=lambda: worker.is_cancelled,
                )
        except ReviewerError as error:
            if not worker.is_cancelled:
                screen.app.call_from_thread(self._failed, str(error))
            return
        if listing is not None and not worker.is_cancelled:
            screen.app.call_from_thread(screen.guarded(then), wanted, listing)

    def _failed(self, words: str) -> None:
        self._screen.say(printable_line(words), "bad")


def _ranks(reader: Reader, order: Order, marks: MarkRanks | None) -> Ranks:
    """Return the ranks for an order that needs more than the store's own columns."""
    if order.by == "unsafe":
        from reviewer.measure.acts import unsafe

        return dict.fromkeys(unsafe(reader.tallies), 1)
    if order.by != "unread" and order.by != "tags":
        return {}
    if marks is None:
        raise ReviewerError("The journals are not read yet.", "Sort by tags and reviews in a moment.")
    ranks = marks.by(order.by)
    known = reader.orders.rowids(ref for ref, rank in ranks.items() if rank)
    return {rowid: ranks[ref] for ref, rowid in known.items()}


class QueueLines:
    """What the lines of the queue say, as things stand."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._heads = Heads(screen.showing.rows)
        self._heads.ask = GroupCounts(screen, self._heads).ask

    def forget(self) -> None:
        """Look again at the heads."""
        self._heads.forget()

    def line(self, row: QueueRow, width: int) -> list[Bit]:
        """A conversation."""
        screen = self._screen
        plain, marking = screen.viewing.plain, screen.marking
        columns = rows.columns(screen.reading.wanted.order.group, screen.reading.models)
        return rows.queue_line(row, width, columns, signs(row, marking.state(row.ref), marking.by, plain), plain)

    def head(self, start: int, stop: int, width: int) -> list[Bit]:
        """The head of a group."""
        reading = self._screen.reading
        head = self._heads.head(reading.ids, start, stop, reading.wanted.order.group)
        return head_line(head, width, self._screen.viewing.plain)
