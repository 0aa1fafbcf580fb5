"""Conduct: how steady a model is across its runs, which tools it calls, how much it says, what it uses up."""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import median

from reviewer.figures.export.print_counts import number
from reviewer.figures.measure import metrics
from reviewer.figures.measure.metrics import metric_values
from reviewer.figures.measure.printed_figures import verdict_said
from reviewer.figures.report.blocks import Block, FigureRow, FigureTable, Sentence, slugs
from reviewer.figures.report.card import metric_row, named
from reviewer.figures.report.cost_figures import cost_sentences
from reviewer.figures.report.material import Material
from reviewer.figures.report.phrases import (
    NO_FIGURE,
    median_said,
    of_how_many,
    per_run_of,
    plain,
    runs,
    share,
    spread_of,
    together,
)
from reviewer.transcripts import desk
from reviewer.transcripts.desk import Desk
from reviewer.transcripts.store.tallies import UsageSum

_THOUSAND = 1_000
_UNNAMED = "?"
_LONGEST = 5
ENDINGS = {
    "customer-stop": "the customer", "agent-stop": "the agent", "turn-limit": "the limit of turns",
    "handover": "a handover", "error": "an error", "cut": "being cut off",
}  # fmt: skip
"""What ended a conversation, in words."""


def stability_blocks(it: Material) -> list[Block]:
    """Values per run with their spread, then every case whose runs came to different ends."""
    if len(it.row.runs) < 2:
        return [Sentence("One run only: nothing can be said of how steady it is.")]
    standard = [name for name in metrics.METRICS if name in it.row.metrics]
    rows = []
    for name in (*standard, *metrics.other_scores(it.row.metrics)):
        each = it.row.metrics[name]
        cells = (per_run_of(each, name), median_said(it.row, name), spread_of(each, name), of_how_many(each))
        rows.append(FigureRow(*named(name), cells))
    columns = (("per_run", "per run"), ("median", "median"), ("spread", "apart"), ("of", "of"))
    note = f"In the order of {runs(it.row.runs)}. Apart: the highest run less the lowest."
    spread = FigureTable("spread", "", "figure", columns, tuple(rows), note)
    return [spread, *_flips(it), *_score_flips(it), *_passes(it)]


def _flips(it: Material) -> list[Block]:
    cases = it.cases
    if not cases.compared:
        return [Sentence("No case has two runs whose tools a desk classes, so no flip can be told.")]
    parts = [
        f"{flips} of {of} {bucket or 'in no bucket'}"
        for bucket, (flips, of) in sorted(cases.by_bucket.items(), key=str)
    ]
    total = share(len(cases.flips), cases.compared)
    said = Sentence(
        f"In {total} of the cases with several runs the acts differ: the successful writes, their order or arguments,"
        f" a handover or none, forbidden acts ({'; '.join(parts)}).",
        named={"flips.cases": str(len(cases.flips)), "flips.of": str(cases.compared)},
    )
    if not cases.flips:
        return [said]
    rows = tuple(
        FigureRow(
            key,
            flip.case,
            (flip.bucket or NO_FIGURE, *("; ".join(f"run {end.run}: {end.words}" for end in flip.ends),)),
        )
        for key, flip in zip(slugs(flip.case for flip in cases.flips), cases.flips, strict=True)
    )
    columns = (("bucket", "bucket"), ("runs", "what happened in which run"))
    note = "A letter behind an act stands for its arguments: acts of one case with the same letter had the same."
    return [said, FigureTable("flip", "Every case whose acts differ", "case", columns, rows, note)]


def _score_flips(it: Material) -> list[Block]:
    """The cases that passed in some of their runs and not in others."""
    flips, verdict = it.row.repeats.score_flips, it.board.verdict
    if flips is None or verdict is None:
        return [Sentence("No score decides whether a conversation passed, so no flip by score can be told.")]
    by = plain(verdict.scorer)
    text = f"{share(*flips)} of the cases with several scored runs passed in some runs and not in others, by {by}."
    return [Sentence(text, named={"flips.score": str(flips[0]), "flips.score_of": str(flips[1])})]


