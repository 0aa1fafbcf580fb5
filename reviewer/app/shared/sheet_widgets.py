"""Widgets that show a sheet: what is painted over it, the mouse on it, a cursor by item."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from textual.events import Click, MouseDown, MouseMove, MouseUp
from textual.geometry import Offset
from textual.strip import Strip

from reviewer.app.layout.pieces import Piece
from reviewer.app.shared.line_widgets import Bit, painted, strip_of
from reviewer.app.shared.messages import ItemClicked, WordsChosen
from reviewer.app.shared.paint_index import PaintIndex
from reviewer.app.shared.scroll import ScrollWidget
from reviewer.app.shared.sheet import Item, LinePlace, Paint, Sheet, Spot
from reviewer.app.shared.theme import Palette, Styles, is_plain
from reviewer.basics.glyphs import glyph
from reviewer.transcripts.refs import Part

NOWHERE = LinePlace(0, 0), LinePlace(0, 0)
"""The lines of an item that a sheet does not hold."""


class Page:
    """The part of a sheet that a widget paints."""

    def __init__(self, sheet: Sheet, plain: bool = False) -> None:
        self.sheet = sheet
        self._bar = glyph("cursor", plain)
        self._beside = {"suggested": (glyph("finding", plain), "suggestion")}
        """What stands in the margin of lines over which something is laid, by what that is."""
        self._strips: dict[LinePlace, Strip] = {}
        self._paints: dict[int, list[Paint]] = {}
        self._indexes: dict[int, PaintIndex] = {}
        self._look: Styles = {}
        """What they were drawn with."""

    def paint(self, paints: Iterable[Paint]) -> bool:
        """Lay these over the words from now on, later ones over earlier ones; False when nothing changes."""
        by_message: dict[int, list[Paint]] = {}
        for each in paints:
            by_message.setdefault(each.message, []).append(each)
        changed = by_message != self._paints
        if changed:
            self._paints, self._indexes = by_message, {}
        return changed

    def strip(self, place: LinePlace, palette: Palette, here: str = "") -> Strip:
        """A line with everything laid over it; `here` is the style of the cursor's bar, if the cursor is there."""
        if palette.line is not self._look:
            self._strips.clear()
            self._look = palette.line
        strip = self._of_cursor(place, palette.here, here) if here else self._strips.get(place)
        if strip is None:
            strip = self._strips[place] = strip_of(self.sheet.line(place), palette.line, self.sheet.width)
        message = self.sheet.items[place.block].message
        if message not in self._paints:
            return strip
        if message not in self._indexes:
            self._indexes[message] = PaintIndex(self._paints[message])
        beside: Bit | None = None
        for each in self._indexes[message].over(self.sheet.line(place)):
            for start, end in self.sheet.cells(place, each):
                strip = painted(strip, start, end, palette.over[each.style])
                beside = self._beside.get(each.style, beside) if start else beside
        if beside is None:
            return strip
        return Strip.join([strip_of([beside], palette.here if here else palette.line, 1), strip.crop(1)])

    def _of_cursor(self, place: LinePlace, look: Styles, bar: str) -> Strip:
        """The line with the cursor's bar in its first cell; where no cell is left for it, over the first character."""
        width, line = self.sheet.width, self.sheet.line(place) or (Piece(" ", ""),)
        first, *rest = line
        if first.text.startswith(" "):
            return strip_of([(self._bar, bar), (first.text[1:], first.style), *rest], look, width)
        return Strip.join([strip_of([(self._bar, bar)], look, 1), strip_of(line, look, width).crop(1)])

    def lines_of(self, item: Item) -> tuple[LinePlace, LinePlace]:
        """The first line of an item, and the one behind its last; both the same when it is not on the sheet."""
        block = self.sheet.index(item)
        if not self.sheet.items or (self.sheet.items[block] not in (item, Item(item.message))):
            return NOWHERE
        first, last = self.sheet.span(item)
        return LinePlace(block, first), LinePlace(block, last)


Lay = Callable[[int], Sheet]


StoredPlace = tuple[Item, Part, int]
"""A character of a stored text: of which item and part, and where in it."""


class LinesBelow(Protocol):
    """What is laid out in the last rows of a page."""

    def lines(self, width: int, rows: int) -> list[list[Bit]]:
        """Lay it out in at most so many rows."""


_FAR = 1_000_000
_SHARE = 3
"""The part of a page that something below the messages may take."""


