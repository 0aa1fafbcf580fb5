"""Stepping to what belongs together: the runs of a case, the tags of a conversation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reviewer.ui.sheet import Item

if TYPE_CHECKING:
    from reviewer.ui.screens.review import ReviewScreen


class Stepping:
    """The keys that follow a thread through the store, or through a conversation."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {
            "run.next": partial(self.run, 1),
            "run.previous": partial(self.run, -1),
            "tag.next": partial(self.tag, 1),
            "tag.previous": partial(self.tag, -1),
        }

    def run(self, by: int) -> None:
        """The same case in another run, at the same message where it goes that far."""
        screen = self._screen
        stored, runs = screen.reading.stored, screen.reading.runs()
        if stored is None or len(runs) < 2:
            screen.say("This case has no other run.", "muted")
            return
        at = runs.index(stored.rowid) + by
        if not 0 <= at < len(runs):
            screen.say("The last run of this case." if by > 0 else "The first run of this case.", "muted")
            return
        screen.showing.open(runs[at], Item(screen.transcript.cursor.message))
        screen.queue.point(screen.reading.index)

    def tag(self, by: int) -> None:
        """The next tag in reading order, round the ends."""
        screen = self._screen
        places = sorted(
            {(ref.message, ref.call or 0) for mark in screen.marking.marks for ref in mark.places if ref.message}
        )
        if not places:
            screen.say("No tag in this conversation.", "muted")
            return
        cursor = (screen.transcript.cursor.message, screen.transcript.cursor.call or 0)
        ahead = [place for place in places if place > cursor] if by > 0 else [p for p in places if p < cursor][::-1]
        message, call = (ahead or (places if by > 0 else places[::-1]))[0]
        screen.transcript.to(Item(message, call or None))
