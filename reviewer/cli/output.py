"""What a command prints: words in which nothing acts on a terminal, JSON, lines of an export, and a new file.

Owns all that commands write to a terminal; a test holds that no other module prints or asks.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import typer

_CLEARED = "\x1b[2J\x1b[H"


def say(text: str, err: bool = False) -> None:
    """Print a line of words, whatever other people's files put into it."""
    from reviewer.basics.clean import printable_line

    typer.echo(printable_line(text), err=err)


def say_text(text: str, err: bool = False) -> None:
    """Print a text of several lines as it is, but for what would act on a terminal."""
    from reviewer.basics.clean import printable

    typer.echo(printable(text), nl=not text.endswith("\n"), err=err)


def say_hit(before: str, words: str, after: str) -> None:
    """Print a line with some words of it in bold where it goes to a terminal."""
    from reviewer.basics.clean import printable_line

    shown = printable_line(words)
    shown = typer.style(shown, bold=True) if sys.stdout.isatty() else shown
    typer.echo(f"{printable_line(before)}{shown}{printable_line(after)}")


def print_escaped(line: str) -> None:
    """Print a line of an export, in which its format has escaped what would act on a terminal."""
    typer.echo(line, nl=False)


def clear_screen() -> None:
    """Empty the screen of a terminal; anything else gets nothing."""
    if sys.stdout.isatty():
        typer.echo(_CLEARED, nl=False)


def say_json(value: Any, indent: int | None = None) -> None:
    """Print a value as JSON."""
    from reviewer.basics.plainjson import dumped

    typer.echo(dumped(value, indent))


def confirmed(question: str, default: bool = False) -> bool:
    """Ask somebody; who ends the question instead of answering ends the program, as with Ctrl-C anywhere."""
    from reviewer.basics.clean import printable_line

    try:
        return typer.confirm(printable_line(question), default=default)
    except typer.Abort:
        raise KeyboardInterrupt from None


def say_in_file(path: Path, text: str) -> None:
    """Write what a command drafted into a new file; one that is there is never written over."""
    from reviewer.basics.errors import ReviewerError

    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise ReviewerError(f"{path} is there already.", "Name another file, or take that one away first.") from None
    except OSError as error:
        raise ReviewerError(f"{path} cannot be written: {error.strerror}.", "Name another place with -o.") from error
