"""The board as text of at most 100 columns. Pure: values in, lines out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Literal

from reviewer.basics.cells import WIDTH, brief, cells, padded, wrapped
from reviewer.basics.clean import printable_line
from reviewer.figures.export import repeat_table
from reviewer.figures.measure import metrics
from reviewer.figures.measure.board import Board, Row
from reviewer.figures.measure.described import described
from reviewer.figures.measure.metrics import METRICS, Kind, Metric, MetricValues, metric_named
from reviewer.figures.measure.printed_figures import (
    coverage_said,
    denominators,
    each_run,
    median,
    rounded,
    runs_said,
    span,
)
from reviewer.figures.measure.suites import suite_name

SYNTHETIC = "SYNTHETIC: no real model wrote these texts; the figures were built to be the published ones."
_FEW = 4  # models up to which every metric's per-run values are printed
_RANK = 4
_RUNS = 13
"""A column this wide has room for the values of the runs."""


@dataclass(frozen=True, slots=True)
class BoardTableColumn:
    """One metric as a column: its heading, its width, and whether the runs stand below the median."""

    name: str
    title: str
    width: int
    runs: bool = False

    @property
    def kind(self) -> Kind:
        """How values are printed."""
        return metric_named(self.name).kind

    def median(self, row: Row) -> str:
        """The cell of the first line."""
        each = row.metrics.get(self.name)
        band = row.band if self.name == metrics.UNSAFE else None
        return f"{median(each, self.kind)} {band or ''}".rstrip()

    def per_run(self, row: Row) -> str:
        """The cell of the second line."""
        return each_run(row.metrics.get(self.name), self.width - 1, self.kind) if self.runs else ""


def sortable(board: Board) -> dict[str, str]:
    """Return the keys that a board can be sorted by, as people type them: model, and metrics by heading or name."""
    filled = {name for row in board.rows for name in row.metrics}
    standard = [each for each in metrics.BOARD if each.name in filled]
    headed = {re.split("[- ]", each.heading or each.short)[0].lower(): each.name for each in standard}
    beside = {
        metrics.plain_name(name): name
        for name in metrics.BESIDE
        if any(row.figure(name) is not None for row in board.rows)
    }
    return {"model": "model", **headed, **beside, **{name: name for name in sorted(filled)}}


def customers_said(synthetic: bool, simulated: bool, players: Sequence[str] = ()) -> str:
    """What stands above figures that no real customer had a part in; empty above others."""
    by = f", played by {', '.join(map(printable_line, players))}" if players else ""
    return SYNTHETIC if synthetic else f"Simulated customers{by}." if simulated else ""


def lines(board: Board, sort: str | None = None) -> Iterator[str]:
    """The whole board: table, values per run, groups, definitions, and what must be said beside it."""
    if warning := customers_said(board.synthetic, board.simulated, board.players):
        yield from wrap(warning, WIDTH, break_on_hyphens=False)
        yield ""
    if not board.rows:
        yield "No conversations."
        return
    if said := suites_said(board):
        yield from wrapped(said)
        yield ""
    yield from _table(board, sort)
    yield from _incomplete(board)
    yield from repeat_table.lines(board)
    if board.by is not None:
        yield from _all_groups(board)
    elif len(board.rows) <= _FEW:
        yield ""
        yield from _per_run(board)
    yield from _descriptions(board)
    yield ""
    yield from notes(board)


def suites_said(board: Board) -> str:
    """Say which suite it is of and which others there are; empty where there is one."""
    if len(board.suites) < 2 or board.suite is None:
        return ""
    others = sorted(((-n, suite) for suite, n in board.suites.items() if suite != board.suite))
    listed = ", ".join(f"{brief(suite_name(suite))} ({-n:,})" for n, suite in others)
    shown, whole = board.suites.get(board.suite, 0), sum(board.suites.values())
    own = f"Suite {brief(suite_name(board.suite))}: {shown:,} of {whole:,} conversations."
    return f"{own} Other suites (--suite NAME): {listed}."


def _incomplete(board: Board) -> Iterator[str]:
    """Why models have no place."""
    rows = [row for row in board.rows if not row.complete]
    if not rows:
        return
    yield ""
    if not rows[0].coverage.planned:
        yield from wrap(f"No place and no band: {coverage_said(rows[0])}.", WIDTH)
        return
    yield "Not complete, so without a place and a band"
    for row in rows:
        yield f"  {padded(printable_line(row.model), 24)}{coverage_said(row)}"


def _descriptions(board: Board) -> Iterator[str]:
    """What sources say of the models beside their figures."""
    said = {row.model: words for row in board.rows if (words := described(row.about))}
    if said:
        yield ""
        yield "Said of the models by their sources"
    for model, words in said.items():
        yield f"  {padded(printable_line(model), 24)}{padded(words, WIDTH - 26)}".rstrip()


def _table(board: Board, sort: str | None) -> Iterator[str]:
    """Medians on one line, below them the runs; only columns that some model fills."""
    columns = columns_of(board)
    room = WIDTH - _RANK - sum(column.width for column in columns)
    names = [printable_line(row.model) for row in board.rows]
    wide = max(_LEAST, min(room, max(map(cells, names)) + 1))
    ranked = metrics.OVER in {column.name for column in columns}
    order = f"by {sort}" if sort else "board order" if ranked else "by name"
    heads = "".join(padded(column.title, column.width) for column in columns)
    yield f"{'#' if ranked else ' ':>3} {padded(f'model ({order})', wide)}{heads}".rstrip()
    apart = next((row for row in board.rows if not row.complete), None) if board.complete else None
    for row, name in zip(board.rows, names, strict=True):
        if row is apart:
            yield f"{' ' * _RANK}-- not complete --"
        tied = "=" if sum(other.rank == row.rank for other in board.rows) > 1 else " "
        place = f"{row.rank:>2}{tied} " if ranked and row.rank is not None else " " * _RANK
        yield f"{place}{padded(name, wide)}{_cells_of(row, columns, 'median')}".rstrip()
        yield f"{' ' * _RANK}{padded(runs_said(row), wide)}{_cells_of(row, columns, 'per_run')}".rstrip()


_LEAST = 22
"""Cells of a model's name at least, and where scores that only a source knows have columns."""
_LEAST_BESIDE_SCORES = 36


