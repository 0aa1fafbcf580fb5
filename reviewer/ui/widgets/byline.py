"""A widget that is drawn line by line, and paints only the lines that show something else than before.

Owns what the widget shows: its rows in their frame. Textual draws the frame; the rows go to the compositor as they were
drawn. Whoever asks for a refresh has rows compared, and those that are the same are not painted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from rich.segment import Segment
from rich.style import Style
from textual.filter import ANSIToTruecolor
from textual.geometry import Region, Size, Spacing
from textual.strip import Strip
from textual.widget import Widget

from reviewer.text.glyphs import glyph
from reviewer.ui.theme import DEFAULT, is_plain, palette
from reviewer.ui.widgets.strips import Bit, elided, strip_of

_TITLE = -1
"""The row of the title, as it is asked for."""
_INSET = 2
"""Cells of the frame on either side of it."""


class ByLine(Widget):
    """The base of the widgets that are drawn line by line."""

    def __init__(self, *, id: str) -> None:
        self._face: list[Strip] = []
        """All that the widget shows, its frame included; empty while that has to be laid out."""
        self._body: list[Strip] = []
        """The rows within the frame."""
        self._room, self._gutter = Size(), Spacing()
        """What it was laid out for, and how much of that the frame takes."""
        self._edges = Strip([]), Strip([])
        """What stands before and behind each row."""
        self._above: list[Strip] = []
        """What stands above them, without the title."""
        self._caption = ""
        self._asked: set[int] = set()
        """The rows that may show something else."""
        self._reframed = False
        super().__init__(id=id)
        self.palette = palette(DEFAULT, Style())
        """What the rows are drawn with."""
        self.blank = Strip([])
        """A row with nothing on it."""
        self.width = 0
        """How many cells a row has."""

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
        if words != self._caption:
            self._caption = words
            self._asked.add(_TITLE)
            self.check_idle()

    def repaint(self) -> None:
        """Paint the rows that show something else now; looked for once, however often it is asked."""
        self._asked.update(range(self.size.height))
        self.check_idle()

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Something may show otherwise: what, is looked for when everything has been told."""
        if layout or recompose or not repaint or not self._stands():
            self._face = []
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        for region in regions:
            self._asked.update(region.line_range)
        if not regions:
            self._reframed = True
            self.repaint()
        self.check_idle()
        return self

    def on_idle(self) -> None:
        """Everything that a key changes has been told."""
        if not self._asked:
            return
        if self._reframed and self._stands():
            self._reframe()
        if self._stands():
            self._paint(self._other_rows())
        else:
            super().refresh()
        self._asked.clear()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a stretch of the widget."""
        if not self._stands():
            self._lay_out()
        lines, (start, end) = self._face[crop.y : crop.bottom], crop.column_span
        return lines if (start, end) == (0, self._room.width) else [line.crop(start, end) for line in lines]

    def render_line(self, _: int) -> Strip:
        """What Textual puts the frame around."""
        return self.blank

    def _stands(self) -> bool:
        return bool(self._face) and self._room == self.outer_size

    def _lay_out(self) -> None:
        """Draw everything."""
        self._room, self._gutter, self.width = self.outer_size, self.gutter, self.size.width
        self._take_palette()
        self.prepare()
        self._body = [self.drawn(row) for row in range(self.size.height)]
        below = self._frame()
        self._face = [*self._entitled(), *self._framed(self._body), *below]
        self._asked.clear()
        self._reframed = False

    def _take_palette(self) -> None:
        self.palette = palette(self.app.theme, self.rich_style)
        self.blank = self.strip([])

    def _frame(self) -> Sequence[Strip]:
        """Take what stands around the rows; what is below them is given."""
        (above, right, below, left), (width, height) = self._gutter, self._room
        *self._above, first = super().render_lines(Region(0, 0, width, above + 1))
        self._edges = first.crop(0, left), first.crop(width - right)
        return super().render_lines(Region(0, height - below, width, below))

    def _entitled(self) -> Sequence[Strip]:
        """What stands above the rows, with the title in it."""
        room = self._room.width - 2 * _INSET - 2
        if not self._above or not self._caption or room < 1:
            return self._above
        words = f" {elided(self._caption, room, glyph('more', is_plain(self.app)))} "
        style = self.palette.line["strong" if self.has_focus else "muted"]
        line, title = self._above[0], Strip([Segment(words, style)])
        ends = line.crop(0, _INSET), line.crop(_INSET + title.cell_length)
        return [Strip.join([ends[0], *self._filtered([title]), ends[1]]), *self._above[1:]]

    def _reframe(self) -> None:
        """Take a frame that may be another one; where it is, or the ground is, all is laid out again."""
        above, below = self._gutter.top, self._gutter.bottom
        before, height = (self._edges, self.palette), len(self._body)
        self._paint([*range(-above, 1), *range(height, height + below)])
        self._take_palette()
        bottom = self._frame()
        self._reframed = False
        same = (self._edges, self.palette) == before
        self._face = [*self._entitled(), *self._face[above : above + height], *bottom] if same else []

    def _other_rows(self) -> list[int]:
        """Draw again what was asked for; the rows that show something else now."""
        self.prepare()
        drawn = {row: self.drawn(row) for row in sorted(self._asked) if 0 <= row < len(self._body)}
        changed = {row: strip for row, strip in drawn.items() if strip is not (old := self._body[row]) and strip != old}
        for (row, strip), framed in zip(changed.items(), self._framed(changed.values()), strict=True):
            self._body[row], self._face[self._gutter.top + row] = strip, framed
        if _TITLE in self._asked and self._above:
            self._face[: len(self._above)] = self._entitled()
            return [-len(self._above), *changed]
        return list(changed)

    def _framed(self, rows: Iterable[Strip]) -> Iterable[Strip]:
        """Rows as the terminal gets them."""
        left, right = self._edges
        rows = self._filtered(rows)
        return [Strip([*left, *row, *right], self._room.width) for row in rows] if left or right else rows

    def _filtered(self, rows: Iterable[Strip]) -> Iterable[Strip]:
        # A theme has colours of the terminal or colours of its own, so there are none to translate.
        for each in self.get_line_filters():
            if not isinstance(each, ANSIToTruecolor):
                rows = [row.apply_filter(each, self.background_colors[1]) for row in rows]
        return rows

    def _paint(self, rows: Iterable[int]) -> None:
        """Have these rows painted, over the whole width of the widget; neighbours at once."""
        stretches: list[range] = []
        for row in rows:
            if stretches and row == stretches[-1].stop:
                stretches[-1] = range(stretches[-1].start, row + 1)
            else:
                stretches.append(range(row, row + 1))
        width, left = self._room.width, self._gutter.left
        if stretches:
            super().refresh(*(Region(-left, each.start, width, len(each)) for each in stretches))
