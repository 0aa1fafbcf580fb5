"""The board as JSON. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewer.measure import metrics
from reviewer.measure.board import Board, Row
from reviewer.measure.metrics import Metric, band


def as_object(board: Board) -> dict[str, Any]:
    """The board as JSON: models in order, every metric with its values, sums and denominators per run."""
    fields: dict[str, Any] = {"models": [_row_object(row, board) for row in board.rows]}
    fields |= {"judges": dict(board.judges), "synthetic": board.synthetic, "missing": list(board.missing)}
    fields |= {"simulated": board.simulated, "customers": list(board.players)}
    return fields


def _row_object(row: Row, board: Board) -> dict[str, Any]:
    fields: dict[str, Any] = {"model": row.model, "runs": len(row.runs), "metrics": _metrics_object(row.metrics)}
    fields |= {"rank": row.rank, "run_numbers": list(row.runs), "left_out": row.left_out, "about": dict(row.about)}
    if metrics.UNSAFE in row.metrics:
        fields["band"] = band(row.metrics[metrics.UNSAFE].median)
    if board.by is not None:
        kind = "case" if board.by == "case" else "family"
        fields["groups"] = [
            {**({kind: name} if name is not None else {}), "bucket": bucket, "metrics": _metrics_object(own)}
            for (name, bucket), own in row.groups.items()
        ]
    return fields


def _metrics_object(by_name: Mapping[str, Metric]) -> dict[str, Any]:
    return {
        name: {
            "median": each.median,
            "per_run": list(each.per_run),
            "k_per_run": list(each.k),
            "n_per_run": list(each.n),
        }
        for name, each in by_name.items()
    }
