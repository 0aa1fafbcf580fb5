"""The keys of the board: between models and columns, sorting, and to a model's grid."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer.app import routes
from reviewer.app.grid.matrix import Subject
from reviewer.app.shared.walk import TableKeys

if TYPE_CHECKING:
    from reviewer.app.board.board_screen import BoardScreen


class BoardKeys(TableKeys):
    """The keys of the board."""

    def __init__(self, screen: BoardScreen) -> None:
        super().__init__(screen, screen.standings)
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        standings = self._screen.standings
        return {
            **super().verbs(),
            "board.sort": standings.sort,
            "board.grid": self.grid,
            "board.filter": self.filter,
            "board.suite": self.suite,
            "facts": self.notes,
        }

    def grid(self) -> None:
        """Open the grid of this model: every run of every case."""
        screen, model = self._screen, self._screen.standings.model
        if model:
            subject = Subject("cases", model, 0, filtered=screen.filtered)
            screen.app.push_screen(routes.grid_screen(screen.reading, screen.begin, subject, plain=screen.plain))

    def filter(self) -> None:
        """Count what the queue's filter lets through, or everything."""
        screen = self._screen
        if screen.reading.query:
            screen.reading.board_filtered = not screen.filtered
            screen.measure()
        else:
            screen.say("The queue has no filter, so all conversations are counted.", "muted")

    def suite(self) -> None:
        """Show the next suite."""
        screen = self._screen
        if screen.board is None:
            return
        order = sorted(screen.board.suites)
        if len(order) < 2:
            screen.say("All conversations counted here are of one suite.", "muted")
            return
        at = order.index(screen.board.suite) if screen.board.suite in order else -1
        screen.reading.board_suite = order[(at + 1) % len(order)]
        screen.measure()

    def notes(self) -> None:
        """Show every value and every definition."""
        from reviewer.app.shared.dialogs import SheetScreen

        self._screen.app.push_screen(SheetScreen("Board", self._screen.notes))


def sorting(screen: BoardScreen) -> dict[str, Callable[..., None]]:
    """The verbs of the board."""
    from reviewer.app.shared.commands import CommandKeys, HelpKeys

    verbs: dict[str, Callable[..., None]] = {}
    for part in (CommandKeys, HelpKeys, BoardKeys):
        verbs.update(part(screen).verbs())
    return verbs
