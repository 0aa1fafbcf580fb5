"""The columns of a comparison, level where the conversations part, and how these come into them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.events import Resize
from textual.strip import Strip

from reviewer.app.compare.sides import Level, Side, held, revealing, titles
from reviewer.app.marking.tag_screen import Panes
from reviewer.app.shared import outcomes, rows
from reviewer.app.shared.bindings import bindings
from reviewer.app.shared.line_widgets import Bit, width_of
from reviewer.app.shared.messages import ColumnClicked, ColumnScrolled
from reviewer.app.shared.scroll import slid
from reviewer.app.shared.sheet import Flow, Item, LinePlace
from reviewer.app.shared.sheet_widgets import Lay, MessagePage
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph, plainly
from reviewer.transcripts.refs import Part

if TYPE_CHECKING:
    from reviewer.app.compare.compare_screen import CompareScreen
    from reviewer.app.reading.conversation_view import ConversationView, ViewState


@dataclass(frozen=True, slots=True)
class Rule:
    """The line drawn where conversations part: before which item, and what it says."""

    item: Item
    words: Sequence[Bit]
    line: str


class Column(MessagePage):
    """One of several conversations side by side."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("select")]

    def __init__(self, number: int) -> None:
        super().__init__(id=f"column-{number}")
        self.number = number
        self.active = False
        """Whether the cursor that counts is in this column."""
        self._rule: Rule | None = None
        self._level = Level(Flow(0, int), LinePlace(0, 0))
        self._top = 0
        self._lines: list[LinePlace | None] = []

    # -- what is shown -----------------------------------------------------------------------------------------------

    def show(self, lay: Lay, items: Sequence[Item], cursor: Item, rule: Rule | None) -> None:
        """Take a conversation, level at the rule; it is laid out when the width is known."""
        self._lay, self.items, self._rule = lay, items, rule
        self.cursor = self._there(cursor)
        self._page = None
        self.prepare()
        self.repaint()

    def stand(self, top: int) -> None:
        """Show the rows from there on."""
        self._top = top
        self._redraw()

    @property
    def ends(self) -> tuple[int, int]:
        """The row of its first line, and the row behind its last."""
        self.prepare()
        return self._level.ends()

    @property
    def row(self) -> int:
        """The row at which the item under the cursor begins."""
        return self._rows(self.cursor)[0]

    # -- moving ------------------------------------------------------------------------------------------------------

    def to(self, item: Item) -> None:
        """Put the cursor on this item, or on its message where calls are hidden."""
        self.cursor = self._there(item)
        start, end = self._rows(self.cursor)
        self._want(revealing(self._top, start, end, self.room))

    def level_with(self, row: int) -> None:
        """Put the cursor on the item that stands on a row, or the nearest, without scrolling."""
        if self._page is None or not self.items:
            return
        first, last = self._level.ends()
        place = self._level.lines(max(first, min(row, last - 1)), 2)
        nearest = next((each for each in place if each is not None), None)
        if nearest is not None:
            item = self._page.sheet.item_at(nearest)
            self.cursor = self._there(item)
            self.repaint()

    def reveal(self, item: Item, part: Part, offset: int) -> None:
        """Put the cursor on an item, with the line on screen that shows a character of it."""
        if self._page is None:
            return
        self.cursor = self._there(item)
        sheet = self._page.sheet
        row = self._level.row(LinePlace(sheet.index(item), sheet.line_of(item, part, offset)))
        self._want(revealing(self._top, row, row + 1, self.room, margin=4))

    def scroll_lines(self, lines: int) -> bool:
        """Ask for other rows in all columns."""
        self._want(self._top + lines)
        return True

    # -- painting ----------------------------------------------------------------------------------------------------

    def drawn_message(self, y: int) -> Strip:
        """The line as laid out, with everything laid over it; or the rule."""
        if self._rule is not None and y == -1 - self._top:
            bits: list[Bit] = [(self._rule.line * 2, "parting"), *self._rule.words, (" ", "")]
            rest = self._rule.line * max(0, self.size.width - width_of(bits))
            return self.strip([*bits, (rest, "parting")])
        place = self._lines[y] if y < len(self._lines) else None
        if self._page is None or place is None:
            words = self.instead[y - 1] if 0 < y <= len(self.instead) and not self.items else ""
            return self.strip([(f"  {words}", "muted")]) if words else self.blank
        first, behind = self._page.lines_of(self.cursor)
        return self._page.strip(place, self.palette, "bar" if self.active and first <= place < behind else "")

    def on_resize(self, _: Resize) -> None:
        """Fill the screen."""
        self.fill()
        self._redraw()

    def refit(self) -> None:
        """Fill the rows there are for messages, with the cursor on one of them."""
        self._redraw()
        if self.active:
            self.to(self.cursor)

    def place_at(self, row: int) -> LinePlace | None:
        """The line that stands on a row; None for the rule and below the end."""
        return self._lines[row] if 0 <= row < len(self._lines) else None

    def clicked(self, item: Item) -> None:
        """Put the cursor where a click was."""
        self.post_message(ColumnClicked(self.number, item))

    def gripped(self) -> None:
        """Move the cursor to the column where words are being selected."""
        self.post_message(ColumnClicked(self.number, None))

    def hold(self, item: Item) -> None:
        """Put the cursor on an item that is on screen, without scrolling."""
        self.cursor = self._there(item)
        self.repaint()

    def prepare(self) -> None:
        """Lay out for the width there is."""
        width = self.size.width
        if self._lay is None or not width or (self._page and self._page.sheet.width == width):
            return
        sheet = self._lay(width)
        self._laid(sheet)
        origin = LinePlace(0, 0)
        if self._rule is not None and sheet.items:
            origin = LinePlace(sheet.index(self._rule.item), sheet.span(self._rule.item)[0])
        self._level = Level(Flow(len(sheet.items), sheet.height), origin, self._rule is not None)
        self._redraw()

    def _there(self, item: Item) -> Item:
        """The item, or its message where calls are hidden, or the first there is."""
        candidates = (each for each in (item, Item(item.message), *self.items[:1]) if each in self.items)
        return next(candidates, Item(0))

    def _rows(self, item: Item) -> tuple[int, int]:
        if self._page is None or not self._level.flow.count:
            return 0, 1
        start, end = self._page.sheet.span(item)
        first = self._level.row(LinePlace(self._page.sheet.index(item), start))
        return first, first + max(1, end - start)

    def _want(self, top: int) -> None:
        self.repaint()
        if top != self._top:
            self.post_message(ColumnScrolled(top))

    def _redraw(self) -> None:
        self._lines = self._level.lines(self._top, self.room)
        while self._page is not None and self._page.sheet.measure([place for place in self._lines if place]):
            self._lines = self._level.lines(self._top, self.room)
        self.repaint()


