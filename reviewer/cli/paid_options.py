"""The options of commands that pay a model for answers about what is stored, and what they say of prices first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.cli.output import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reviewer.prices import PriceList

Connections = Annotated[int, typer.Option("--connections", min=1, max=500, help="Questions at once.")]
LimitCost = Annotated[float | None, typer.Option("--limit-cost", min=0, help="Stop once so many dollars are spent.")]
Prices = Annotated[Path | None, typer.Option("--prices", help="Prices in the form of data/prices.toml.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say how many calls and about what cost.")]


def say_unpriced(prices: PriceList, models: Iterable[str]) -> None:
    """Say beside the output which of these models have no price, before a call of them is paid."""
    for model in dict.fromkeys(models):
        if prices.of(model) is None:
            say(f"{model} has no price, so what it costs is not counted; --prices FILE names a list with it.", err=True)
