"""`reviewer init`: an annotations folder with its codebook, ready for git."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def init(
    where: Annotated[
        Path | None, typer.Argument(help="A store, or the folder to make; else `annotations` here.", show_default=False)
    ] = None,
    codebook: Annotated[
        str | None, typer.Option("--codebook", help="support-agent or general; else what suits the store.")
    ] = None,
) -> None:
    """Make an annotations folder: the codebook, and what tells git to unite journals."""
    from reviewer.annotations import folder
    from reviewer.clean import printable_line

    there, cases = _place(where)
    made = folder.make(there, codebook or folder.suited(cases))
    for path in made:
        typer.echo(printable_line(f"Made {path}."))
    if not made:
        typer.echo(printable_line(f"{there} has a codebook already; it was left as it is."))


def _place(where: Path | None) -> tuple[Path, int]:
    """The folder, and how many cases its store has."""
    from reviewer.annotations import folder

    if where is None or where.is_dir() or not where.exists():
        return where or Path("annotations"), 0
    from reviewer.store.reader import Reader

    with Reader(where) as reader:
        return folder.usual(where), int(reader.info()["cases"])
