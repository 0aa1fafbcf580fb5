"""Modes by models, families or runs as text of at most a hundred columns, and as JSON. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from reviewer.basics.cells import WIDTH, padded
from reviewer.basics.clean import printable_line
from reviewer.figures.export.board_table import customers_said
from reviewer.figures.report.card import EXTENTS
from reviewer.figures.report.mode_matrix import ModeMatrix

_MODE, _COLUMN = 34, 16
_BESIDE = (WIDTH - _MODE) // _COLUMN


def lines(matrix: ModeMatrix, synthetic: bool, simulated: bool = False) -> Iterator[str]:
    """The matrix, as many columns side by side as there is room for, then what a cell says."""
    if warning := customers_said(synthetic, simulated):
        yield warning
        yield ""
    if not matrix.columns:
        yield "Nobody reviewed or tagged any of these conversations."
        return
    for start in range(0, len(matrix.columns), _BESIDE):
        if start:
            yield ""
        yield from _slice(matrix, start, start + _BESIDE)
    yield ""
    where = " in which it could show" if matrix.scanned else ""
    unscanned = "" if matrix.scanned else " No read has said in which of them it could show: reviewer scan."
    yield from wrap(
        f"Each cell: conversations that were reviewed and bear the mode, of those reviewed{where}; behind + others that"
        f" bear it and were not reviewed. {EXTENTS}{unscanned}",
        WIDTH,
    )


def _slice(matrix: ModeMatrix, start: int, end: int) -> Iterator[str]:
    """Some columns, with how much of each was reviewed; modes that none of them bears are left out."""
    columns = matrix.columns[start:end]
    yield _line(f"mode, by {matrix.by}", [name for name, _, _ in columns])
    yield _line("  reviewed", [f"{read.reviewed:,} of {whole:,}" for _, read, whole in columns])
    kinds = {"to the end": [read.end for _, read, _ in columns], "in part": [read.part for _, read, _ in columns]}
    for name, counts in {**kinds, "unknown how far": [read.unknown for _, read, _ in columns]}.items():
        if any(counts):
            yield _line(f"    {name}", [f"{count:,}" for count in counts])
    for mode, cells in matrix.rows:
        own = cells[start:end]
        if any(cell.seen or cell.more for cell in own):
            yield _line(mode.title, [str(cell) for cell in own])


def _line(label: str, cells: list[str]) -> str:
    said = "".join(padded(printable_line(cell), _COLUMN) for cell in cells)
    return f"{padded(printable_line(label), _MODE)}{said}".rstrip()


def as_object(matrix: ModeMatrix, synthetic: bool, simulated: bool = False) -> dict[str, Any]:
    """The matrix as JSON: columns with how much was reviewed, and for each mode a cell a column."""
    columns = [
        {
            matrix.by: name,
            "reviewed": read.reviewed,
            "read_to_the_end": read.end,
            "read_in_part": read.part,
            "read_unknown": read.unknown,
            "conversations": whole,
        }
        for name, read, whole in matrix.columns
    ]
    modes = [
        {
            "mode": mode.code,
            "title": mode.title,
            "cells": [
                {matrix.by: name, "seen": cell.seen, "of": cell.of, "not_reviewed": cell.more}
                for (name, _, _), cell in zip(matrix.columns, cells, strict=True)
                if cell.seen or cell.of or cell.more
            ],
        }
        for mode, cells in matrix.rows
    ]
    return {
        "by": matrix.by,
        "columns": columns,
        "modes": modes,
        "scanned": matrix.scanned,
        "synthetic": synthetic,
        "simulated": simulated,
    }
