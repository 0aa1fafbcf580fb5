"""The keys of the board: between models and columns, sorting, and to a model's grid."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reviewer.ui.gridding import Subject
from reviewer.ui.messages import ReadingWanted
from reviewer.ui.verbs import opening

if TYPE_CHECKING:
    from reviewer.ui.screens.board import BoardScreen


class Ranking:
    """What keys do on the board."""

    def __init__(self, screen: BoardScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        standings = self._screen.standings
        return {
            "item.next": partial(standings.move, 1),
            "item.previous": partial(standings.move, -1),
            "item.first": partial(standings.move, -1_000_000_000),
            "item.last": partial(standings.move, 1_000_000_000),
            "half.down": partial(standings.page, 0.5),
            "half.up": partial(standings.page, -0.5),
            "page.down": partial(standings.page, 1.0),
            "page.up": partial(standings.page, -1.0),
            "cell.next": partial(standings.move, 0, 1),
            "cell.previous": partial(standings.move, 0, -1),
            "board.sort": standings.sort,
            "board.grid": self.grid,
            "board.filter": self.filter,
            "facts": self.notes,
            "goto": self.goto,
            "back": self.back,
        }

    def grid(self) -> None:
        """Every run of every case of this model."""
        screen, model = self._screen, self._screen.standings.model
        if model:
            subject = Subject("cases", model, 0, filtered=screen.filtered)
            screen.app.push_screen(opening.grid_screen(screen.reading, screen.begin, subject, plain=screen.plain))

    def filter(self) -> None:
        """Count what the queue's filter lets through, or everything."""
        screen = self._screen
        if screen.reading.query:
            screen.filtered = not screen.filtered
            screen.measure()
        else:
            screen.say("The queue has no filter, so all conversations are counted.", "muted")

    def notes(self) -> None:
        """Every value and every definition."""
        from reviewer.ui.screens.sheet import SheetScreen

        self._screen.app.push_screen(SheetScreen("Board", self._screen.notes()))

    def goto(self, text: str) -> None:
        """Follow a reference, in the reading room."""
        self._screen.post_message(ReadingWanted(text))

    def back(self) -> None:
        """To where one came from."""
        self._screen.dismiss()
