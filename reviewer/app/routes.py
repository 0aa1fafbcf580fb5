"""How one screen opens another: comparison, grid and board."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer.app.shared.sheet import Item
from reviewer.basics.errors import RefError
from reviewer.transcripts.model import Stored

if TYPE_CHECKING:
    from reviewer.app.grid.grid_screen import GridScreen
    from reviewer.app.grid.matrix import Subject
    from reviewer.app.marking.reviewer_acts import Begin
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.app.shared.keyed_screen import KeyedScreen
    from reviewer.app.shared.position import ReadingPosition


class RouteKeys:
    """The keys of the reading room that lead to another screen."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            "compare": self.compare,
            "grid": self.grid,
            "board": self.board,
            "suggestions.open": self.suggestions,
            "report": self.report,
            "report.return": self.return_to_report,
        }

    def compare(self) -> None:
        """Open the runs of this case side by side."""
        screen = self._screen
        stored = screen.reading.stored
        if stored is not None:
            item, plain = screen.transcript.cursor, screen.viewing.plain
            compare(screen, screen.reading, lambda: screen.marking.session, stored.rowid, item, plain=plain)

    def grid(self) -> None:
        """Open the grid of this model: every run of every case."""
        screen = self._screen
        stored = screen.reading.stored
        if stored is not None:
            grid(screen, screen.reading, lambda: screen.marking.session, stored, plain=screen.viewing.plain)

    def board(self) -> None:
        """Open the board of all models."""
        screen, stored = self._screen, self._screen.reading.stored
        model = stored.conversation.model if stored else ""
        board(screen, screen.reading, lambda: screen.marking.session, model, plain=screen.viewing.plain)

    def suggestions(self) -> None:
        """Open what reads suggest across the store."""
        from reviewer.app.suggestions.suggestion_screen import SuggestionScreen

        screen = self._screen
        plain = screen.viewing.plain
        screen.app.push_screen(SuggestionScreen(screen.reading, lambda: screen.marking.session, plain=plain))

    def report(self) -> None:
        """Open the report on the model that is read."""
        stored = self._screen.reading.stored
        if stored is not None:
            self._open_report(stored.conversation.model)

    def return_to_report(self) -> None:
        """Go back to the report that led to what is read, where one did."""
        reading = self._screen.reading
        model, reading.came_from_report = reading.came_from_report, ""
        if model:
            self._open_report(model)

    def _open_report(self, model: str) -> None:
        from reviewer.app.report.report_screen import ReportScreen

        screen = self._screen
        screen.app.push_screen(ReportScreen(screen.reading, lambda: screen.marking.session, model))


def compare(
    screen: KeyedScreen, reading: ReadingPosition, begin: Begin, rowid: int, cursor: Item, *, plain: bool = False
) -> None:
    """Put a conversation beside those of its case."""
    from reviewer.app.compare.compare_screen import CompareScreen
    from reviewer.app.compare.sides import Comparison

    comparing = Comparison(reading, rowid, plain=plain, opens=screen.key("side.fold"))
    screen.app.push_screen(CompareScreen(reading, begin, comparing, cursor, plain=plain))


def grid(screen: KeyedScreen, reading: ReadingPosition, begin: Begin, stored: Stored, *, plain: bool = False) -> None:
    """Show the grid of a conversation's model, with the cursor on it."""
    from reviewer.app.grid.matrix import Subject

    conversation = stored.conversation
    if conversation.case is None:
        raise RefError(f"{stored.ref} belongs to no case.", "A grid is of cases and runs.")
    subject = Subject("cases", conversation.model, stored.rowid)
    screen.app.push_screen(grid_screen(reading, begin, subject, plain=plain))


def grid_screen(reading: ReadingPosition, begin: Begin, subject: Subject, *, plain: bool = False) -> GridScreen:
    """The grid of a model's cases, or of the models on a case."""
    from reviewer.app.grid.grid_screen import GridScreen
    from reviewer.app.grid.matrix import GridContents

    return GridScreen(GridContents(reading, subject, plain=plain), begin)


def board(screen: KeyedScreen, reading: ReadingPosition, begin: Begin, model: str, *, plain: bool = False) -> None:
    """Show the board, with the cursor on a model."""
    from reviewer.app.board.board_screen import BoardScreen

    screen.app.push_screen(BoardScreen(reading, begin, model, plain=plain))
