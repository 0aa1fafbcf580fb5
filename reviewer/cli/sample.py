"""`reviewer sample`: the Northline sample as a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reviewer.basics.shell import shell_word
from reviewer.cli.output import say


def sample(
    into: Annotated[Path, typer.Option("-o", "--output", help="The store to make.")] = Path("sample.db"),
    board: Annotated[bool, typer.Option("--board", help="All 24 models, 66 runs: 10,692 conversations.")] = False,
    models: Annotated[
        str | None, typer.Option("--models", help="Only these models, separated by commas.", show_default=False)
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Another seed, other conversations.")] = None,
    truth: Annotated[
        Path | None, typer.Option("--truth", help="Write what was planted, one JSON object a line.", show_default=False)
    ] = None,
) -> None:
    """Make a store of synthetic conversations.

    They are set at the Northline desk, and their figures are the published ones.
    """
    from reviewer.benchmark.northline.build import build
    from reviewer.benchmark.northline.sample_conversations import SEED, chosen
    from reviewer.cli.progress import ShareProgress

    names = [name.strip() for name in models.split(",") if name.strip()] if models is not None else None
    wanted = chosen(names, board)
    with ShareProgress("writing the sample") as counting:
        written = build(into, wanted, SEED if seed is None else seed, truth, counting.step)
    say(f"{into}: {written:,} synthetic conversations, {_models(len(wanted))}. No real model wrote these texts.")
    if truth:
        say(f"{truth}: what was planted in them, and near misses.")
    say(f"Read them: reviewer open {shell_word(into)}")
    say(f"Compare models: reviewer board {shell_word(into)}")


def _models(n: int) -> str:
    return "1 model" if n == 1 else f"{n} models"
