"""The grid of a model's cases by run, or of the models on a case by run, with what came of each.

Owns the routes between lines and cells. What keys do stands in the verbs; what the cells hold, in `GridContents`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.worker import get_current_worker

from reviewer.app.grid.grid import Grid, GridRow
from reviewer.app.grid.grid_keys import CaseTagKeys, across
from reviewer.app.grid.matrix import GridContents
from reviewer.app.keys import Scope
from reviewer.app.marking.reviewer_acts import Begin
from reviewer.app.shared import rows
from reviewer.app.shared.bindings import bindings
from reviewer.app.shared.keyed_screen import KeyedScreen
from reviewer.app.shared.line_widgets import Bit, LineWidget
from reviewer.app.shared.messages import CellEntered, CellMoved
from reviewer.app.shared.prompt import Prompt
from reviewer.basics.clean import printable_line
from reviewer.basics.errors import ReviewerError
from reviewer.transcripts.store.grids import Matrix

if TYPE_CHECKING:
    from reviewer.findings.review_session import ReviewSession


class GridScreen(KeyedScreen):
    """Every run of every case at a glance."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("grid")]
    DEFAULT_CSS = """
    GridScreen {
        #head, #foot { background: $panel; }
        #grid { height: 1fr; border: $r-border $primary; background: $background; }
    }
    """

    def __init__(self, gridding: GridContents, begin: Begin) -> None:
        super().__init__(gridding.reading)
        self.gridding = gridding
        self.marking = CaseTagKeys(self, begin)
        self.grid = Grid(self._rows, gridding.subject.rows[:-1], plain=gridding.plain, id="grid")
        self.verbs = across(self)

    def compose(self) -> ComposeResult:
        """Compose head, grid and foot."""
        yield LineWidget(id="head")
        yield self.grid
        yield LineWidget(id="foot")
        yield Prompt(id="prompt")

    def on_mount(self) -> None:
        """Read which conversations there are; a million take a moment, so not on the thread that paints."""
        self.grid.focus()
        self.guarded(self.marking.begin)()
        self.gridding.scored = not self.marking.session.sight.alone
        self.run_worker(self._read, thread=True, exclusive=True, group="grid")
        self.changed()

    def on_screen_resume(self) -> None:
        """Draw the lines again, as something may have been marked meanwhile."""
        self.grid.forget()

    def begin(self) -> ReviewSession:
        """The session that what is opened from here goes on with."""
        return self.marking.session

    @property
    def scope(self) -> Scope:
        """The scope whose keys count now."""
        return "grid"

    def look_again(self) -> None:
        """Read it again, with the cursor on the same conversation."""
        self.gridding.begin_again(self.grid.row, self.grid.column)
        self.run_worker(self._read, thread=True, exclusive=True, group="grid")

    def take_keys(self) -> None:
        """Give the keys to the grid."""
        self.grid.focus()

    # -- what is in it -----------------------------------------------------------------------------------------------

    def _rows(self, start: int, stop: int) -> list[GridRow]:
        return self.gridding.rows(start, stop, self.marking.session)

    def _read(self) -> None:
        worker, tell = get_current_worker(), self.app.call_from_thread
        try:
            matrix = self.gridding.read()
            if not worker.is_cancelled:
                tell(self._take, matrix)
            for looked, by_acts, by_score in self.gridding.flipped(matrix):
                if worker.is_cancelled:
                    return
                tell(self._flipped, looked, by_acts, by_score)
        except ReviewerError as error:
            if not worker.is_cancelled:
                tell(self.say, printable_line(str(error)), "bad")

    def _take(self, matrix: Matrix) -> None:
        gridding = self.gridding
        gridding.matrix, gridding.complete = matrix, True
        row, column = matrix.where(gridding.subject.at) or (0, 0)
        nothing = "of a case" if gridding.subject.rows == "cases" else "of this case"
        self.grid.instead = f"There are no conversations {nothing} here."
        self.grid.show(matrix.height, gridding.columns, row, column)
        self.changed()

    def _flipped(self, looked: int, by_acts: list[int], by_score: list[int]) -> None:
        self.gridding.take_flips(looked, by_acts, by_score)
        self.changed()

    # -- the lines ---------------------------------------------------------------------------------------------------

    def present(self) -> None:
        """Show what differs from what is on screen: head and foot."""
        super().present()
        subject, reading = self.gridding.subject, self.reading
        left = rows.origin(reading.path.name, reading.mark)
        left += [(" · ", "muted"), (printable_line(subject.name), "strong")]
        if subject.rows == "cases" and subject.filtered and reading.query:
            left += [(" · ", "muted"), (printable_line(reading.query), "text")]
        self.head.show(left, self._counts())

    def _counts(self) -> list[Bit]:
        gridding = self.gridding
        if not gridding.complete:
            return [("  reading … ", "muted")]
        height = gridding.matrix.height
        flips = f"{gridding.by_acts:,} flip{'' if gridding.by_acts == 1 else 's'} by acts"
        if gridding.scored and gridding.reading.info["scores"]:
            flips += f", {gridding.by_score:,} by score"
        among = "" if gridding.looked == height else f" in the first {gridding.looked:,}"
        what = gridding.subject.rows.removesuffix("s")
        return [(f"  {flips}{among}", "flip"), (f" · {what} {self.grid.row + 1:,} of {height:,} ", "muted")]

    # -- messages ----------------------------------------------------------------------------------------------------

    def on_cell_moved(self, _: CellMoved) -> None:
        """Say in the head where the cursor is."""
        self.changed()

    def on_cell_entered(self, _: CellEntered) -> None:
        """Read the conversation, after a second click."""
        self.action_do("grid.read")
