"""`reviewer upgrade`: the store's own upkeep."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reviewer.cli.output import say


def upgrade(
    store: Annotated[Path, typer.Argument(help="The store to bring up to date.", show_default=False)],
) -> None:
    """Bring an older store to this version, keeping a copy first."""
    from reviewer.transcripts.store.upgrade import upgraded

    kept = upgraded(store)
    if kept is None:
        say(f"{store} is up to date.")
    else:
        say(f"{store} is up to date now; as it was, it stands in {kept}.")
