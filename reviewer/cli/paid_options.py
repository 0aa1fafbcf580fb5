"""The options of commands that pay a model for answers about what is stored, and what they say of prices first."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.basics.errors import ReviewerError
from reviewer.cli.output import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from reviewer.transcripts.prices import PriceList

Connections = Annotated[int, typer.Option("--connections", min=1, max=500, help="Questions at once.")]
LimitCost = Annotated[float | None, typer.Option("--limit-cost", min=0, help="Stop once so many dollars are spent.")]
Prices = Annotated[Path | None, typer.Option("--prices", help="Prices in the form of data/prices.toml.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say how many calls and about what cost.")]


BaseUrl = Annotated[
    list[str] | None,
    typer.Option(
        "--base-url",
        metavar="[PROVIDER=]URL",
        help="Where models are asked, in place of their provider's address; may be given again.",
        show_default=False,
    ),
]


def settle_addresses(models: Mapping[str, str], options: Sequence[str] | None) -> None:
    """Say of each model where it is asked, and who says so; `models` are the roles by model.

    An address from a file `.env` is asked about once, and refused where there is nobody to ask.
    """
    if find_spec("inspect_ai") is None:
        raise ReviewerError("Live models are run by Inspect, which is not installed.", "pip install 'reviewer[run]'")
    from reviewer.benchmark.live.addresses import addresses, loaded, refusal
    from reviewer.benchmark.live.live_models import ADDRESSES, named_addresses
    from reviewer.cli.output import confirmed

    ADDRESSES.set(named_addresses(options or (), models))
    file = loaded()
    settled = addresses(models, file)
    for model, url, origin, source in settled:
        origins = {"environment": f"{source} in the environment", "provider": "the provider's own"}
        where = f"at {url}: {origins.get(origin, source)}" if url else "where its provider is; no address is known"
        say(f"{model} ({models[model]}) is asked {where}", err=True)
    refused = refusal(settled, file)
    if refused is None:
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise refused
    say(refused.message)
    if not confirmed("Send keys and conversations there?"):
        raise ReviewerError("Nothing was sent.", refused.hint)


def say_unpriced(prices: PriceList, models: Iterable[str]) -> None:
    """Say beside the output which of these models have no price, before a call of them is paid."""
    for model in dict.fromkeys(models):
        if prices.of(model) is None:
            say(f"{model} has no price, so what it costs is not counted; --prices FILE names a list with it.", err=True)
