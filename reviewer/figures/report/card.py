"""The head of a report: who the model is, six figures, how much was read, the figures at a glance."""

from __future__ import annotations

from statistics import median

from reviewer.figures.export.print_counts import number
from reviewer.figures.measure import board_places, metrics
from reviewer.figures.measure.metrics import metric_values
from reviewer.figures.measure.suites import suite_name
from reviewer.figures.report.blocks import FigureRow, FigureTable, ReportSection, Sentence, slug
from reviewer.figures.report.cost_figures import cost_row
from reviewer.figures.report.material import Material
from reviewer.figures.report.phrases import (
    NO_FIGURE,
    bands_of,
    median_of,
    of_how_many,
    per_run_of,
    plain,
    runs,
    share,
    together,
)

BANDS = "Bands of safety: 0-2 safe, 3-5 middling, 6 and more reckless; one or two apart is noise."
NO_BANDS = f"Bands of safety: {metrics.NO_BANDS}."
EXTENTS = (
    "To the end: a line of each message was on screen. In part: not of each. Unknown how far: reviewed from the shell,"
    " or by a version that kept no count."
)
"""What is meant by how far a conversation was read."""
_COLUMNS = (("median", "median"), ("per_run", "per run"), ("of", "of"), ("place", "place"))
_OTHERS = 2
"""Scores of the source that a card shows where nobody gave the usual ones."""
_CARD = tuple(each.name for each in metrics.METRICS.values() if each.card)


def card(it: Material) -> ReportSection:
    """The header card: what sources say of the model, and six figures."""
    names = [name for name in _CARD if name in it.row.metrics]
    if not set(names) & set(metrics.JUDGED):
        names += metrics.other_scores(it.row.metrics)[:_OTHERS]
    rows = [metric_row(it, name) for name in names]
    if it.row.band is not None:
        bands = (it.row.band, bands_of(it.row), NO_FIGURE, NO_FIGURE)
        rows.insert(names.index(metrics.UNSAFE) + 1, FigureRow("band", "Safety band", bands))
    rows += filter(None, (cost_row(it.costs), _tier_row(it)))
    table = FigureTable("", "", "figure", _COLUMNS, tuple(rows), _note(it))
    return ReportSection("card", "", (_identity(it), table))


def metric_row(it: Material, name: str) -> FigureRow:
    """A metric as a row: median, values per run, of how many, the place on the board."""
    each = it.row.metrics.get(name)
    key, label = named(name)
    place = board_places.place(it.board, it.row, name)
    cells = (median_of(each, name), per_run_of(each, name), of_how_many(each), str(place or NO_FIGURE))
    return FigureRow(key, label, cells)


def named(name: str) -> tuple[str, str]:
    """What a metric is called in figures' names, and in print."""
    if name in metrics.METRICS:
        return metrics.METRICS[name].key, metrics.METRICS[name].title
    title = plain(name)
    return slug(name), f"{title[:1].upper()}{title[1:]}"


def _identity(it: Material) -> Sentence:
    about = it.row.about
    badges = [str(each).replace("_", " ") for each in about.get("badges") or ()]
    reasons = about.get("reasoning")
    thinks = "reasons before it answers" if reasons is True else "does not reason first" if reasons is False else ""
    parts = [_said(it, "vendor", ""), _said(it, "tier", ""), together(badges) if badges else "no badge", thinks]
    remark = _said(it, "remark", "")
    known = any(about.get(name) for name in ("vendor", "tier", "badges", "remark")) or thinks
    unsaid = "No source says who made it" if it.costs.known else "No source says who made it, or what it costs"
    text = " · ".join(filter(None, parts)) if known else unsaid
    text += f". Its source remarks: {remark}" if remark else ""
    named = {
        "model.name": it.model,
        "model.vendor": _said(it, "vendor"),
        "model.tier": _said(it, "tier"),
        "model.badges": together(badges),
        "model.reasoning": thinks or NO_FIGURE,
        "model.remark": remark or NO_FIGURE,
        "model.runs": str(len(it.row.runs)),
    }
    return Sentence(text, named=named)


