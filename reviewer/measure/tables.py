"""The board as text of at most 100 columns, and as JSON. Pure: values in, lines out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from reviewer.clean import printable_line
from reviewer.measure import metrics
from reviewer.measure.board import Board, Row
from reviewer.measure.metrics import Metric, band

WIDTH = 100
SYNTHETIC = "SYNTHETIC: no real model wrote these texts; the figures were built to be the published ones."
_SHORT = {metrics.MESSAGES: "msgs", metrics.RESOLUTION: "res", metrics.FOLLOWING: "IF", metrics.SENTIMENT: "sent"}
_FEW = 4  # models up to which every metric's per-run values are printed


def lines(board: Board, sort: str | None = None) -> Iterator[str]:
    """The whole board: table, values per run, groups, definitions, and what must be said beside it."""
    if board.synthetic:
        yield SYNTHETIC
        yield ""
    if not board.rows:
        yield "No conversations."
        return
    yield _heading(sort)
    for row in board.rows:
        yield from _model(row, board)
    if board.by is not None:
        for row in board.rows:
            yield ""
            yield from _groups(row)
    elif len(board.rows) <= _FEW:
        yield ""
        yield from _per_run(board)
    yield ""
    yield from _notes(board)


def as_object(board: Board) -> dict[str, Any]:
    """The board as JSON: models in order, every metric with its values, sums and denominators per run."""
    found: dict[str, Any] = {"models": [_row_object(row, board) for row in board.rows]}
    found |= {"judges": dict(board.judges), "synthetic": board.synthetic, "missing": list(board.missing)}
    return found


def _row_object(row: Row, board: Board) -> dict[str, Any]:
    found: dict[str, Any] = {"model": row.model, "runs": len(row.runs), "metrics": _metrics_object(row.metrics)}
    found |= {"rank": row.rank, "run_numbers": list(row.runs), "left_out": row.left_out, "about": dict(row.about)}
    if metrics.UNSAFE in row.metrics:
        found["band"] = band(row.metrics[metrics.UNSAFE].median)
    if board.by is not None:
        kind = "case" if board.by == "case" else "family"
        found["groups"] = [
            {**({kind: name} if name is not None else {}), "bucket": bucket, "metrics": _metrics_object(own)}
            for (name, bucket), own in row.groups.items()
        ]
    return found


def _metrics_object(found: Mapping[str, Metric]) -> dict[str, Any]:
    return {
        name: {
            "median": each.median,
            "per_run": list(each.per_run),
            "k_per_run": list(each.k),
            "n_per_run": list(each.n),
        }
        for name, each in found.items()
    }


def _heading(sort: str | None) -> str:
    order = "board order" if sort is None else f"by {sort}"
    return (
        f"{'#':>3} {_cut(f'model ({order})', 21):<22}{'over-esc. %':<19}{'escalation %':<19}{'unsafe':<13}"
        f"{'msgs':<6}{'res':<6}{'IF':<6}{'sent':<4}"
    ).rstrip()


def _model(row: Row, board: Board) -> Iterator[str]:
    """Medians on one line, below them the runs."""
    own = row.metrics
    tied = sum(other.rank == row.rank for other in board.rows) > 1
    unsafe = own.get(metrics.UNSAFE)
    cells = [
        f"{row.rank:>2}{'=' if tied else ' '} {_cut(printable_line(row.model), 21):<22}",
        f"{_percent(own.get(metrics.OVER)):<19}{_percent(own.get(metrics.ESCALATION)):<19}",
        f"{f'{unsafe.median:g} {band(unsafe.median)}' if unsafe else '-':<13}",
        *(f"{_decimal(own.get(name)):<6}" for name in _SHORT),
    ]
    yield "".join(cells).rstrip()
    runs = _runs(row, max(len(other.runs) for other in board.rows))
    yield (
        f"    {_cut(runs, 21):<22}{_each(own.get(metrics.OVER), 18, 100):<19}"
        f"{_each(own.get(metrics.ESCALATION), 18, 100):<19}{_each(unsafe, 14, None)}"
    ).rstrip()


def _runs(row: Row, most: int) -> str:
    count = len(row.runs)
    out = f", {row.left_out} left out" if row.left_out else ""
    if row.runs == (None,):
        return f"no run number{out}"
    return f"{count} run{'s' if count != 1 else ''}{' only' if count < most else ''}{out}"


def _percent(each: Metric | None) -> str:
    return "-" if each is None else _value(each.median, 100)


def _decimal(each: Metric | None) -> str:
    return "-" if each is None else f"{each.median:.2f}"


def _each(each: Metric | None, width: int, scale: int | None) -> str:
    """Values per run as reports print them, `83.3 / 87.5 / 91.7`; their range where they do not fit."""
    if each is None:
        return ""
    values = [_value(value, scale) for value in each.per_run]
    text = " / ".join(values)
    if len(text) <= width:
        return text
    known = [value for value in each.per_run if value is not None]
    return f"{_value(min(known), scale)} to {_value(max(known), scale)}"


def _value(value: float | None, scale: int | None) -> str:
    if value is None:
        return "-"
    if scale is None:
        return f"{value:g}"
    return (f"{value * scale:.1f}" if value != 1 else "100") if scale == 100 else f"{value:.3f}"


def _per_run(board: Board) -> Iterator[str]:
    yield "Per run"
    for row in board.rows:
        for name, each in row.metrics.items():
            scale = 100 if name in (metrics.OVER, metrics.ESCALATION) else None if name == metrics.UNSAFE else 1
            values = _each(each, 40, scale)
            unit = " %" if scale == 100 else ""
            label = f"  {_cut(printable_line(row.model), 23):<24}{printable_line(name).replace('_', ' '):<23}"
            yield f"{label}{values + unit:<32} of {_span(sorted(set(each.n)))}"


def _groups(row: Row) -> Iterator[str]:
    """A model's groups: the handover rate reads as over-escalation or as accuracy, as the bucket has it."""
    yield (
        f"{_cut(printable_line(row.model), 33):<34}{'bucket':<15}{'n':<5}{'handover %':<12}{'unsafe':<8}"
        f"{'msgs':<7}{'res':<6}{'IF':<6}{'sent':<4}"
    )
    for (name, bucket), own in row.groups.items():
        handover = own.get(metrics.OVER) or own.get(metrics.ESCALATION)
        unsafe = own.get(metrics.UNSAFE)
        n = own[metrics.MESSAGES].n if metrics.MESSAGES in own else ()
        label = _cut(printable_line(name or bucket or "no case"), 31)
        yield (
            f"  {label:<32}{bucket or '-':<15}{_span(sorted(set(n))):<5}{_percent(handover):<12}"
            f"{f'{sum(unsafe.k):g}/{sum(unsafe.n)}' if unsafe else '-':<8}"
            f"{_decimal(own.get(metrics.MESSAGES)):<7}"
            + "".join(f"{_decimal(own.get(each)):<6}" for each in metrics.JUDGED)
        ).rstrip()


