"""`reviewer board`: models compared by their transcripts."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from reviewer.cli.list_command import AsJson, Store
from reviewer.cli.output import say, say_json
from reviewer.cli.queries import Annotations, Words, chosen, joined, say_unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reviewer.figures.measure.board import Board
    from reviewer.figures.measure.costs import ModelCost
    from reviewer.transcripts.prices import PriceList


def board(
    store: Store,
    query: Words = None,
    as_json: AsJson = False,
    by: Annotated[
        Literal["family", "bucket", "case", "tier"] | None,
        typer.Option("--by", help="Also by family, bucket or case; or models by tier of cost."),
    ] = None,
    run: Annotated[int | None, typer.Option("--run", help="Only this run of each model.", show_default=False)] = None,
    sort: Annotated[
        str | None, typer.Option("--sort", help="Sort by a column, or by model.", show_default="board order")
    ] = None,
    suite: Annotated[
        str | None, typer.Option("--suite", help="Which benchmark to show.", show_default="the largest one")
    ] = None,
    judge: Annotated[str | None, typer.Option("--judge", help="Whose scores to show.", show_default=False)] = None,
    prices: Annotated[
        Path | None, typer.Option("--prices", help="Prices in the form of data/prices.toml.", show_default=False)
    ] = None,
    annotations: Annotations = None,
) -> None:
    """Compare models by what they did, and what judges gave them.

    Escalation, over-escalation, unsafe actions and length are counted from the calls; docs/northline.md defines them.
    """
    from reviewer.figures.measure import board as measure
    from reviewer.figures.measure import suites
    from reviewer.figures.measure.costs import model_costs
    from reviewer.transcripts.prices import price_list
    from reviewer.transcripts.query import parse
    from reviewer.transcripts.store.reader import Reader

    wanted = parse(joined(query))
    with Reader(store) as reader:
        selection = chosen(reader, wanted, store, annotations)
        standings = measure.board(reader, selection, None if by == "tier" else by, run, judge, suite)
        spent = () if standings.synthetic else reader.tallies.costs(suites.within(selection, standings.suite or ""))
        known = price_list(prices)
        costs = model_costs((row for row in spent if run is None or row.number == run), known)
        if not standings.rows:
            say_unknown(wanted, reader, annotations)
    if judge is not None:
        check_judge(judge, standings)
    if sort is not None and standings.rows:
        standings = _sorted(standings, sort)
    if as_json:
        _say_object(standings, costs, known, by == "tier")
        return
    for line in _printed(standings, sort, costs, known, by == "tier"):
        say(line)


def _say_object(standings: Board, costs: list[ModelCost], prices: PriceList, by_tier: bool) -> None:
    from reviewer.figures.measure import objects
    from reviewer.figures.measure.tiers import as_object, tier_groups

    told = {each.model: dataclasses.asdict(each) for each in costs}
    tiers = {"tiers": as_object(tier_groups(standings, costs, prices))} if by_tier else {}
    say_json({**objects.as_object(standings), **({"costs": told} if told else {}), **tiers}, indent=2)


def _printed(
    standings: Board, sort: str | None, costs: list[ModelCost], prices: PriceList, by_tier: bool
) -> Iterator[str]:
    """The board, and below it the models by tier where asked for, and what conversations cost."""
    from reviewer.figures.export import board_table, tier_table
    from reviewer.figures.measure.costs import cost_lines
    from reviewer.figures.measure.tiers import tier_groups

    yield from board_table.lines(standings, sort)
    if by_tier and standings.rows:
        yield ""
        yield from tier_table.lines(tier_groups(standings, costs, prices), standings)
    lines = list(cost_lines(costs, prices))
    yield from ("", *lines) if lines else ()


def check_judge(judge: str, standings: Board) -> None:
    """Refuse a judge nobody knows: the usual judge's scores would be shown under that name."""
    from reviewer.basics.errors import ReviewerError

    known = sorted({name for name in (*standings.judges.values(), *standings.other_judges) if name})
    if judge not in known and not any(name.startswith(f"{judge} (prompt ") for name in known):
        raise ReviewerError(f"Nobody called “{judge}” judged here.", f"Judges: {', '.join(known) or 'none is named'}.")


def _sorted(standings: Board, sort: str) -> Board:
    from dataclasses import replace

    from reviewer.basics.errors import ReviewerError
    from reviewer.figures.export.board_table import sortable
    from reviewer.figures.measure.board import ordered
    from reviewer.figures.measure.metrics import plain_name

    columns = sortable(standings)
    name = columns.get(plain_name(sort))
    if name is None:
        raise ReviewerError(f"There is no column “{sort}”.", f"Sort by: {', '.join(columns)}.")
    return replace(standings, rows=ordered(standings.rows, name))
