"""The board: a line a model, a column a number. It is given the board and draws it in the order it is told."""

from __future__ import annotations

from reviewer.measure.board import Board, Row
from reviewer.ui.standings import COLUMNS, Column, column_at, heading, line, sorted_by
from reviewer.ui.widgets.lined import Lined
from reviewer.ui.widgets.strips import Bit


class Standings(Lined):
    """Models by their numbers."""

    def __init__(self, *, plain: bool, id: str) -> None:
        super().__init__(id=id)
        self.by: Column | None = None
        """What they are sorted by; None for board order."""
        self._plain = plain
        self._board: Board | None = None
        self._rows: tuple[Row, ...] = ()

    def show(self, board: Board, model: str) -> None:
        """Take a board, with the cursor on a model."""
        self._board = board
        self._arrange(model)

    def sort(self) -> None:
        """By the column under the cursor; again, in board order."""
        column = COLUMNS[self.column]
        self.by = None if self.by is column else column
        self._arrange(self.model)

    @property
    def model(self) -> str:
        """The model under the cursor; empty when there is none."""
        return self._rows[self.row].model if self._rows else ""

    @property
    def wide(self) -> int:
        """How many columns there are."""
        return len(COLUMNS)

    def heading(self) -> list[Bit]:
        """The titles."""
        return heading(self.column, self.by, self.size.width, self._plain)

    def line(self, index: int) -> list[Bit]:
        """A model and its numbers."""
        return line(self._rows[index], self._rows, index == self.row, self.size.width, self._plain)

    def column_at(self, x: int) -> int | None:
        """The column at a cell of the screen."""
        return column_at(x, self.size.width)

    def _arrange(self, model: str) -> None:
        self._rows = sorted_by(self._board, self.by) if self._board else ()
        self.count = len(self._rows)
        self.to(next((index for index, row in enumerate(self._rows) if row.model == model), 0), self.column)