def _passes(it: Material) -> list[Block]:
    """pass^k, and the cases that passed in all, some and none of their runs."""
    own = it.row.repeats
    if not own.passes:
        return [Sentence(verdict_said(it.board))] if it.board.verdict else []
    rows = tuple(
        FigureRow(f"pass_{each.k}", f"pass^{each.k}", (f"{each.value:.2f}", f"{each.cases:,}", f"{each.left_out:,}"))
        for each in own.passes
    )
    counts = {"all": own.all, "some": own.some, "none": own.none}
    text = (
        f"{own.all:,} cases passed in all of their runs, {own.some:,} in some, {own.none:,} in none."
        f" {verdict_said(it.board)}"
    )
    columns = (("mean", "mean over cases"), ("cases", "cases"), ("left_out", "with fewer runs"))
    note = "pass^k: C(c,k)/C(n,k), with c of the n runs of a case passed; cases with fewer than k runs are left out."
    said = Sentence(text, named={f"passed.{name}": str(n) for name, n in counts.items()})
    return [said, FigureTable("passed", "Passing again", "k", columns, rows, note)]


def tool_blocks(it: Material) -> list[Block]:
    """Calls by class and by tool, with how many of them came back as an error."""
    if not it.calls:
        return [Sentence("It called no tool.")]
    desks = _desks(it)
    calls: defaultdict[str, Counter[int]] = defaultdict(Counter)
    errors: Counter[str] = Counter()
    tools: defaultdict[str, set[str]] = defaultdict(set)
    for each in it.calls:
        its_desk = desks.get(each.desk) if each.desk is not None else None
        tool = its_desk.tools.get(each.tool) if its_desk is not None else None
        act = tool.act if tool is not None else _UNNAMED
        calls[act][each.run] += each.calls
        errors[act] += each.errors
        tools[act].add(each.tool)
    ordered = sorted(calls, key=lambda act: (act == _UNNAMED, -calls[act].total(), act))
    rows = []
    for key, act in zip(slugs(name.replace(_UNNAMED, "unclassed") for name in ordered), ordered, strict=True):
        own = metric_values([float(calls[act][run]) for run in it.run_ids], it.sizes)
        per_run = " / ".join(f"{calls[act][run]:,}" for run in it.run_ids)
        each_one = f"{own.median:.2f}" if own is not None else NO_FIGURE
        failed = share(errors[act], calls[act].total())
        cells = (f"{calls[act].total():,}", per_run, each_one, failed, together(sorted(tools[act])))
        rows.append(FigureRow(key, act if act != _UNNAMED else "not classed", cells))
    columns = (
        ("calls", "calls"),
        ("per_run", "per run"),
        ("each", "a conversation"),
        ("errors", "failed"),
        ("tools", "tools"),
    )
    counted = number(sum(it.sizes), "conversation")
    note = f"The agent's own calls in {counted}, by the classes of the desk file; one that failed is a call."
    return [FigureTable("calls", "", "class", columns, tuple(rows), note)]


def _desks(it: Material) -> dict[int, Desk]:
    """The desks that class the model's conversations, by their rows in the store."""
    texts = {row.rowid: row.desk for row in it.rows}
    own = {each.desk: texts[each.id] for each in it.own if each.id in texts}
    return {rowid: desk.kept(text) for rowid, text in own.items() if rowid is not None}


def ending_blocks(it: Material) -> list[Block]:
    """The customers' mood as it was judged, and what ended the conversations."""
    blocks: list[Block] = []
    if metrics.SENTIMENT in it.row.metrics:
        row = metric_row(it, metrics.SENTIMENT)
        columns = (("median", "median"), ("per_run", "per run"), ("of", "of"), ("place", "place"))
        judge = it.board.judges.get(metrics.SENTIMENT)
        note = f"Judged from 0 to 1{f' by {judge}' if judge else ''}, mean over all cases."
        blocks.append(FigureTable("mood", "", "figure", columns, (row,), note))
    else:
        blocks.append(Sentence("Nobody judged the customers' mood."))
    ended = Counter(row.ended_by for row in it.rows)
    if set(ended) - {None}:
        parts = [f"{n:,} by {ENDINGS.get(how, how)}" for how, n in ended.most_common() if how is not None]
        unsaid = f"; of {ended[None]:,} no source says" if ended[None] else ""
        blocks.append(
            Sentence(
                f"{together(parts, len(parts))}, of {number(len(it.rows), 'conversation')}{unsaid}.", lead="Ended:"
            )
        )
    return blocks


