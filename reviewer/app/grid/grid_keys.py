"""The keys of a grid: between cells and flips, to a comparison and to reading; and marks on cases."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reviewer.app import routes
from reviewer.app.grid.matrix import Subject
from reviewer.app.marking.reviewer_acts import Begin, ReviewerActs
from reviewer.app.shared.messages import ReadingWanted
from reviewer.app.shared.sheet import Item
from reviewer.app.shared.walk import TableKeys
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import case_ref

if TYPE_CHECKING:
    from reviewer.app.grid.grid_screen import GridScreen


class CaseTagKeys(ReviewerActs):
    """The keys that tag in a grid: they mark the case of the line, across its runs."""

    def __init__(self, screen: GridScreen, begin: Begin) -> None:
        super().__init__(screen, begin)
        self._screen = screen

    def tag(self, code: str, **_: bool) -> None:
        """Put a mode on the case; the same again takes a bare tag back."""
        row = self._screen.gridding.any_of(self._screen.grid.row)
        if row is not None and row.case is not None:
            where = case_ref(row.model, row.case)
            if self.act(lambda session: session.toggle(where, code)):
                self._last_mode = code

    def refresh(self) -> None:
        """Ask again for what the lines say."""
        self._screen.grid.forget()


class GridKeys(TableKeys):
    """The keys of a grid."""

    def __init__(self, screen: GridScreen) -> None:
        super().__init__(screen, screen.grid)
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            **super().verbs(),
            "flip.next": partial(self.flip, 1),
            "flip.previous": partial(self.flip, -1),
            "grid.read": self.read,
            "grid.turn": self.turn,
            "compare": self.compare,
            "board": self.board,
        }

    def flip(self, by: int) -> None:
        """Go to the next line that flipped."""
        screen = self._screen
        flips, row = screen.gridding.flips, screen.grid.row
        at = bisect_right(flips, row) if by > 0 else bisect_left(flips, row) - 1
        if 0 <= at < len(flips):
            screen.grid.to(flips[at], screen.grid.column)
        elif screen.gridding.looked < screen.gridding.matrix.height:
            screen.say("Still looking for flips.", "muted")
        else:
            screen.say("No flip after this one." if by > 0 else "No flip before this one.", "muted")

    def read(self) -> None:
        """Open the conversation in the reading room."""
        rowid = self._rowid()
        if rowid:
            ref = self._screen.gridding.reading.reader.rows([rowid])[0].ref
            self._screen.post_message(ReadingWanted(ref))

    def compare(self) -> None:
        """Compare the conversations of this line side by side."""
        screen, rowid = self._screen, self._rowid()
        if rowid:
            gridding = screen.gridding
            routes.compare(screen, gridding.reading, screen.begin, rowid, Item(1), plain=gridding.plain)

    def turn(self) -> None:
        """Show the models on this case instead of the cases of this model, or the latter again."""
        screen = self._screen
        gridding, one = screen.gridding, screen.gridding.any_of(screen.grid.row)
        if one is None or one.case is None:
            screen.say("There is nothing here to turn to.", "muted")
            return
        rowid = gridding.rowid(screen.grid.row, screen.grid.column) or one.rowid
        of_model = gridding.subject.rows == "cases"
        subject = Subject("models", one.case, rowid) if of_model else Subject("cases", one.model, rowid)
        screen.app.switch_screen(routes.grid_screen(gridding.reading, screen.begin, subject, plain=gridding.plain))

    def board(self) -> None:
        """Open the board of all models."""
        screen = self._screen
        one = screen.gridding.any_of(screen.grid.row)
        gridding = screen.gridding
        routes.board(screen, gridding.reading, screen.begin, one.model if one else "", plain=gridding.plain)

    def spot(self) -> tuple[Stored | None, Item]:
        """The conversation in this cell, and no place in it."""
        rowid = self._rowid()
        return (self._screen.reading.read(rowid) if rowid else None), Item(0)

    def _rowid(self) -> int:
        screen = self._screen
        rowid = screen.gridding.rowid(screen.grid.row, screen.grid.column)
        if not rowid:
            screen.say("There is no conversation in this cell.", "muted")
        return rowid


def across(screen: GridScreen) -> dict[str, Callable[..., None]]:
    """The verbs of a grid: those that mark a case, and its own."""
    from reviewer.app.marking.mode_keys import ModeKeys, ToolClassCommand
    from reviewer.app.shared.commands import CommandKeys, HelpKeys

    verbs = {**ModeKeys(screen, screen.marking, "case").verbs(), **screen.marking.verbs()}
    crossing = GridKeys(screen)
    for part in (
        CommandKeys(screen),
        HelpKeys(screen),
        ToolClassCommand(screen, screen.marking, crossing.spot),
        crossing,
    ):
        verbs.update(part.verbs())
    return verbs
