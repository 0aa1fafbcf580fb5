"""The next conversation that holds the words of the filter: the near ones at once, others behind the screen.

All that a filter of words lets through holds them; with `or` in it some hold none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from reviewer.app.reading.find import FindKeys, sought_hits
from reviewer.basics.errors import ReviewerError

if TYPE_CHECKING:
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.transcripts.model import Stored

_AT_ONCE = 3
_PURPOSE = "onwards"


class OnwardsKeys:
    """Goes on from the last hit of a conversation to the first of another."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._finding = FindKeys(screen)

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {"find.onwards": self.go}

    def go(self, by: int) -> None:
        """Open the next conversation with a hit, before this one for a negative number."""
        reading, step = self._screen.reading, -1 if by < 0 else 1
        at = reading.index
        start = (-1 if step > 0 else len(reading.ids)) if at is None else at
        ahead = range(start + step, len(reading.ids) if step > 0 else -1, step)
        for index in ahead[:_AT_ONCE]:
            if self._holds(reading.read(reading.ids[index])):
                self._open(index, step)
                return
        if len(ahead) <= _AT_ONCE:
            self._none(step)
            return
        self._screen.say("Looking on …", "muted")
        reading.stop(_PURPOSE)
        rest, ids = ahead[_AT_ONCE:], reading.ids
        self._screen.run_worker(lambda: self._look(rest, ids, step), thread=True, exclusive=True, group=_PURPOSE)

    def _look(self, ahead: range, ids: Sequence[int], step: int) -> None:
        """Read conversation after conversation until one holds the words."""
        screen, worker = self._screen, get_current_worker()
        at, held = screen.reading.index, None
        try:
            with screen.reading.apart(_PURPOSE) as reader:
                for index in ahead:
                    if worker.is_cancelled:
                        return
                    if self._holds(reader.stored(ids[index])):
                        held = index
                        break
        except ReviewerError:
            pass  # nobody waits for it any more, or it was removed meanwhile: then it ends here
        if not worker.is_cancelled:
            screen.app.call_from_thread(screen.guarded(self._looked), ids, at, held, step)

    def _looked(self, ids: Sequence[int], at: int | None, index: int | None, step: int) -> None:
        """Open what was come upon, unless the reader has gone elsewhere since."""
        reading = self._screen.reading
        if ids is reading.ids and at == reading.index:
            self._none(step) if index is None else self._open(index, step)

    def _holds(self, stored: Stored) -> bool:
        viewing = self._screen.viewing
        return bool(sought_hits(stored.conversation, viewing.sought, calls=viewing.mode != "hidden"))

    def _open(self, index: int, step: int) -> None:
        self._screen.showing.stand(index)
        hits = self._screen.viewing.hits
        if hits:
            self._finding.show(0 if step > 0 else len(hits) - 1)

    def _none(self, step: int) -> None:
        where = "further on" if step > 0 else "before"
        self._screen.say(f"No conversation {where} in the queue holds the words of the filter.", "muted")
