"""Lines of a sheet as strips: cached as they are laid out, with cursor and paint laid over them afterwards."""

from __future__ import annotations

from collections.abc import Iterable

from textual.strip import Strip

from reviewer.text.glyphs import glyph
from reviewer.ui.flow import Place
from reviewer.ui.sheet import Item, Paint, Sheet
from reviewer.ui.theme import Palette, Styles
from reviewer.ui.widgets.strips import Bit, painted, strip_of


class Page:
    """What a widget paints of a sheet."""

    def __init__(self, sheet: Sheet, plain: bool = False) -> None:
        self.sheet = sheet
        self._bar = glyph("cursor", plain)
        self._strips: dict[Place, Strip] = {}
        self._paints: dict[int, list[Paint]] = {}
        self._look: Styles = {}
        """What they were drawn with."""

    def paint(self, paints: Iterable[Paint]) -> bool:
        """Lay these over the words from now on, later ones over earlier ones; False when nothing changes."""
        found: dict[int, list[Paint]] = {}
        for each in paints:
            found.setdefault(each.message, []).append(each)
        changed = found != self._paints
        self._paints = found
        return changed

    def strip(self, place: Place, palette: Palette, here: str = "") -> Strip:
        """A line with everything laid over it; `here` is the style of the cursor's bar, if the cursor is there."""
        strip = self._of_cursor(place, palette.here, here) if here else self._line(place, palette.line)
        for each in self._paints.get(self.sheet.items[place.block].message, ()):
            for start, end in self.sheet.cells(place, each):
                strip = painted(strip, start, end, palette.over[each.style])
        return strip

    def _line(self, place: Place, look: Styles) -> Strip:
        if look is not self._look:
            self._strips.clear()
            self._look = look
        strip = self._strips.get(place)
        if strip is None:
            strip = self._strips[place] = self._laid(place, look)
        return strip

    def _of_cursor(self, place: Place, look: Styles, bar: str) -> Strip:
        width, bits = self.sheet.width, self._bits(place) or [(" ", "")]
        (text, style), *rest = bits
        if text.startswith(" "):
            return strip_of([(self._bar, bar), (text[1:], style), *rest], look, width)
        return Strip.join([strip_of([(self._bar, bar)], look, 1), strip_of(bits, look, width).crop(1)])

    def _laid(self, place: Place, look: Styles) -> Strip:
        return strip_of(self._bits(place), look, self.sheet.width)

    def _bits(self, place: Place) -> list[Bit]:
        """The pieces of a line; the first begins with a cell for the cursor, unless there is no room for that."""
        return [(piece.text, piece.style) for piece in self.sheet.line(place)]

    def is_at(self, place: Place, cursor: Item) -> bool:
        """Whether a line belongs to the item under the cursor."""
        item = self.sheet.items[place.block]
        if item != cursor and (item.call is not None or item.message != cursor.message):
            return False
        first, last = self.sheet.span(cursor)
        return first <= place.line < last