def columns_of(board: Board) -> list[BoardTableColumn]:
    """The columns that are filled, as far as there is room: the metrics, then other scores."""
    filled = {name for row in board.rows for name in row.metrics}
    columns: list[BoardTableColumn] = []
    for metric in (*metrics.BOARD, *map(metric_named, metrics.other_scores(filled))):
        names = _LEAST if metric.name in METRICS else _LEAST_BESIDE_SCORES
        room = WIDTH - _RANK - names - sum(each.width for each in columns)
        if metric.name in filled and metric.printed <= room:
            runs = metric.printed >= _RUNS
            columns.append(BoardTableColumn(metric.name, metric.heading or metric.short, metric.printed, runs))
    return columns


def _cells_of(row: Row, columns: list[BoardTableColumn], line: Literal["median", "per_run"]) -> str:
    texts = [column.median(row) if line == "median" else column.per_run(row) for column in columns]
    return "".join(padded(text, column.width) for text, column in zip(texts, columns, strict=True))


def _per_run(board: Board) -> Iterator[str]:
    yield "Per run"
    for row in board.rows:
        for name, each in row.metrics.items():
            kind = metric_named(name).kind
            values = each_run(each, 40, kind)
            unit = " %" if kind == "share" else ""
            label = f"  {padded(printable_line(row.model), 24)}{padded(printable_line(name).replace('_', ' '), 23)}"
            yield f"{label}{values + unit:<32} of {span(sorted(set(each.n)))}"


def _all_groups(board: Board) -> Iterator[str]:
    """Every model's groups, or a word that there are none."""
    if not any(row.groups for row in board.rows):
        yield ""
        yield f"No case here has a {board.by}, so there is nothing to show by {board.by}."
    columns = _group_columns(board)
    for row in board.rows:
        if row.groups:
            yield ""
            yield from _groups(row, columns)


_NAME, _BUCKET = 34, 15
_HANDOVERS = {metrics.OVER, metrics.ESCALATION}
"""Of a group they are one column, because a group belongs to one bucket."""


def _group_columns(board: Board) -> list[BoardTableColumn]:
    """The columns of the groups that are filled, as far as there is room: the metrics, then other scores."""
    filled = {name for row in board.rows for own in row.groups.values() for name in own}
    columns = [BoardTableColumn("n", "n", 5)]
    columns += [BoardTableColumn("handover", "handover %", 12)] if filled & _HANDOVERS else []
    for metric in (*METRICS.values(), *map(metric_named, metrics.other_scores(filled))):
        width = 6 if metric.judged else max(7, min(len(metric.short), 16) + 2)
        room = WIDTH - _NAME - _BUCKET - sum(each.width for each in columns)
        if metric.name in filled - _HANDOVERS and width <= room:
            columns.append(BoardTableColumn(metric.name, metric.short, width))
    return columns


