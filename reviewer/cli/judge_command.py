"""`reviewer judge`: a model judges stored conversations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.cli.ending import ended, hold_round, say_cost, say_round
from reviewer.cli.list_command import Store
from reviewer.cli.output import say
from reviewer.cli.paid_options import BaseUrl, Connections, DryRun, LimitCost, Prices, say_unpriced, settle_addresses
from reviewer.cli.queries import Annotations, Words, chosen, joined, say_nothing_found

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reviewer.benchmark.live.question_round import QuestionRound
    from reviewer.benchmark.live.stored_judge import JudgeQuestion
    from reviewer.transcripts.prices import PriceList


def judge(
    store: Store,
    query: Words = None,
    judge: Annotated[str, typer.Option("--judge", help="Who judges, as Inspect names it.", show_default=False)] = "",
    rubric: Annotated[
        list[Path] | None, typer.Option("--rubric", help="A text file that says what is judged; may be given again.")
    ] = None,
    agree: Annotated[
        bool, typer.Option("--agree", help="Ask nothing; compare with people's verdicts and other judges.")
    ] = False,
    connections: Connections = 10,
    limit_cost: LimitCost = None,
    prices: Prices = None,
    base_url: BaseUrl = None,
    dry_run: DryRun = False,
    annotations: Annotations = None,
) -> None:
    """Have a model judge stored conversations.

    By resolution, instruction-following and sentiment, or a rubric of your own. What it has judged is not asked again.
    Needs the extra `run`: pip install 'reviewer[run]'. See docs/run.md.
    """
    from reviewer.basics.errors import ReviewerError
    from reviewer.transcripts.prices import price_list
    from reviewer.transcripts.query import parse
    from reviewer.transcripts.store.reader import Reader

    if not judge:
        raise ReviewerError("Who judges?", "Name a model: --judge openai/gpt-5.")
    wanted = parse(joined(query))
    with Reader(store) as reader:
        ids = list(reader.ids(chosen(reader, wanted, store, annotations)))
        if not ids:
            say_nothing_found("No conversation matches.", wanted, reader, annotations)
            return
    if agree:
        _say_agreement(store, judge, ids, annotations)
        return
    waiting = _waiting(store, ids, rubric, judge)
    known = limited(price_list(prices), judge, limit_cost)
    if dry_run:
        _say_estimate(waiting, judge, known)
        return
    if not waiting:
        say(f"{judge} has judged these {len(ids):,} conversations already. Nothing was asked.")
        return
    settle_addresses({judge: "judge"}, base_url)
    raise typer.Exit(_judge(store, waiting, judge, known, limit_cost, connections))


def limited(prices: PriceList, model: str, limit: float | None) -> PriceList:
    """The prices, refused where a limit of cost cannot be kept by them."""
    from reviewer.basics.errors import ReviewerError

    if limit is not None and prices.of(model) is None:
        raise ReviewerError(f"--limit-cost cannot be kept: {model} has no price.", "Name a file of prices: --prices.")
    return prices


def _waiting(store: Path, ids: Sequence[int], files: Sequence[Path] | None, judge: str) -> Sequence[JudgeQuestion]:
    """The questions that are left, and says how many of them were asked with another prompt."""
    from reviewer.benchmark.live.stored_judge import otherwise_asked, questions
    from reviewer.benchmark.live.verdict import rubric_in, rubrics

    waiting = questions(store, ids, [rubric_in(path) for path in files] if files else rubrics(), judge)
    if again := otherwise_asked(store, waiting, judge):
        say(f"{again:,} of these were asked with another prompt; those scores stay, and are counted apart.", err=True)
    return waiting


def _say_estimate(waiting: Sequence[JudgeQuestion], judge: str, prices: PriceList) -> None:
    from dataclasses import replace

    from reviewer.benchmark.live.estimate import CALLS, JUDGE

    price = prices.of(judge)
    each = replace(
        JUDGE, tokens_in=(JUDGE.tokens_in or 0) // CALLS["judge"], tokens_out=(JUDGE.tokens_out or 0) // CALLS["judge"]
    )
    cost = (price.cost(each) or 0.0) * len(waiting) if price else None
    told = "price unknown" if cost is None else f"about ${cost:,.2f}"
    say(f"{len(waiting):,} questions to {judge}, {told}. Nothing was asked.")


def _judge(
    store: Path, waiting: Sequence[JudgeQuestion], judge: str, prices: PriceList, limit: float | None, connections: int
) -> int:
    """Ask, and say what came of it; returns the exit code."""
    from functools import partial

    from reviewer.benchmark.live.admission import Budget
    from reviewer.benchmark.live.asked_model import AskedModel
    from reviewer.benchmark.live.stored_judge import JudgeReport, asked
    from reviewer.benchmark.live.verdict import judged

    say_unpriced(prices, [judge])
    budget = Budget(limit)
    model, report = AskedModel(judge, prices, budget, connections), JudgeReport()

    async def work(held: QuestionRound) -> None:
        await model.probe()
        await asked(store, waiting, judge, partial(judged, model.say), held, report)

    held, stopped = hold_round("judging", connections, budget, work)
    say(f"{judge} gave {report.given:,} scores of {len(waiting):,}.")
    if report.misquoting:
        say(f"{report.misquoting:,} of {report.given:,} notes quote words that are not there, and say which.")
    if report.none:
        say(f"{report.none:,} answers had no number from 0 to 1.")
    say_round(held, len(waiting), "question", stopped)
    say_cost(judge, None if prices.of(judge) is None else budget.spent)
    return ended(report.given == len(waiting), stopped)


def _say_agreement(store: Path, judge: str, ids: Sequence[int], annotations: Path | None) -> None:
    from reviewer.basics.errors import ReviewerError
    from reviewer.benchmark.live.agreement import between, with_people
    from reviewer.transcripts.query import parse
    from reviewer.transcripts.store.past_runs import values_by
    from reviewer.transcripts.store.reader import Reader

    own = values_by(store, judge, ids)
    with Reader(store) as reader:
        others = sorted({each.judge for each in reader.tallies.judges() if each.judge and each.judge != judge})
        if not own:
            raise ReviewerError(
                f"{judge} has judged none of these.", f"Judges: {', '.join([*others]) or 'none is named'}."
            )
        said = {
            verdict: set(reader.ids(chosen(reader, parse(f"verdict:{verdict}"), store, annotations)))
            for verdict in ("pass", "fail")
        }
    say(f"{judge} and what people said:")
    for line in with_people(own, said["pass"], said["fail"]):
        say(f"  {line}")
    for other in others:
        lines = list(between(own, values_by(store, other, ids)))
        if lines:
            say(f"{judge} and {other}:")
            for line in lines:
                say(f"  {line}")