class SheetWidget(ScrollWidget):
    """Lines of a sheet, for reading and for the mouse."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._lay: Lay | None = None
        self._page: Page | None = None
        self._paints: Sequence[Paint] = ()
        self._grip: Spot | None = None
        """What the button was pressed on."""
        self._dragged = False

    @property
    def sheet(self) -> Sheet | None:
        """The sheet that is shown now."""
        return self._page.sheet if self._page else None

    def paint(self, paints: Sequence[Paint]) -> None:
        """Lay these over the words from now on."""
        self._paints = paints
        if self._page is not None and self._page.paint(paints):
            self.repaint()

    @abstractmethod
    def place_at(self, row: int) -> LinePlace | None:
        """The line of the sheet that stands on a row of the screen."""

    def shows(self, item: Item, words: Paint | None = None) -> bool:
        """True if a line of an item is on screen; of these words of it, where any are given."""
        sheet, page = self.sheet, self._page
        if sheet is None or page is None or not sheet.items:
            return False
        first, behind = page.lines_of(item)
        for place in map(self.place_at, range(self.size.height)):
            if place is not None and (first <= place < behind if words is None else sheet.shows(place, words)):
                return True
        return False

    def clicked(self, item: Item) -> None:
        """Tell the screen that an item was clicked."""
        self.post_message(ItemClicked(item))

    def gripped(self) -> None:
        """Tell the screen that words are about to be dragged over."""

    def _laid(self, sheet: Sheet) -> None:
        """Take a sheet as laid out."""
        self._page = Page(sheet, is_plain(self.app))
        self._page.paint(self._paints)

    # -- the mouse ---------------------------------------------------------------------------------------------------

    def on_mouse_down(self, event: MouseDown) -> None:
        """Prepare for a drag from here; with shift the mouse is the terminal's."""
        self._dragged = False
        self._grip = None if event.shift else self._spot(event.get_content_offset_capture(self))

    def on_mouse_move(self, event: MouseMove) -> None:
        """Select from where the button was pressed to here, scrolling at the edges."""
        grip = self._grip
        if grip is None:
            return
        at = event.get_content_offset_capture(self)
        if not self._dragged:
            if self._spot(at) == grip:
                return
            self._dragged = True
            self.capture_mouse()
            self.gripped()
        if not 0 <= at.y < self.size.height:
            self.scroll_lines(1 if at.y > 0 else -1)
        head = self._head(grip, at)
        self.post_message(WordsChosen(grip.item, grip.part, min(grip.start, head.start), max(grip.end, head.end)))

    def on_mouse_up(self, _: MouseUp) -> None:
        """End the drag; its words stay selected."""
        self._grip = None
        self.release_mouse()

    def on_click(self, event: Click) -> None:
        """Put the cursor where a click was; a second one takes the word, a third one the sentence."""
        at = event.get_content_offset_capture(self)
        place = self.place_at(at.y)
        if self._dragged or self.sheet is None or place is None:
            return
        self.clicked(self.sheet.item_at(place))
        spot = self._spot(at)
        if event.chain > 1 and spot is not None:
            self.post_message(WordsChosen(*spot, "word" if event.chain == 2 else "unit"))

    def _spot(self, at: Offset) -> Spot | None:
        place = self.place_at(at.y)
        return self.sheet.spot(place, at.x) if self.sheet is not None and place is not None else None

    def _head(self, grip: Spot, at: Offset) -> Spot:
        """The characters nearest to the pointer, of the text that was gripped; a line of another counts as its edge."""
        step = 1 if at.y < 0 else -1
        rows = range(max(0, min(at.y, self.size.height - 1)), self.size.height if step > 0 else -1, step)
        spot = None
        for row in rows:
            place = self.place_at(row)
            if self.sheet is not None and place is not None:
                x = at.x if row == at.y else _FAR if row < at.y else -1
                spot = self.sheet.spot(place, x, grip)
            if spot is not None:
                break
        return spot or grip


class MessagePage(SheetWidget):
    """A page of messages, with a cursor by item."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.items: Sequence[Item] = ()
        self.cursor = Item(0)
        self.instead: Sequence[str] = ()
        """Lines to show where there are no messages."""
        self._lines: Sequence[LinePlace | None] = ()
        """What stands on each row that is left for messages."""
        self._below: LinesBelow | None = None
        self._about: StoredPlace | None = None
        self._below_lines: list[list[Bit]] = []

    @abstractmethod
    def to(self, item: Item) -> None:
        """Put the cursor on this item, or on its message where calls are hidden."""

    @abstractmethod
    def hold(self, item: Item) -> None:
        """Put the cursor on an item that is on screen, without scrolling."""

    @abstractmethod
    def reveal(self, item: Item, part: Part, offset: int) -> None:
        """Put the cursor on an item, with the line on screen that shows a character of it."""

    @property
    def room(self) -> int:
        """The rows that are left for messages."""
        return self.size.height - len(self._below_lines)

    def put_below(self, below: LinesBelow | None, about: StoredPlace | None = None) -> None:
        """Give the last rows to something else, as many as it needs of a third of all; what it is about stays seen."""
        if below != self._below:
            self._below, self._about = below, about
            self.fill()

    def fill(self, *, resized: bool = False) -> None:
        """Fill the page anew, with what stands in its last rows; what that is about is not lost from sight."""
        about, before, size = self._about, self.room, self.size
        seen = about is not None and self._shows(about)
        self._below_lines = self._below.lines(size.width, max(2, size.height // _SHARE)) if self._below else []
        if resized or self.room != before:
            self.refit()
        if about is not None and seen and not self._shows(about):
            self.reveal(*about)
        self.repaint()

    def _shows(self, about: StoredPlace) -> bool:
        """True if the line that shows a stored character is on screen."""
        item, part, offset = about
        sheet = self.sheet
        if sheet is None or not sheet.items:
            return False
        return LinePlace(sheet.index(item), sheet.line_of(item, part, offset)) in self._lines

    @abstractmethod
    def refit(self) -> None:
        """Fill the rows there are for messages, with the cursor on one of them."""

    def drawn(self, y: int) -> Strip:
        """A row of the messages, or of what stands below them."""
        if self._below_lines and y >= self.room:
            return self.strip(self._below_lines[y - self.room])
        return self.drawn_message(y)

    @abstractmethod
    def drawn_message(self, y: int) -> Strip:
        """A row of the messages."""

    def move(self, by: int) -> None:
        """Move the cursor so many items on."""
        if self.items:
            at = self.items.index(self.cursor) if self.cursor in self.items else 0
            self.to(self.items[max(0, min(at + by, len(self.items) - 1))])

    @property
    def messages(self) -> set[int]:
        """The messages that are on screen."""
        sheet, places = self.sheet, map(self.place_at, range(self.room))
        return {sheet.items[place.block].message for place in places if place is not None} if sheet else set()
