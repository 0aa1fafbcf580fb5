"""Widgets with more lines than fit: the wheel, the scroll bar, and tables with a cursor by line and column."""

from __future__ import annotations

from abc import abstractmethod

from textual.events import Click, MouseDown, MouseMove, MouseScrollDown, MouseScrollUp, MouseUp, Resize
from textual.strip import Strip

from reviewer.app.shared.line_widgets import Bit, ByLine
from reviewer.app.shared.messages import CellEntered, CellMoved


def thumb(first: int, size: int, count: int) -> range:
    """The rows of a scroll bar that stand for what is shown of so many; none when all are."""
    if count <= size:
        return range(0)
    length = max(1, size * size // count)
    start = round(first * (size - length) / (count - size))
    return range(start, start + length)


def slid(first: int, size: int, wanted: int, count: int) -> int:
    """The first of so many that are shown, moved as little as possible so that the wanted one is among them."""
    first = min(max(first, wanted - size + 1), wanted)
    return max(0, min(first, count - size))


WHEEL = 3
"""Lines that a notch of the wheel is worth."""


class ScrollWidget(ByLine, can_focus=True):
    """The base of widgets with more lines than fit."""

    DEFAULT_CSS = """
    ScrollWidget {
        border-title-color: $r-muted;
        &:focus { border-title-color: $foreground; border-title-style: bold; }
    }
    """

    @abstractmethod
    def scroll_lines(self, lines: int) -> bool:
        """Scroll so many lines; False when there was nothing further."""

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Scroll with the wheel."""
        event.stop()
        self.scroll_lines(WHEEL)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Scroll back with the wheel."""
        event.stop()
        self.scroll_lines(-WHEEL)


class BarredWidget(ScrollWidget):
    """The base of widgets with a scroll bar in the last cell of each row, which they draw themselves."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.top = 0
        """The first line on screen."""
        self.thumb = range(0)
        """The rows where the scroll bar stands; none where all lines fit."""
        self.held: int | None = None
        """Which row of it the mouse held when it was last pressed."""

    @property
    def above(self) -> int:
        """The number of rows above the lines, which stay where they are."""
        return 0

    @property
    def lines_shown(self) -> int:
        """The number of rows for lines."""
        return max(0, self.size.height - self.above)

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of lines."""

    def prepare(self) -> None:
        """Work out where the scroll bar stands."""
        bar = thumb(self.top, self.lines_shown, self.count)
        self.thumb = range(bar.start + self.above, bar.stop + self.above) if bar else bar

    def stand(self, top: int) -> bool:
        """Show the lines from there on; False when they are shown already."""
        top = max(0, min(top, self.count - self.lines_shown))
        if top == self.top:
            return False
        self.top = top
        super().repaint()  # the lines say what they said
        return True

    def scroll_lines(self, lines: int) -> bool:
        """Look further on; the cursor stays where it is."""
        return self.stand(self.top + lines)

    def on_mouse_down(self, event: MouseDown) -> None:
        """Take hold of the scroll bar."""
        at, self.held = event.get_content_offset_capture(self), None
        if self.thumb and at.x >= self.size.width - 1:
            self.held = at.y - self.thumb.start if at.y in self.thumb else len(self.thumb) // 2
            self.capture_mouse()
            self._drag(at.y)

    def on_mouse_move(self, event: MouseMove) -> None:
        """Drag the scroll bar along."""
        if self.held is not None and self.app.mouse_captured is self:
            self._drag(event.get_content_offset_capture(self).y)

    def on_mouse_up(self, _: MouseUp) -> None:
        """Let go of the scroll bar."""
        self.release_mouse()

    def _drag(self, y: int) -> None:
        free = max(1, self.lines_shown - len(self.thumb))
        self.stand(round((y - self.above - (self.held or 0)) * (self.count - self.lines_shown) / free))


class TableWidget(ScrollWidget):
    """The base of tables drawn line by line."""

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
        """The number of columns."""
        return 1

    @property
    def shown(self) -> int:
        """The number of columns that fit."""
        return self.wide

    def heading(self) -> list[Bit]:
        """Return the heading above the lines."""
        return []

    def line(self, _: int) -> list[Bit]:
        """Return the text of a line."""
        return []

    def column_at(self, _: int) -> int | None:
        """The column at a cell of the screen."""
        return None

    def to(self, row: int, column: int) -> None:
        """Move the cursor to a cell, or the nearest there is."""
        self.row = max(0, min(row, self.count - 1))
        self.column = max(0, min(column, self.wide - 1))
        self._settle()
        self.post_message(CellMoved())

    def move(self, rows: int, columns: int = 0) -> None:
        """Move the cursor so many cells on."""
        self.to(self.row + rows, self.column + columns)

    def page(self, pages: float) -> None:
        """Move the cursor so many pages on."""
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
        """Move the cursor to the click; a second one enters."""
        at = event.get_content_offset_capture(self)
        column, row = self.column_at(at.x), self._top + at.y - 1
        if 0 <= row < self.count:
            self.to(row if at.y else self.row, self.column if column is None else column)
            if at.y and event.chain > 1:
                self.post_message(CellEntered())

    def scroll_lines(self, lines: int) -> bool:
        """Scroll; the cursor goes along."""
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
