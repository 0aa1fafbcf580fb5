"""Lines below a heading with a cursor by line and column: what grid and board have in common.

Owns the cursor and which lines and columns are on screen. What the lines say is each one's own.
"""

from __future__ import annotations

from textual.events import Click, Resize
from textual.strip import Strip

from reviewer.ui.level import slid
from reviewer.ui.messages import CellEntered, CellMoved
from reviewer.ui.widgets.scrolling import Scrolling
from reviewer.ui.widgets.strips import Bit


class Lined(Scrolling):
    """A table drawn line by line."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.row = 0
        self.column = 0
        self.count = 0
        """How many lines there are."""
        self.instead = ""
        """What to say where there are none."""
        self.first = 0
        """The first column on screen."""
        self._top = 0

    @property
    def wide(self) -> int:
        """How many columns there are."""
        return 1

    @property
    def shown(self) -> int:
        """How many of them fit."""
        return self.wide

    def heading(self) -> list[Bit]:
        """What stands above the lines."""
        return []

    def line(self, _: int) -> list[Bit]:
        """What a line says."""
        return []

    def column_at(self, _: int) -> int | None:
        """The column at a cell of the screen."""
        return None

    def to(self, row: int, column: int) -> None:
        """The cursor to a cell, or the nearest there is."""
        self.row = max(0, min(row, self.count - 1))
        self.column = max(0, min(column, self.wide - 1))
        self._settle()
        self.post_message(CellMoved())

    def move(self, rows: int, columns: int = 0) -> None:
        """The cursor so many cells on."""
        self.to(self.row + rows, self.column + columns)

    def page(self, pages: float) -> None:
        """The cursor so many pages on."""
        self.move(int(pages * self._rows_shown))

    def drawn(self, y: int) -> Strip:
        """The heading, then the lines."""
        index = self._top + y - 1
        if y and index >= self.count:
            words = self.instead if y == 2 and not self.count else ""
            return self.strip([(f"  {words}", "muted")]) if words else self.blank
        bits = self.line(index) if y else self.heading()
        return self.strip(bits, here=bool(y) and index == self.row)

    def on_click(self, event: Click) -> None:
        """A click moves the cursor, a second one enters."""
        at = event.get_content_offset_capture(self)
        column, row = self.column_at(at.x), self._top + at.y - 1
        if 0 <= row < self.count:
            self.to(row if at.y else self.row, self.column if column is None else column)
            if at.y and event.chain > 1:
                self.post_message(CellEntered())

    def scroll_lines(self, lines: int) -> bool:
        """The cursor goes along."""
        before = self.row
        self.move(lines)
        return self.row != before

    def on_resize(self, _: Resize) -> None:
        """Keep the cursor on screen."""
        self._settle()

    @property
    def _rows_shown(self) -> int:
        return max(1, self.size.height - 1)

    def _settle(self) -> None:
        self._top = slid(self._top, self._rows_shown, self.row, self.count)
        self.first = slid(self.first, self.shown, self.column, self.wide)
        self.repaint()