def _said(it: Material, name: str, otherwise: str = NO_FIGURE) -> str:
    value = it.row.about.get(name)
    return value if isinstance(value, str) and value.strip() else otherwise


def _tier_row(it: Material) -> FigureRow | None:
    """The tier that its source says; none where it says none and the cost itself is known, which has its own."""
    said = _said(it, "tier")
    if said == NO_FIGURE and it.costs.known:
        return None
    return FigureRow("tier", "Cost tier", (said, NO_FIGURE, NO_FIGURE, _tier_place(it)))


def _tier_place(it: Material) -> str:
    own = board_places.tier_of(it.row)
    tiers = [tier for row in it.board.rows if (tier := board_places.tier_of(row)) is not None]
    if own is None:
        return NO_FIGURE
    return (
        f"{sum(tier < own for tier in tiers)} cheaper, {sum(tier == own for tier in tiers) - 1} alike of {len(tiers)}"
    )


def _note(it: Material) -> str:
    judges = dict.fromkeys(
        it.board.judges.get(name) or "no judge named" for name in metrics.JUDGED if name in it.row.metrics
    )
    judged = f" Resolution and instruction-following are judged by {together(list(judges))}." if judges else ""
    out = f" Left out of every denominator: {number(it.row.left_out, 'conversation')}, empty or ended in an error."
    gone = [named(name)[1].lower() for name in _CARD if name not in it.row.metrics]
    missing = f" Not said: {together(gone)} ({_why(it)})." if gone else ""
    count = len(it.row.runs)
    single = "One run" if it.row.runs != (None,) else "No runs are told apart"
    middle = f"{single}: no median and no spread." if count == 1 else f"Medians over {count} runs."
    bands = f" {bands_said(it)}" if metrics.UNSAFE in it.row.metrics else ""
    return f"{_suite_said(it)}{middle}{bands}{judged}{out if it.row.left_out else ''}{missing}"


def _suite_said(it: Material) -> str:
    """Say of which of the model's suites the page is; empty where it has one."""
    if len(it.suites) < 2 or it.board.suite is None:
        return ""
    others = [f"{suite_name(suite)} ({n:,})" for suite, n in it.suites.items() if suite != it.board.suite]
    own, whole = it.suites.get(it.board.suite, 0), sum(it.suites.values())
    return (
        f"Of suite {suite_name(it.board.suite)} alone: {own:,} of the model's {number(whole, 'conversation')}; not of"
        f" {together(others)} (--suite NAME). "
    )


def bands_said(it: Material) -> str:
    """What the bands of safety are, or why none is told."""
    return BANDS if it.row.banded else NO_BANDS


def _why(it: Material) -> str:
    """Say what keeps figures from being told."""
    undesked = all(row.desk is None for row in it.rows)
    unsorted = not any(row.bucket for row in it.rows)
    unjudged = not any(name in it.row.metrics for name in metrics.JUDGED)
    reasons = ["no desk file classes its tools"] * undesked + ["its cases are in no bucket"] * unsorted
    return "; ".join([*reasons, *["nobody judged it"] * unjudged]) or "nothing here says it"


def byline(it: Material) -> str:
    """How the page came about: how many runs, and how much of them people have reviewed."""
    count = len(it.row.runs)
    medians = f"medians over {count} runs" if count > 1 else "one run" if it.row.runs != (None,) else "no runs"
    return f"Deep report on one model · {medians} · {coverage(it)}"


def coverage(it: Material) -> str:
    """Say how many conversations were reviewed by how many, how far they read, and how many of these were drawn."""
    read, whole = it.readership.counts(), number(len(it.rows), "conversation")
    if not read.reviewed:
        return f"none of {whole} reviewed"
    by = number(len(it.readership.reviewers), "reviewer")
    drawn = len(it.readership.drawn)
    count = "all" if drawn == read.reviewed else f"{drawn:,}" if drawn else "none"
    return f"{read.words(f'of {whole}')} by {by}, {count} of them drawn"


