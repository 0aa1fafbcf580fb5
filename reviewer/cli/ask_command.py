"""`reviewer ask`: a model reads stored conversations for failure modes, and suggests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.basics.shell import shell_line
from reviewer.cli.ending import ended, hold_round, say_cost, say_round
from reviewer.cli.judge_command import limited
from reviewer.cli.list_command import Store
from reviewer.cli.output import say
from reviewer.cli.paid_options import BaseUrl, Connections, DryRun, LimitCost, Prices, say_unpriced, settle_addresses
from reviewer.cli.queries import Annotations, Words, chosen, joined, say_nothing_found

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reviewer.benchmark.live.mode_reader import ReadingReport, ReadingTask
    from reviewer.benchmark.live.question_round import QuestionRound
    from reviewer.marks.codebook import Codebook
    from reviewer.transcripts.prices import PriceList


def ask(
    store: Store,
    query: Words = None,
    model: Annotated[str, typer.Option("--model", help="Who reads, as Inspect names it.", show_default=False)] = "",
    mode: Annotated[
        list[str] | None,
        typer.Option("--mode", help="A mode of the codebook; may be given again.", show_default=False),
    ] = None,
    connections: Connections = 10,
    limit_cost: LimitCost = None,
    prices: Prices = None,
    base_url: BaseUrl = None,
    dry_run: DryRun = False,
    annotations: Annotations = None,
) -> None:
    """Have a model look for failure modes in stored conversations.

    Its quotes become suggestions under its name, where their exact words stand; a person accepts or rejects them. What
    it has answered is not asked again. Needs the extra `run`: pip install 'reviewer[run]'. See docs/run.md.
    """
    from reviewer.basics.errors import ReviewerError
    from reviewer.benchmark.live.mode_question import asked_modes
    from reviewer.benchmark.live.mode_reader import source_of, tasks
    from reviewer.marks import folder
    from reviewer.transcripts.prices import price_list
    from reviewer.transcripts.query import parse
    from reviewer.transcripts.store.reader import Reader

    if not model:
        raise ReviewerError("Who reads?", "Name a model: --model openai/gpt-5.")
    source_of(model)
    wanted = parse(joined(query))
    with Reader(store) as reader:
        codebook = folder.load(annotations or folder.usual(store), folder.suited(reader.info()["cases"]))
        modes = asked_modes(codebook, mode or ())
        ids = list(reader.ids(chosen(reader, wanted, store, annotations)))
        if not ids:
            say_nothing_found("No conversation matches.", wanted, reader, annotations)
            return
    waiting = tasks(store, ids, modes, model)
    known = limited(price_list(prices), model, limit_cost)
    if dry_run:
        _say_estimate(store, waiting, model, known)
        return
    if not waiting:
        say(f"{model} has read these {len(ids):,} conversations already. Nothing was asked.")
        return
    settle_addresses({model: "reader"}, base_url)
    raise typer.Exit(_ask(store, waiting, model, codebook, known, limit_cost, connections))


def _say_estimate(store: Path, waiting: Sequence[ReadingTask], model: str, prices: PriceList) -> None:
    from reviewer.benchmark.live.mode_reader import expected_usage

    price = prices.of(model)
    cost = price.cost(expected_usage(store, waiting)) if price else None
    told = "price unknown" if cost is None else f"about ${cost:,.2f}"
    say(f"{len(waiting):,} questions to {model}, {told}. Nothing was asked.")


def _ask(
    store: Path,
    waiting: Sequence[ReadingTask],
    model: str,
    codebook: Codebook,
    prices: PriceList,
    limit: float | None,
    connections: int,
) -> int:
    """Ask, and say what came of it; returns the exit code."""
    from functools import partial

    from reviewer.benchmark.live.admission import Budget
    from reviewer.benchmark.live.asked_model import AskedModel
    from reviewer.benchmark.live.mode_question import answer_in
    from reviewer.benchmark.live.mode_reader import ModeReader

    say_unpriced(prices, [model])
    budget = Budget(limit)
    asked, reading = AskedModel(model, prices, budget, connections), ModeReader(store, model, codebook)

    async def work(held: QuestionRound) -> None:
        await asked.probe()
        await reading.read(waiting, partial(asked.ask, read=answer_in), held)

    held, stopped = hold_round("asking", connections, budget, work)
    report = reading.report
    for line in _told(report, model, len(waiting)):
        say(line)
    say_round(held, len(waiting), "question", stopped)
    say_cost(model, None if prices.of(model) is None else budget.spent)
    if report.suggested:
        say(f"See them: {shell_line(['reviewer', 'findings', str(store), '--read', model])}")
    return ended(report.answered == len(waiting), stopped)


def _told(report: ReadingReport, model: str, whole: int) -> Sequence[str]:
    """What came of asking, as lines."""
    lines = [f"{model} has read {report.answered:,} of {whole:,} conversations; suggestions: {report.suggested:,}."]
    if report.dropped:
        first = report.first_dropped
        lines.append(f"{report.dropped:,} dropped: their words do not stand once where they say. The first: {first}")
    if report.unusable:
        lines.append(f"{report.unusable:,} dropped that name no words, or no mode that was asked for.")
    if report.unreadable:
        lines.append(f"{report.unreadable:,} answers could not be read.")
    return lines
