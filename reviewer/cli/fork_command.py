"""`reviewer fork`: the same decision of a stored conversation, many times, or of every conversation that has one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from reviewer.basics.shell import shell_line, shell_word
from reviewer.cli.ending import ended, hold_round, say_cost, say_round
from reviewer.cli.list_command import Store
from reviewer.cli.output import say
from reviewer.cli.paid_options import BaseUrl, Prices, say_unpriced, settle_addresses
from reviewer.cli.queries import Annotations, RefOrWords, chosen, joined, say_nothing_found

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reviewer.benchmark.live.deciding_message import Every
    from reviewer.benchmark.live.desk_kit import DeskKit
    from reviewer.benchmark.live.fork_point import Decider
    from reviewer.benchmark.live.fork_store import ForkTask
    from reviewer.benchmark.live.question_round import QuestionRound
    from reviewer.transcripts.model import Stored
    from reviewer.transcripts.prices import PriceList
    from reviewer.transcripts.refs import Ref
    from reviewer.transcripts.store.reader import Reader

_CALLS, _CHARACTERS, _ANSWER = 3, 4, 150
"""Of a decision, about: its calls of the model, characters of a token, tokens of an answer."""
_EVERY = "At every trap, at every handover, or where the runs of a case part; then a query says of which conversations."
LimitCost = Annotated[
    float | None, typer.Option("--limit-cost", min=0, help="Begin no decision once so many dollars are spent.")
]
Into = Annotated[Path | None, typer.Option("--into", help="The store of the forks.", show_default="STORE-forks.db")]


def fork(
    store: Store,
    where: RefOrWords = None,
    every: Annotated[
        Literal["forbidden", "handover", "flip"] | None, typer.Option("--every", help=_EVERY, show_default=False)
    ] = None,
    times: Annotated[int, typer.Option("--times", min=1, max=1000, help="How often.")] = 10,
    model: Annotated[
        str | None, typer.Option("--model", help="Who decides, as Inspect names it.", show_default="that of the run")
    ] = None,
    into: Into = None,
    connections: Annotated[int, typer.Option("--connections", min=1, max=500, help="Decisions at once.")] = 10,
    limit_cost: LimitCost = None,
    prices: Prices = None,
    base_url: BaseUrl = None,
    desk: Annotated[
        Path | None, typer.Option("--desk", help="The folder of its desk, where that is one of yours.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how many calls and about what cost; decide nothing.")
    ] = False,
    annotations: Annotations = None,
) -> None:
    """Let an agent decide again at a message, many times.

    The message is named, MODEL/CASE/RUN#4, or --every says of which conversations which message is decided again. What
    was said up to there is played again, and the acts are counted. The decisions go into a store of their own, so that
    no median counts them; the same command goes on where it stopped. Needs the extra `run`:
    pip install 'reviewer[run]'. See docs/run.md.
    """
    from reviewer.benchmark.live.desk_kit import kit
    from reviewer.benchmark.live.fork_store import fork_tasks
    from reviewer.transcripts.prices import price_list

    chosen_by = partial(_chosen, every, annotations) if every else _named
    deciders = chosen_by(store, joined(where), model, kit(str(desk)) if desk else None)
    forks = into or store.with_name(f"{store.stem}-forks.db")
    known = price_list(prices)
    tasks = _tasks(forks, deciders, times, known, limit_cost)
    if dry_run:
        _say_estimate(deciders, tasks, known)
        return
    if tasks:
        settle_addresses(dict.fromkeys([task.model for task in tasks], "agent"), base_url)
    stopped = _decide(forks, tasks, known, limit_cost, connections) if tasks else False
    _say_decisions(forks, deciders, every)
    raise typer.Exit(ended(not fork_tasks(forks, deciders, times), stopped))


def _tasks(
    forks: Path, deciders: Sequence[Decider], times: int, prices: PriceList, limit: float | None
) -> list[ForkTask]:
    """The decisions that are still to be made, where the store takes them and a limit can be kept."""
    from reviewer.benchmark.live.fork_store import check_forks, fork_tasks
    from reviewer.cli.judge_command import limited

    check_forks(forks)
    for model in dict.fromkeys(each.model for each in deciders):
        limited(prices, model, limit)
    return fork_tasks(forks, deciders, times)


def _named(store: Path, ref: str, model: str | None, own: DeskKit | None) -> Sequence[Decider]:
    """The point at the message that was named, and who decides there."""
    from reviewer.basics.errors import RefError, ReviewerError
    from reviewer.benchmark.live.fork_point import Decider, fork_point
    from reviewer.transcripts.refs import parse
    from reviewer.transcripts.store.reader import Reader

    if not ref:
        raise ReviewerError("Which message is decided?", "Name one, MODEL/CASE/RUN#4, or say --every forbidden.")
    try:
        place = parse(ref)
    except RefError as error:
        raise RefError(error.message, "Name a message, MODEL/CASE/RUN#4; a query goes with --every.") from None
    with Reader(store) as reader:
        point = fork_point(one_stored(reader, store, place), place, own)
    return [Decider(model or point.stored.conversation.model, point)]


def one_stored(reader: Reader, store: Path, place: Ref) -> Stored:
    """The one conversation that a reference names."""
    from reviewer.basics.errors import RefError

    rowids = reader.find(place.conversation)
    if not rowids:
        raise RefError(f"Nothing stands at {place.conversation}.", f"See: reviewer list {shell_word(store)}")
    if len(rowids) > 1:
        raise RefError(f"{place.conversation} has {len(rowids)} runs.", "Name one: MODEL/CASE/RUN#4.")
    return reader.stored(rowids[0])


def _chosen(
    every: Every, annotations: Path | None, store: Path, query: str, model: str | None, own: DeskKit | None
) -> Sequence[Decider]:
    """The points in the conversations that a query leaves, and says which were taken; none where it leaves none."""
    from reviewer.benchmark.live.fork_choice import fork_choice
    from reviewer.cli.fork_lines import taken
    from reviewer.transcripts.query import parse
    from reviewer.transcripts.store.reader import Reader

    wanted = parse(query)
    with Reader(store) as reader:
        ids = list(reader.ids(chosen(reader, wanted, store, annotations)))
        if not ids:
            say_nothing_found("No conversation matches.", wanted, reader, annotations)
            return []
        choice = fork_choice(reader, ids, every, model, own)
    for line in taken(every, choice):
        say(line)
    return choice.deciders


def _say_estimate(deciders: Sequence[Decider], tasks: Sequence[ForkTask], prices: PriceList) -> None:
    """Say how many decisions and calls are left, and about what they cost, model by model."""
    from collections import Counter

    from reviewer.benchmark.live.prompt_files import for_agent
    from reviewer.benchmark.live.transcript_text import transcript
    from reviewer.transcripts.model import Usage

    left = Counter((task.model, task.point.case) for task in tasks)
    for model in dict.fromkeys(each.model for each in deciders):
        own = [each.point for each in deciders if each.model == model]
        price, cost, times = prices.of(model), 0.0, sum(left[model, point.case] for point in own)
        for point in own if price else ():
            characters = len(transcript(point.past)) + len(for_agent(point.played))
            each = Usage(_CALLS * characters // _CHARACTERS, _CALLS * _ANSWER)
            cost += (price.cost(each) or 0.0) * left[model, point.case] if price else 0.0
        where = own[0].ref if len(own) == 1 else f"{len(own):,} messages"
        told = f"about ${cost:,.2f}" if price else "price unknown"
        say(f"{times:,} decisions of {model} at {where}, about {times * _CALLS:,} calls, {told}.")
    say("Nothing was asked.")


def _decide(forks: Path, tasks: Sequence[ForkTask], prices: PriceList, limit: float | None, connections: int) -> bool:
    """Let the models decide, and say what went wrong; True where somebody stopped it."""
    from reviewer.benchmark.live.admission import Budget
    from reviewer.benchmark.live.fork_store import forked
    from reviewer.benchmark.live.forked_agent import ForkedAgents

    budget = Budget(limit)
    models = list(dict.fromkeys(task.model for task in tasks))
    say_unpriced(prices, models)
    agents = ForkedAgents(models, prices, budget, connections)

    async def work(held: QuestionRound) -> None:
        await agents.probe(tasks[0].point.played)
        await forked(forks, tasks, agents.decided, held)

    held, stopped = hold_round("deciding", connections, budget, work)
    say_round(held, len(tasks), "decision", stopped)
    for model, spent in agents.spent.items():
        say_cost(model, spent)
    return stopped


def _say_decisions(forks: Path, deciders: Sequence[Decider], every: Every | None) -> None:
    """Say what was decided, at the one point or case by case."""
    from reviewer.benchmark.live.fork_counts import by_model
    from reviewer.benchmark.live.fork_store import decisions
    from reviewer.cli import fork_lines

    decided = decisions(forks, deciders)
    if not any(each.refs for each in decided):
        return
    if every is None:
        for line in fork_lines.at_one(deciders[0], decided[0]):
            say(line)
    else:
        for counts in by_model(deciders, decided):
            for line in fork_lines.at_many(every, counts):
                say(line)
    say(f"Read them side by side: {shell_line(['reviewer', 'open', str(forks)])}")
