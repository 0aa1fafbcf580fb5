"""What a pane shows as one sheet: items laid out block by block, and the lines of it that are near the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import NamedTuple

from rich.cells import cell_len

from reviewer.app.layout.pieces import Line
from reviewer.app.layout.stack import Stack
from reviewer.basics.values import dataclass
from reviewer.transcripts.refs import Part

Height = Callable[[int], int]


class LinePlace(NamedTuple):
    """A line of a block."""

    block: int
    line: int


@dataclass(frozen=True, slots=True)
class Flow:
    """So many blocks below each other, with heights that are asked for as late as possible."""

    count: int
    height: Height

    def lines(self, top: LinePlace, rows: int) -> list[LinePlace]:
        """The lines on a screen of so many rows, fewer at the end."""
        places: list[LinePlace] = []
        block, line = top.block, top.line
        while block < self.count and len(places) < rows:
            height = self.height(block)
            places.extend(map(LinePlace, repeat(block), range(line, min(height, line + rows - len(places)))))
            block, line = block + 1, 0
        return places

    def moved(self, top: LinePlace, lines: int, rows: int) -> LinePlace:
        """The top after scrolling; it stops at both ends."""
        block, line = top.block, top.line + lines
        while line < 0 and block > 0:
            block -= 1
            line += self.height(block)
        while block < self.count and line >= (height := self.height(block)):
            if block == self.count - 1:
                break
            line -= height
            block += 1
        return self.settled(LinePlace(block, max(0, line)), rows)

    def settled(self, top: LinePlace, rows: int) -> LinePlace:
        """The top, moved back where the screen would otherwise show room below the end."""
        if not self.count:
            return LinePlace(0, 0)
        block = min(top.block, self.count - 1)
        line = min(top.line, max(0, self.height(block) - 1))
        below = self.height(block) - line
        after = block + 1
        while below < rows and after < self.count:
            below += self.height(after)
            after += 1
        while below < rows and (block, line) != (0, 0):
            if line == 0:
                block -= 1
                line = self.height(block)
            step = min(line, rows - below)
            line -= step
            below += step
        return LinePlace(block, line)

    def end(self, rows: int) -> LinePlace:
        """The top of the last screen."""
        return (
            self.settled(LinePlace(self.count - 1, self.height(self.count - 1)), rows)
            if self.count
            else LinePlace(0, 0)
        )

    def distance(self, top: LinePlace, to: LinePlace, limit: int) -> int:
        """Rows from the top to a line, negative above it; cut off beyond the limit."""
        if to < top:
            return -self.distance(to, top, limit)
        rows, block = -top.line, top.block
        while block < to.block and rows <= limit:
            rows += self.height(block)
            block += 1
        return min(rows + to.line, limit) if block == to.block else limit

    def revealing(self, top: LinePlace, block: int, span: tuple[int, int], rows: int, margin: int = 1) -> LinePlace:
        """The top with the lines of a span (end left out) on screen, moved as little as possible.

        A span taller than the screen shows its beginning, unless the screen is inside it already.
        """
        start, end = span
        tall = end - start
        at = self.distance(top, LinePlace(block, start), rows + tall + 1)
        if at < margin and not (tall > rows and at < 0 and at + tall >= rows):
            return self.moved(LinePlace(block, start), -margin, rows)
        if at >= 0 and at + tall > rows - margin:
            wanted = max(margin if tall > rows - 2 * margin else rows - tall - margin, 0)
            return self.moved(LinePlace(block, start), -wanted, rows)
        return self.settled(top, rows)


class Item(NamedTuple):
    """A thing that the cursor can stand on: a message (from 1), or a call of it (from 1)."""

    message: int
    call: int | None = None


class Paint(NamedTuple):
    """Stored characters to be painted over, and how."""

    message: int
    call: int | None
    part: Part
    start: int
    end: int
    style: str


class Spot(NamedTuple):
    """Stored characters under a cell of the screen: of which item and part, from where to where."""

    item: Item
    part: Part
    start: int
    end: int


class Sheet:
    """Blocks below each other with a blank line between, laid out when first asked for."""

    def __init__(self, items: Sequence[Item], width: int, lay: Callable[[Item], Stack]) -> None:
        self.items = items
        self.width = width
        self._lay = lay
        self._blocks: dict[int, Stack] = {}
        self._index = {item: index for index, item in enumerate(items)}

    def index(self, item: Item) -> int:
        """Return the block that shows an item: its own, else its message's."""
        known = self._index.get(item)
        return known if known is not None else self._index.get(Item(item.message), 0)

    def item_at(self, place: LinePlace) -> Item:
        """Return the item on a line: a message, or a call of it."""
        item = self.items[place.block]
        return item if item.call is not None else Item(item.message, self.block(place.block).call_at(place.line))

    def span(self, item: Item) -> tuple[int, int]:
        """The lines of an item within its block, without the calls that are laid out below a message."""
        if not self.items:
            return (0, 1)
        index = self.index(item)
        block = self.block(index)
        if item == self.items[index]:
            first = block.call_lines(1) if item.call is None else None
            return (0, first[0] if first else max(1, block.height))
        return (block.call_lines(item.call) if item.call is not None else None) or (0, max(1, block.height))

    def height(self, index: int) -> int:
        """Return a block's lines, the blank one included; an estimate where it is long and was not looked at."""
        return max(1, self.block(index).height) + (index < len(self.items) - 1)

    def line(self, place: LinePlace) -> Line:
        """The pieces of a line."""
        lines = self.block(place.block).lines(place.line, place.line + 1)
        return lines[0] if lines else ()

    def measure(self, places: Sequence[LinePlace]) -> bool:
        """Lay out what stands there; True when that corrected a height."""
        spans: dict[int, tuple[int, int]] = {}
        for index, line in places:
            spans[index] = spans.get(index, (line, line))[0], line
        changed = False
        for index, (first, last) in spans.items():
            block = self.block(index)
            before = block.height
            block.lines(first, last + 1)
            changed = changed or block.height != before
        return changed

    def line_of(self, item: Item, part: Part, offset: int) -> int:
        """The line of a block that shows a stored character, or its first."""
        return self.block(self.index(item)).line_of(part, item.call, offset) or 0

    def cells(self, place: LinePlace, paint: Paint) -> Iterator[tuple[int, int]]:
        """The cells of a line that show what is to be painted."""
        at = 0
        for piece in self.line(place):
            cells = cell_len(piece.text)
            source = piece.source
            if source is not None and source.part == paint.part and source.call == paint.call:
                shown = piece.shown(paint.start, paint.end)
                if shown is not None:
                    start = at + cell_len(piece.text[: shown[0]])
                    yield start, start + cell_len(piece.text[shown[0] : shown[1]])
            at += cells

    def shows(self, place: LinePlace, paint: Paint) -> bool:
        """True if any of the characters to be painted stand on a line."""
        same = self.items[place.block].message == paint.message
        return same and next(self.cells(place, paint), None) is not None

    def spot(self, place: LinePlace, x: int, like: Spot | None = None) -> Spot | None:
        """Return the stored text behind a cell of a line, or the nearest; only of the same text as `like`, if given."""
        message, at = self.items[place.block].message, 0
        spot_there: Spot | None = None
        nearest = 0
        for piece in self.line(place):
            cells = cell_len(piece.text)
            source = piece.source
            if source is not None and cells:
                away = max(at - x, x - (at + cells - 1), 0)
                start, end = piece.stored(_character(piece.text, x - at)) or (source.start, source.end)
                spot = Spot(Item(message, source.call), source.part, start, end)
                same = like is None or (spot.item, spot.part) == (like.item, like.part)
                if same and (spot_there is None or away < nearest):
                    spot_there, nearest = spot, away
            at += cells
        return spot_there

    def block(self, index: int) -> Stack:
        """A block as laid out."""
        known = self._blocks.get(index)
        if known is None:
            known = self._blocks[index] = self._lay(self.items[index])
        return known


def _character(text: str, cell: int) -> int:
    """The character of a text that covers a cell, or the nearest."""
    at = 0
    for index, character in enumerate(text):
        at += cell_len(character)
        if at > cell:
            return index
    return len(text) - 1
