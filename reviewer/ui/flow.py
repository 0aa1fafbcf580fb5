"""Which lines of which blocks are on screen, without laying out more than is looked at.

Pure arithmetic. The place is kept as a block and a line within it, never as a distance from the top: so nothing jumps
when a height that was only guessed turns out otherwise, and a change of width keeps what was being read in place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

Height = Callable[[int], int]


class Place(NamedTuple):
    """A line of a block."""

    block: int
    line: int


@dataclass(frozen=True, slots=True)
class Flow:
    """So many blocks below each other, with heights that are asked for as late as possible."""

    count: int
    height: Height

    def lines(self, top: Place, rows: int) -> list[Place]:
        """The lines on a screen of so many rows, fewer at the end."""
        found: list[Place] = []
        block, line = top.block, top.line
        while block < self.count and len(found) < rows:
            height = self.height(block)
            found.extend(Place(block, each) for each in range(line, min(height, line + rows - len(found))))
            block, line = block + 1, 0
        return found

    def moved(self, top: Place, lines: int, rows: int) -> Place:
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
        return self.settled(Place(block, max(0, line)), rows)

    def settled(self, top: Place, rows: int) -> Place:
        """The top, moved back where the screen would otherwise show room below the end."""
        if not self.count:
            return Place(0, 0)
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
        return Place(block, line)

    def end(self, rows: int) -> Place:
        """The top of the last screen."""
        return self.settled(Place(self.count - 1, self.height(self.count - 1)), rows) if self.count else Place(0, 0)

    def distance(self, top: Place, to: Place, limit: int) -> int:
        """Rows from the top to a line, negative above it; cut off beyond the limit."""
        if to < top:
            return -self.distance(to, top, limit)
        rows, block = -top.line, top.block
        while block < to.block and rows <= limit:
            rows += self.height(block)
            block += 1
        return min(rows + to.line, limit) if block == to.block else limit

    def revealing(self, top: Place, block: int, span: tuple[int, int], rows: int, margin: int = 1) -> Place:
        """The top with the lines of a span (end left out) on screen, moved as little as possible.

        A span taller than the screen shows its beginning, unless the screen is inside it already.
        """
        start, end = span
        tall = end - start
        at = self.distance(top, Place(block, start), rows + tall + 1)
        if at < margin and not (tall > rows and at < 0 and at + tall >= rows):
            return self.moved(Place(block, start), -margin, rows)
        if at >= 0 and at + tall > rows - margin:
            wanted = max(margin if tall > rows - 2 * margin else rows - tall - margin, 0)
            return self.moved(Place(block, start), -wanted, rows)
        return self.settled(top, rows)
