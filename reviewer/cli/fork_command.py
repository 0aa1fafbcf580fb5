"""`reviewer fork`: the same decision of a stored conversation, many times."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.cli.list_command import Store
from reviewer.cli.output import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reviewer.model import Stored
    from reviewer.prices import PriceList
    from reviewer.refs import Ref
    from reviewer.run.fork_point import ForkPoint
    from reviewer.store.reader import Reader

_STOPPED = 130
_CALLS, _CHARACTERS, _ANSWER = 3, 4, 150
"""Of a decision, about: its calls of the model, characters of a token, tokens of an answer."""


def fork(
    store: Store,
    ref: Annotated[str, typer.Argument(help="The message that is decided: MODEL/CASE/RUN#4.", show_default=False)],
    times: Annotated[int, typer.Option("--times", min=1, max=1000, help="How often.")] = 10,
    model: Annotated[
        str | None, typer.Option("--model", help="Who decides, as Inspect names it.", show_default="that of the run")
    ] = None,
    into: Annotated[
        Path | None, typer.Option("--into", help="The store of the forks.", show_default="STORE-forks.db")
    ] = None,
    connections: Annotated[int, typer.Option("--connections", min=1, max=500, help="Decisions at once.")] = 10,
    limit_cost: Annotated[
        float | None, typer.Option("--limit-cost", min=0, help="Begin no decision once so many dollars are spent.")
    ] = None,
    prices: Annotated[Path | None, typer.Option("--prices", help="Prices in the form of data/prices.toml.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say about what cost; decide nothing.")] = False,
) -> None:
    """Let an agent decide again at a message, many times.

    The conversation up to there is played again, and its acts are counted. The decisions go into a store of their own,
    so that no median counts them; the same command goes on where it stopped. Needs the extra `run`:
    pip install 'reviewer[run]'. See docs/run.md.
    """
    from reviewer.cli.judge_command import limited
    from reviewer.prices import price_list
    from reviewer.refs import parse
    from reviewer.run.fork_point import fork_point
    from reviewer.run.fork_store import check_forks, free_runs
    from reviewer.store.reader import Reader

    place = parse(ref)
    with Reader(store) as reader:
        point = fork_point(one_stored(reader, store, place), place)
    who = model or point.stored.conversation.model
    forks = into or store.with_name(f"{store.stem}-forks.db")
    check_forks(forks)
    known = limited(price_list(prices), who, limit_cost)
    runs = free_runs(forks, point, who, times)
    if dry_run:
        _say_estimate(point, who, len(runs), known)
        return
    code = _decide(forks, point, who, runs, known, limit_cost, connections) if runs else 0
    _say_decisions(forks, point, who)
    raise typer.Exit(code)


def one_stored(reader: Reader, store: Path, place: Ref) -> Stored:
    """The one conversation that a reference names."""
    from reviewer.errors import RefError

    rowids = reader.find(place.conversation)
    if not rowids:
        raise RefError(f"Nothing stands at {place.conversation}.", f"See: reviewer list {store}")
    if len(rowids) > 1:
        raise RefError(f"{place.conversation} has {len(rowids)} runs.", "Name one: MODEL/CASE/RUN#4.")
    return reader.stored(rowids[0])


def _say_estimate(point: ForkPoint, model: str, times: int, prices: PriceList) -> None:
    from reviewer.model import Usage
    from reviewer.run.prompt_files import for_agent
    from reviewer.run.transcript_text import transcript

    price = prices.of(model)
    characters = len(transcript(point.past)) + len(for_agent())
    each = Usage(_CALLS * characters // _CHARACTERS, _CALLS * _ANSWER)
    cost = (price.cost(each) or 0.0) * times if price else None
    told = "price unknown" if cost is None else f"about ${cost:,.2f}"
    say(f"{times:,} decisions of {model} at {point.ref}, {told}. Nothing was asked.")


def _decide(
    forks: Path,
    point: ForkPoint,
    model: str,
    runs: Sequence[int],
    prices: PriceList,
    limit: float | None,
    connections: int,
) -> int:
    """Let it decide, and say what went wrong; returns the exit code."""
    import asyncio

    from reviewer.cli.progress import ShareProgress
    from reviewer.cli.run_command import needs_inspect

    needs_inspect()
    from reviewer.run.admission import Budget
    from reviewer.run.fork_store import ForkReport, forked
    from reviewer.run.forked_agent import ForkedAgent

    budget, report, code = Budget(limit), ForkReport(), 0
    agent = ForkedAgent(model, point, prices, budget, connections)

    async def all_of_it() -> None:
        await agent.probe()
        await forked(forks, point, model, runs, agent.decided, connections, budget, report, progress.step)

    with ShareProgress("deciding") as progress:
        try:
            asyncio.run(all_of_it())
        except KeyboardInterrupt:
            code = _STOPPED
    if report.failed:
        say(f"{report.failed:,} decisions failed, the first because: {report.why} The same command goes on with them.")
    if left := len(runs) - report.made - report.failed:
        why = "The limit of cost is reached" if budget.used_up else "Stopped"
        say(f"{why}: {left:,} decisions are left. The same command goes on with them.")
    say(f"cost of {model}: " + ("its price is unknown" if prices.of(model) is None else f"${budget.spent:,.4f}"))
    return code or (0 if report.made else 2)


def _say_decisions(forks: Path, point: ForkPoint, model: str) -> None:
    """Say what was decided, always of how many, and what stands in the conversation itself."""
    from reviewer.run.fork_point import acts_from
    from reviewer.run.fork_store import decisions

    told = decisions(forks, point, model)
    if not told.refs:
        return
    say(f"{model} at {point.ref}, decided {len(told.refs):,} times; the past of each is {point.prefix[:12]}:")
    facts = point.stored.conversation.facts
    shares = told.shares(bool(facts and facts.forbidden))
    width = max(len(each.what) for each in shares)
    for each in shares:
        bounds = "  {:>4.0%} ({:.0%}-{:.0%})".format(*each.share) if each.share else ""
        say(f"  {each.what:<{width}}  {each.number:>3,} of {each.of:,}{bounds}")
    if told.another_past:
        say(f"{told.another_past:,} of that name have another past and are not counted.")
    if point.deciding <= len(point.stored.conversation.messages):
        acts = ", ".join(what for what, _ in acts_from(point.stored, point.deciding)) or "no act"
        say(f"{point.stored.ref} itself: {acts}.")
    say(f"Read them side by side: reviewer open {forks}")
