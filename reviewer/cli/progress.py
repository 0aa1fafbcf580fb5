"""What a long command says while it works: a line that redraws itself on a terminal, plain lines otherwise."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

import typer

_SOON = 1.0
_EVERY = 0.2
_PLAIN_EVERY = 10.0


class Reading:
    """Progress of an import: silent for the first second, then rate and file on one line of stderr."""

    def __init__(self, quiet: bool = False) -> None:
        self._terminal = sys.stderr.isatty()
        self._quiet = quiet and not self._terminal
        self._started = time.monotonic()
        self._next = self._started + _SOON
        self._drawn = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._drawn:
            typer.echo("\r" + " " * self._drawn + "\r", nl=False, err=True)

    def step(self, name: str, number: int, files: int, read: int) -> None:
        """Say how far the reading is, when it is time to."""
        at = time.monotonic()
        if self._quiet or at < self._next:
            return
        from reviewer.clean import printable_line

        rate = read / (at - self._started)
        left = (at - self._started) / number * (files - number)
        text = f"file {number:,} of {files:,} · {read:,} conversations · {rate:,.0f}/s"
        text += f" · about {left:,.0f} s left" if files > number else ""
        text += f" · {printable_line(name)[-40:]}"
        if self._terminal:
            self._next = at + _EVERY
            typer.echo("\r" + text.ljust(self._drawn), nl=False, err=True)
            self._drawn = max(self._drawn, len(text))
        else:
            self._next = at + _PLAIN_EVERY
            typer.echo(text, err=True)
