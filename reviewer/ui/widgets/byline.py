"""A widget that gives its lines as strips: what they stand on is looked up once a painting, not once a line, and only
lines that show something else than before are painted again.
"""

from __future__ import annotations

from typing import Self

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class ByLine(Widget):
    """The base of the widgets that are drawn line by line."""

    def __init__(self, *, id: str) -> None:
        self._fresh: dict[int, Strip] = {}
        """Rows that were drawn already, to be painted."""
        super().__init__(id=id)
        self.ground = Style()
        """What the lines stand on."""
        self._strips: dict[int, Strip] = {}
        self._stale = False

    def drawn(self, _: int) -> Strip:
        """What a row shows now."""
        return Strip.blank(self.size.width, self.ground)

    def prepare(self) -> None:
        """Make ready what lines are drawn from; done once for all of them."""

    def repaint(self) -> None:
        """Paint the rows that show something else now; looked for once, however often it is asked."""
        self._stale = True
        self.check_idle()

    def on_idle(self) -> None:
        """Everything that a key changes has been told."""
        if self._stale:
            self._stale = False
            self.prepare()
            width, height = self.size
            drawn = {row: self.drawn(row) for row in range(height) if row in self._strips}
            changed = {row: strip for row, strip in drawn.items() if strip != self._strips[row]}
            if changed:
                self.refresh(*(Region(0, row, width, 1) for row in changed))
            self._fresh = changed  # what was drawn for a frame that has not come yet counts no more

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Something else has changed: what was drawn before counts no more."""
        self._fresh = {}
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a stretch of the widget."""
        ground = self.rich_style
        self.prepare()
        if self._stale or ground != self.ground:
            self._fresh = {}
        self.ground = ground
        found = super().render_lines(crop)
        self._fresh = {}
        return found

    def render_line(self, y: int) -> Strip:
        """A line, kept so that it can be told whether it changed."""
        strip = self._strips[y] = self._fresh.get(y) or self.drawn(y)
        return strip
