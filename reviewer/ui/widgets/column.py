"""A column of a comparison: one conversation, level with its neighbours, with a cursor by item.

Owns the cursor and what is on screen. Where the rows begin is decided for all columns together: a column that wants to
scroll says so and is told where to stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.events import Resize
from textual.strip import Strip

from reviewer.model import Part
from reviewer.ui.bindings import bindings
from reviewer.ui.flow import Flow, Place
from reviewer.ui.level import Level, revealing
from reviewer.ui.messages import ColumnClicked, ColumnScrolled
from reviewer.ui.sheet import Item
from reviewer.ui.widgets.paged import Lay, Walked
from reviewer.ui.widgets.strips import Bit, width_of


@dataclass(frozen=True, slots=True)
class Rule:
    """The line drawn where conversations part: before which item, and what it says."""

    item: Item
    words: Sequence[Bit] = ()
    line: str = "─"


class Column(Walked):
    """One of several conversations side by side."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("select")]

    def __init__(self, number: int) -> None:
        super().__init__(id=f"column-{number}")
        self.number = number
        self.active = False
        """Whether the cursor that counts is in this column."""
        self._rule: Rule | None = None
        self._level = Level(Flow(0, int), Place(0, 0))
        self._top = 0
        self._lines: list[Place | None] = []

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
        """The cursor on this item, or on its message where calls are hidden."""
        self.cursor = self._there(item)
        start, end = self._rows(self.cursor)
        self._want(revealing(self._top, start, end, self.size.height))

    def level_with(self, row: int) -> None:
        """The cursor on the item that stands on a row, or the nearest, without scrolling."""
        if self._page is None or not self.items:
            return
        first, last = self._level.ends()
        place = self._level.lines(max(first, min(row, last - 1)), 2)
        found = next((each for each in place if each is not None), None)
        if found is not None:
            item = self._page.sheet.item_at(found)
            self.cursor = self._there(item)
            self.repaint()

    def reveal(self, item: Item, part: Part, offset: int) -> None:
        """The cursor on an item, with the line on screen that shows a character of it."""
        if self._page is None:
            return
        self.cursor = self._there(item)
        sheet = self._page.sheet
        row = self._level.row(Place(sheet.index(item), sheet.line_of(item, part, offset)))
        self._want(revealing(self._top, row, row + 1, self.size.height, margin=4))

    def scroll_lines(self, lines: int) -> bool:
        """Ask for other rows."""
        self._want(self._top + lines)
        return True

    # -- painting ----------------------------------------------------------------------------------------------------

    def drawn(self, y: int) -> Strip:
        """The line as laid out, with everything laid over it; or the rule."""
        if self._rule is not None and y == -1 - self._top:
            bits: list[Bit] = [(self._rule.line * 2, "parting"), *self._rule.words, (" ", "")]
            rest = self._rule.line * max(0, self.size.width - width_of(bits))
            return self.strip([*bits, (rest, "parting")])
        place = self._lines[y] if y < len(self._lines) else None
        if self._page is None or place is None:
            words = self.instead[y - 1] if 0 < y <= len(self.instead) and not self.items else ""
            return self.strip([(f"  {words}", "muted")]) if words else self.blank
        bar = "bar" if self.active and self._page.is_at(place, self.cursor) else ""
        return self._page.strip(place, self.palette, bar)

    def on_resize(self, _: Resize) -> None:
        """Fill the screen."""
        self._redraw()

    def place_at(self, row: int) -> Place | None:
        """The line that stands on a row; None for the rule and below the end."""
        return self._lines[row] if 0 <= row < len(self._lines) else None

    def clicked(self, item: Item) -> None:
        """A click puts the cursor there."""
        self.post_message(ColumnClicked(self.number, item))

    def gripped(self) -> None:
        """The column where words are selected is the one that counts."""
        self.post_message(ColumnClicked(self.number, None))

    def hold(self, item: Item) -> None:
        """The cursor on an item that is on screen, without scrolling."""
        self.cursor = self._there(item)
        self.repaint()

    def prepare(self) -> None:
        """Lay out for the width there is."""
        width = self.size.width
        if self._lay is None or not width or (self._page and self._page.sheet.width == width):
            return
        sheet = self._lay(width)
        self._laid(sheet)
        origin = Place(0, 0)
        if self._rule is not None and sheet.items:
            origin = Place(sheet.index(self._rule.item), sheet.span(self._rule.item)[0])
        self._level = Level(Flow(len(sheet.items), sheet.height), origin, self._rule is not None)
        self._redraw()

    def _there(self, item: Item) -> Item:
        """The item, or its message where calls are hidden, or the first there is."""
        found = (each for each in (item, Item(item.message), *self.items[:1]) if each in self.items)
        return next(found, Item(0))

    def _rows(self, item: Item) -> tuple[int, int]:
        if self._page is None or not self._level.flow.count:
            return 0, 1
        start, end = self._page.sheet.span(item)
        first = self._level.row(Place(self._page.sheet.index(item), start))
        return first, first + max(1, end - start)

    def _want(self, top: int) -> None:
        self.repaint()
        if top != self._top:
            self.post_message(ColumnScrolled(top))

    def _redraw(self) -> None:
        self._lines = self._level.lines(self._top, self.size.height)
        while self._page is not None and self._page.sheet.measure([place for place in self._lines if place]):
            self._lines = self._level.lines(self._top, self.size.height)
        self.repaint()
