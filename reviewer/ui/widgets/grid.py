"""The grid: a line a case (or model), a cell a run, thousands of lines if need be.

Owns the cursor and what is on screen. It is given how many lines there are and a function that says what a few of them
hold; it keeps only the lines near the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.events import Click, MouseScrollDown, MouseScrollUp, Resize
from textual.strip import Strip
from textual.widget import Widget

from reviewer.ui.cells import GridRow, Shape, column_at, heading, line, shaped
from reviewer.ui.level import slid
from reviewer.ui.messages import CellEntered, CellMoved
from reviewer.ui.theme import styles
from reviewer.ui.widgets.page import WHEEL
from reviewer.ui.widgets.strips import strip_of

Fetch = Callable[[int, int], Sequence[GridRow]]
_NEAR = 60
_KEPT = 1_000


class Grid(Widget, can_focus=True):
    """Outcomes by line and run."""

    def __init__(self, fetch: Fetch, title: str, *, plain: bool, id: str) -> None:
        super().__init__(id=id)
        self.title = title
        self.row = 0
        self.column = 0
        self.count = 0
        self.instead = ""
        """What to say where there are no lines."""
        self._fetch = fetch
        self._plain = plain
        self._columns: Sequence[str] = ()
        self._top = 0
        self._first = 0
        self._rows: dict[int, GridRow] = {}

    def show(self, count: int, columns: Sequence[str], row: int, column: int) -> None:
        """Take so many lines, with these runs above them."""
        self.count, self._columns = count, columns
        self._rows.clear()
        self.to(row, column)

    def forget(self) -> None:
        """Ask again for what the lines say."""
        self._rows.clear()
        self.refresh()

    @property
    def shape(self) -> Shape:
        """How wide its parts are."""
        return shaped(self.size.width, len(self._columns))

    @property
    def height(self) -> int:
        """How many lines are on screen."""
        return max(1, self.size.height - 1)

    def to(self, row: int, column: int) -> None:
        """The cursor to a cell, or the nearest there is."""
        self.row = max(0, min(row, self.count - 1))
        self.column = max(0, min(column, len(self._columns) - 1))
        self._settle()
        self.post_message(CellMoved())

    def move(self, rows: int, columns: int = 0) -> None:
        """The cursor so many cells on."""
        self.to(self.row + rows, self.column + columns)

    def page(self, pages: float) -> None:
        """The cursor so many pages on."""
        self.move(int(pages * self.height))

    def render_line(self, y: int) -> Strip:
        """The names of the runs, then the lines."""
        look, width, ground = styles(self.app.theme), self.size.width, self.rich_style
        if y == 0:
            return strip_of(
                heading(self.title, self._columns, self._first, self.shape, self._plain), look, width, ground
            )
        index = self._top + y - 1
        if index >= self.count:
            words = self.instead if y == 2 and not self.count else ""
            return strip_of([(f"  {words}", "muted")], look, width, ground)
        here = index == self.row
        bits = line(self._row(index), self.shape, self._first, self.column if here else None, self._plain)
        return strip_of(bits, look, width, ground + look["cursor"] if here else ground)

    def on_click(self, event: Click) -> None:
        """A click moves the cursor, a second one reads."""
        at = event.get_content_offset_capture(self)
        column = column_at(at.x, self.shape, self._first)
        row = self._top + at.y - 1
        if at.y and 0 <= row < self.count:
            self.to(row, self.column if column is None else column)
            if event.chain > 1:
                self.post_message(CellEntered())

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """The wheel moves the cursor."""
        event.stop()
        self.move(WHEEL)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """The wheel moves the cursor back."""
        event.stop()
        self.move(-WHEEL)

    def on_resize(self, _: Resize) -> None:
        """Keep the cursor on screen."""
        self._settle()

    def _settle(self) -> None:
        self._top = slid(self._top, self.height, self.row, self.count)
        self._first = slid(self._first, self.shape.shown, self.column, len(self._columns))
        self.refresh()

    def _row(self, index: int) -> GridRow:
        if index not in self._rows:
            if len(self._rows) > _KEPT:
                self._rows.clear()
            start = max(0, index - _NEAR // 2)
            self._rows.update(enumerate(self._fetch(start, min(start + _NEAR, self.count)), start))
        return self._rows[index]
