"""What a long command says while it works: a line that redraws itself on a terminal, plain lines otherwise."""

from __future__ import annotations

import os
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
_NAME = 40
"""Characters of a file's name that are shown, the last ones."""


class _Line:
    """A line of stderr that redraws itself: silent for the first second, then now and again."""

    def __init__(self, quiet: bool = False) -> None:
        self._terminal = sys.stderr.isatty()
        self._quiet = quiet and not self._terminal
        self._started = time.monotonic()
        self._next = self._started + _SOON
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.clear()

    def clear(self) -> None:
        """Take the line away, for something else to be printed."""
        if self._drawn:
            typer.echo("\r" + " " * _width() + "\r", nl=False, err=True)
            self._drawn = False

    def _due(self) -> bool:
        return not self._quiet and time.monotonic() >= self._next

    def _draw(self, text: str) -> None:
        if self._terminal:
            from rich.cells import set_cell_size

            self._next = time.monotonic() + _EVERY
            typer.echo("\r" + set_cell_size(text, _width()), nl=False, err=True)
            self._drawn = True
        else:
            self._next = time.monotonic() + _PLAIN_EVERY
            typer.echo(text, err=True)


class Reading(_Line):
    """Progress of an import: rate, time left and file."""

    def step(self, at: Step) -> None:
        """Say how far the reading is, when it is time to."""
        if not self._due():
            return
        from reviewer.text.clean import printable_line

        spent = time.monotonic() - self._started
        name = printable_line(at.name)
        parts = [f"{at.read:,} conversations", f"{at.read / spent:,.0f}/s"]
        parts += [f"about {_span(spent / at.done - spent)} left"] if at.done > 0 else []
        parts += [f"file {at.file:,} of {at.files:,}", name if len(name) <= _NAME else f"…{name[1 - _NAME :]}"]
        self._draw(" · ".join(parts))


class Counting(_Line):
    """Progress of something whose length is known: a share, and time left."""

    def __init__(self, what: str, quiet: bool = False) -> None:
        super().__init__(quiet)
        self._what = what

    def step(self, done: int, whole: int) -> None:
        """Say how far it is, when it is time to."""
        if self._due() and done:
            left = (time.monotonic() - self._started) / done * (whole - done)
            self._draw(f"{self._what}: {done / max(whole, 1):.0%} · about {_span(left)} left")

    def beat(self) -> None:
        """Say that it goes on, where nobody knows how long."""
        if self._due():
            self._draw(f"{self._what}: {_span(time.monotonic() - self._started)}")


def _width() -> int:
    """The cells of a line of the terminal that can be drawn without it moving on to the next."""
    return (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1


def _span(seconds: float) -> str:
    """A time as people say it: 40 s, 3 min, 1 h 20 min."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60:,} h {minutes % 60} min"
