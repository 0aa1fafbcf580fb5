"""What a laid-out line is made of: pieces that know their style's name and where their words are stored.

Owns the values that leave the layout and cutting them to a width. Knows neither messages nor how text is wrapped.
"""

from __future__ import annotations

from operator import itemgetter
from typing import NamedTuple

from rich.cells import cell_len, split_graphemes

from reviewer.transcripts.model import ROLES
from reviewer.transcripts.refs import Part


class Span(NamedTuple):
    """Characters of a stored message: which part of it, of which call (from 1), from where to where."""

    part: Part
    call: int | None
    start: int
    end: int
    pointer: str | None = None
    """The JSON pointer, where the characters belong to a field of a result or of arguments."""


class Piece(NamedTuple):
    """A run of printable characters in one style."""

    text: str
    style: str
    source: Span | None = None
    """None for what the layout added: glyphs, indentation, fold lines."""
    unit: int = 1
    """Stored characters that each printed one stands for; 0 when only the piece as a whole stands for its source."""
    fold: str = ""
    """The key of the fold that this piece opens or closes."""

    def stored(self, at: int) -> tuple[int, int] | None:
        """The stored characters behind the printed character at an index of this piece."""
        if self.source is None:
            return None
        if not self.unit:
            return self.source.start, self.source.end
        start = self.source.start + at * self.unit
        return start, min(start + self.unit, self.source.end)

    def shown(self, start: int, end: int) -> tuple[int, int] | None:
        """The part of this piece that shows stored characters from `start` to `end`; None when it shows none."""
        if self.source is None or end <= self.source.start or start >= self.source.end:
            return None
        if not self.unit:
            return 0, len(self.text)
        first = max(0, start - self.source.start) // self.unit
        return first, min(len(self.text), -((self.source.start - end) // self.unit))


Line = tuple[Piece, ...]

_TEXT_STYLES = ("text", "reasoning", "heading", "strong", "emphasis", "code", "quote", "bullet", "marker", "control")
_OWN_STYLES = ("gutter", "dim", "fold", "number", "time", "error", "missing")
_ROLE_STYLES = tuple(f"role.{role}" for role in ROLES)
_CLASSES = ("read", "write", "handover", "unclassed", "forbidden")
_TOOL_STYLES = ("tool.name", "tool.key", *(f"tool.{kind}" for kind in _CLASSES))
_FIELD_STYLES = ("field.key", "field.group", "value", "value.number", "value.word", "punctuation")
STYLES = frozenset((*_TEXT_STYLES, *_OWN_STYLES, *_ROLE_STYLES, *_TOOL_STYLES, *_FIELD_STYLES))
"""Every style that the layout gives a piece; what they look like is the theme's to say."""


def text_of(line: Line) -> str:
    """The line as it is printed."""
    return "".join([piece.text for piece in line])


def width_of(line: Line) -> int:
    """The width of a line in terminal cells."""
    return sum(map(cell_len, map(itemgetter(0), line)))


def clipped(text: str, width: int, more: str = "…") -> str:
    """Cut a text to a width, with a sign that there is more."""
    if len(text) <= width and cell_len(text) <= width:
        return text
    room = width - cell_len(more)
    if room <= 0:
        return more[: max(0, width)]
    used = end = 0
    for start, stop, cells in split_graphemes(text[: room + 64])[0]:
        if used + cells > room or start > room * 4:
            break
        used, end = used + cells, stop
    return text[:end] + more


def fitted(line: Line, width: int, more: str = "…") -> Line:
    """Cut a line to a width, with a sign that there is more."""
    kept: list[Piece] = []
    room = width
    for piece in line:
        cells = cell_len(piece.text)
        if cells > room:
            text = clipped(piece.text, room, more)
            kept += [piece._replace(text=text, unit=0)] if text else []
            break
        kept.append(piece)
        room -= cells
    return tuple(kept)
