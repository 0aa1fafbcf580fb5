"""What panes stand on: it shows the same line again and again, mostly behind them, so one is made and not each."""

from __future__ import annotations

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class Ground(Widget):
    """A base for screens and containers without a border."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a stretch."""
        return super().render_lines(Region(crop.x, crop.y, crop.width, min(1, crop.height))) * crop.height


class Panes(Ground):
    """Panes side by side."""

    DEFAULT_CSS = "Panes { width: 1fr; height: 1fr; layout: horizontal; overflow: hidden hidden; }"
