"""Which conversations there are by case and run: the cells of a grid, as rowids.

Owns the two SELECTs behind grids and comparisons, on a connection of their own so that a worker can make them. What a
cell says is read by id, for the few cells on screen.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reviewer.transcripts.store.connection import reading

_FROM = "FROM conversations JOIN runs ON runs.id = run_id"
_OF_MODEL = f"SELECT case_id, runs.number, conversations.id {_FROM} WHERE model = ? AND case_id > 0 ORDER BY case_id"
_OF_CASE = (
    f"SELECT model, runs.number, conversations.id {_FROM}"
    " WHERE case_id = (SELECT id FROM cases WHERE name = ?) ORDER BY run_id"
)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rowids by row and column; 0 where there is no conversation."""

    columns: tuple[int | None, ...]
    """The runs, in order."""
    cells: array[int]

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.cells) // len(self.columns) if self.columns else 0

    def row(self, index: int) -> tuple[int, ...]:
        """The cells of a row."""
        width = len(self.columns)
        return tuple(self.cells[index * width : (index + 1) * width])

    def rows(self) -> list[tuple[int, ...]]:
        """All rows."""
        return [self.row(index) for index in range(self.height)]

    def only(self, allowed: Collection[int]) -> Matrix:
        """The matrix reduced to rows that hold at least one of these conversations."""
        kept: array[int] = array("q")
        for row in self.rows():
            if any(each in allowed for each in row):
                kept.extend(row)
        return Matrix(self.columns, kept)

    def where(self, rowid: int) -> tuple[int, int] | None:
        """The row and column at which a conversation stands."""
        if not rowid or rowid not in self.cells:
            return None
        return divmod(self.cells.index(rowid), len(self.columns))


def of_model(path: Path, model: str) -> Matrix:
    """The cases of a model, in the order of the queue, by run."""
    return _matrix(path, _OF_MODEL, model)


def of_case(path: Path, case: str) -> Matrix:
    """The models on a case, in the order of the queue, by run."""
    return _matrix(path, _OF_CASE, case)


def _matrix(path: Path, sql: str, name: str) -> Matrix:
    with reading(path) as db:
        return _arranged(db.execute(sql, (name,)).fetchall())


def _arranged(rows: Sequence[tuple[Any, int | None, int]]) -> Matrix:
    columns = tuple(sorted({number for _, number, _ in rows}, key=lambda number: (number is None, number)))
    at = {number: index for index, number in enumerate(columns)}
    row_of: dict[Any, int] = {}
    cells: array[int] = array("q")
    for key, number, rowid in rows:
        if key not in row_of:
            row_of[key] = len(row_of)
            cells.extend([0] * len(columns))
        cells[row_of[key] * len(columns) + at[number]] = rowid
    return Matrix(columns, cells)
