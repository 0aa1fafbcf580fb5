"""Blocks one below the other, answering as one.

Owns the arithmetic of lines across blocks whose heights may be corrected while they are read. Knows nothing of what the
blocks show.
"""

from __future__ import annotations

from reviewer.app.layout.pieces import Line
from reviewer.app.layout.slices import Block
from reviewer.transcripts.refs import Part


class Stack:
    """Blocks below each other that act as one `Block`."""

    def __init__(self) -> None:
        self._blocks: list[tuple[Block, int | None]] = []
        self.folds: list[str] = []
        """Keys of what can be opened or folded, from the top."""

    def add(self, block: Block, call: int | None = None) -> None:
        """Add a block at the bottom; `call` is the call that it shows."""
        self._blocks.append((block, call))

    @property
    def height(self) -> int:
        """The number of lines; an estimate if that of any block is."""
        height = 0
        for block, _ in self._blocks:
            height += block.height
        return height

    @property
    def exact(self) -> bool:
        """True if the height is exact."""
        return all(block.exact for block, _ in self._blocks)

    def lines(self, first: int, last: int) -> list[Line]:
        """The lines from `first` up to `last`. Asking may correct the height."""
        shown: list[Line] = []
        top = 0
        for block, _ in self._blocks:
            if top >= last:
                break
            if top + block.height > first:
                shown += block.lines(max(0, first - top), last - top)
            top += block.height
        return shown

    def line_of(self, part: Part, call: int | None, offset: int) -> int | None:
        """The line that shows a stored character; None when none does, as when it is folded away."""
        top = 0
        for block, _ in self._blocks:
            at = block.line_of(part, call, offset)
            if at is not None:
                return top + at
            top += block.height
        return None

    def call_lines(self, call: int) -> tuple[int, int] | None:
        """The lines that show a call, from first to (exclusive) last; None if it is not shown."""
        top = 0
        for block, shows in self._blocks:
            if shows == call:
                return top, top + block.height
            top += block.height
        return None

    def call_at(self, line: int) -> int | None:
        """The call that a line belongs to."""
        top = 0
        for block, shows in self._blocks:
            top += block.height
            if line < top:
                return shows
        return None

    def fold_at(self, line: int) -> str | None:
        """The fold that a line opens or closes."""
        return next((piece.fold for each in self.lines(line, line + 1) for piece in each if piece.fold), None)
