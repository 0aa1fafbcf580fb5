"""`reviewer board`: models compared by their transcripts."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from reviewer.cli.listing import AsJson, Store
from reviewer.cli.output import say_json
from reviewer.cli.queries import Annotations, Words, chosen, joined


def board(
    store: Store,
    query: Words = None,
    as_json: AsJson = False,
    by: Annotated[
        Literal["family", "bucket", "case"] | None, typer.Option("--by", help="Also by family, bucket or case.")
    ] = None,
    run: Annotated[int | None, typer.Option("--run", help="Only this run of each model.", show_default=False)] = None,
    sort: Annotated[
        str | None, typer.Option("--sort", help="Sort by a metric, or by model.", show_default="board order")
    ] = None,
    judge: Annotated[str | None, typer.Option("--judge", help="Whose scores to show.", show_default=False)] = None,
    annotations: Annotations = None,
) -> None:
    """Compare models: escalation, over-escalation, unsafe actions and length from the calls, judged scores beside."""
    from dataclasses import replace

    from reviewer.measure import board as measure
    from reviewer.measure import objects, tables
    from reviewer.query import parse
    from reviewer.store.reader import Reader

    with Reader(store) as reader:
        selection = chosen(reader, parse(joined(query)), store, annotations)
        found = measure.board(reader, selection, by, run, judge)
    if sort is not None:
        name = _column(sort, found)
        found = replace(found, rows=measure.ordered(found.rows, name))
    if as_json:
        say_json(objects.as_object(found), indent=2)
        return
    for line in tables.lines(found, sort):
        typer.echo(line)


def _column(sort: str, found: object) -> str:
    """The metric that a typed column name means, in full or as the table prints it."""
    from reviewer.errors import ReviewerError
    from reviewer.measure.board import Board
    from reviewer.measure.metrics import ESCALATION, FOLLOWING, MESSAGES, OVER, UNSAFE

    short = {"over": OVER, "escalation": ESCALATION, "unsafe": UNSAFE, "msgs": MESSAGES, "if": FOLLOWING}
    short |= {"res": "resolution", "sent": "sentiment"}
    known = {name for row in found.rows for name in row.metrics} if isinstance(found, Board) else set()
    name = sort.lower().replace("-", "_")
    name = short.get(name, name)
    if name not in known | {"model"}:
        raise ReviewerError(f"There is no column “{sort}”.", f"Sort by: model, {', '.join(sorted(known))}.")
    return name
