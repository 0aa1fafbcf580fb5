"""Columns that stand level: the lines of each counted from a line of its own.

Pure arithmetic. Row 0 is the line at which the columns are level; rows above it are negative. Beyond its ends a column
has nothing, so that all of them can be scrolled as one.
"""

from __future__ import annotations

from dataclasses import dataclass

from reviewer.ui.flow import Flow, Place

_FAR = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Level:
    """The lines of one column, counted from its origin."""

    flow: Flow
    origin: Place
    ruled: bool = False
    """Whether row -1 belongs to a rule instead of a line."""

    def lines(self, top: int, rows: int) -> list[Place | None]:
        """What stands on so many rows from the top on; None where there is nothing, or the rule."""
        found: list[Place | None] = []
        above = min(rows, -top - self.ruled)
        if above > 0:
            start, missing = self._back(-top - self.ruled)
            found += [None] * min(missing, above)
            found += self.flow.lines(start, above - len(found))
        if self.ruled and top < 0 and len(found) < rows:
            found.append(None)
        if len(found) < rows:
            found += self.flow.lines(self._forward(max(0, top)), rows - len(found))
        return found + [None] * (rows - len(found))

    def row(self, place: Place) -> int:
        """The row of a line."""
        rows = self.flow.distance(self.origin, place, _FAR)
        return rows - self.ruled if rows < 0 else rows

    def ends(self) -> tuple[int, int]:
        """The row of the first line, and the row behind the last."""
        if not self.flow.count:
            return 0, 0
        last = self.flow.count - 1
        first = self.row(Place(0, 0))
        return first - (self.ruled and first == 0), self.row(Place(last, self.flow.height(last) - 1)) + 1

    def _forward(self, rows: int) -> Place:
        block, line = self.origin.block, self.origin.line + rows
        while block < self.flow.count and line >= (height := self.flow.height(block)):
            line -= height
            block += 1
        return Place(block, line)

    def _back(self, rows: int) -> tuple[Place, int]:
        """The line so many rows before the origin, and how many rows there are too few."""
        block, line = self.origin.block, self.origin.line - rows
        while line < 0 and block > 0:
            block -= 1
            line += self.flow.height(block)
        return Place(block, max(0, line)), max(0, -line)


def revealing(top: int, start: int, end: int, rows: int, margin: int = 1) -> int:
    """The top with rows from start to end (left out) on screen, moved as little as possible; the start if too tall."""
    if end - start > rows:
        return top if start <= top and top + rows <= end else start
    margin = min(margin, (rows - (end - start)) // 2)
    return min(max(top, end + margin - rows), start - margin)


def held(top: int, ends: list[tuple[int, int]], rows: int) -> int:
    """The top, kept where at least one of the columns has something to show."""
    first = min((start for start, _ in ends), default=0)
    last = max((end for _, end in ends), default=0)
    return max(first, min(top, last - rows))


def thumb(first: int, size: int, count: int) -> range:
    """The rows of a scroll bar that stand for what is shown of so many; none when all are."""
    if count <= size:
        return range(0)
    length = max(1, size * size // count)
    start = round(first * (size - length) / (count - size))
    return range(start, start + length)


def slid(first: int, size: int, wanted: int, count: int) -> int:
    """The first of so many that are shown, moved as little as possible so that the wanted one is among them."""
    first = min(max(first, wanted - size + 1), wanted)
    return max(0, min(first, count - size))