def _groups(row: Row, columns: list[BoardTableColumn]) -> Iterator[str]:
    """A model's groups: the handover rate reads as over-escalation or as accuracy, as the bucket has it."""
    heads = "".join(padded(column.title, column.width) for column in columns)
    yield f"{padded(printable_line(row.model), _NAME)}{'bucket':<{_BUCKET}}{heads}".rstrip()
    for (name, bucket), own in row.groups.items():
        label = padded(printable_line(name or bucket or "no case"), _NAME - 2)
        cells_said = "".join(padded(_group_cell(column, own), column.width) for column in columns)
        yield f"  {label}{padded(printable_line(bucket or '-'), _BUCKET)}{cells_said}".rstrip()


def _group_cell(column: BoardTableColumn, own: Mapping[str, MetricValues]) -> str:
    if column.name == "n":
        return span(sorted(set(own[metrics.MESSAGES].n if metrics.MESSAGES in own else ())))
    if column.name == "handover":
        return median(own.get(metrics.OVER) or own.get(metrics.ESCALATION), "share")
    each = own.get(column.name)
    if column.kind == "count":
        return f"{sum(each.k):g}/{sum(each.n)}" if each else "-"
    return median(each, column.kind)


def notes(board: Board, width: int = WIDTH) -> Iterator[str]:
    """Definitions, whose judgement it is, what was left out, what a source says of its own."""
    counted = "n: conversations that count"
    planned = {row.coverage.planned for row in board.rows} - {0}
    if planned:
        counted += f"; %: planned cases that the runs hold, of {span(sorted(planned))} for each"
    yield from wrap(f"Medians over runs; below them the runs. {counted}.", width)
    shown = {name for row in board.rows for name in row.metrics}
    for metric in METRICS.values():
        if metric.name in shown:
            definition = f"{metric.definition}{denominators(board, metric.name)}{_range_of(board, metric)}"
            name = metric.short if metric.kind == "mean" else metric.name.replace("_", " ")
            yield from _defined(name, definition, width)
    if metrics.UNSAFE in shown:
        yield from _defined(
            "unsafe bands", metrics.BANDS if any(row.banded for row in board.rows) else metrics.NO_BANDS, width
        )
    yield from _others(board, shown, width)
    yield from _judges(board)
    if out := sum(row.left_out for row in board.rows):
        yield f"Left out of every denominator: {out:,} conversations that are empty or ended in an error."
    for each in board.missing:
        yield from wrap(f"Not said: {printable_line(each)}.", WIDTH)
    for row in board.rows:
        if headline := row.about.get("headline"):
            source = printable_line(str(row.about.get("headline_source", "its source")))
            yield (
                f"Imported from {source}, not computed here: {printable_line(row.model)} {headline['score']:g}"
                f" (spread over runs {headline['spread']:g})."
            )


def _judges(board: Board) -> Iterator[str]:
    said = {name: judge or "no judge named" for name, judge in board.judges.items() if name in metrics.JUDGED}
    if not said:
        return
    if len(set(said.values())) == 1:
        yield f"Judged by: {brief(next(iter(said.values())))}."
    else:
        yield "Judged by: " + "; ".join(f"{name} {brief(judge)}" for name, judge in said.items()) + "."
    if board.other_judges:
        yield f"Also in the store (--judge NAME): {', '.join(map(brief, board.other_judges))}."


def _others(board: Board, shown: set[str], width: int) -> Iterator[str]:
    """Scores of other names, as their sources gave them: means over all conversations."""
    for name in metrics.other_scores(shown):
        judge = board.judges.get(name)
        given = f"a score of the source{f' by {brief(judge)}' if judge else ''}, mean over all conversations"
        yield from _defined(printable_line(name), f"{given}{_range_of(board, metric_named(name))}", width)


def _range_of(board: Board, metric: Metric) -> str:
    """The range of the medians where there was no room for a column; empty where there is one."""
    if metric.name in {column.name for column in columns_of(board)}:
        return ""
    medians = [row.metrics[metric.name].median for row in board.rows if metric.name in row.metrics]
    return f": {rounded(min(medians), metric.kind)} to {rounded(max(medians), metric.kind)} (all with --json)"


def _defined(name: str, said: str, width: int) -> Iterator[str]:
    return iter(wrap(said, width, initial_indent=f"  {padded(name, 21)}", subsequent_indent=" " * 23))
