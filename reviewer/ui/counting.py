"""Groups too big to be looked through while they are painted: counted behind the screen, one after another.

Owns what waits to be counted. A group of a queue that is no longer there is not counted to its end. What the head of a
group says is the heads' own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.worker import Worker, get_current_worker

from reviewer.errors import ReviewerError
from reviewer.ui.heads import Asked, Head, Heads, head_of

if TYPE_CHECKING:
    from reviewer.model import QueueRow
    from reviewer.store.reader import Reader
    from reviewer.ui.screens.review import ReviewScreen

_AT_ONCE = 500
_PAUSE = 0.1
"""Seconds before counting begins, so that the key that brought the head on screen does not wait for it."""


class Counting:
    """Looks through big groups for the heads that ask."""

    def __init__(self, screen: ReviewScreen, heads: Heads) -> None:
        self._screen = screen
        self._heads = heads
        self._asked: list[Asked] = []

    def ask(self, asked: Asked) -> None:
        """Look through this group when those before it are done."""
        self._asked.append(asked)
        if len(self._asked) == 1:
            self._screen.set_timer(_PAUSE, self._next)

    def _next(self) -> None:
        self._asked = [each for each in self._asked if self._wanted(each)]
        if self._asked:
            work = partial(self._work, self._asked[0])
            self._screen.run_worker(work, thread=True, group="heads")

    def _wanted(self, asked: Asked) -> bool:
        return asked.ids is self._screen.reading.ids

    def _work(self, asked: Asked) -> None:
        worker, screen = get_current_worker(), self._screen
        head = None
        try:
            with screen.reading.apart() as reader:
                head = head_of(self._rows(reader, asked, worker), asked.stop - asked.start, asked.group)
        except ReviewerError:
            pass  # then the head goes on saying how many there are, and whoever reads on is told what is wrong
        if not worker.is_cancelled:
            screen.app.call_from_thread(self._take, asked, head)

    def _rows(self, reader: Reader, asked: Asked, worker: Worker[None]) -> Iterator[QueueRow]:
        for start in range(asked.start, asked.stop, _AT_ONCE):
            if worker.is_cancelled or not self._wanted(asked):
                return
            yield from reader.rows(asked.ids[start : min(start + _AT_ONCE, asked.stop)])

    def _take(self, asked: Asked, head: Head | None) -> None:
        self._asked.remove(asked)
        if head is not None and self._wanted(asked):
            self._heads.answer(asked, head)
            self._screen.queue.repaint()
        self._next()
