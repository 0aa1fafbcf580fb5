"""A widget that gives its lines as strips: what they stand on is looked up once a painting, not once a line, and only
lines that show something else than before are painted again.
"""

from __future__ import annotations

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class ByLine(Widget):
    """The base of the widgets that are drawn line by line."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.ground = Style()
        """What the lines stand on."""
        self._strips: dict[int, Strip] = {}
        self._stale = False

    def drawn(self, _: int) -> Strip:
        """What a row shows now."""
        return Strip.blank(self.size.width, self.ground)

    def repaint(self) -> None:
        """Paint the rows that show something else now; looked for once, however often it is asked."""
        self._stale = True
        self.check_idle()

    def on_idle(self) -> None:
        """Everything that a key changes has been told."""
        if self._stale:
            self._stale = False
            rows = range(self.size.height)
            changed = [row for row in rows if row in self._strips and self._strips[row] != self.drawn(row)]
            if changed:
                self.refresh(*(Region(0, row, self.size.width, 1) for row in changed))

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a stretch of the widget."""
        self.ground = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """A line, kept so that it can be told whether it changed."""
        strip = self._strips[y] = self.drawn(y)
        return strip
