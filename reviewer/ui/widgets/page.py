"""Lines of a sheet as strips: cached as they are laid out, with cursor and paint laid over them afterwards."""

from __future__ import annotations

from collections.abc import Iterable

from rich.style import Style
from textual.strip import Strip

from reviewer.glyphs import glyph
from reviewer.ui.flow import Place
from reviewer.ui.sheet import Item, Paint, Sheet
from reviewer.ui.theme import Styles
from reviewer.ui.widgets.strips import painted, strip_of


class Page:
    """What a widget paints of a sheet."""

    def __init__(self, sheet: Sheet, plain: bool = False) -> None:
        self.sheet = sheet
        self._bar = glyph("cursor", plain)
        self._strips: dict[Place, Strip] = {}
        self._paints: dict[int, list[Paint]] = {}
        self._look: Styles = {}

    def paint(self, paints: Iterable[Paint]) -> bool:
        """Lay these over the words from now on, later ones over earlier ones; False when nothing changes."""
        found: dict[int, list[Paint]] = {}
        for each in paints:
            found.setdefault(each.message, []).append(each)
        changed = found != self._paints
        self._paints = found
        return changed

    def strip(self, place: Place, look: Styles, ground: Style, here: str = "") -> Strip:
        """A line with everything laid over it; `here` is the style of the cursor's bar, if the cursor is there."""
        if look is not self._look:
            self._strips.clear()
            self._look = look
        strip = self._strips.get(place)
        if strip is None:
            bits = [(piece.text, piece.style) for piece in self.sheet.line(place)]
            strip = self._strips[place] = strip_of(bits, look, self.sheet.width)
        if here:
            bar = strip_of([(self._bar, here)], look, 1)
            strip = Strip.join([bar, strip.crop(1)])
            ground += look["cursor"]
        strip = strip.apply_style(ground)
        for each in self._paints.get(self.sheet.items[place.block].message, ()):
            for start, end in self.sheet.cells(place, each):
                strip = painted(strip, start, end, look[each.style])
        return strip

    def is_at(self, place: Place, cursor: Item) -> bool:
        """Whether a line belongs to the item under the cursor."""
        item = self.sheet.items[place.block]
        if item != cursor and (item.call is not None or item.message != cursor.message):
            return False
        first, last = self.sheet.span(cursor)
        return first <= place.line < last
