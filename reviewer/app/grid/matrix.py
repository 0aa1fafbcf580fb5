"""What a grid is of: the cases of a model by run, or the models on a case by run.

Owns which conversation stands in which cell, and what is known of the few lines that are looked at. Knows no widget.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from reviewer.app.grid.grid import Cell, GridRow
from reviewer.app.shared.outcomes import score_bit
from reviewer.app.shared.position import ReadingPosition
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph
from reviewer.figures.measure import repeats
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.model import QueueRow
from reviewer.transcripts.refs import case_ref
from reviewer.transcripts.store import grids
from reviewer.transcripts.store.grids import Matrix
from reviewer.transcripts.store.reader import Reader

if TYPE_CHECKING:
    from reviewer.marks.review import Session


_AT_ONCE = 200
"""Lines looked through for flips between two looks at whether to stop."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a grid: what its lines are, and whose."""

    rows: Literal["cases", "models"]
    name: str
    """The model whose cases, or the case whose models."""
    at: int
    """The conversation on which the cursor starts; 0 for the first."""
    filtered: bool = True
    """Whether cases that the filter hides are left out."""


class GridContents:
    """The cells of one grid, read as they are needed."""

    def __init__(self, reading: ReadingPosition, subject: Subject, *, plain: bool) -> None:
        self.reading = reading
        self.subject = subject
        self.plain = plain
        self.matrix = Matrix((), array("q"))
        self.complete = False
        self.flips: array[int] = array("q")
        """The lines that flipped by acts or by score, as far as they were looked through."""
        self.by_acts = self.by_score = 0
        """How many of them flipped by acts, and how many by score."""
        self.scored = True
        """Whether the reader may see scores."""
        self.looked = 0

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return ["no run" if number is None else f"run {number}" for number in self.matrix.columns]

    def begin_again(self, row: int, column: int) -> None:
        """Forget which lines flipped; the cursor's cell is where one starts when it is read again."""
        self.subject = replace(self.subject, at=self.rowid(row, column) or self.subject.at)
        self.flips, self.looked, self.by_acts, self.by_score = array("q"), 0, 0, 0

    def read(self) -> Matrix:
        """Read which conversations there are, on a connection of its own, so that a worker can wait for it."""
        path = self.reading.path
        if self.subject.rows == "models":
            return grids.of_case(path, self.subject.name)
        matrix = grids.of_model(path, self.subject.name)
        allowed = self._allowed() if self.subject.filtered else None
        return matrix if allowed is None else matrix.only(allowed)

    def flipped(self, matrix: Matrix) -> Iterator[tuple[int, list[int], list[int]]]:
        """Yield how many lines were looked through, and which of them flipped by acts and by score, batch by batch."""
        scored = self.scored and bool(self.reading.info["scores"])
        with self.reading.apart() as reader:
            for start in range(0, matrix.height, _AT_ONCE):
                stop = min(start + _AT_ONCE, matrix.height)
                known = _known(reader, matrix, start, stop, scored=scored)
                lines = {row: [known[each] for each in matrix.row(row) if each in known] for row in range(start, stop)}
                by_acts = [row for row, cells in lines.items() if outcome.flips(map(outcome.of_row, cells))]
                verdicts = {
                    row: [repeats.verdict(each.scores, each.bucket) for each in cells] for row, cells in lines.items()
                }
                yield stop, by_acts, [row for row, given in verdicts.items() if repeats.differ(given)]

    def take_flips(self, looked: int, by_acts: list[int], by_score: list[int]) -> None:
        """Add the flips among the lines that were looked through since the last time."""
        self.looked = looked
        self.by_acts += len(by_acts)
        self.by_score += len(by_score)
        self.flips.extend(sorted({*by_acts, *by_score}))

    def rows(self, start: int, stop: int, session: Session | None) -> list[GridRow]:
        """Return the lines from `start` to `stop`."""
        known = _known(self.reading.reader, self.matrix, start, stop, scored=bool(self.reading.info["scores"]))
        return [self._row(index, known, session) for index in range(start, min(stop, self.matrix.height))]

    def rowid(self, row: int, column: int) -> int:
        """The conversation in a cell; 0 where there is none."""
        return self.matrix.row(row)[column] if row < self.matrix.height else 0

    def any_of(self, row: int) -> QueueRow | None:
        """Return some conversation of a line, from which its model and its case are known."""
        rowid = next((each for each in self.matrix.row(row) if each), 0) if row < self.matrix.height else 0
        rows = self.reading.reader.rows([rowid]) if rowid else []
        return rows[0] if rows else None

    def _allowed(self) -> Collection[int] | None:
        """The conversations that the filter lets through; None for all of them."""
        reading = self.reading
        if reading.complete:
            return None if len(reading.ids) == reading.info["conversations"] else set(reading.ids)
        if not reading.query:
            return None
        with reading.apart() as reader:
            return set(reader.ids(reading.selection))

    def _row(self, index: int, known: dict[int, QueueRow], session: Session | None) -> GridRow:
        cells = [known.get(rowid) for rowid in self.matrix.row(index)]
        one = next((row for row in cells if row is not None), None)
        if one is None or one.case is None:
            return GridRow("gone from the store", "", tuple(None for _ in cells))
        of_model = self.subject.rows == "cases"
        tags: tuple[str, ...] = ()
        if session is not None:
            tags = tuple(self._tag(tag.code) for tag in session.shown(case_ref(one.model, one.case)).tags)
        name, about = (one.case, one.bucket or one.family or "") if of_model else (one.model, "")
        return GridRow(name, about, tuple(_cell(row, session) if row else None for row in cells), tags)

    def _tag(self, code: str) -> str:
        return f"{glyph('tag', self.plain)}{printable_line(code) or 'note'}{glyph('tag-end', self.plain)}"


def _cell(row: QueueRow, session: Session | None) -> Cell:
    result = outcome.of_row(row)
    if session is None:
        return Cell(result)
    state = session.shown(row.ref)
    verdict = state.verdicts.get(session.by) or next(iter(state.verdicts.values()), "")
    judges = session.sight.shows_judges(session.state(row.ref))
    return Cell(
        result,
        verdict,
        len(state.tags),
        score_bit(row.scores) if judges else None,
        repeats.verdict(row.scores, row.bucket) if judges else None,
    )


def _known(reader: Reader, matrix: Matrix, start: int, stop: int, *, scored: bool = False) -> dict[int, QueueRow]:
    width = len(matrix.columns)
    ids = [rowid for rowid in matrix.cells[start * width : stop * width] if rowid]
    return {row.rowid: row for row in reader.rows(ids, scored=scored)}
