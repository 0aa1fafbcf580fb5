"""The columns of the queue: which there are, and what a click on a cell or on a heading does."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer.app.queue.queue_line import slot_at, sorts
from reviewer.basics.clean import printable_line
from reviewer.figures.measure.row_columns import RowColumn, complete_columns, term_of
from reviewer.transcripts.query.orders import SORTS, Order, parse_order

if TYPE_CHECKING:
    from reviewer.app.queue.order import OrderKeys
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.app.shared.keyed_screen import Offer


_USUAL = "usual"


class ColumnKeys:
    """The command for columns, and the clicks on them."""

    def __init__(self, screen: ReviewScreen, ordering: OrderKeys) -> None:
        self._screen = screen
        self._ordering = ordering

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {"columns": self.choose, "queue.click": self.click}

    def offers(self) -> dict[str, Offer]:
        """Return the completions of this group's commands."""
        return {"columns": self._offered}

    def choose(self, text: str) -> None:
        """Show these columns from now on; without a word, say which there are."""
        screen, lines = self._screen, self._screen.queueing.lines
        if text:
            lines.choose("" if text.lower() == _USUAL else text)
            screen.queue.repaint()
            screen.remembering.soon()
        names = " ".join(column.name for column in lines.columns)
        screen.say(f"Columns: {printable_line(names)}. Name others behind :columns, or say :columns {_USUAL}.", "muted")

    def click(self, index: int | None, x: int, chain: int) -> None:
        """Sort by a heading; filter by a cell, or take that out again; open the conversation where that is no use.

        The first column is the name of a conversation: a click opens it, and once more filters by it.
        """
        screen = self._screen
        slots = screen.queueing.lines.slots(screen.queue.words_shown)
        slot = slot_at(slots, x)
        if index is None:
            if slot is not None and slot.column.sort:
                self._ordering.order(_turned(slot.column, screen.reading.wanted.order))
            return
        row = screen.queue.row(index)
        opens = slot is None or (slot is slots[0] and (index != screen.queue.cursor or chain > 1))
        hidden = row is None or (slot is not None and slot.column.scorer and not screen.marking.shows_judges(row.ref))
        if slot is None or row is None or opens or hidden:
            term = ""
        else:
            term = term_of(slot.column, row, screen.queueing.lines.known)
        if term:
            screen.filtering.entered(switched(screen.reading.query, term))
        else:
            screen.queue.click(index, chain)

    def _offered(self, typed: str) -> list[tuple[str, str]]:
        usual = [_USUAL] if _USUAL.startswith(typed) else []
        return [(each, "") for each in (*usual, *complete_columns(typed, self._screen.queueing.lines.scorers))]


def _turned(column: RowColumn, now: Order) -> Order:
    """The order by a column: its usual way, the other way where it was that, then as stored."""
    usual = parse_order(column.sort, now)
    if not sorts(column, now):
        return usual
    return parse_order("stored", now) if now.turned or not SORTS[now.by].turned else now._replace(turned=True)


def switched(query: str, term: str) -> str:
    """A filter with these terms added, or without them where it had them."""
    there = re.search(rf"(?<!\S){re.escape(term)}(?!\S) ?", query)
    if there:
        return f"{query[: there.start()]}{query[there.end() :]}".strip()
    either = re.search(r"(?i)(?<!\S)or(?!\S)", query)
    return f"({query}) {term}" if either else f"{query} {term}".strip()
