"""How the cells of a line are shared out between queue, text and tool layer. Pure."""

from __future__ import annotations

from typing import NamedTuple

NARROW = 100
"""With fewer cells the queue lies over the text."""
RULE = 1
"""Cells of a tool layer that has nothing to show."""
_QUEUE_LEAST, _QUEUE_MOST, _QUEUE_SHARE = 32, 64, 34
"""The queue's own bounds, and its share of a hundred cells."""
_TEXT_MOST = 106
"""A hundred columns of words, their margin and the frame: wider lines are hard to follow."""
_CALLS_ENOUGH = 60
"""Wider than this the tool layer is only when the text has all that it can use."""
_CALLS_FRAMED = 34
"""With fewer cells the tool layer is a rule without a frame."""


class Widths(NamedTuple):
    """The cells of each pane; None for the queue where it lies over the text, 0 for what is not shown."""

    queue: int | None
    text: int
    calls: int

    @property
    def ruled(self) -> bool:
        """True if the tool layer is no more than a rule."""
        return 0 < self.calls < _CALLS_FRAMED


def shared_out(total: int, wanted: int, *, beside: bool, calls: bool) -> Widths:
    """Share out a line: the queue takes what its rows want, the text the rest, but for calls that there are.

    `beside` is whether there is to be a tool layer, `calls` whether it has something to show.
    """
    queue = None if total < NARROW else min(max(wanted, _QUEUE_LEAST), _most(total))
    rest = total - (queue or 0)
    if not beside:
        return Widths(queue, rest, 0)
    if not calls:
        text = min(rest - RULE, _TEXT_MOST)
        return Widths(queue, text, rest - text)
    text = min(max(-(-rest * 5 // 9), rest - _CALLS_ENOUGH), _TEXT_MOST)
    return Widths(queue, text, rest - text)


def _most(total: int) -> int:
    return min(max(_QUEUE_LEAST, total * _QUEUE_SHARE // 100), _QUEUE_MOST)
