"""What a reader is likely to open next, read and laid out while nobody waits, so that going on is as quick as going
back. Shows nothing, and says nothing: what cannot be read is told when it is opened.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from copy import copy
from typing import TYPE_CHECKING

from reviewer.errors import ReviewerError
from reviewer.ui.flow import Flow, Place

if TYPE_CHECKING:
    from reviewer.model import Stored
    from reviewer.ui.screens.review import ReviewScreen


class Ahead:
    """Looks one conversation and one run ahead."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._behind: Stored | None = None
        """What was open when it last looked."""

    def look(self, typed: Collection[object]) -> None:
        """Make ready what the next key may open, unless something was typed meanwhile."""
        screen = self._screen
        if screen.reading.stored is self._behind:
            return
        self._behind = screen.reading.stored
        with suppress(ReviewerError):
            for rowid in self._likely():
                if typed:
                    return
                self._lay_out(screen.reading.read(rowid))

    def _likely(self) -> list[int]:
        reading = self._screen.reading
        at, runs = reading.index, reading.runs()
        after = [] if at is None else list(reading.ids[at + 1 : at + 2])
        here = reading.stored.rowid if reading.stored else None
        return [*after, *(runs[runs.index(here) + 1 :][:1] if here in runs else [])]

    def _lay_out(self, stored: Stored) -> None:
        """Its first screen."""
        screen = self._screen
        viewing = copy(screen.viewing)
        viewing.badges = {}
        viewing.take(stored)
        sheets = [viewing.transcript(screen.transcript.width)]
        if viewing.mode == "beside":
            sheets.append(viewing.margin(screen.tools.width))
        for sheet in sheets:
            Flow(len(sheet.items), sheet.height).lines(Place(0, 0), screen.size.height)
