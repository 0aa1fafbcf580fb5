"""The grid: a line a case (or model), a cell a run, thousands of lines if need be.

It is given how many lines there are and a function that says what a few of them hold; it keeps only the lines near the
screen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reviewer.ui.cells import GridRow, Shape, column_at, heading, line, shaped
from reviewer.ui.widgets.lined import Lined
from reviewer.ui.widgets.strips import Bit

Fetch = Callable[[int, int], Sequence[GridRow]]
_NEAR = 60
_KEPT = 1_000


class Grid(Lined):
    """Outcomes by line and run."""

    def __init__(self, fetch: Fetch, title: str, *, plain: bool, id: str) -> None:
        super().__init__(id=id)
        self._fetch = fetch
        self._title = title
        self._plain = plain
        self._columns: Sequence[str] = ()
        self._rows: dict[int, GridRow] = {}

    def show(self, count: int, columns: Sequence[str], row: int, column: int) -> None:
        """Take so many lines, with these runs above them."""
        self.count, self._columns = count, columns
        self._rows.clear()
        self.to(row, column)

    def forget(self) -> None:
        """Ask again for what the lines say."""
        self._rows.clear()
        self.repaint()

    @property
    def wide(self) -> int:
        """How many runs there are."""
        return len(self._columns)

    @property
    def shown(self) -> int:
        """How many of them fit."""
        return self._shape.shown

    def heading(self) -> list[Bit]:
        """The names of the runs."""
        return heading(self._title, self._columns, self.first, self._shape, self._plain)

    def line(self, index: int) -> list[Bit]:
        """A case and what came of its runs."""
        if index not in self._rows:
            if len(self._rows) > _KEPT:
                self._rows.clear()
            start = max(0, index - _NEAR // 2)
            self._rows.update(enumerate(self._fetch(start, min(start + _NEAR, self.count)), start))
        column = self.column if index == self.row else None
        return line(self._rows[index], self._shape, self.first, column, self._plain)

    def column_at(self, x: int) -> int | None:
        """The run at a cell of the screen."""
        return column_at(x, self._shape, self.first)

    @property
    def _shape(self) -> Shape:
        return shaped(self.size.width, len(self._columns))
