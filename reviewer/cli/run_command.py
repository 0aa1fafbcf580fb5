"""`reviewer run`: the benchmark on live models, into a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.basics.shell import shell_line
from reviewer.cli.ending import ended, say_failures, say_left, say_next
from reviewer.cli.output import say
from reviewer.cli.paid_options import BaseUrl, DryRun, say_unpriced, settle_addresses

if TYPE_CHECKING:
    from reviewer.benchmark.live.admission import Budget
    from reviewer.benchmark.live.cut_cases import CutCase
    from reviewer.benchmark.live.estimate import Basis
    from reviewer.benchmark.live.programme import Programme, RunRequest
    from reviewer.transcripts.prices import PriceList

PlayedDesk = Annotated[
    str, typer.Argument(help="northline, lapwing, or the folder of a desk of yours.", show_default=False)
]
CasesFrom = Annotated[
    Path | None,
    typer.Option("--cases-from", help="A folder that reviewer cases wrote, in place of the desk's own."),
]
Customer = Annotated[
    str | None, typer.Option("--customer", help="Who plays the customer.", show_default="the model itself")
]
Connections = Annotated[
    int, typer.Option("--connections", min=1, max=500, help="Calls to a model at once, and conversations.")
]
LimitCost = Annotated[
    float | None, typer.Option("--limit-cost", min=0, help="Begin no conversation once so many dollars are spent.")
]
Logs = Annotated[Path | None, typer.Option("--log-dir", help="Where Inspect's logs go.", show_default="STORE-logs")]


def run(
    desk: PlayedDesk,
    model: Annotated[
        list[str], typer.Option("--model", help="A model, as Inspect names it: openai/gpt-5; may be given again.")
    ],
    runs: Annotated[int, typer.Option("--runs", min=1, max=100, help="Times each model goes over the cases.")] = 3,
    cases: Annotated[str, typer.Option("--cases", help="Only cases that this filter leaves.")] = "",
    cases_from: CasesFrom = None,
    customer: Customer = None,
    judge: Annotated[str | None, typer.Option("--judge", help="Who judges; without one nobody does.")] = None,
    second_judge: Annotated[str | None, typer.Option("--second-judge", help="A judge to compare with.")] = None,
    into: Annotated[Path, typer.Option("--into", help="The store; made when it is not there.")] = Path("runs.db"),
    turns: Annotated[int, typer.Option("--turns", min=1, max=50, help="Messages of the customer at most.")] = 8,
    connections: Connections = 10,
    limit_cost: LimitCost = None,
    prices: Annotated[Path | None, typer.Option("--prices", help="Prices in the form of data/prices.toml.")] = None,
    logs: Logs = None,
    base_url: BaseUrl = None,
    dry_run: DryRun = False,
) -> None:
    """Run a desk's benchmark on live models, into a store.

    Each conversation comes in as it ends; the same command goes on where it stopped. Needs the extra `run`:
    pip install 'reviewer[run]'. See docs/run.md.
    """
    from reviewer.benchmark.live.admission import Budget
    from reviewer.benchmark.live.case_choice import chosen_cases
    from reviewer.benchmark.live.desk_kit import kit
    from reviewer.benchmark.live.programme import RunRequest, programme
    from reviewer.transcripts.prices import price_list

    known = price_list(prices)
    models = tuple(dict.fromkeys(model))
    played = kit(desk)
    chosen = chosen_cases(cases, played, _cut_cases(cases_from, played.name), partial(say, err=True))
    wanted = RunRequest(models, runs, chosen, turns, customer, judge, second_judge, played)
    _check(wanted, limit_cost, known)
    plan = programme(into, wanted)
    if dry_run:
        _say_estimate(plan, known, into)
        return
    if not plan.left:
        say(f"{into} has all {plan.whole:,} conversations already. Nothing was run.")
        raise typer.Exit(_end(plan, into, cases))
    settle_addresses({each: _roles(each, wanted) for each in (*wanted.models, *wanted.roles.values())}, base_url)
    budget = Budget(limit_cost)
    stopped = _run(plan, into, known, budget, logs or into.with_name(f"{into.stem}-logs"), connections)
    raise typer.Exit(_end(programme(into, wanted), into, cases, budget, stopped))


def _cut_cases(folder: Path | None, desk: str) -> Sequence[CutCase] | None:
    """The cases of a folder, refused where one cannot be played; None where the benchmark's own are meant."""
    from reviewer.benchmark.live.cut_cases import check_playable, cut_cases

    if folder is None:
        return None
    read = cut_cases(folder)
    check_playable(read, desk)
    return read


