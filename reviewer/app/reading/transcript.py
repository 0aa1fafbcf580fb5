"""The transcript: the lines of a conversation near the screen, and a cursor by item.

Owns the place on the screen and the cursor. It is given a sheet, which lays out what is looked at, and stretches to
paint; a cursor that moves without scrolling costs the lines of two items.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.events import Resize
from textual.strip import Strip

from reviewer.app.shared.bindings import bindings
from reviewer.app.shared.messages import CursorMoved
from reviewer.app.shared.sheet import Flow, Item, LinePlace
from reviewer.app.shared.sheet_widgets import NOWHERE, Lay, MessagePage
from reviewer.transcripts.refs import Part


class Transcript(MessagePage):
    """One conversation, read item by item."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("select"), *bindings("transcript")]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._flow = Flow(0, int)
        self._top = LinePlace(0, 0)
        self._lines: list[LinePlace] = []
        self._lines_here = NOWHERE
        """The lines of the item under the cursor."""
        self._moved = False

    # -- what is shown -----------------------------------------------------------------------------------------------

    def show(self, lay: Lay, items: Sequence[Item], cursor: Item) -> None:
        """Take another conversation; it is laid out when the width is known."""
        self._lay, self.items, self.cursor = lay, items, cursor
        self._page = None
        self._paints = ()
        self._fit()
        self.repaint()

    def relaid(self, lay: Lay, items: Sequence[Item]) -> None:
        """Take the same conversation laid out otherwise; what is under the cursor stays where it is."""
        self._lay, self.items = lay, items
        self._fit(again=True)
        self.repaint()

    # -- moving ------------------------------------------------------------------------------------------------------

    def to(self, item: Item) -> None:
        """Put the cursor on this item, or on its message where calls are hidden."""
        wanted = item if item in self.items else Item(item.message)
        if wanted in self.items and wanted != self.cursor:
            self.cursor = wanted
            self._bring_into_view()
            self._redraw()

    def hold(self, item: Item) -> None:
        """Put the cursor on an item that is on screen, without scrolling."""
        self.cursor = item if item in self.items else Item(item.message)
        self._redraw()

    def edge(self, last: bool) -> None:
        """Go to the first or the last item, from its first or to its last line."""
        if self.items:
            self.cursor = self.items[-1 if last else 0]
            self._top = LinePlace(0, 0)
            while last and self._top != (end := self._flow.end(self.room)):
                self._top = end
                self._redraw()
            self._redraw()

    def scroll_lines(self, lines: int) -> bool:
        """Scroll; the cursor comes along when it would leave the screen. False when there was nothing further."""
        before = self._top
        self._top = self._flow.moved(self._top, lines, self.room)
        if self._top == before:
            return False
        self._redraw()
        if self._page and self._lines and self._row_here(self._lines) is None:
            items = [self._page.sheet.item_at(line) for line in self._lines]
            self.cursor = items[0] if lines > 0 else items[-1]
            if self.cursor not in self.items:
                self.cursor = Item(self.cursor.message)
            self._redraw()
        return True

    def page(self, pages: float) -> bool:
        """Scroll by a share of the screen, keeping two lines in sight."""
        return self.scroll_lines(int(pages * max(1, self.room - 2)))

    def reveal(self, item: Item, part: Part, offset: int) -> None:
        """Put the cursor on an item, with the line on screen that shows a character of it."""
        if self._page is None:
            return
        self.cursor = item if item in self.items else Item(item.message)
        sheet = self._page.sheet
        line = sheet.line_of(item, part, offset)
        self._top = self._flow.revealing(self._top, sheet.index(item), (line, line + 1), self.room, margin=4)
        self._redraw()

    def rows(self) -> dict[int, int]:
        """The row at which each message that is on screen begins; negative when it begins above."""
        beginnings: dict[int, int] = {}
        if self._page is not None:
            for row, line in enumerate(self._lines):
                beginnings.setdefault(self._page.sheet.items[line.block].message, row - line.line)
        return beginnings

    def on_idle(self) -> None:
        """Say that it moved, behind what is to be painted, so that the saying does not hold up the frame."""
        if self._moved:
            self._moved = False
            self.post_message(CursorMoved())

    # -- painting ----------------------------------------------------------------------------------------------------

    def drawn_message(self, y: int) -> Strip:
        """The line as laid out, with everything laid over it."""
        if self._page is None or y >= len(self._lines):
            words = self.instead[y - 1] if 0 < y <= len(self.instead) and not self._lines else ""
            return self.strip([(f"  {words}", "muted")]) if words else self.blank
        place = self._lines[y]
        first, behind = self._lines_here
        bar = ""
        if first <= place < behind:
            elsewhere = self.cursor.call is not None and self._page.sheet.item_at(place).call is None
            bar = "bar-away" if elsewhere else "bar"
        return self._page.strip(place, self.palette, bar)

    def on_resize(self, _: Resize) -> None:
        """Keep the screen full, and the cursor on it."""
        self.fill(resized=True)

    def refit(self) -> None:
        """Fill the rows there are for messages, with the cursor on one of them."""
        if self._page is not None and self.size.width == self._page.sheet.width:
            self._top = self._flow.settled(self._top, self.room)
            first, last = self._span()
            # Of an item that is taller than the page, what is looked at may be anywhere.
            if last - first <= self.room or self._row_here(self._flow.lines(self._top, self.room)) is None:
                self._bring_into_view()
            self._redraw()

    def place_at(self, row: int) -> LinePlace | None:
        """The line that stands on a row."""
        return self._lines[row] if 0 <= row < len(self._lines) else None

    def prepare(self) -> None:
        """Lay out for the width there is."""
        self._fit()
        self._lines_here = self._page.lines_of(self.cursor) if self._page is not None else NOWHERE

    def _fit(self, again: bool = False) -> None:
        """Lay out for the width there is; what is under the cursor stays where it was."""
        width = self.size.width
        if self._lay is None or not width or (self._page and self._page.sheet.width == width and not again):
            return
        row = (self._row_here(self._lines) or 0) if self._page else None
        into = self._lines[row].line - self._span()[0] if row is not None and row < len(self._lines) else 0
        sheet = self._lay(width)
        self._laid(sheet)
        self._flow = Flow(len(sheet.items), sheet.height)
        self._lines = []
        if self.cursor not in self.items:
            message = Item(self.cursor.message)
            self.cursor = message if message in self.items else next(iter(self.items), message)
        if row is None:
            self._top = LinePlace(0, 0)
            self._bring_into_view()
        else:
            start, end = self._span()
            kept = LinePlace(sheet.index(self.cursor), start + max(0, min(into, end - start - 1)))
            self._top = self._flow.moved(kept, -row, self.room)
            if not again:
                self._bring_into_view()
        self._redraw()

    def _row_here(self, places: Sequence[LinePlace]) -> int | None:
        """The first of these lines that belongs to the item under the cursor."""
        first, behind = self._page.lines_of(self.cursor) if self._page is not None else NOWHERE
        for row, place in enumerate(places):
            if first <= place < behind:
                return row
        return None

    def _span(self) -> tuple[int, int]:
        return self._page.sheet.span(self.cursor) if self._page and self._flow.count else (0, 1)

    def _bring_into_view(self) -> None:
        if self._page is not None and self._flow.count:
            block = self._page.sheet.index(self.cursor)
            height = self.room
            self._top = self._flow.revealing(self._top, block, self._span(), height, margin=max(1, height // 8))

    def _redraw(self) -> None:
        """Take what stands on screen now."""
        self._lines = self._flow.lines(self._top, self.room)
        while self._page is not None and self._page.sheet.measure(self._lines):
            self._top = self._flow.settled(self._top, self.room)
            self._lines = self._flow.lines(self._top, self.room)
        self.repaint()
        self._moved = True