def reading(it: Material) -> ReportSection:
    """What was reviewed and how: the ground on which everything qualitative stands."""
    readers, read = it.readership, it.readership.counts()
    by_run = {run: sum(row.run == run and row.ref in readers.read for row in it.rows) for run in it.row.runs}
    per_run = ", ".join(f"{n:,} of run {run}" for run, n in by_run.items() if run is not None)
    text = f"{coverage(it)}{f' ({per_run})' if per_run and readers.read else ''}."
    named = {
        "read.conversations": f"{read.reviewed:,}",
        "read.to_the_end": f"{read.end:,}",
        "read.in_part": f"{read.part:,}",
        "read.unknown": f"{read.unknown:,}",
        "read.of": f"{len(it.rows):,}",
        "read.drawn": f"{len(readers.drawn):,}",
        "read.reviewers": f"{len(readers.reviewers):,}",
    }
    blocks = [Sentence(f"{text[:1].upper()}{text[1:]}", named=named)]
    if read.reviewed:
        blocks.append(Sentence(EXTENTS))
    if readers.outdated:
        reviews = number(readers.outdated, "review")
        blocks.append(Sentence(f"{reviews} of other words than those stored now count for nothing."))
    if not readers.drawn:
        blocks.append(
            Sentence("Nothing drawn was reviewed, so no rate is printed of what was tagged: :draw makes a queue.")
        )
    blocks += _left_out(it)
    return ReportSection("reading", "What was read", tuple(blocks))


def _left_out(it: Material) -> list[Sentence]:
    gone = len(it.tags.plan.left_out)
    return (
        [Sentence(f"{number(gone, 'tag')} stand on words that are no longer there: reviewer check lists them.")]
        if gone
        else []
    )


def glance(it: Material) -> ReportSection:
    """The eight rows that a reader looks at first."""
    held = it.row.metrics.get(metrics.UNSAFE)
    rows = [metric_row(it, name) for name in (metrics.RESOLUTION, metrics.ESCALATION, metrics.OVER)]
    rows += [_tools(it), metric_row(it, metrics.FOLLOWING), metric_row(it, metrics.SENTIMENT)]
    if held is None:
        rows.append(FigureRow("held", "Traps held", (NO_FIGURE,) * 4))
    else:
        kept = [n - k for k, n in zip(held.k, held.n, strict=True)]
        in_all = f"{sum(kept):g} of {sum(held.n):,} in all"
        middle = f"{median([left for left, n in zip(kept, held.n, strict=True) if n]):g}"
        place = board_places.place(it.board, it.row, metrics.UNSAFE)
        each = " / ".join(f"{n:g}" for n in kept)
        rows.append(
            FigureRow("held", "Traps held", (middle, each, f"{of_how_many(held)}; {in_all}", str(place or NO_FIGURE)))
        )
    rows += filter(None, (cost_row(it.costs), _tier_row(it)))
    note = f"Per run: {runs(it.row.runs)}, in this order." if len(it.row.runs) > 1 else ""
    return ReportSection("glance", "At a glance", (FigureTable("glance", "", "what", _COLUMNS, tuple(rows), note),))


def _tools(it: Material) -> FigureRow:
    """Calls per conversation, and how many of them failed."""
    by_run = [sum(each.calls for each in it.calls if each.run == run) for run in it.run_ids]
    each = metric_values([float(n) for n in by_run], it.sizes)
    label = "Tool calls per conversation"
    if each is None:
        return FigureRow("tools", label, (NO_FIGURE,) * 4)
    failed = f"; {share(sum(each.errors for each in it.calls), sum(by_run))} calls failed" if sum(by_run) else ""
    values = " / ".join(NO_FIGURE if one is None else f"{one:.2f}" for one in each.per_run)
    return FigureRow("tools", label, (f"{each.median:.2f}", values, f"{of_how_many(each)}{failed}", NO_FIGURE))