NARROWEST = 44
"""A column is not made narrower than this while there is more than one."""


class ColumnPanes(Panes):
    """The panes of a comparison: puts conversations side by side."""

    def __init__(self, screen: CompareScreen) -> None:
        self._screen = screen
        self._first = 0
        self._shown: list[tuple[Column, Side]] = []
        """What stands where: not yet what will, when the width or the axis has changed."""
        self.top = 0
        self._laid: list[ViewState] = []
        """What was laid out."""

    @property
    def views(self) -> list[ConversationView]:
        """The views of the conversations side by side."""
        return [side.viewing for side in self._screen.comparing.sides]

    @property
    def columns(self) -> list[Column]:
        """The columns in which something stands."""
        return [column for column, _ in self._shown]

    @property
    def column(self) -> Column:
        """The one with the cursor."""
        return self._screen.columns[self._screen.comparing.here - self._first]

    def side_of(self, column: Column) -> int:
        """Return which of the conversations on screen stands in a column."""
        return self._first + self._screen.columns.index(column)

    def choose(self, column: Column) -> None:
        """Move the cursor to a column."""
        self.keep()
        self._screen.comparing.to(self._screen.comparing.first + self.side_of(column))
        self.show()

    def show(self) -> None:
        """Show those that are looked at, level where they part."""
        screen, comparing = self._screen, self._screen.comparing
        sides = comparing.sides
        room = max(1, screen.app.size.width // NARROWEST)
        shown = screen.columns[: min(room, len(sides))]
        self._first = slid(self._first, len(shown), comparing.here, len(sides))
        self._shown = list(zip(shown, sides[self._first :], strict=False))
        self._laid = [view.look for view in self.views]
        items, acts = comparing.parting()
        labels = titles(sides, comparing.axis)
        for index, column in enumerate(screen.columns):
            column.display = index < len(shown)
            if column.display:
                at = self._first + index
                side, item = sides[at], items[at]
                rule = (
                    Rule(item, outcomes.parting(acts[at], screen.plain), glyph("rule", screen.plain)) if item else None
                )
                column.active = at == comparing.here
                column.instead = rows.no_messages(side.stored, screen.app.bound)
                column.entitle(plainly(printable_line(labels[at]), screen.plain))
                column.show(side.viewing.transcript, side.viewing.items(), side.cursor, rule)
                column.paint(side.viewing.paints())
                column.stand(self.top)
        screen.call_after_refresh(self.column.focus)

    def present(self) -> None:
        """Show what differs from what is on screen: layers, folds and badges, and what is laid over the words."""
        if self._laid != [view.look for view in self.views]:
            self.keep()
            self.show()
        for column, side in self._shown:
            column.paint(side.viewing.paints())

    def reveal(self, item: Item, part: Part, offset: int) -> None:
        """Put the cursor on an item, with the line on screen that shows a character of it, unfolded where need be."""
        if self.hides(item, part, offset):
            self._screen.viewing.open_fold(item, part)
        self.present()
        self.bring(item, part, offset)

    def bring(self, item: Item, part: Part, offset: int) -> None:
        """The same as things are folded now."""
        self.column.reveal(item, part, offset)

    def refit(self) -> None:
        """Show them in the room there is now, the row of the cursor where it was."""
        self.keep()
        self.show()
        self.column.to(self.column.cursor)

    def keep(self) -> None:
        """Remember where each column's cursor is."""
        for column, side in self._shown:
            side.cursor = column.cursor

    def page_of(self, _: Item) -> Column:
        """Return the pane that shows an item: the column with the cursor."""
        return self.column

    def stand(self, top: int) -> bool:
        """Show these rows in all columns, as far as there are any; False when nothing moved."""
        before = self.top
        shown = self.columns
        self.top = held(top, [column.ends for column in shown], shown[0].size.height)
        for column in shown:
            column.stand(self.top)
            self._screen.comparing.sides[self.side_of(column)].viewing.seen.update(column.messages)
        return self.top != before
