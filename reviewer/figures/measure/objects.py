"""The board as JSON. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewer.figures.measure.board import Board, Row
from reviewer.figures.measure.metrics import MetricValues
from reviewer.figures.measure.repeats import Repeats, Verdict
from reviewer.figures.measure.suites import PlanCoverage


def as_object(board: Board) -> dict[str, Any]:
    """The board as JSON: models in order, every metric with its values, sums and denominators per run."""
    fields: dict[str, Any] = {"models": [_row_object(row, board) for row in board.rows]}
    fields |= {"judges": dict(board.judges), "synthetic": board.synthetic, "missing": list(board.missing)}
    fields |= {"simulated": board.simulated, "customers": list(board.players)}
    fields |= {"suite": board.suite, "suites": dict(board.suites), "passed": _verdict_object(board.verdict)}
    return fields


def _row_object(row: Row, board: Board) -> dict[str, Any]:
    fields: dict[str, Any] = {"model": row.model, "runs": len(row.runs), "metrics": _metrics_object(row.metrics)}
    fields |= {"rank": row.rank, "run_numbers": list(row.runs), "left_out": row.left_out, "about": dict(row.about)}
    fields |= {"n": row.n, "complete": row.complete, "coverage": _coverage_object(row.coverage)}
    fields |= {"band": row.band, "repeats": _repeats_object(row.repeats)}
    if board.by is not None:
        kind = "case" if board.by == "case" else "family"
        fields["groups"] = [
            {**({kind: name} if name is not None else {}), "bucket": bucket, "metrics": _metrics_object(own)}
            for (name, bucket), own in row.groups.items()
        ]
    return fields


def _coverage_object(held: PlanCoverage) -> dict[str, Any]:
    return {"planned": held.planned, "held_per_run": list(held.held), "of_filter": held.filtered}


def _verdict_object(verdict: Verdict | None) -> dict[str, Any] | None:
    """What counts as passed; None where no score is known to say it."""
    if verdict is None:
        return None
    value = 1 if verdict.unit else None
    return {"scorer": verdict.scorer, "judge": verdict.judge, "value": value, "resolvable_only": verdict.resolvable}


def _repeats_object(came: Repeats) -> dict[str, Any]:
    passes = [{"k": each.k, "value": each.value, "n": each.cases, "left_out": each.left_out} for each in came.passes]
    flips = {"acts": came.act_flips, "score": came.score_flips}
    told = {name: None if of is None else {"k": of[0], "n": of[1]} for name, of in flips.items()}
    return {"pass^k": passes, "all": came.all, "some": came.some, "none": came.none, "flips": told}


def _metrics_object(by_name: Mapping[str, MetricValues]) -> dict[str, Any]:
    return {
        name: {
            "median": each.median,
            "per_run": list(each.per_run),
            "k_per_run": list(each.k),
            "n_per_run": list(each.n),
        }
        for name, each in by_name.items()
    }
