"""How a queue comes to be: what it is to hold is listed behind the screen, then taken with the place kept; its lines.

Owns the one worker that lists: a later wish takes the place of an earlier one. What is wished for is the verbs'.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.worker import get_current_worker

from reviewer.app.queue.queue_line import Extent, Slot, extents, fitted, header, line, wanted
from reviewer.app.shared import rows
from reviewer.app.shared.short_names import ShortNames
from reviewer.basics.clean import printable_line
from reviewer.basics.errors import ReviewerError
from reviewer.basics.glyphs import plainly
from reviewer.figures.measure.row_columns import (
    COLUMNS,
    Inventory,
    RowColumn,
    columns_named,
    inventory_of,
    text_of,
    usual_columns,
)

if TYPE_CHECKING:
    from reviewer.app.queue.heads import Heads
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.app.shared.line_widgets import Bit
    from reviewer.app.shared.position import QueueRequest
    from reviewer.marks.review.ranks import MarkRanks
    from reviewer.marks.row_marks import RowMarks
    from reviewer.transcripts.model import QueueRow
    from reviewer.transcripts.query.orders import Group, Order
    from reviewer.transcripts.store.listings import Listing, Ranks
    from reviewer.transcripts.store.reader import Reader


Then = Callable[["QueueRequest", "Listing"], None]
Columns = tuple[RowColumn, ...]
_PURPOSE = "queue"
_NAMES = 2_000
"""Cases whose names are looked at before one is cut."""


class QueueContents:
    """Lists a queue behind the screen and brings it there."""

    def __init__(self, screen: ReviewScreen, columns: str = "") -> None:
        self._screen = screen
        self.lines = QueueLines(screen, columns)

    def bring(self, want: Callable[[Reader], QueueRequest], then: Then) -> None:
        """Find out what is wanted and list it, both on a thread; then hand it over, unless something else is wanted."""
        screen = self._screen
        screen.reading.stop(_PURPOSE)
        ranks = screen.marking.ranks()
        screen.run_worker(lambda: self._work(want, then, ranks), thread=True, exclusive=True, group=_PURPOSE)

    def read_all(self) -> None:
        """Read the rest of a queue whose first page is there."""
        wanted = self._screen.reading.wanted
        self.bring(lambda _: wanted, self.take)

    def take(self, wanted: QueueRequest, listing: Listing) -> None:
        """Go on with this queue; the cursor stays on what is read, or is off the list when that is not in it."""
        screen, reading = self._screen, self._screen.reading
        reading.take(wanted, listing)
        screen.viewing.seek(tuple(wanted.selection.words()))
        self.entitle()
        screen.queue.show(reading.ids, -1 if reading.index is None else reading.index, reading.starts)
        screen.changed()

    def entitle(self) -> None:
        """Say above the queue how it is sorted and grouped, and what most in it have in common."""
        screen = self._screen
        words = " · ".join(filter(None, (rows.queue_title(screen.reading.wanted.order), self.lines.usual)))
        screen.queue.entitle(plainly(words, screen.viewing.plain))

    def forget(self) -> None:
        """Forget lines and heads whose facts may have changed, so that they are read again."""
        self.lines.forget()
        self._screen.queue.forget()
        self.entitle()

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
        from reviewer.figures.measure.acts import unsafe

        return dict.fromkeys(unsafe(reader.tallies), 1)
    if order.by != "unread" and order.by != "tags":
        return {}
    if marks is None:
        raise ReviewerError("The journals are not read yet.", "Sort by tags and reviews in a moment.")
    ranks = marks.by(order.by)
    known = reader.orders.rowids(ref for ref, rank in ranks.items() if rank)
    return {rowid: ranks[ref] for ref, rowid in known.items()}


class QueueLines:
    """What the lines of the queue say, as things stand, and in which columns."""

    def __init__(self, screen: ReviewScreen, chosen: str = "") -> None:
        self._screen = screen
        self.chosen = chosen
        """The columns that somebody chose, as they are typed; empty for the usual ones."""
        self._heads: Heads | None = None
        self._known: Inventory | None = None
        self._laid: dict[tuple[Columns, int, int], tuple[Slot, ...]] = {}
        self._wanted: dict[tuple[Columns, int], int] = {}
        self._extents: dict[str, Extent] = {}
        self._columns: dict[tuple[str, Group, bool], Columns] = {}
        self._short: dict[tuple[str, int], ShortNames] = {}
        self._scanned = False

    def forget(self) -> None:
        """Look again at the heads, and at what there is to show."""
        if self._heads is not None:
            self._heads.forget()
        self._known = None
        self.lay_out()

    def lay_out(self) -> None:
        """Fit the columns anew."""
        self._laid.clear()
        self._wanted.clear()
        self._extents.clear()
        self._columns.clear()

    def know_scanned(self, scanned: bool) -> bool:
        """Make room for what is suggested, once there is anything; False when there is room for it already."""
        if scanned == self._scanned:
            return False
        self._scanned = scanned
        self.lay_out()
        return True

    # -- columns -----------------------------------------------------------------------------------------------------

    @property
    def known(self) -> Inventory:
        """What the store has to show."""
        if self._known is None:
            try:
                self._known = inventory_of(self._screen.reading.reader)
            except ReviewerError as error:
                self._screen.call_later(self._screen.say, str(error), "bad")
                self._known = Inventory()
        return self._known

    @property
    def columns(self) -> Columns:
        """The columns in order; a line does not repeat its group's head, nor the name of the only model."""
        reading = self._screen.reading
        one_model = len(reading.models) < 2 and "model:" not in reading.query
        key = self.chosen, reading.wanted.order.group, one_model
        if key not in self._columns:
            self._columns[key] = self._picked() or self._usual(reading.wanted.order.group, one_model)
        return self._columns[key]

    @property
    def scorers(self) -> list[str]:
        """The scores there are, those of most conversations first."""
        known = self.known.scorers
        return list(dict.fromkeys((*known, *self._screen.reading.reader.vocabulary.keys("score"))))

    def choose(self, text: str) -> None:
        """Show the columns of these names from now on; without a name, the usual ones."""
        columns_named(text, self.scorers)
        self.chosen = text
        self.lay_out()

    def _picked(self) -> Columns:
        try:
            return columns_named(self.chosen, self.scorers) if self.chosen else ()
        except ReviewerError:
            return ()  # what it names is gone from the store

    def _usual(self, group: Group, one_model: bool) -> Columns:
        hidden = {"model"} if group == "model" or (one_model and group != "case") else set()
        if group == "case" and all(row.case is not None for row in self.known.rows):
            hidden.add("case")
        shown = tuple(column for column in usual_columns(self.known) if column.name not in hidden)
        named = group != "case" or any(column.name == "model" for column in shown)
        return shown if named else (COLUMNS["model"], *shown)

    def slots(self, width: int) -> tuple[Slot, ...]:
        """The columns that fit, and where they stand."""
        columns, indent = self.columns, self._indent
        key = columns, width, indent
        if key not in self._laid:
            self._laid[key] = fitted(columns, self._extents_of(columns), width, indent, chosen=bool(self._picked()))
        return self._laid[key]

    def wanted(self) -> int:
        """The cells in which a line says all that it has to say."""
        columns, indent = self.columns, self._indent
        if (columns, indent) not in self._wanted:
            self._wanted[columns, indent] = wanted(columns, self._extents_of(columns), indent)
        return self._wanted[columns, indent]

    @property
    def usual(self) -> str:
        """What most conversations have in common, which is said once instead of on every line."""
        said = [*(["wrote"] if self.known.wrote else []), *([self.known.ended] if self.known.ended else [])]
        return printable_line(f"unless marked: {', '.join(said)}") if said else ""

    @property
    def _indent(self) -> int:
        return 2 if self._screen.reading.wanted.order.group else 0

    def _extents_of(self, columns: Columns) -> dict[str, Extent]:
        if not all(column.name in self._extents for column in columns):
            plain = self._screen.viewing.plain
            self._extents.update(extents(columns, self.known, plain, suggested=self._scanned))
        return self._extents

    # -- lines -------------------------------------------------------------------------------------------------------

    def line(self, row: QueueRow, marks: RowMarks, width: int) -> list[Bit]:
        """A conversation."""
        return line(row, self.slots(width), self.known, marks, self._shorten, self._screen.viewing.plain)

    def head(self, start: int, stop: int, width: int) -> list[Bit]:
        """The head of a group."""
        from reviewer.app.queue.heads import head_line, heads_of

        if self._heads is None:
            self._heads = heads_of(self._screen)
        reading = self._screen.reading
        head = self._heads.head(reading.ids, start, stop, reading.wanted.order.group)
        shorten = partial(self._shorten, reading.wanted.order.group)
        return head_line(head, width, self._screen.viewing.plain, shorten)

    def heading(self, width: int) -> list[Bit]:
        """The names of the columns."""
        return header(self.slots(width), self._screen.reading.wanted.order, self._screen.viewing.plain)

    def _shorten(self, column: str, name: str, width: int) -> str:
        """A name that no other is shown alike with."""
        if (column, width) not in self._short:
            self._short[column, width] = ShortNames(width, self._names(column, width), plain=self._screen.viewing.plain)
        return self._short[column, width].shown(name)

    def _names(self, column: str, width: int) -> list[str]:
        """The names that may have to be told apart, where they are not very many."""
        if column == "model":
            return list(self._screen.reading.info["models"])
        if column not in ("case", "family") or self._fits(column, width):
            return []
        names = self._screen.reading.reader.vocabulary.values(column, limit=_NAMES + 1)
        return names if len(names) <= _NAMES else []

    def _fits(self, column: str, width: int) -> bool:
        return all(cell_len(text_of(COLUMNS[column], row)) <= width for row in self.known.rows)
