"""What a command prints: lines in which nothing acts on a terminal, JSON, and a new file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer


def say(text: str, err: bool = False) -> None:
    """Print a line of words, whatever other people's files put into it."""
    from reviewer.text.clean import printable_line

    typer.echo(printable_line(text), err=err)


def say_json(value: Any, indent: int | None = None) -> None:
    """Print a value as JSON."""
    from reviewer.text.plainjson import dumped

    typer.echo(dumped(value, indent))


def confirmed(question: str, default: bool = False) -> bool:
    """Ask somebody; who ends the question instead of answering ends the program, as with Ctrl-C anywhere."""
    try:
        return typer.confirm(question, default=default)
    except typer.Abort:
        raise KeyboardInterrupt from None


def say_in_file(path: Path, text: str) -> None:
    """Write what a command drafted into a new file; one that is there is never written over."""
    from reviewer.errors import ReviewerError

    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise ReviewerError(f"{path} is there already.", "Name another file, or take that one away first.") from None
    except OSError as error:
        raise ReviewerError(f"{path} cannot be written: {error.strerror}.", "Name another place with -o.") from error
