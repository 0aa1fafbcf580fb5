"""One line of styled text, such as the header and the hints. It is given pieces and paints them, nothing more."""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip

from reviewer.text.glyphs import glyph
from reviewer.ui.theme import is_plain
from reviewer.ui.widgets.byline import ByLine
from reviewer.ui.widgets.strips import Bit, plain_bits, spread


class Line(ByLine):
    """A line with pieces at its left and at its right end."""

    DEFAULT_CSS = "Line { height: 1; width: 1fr; }"

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._left: Sequence[Bit] = ()
        self._right: Sequence[Bit] = ()

    def show(self, left: Sequence[Bit], right: Sequence[Bit] = ()) -> None:
        """Paint these pieces from now on."""
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.repaint()

    @property
    def shown(self) -> str:
        """The text of the line as it stands."""
        return "".join(text for text, _ in (*self._left, *self._right))

    def drawn(self, _: int) -> Strip:
        """The pieces, spread over the width."""
        plain = is_plain(self.app)
        left, right = (plain_bits(self._left), plain_bits(self._right)) if plain else (self._left, self._right)
        return self.strip(spread(left, right, self.size.width, glyph("more", plain)))
