"""A round of questions to models about stored conversations: several at once, until all are asked or money runs out.

Knows neither models nor questions. `judge`, `ask` and `fork` hold such rounds.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from reviewer.basics.errors import ReviewerError
from reviewer.benchmark.live.admission import Budget
from reviewer.benchmark.live.failures import Failures
from reviewer.transcripts.model import QueueRow
from reviewer.transcripts.store.reader import Reader

Question = TypeVar("Question")
Answer = TypeVar("Answer")
_PAGE = 500


def whole_ones(reader: Reader, ids: Sequence[int]) -> Iterator[QueueRow]:
    """Of these conversations those that can be asked about: what is empty or ended in an error is left out."""
    for at in range(0, len(ids), _PAGE):
        rows = reader.rows(list(ids[at : at + _PAGE]))
        yield from (row for row in rows if row.messages and row.error is None and row.ended_by != "error")


@dataclass(slots=True)
class QuestionRound:
    """How a round is held, and what has come of it; the counts stay true whatever ends the round."""

    at_once: int
    budget: Budget
    step: Callable[[int, int], None]
    """Shows how many of how many questions were asked."""
    answered: int = 0
    failures: Failures = field(default_factory=Failures)
    """Questions that a model did not answer."""

    @property
    def asked(self) -> int:
        """The number of questions that were asked."""
        return self.answered + len(self.failures)

    async def hold(
        self,
        questions: Sequence[Question],
        ask: Callable[[Question], Awaitable[Answer]],
        keep: Callable[[Question, Answer], None],
    ) -> None:
        """Ask the questions and keep each answer when it comes; an error of one question stops no other."""
        left = deque(questions)

        async def one_after_the_other() -> None:
            while left and not self.budget.used_up:
                question = left.popleft()
                try:
                    answer = await ask(question)
                except ReviewerError as error:
                    self.failures.add(error.message)
                else:
                    keep(question, answer)
                    self.answered += 1
                self.step(self.asked, len(questions))

        await asyncio.gather(*(one_after_the_other() for _ in range(self.at_once)))
