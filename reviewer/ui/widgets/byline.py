"""A widget that is drawn line by line, and has only those rows painted anew that show something else: over a slow line
every row counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.style import Style
from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from reviewer.ui.theme import DEFAULT, palette
from reviewer.ui.widgets.strips import Bit, strip_of


class ByLine(Widget):
    """The base of the widgets that are drawn line by line."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.palette = palette(DEFAULT, Style())
        """What the rows are drawn with."""
        self.blank = Strip([])
        """A row with nothing on it."""
        self.width = 0
        """How many cells a row has."""
        self._shown: dict[int, Strip] = {}
        """The rows as they are on screen."""
        self._stale = False

    def drawn(self, _: int) -> Strip:
        """What a row shows now."""
        return self.blank

    def prepare(self) -> None:
        """Make ready what rows are drawn from; done once for all of them."""

    def strip(self, bits: Iterable[Bit], *, here: bool = False) -> Strip:
        """A row of these pieces; `here` where the cursor is on it."""
        return strip_of(bits, self.palette.here if here else self.palette.line, self.width)

    def entitle(self, words: str) -> None:
        """Say what is shown, in the frame above it."""
        self.border_title = Content(words)

    def repaint(self) -> None:
        """The rows may show something else now: looked for once, however often this is asked."""
        self._stale = True
        self.check_idle()

    def on_idle(self) -> None:
        """Everything that an act changes has been told."""
        if self._stale:
            self._stale = False
            self._make_ready()
            rows = [y for y in range(self.size.height) if self._shown.get(y) != self.drawn(y)]
            if rows:
                self.refresh(*(Region(0, y, self.width, 1) for y in rows))

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a stretch of the widget, drawn with the colours of now."""
        self._make_ready()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """A row as Textual asks for it."""
        self._shown[y] = strip = self.drawn(y)
        return strip

    def _make_ready(self) -> None:
        self.width = self.size.width
        self.palette = palette(self.app.theme, self.rich_style)
        self.blank = self.strip([])
        self.prepare()
