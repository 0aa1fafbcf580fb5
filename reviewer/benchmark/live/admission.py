"""Whether another conversation may begin: not once the money is spent. Those that go on are finished.

Owns the count of what was spent and of what goes on. A run without a limit admits everybody. Knows neither models nor
stores; asyncio alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar


class Budget:
    """What a run may cost and did cost so far, in US dollars."""

    def __init__(self, limit: float | None = None) -> None:
        self.limit = limit
        self.spent = 0.0
        self.going_on = 0
        self.drained = asyncio.Event()
        """Set once the money is spent and no conversation goes on any more."""

    @property
    def used_up(self) -> bool:
        """True once no further conversation may begin."""
        return self.limit is not None and self.spent >= self.limit

    def spend(self, cost: float) -> None:
        """Count what a call has cost."""
        self.spent += cost

    def finish(self) -> None:
        """Count a conversation as finished."""
        self.going_on -= 1
        self.settle()

    def settle(self) -> None:
        """See whether there is anything left to wait for."""
        if self.used_up and not self.going_on:
            self.drained.set()


BUDGET: ContextVar[Budget | None] = ContextVar("budget", default=None)
"""That of the run which goes on, for the conversations in it."""


@asynccontextmanager
async def admitted() -> AsyncIterator[None]:
    """Begin a conversation, or wait for ever where the money is spent: the run is then ended from outside."""
    budget = BUDGET.get()
    if budget is None:
        yield
        return
    if budget.used_up:
        budget.settle()
        await asyncio.Event().wait()
    budget.going_on += 1  # until it is finished, judges included
    yield
