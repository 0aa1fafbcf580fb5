"""The word index, brought up to date behind the screen when a filter looks for words, so that the next search is fast.

Owns when that begins and what is said of it. The filter that set it off is answered meanwhile, by scanning; whoever
quits waits for one more step at most, and what was indexed until then stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.timer import Timer
from textual.worker import Worker, get_current_worker

if TYPE_CHECKING:
    from reviewer.ui.screens.review import ReviewScreen

_PAUSE = 0.25


class _LeftError(Exception):
    """Nobody waits for the index any more."""


class Indexing:
    """Makes the index of one store, once."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._work: Worker[Any] | None = None
        self._timer: Timer | None = None
        self._share = 0.0

    @property
    def words(self) -> str:
        """What the head says of it; empty while nothing is indexed."""
        return "" if self._timer is None else f"indexing words {self._share:.0%}"

    def begin(self) -> None:
        """Begin, if that has not been done before."""
        if self._work is None:
            self._work = self._screen.run_worker(self._index, thread=True, group="words")
            self._timer = self._screen.set_interval(_PAUSE, self._look)
            self._screen.changed()

    def _index(self) -> None:
        from reviewer.store import word_index

        worker = get_current_worker()

        def step(done: int, whole: int) -> None:
            if worker.is_cancelled:
                raise _LeftError
            self._share = done / max(1, whole)

        try:
            word_index.update(self._screen.reading.path, step)
        except _LeftError:
            return

    def _look(self) -> None:
        if self._timer is not None and self._work is not None and self._work.is_finished:
            self._timer.stop()
            self._timer = None
        self._screen.changed()