def _check(wanted: RunRequest, limit: float | None, prices: PriceList) -> None:
    """Refuse what cannot be meant before anything is paid."""
    from reviewer.basics.errors import ReviewerError

    if len(wanted.models) > 1 and wanted.customer is None:
        raise ReviewerError(
            "Several models would each play their own customer, and could not be compared.",
            "Say who plays it: --customer MODEL.",
        )
    if wanted.second_judge and not wanted.judge:
        raise ReviewerError("There is a second judge and no first one.", "Name both, or only --judge.")
    if wanted.judge and wanted.judge == wanted.second_judge:
        raise ReviewerError("Both judges are the same model.", "Leave --second-judge out, or name another one.")
    asked = dict.fromkeys((*wanted.models, *wanted.roles.values()))
    if limit is not None and (without := [each for each in asked if prices.of(each) is None]):
        raise ReviewerError(
            f"--limit-cost cannot be kept: {without[0]} has no price.",
            "Add a line for it to a file of prices and name that with --prices.",
        )


def _say_estimate(plan: Programme, prices: PriceList, store: Path) -> None:
    from reviewer.benchmark.live.estimate import StoredLengths, bases, estimated
    from reviewer.transcripts.store.past_runs import lengths

    stored = f", {plan.whole - plan.left:,} more are stored" if plan.left < plan.whole else ""
    say(f"{plan.left:,} conversations to hold{stored}: {len(plan.wanted.cases):,} cases, {_runs(plan.wanted)}.")
    held = StoredLengths(lengths(store, plan.wanted.models))
    shares = estimated(plan, prices, held)
    width = max((len(share.model) for share in shares), default=0)
    for share in shares:
        cost = "price unknown" if share.cost is None else f"about ${share.cost:,.2f}"
        say(f"  {share.role:<8}  {share.model:<{width}}  {share.calls:>8,} calls  {cost}")
    known = [share.cost for share in shares if share.cost is not None]
    at_least = "at least " if len(known) < len(shares) else "about "
    calls = sum(share.calls for share in shares)
    say(f"{calls:,} calls, {at_least if known else ''}{f'${sum(known):,.2f}' if known else 'cost unknown'}.")
    said = _lengths_said(bases(plan, held))
    say(f"Estimated from the length {said} and prices of {prices.as_of}. Nothing was run.")


def _lengths_said(bases: Mapping[Basis, int]) -> str:
    """Whose lengths were used, and for how many conversations where they are several's."""
    words: dict[Basis, str] = {
        "case": "of stored conversations of the same model and case",
        "model": "of stored ones of the same model",
        "sample": "of the sample's conversations",
    }
    used = [(said, bases[basis]) for basis, said in words.items() if basis in bases] or [(words["sample"], 0)]
    return ", ".join(f"{said} ({number:,})" if len(used) > 1 else said for said, number in used)


def _runs(wanted: RunRequest) -> str:
    models = f"{len(wanted.models)} models" if len(wanted.models) > 1 else wanted.models[0]
    return (
        f"{models}, {wanted.runs} run{'s' * (wanted.runs > 1)} each"
        if len(wanted.models) > 1
        else (f"{models}, {wanted.runs} run{'s' * (wanted.runs > 1)}")
    )


