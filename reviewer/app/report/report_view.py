"""The page of a report: lines with a cursor, section by section."""

from __future__ import annotations

from textual.events import Resize

from reviewer.app.report.report_lines import ReportLine, report_lines
from reviewer.app.shared.line_widgets import Bit
from reviewer.app.shared.scroll import TableWidget
from reviewer.app.shared.theme import is_plain
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph
from reviewer.figures.report.blocks import ReportPage


class ReportView(TableWidget):
    """A report, line by line."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.page_shown: ReportPage | None = None
        self._lines: list[ReportLine] = []
        self._laid_for = 0

    @property
    def here(self) -> ReportLine:
        """The line under the cursor."""
        return self._lines[self.row] if self.row < len(self._lines) else ReportLine()

    @property
    def section(self) -> str:
        """The key of the section that the cursor is in; empty above the first."""
        above = reversed(self._lines[: self.row + 1])
        return next((line.section for line in above if line.section), "")

    def show(self, page: ReportPage, section: str = "", row: int = 0) -> None:
        """Take a page, with the cursor on a section or a line of it."""
        self.page_shown, self._laid_for = page, 0
        self._lay()
        self.to(self._row_of(section) if section else row, 0)

    def step(self, by: int) -> bool:
        """Go to the next section, or the one before; False where there is none."""
        rows = [at for at, line in enumerate(self._lines) if line.section]
        further = [at for at in rows if at > self.row] if by > 0 else [at for at in rows if at < self.row][::-1]
        if further:
            self._top = further[0]
            self.to(further[0], 0)
        return bool(further)

    def on_resize(self, event: Resize) -> None:
        """Lay the page out for another width; the cursor stays in its section."""
        section = self.section
        if self.page_shown is not None and event.size.width != self._laid_for:
            self._lay()
            self.row = max(self.row if not section else self._row_of(section), 0)
        super().on_resize(event)

    def heading(self) -> list[Bit]:
        """The section that the cursor is in, while its own heading is out of sight."""
        section = self.page_shown.section(self.section) if self.page_shown is not None else None
        return [(f"  {printable_line(section.heading)}", "muted")] if section is not None else []

    def line(self, index: int) -> list[Bit]:
        """A line of the page, with the cursor's bar in its first cell."""
        bits = list(self._lines[index].bits)
        bar: Bit = (glyph("cursor", is_plain(self.app)) if index == self.row else " ", "bar")
        return [bar, *bits]

    def _lay(self) -> None:
        self._laid_for = self.size.width
        if self.page_shown is not None and self._laid_for:
            self._lines = report_lines(self.page_shown, self._laid_for - 2, is_plain(self.app))
            self.count = len(self._lines)

    def _row_of(self, section: str) -> int:
        return next((at for at, line in enumerate(self._lines) if line.section == section), 0)
