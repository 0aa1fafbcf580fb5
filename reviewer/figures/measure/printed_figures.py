"""Figures as they are written, wherever they are printed: values, their runs, of how many they are. Pure."""

from __future__ import annotations

from reviewer.basics.cells import brief
from reviewer.figures.measure.board import Board, Row
from reviewer.figures.measure.metrics import Kind, MetricValues


def runs_said(row: Row) -> str:
    """Say how many runs a model has, how many of its conversations count, and how much of the plan they hold."""
    count = len(row.runs)
    runs = "no run" if row.runs == (None,) else f"{count} run{'s' if count != 1 else ''}"
    return f"{runs}, n {row.n:,}{f', {row.coverage.percent}%' if row.coverage.planned else ''}"


def coverage_said(row: Row) -> str:
    """Say why a model is not compared: how many of the planned cases its runs hold."""
    held = row.coverage
    if not held.planned:
        return "its conversations belong to no case, so there is no plan that they could fill"
    cases = span(sorted(set(held.held)))
    what = "cases that pass the filter" if held.filtered else "planned cases"
    runs = "its run holds" if len(held.held) == 1 else "its runs hold"
    own = ", all that its source meant it to have" if held.own and not held.complete else ""
    return f"{runs} {cases} of {held.planned:,} {what}{own}"


_FEW = 3
"""So many k of pass^k are shown, and the largest."""


def passes_shown(board: Board) -> list[int]:
    """The k for which pass^k is shown: the first few, and the most runs that a case has."""
    every = sorted({each.k for row in board.rows for each in row.repeats.passes})
    return every if len(every) <= _FEW + 1 else [*every[:_FEW], every[-1]]


def passed_said(board: Board) -> str:
    """Say what counts as passed, what pass^k is, and what the flips compare."""
    said = [verdict_said(board)]
    if passes_shown(board):
        said.append(
            "pass^k: mean over cases of C(c,k)/C(n,k), with c of a case's n runs passed; cases with fewer than k runs"
            " are left out. All, some, none: cases of which so many runs passed."
        )
    said.append(
        "Flips by acts: cases whose runs differ in successful writes (their order or arguments), in handing over or in"
        " forbidden acts, of those with several runs and a desk; by score: cases that passed in some runs and not in"
        " others, of those with several scored runs."
    )
    return " ".join(said)


def verdict_said(board: Board) -> str:
    """Say which score of which value is a pass."""
    verdict = board.verdict
    if verdict is None:
        return "Passed: no score here is known to decide that."
    by = f" by {brief(verdict.judge)}" if verdict.judge else ""
    name = f"{brief(verdict.scorer)}{by}"
    if not verdict.unit:
        return f"Passed: not said, because {name} is not always from 0 to 1."
    return f"Passed: {name} is 1{', of resolvable cases' if verdict.resolvable else ''}."


def median(each: MetricValues | None, kind: Kind) -> str:
    """The median as tables print it: with two decimals where it is a mean."""
    return "-" if each is None else rounded(each.median, kind)


def rounded(each: float, kind: Kind) -> str:
    """A value as tables print medians: with two decimals where it is a mean."""
    return f"{each:.2f}" if kind == "mean" else value(each, kind)


def each_run(each: MetricValues | None, width: int, kind: Kind) -> str:
    """Values per run as reports print them, `83.3 / 87.5 / 91.7`; their range where they do not fit."""
    if each is None:
        return ""
    values = [value(one, kind) for one in each.per_run]
    text = " / ".join(values)
    if len(text) <= width:
        return text
    known = [one for one in each.per_run if one is not None]
    return f"{value(min(known), kind)} to {value(max(known), kind)}"


def value(each: float | None, kind: Kind) -> str:
    """A value as it is printed: a share in per cent, a count as it is, a mean with three decimals."""
    if each is None:
        return "-"
    if kind == "share":
        return f"{each * 100:.1f}" if each != 1 else "100"
    return f"{each:g}" if kind == "count" else f"{each:.3f}"


def denominators(board: Board, name: str) -> str:
    """Say of how many conversations a run it is a share."""
    counts = sorted({n for row in board.rows if name in row.metrics for n in row.metrics[name].n})
    return f" (of {span(counts)} a run)"


def span(counts: list[int]) -> str:
    """The least and the most of numbers in order."""
    if not counts:
        return "-"
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,}-{counts[-1]:,}"
