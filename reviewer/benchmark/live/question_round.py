"""A round of questions about stored conversations: which of these can be asked about, and so many questions at once.

Knows neither models nor what is asked; asyncio alone.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeVar

from reviewer.benchmark.live.admission import Budget
from reviewer.transcripts.model import QueueRow
from reviewer.transcripts.store.reader import Reader

Question = TypeVar("Question")
_PAGE = 500


def whole_ones(reader: Reader, ids: Sequence[int]) -> Iterator[QueueRow]:
    """Of these conversations those that can be asked about: what is empty or ended in an error is left out."""
    for at in range(0, len(ids), _PAGE):
        rows = reader.rows(list(ids[at : at + _PAGE]))
        yield from (row for row in rows if row.messages and row.error is None and row.ended_by != "error")


async def put(
    waiting: Sequence[Question], ask: Callable[[Question], Awaitable[None]], at_once: int, budget: Budget
) -> None:
    """Put the questions, so many at once; begins no other when the money is spent."""
    left = deque(waiting)

    async def one_after_the_other() -> None:
        while left and not budget.used_up:
            await ask(left.popleft())

    await asyncio.gather(*(one_after_the_other() for _ in range(at_once)))
