"""How the conversations of a comparison come into its columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reviewer.model import Part
from reviewer.text.clean import printable_line
from reviewer.text.glyphs import glyph, plainly
from reviewer.ui import outcomes, rows
from reviewer.ui.comparing import Side, titles
from reviewer.ui.level import held, slid
from reviewer.ui.sheet import Item, Sheet
from reviewer.ui.widgets.column import Column, Rule

if TYPE_CHECKING:
    from reviewer.ui.screens.compare import CompareScreen
    from reviewer.ui.viewing import Look, Viewing

NARROWEST = 44
"""A column is not made narrower than this while there is more than one."""


class Abreast:
    """Puts conversations side by side."""

    def __init__(self, screen: CompareScreen) -> None:
        self._screen = screen
        self._first = 0
        self._shown: list[tuple[Column, Side]] = []
        """What stands where: not yet what will, when the width or the axis has changed."""
        self.top = 0
        self._laid: list[Look] = []
        """What was laid out."""

    @property
    def views(self) -> list[Viewing]:
        """How those side by side are looked at."""
        return [side.viewing for side in self._screen.comparing.sides]

    @property
    def columns(self) -> list[Column]:
        """Those in which something stands."""
        return [column for column, _ in self._shown]

    @property
    def column(self) -> Column:
        """The one with the cursor."""
        return self._screen.columns[self._screen.comparing.here - self._first]

    def side_of(self, column: Column) -> int:
        """Which of the conversations looked at stands in a column."""
        return self._first + self._screen.columns.index(column)

    def choose(self, column: Column) -> None:
        """The cursor to a column."""
        self.keep()
        self._screen.comparing.to(self._screen.comparing.first + self.side_of(column))
        self.show()

    def show(self) -> None:
        """Show those that are looked at, level where they part."""
        screen, comparing = self._screen, self._screen.comparing
        sides = comparing.sides
        room = max(1, screen.app.size.width // NARROWEST)
        shown = screen.columns[: min(room, len(sides))]
        self._first = slid(self._first, len(shown), comparing.here, len(sides))
        self._shown = list(zip(shown, sides[self._first :], strict=False))
        self._laid = [view.look for view in self.views]
        items, acts = comparing.parting()
        labels = titles(sides, comparing.axis)
        for index, column in enumerate(screen.columns):
            column.display = index < len(shown)
            if column.display:
                at = self._first + index
                side, item = sides[at], items[at]
                rule = (
                    Rule(item, outcomes.parting(acts[at], screen.plain), glyph("rule", screen.plain)) if item else None
                )
                column.active = at == comparing.here
                column.instead = rows.no_messages(side.stored, screen.app.bound)
                column.entitle(plainly(printable_line(labels[at]), screen.plain))
                column.show(side.viewing.transcript, side.viewing.items(), side.cursor, rule)
                column.paint(side.viewing.paints())
                column.stand(self.top)
        screen.call_after_refresh(self.column.focus)

    def present(self) -> None:
        """Show what differs from what is on screen: layers, folds and badges, and what is laid over the words."""
        if self._laid != [view.look for view in self.views]:
            self.keep()
            self.show()
        for column, side in self._shown:
            column.paint(side.viewing.paints())

    def reveal(self, item: Item, part: Part, offset: int) -> None:
        """The cursor on an item, with the line on screen that shows a character of it, unfolded where need be."""
        if self._hides(item, part, offset):
            self._screen.viewing.open_fold(item, part)
        self.present()
        self.column.reveal(item, part, offset)

    def refit(self) -> None:
        """Show them in the room there is now, the row of the cursor where it was."""
        self.keep()
        self.show()
        self.column.to(self.column.cursor)

    def keep(self) -> None:
        """Remember where each column's cursor is."""
        for column, side in self._shown:
            side.cursor = column.cursor

    def sheet_of(self, _: Item) -> Sheet | None:
        """Where an item is shown: in the column with the cursor."""
        return self.column.sheet

    def _hides(self, item: Item, part: Part, offset: int) -> bool:
        """Whether a stored character is folded away."""
        sheet = self.column.sheet
        if sheet is None or not sheet.items:
            return False
        return sheet.block(sheet.index(item)).line_of(part, item.call, offset) is None

    def stand(self, top: int) -> bool:
        """All columns at these rows, as far as there are any; False when nothing moved."""
        before = self.top
        shown = self.columns
        self.top = held(top, [column.ends for column in shown], shown[0].size.height)
        for column in shown:
            column.stand(self.top)
            self._screen.comparing.sides[self.side_of(column)].viewing.seen.update(column.messages)
        return self.top != before
