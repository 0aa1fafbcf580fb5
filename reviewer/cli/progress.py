"""What a long command says while it works: a line that redraws itself on a terminal, plain lines otherwise."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

import typer

if TYPE_CHECKING:
    from reviewer.ingest.importer import Step

_SOON = 1.0
_EVERY = 0.2
_PLAIN_EVERY = 10.0


class _Line:
    """A line of stderr that redraws itself: silent for the first second, then now and again."""

    def __init__(self, quiet: bool = False) -> None:
        self._terminal = sys.stderr.isatty()
        self._quiet = quiet and not self._terminal
        self._started = time.monotonic()
        self._next = self._started + _SOON
        self._drawn = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.clear()

    def clear(self) -> None:
        """Take the line away, for something else to be printed."""
        if self._drawn:
            typer.echo("\r" + " " * self._drawn + "\r", nl=False, err=True)
            self._drawn = 0

    def _due(self) -> bool:
        return not self._quiet and time.monotonic() >= self._next

    def _draw(self, text: str) -> None:
        if self._terminal:
            self._next = time.monotonic() + _EVERY
            typer.echo("\r" + text.ljust(self._drawn), nl=False, err=True)
            self._drawn = max(self._drawn, len(text))
        else:
            self._next = time.monotonic() + _PLAIN_EVERY
            typer.echo(text, err=True)


class Reading(_Line):
    """Progress of an import: rate, time left and file."""

    def step(self, at: Step) -> None:
        """Say how far the reading is, when it is time to."""
        if not self._due():
            return
        from reviewer.clean import printable_line

        spent = time.monotonic() - self._started
        text = f"file {at.file:,} of {at.files:,} · {at.read:,} conversations · {at.read / spent:,.0f}/s"
        text += f" · about {spent / at.done - spent:,.0f} s left" if at.done > 0 else ""
        self._draw(f"{text} · {printable_line(at.name)[-40:]}")


class Counting(_Line):
    """Progress of something whose length is known: a share, and time left."""

    def __init__(self, what: str, quiet: bool = False) -> None:
        super().__init__(quiet)
        self._what = what

    def step(self, done: int, whole: int) -> None:
        """Say how far it is, when it is time to."""
        if self._due() and done:
            left = (time.monotonic() - self._started) / done * (whole - done)
            self._draw(f"{self._what}: {done / max(whole, 1):.0%} · about {left:,.0f} s left")

    def beat(self) -> None:
        """Say that it goes on, where nobody knows how long."""
        if self._due():
            self._draw(f"{self._what}: {time.monotonic() - self._started:,.0f} s")
