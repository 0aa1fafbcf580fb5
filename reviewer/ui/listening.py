"""Listening: what others write, and what somebody changes in the codebook, comes onto the screen while one reads.

Owns looking now and then, on a thread, and saying once what is wrong in the annotations folder. What is read there is
the session's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.worker import Worker, get_current_worker

from reviewer.errors import ReviewerError

if TYPE_CHECKING:
    from reviewer.ui.surface import Stage
    from reviewer.ui.verbs.writing import Writing

PAUSE = 0.5
"""Seconds between two looks: what somebody else has marked is there within one."""


class Listening:
    """Keeps one screen's marks as they are on disk."""

    def __init__(self, screen: Stage, marking: Writing) -> None:
        self._screen = screen
        self._marking = marking
        self._told = ""
        self._looking: Worker[None] | None = None

    def begin(self) -> None:
        """Look again and again from now on."""
        with self._screen.acting():
            self.tell()
        self._screen.set_interval(PAUSE, self.look)

    def look(self) -> None:
        """Look once, while this screen is the one that is seen."""
        if self._screen.is_current and (self._looking is None or self._looking.is_finished):
            self._looking = self._screen.run_worker(self._look, thread=True, exclusive=False, group="listen")

    def _look(self) -> None:
        worker = get_current_worker()
        try:
            stale = self._marking.session.stale()
        except ReviewerError:
            stale = True  # taking it in says what is wrong
        if stale and not worker.is_cancelled:
            self._screen.app.call_from_thread(self._hear)

    def _hear(self) -> None:
        with self._screen.acting():
            try:
                self._marking.session.refresh()
            except ReviewerError as error:
                self._say(str(error))
                return
            self._marking.refresh()
            self.tell()

    def tell(self) -> None:
        """Say what is wrong, once; say when it is mended, too."""
        troubles = self._marking.session.troubles()
        more = f" And {len(troubles) - 1:,} more: reviewer check lists them." if len(troubles) > 1 else ""
        self._say(f"{troubles[0]}{more}" if troubles else "")

    def _say(self, words: str) -> None:
        if words != self._told:
            self._screen.say(words or "The annotations are in order again.", "bad" if words else "good")
            self._told = words
