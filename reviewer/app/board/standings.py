"""The standings: models by their numbers, what each column means, and the widget that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rich.cells import cell_len

from reviewer.app.shared.line_widgets import Bit, elided
from reviewer.app.shared.scroll import TableWidget
from reviewer.app.shared.short_names import ShortNames
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph
from reviewer.figures.measure import metrics
from reviewer.figures.measure import printed_figures as figures
from reviewer.figures.measure.board import Board, Row, ordered
from reviewer.figures.measure.described import described

_RANK = 4
_ROOMY = 136
"""From this width on the values of each run stand beside the medians."""
_RUNS = 26
"""A column this wide has room for the values of some runs."""
_BANDS = {"safe": "good", "middling": "tag", "reckless": "bad"}


@dataclass(frozen=True, slots=True)
class BoardColumn:
    """A column: what it is called, which metric it shows (none for the model), its width without and with the runs."""

    title: str
    metric: str | None
    width: int
    roomy: int


_MODEL = BoardColumn("model", None, 20, 25)
_BESIDE = 2
"""Cells for the cursor and a gap."""
_NAMES = 28
"""Cells of the models' column at most; twice as many where there is room for the values of runs."""
_FRAME = tuple(each.name for each in metrics.FRAME)


def columns_of(board: Board | None) -> tuple[BoardColumn, ...]:
    """The columns that some model fills: the model, the figures that reports print, whatever else was scored."""
    rows = board.rows if board else ()
    filled = {name for row in rows for name in row.metrics}
    standard = [each for each in metrics.BOARD if each.name in filled]
    others = [metrics.metric_named(name) for name in metrics.other_scores(filled)]
    whole = [each for each in others if each.name in metrics.WHOLE]
    parts = [each for each in others if each.name not in metrics.WHOLE]
    repeats = [each for each in metrics.REPEATS if any(row.figure(each.name) is not None for row in rows)]
    shown = (*(metrics.FRAME if rows else ()), *standard, *whole, *repeats, *parts)
    return _fitting_names(board), *(BoardColumn(each.short, each.name, each.width, each.roomy) for each in shown)


def _fitting_names(board: Board | None) -> BoardColumn:
    """The column of the models: as wide as their names need, within bounds."""
    longest = max((cell_len(printable_line(row.model)) for row in board.rows), default=0) if board else 0
    return replace(
        _MODEL,
        width=max(_MODEL.width, min(longest + _BESIDE, _NAMES)),
        roomy=max(_MODEL.roomy, min(longest + _BESIDE, 2 * _NAMES)),
    )


def sorted_by(board: Board, column: BoardColumn | None) -> tuple[Row, ...]:
    """The models by a column, the best first; in board order for none."""
    return ordered(board.rows, None if column is None else column.metric or "model")


def visible(columns: Sequence[BoardColumn], here: int, width: int) -> tuple[int, ...]:
    """The columns on screen: model, n and cases, and as many others as fit, the one under the cursor among them.

    Where there is no room for n and cases beside the column under the cursor, they are columns like any other.
    """
    left = width - _RANK - _width(columns[0], width)
    held = [index for index, column in enumerate(columns) if column.metric in _FRAME]
    room = left - sum(_width(columns[index], width) for index in held)
    pinned = held if room >= (0 if here in (0, *held) else _width(columns[here], width)) else []
    shown = [0, *pinned]
    left -= sum(_width(columns[index], width) for index in pinned)
    others = [index for index in range(1, len(columns)) if index not in pinned]
    first = 0
    while (
        first < len(others)
        and others[first] < here
        and sum(_width(columns[index], width) for index in others[first:] if index <= here) > left
    ):
        first += 1
    for index in others[first:]:
        left -= _width(columns[index], width)
        if left < 0 and index > here:
            break
        shown.append(index)
    return tuple(shown)


def heading(columns: Sequence[BoardColumn], here: int, by: BoardColumn | None, width: int, plain: bool) -> list[Bit]:
    """The titles, the one under the cursor and the one sorted by marked; a sign where there are more at a side."""
    shown = visible(columns, here, width)
    rank = f"{'#':>{_RANK - 1}} " if by is None and ranked(columns) else " " * _RANK
    bits: list[Bit] = [(rank, "title" if by is None else "muted")]
    more = glyph("more", plain)[:1]
    skipped = next((index for at, index in enumerate(shown) if index != at), None)
    for index in shown:
        column = columns[index]
        mark = glyph("open", plain) if column is by else ""
        before = more if index == skipped else ""
        behind = more if index == shown[-1] < len(columns) - 1 else ""
        style = "strong" if index == here else "title" if column is by else "muted"
        cursor = glyph("cursor", plain) if index == here else " "
        bits += [(cursor, "bar"), (_fit(f"{before}{column.title}{mark}{behind}", _width(column, width) - 1), style)]
    return bits