def _run(plan: Programme, into: Path, prices: PriceList, budget: Budget, logs: Path, connections: int) -> bool:
    """Run what is left, and say what came of it; True where somebody stopped it."""
    import asyncio

    from reviewer.basics.errors import ReviewerError
    from reviewer.benchmark.live.arrivals import Arrivals
    from reviewer.benchmark.live.live_run import Live, Spent, played
    from reviewer.benchmark.live.probes import probe
    from reviewer.cli.progress import RunProgress

    wanted = plan.wanted
    if wanted.customer is None:
        say(f"{wanted.models[0]} plays its own customer; --customer MODEL names another.", err=True)
    say_unpriced(prices, (*wanted.models, *wanted.roles.values()))
    spent = Spent(prices, budget)
    asyncio.run(probe(wanted.models, wanted.roles.values(), spent.take, wanted.played))
    command = {"paths": [wanted.played.name], "models": ",".join(wanted.models), "runs": wanted.runs}
    stopped, broken = False, None
    with RunProgress(plan) as progress, Arrivals(into, command, plan.again, wanted.played.desk) as arrivals:
        try:
            asyncio.run(played(plan, Live(arrivals, spent, budget, progress.step), logs, connections))
        except KeyboardInterrupt:
            stopped = True
        except ReviewerError as error:
            broken = error
    for line in progress.lines():
        say(line)
    if broken is not None:
        say(broken.message)
    for judge in wanted.judges:
        _say_misquotes(into, judge, wanted.models)
    if wanted.judge and wanted.second_judge:
        _say_disagreement(into, wanted.judge, wanted.second_judge, wanted.models)
    for line in _bill(spent.by_model, spent.unknown, wanted):
        say(line)
    if progress.held:
        say(f"Compare models: {shell_line(['reviewer', 'board', str(into)])}")
        say(f"Read them: {shell_line(['reviewer', 'open', str(into)])}")
    return stopped


def _end(plan: Programme, into: Path, cases: str, budget: Budget | None = None, stopped: bool = False) -> int:
    """Say what the store lacks of what was asked for, and how to go on; returns the exit code."""
    from reviewer.benchmark.live.failures import Failures

    failures = Failures()
    for each in plan.failed:
        failures.add(each.error or "")
    say_failures(failures, "conversation")
    say_left(plan.left - len(failures), "conversation", budget is not None and budget.used_up, stopped)
    unjudged = _say_unjudged(plan, into, cases)
    return ended(not plan.left, stopped) or int(unjudged)


def _say_unjudged(plan: Programme, into: Path, cases: str) -> bool:
    """Say which judges gave no number where one was asked for, and the command that asks them again."""
    from reviewer.benchmark.live.stored_judge import questions
    from reviewer.benchmark.live.verdict import rubrics
    from reviewer.transcripts.query.selection import quoted

    ids, unjudged = [each.rowid for each in plan.held], False
    for judge in plan.wanted.judges:
        if waiting := questions(into, ids, rubrics(plan.wanted.played), judge, plan.wanted.played):
            unjudged = True
            say(f"{len(waiting):,} scores of {judge} are missing: it gave no number from 0 to 1.")
            of_models = " or ".join(f"model:{quoted(model)}" for model in plan.wanted.models)
            query = f"({cases}) ({of_models})" if cases else of_models
            say_next(["judge", str(into), query, "--judge", judge])
    return unjudged


def _say_misquotes(store: Path, judge: str, models: Sequence[str]) -> None:
    """Print how many of a judge's notes on these models quote words that are not in the conversation."""
    from reviewer.benchmark.live.note_quotes import has_remark
    from reviewer.transcripts.store.past_runs import held_cases, notes_by

    notes = notes_by(store, judge, [held.rowid for held in held_cases(store, models)])
    if misquoting := sum(map(has_remark, notes)):
        say(f"judges: {misquoting:,} of {len(notes):,} notes of {judge} quote words that are not there, and say which.")


def _say_disagreement(store: Path, first: str, second: str, models: Sequence[str]) -> None:
    """Say how far the judges lie apart on what these models did."""
    from reviewer.benchmark.live.agreement import between
    from reviewer.transcripts.store.past_runs import held_cases, values_by

    ids = [held.rowid for held in held_cases(store, models)]
    for line in between(values_by(store, first, ids), values_by(store, second, ids)):
        say(f"judges: {line}")


def _bill(by_model: dict[str, float], unknown: set[str], wanted: RunRequest) -> Sequence[str]:
    """What it cost: agents, and apart from them customers and judges."""
    lines = [f"cost of {model} ({_roles(model, wanted)}): ${cost:,.4f}" for model, cost in by_model.items()]
    return [*lines, *(f"cost of {model} ({_roles(model, wanted)}): its price is unknown" for model in sorted(unknown))]


def _roles(model: str, wanted: RunRequest) -> str:
    roles = ["agent"] if model in wanted.models else []
    roles += [role.replace("_", " ") for role, name in wanted.roles.items() if name == model]
    return ", ".join(roles)