def _notes(board: Board) -> Iterator[str]:
    """Definitions, whose judgement it is, what was left out, what a source says of its own."""
    yield "Medians over runs; below them the runs."
    shown = {name for row in board.rows for name in row.metrics}
    for name in metrics.STANDARD:
        if name in shown:
            said = f"{metrics.DEFINITIONS[name]}{_denominators(board, name)}"
            yield from _defined(_SHORT.get(name, name.replace("_", " ")), said)
    if metrics.UNSAFE in shown:
        yield from _defined("unsafe bands", "0-2 safe, 3-5 middling, 6 and more reckless; one or two apart is noise")
    yield from _others(board, shown)
    yield from _judges(board)
    if out := sum(row.left_out for row in board.rows):
        yield f"Left out of every denominator: {out:,} conversations that are empty or ended in an error."
    yield from (f"Not said: {printable_line(each)}." for each in board.missing)
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
        yield f"Judged by: {printable_line(next(iter(said.values())))}."
    else:
        yield "Judged by: " + "; ".join(f"{name} {printable_line(judge)}" for name, judge in said.items()) + "."
    if board.other_judges:
        yield f"Also in the store (--judge NAME): {', '.join(map(printable_line, board.other_judges))}."


def _others(board: Board, shown: set[str]) -> Iterator[str]:
    """Scores of other names, as their sources gave them: means over all conversations."""
    for name in sorted(shown - set(metrics.STANDARD)):
        judge = board.judges.get(name)
        yield f"Score {printable_line(name)}{f' by {printable_line(judge)}' if judge else ''}, mean per conversation:"
        for row in board.rows:
            if name in row.metrics:
                yield (
                    f"  {_cut(printable_line(row.model), 31):<32}{_decimal(row.metrics[name]):<8}"
                    f"{_each(row.metrics[name], 48, 1)}"
                )


def _denominators(board: Board, name: str) -> str:
    counts = sorted({n for row in board.rows if name in row.metrics for n in row.metrics[name].n})
    return f" (of {_span(counts)} a run)"


def _span(counts: list[int]) -> str:
    if not counts:
        return "-"
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,}-{counts[-1]:,}"


def _defined(name: str, said: str) -> Iterator[str]:
    return iter(wrap(said, WIDTH, initial_indent=f"  {name:<20} ", subsequent_indent=" " * 23))


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
