"""From pieces of styled text to the strips that Textual paints: fitting, eliding, laying styles over a stretch.

Owns arithmetic in cells. The text it is given was cleaned before; nothing here reads markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from reviewer.text.glyphs import plainly
from reviewer.ui.theme import Styles

_ENDS = 5
"""With less room than this, only the beginning is kept."""
Bit = tuple[str, str]
"""A piece of printable text and the name of its style."""


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
    """How many cells these pieces take."""
    return sum(cell_len(text) for text, _ in bits)


def spread(left: Sequence[Bit], right: Sequence[Bit], width: int, more: str = "…") -> list[Bit]:
    """Pieces at both ends of a line; the left ones give way, the last of them first."""
    room = width - width_of(right)
    kept: list[Bit] = []
    for text, style in left:
        shown = elided(text, room, more)
        kept.append((shown, style))
        room -= cell_len(shown)
    return [*kept, (" " * max(room, 0), ""), *right]


def strip_of(bits: Iterable[Bit], styles: Styles, width: int) -> Strip:
    """One line of exactly this width."""
    segments: list[Segment] = []
    room = width
    for text, style in bits:
        if text:
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
