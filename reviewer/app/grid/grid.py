"""A grid of cases and runs: what each cell says, and the widget that shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from reviewer.app.shared.line_widgets import Bit, elided, spread, width_of
from reviewer.app.shared.outcomes import signs
from reviewer.app.shared.scroll import TableWidget
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph
from reviewer.figures.measure import repeats
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.desk.outcome import Outcome

_WORDS = 11
"""A cell this wide says acts in words; a narrower one in signs."""
_FEW = 9
"""Less room than this holds no tag, only how many there are."""
_CELL = (6, 26)
_NAME = (16, 40)


@dataclass(frozen=True, slots=True)
class Cell:
    """One conversation: what came of it, and what a reviewer said of it."""

    outcome: Outcome
    verdict: str = ""
    tags: int = 0
    score: Bit | None = None
    """What it was given, where the reader may see it."""
    passed: bool | None = None
    """Whether it passed by its deciding score, where the reader may see that and it has one from 0 to 1."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """One line: its conversations by run, None where there is none."""

    name: str
    about: str
    cells: tuple[Cell | None, ...]
    tags: tuple[str, ...] = ()
    """What was said of the case as a whole."""

    @property
    def flip(self) -> bool:
        """True if the runs differ in their acts."""
        return outcome.flips(cell.outcome for cell in self.cells if cell)

    @property
    def score_flip(self) -> bool:
        """True if one run passed and another did not."""
        return repeats.differ(cell.passed for cell in self.cells if cell)

    @property
    def alike(self) -> bool:
        """True if there are at least two, and all came out alike."""
        outcomes = [cell.outcome for cell in self.cells if cell]
        return len(outcomes) > 1 and outcome.alike(outcomes)


@dataclass(frozen=True, slots=True)
class Shape:
    """The widths of a line's parts in cells of the screen."""

    name: int
    about: int
    cell: int
    shown: int
    """Columns that fit."""
    tags: int


def shaped(width: int, columns: int) -> Shape:
    """The shape that fits a width."""
    name = max(_NAME[0], min(width * 3 // 10, _NAME[1]))
    about = 15 if width >= 110 else 0
    tags = 26 if width >= 130 else 16 if width >= 100 else 6
    rest = max(_CELL[0], width - name - about - tags - 5)
    cell = max(_CELL[0], min(rest // max(1, columns), _CELL[1]))
    return Shape(name, about, cell, max(1, min(columns, rest // cell)), tags)


def heading(title: str, columns: Sequence[str], first: int, shape: Shape, plain: bool) -> list[Bit]:
    """Lay out the line above the columns, with signs where there are more at a side."""
    bits: list[Bit] = [(f" {_fit(printable_line(title), shape.name)} ", "muted"), (" " * (shape.about + 3), "")]
    for index in range(first, min(first + shape.shown, len(columns))):
        text = printable_line(columns[index])
        if index == first and first:
            text = f"{glyph('more', plain)} {text}"
        elif index == first + shape.shown - 1 and index + 1 < len(columns):
            text = f"{text} {glyph('more', plain)}"
        bits.append((f" {_fit(text, shape.cell - 1)}", "muted"))
    return bits


def line(row: GridRow, shape: Shape, first: int, cursor: int | None, plain: bool) -> list[Bit]:
    """A line of the grid; `cursor` is the column under the cursor where the cursor is on this line."""
    flip: Bit = (" ", "")
    if row.flip:
        flip = (glyph("differs", plain), "flip")
    elif row.alike:
        flip = (glyph("same", plain), "same")
    here = glyph("cursor", plain)
    bits: list[Bit] = [
        (here if cursor is not None else " ", "bar"),
        (_fit(printable_line(row.name), shape.name), "strong" if cursor is not None else "text"),
        (" ", ""),
        (_fit(printable_line(row.about), shape.about), "muted"),
        flip,
        (glyph("score-differs", plain) if row.score_flip else " ", "flip"),
        (" ", ""),
    ]
    for index in range(first, min(first + shape.shown, len(row.cells))):
        bits.append((here if index == cursor else " ", "bar"))
        bits += _cell(row.cells[index], shape.cell - 1, plain)
    bits.append((f" {_tags(row.tags, shape.tags - 1, plain)}", "tag"))
    return bits


def column_at(x: int, shape: Shape, first: int) -> int | None:
    """The column that stands at a cell of the screen."""
    start = 1 + shape.name + 1 + shape.about + 3
    index = (x - start) // shape.cell
    return first + index if x >= start and index < shape.shown else None


def _cell(cell: Cell | None, width: int, plain: bool) -> list[Bit]:
    if cell is None:
        return [(" " * width, "")]
    marks = _marks(cell, plain)
    room = width - width_of(marks)
    bits: list[Bit] = []
    for words, scored in ((True, True), (False, True), (False, False)):
        score = [cell.score] if scored and cell.score else []
        bits = _joined([*signs(cell.outcome, plain, words), *score])
        if width_of(bits) <= room and (not words or width >= _WORDS):
            break
    return spread([*bits, *marks], [], width)


def _marks(cell: Cell, plain: bool) -> list[Bit]:
    bits: list[Bit] = []
    if cell.verdict:
        bits.append((f" {glyph(cell.verdict, plain)}", {"pass": "good", "fail": "bad"}.get(cell.verdict, "muted")))
    if cell.tags:
        bits.append((f" {glyph('tag', plain)}{cell.tags}{glyph('tag-end', plain)}", "tag"))
    return bits


def _joined(bits: Sequence[Bit]) -> list[Bit]:
    return [(f"{' ' if index else ''}{text}", style) for index, (text, style) in enumerate(bits)]


def _tags(tags: Sequence[str], width: int, plain: bool) -> str:
    """The tags of the case as far as they fit, else how many there are."""
    text = " ".join(tags)
    if cell_len(text) <= width:
        return text
    if width < _FEW:
        return f"{glyph('tag', plain)}{len(tags)}{glyph('tag-end', plain)}"
    rest = f" {glyph('further')}{len(tags) - 1}" if len(tags) > 1 else ""
    return f"{elided(tags[0], width - len(rest))}{rest}"


def _fit(text: str, width: int) -> str:
    shown = elided(text, width) if width else ""
    return shown + " " * (width - cell_len(shown))


Fetch = Callable[[int, int], Sequence[GridRow]]
_NEAR = 60
_KEPT = 1_000


class Grid(TableWidget):
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
        """The number of runs."""
        return len(self._columns)

    @property
    def shown(self) -> int:
        """The number of runs that fit."""
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
