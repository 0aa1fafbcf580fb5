"""The next conversation, read and laid out while the reader is still at this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.timer import Timer

from reviewer.app.reading.conversation_view import view_ahead
from reviewer.app.shared.sheet import Flow, LinePlace
from reviewer.basics.errors import ReviewerError
from reviewer.transcripts.model import Stored

if TYPE_CHECKING:
    from reviewer.app.reading.review_screen import ReviewScreen

_MOMENT = 1 / 60
"""Seconds after which the frame of what was opened has gone to the terminal."""
_LONGEST = 200
"""Messages of a conversation that is prepared; reading a longer one might hold a key up."""


class ReadAhead:
    """Prepares what one step further in the queue opens."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._timer: Timer | None = None
        self._at: int | None = None
        self._step = 1
        self.is_due = False
        """Whether there is something left to prepare."""

    def soon(self) -> None:
        """Prepare the neighbour of what was opened, once that is on screen."""
        at, before = self._screen.reading.index, self._at
        self._step = -1 if at is not None and before is not None and at == before - 1 else 1
        self._at, self.is_due = at, True
        if self._timer is None:
            self._timer = self._screen.set_interval(_MOMENT, self._prepare)
        else:
            self._timer.reset()  # one timer for good: a new one for each key would hold the key up

    def _prepare(self) -> None:
        """Read the neighbour, and lay out its first page."""
        self.is_due = False
        if self._timer is not None:
            self._timer.pause()
        reading = self._screen.reading
        wanted = None if self._at is None else self._at + self._step
        if wanted is None or not 0 <= wanted < len(reading.ids) or reading.index != self._at:
            return
        row = self._screen.queue.row(wanted)
        if row is None or row.messages > _LONGEST:
            return
        try:
            self._lay_out(reading.read(row.rowid))
        except ReviewerError:
            return  # it is said when somebody opens it

    def _lay_out(self, stored: Stored) -> None:
        screen = self._screen
        transcript, tools = screen.transcript.sheet, screen.tools.sheet
        if transcript is None:
            return
        view = view_ahead(screen.viewing, stored)
        page = view.transcript(transcript.width)
        lines = Flow(len(page.items), page.height).lines(LinePlace(0, 0), screen.transcript.room)
        page.measure(lines)
        if tools is None:
            return
        calls, shown = view.margin(tools.width), {page.items[line.block].message for line in lines}
        beside = [block for block, item in enumerate(calls.items) if item.message in shown]
        calls.measure([LinePlace(block, 0) for block in beside])