def verbosity_blocks(it: Material) -> list[Block]:
    """How many messages the agent needs, where it needs most, and what the conversations used up."""
    each = it.row.metrics.get(metrics.MESSAGES)
    if each is None:
        return [Sentence("No conversation here counts, so nothing is said of length.")]
    sizes = sorted(row.agent_messages for row in it.rows if row.messages)
    row = metric_row(it, metrics.MESSAGES)
    columns = (("median", "median"), ("per_run", "per run"), ("of", "of"), ("place", "place"))
    note = (
        f"Messages with visible text, mean over the conversations of a run; of single conversations the shortest has"
        f" {sizes[0]}, the middle one {median(sizes):g}, the longest {sizes[-1]}."
    )
    blocks: list[Block] = [FigureTable("length", "", "figure", columns, (row,), note), *_longest(it)]
    return [*blocks, *usage_blocks(it)]


def _longest(it: Material) -> list[Block]:
    own = [
        (f"{family} ({bucket})" if bucket else family, each[metrics.MESSAGES])
        for (family, bucket), each in it.row.groups.items()
        if family and metrics.MESSAGES in each
    ]
    longest = sorted(own, key=lambda pair: (-pair[1].median, pair[0]))[:_LONGEST]
    if len(own) < 2:
        return []
    keys = slugs(name for name, _ in longest)
    rows = tuple(
        FigureRow(key, name, (f"{each.median:.2f}", of_how_many(each)))
        for key, (name, each) in zip(keys, longest, strict=True)
    )
    return [
        FigureTable("longest", "Where it needs most messages", "family", (("median", "median"), ("of", "of")), rows)
    ]


def usage_blocks(it: Material) -> list[Block]:
    """Tokens and cost, as far as the sources tell; the tier beside them."""
    by_run = {each.run: each for each in it.usage}
    own = [by_run[run] for run in it.run_ids if run in by_run]
    told = sum(each.told for each in own)
    tier = it.row.about.get("tier")
    tiered = f" Its tier is {tier}, as its source says." if tier else " No source says what tier it is of."
    tiered = "" if it.costs.known and not tier else tiered
    if not told:
        return [Sentence(f"No source tells tokens of these conversations.{tiered}"), *cost_sentences(it.costs)]
    rows = [
        _used("tokens_in", "Tokens read", own, [each.tokens_in for each in own], [each.told for each in own]),
        _used("tokens_out", "Tokens written", own, [each.tokens_out for each in own], [each.told for each in own]),
    ]
    if sum(each.reasoning_told for each in own):
        hidden = [each.tokens_reasoning for each in own]
        rows.append(_used("tokens_reasoning", "of them reasoning", own, hidden, [each.reasoning_told for each in own]))
    columns = (("each", "a conversation, median over runs"), ("per_run", "per run"), ("of", "told by"))
    place = _place_of_tokens(it)
    cost = _cost(own) if it.costs.own is None else ""
    note = f"Means over the conversations of a run that tell them.{place}{tiered}{cost}"
    return [FigureTable("usage", "Tokens", "figure", columns, tuple(rows), note), *cost_sentences(it.costs)]


def _used(key: str, label: str, own: list[UsageSum], sums: list[int], told: list[int]) -> FigureRow:
    each = metric_values([float(n) for n in sums], told)
    if each is None:
        return FigureRow(key, label, (NO_FIGURE,) * 3)
    per_run = " / ".join(NO_FIGURE if one is None else f"{one:,.0f}" for one in each.per_run)
    of = f"{sum(told):,} of {number(sum(one.conversations for one in own), 'conversation')}"
    return FigureRow(key, label, (f"{each.median:,.0f}", per_run, of))


def _place_of_tokens(it: Material) -> str:
    """Where the model stands among all by what it writes."""
    by_model: defaultdict[str, list[float]] = defaultdict(list)
    for each in it.usage:
        if each.told and each.run in it.counts.runs:
            by_model[it.counts.runs[each.run].model].append(each.tokens_out / each.told)
    medians = {model: median(values) for model, values in by_model.items()}
    if len(medians) < 2 or it.model not in medians:
        return ""
    less = sum(other < medians[it.model] for other in medians.values())
    others = number(len(medians) - 1, "other model")
    return f" {less or 'None'} of {others} {'write' if less > 1 else 'writes'} less."


def _cost(own: list[UsageSum]) -> str:
    told = sum(each.cost_told for each in own)
    if not told:
        return " No source says what they cost."
    whole = sum(each.conversations for each in own)
    mean = sum(each.cost for each in own) / told
    thousand = f"{mean * _THOUSAND:,.2f}"
    return f" {thousand} for a thousand conversations, told of {told:,} of {whole:,}, in the source's currency."
