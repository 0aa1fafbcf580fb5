"""Where the reader stands, told to whoever remembers it: a moment after a conversation was opened, and at the end.

Never on the path of a key: the moment is a timer's, and the writing a worker's. Touches no file itself.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.timer import Timer

from reviewer.errors import QueryError
from reviewer.query.orders import AS_STORED, GROUPS, Order, parse_order
from reviewer.refs import Ref
from reviewer.ui.sheet import Item

if TYPE_CHECKING:
    from reviewer.ui.places import Memory, Place
    from reviewer.ui.screens.review import ReviewScreen
    from reviewer.ui.widgets.transcript import Transcript

_MOMENT = 1.0
_OFF, _FILTER = "off", "filter"


class Remembering:
    """Keeps a reader's place."""

    def __init__(self, screen: ReviewScreen, memory: Memory | None) -> None:
        self._screen = screen
        self._memory = memory
        self._waiting: Timer | None = None
        self._complained = self._ended = False
        self._transcript: Transcript | None = None
        """Held here, because at the end the screen has let go of it."""

    def tell(self) -> None:
        """Say what came back, where that is not plain to see."""
        if self._memory is not None and self._memory.word:
            self._screen.say(self._memory.word, "muted")
        self._screen.changed()

    def resume(self) -> bool:
        """Want the queue in the order of last time, where its filter came back; whether that is not the store's."""
        reading, place = self._screen.reading, self._memory.place if self._memory else None
        if place is None or place.query != reading.query:
            return False
        reading.board_filtered = place.board == _FILTER
        reading.wanted = reading.wanted._replace(order=_order(place))
        return reading.wanted.order != AS_STORED

    @property
    def others(self) -> bool:
        """Whether other people's marks were to be seen."""
        return self._memory is None or self._memory.place.others != _OFF

    def soon(self) -> None:
        """Remember this place, unless the reader is elsewhere in a moment."""
        if self._memory is None:
            return
        self._transcript = self._screen.transcript
        if self._waiting is not None:
            self._waiting.stop()
        self._waiting = self._screen.set_timer(_MOMENT, self.in_passing)

    def now(self) -> None:
        """Remember this place before everything goes; there is nobody left to tell if that fails."""
        self._ended = True
        if self._memory is not None and self._transcript is not None:
            self._memory.keep(self.place(self._memory))

    def place(self, memory: Memory) -> Place:
        """Where the reader stands now."""
        from reviewer.ui.places import Place

        screen, viewing = self._screen, self._screen.viewing
        stored = screen.reading.stored
        cursor = self._transcript.cursor if self._transcript else Item(0)
        ref = "" if stored is None else str(Ref(stored.ref, cursor.message or None, cursor.call))
        theme = memory.place.theme if screen.app.no_color else screen.app.theme
        query, order = screen.reading.query, screen.reading.wanted.order
        look = (viewing.tools or "", viewing.layers, viewing.folds, theme)
        queue = (order.typed if order.sorted else "", order.group)
        others = "" if screen.marking.sees_others(self.others) else _OFF
        return Place(ref, query, *look, *queue, others, _FILTER if screen.reading.board_filtered else "")

    def in_passing(self) -> None:
        """Remember this place behind the screen."""
        if self._memory is not None:
            keep = partial(self._keep, self._memory, self.place(self._memory))
            self._screen.run_worker(keep, thread=True, exclusive=True, group="place")

    def _keep(self, memory: Memory, place: Place) -> None:
        trouble = "" if self._ended else memory.keep(place)
        if trouble and not self._complained:
            self._complained = True
            self._screen.app.call_from_thread(self._screen.say, trouble, "bad")


def _order(place: Place) -> Order:
    """The order of last time; that of the store where nobody could have typed it."""
    try:
        order = parse_order(place.sort) if place.sort else AS_STORED
    except QueryError:
        return AS_STORED
    return order._replace(group=next((group for group in GROUPS if group == place.group), ""))
