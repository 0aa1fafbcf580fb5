"""Figures and names as a report's cells and sentences say them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reviewer.figures.measure import metrics
from reviewer.figures.measure.board import Row
from reviewer.figures.measure.metrics import MetricValues, band
from reviewer.figures.measure.printed_figures import rounded, span, value

NO_FIGURE = "-"
_NAMED = 8


def median_of(each: MetricValues | None, name: str) -> str:
    """The median of a metric as it is printed: `87.5 %`, `4`, `0.75`."""
    if each is None:
        return NO_FIGURE
    kind = metrics.metric_named(name).kind
    return f"{rounded(each.median, kind)}{' %' if kind == 'share' else ''}"


def median_said(row: Row, name: str) -> str:
    """The same of a model, with the band of safety beside a count of unsafe actions: `4 middling`."""
    beside = f" {row.band}" if name == metrics.UNSAFE and row.band else ""
    return f"{median_of(row.metrics.get(name), name)}{beside}"


def per_run_of(each: MetricValues | None, name: str) -> str:
    """The values of a metric by run: `83.3 / 87.5 / 91.7 %`, `3 / 4 / 5`."""
    if each is None:
        return NO_FIGURE
    kind = metrics.metric_named(name).kind
    text = " / ".join(value(one, kind) for one in each.per_run)
    return f"{text}{' %' if kind == 'share' else ''}"


def of_how_many(each: MetricValues | None) -> str:
    """The denominators of a metric: `24 a run`, `118-120 a run`."""
    return NO_FIGURE if each is None else f"{span(sorted(set(each.n)))} a run"


def spread_of(each: MetricValues | None, name: str) -> str:
    """The distance between the lowest and the highest run, in the metric's own unit."""
    known = [one for one in each.per_run if one is not None] if each is not None else []
    if len(known) < 2:
        return NO_FIGURE
    kind = metrics.metric_named(name).kind
    apart = max(known) - min(known)
    return f"{apart * 100:.1f} points" if kind == "share" else value(apart, kind)


def bands_of(row: Row) -> str:
    """The safety band of every run of a model; nothing where no band is told."""
    if not row.banded:
        return NO_FIGURE
    return " / ".join(NO_FIGURE if one is None else band(one) for one in row.metrics[metrics.UNSAFE].per_run)


def share(part: int, whole: int) -> str:
    """`12 of 54 (22%)`; without a percentage where there is nothing to take it of."""
    return f"{part:,} of {whole:,} ({part / whole:.0%})" if whole else f"{part:,} of none"


def runs(numbers: Iterable[int | None], noun: str = "run") -> str:
    """`run 2`, `runs 1 and 3`; where runs have no numbers, how many there are."""
    listed = list(numbers)
    if not listed:
        return f"no {noun}"
    if None in listed:
        return f"{len(listed)} {noun}{'s' * (len(listed) > 1)} without a number"
    return f"{noun}{'s' * (len(listed) > 1)} {together([str(each) for each in listed])}"


def together(names: Sequence[str], most: int = _NAMED) -> str:
    """Names in a row: `a, b and c`; how many more there are where they are very many."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "none"


def plain(name: str) -> str:
    """A name as people write it: without the dashes and underlines of identifiers."""
    return name.replace("_", " ").replace("-", " ")
