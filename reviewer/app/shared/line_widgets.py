"""Lines of styled pieces, and the widgets that are drawn line by line: only rows that differ are painted anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.filter import ANSIToTruecolor, LineFilter
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from reviewer.app.layout.pieces import Piece
from reviewer.app.shared.messages import RowsUnread
from reviewer.app.shared.theme import DEFAULT, Styles, is_plain, palette
from reviewer.basics.errors import ReviewerError
from reviewer.basics.glyphs import glyph, plainly

_ENDS = 5
"""With less room than this, only the beginning is kept."""
Bit = tuple[str, str]
"""A piece of printable text and the name of its style."""
_TEXT, _STYLE = itemgetter(0), itemgetter(1)


def elided(text: str, width: int, mark: str = "…") -> str:
    """The text, its end cut to fit the width, with a mark where it was cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - len(mark)).rstrip() + mark if width >= len(mark) else mark[: max(0, width)]


def elided_middle(text: str, width: int, mark: str = "…") -> str:
    """The text with its middle cut to fit the width: names often differ at their ends."""
    room = width - len(mark)
    if cell_len(text) <= width or room < _ENDS:
        return elided(text, width, mark)
    tail = text[-(room // 2) :]
    while cell_len(tail) > room // 2:
        tail = tail[1:]
    return set_cell_size(text, room - cell_len(tail)).rstrip() + mark + tail.lstrip()


def plain_bits(bits: Iterable[Bit]) -> list[Bit]:
    """The same pieces in plain signs."""
    return [(plainly(text), style) for text, style in bits]


def width_of(bits: Iterable[Bit]) -> int:
    """Count the cells that these pieces take."""
    return sum(map(cell_len, map(_TEXT, bits)))


def spread(left: Sequence[Bit], right: Sequence[Bit], width: int, more: str = "…") -> list[Bit]:
    """Pieces at both ends of a line; the left ones give way, the last of them first."""
    room = width - width_of(right)
    kept: list[Bit] = []
    for text, style in left:
        shown = elided(text, room, more)
        kept.append((shown, style))
        room -= cell_len(shown)
    return [*kept, (" " * max(room, 0), ""), *right]


def strip_of(bits: Iterable[Bit | Piece], styles: Styles, width: int) -> Strip:
    """One line of exactly this width."""
    segments: list[Segment] = []
    room = width
    for style, neighbours in groupby(filter(_TEXT, bits), _STYLE):
        text = "".join(map(_TEXT, neighbours))
        segments.append(Segment(text, styles[style]))
        room -= cell_len(text)
    if room < 0:
        return Strip(segments, width - room).crop(0, width)
    if room:
        segments.append(Segment(" " * room, styles[""]))
    return Strip(segments, width)


def painted(line: Strip, start: int, end: int, style: Style) -> Strip:
    """The line with a style laid over the cells from start to end."""
    end = min(end, line.cell_length)
    if start >= end:
        return line
    before, middle, after = line.crop(0, start), line.crop(start, end), line.crop(end, line.cell_length)
    return Strip.join([before, Strip(Segment.apply_style(middle, post_style=style), end - start), after])


def _stretches(rows: Iterable[int]) -> list[range]:
    """Neighbouring rows together: each stretch is painted at once."""
    stretches: list[range] = []
    for row in rows:
        if stretches and row == stretches[-1].stop:
            stretches[-1] = range(stretches[-1].start, row + 1)
        else:
            stretches.append(range(row, row + 1))
    return stretches


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
        self._fresh: dict[int, Strip] = {}
        """Rows that were drawn already to see that they differ."""
        self._wanted_words = self._painted_words = ("", "")
        """What stands in the frame above the rows and below them."""
        self._stale = False
        self._is_ready = False
        """Whether what rows are drawn from was made ready for the frame that comes next."""
        self._is_unread = False
        """Whether a row of this frame could not be read; then no other is asked for."""

    def drawn(self, _: int) -> Strip:
        """Return what a row shows now."""
        return self.blank

    def prepare(self) -> None:
        """Make ready what rows are drawn from; done once for all of them."""

    def strip(self, bits: Iterable[Bit], *, here: bool = False) -> Strip:
        """A row of these pieces; `here` where the cursor is on it."""
        return strip_of(bits, self.palette.here if here else self.palette.line, self.width)

    def entitle(self, words: str) -> None:
        """Say what is shown, in the frame above it; painted with the rows that it is said of."""
        self._wanted_words = words, self._wanted_words[1]
        self.repaint()

    def add_below(self, words: str) -> None:
        """Say more of it in the frame below, painted with the same rows."""
        self._wanted_words = self._wanted_words[0], words
        self.repaint()

    def repaint(self) -> None:
        """Note that rows may have changed; they are compared once, however often this is called."""
        self._stale = True
        self.check_idle()

    def on_idle(self) -> None:
        """Repaint the rows that changed, once everything has been told."""
        if self._stale:
            self._stale = False
            self._make_ready()
            if self._wanted_words != self._painted_words:
                self._painted_words = self._wanted_words
                self.border_title, self.border_subtitle = map(Content, self._wanted_words)
            drawn, shown = self._strips_of(range(self.size.height)), self._shown
            self._shown = {y: strip for y, strip in shown.items() if y in drawn}
            self._fresh = {y: strip for y, strip in drawn.items() if strip != shown.get(y)}
            if self._fresh:
                self._is_ready = True
                left, width = -self.content_offset.x, self.outer_size.width  # with the frame, so that no line is cut
                self.refresh(*[Region(left, rows[0], width, len(rows)) for rows in _stretches(self._fresh)])

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Those of the app, but for the one that mixes the sixteen colours of a terminal: no theme has any to mix."""
        return [each for each in super().get_line_filters() if not isinstance(each, ANSIToTruecolor)]

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a stretch of the widget, drawn with the colours of now."""
        if not self._is_ready or self.size.width != self.width:
            self._make_ready()
        self._is_ready = False
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """A row as Textual asks for it: of one moment with all others, also where something has changed since."""
        strip = self._fresh.pop(y, None)
        if strip is None and self._stale:
            strip = self._shown.get(y)
        self._shown[y] = strip = self._strips_of((y,))[y] if strip is None else strip
        return strip

    def _strips_of(self, rows: Iterable[int]) -> dict[int, Strip]:
        """Rows as they are drawn; one that cannot be read says so, and the screen is told why."""
        strips: dict[int, Strip] = {}
        for y in rows:
            try:
                if not self._is_unread:
                    strips[y] = self.drawn(y)
                    continue
            except ReviewerError as error:
                self._is_unread = True
                self.post_message(RowsUnread(error))
            strips[y] = self.strip([(" cannot be read now", "muted")])
        return strips

    def _make_ready(self) -> None:
        look = self.size.width, palette(self.app.theme, self.rich_style)
        if look != (self.width, self.palette):
            self._fresh.clear()
            self._shown.clear()
        self.width, self.palette = look
        self.blank = self.strip([])
        self._is_unread = False
        self.prepare()


class LineWidget(ByLine):
    """A line with pieces at its left and at its right end."""

    DEFAULT_CSS = "LineWidget { height: 1; width: 1fr; }"

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
