"""The tool layer beside the transcript: each call level with its message, or below its neighbour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.events import Resize
from textual.strip import Strip

from reviewer.app.shared.bindings import bindings
from reviewer.app.shared.scroll import slid
from reviewer.app.shared.sheet import Item, LinePlace, Paint
from reviewer.app.shared.sheet_widgets import NOWHERE, Lay, SheetWidget, StoredPlace
from reviewer.app.shared.theme import is_plain
from reviewer.basics.glyphs import glyph
from reviewer.transcripts.refs import Part

_AROUND = 3
"""Lines that stay in sight above and below what was gone to."""


def placed(wanted: Sequence[int], heights: Sequence[int], anchor: int, rows: int) -> list[int]:
    """The row of each note, given the rows they want (in order), their heights and which one the reader looks at."""
    if not wanted:
        return []
    at = list(wanted)
    # The anchor moves up, as far as the top, when that brings more of it on screen.
    at[anchor] = max(0, min(max(0, wanted[anchor]), rows - heights[anchor]))
    for index in range(anchor + 1, len(at)):
        at[index] = max(wanted[index], at[index - 1] + heights[index - 1])
    for index in range(anchor - 1, -1, -1):
        at[index] = min(wanted[index], at[index + 1] - heights[index])
    return at


def first_call(paints: Sequence[Paint]) -> Item | None:
    """The first call that any of these stands in."""
    for each in paints:
        if each.call is not None:
            return Item(each.message, each.call)
    return None


class Tools(SheetWidget):
    """The calls of the messages on screen."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("tools")]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.cursor = Item(0)
        self._cited: Item | None = None
        self._revealed: StoredPlace | None = None
        """What is to stay in sight until the cursor moves on."""
        self._beside: Mapping[int, int] = {}
        self._lift = 0
        self._folded = False
        self._lines: dict[int, LinePlace] = {}
        self._lines_here = NOWHERE
        """The lines of the call under the cursor."""

    def show(self, lay: Lay) -> None:
        """Take the calls of a conversation; they are laid out when the width is known, beside rows yet to be told."""
        self._lay, self._page, self._beside = lay, None, {}
        self.prepare()
        self.repaint()

    def fold(self, folded: bool) -> None:
        """Show a rule and nothing else, or the calls again."""
        self._folded = folded
        self._page = None
        self.entitle("" if folded else "Tool layer")
        self.repaint()

    def follow(self, rows: Mapping[int, int], cursor: Item, cited: Item | None = None) -> None:
        """Stand beside these rows, with the cursor there, and in sight of the call that a tag there cites."""
        if cursor != self.cursor:
            self._revealed = None
        if (cursor, cited) != (self.cursor, self._cited):
            self._lift = 0
        if (rows, cursor, cited) != (self._beside, self.cursor, self._cited):
            self._beside, self.cursor, self._cited = rows, cursor, cited
            self._settle()

    def reveal(self, item: Item, part: Part, offset: int) -> None:
        """Keep the line in sight that shows a character of a call."""
        self._revealed = item, part, offset
        self._settle()

    def scroll_lines(self, lines: int) -> bool:
        """Scroll within a call that is taller than the screen; False when there is nothing further."""
        before, anchor, self._revealed = self._lift, self._anchor(), None
        if self.sheet is not None and anchor is not None:
            most = max(0, self.sheet.height(anchor) - self.size.height)
            self._lift = max(0, min(self._lift + lines, most))
            self._settle()
        return self._lift != before

    def drawn(self, y: int) -> Strip:
        """The line of the call that stands there."""
        place = self._lines.get(y)
        if self._folded:
            return self.strip([(glyph("edge", is_plain(self.app)), "faint")])
        if self._page is None or place is None:
            nothing = y == 1 and self._page is not None and not self._page.sheet.items
            return self.strip([("  No calls in this conversation.", "muted")]) if nothing else self.blank
        first, behind = self._lines_here
        return self._page.strip(place, self.palette, "bar" if first <= place < behind else "")

    def on_resize(self, _: Resize) -> None:
        """Stand beside the same rows in the room there is now."""
        self._settle()

    def place_at(self, row: int) -> LinePlace | None:
        """The line of a call that stands on a row."""
        return self._lines.get(row)

    def prepare(self) -> None:
        """Lay out for the width there is."""
        width = self.size.width
        if (
            self._lay is not None
            and width
            and not self._folded
            and (self._page is None or self._page.sheet.width != width)
        ):
            self._laid(self._lay(width))
            self._lift = 0
            self._settle()
        self._lines_here = self._page.lines_of(self.cursor) if self._page is not None and self._lines else NOWHERE

    def _anchor(self) -> int | None:
        """The block one looks at: the call that is cited or under the cursor, else the last call up to its message."""
        if self.sheet is None:
            return None
        if self._revealed is not None and self._revealed[0] in self.sheet.items:
            return self.sheet.items.index(self._revealed[0])
        if self._cited in self.sheet.items:
            return self.sheet.items.index(self._cited)
        nearest = None
        for block, item in enumerate(self.sheet.items):
            if item == self.cursor:
                return block
            if item.message > self.cursor.message:
                break
            if nearest is None or item.message != self.sheet.items[nearest].message:
                nearest = block
        return nearest

    def _settle(self) -> None:
        """Work out which line of which call stands at each row."""
        sheet, rows = self.sheet, self.size.height
        if sheet is not None and self._revealed is not None and self._revealed[0] in sheet.items:
            line, block = sheet.line_of(*self._revealed), sheet.index(self._revealed[0])
            for near in (line + _AROUND, line - _AROUND):
                self._lift = slid(self._lift, rows, near, max(rows, sheet.height(block)))
        self._lines = self._placed()
        self.repaint()

    def _placed(self) -> dict[int, LinePlace]:
        lines: dict[int, LinePlace] = {}
        sheet, rows = self.sheet, self.size.height
        if sheet is None or not rows or not self._beside:
            return lines
        anchor = self._anchor()
        blocks = [
            block
            for block, item in enumerate(sheet.items)
            if item.message in self._beside or (anchor is not None and item.message == sheet.items[anchor].message)
        ]
        heights = [sheet.height(block) for block in blocks]
        wanted: list[int] = []
        for index, block in enumerate(blocks):
            message = sheet.items[block].message
            same = index > 0 and sheet.items[blocks[index - 1]].message == message
            wanted.append(wanted[-1] + heights[index - 1] if same else self._beside.get(message, 0))
        at = placed(wanted, heights, blocks.index(anchor) if anchor in blocks else 0, rows)
        for block, start, height in zip(blocks, at, heights, strict=True):
            start -= self._lift
            for line in range(max(0, -start), min(height, rows - start)):
                lines[start + line] = LinePlace(block, line)
        return lines
