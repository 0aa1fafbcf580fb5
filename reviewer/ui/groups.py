"""The lines of a queue in groups: a line for the head of each, then one for each of its conversations. Pure.

Arithmetic over where the groups begin: a line is found by bisection, so a million of them cost no more than a page.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Groups:
    """So many conversations in groups; without starts there are none, and a line is a conversation."""

    count: int = 0
    starts: array[int] = field(default_factory=lambda: array("i"))

    @property
    def lines(self) -> int:
        """How many lines there are."""
        return self.count + len(self.starts)

    def line(self, index: int) -> int:
        """The line of a conversation."""
        return index + self.group(index) + 1

    def group(self, index: int) -> int:
        """The group of a conversation; -1 without groups."""
        return bisect_right(self.starts, index) - 1

    def members(self, group: int) -> tuple[int, int]:
        """The first conversation of a group, and the one behind its last."""
        after = self.starts[group + 1] if group + 1 < len(self.starts) else self.count
        return self.starts[group], after

    def at(self, line: int) -> tuple[int, int | None]:
        """The group that a line belongs to, and the conversation on it; None where it is the head."""
        group = bisect_right(range(len(self.starts)), line, key=lambda each: self.starts[each] + each) - 1
        index = line - group - 1
        return group, None if group >= 0 and index < self.starts[group] else index

    def near(self, line: int) -> int:
        """The conversation on a line, or on the one below a head; the last beyond the end."""
        group, index = self.at(max(0, min(line, self.lines - 1)))
        return self.starts[group] if index is None else index
