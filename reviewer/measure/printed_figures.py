"""Figures as they are written, wherever they are printed: values, their runs, of how many they are. Pure."""

from __future__ import annotations

from reviewer.measure.board import Board, Row
from reviewer.measure.metrics import Metric


def runs_said(row: Row, most: int) -> str:
    """Say how many runs there are, whether others have more, and what was left out."""
    count = len(row.runs)
    out = f", {row.left_out} left out" if row.left_out else ""
    if row.runs == (None,):
        return f"no run{out}"
    only = " only" if count < most and not out else ""
    return f"{count} run{'s' if count != 1 else ''}{only}{out}"


def percent(each: Metric | None) -> str:
    """The median as a percentage."""
    return "-" if each is None else value(each.median, 100)


def decimal(each: Metric | None) -> str:
    """The median with two decimals."""
    return "-" if each is None else f"{each.median:.2f}"


def each_run(each: Metric | None, width: int, scale: int | None) -> str:
    """Values per run as reports print them, `83.3 / 87.5 / 91.7`; their range where they do not fit."""
    if each is None:
        return ""
    values = [value(one, scale) for one in each.per_run]
    text = " / ".join(values)
    if len(text) <= width:
        return text
    known = [one for one in each.per_run if one is not None]
    return f"{value(min(known), scale)} to {value(max(known), scale)}"


def value(each: float | None, scale: int | None) -> str:
    """A value as it is printed: a rate in per cent, a count as it is, a fraction with three decimals."""
    if each is None:
        return "-"
    if scale is None:
        return f"{each:g}"
    return (f"{each * scale:.1f}" if each != 1 else "100") if scale == 100 else f"{each:.3f}"


def denominators(board: Board, name: str) -> str:
    """Say of how many conversations a run it is a share."""
    counts = sorted({n for row in board.rows if name in row.metrics for n in row.metrics[name].n})
    return f" (of {span(counts)} a run)"


def span(counts: list[int]) -> str:
    """The least and the most of numbers in order."""
    if not counts:
        return "-"
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,}-{counts[-1]:,}"
