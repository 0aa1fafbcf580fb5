"""Use cases: what a model did in each family of cases, or in clusters of families that a reviewer put together.

Families are keyed by their bucket as well, since one may stand in two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from reviewer.figures.measure import metrics
from reviewer.figures.measure.board import Group
from reviewer.figures.measure.metrics import MetricValues
from reviewer.figures.measure.printed_figures import span
from reviewer.figures.measure.trap_runs import ADVERSARIAL
from reviewer.figures.report.blocks import Block, FigureRow, FigureTable, ReportSection, Sentence, slugs
from reviewer.figures.report.material import Material
from reviewer.figures.report.phrases import NO_FIGURE
from reviewer.transcripts.model import BUCKETS

_COLUMNS = (
    ("families", "families"),
    ("bucket", "bucket"),
    ("resolution", "resolution"),
    ("over_escalation", "over-escalation"),
    ("handover", "handover"),
    ("following", "instruction-following"),
    ("messages", "messages"),
    ("of", "of"),
)
_LOWEST = 5
_HANDOVERS = (metrics.ESCALATION, metrics.OVER)


def use_cases(it: Material) -> ReportSection:
    """A row a family, or a cluster: a cell is the median over runs, or the range of these over the families."""
    clusters = _clusters(it.row.groups, it.asked.clusters)
    if not clusters:
        said = "No case here is of a family, so there is nothing to show by use case."
        return ReportSection("use_cases", "By use case", (Sentence(said),))
    start = 0 if it.asked.clusters else 1  # a family's own name stands before its row
    rows = tuple(
        FigureRow(key, name, _cells(it, groups)[start:])
        for key, (name, groups) in zip(slugs(clusters), clusters.items(), strict=True)
    )
    table = FigureTable("families", "", "use case", _COLUMNS[start:], rows, _note(it))
    return ReportSection("use_cases", "By use case", (table,))


def _clusters(groups: Mapping[Group, object], asked: Mapping[str, Sequence[Group]]) -> dict[str, list[Group]]:
    """Names of rows to their families: those that somebody clustered first, then every other one for itself."""
    known = sorted((each for each in groups if each[0] is not None), key=_order)
    clusters = {name: [each for each in wanted if each in groups] for name, wanted in asked.items()}
    taken = {each for wanted in clusters.values() for each in wanted}
    several = {name for name, bucket in known if sum(other == name for other, _ in known) > 1}
    for name, bucket in known:
        if (name, bucket) not in taken and bucket != ADVERSARIAL:
            label = f"{name} ({bucket or 'no bucket'})" if name in several else str(name)
            clusters[label] = [(name, bucket)]
    return {name: wanted for name, wanted in clusters.items() if wanted}


def _order(group: Group) -> tuple[int, str]:
    name, bucket = group
    rank = list(BUCKETS).index(bucket) if bucket in BUCKETS else len(BUCKETS)
    return rank, name or ""


def _cells(it: Material, groups: Sequence[Group]) -> tuple[str, ...]:
    own = [it.row.groups[group] for group in groups]
    names = "" if len(groups) == 1 else ", ".join(str(name) for name, _ in groups)
    sizes = sorted({n for each in own if metrics.MESSAGES in each for n in each[metrics.MESSAGES].n})
    return (
        names or str(groups[0][0]),
        ", ".join(dict.fromkeys(bucket or "no bucket" for _, bucket in groups)),
        _range([f"{value:.2f}" for value in _medians(own, metrics.RESOLUTION)]),
        _percent(_medians(own, metrics.OVER)),
        _percent(_medians(own, metrics.ESCALATION)),
        _range([f"{value:.2f}" for value in _medians(own, metrics.FOLLOWING)]),
        _range([f"{value:.1f}" for value in _medians(own, metrics.MESSAGES)]),
        f"{span(sizes)} a run",
    )


def _medians(own: Iterable[Mapping[str, MetricValues]], name: str) -> list[float]:
    return sorted(each[name].median for each in own if name in each)


def _percent(values: list[float]) -> str:
    return f"{_range([f'{100 * value:.0f}' for value in values])} %" if values else NO_FIGURE


def _range(values: list[str]) -> str:
    """The first and the last of ordered values: `0.96–1.00`."""
    if not values:
        return NO_FIGURE
    return values[0] if values[0] == values[-1] else f"{values[0]}–{values[-1]}"


def _note(it: Material) -> str:
    judge = it.board.judges.get(metrics.FOLLOWING)
    judged = f" Resolution and instruction-following: judged by {judge}." if judge else ""
    middle = "Each cell is the median over runs of the family" if len(it.row.runs) > 1 else "Each cell is of one run"
    return (
        f"{middle}, in a cluster the range over its families; of: the conversations of a family in a run, in steps of"
        f" which a cell moves.{judged} Traps stand in their own table."
    )


def weakest(it: Material, name: str, bucket: str) -> list[tuple[str, MetricValues]]:
    """The families of a bucket that do worst in a metric, the worst first."""
    lower = metrics.metric_named(name).lower_is_better
    own = [
        (family, each[name])
        for (family, kind), each in it.row.groups.items()
        if family and kind == bucket and name in each
    ]
    return sorted(own, key=lambda pair: (-pair[1].median if lower else pair[1].median, pair[0]))[:_LOWEST]


def handover_table(it: Material) -> list[Block]:
    """The families in which it handed over what it should resolve, or kept what it should hand over."""
    rows: list[tuple[str, tuple[str, ...]]] = []
    for (family, bucket), own in sorted(it.row.groups.items(), key=lambda pair: _order(pair[0])):
        name = next((name for name in _HANDOVERS if metrics.METRICS[name].bucket == bucket), "")
        each = own.get(name)
        if family is None or each is None:
            continue
        wrong = [n - k if name == metrics.ESCALATION else k for k, n in zip(each.k, each.n, strict=True)]
        if sum(wrong):
            what = "not handed over" if name == metrics.ESCALATION else "handed over"
            per_run = " / ".join(f"{n:g}" for n in wrong)
            rows.append((family, (what, f"{sum(wrong):g} of {sum(each.n):,}", per_run)))
    if not rows:
        return []
    keys = slugs(name for name, _ in rows)
    made = tuple(FigureRow(key, name, cells) for key, (name, cells) in zip(keys, rows, strict=True))
    columns = (("what", "what went wrong"), ("in_all", "in all runs"), ("per_run", "per run"))
    return [FigureTable("handovers", "Where it hands over too much, or too little", "family", columns, made)]


def following_table(it: Material) -> list[Block]:
    """The families in which it followed its instructions least."""
    lowest = weakest(it, metrics.FOLLOWING, "resolvable")
    if not lowest:
        return []
    keys = slugs(name for name, _ in lowest)
    rows = tuple(
        FigureRow(
            key,
            name,
            (f"{each.median:.2f}", " / ".join(NO_FIGURE if one is None else f"{one:.2f}" for one in each.per_run),
             f"{span(sorted(set(each.n)))} a run"),
        )
        for key, (name, each) in zip(keys, lowest, strict=True)
    )  # fmt: skip
    columns = (("median", "median"), ("per_run", "per run"), ("of", "of"))
    judge = it.board.judges.get(metrics.FOLLOWING)
    note = f"Judged by {judge}, 0 to 1, over resolvable cases." if judge else "Judged, 0 to 1, over resolvable cases."
    return [FigureTable("lowest", "Followed least", "family", columns, rows, note)]
