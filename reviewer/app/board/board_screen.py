"""The board on screen: every model of the store by its numbers, and from there to its grid."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Resize
from textual.widgets import Static
from textual.worker import get_current_worker

from reviewer.app.board.board_keys import sorting
from reviewer.app.board.standings import Standings, meaning, ranked
from reviewer.app.keys import Scope
from reviewer.app.layout.wrap import wrapped
from reviewer.app.marking.reviewer_acts import Begin
from reviewer.app.shared import rows
from reviewer.app.shared.bindings import bindings
from reviewer.app.shared.keyed_screen import KeyedScreen
from reviewer.app.shared.line_widgets import LineWidget
from reviewer.app.shared.messages import CellEntered, CellMoved
from reviewer.app.shared.position import ReadingPosition
from reviewer.app.shared.prompt import Prompt
from reviewer.basics.clean import printable_line
from reviewer.basics.errors import ReviewerError
from reviewer.basics.glyphs import glyph, plainly
from reviewer.figures.measure import suites
from reviewer.figures.measure.board import Board, board
from reviewer.findings.questions import Question, asked
from reviewer.transcripts.query import Query

_MEANING = 3
"""Rows for what a column means."""


class BoardScreen(KeyedScreen):
    """Models by their numbers."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("board")]
    DEFAULT_CSS = """
    BoardScreen {
        #head, #foot { background: $panel; }
        #standings { height: 1fr; border: $r-border $primary; background: $background; }
        #meaning { height: 3; padding: 0 1; background: $background; color: $r-muted; }
    }
    """

    def __init__(self, reading: ReadingPosition, begin: Begin, model: str, *, plain: bool) -> None:
        super().__init__(reading)
        self.begin = begin
        self.plain = plain
        self.board: Board | None = None
        self._model = model
        facts = reading.stored.conversation.facts if reading.stored else None
        if reading.board_suite is None and facts is not None:
            reading.board_suite = facts.suite or ""
        self.standings = Standings(plain=plain, id="standings")
        self._meaning = Static(id="meaning", markup=False)
        self.verbs = sorting(self)

    def compose(self) -> ComposeResult:
        """Compose head, standings, what the column says, and foot."""
        yield LineWidget(id="head")
        yield self.standings
        yield self._meaning
        yield LineWidget(id="foot")
        yield Prompt(id="prompt")

    def on_mount(self) -> None:
        """Measure; that looks at every call of the store, so not on the thread that paints."""
        self.standings.focus()
        self.measure()

    @property
    def filtered(self) -> bool:
        """True if only what the queue's filter lets through is counted."""
        return self.reading.board_filtered and bool(self.reading.query)

    def measure(self) -> None:
        """Measure, and show it when that is done; what was shown before stays until then."""
        self.standings.instead = plainly("Measuring …", self.plain)
        question = asked(self.reading.wanted.query if self.filtered else Query(), self.begin)
        self.run_worker(lambda: self._measure(question), thread=True, exclusive=True, group="board")
        self.changed()

    @property
    def scope(self) -> Scope:
        """The scope whose keys count now."""
        return "board"

    def look_again(self) -> None:
        """Measure again."""
        self.measure()

    def take_keys(self) -> None:
        """Give the keys to the standings."""
        self.standings.focus()

    def present(self) -> None:
        """Show what differs from what is on screen: head, meaning and foot."""
        super().present()
        reading, count = self.reading, self.standings.count
        left = rows.origin(reading.path.name, reading.mark)
        left += [(" · ", "muted"), ("board", "strong"), (self._suite_said(), "text")]
        left += [(self._of(), "text" if self.filtered else "muted")]
        by = self.standings.by
        order = f"by {by.title}" if by else "board order" if ranked(self.standings.columns) else "by name"
        right = f"  {order} · model {self.standings.row + 1} of {count} " if count else ""
        self.head.show(left, [(right, "muted")])
        column, model = self.standings.columns[self.standings.column], self.standings.model
        words = meaning(self.board, column, model) if self.board and count else ""
        self._meaning.update(Content(self._cut(plainly(words, self.plain))))

    def _cut(self, words: str) -> str:
        """As much as there is room for, and which key shows the rest."""
        lines = list(wrapped(words, max(1, self.app.size.width - 2)))
        if len(lines) <= _MEANING:
            return words
        more = f"{glyph('more', self.plain)} {self.key('facts')} says all"
        start, end = lines[_MEANING - 1]
        kept = words[: max(start, min(end, start + self.app.size.width - 2 - len(more)))]
        return f"{kept.rpartition(' ')[0]} {more}"

    def on_resize(self, _: Resize) -> None:
        """Say as much of a column as there is room for now."""
        self.changed()

    def _of(self) -> str:
        """Say which conversations are counted."""
        query = printable_line(self.reading.query)
        if not query:
            return ""
        return f" of {query}" if self.filtered else f" of everything; {self.key('board.filter')} counts {query} alone"

    def _suite_said(self) -> str:
        """Say which suite is shown, where there are several."""
        if self.board is None or self.board.suite is None or len(self.board.suites) < 2:
            return ""
        order = sorted(self.board.suites)
        at = order.index(self.board.suite) + 1 if self.board.suite in order else 0
        return f" of suite {printable_line(suites.suite_name(self.board.suite))} ({at} of {len(order)})"

    def notes(self, width: int) -> Content:
        """Explain every column: of how many, whose judgement it is, and what was left out."""
        from reviewer.figures.export import board_table

        return Content("\n".join(board_table.notes(self.board, width) if self.board else ["Still measuring."]))

    def on_cell_moved(self, _: CellMoved) -> None:
        """Show the meaning of the column under the cursor."""
        self.changed()

    def on_cell_entered(self, _: CellEntered) -> None:
        """Open the grid, after a second click."""
        self.action_do("board.grid")

    def _measure(self, question: Question) -> None:
        worker, tell = get_current_worker(), self.app.call_from_thread
        try:
            with self.reading.apart() as reader:
                selection = question.selection(reader)
                held = reader.tallies.suites(selection)
                suite = self.reading.board_suite if self.reading.board_suite in held else None
                standings = board(reader, selection, suite=suite)
        except ReviewerError as error:
            if not worker.is_cancelled:
                tell(self.say, printable_line(str(error)), "bad")
            return
        if not worker.is_cancelled:
            tell(self._take, standings)

    def _take(self, standings: Board) -> None:
        self.board = standings
        self.reading.board_suite = standings.suite
        self.standings.instead = f"There are no conversations in {'this filter' if self.filtered else 'this store'}."
        self.standings.show(standings, self.standings.model or self._model)
        self.changed()
