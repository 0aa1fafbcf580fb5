"""The paints of a message by where they stand, so that a line is drawn alike quickly however many there are."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from reviewer.app.layout.pieces import Line
from reviewer.app.shared.sheet import Paint
from reviewer.transcripts.refs import Part

_FEW = 16
"""So many are not worth an index."""
_SHORT = 200
"""Characters of a paint that is found by its start; longer ones are few, and tried on each line."""


class PaintIndex:
    """What is laid over a message."""

    def __init__(self, paints: Sequence[Paint]) -> None:
        self._paints = paints
        self._long: list[int] = []
        self._short: dict[tuple[Part, int | None], list[tuple[int, int]]] = {}
        """By part, the starts and the numbers of the short ones."""
        if len(paints) > _FEW:
            for number, each in enumerate(paints):
                if each.end - each.start > _SHORT:
                    self._long.append(number)
                else:
                    self._short.setdefault((each.part, each.call), []).append((each.start, number))
            for starts in self._short.values():
                starts.sort()

    def over(self, line: Line) -> Sequence[Paint]:
        """Those that may lie over a line, in the order in which they were given."""
        if len(self._paints) <= _FEW:
            return self._paints
        numbers = {*self._long}
        for piece in line:
            source = piece.source
            starts = self._short.get((source.part, source.call)) if source is not None else None
            if source is not None and starts:
                first = bisect_left(starts, (source.start - _SHORT, 0))
                numbers.update(number for _, number in starts[first : bisect_left(starts, (source.end, 0))])
        return [self._paints[number] for number in sorted(numbers)]