def line(
    columns: Sequence[BoardColumn], at: int, row: Row, rows: Sequence[Row], here: bool, width: int, plain: bool
) -> list[Bit]:
    """A model and its numbers; `at` is the column under the cursor."""
    tied = sum(other.rank == row.rank for other in rows) > 1
    place = "-" if not row.complete else str(row.rank) if ranked(columns) and row.rank is not None else ""
    rank = f"{place:>{_RANK - 2}}{'=' if tied and row.rank is not None else ' '}"
    bits: list[Bit] = [(glyph("cursor", plain) if here else " ", "bar"), (rank, "muted")]
    for column in (columns[index] for index in visible(columns, at, width)):
        room = _width(column, width) - 1
        shown = [(_name(row, rows, room, plain), "strong" if row.complete else "muted")]
        if column.metric is not None:
            shown = _cell(row, column, width)
        used = 0
        bits.append((" ", ""))
        for text, style in shown:
            kept = elided(text, room - used)
            used += cell_len(kept)
            bits.append((kept, style))
        bits.append((" " * (room - used), ""))
    return bits


def column_at(columns: Sequence[BoardColumn], here: int, x: int, width: int) -> int | None:
    """The column at a cell of the screen."""
    start = _RANK
    for index in visible(columns, here, width):
        start += _width(columns[index], width)
        if _RANK <= x < start:
            return index
    return None


def ranked(columns: Sequence[BoardColumn]) -> bool:
    """True if there is anything to rank by: without, models stand by name."""
    return any(column.metric in metrics.ORDER for column in columns)


def meaning(board: Board, column: BoardColumn, model: str) -> str:
    """The values of each run of a model, what the column says, of how many, and whose judgement it is."""
    name = column.metric
    row = next((row for row in board.rows if row.model == model), None)
    if name is None:
        return _model_said(board, row)
    if name in metrics.BESIDE:
        return f"{_beside_said(row, name)}{metrics.BESIDE[name].definition}{_passed(board, name)}".strip()
    judge = board.judges.get(name)
    by = f", by {printable_line(judge)}" if judge else ""
    banded = row is not None and row.banded
    bands = f"; bands: {metrics.BANDS if banded else metrics.NO_BANDS}" if name == metrics.UNSAFE else ""
    each = row.metrics.get(name) if row else None
    metric = metrics.metric_named(name)
    runs = f"{printable_line(model)}: {figures.each_run(each, 60, metric.kind)}. " if each else ""
    return f"{runs}Median over runs: {metric.definition}{figures.denominators(board, name)}{by}{bands}."


def _model_said(board: Board, row: Row | None) -> str:
    """What sources say of a model, why it has no place, and how models are ordered."""
    about = described(row.about) if row else ""
    said = [f"{printable_line(row.model)}: {about}." if row and about else ""]
    if row is not None and not row.complete:
        said.append(f"No place: {figures.coverage_said(row)}.")
    if ranked(columns_of(board)):
        said.append("Board order: over-escalation, then fewest unsafe actions, then escalation accuracy.")
    else:
        missing = f"Not said: {'; '.join(printable_line(each) for each in board.missing)}." if board.missing else ""
        said.append(f"Models stand by name. {missing}")
    return " ".join(filter(None, said)).strip()


def _beside_said(row: Row | None, name: str) -> str:
    """What a figure beside the metrics says of one model."""
    if row is None:
        return ""
    model, own = printable_line(row.model), row.repeats
    if name in (metrics.SIZE, metrics.COVERAGE):
        return f"{model}: {figures.runs_said(row)}; {figures.coverage_said(row)}. "
    if name != metrics.PASSES:
        flips = own.act_flips if name == metrics.ACT_FLIPS else own.score_flips
        return f"{model}: {flips[0]} of {flips[1]} cases. " if flips else ""
    if not own.passes:
        return ""
    each = ", ".join(
        f"^{one.k} {one.value:.2f} of {one.cases}{f' ({one.left_out} left out)' if one.left_out else ''}"
        for one in own.passes
        if one.k in (1, 2, 3, len(own.passes))
    )
    return f"{model}: {each}; passed in all runs {own.all}, in some {own.some}, in none {own.none}. "


