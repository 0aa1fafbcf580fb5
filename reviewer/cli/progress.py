"""What a long command says while it works: a bar of Rich's on a terminal, plain lines otherwise."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from reviewer.cli.output import say

if TYPE_CHECKING:
    from rich.progress import Progress

    from reviewer.benchmark.live.arrivals import Arrival
    from reviewer.benchmark.live.programme import Leg, Programme
    from reviewer.imports.importer import Step

_SOON = 1.0
_EVERY = 0.2
_PLAIN_EVERY = 10.0
_ROOMY = 120
"""Columns from which on there is room for a bar beside the words."""
_NAME = 40
"""Characters of a file's name that are shown, the last ones."""


class _Line:
    """A line of stderr that redraws itself: silent for the first second, then now and again."""

    def __init__(self, quiet: bool = False) -> None:
        self._terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._quiet = quiet and not self._terminal
        self._started = time.monotonic()
        self._next = self._started + _SOON
        self._bar: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.clear()

    def clear(self) -> None:
        """Take the line away, for something else to be printed."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _due(self) -> bool:
        return not self._quiet and time.monotonic() >= self._next

    def _draw(self, text: str, share: float | None = None) -> None:
        """Say it; a terminal shows besides which share is done, where that is known and there is room."""
        from reviewer.basics.clean import printable_line

        self._next = time.monotonic() + (_EVERY if self._terminal else _PLAIN_EVERY)
        if not self._terminal:
            say(text, err=True)
            return
        if self._bar is None:
            self._bar = _started()
        self._bar.update(self._bar.task_ids[0], description=printable_line(text), completed=share or 0, refresh=True)


def _started() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    console = Console(stderr=True)
    words = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis"))
    columns = [BarColumn(), words] if console.width >= _ROOMY else [words]
    bar = Progress(
        *columns, console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
    )
    bar.add_task("", total=1)
    bar.start()
    return bar


class ImportProgress(_Line):
    """Progress of an import: rate, time left and file."""

    def step(self, at: Step) -> None:
        """Say how far the reading is, when it is time to."""
        if not self._due():
            return
        spent = time.monotonic() - self._started
        name = at.name
        parts = [f"{at.read:,} conversations", f"{at.read / spent:,.0f}/s"]
        parts += [f"about {_span(spent / at.done - spent)} left"] if at.done > 0 else []
        parts += [f"file {at.file:,} of {at.files:,}", name if len(name) <= _NAME else f"…{name[1 - _NAME :]}"]
        self._draw(" · ".join(parts), at.done)


class ShareProgress(_Line):
    """Progress of something whose length is known: a share, and time left."""

    def __init__(self, what: str, quiet: bool = False) -> None:
        super().__init__(quiet)
        self._what = what

    def step(self, done: int, whole: int) -> None:
        """Say how far it is, when it is time to."""
        if self._due() and done:
            left = (time.monotonic() - self._started) / done * (whole - done)
            self._draw(f"{self._what}: {done / max(whole, 1):.0%} · about {_span(left)} left", done / max(whole, 1))

    def beat(self) -> None:
        """Say that it goes on, where nobody knows how long."""
        if self._due():
            self._draw(f"{self._what}: {_span(time.monotonic() - self._started)}")


def _span(seconds: float) -> str:
    """A time as people say it: 40 s, 3 min, 1 h 20 min."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60:,} h {minutes % 60} min"


class RunProgress(_Line):
    """Progress of a run on live models: what is done of each model's run, what it cost, how long it takes."""

    def __init__(self, plan: Programme) -> None:
        super().__init__()
        self._plan = plan
        self._done: dict[tuple[str, int], int] = {}
        self._failed: dict[tuple[str, int], int] = {}
        self._roles: dict[tuple[str, int], int] = {}
        self.held = 0
        """Conversations that have ended."""

    def step(self, leg: Leg, arrival: Arrival, cost: float | None) -> None:
        """Count a conversation that has ended, and say how far it is when it is time to."""
        from reviewer.benchmark.live.simulated_customer import BROKEN

        key = (leg.model, leg.run)
        error = arrival.conversation.error
        self.held += 1
        self._done[key] = self._done.get(key, 0) + 1
        if error is not None:
            counted = self._roles if error.startswith(BROKEN) else self._failed
            counted[key] = counted.get(key, 0) + 1
        if not self._due():
            return
        spent = time.monotonic() - self._started
        parts = [f"{self.held:,} of {self._plan.left:,}"]
        parts += [f"{sum(self._failed.values()):,} failed"] if self._failed else []
        parts += [f"${cost:,.2f}" if cost is not None else "cost unknown"]
        parts += [f"about {_span(spent / self.held * (self._plan.left - self.held))} left"]
        parts += [f"run {leg.run} of {leg.model}: {self._done[key]:,} of {len(leg.cases):,}"]
        self._draw(" · ".join(parts), self.held / self._plan.left)

    def lines(self) -> list[str]:
        """What came of every model's run."""
        lines = []
        for leg in self._plan.legs:
            key = (leg.model, leg.run)
            done = self._done.get(key, 0)
            if not leg.cases:
                continue
            before = leg.whole - len(leg.cases)
            words = [f"{done:,} of {len(leg.cases):,} held"] + ([f"{before:,} were stored before"] if before else [])
            words += [f"{self._failed[key]:,} failed"] if key in self._failed else []
            words += [f"{self._roles[key]:,} left out: the customer fell out of its role"] if key in self._roles else []
            lines.append(f"{leg.model} run {leg.run}: {', '.join(words)}")
        return lines
