"""The options of commands that pay a model for answers about what is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Connections = Annotated[int, typer.Option("--connections", min=1, max=500, help="Questions at once.")]
LimitCost = Annotated[float | None, typer.Option("--limit-cost", min=0, help="Stop once so many dollars are spent.")]
Prices = Annotated[Path | None, typer.Option("--prices", help="Prices in the form of data/prices.toml.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say how many calls and about what cost.")]