def _passed(board: Board, name: str) -> str:
    if name == metrics.SCORE_FLIPS and board.verdict is not None:
        return f" The score: {printable_line(board.verdict.scorer)}."
    return f" {figures.verdict_said(board)}" if name == metrics.PASSES else ""


def _name(row: Row, rows: Sequence[Row], room: int, plain: bool) -> str:
    return _short_names(room, tuple(other.model for other in rows), plain).shown(row.model)


@lru_cache(maxsize=8)
def _short_names(room: int, names: tuple[str, ...], plain: bool) -> ShortNames:
    """The models' names in so many cells, no two alike."""
    return ShortNames(room, names, plain=plain)


def _cell(row: Row, column: BoardColumn, width: int) -> list[Bit]:
    if column.metric in metrics.BESIDE:
        return [(_beside(row, column.metric), "text" if row.complete else "muted")]
    metric = metrics.metric_named(column.metric or "")
    each = row.metrics.get(metric.name)
    if each is None:
        return [("-", "muted")]
    several = width >= _ROOMY and len(each.per_run) > 1 and column.roomy >= _RUNS
    runs = f"  {figures.each_run(each, 17, metric.kind)}" if several else ""
    band = row.band if metric.name == metrics.UNSAFE else None
    median = f"{figures.median(each, metric.kind)} {band or ''}".rstrip()
    return [(median, _BANDS.get(band or "", "text")), (runs, "muted")]


def _beside(row: Row, name: str) -> str:
    """A figure beside the metrics, in a few cells."""
    own = row.repeats
    if name == metrics.SIZE:
        return f"{row.n:,}"
    if name == metrics.COVERAGE:
        return f"{row.coverage.percent}%" if row.coverage.planned else "-"
    if name == metrics.PASSES:
        last = own.passes[-1] if own.passes else None
        return f"{last.value:.2f} ^{last.k}{'*' if last.left_out else ''}" if last else "-"
    flips = own.act_flips if name == metrics.ACT_FLIPS else own.score_flips
    return f"{flips[0]} of {flips[1]}" if flips else "-"


def _width(column: BoardColumn, width: int) -> int:
    return column.roomy if width >= _ROOMY else column.width


def _fit(text: str, width: int) -> str:
    return elided(text, width) + " " * max(0, width - cell_len(text))


class Standings(TableWidget):
    """Models by their numbers."""

    def __init__(self, *, plain: bool, id: str) -> None:
        super().__init__(id=id)
        self.by: BoardColumn | None = None
        """What they are sorted by; None for board order."""
        self._plain = plain
        self._board: Board | None = None
        self._rows: tuple[Row, ...] = ()
        self.columns = columns_of(None)
        """What it has to show."""

    def show(self, board: Board, model: str) -> None:
        """Take a board, with the cursor on a model."""
        self._board = board
        self.columns = columns_of(board)
        self.by = next((column for column in self.columns if column == self.by), None)
        self._arrange(model)

    def sort(self) -> None:
        """Sort by the column under the cursor; again to go back to board order."""
        column = self.columns[self.column]
        self.by = None if self.by is column else column
        self._arrange(self.model)

    @property
    def model(self) -> str:
        """The model under the cursor; empty when there is none."""
        return self._rows[self.row].model if self._rows else ""

    @property
    def wide(self) -> int:
        """The number of columns."""
        return len(self.columns)

    def heading(self) -> list[Bit]:
        """The titles."""
        return heading(self.columns, self.column, self.by, self.size.width, self._plain)

    def line(self, index: int) -> list[Bit]:
        """A model and its numbers."""
        here = index == self.row
        return line(self.columns, self.column, self._rows[index], self._rows, here, self.size.width, self._plain)

    def column_at(self, x: int) -> int | None:
        """The column at a cell of the screen."""
        return column_at(self.columns, self.column, x, self.size.width)

    def _arrange(self, model: str) -> None:
        self._rows = sorted_by(self._board, self.by) if self._board else ()
        self.count = len(self._rows)
        self.to(next((index for index, row in enumerate(self._rows) if row.model == model), 0), self.column)
