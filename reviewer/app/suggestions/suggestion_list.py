"""The list of suggestions: a line for each mode with what people decided so far, below it what still waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from reviewer.app.shared.line_widgets import Bit, spread
from reviewer.app.shared.position import SuggestionPlace
from reviewer.app.shared.scroll import TableWidget
from reviewer.app.shared.theme import is_plain
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph, plainly

if TYPE_CHECKING:
    from reviewer.findings.kept_findings import FindingBrief
    from reviewer.findings.suggestions import ModeSuggestions


_NAME = 36
"""Cells for a mode with its numbers."""
_SAID = "what people said"


class SuggestionLine(NamedTuple):
    """A line of the list: a mode, or one suggestion of it."""

    mode: int
    at: int | None = None
    """Which of its suggestions; None for the mode itself."""


Describe = Callable[["FindingBrief"], tuple[str, str]]
"""Where a suggestion stands, and why it was made."""


class SuggestionList(TableWidget):
    """Modes, and what reads suggest of them."""

    def __init__(self, describe: Describe, *, id: str) -> None:
        super().__init__(id=id)
        self.modes: Sequence[ModeSuggestions] = ()
        self.opened: set[str] = set()
        """The modes whose suggestions are listed."""
        self._describe = describe
        self._lines: list[SuggestionLine] = []
        self._record = 0
        """Cells for what people decided; none while they decided nothing."""

    @property
    def here(self) -> SuggestionLine | None:
        """The line under the cursor."""
        return self._lines[self.row] if self.row < len(self._lines) else None

    @property
    def chosen(self) -> FindingBrief | None:
        """The suggestion under the cursor."""
        line = self.here
        return None if line is None or line.at is None else self.modes[line.mode].waiting[line.at]

    @property
    def place(self) -> SuggestionPlace:
        """The place of the cursor."""
        line = self.here
        if line is None:
            return SuggestionPlace()
        mode = self.modes[line.mode]
        behind = mode.waiting[line.at :] if line.at is not None else ()
        return SuggestionPlace(mode.mode, [brief.identity for brief in behind])

    def take(self, modes: Sequence[ModeSuggestions], at: SuggestionPlace | None = None) -> None:
        """Show these in the order of the modes that are listed, new modes last, with the cursor where it was.

        A suggestion that no longer waits leaves the cursor to the next one of its mode, else to the mode.
        """
        at = at or self.place
        listed = {each.mode: index for index, each in enumerate(self.modes)}
        self.modes = sorted(modes, key=lambda each: listed.get(each.mode, len(listed)))
        said = [len(mode.record) for mode in modes if mode.record]
        self._record = max(len(_SAID), *said) if said else 0
        self._list(self._line_of(at))

    def _line_of(self, at: SuggestionPlace) -> SuggestionLine:
        """The line at a place; where its mode has gone, the mode that is listed where the cursor was."""
        index = next((index for index, each in enumerate(self.modes) if each.mode == at.mode), None)
        if index is None:
            return SuggestionLine(min(self.here.mode if self.here else 0, max(0, len(self.modes) - 1)))
        numbers = {brief.identity: number for number, brief in enumerate(self.modes[index].waiting)}
        return SuggestionLine(index, next((numbers[each] for each in at.identities if each in numbers), None))

    def fold(self) -> None:
        """Open or fold the mode under the cursor."""
        line = self.here
        if line is not None:
            self.opened.symmetric_difference_update({self.modes[line.mode].mode})
            self._list(SuggestionLine(line.mode))

    def fold_all(self) -> None:
        """Open every mode, or fold them all if any is open."""
        line = self.here
        folded = not self.opened
        self.opened.clear()
        self.opened.update(each.mode for each in self.modes if folded)
        self._list(SuggestionLine(line.mode if line is not None else 0))

    def _list(self, at: SuggestionLine) -> None:
        """List the lines, with the cursor on this one, or on its mode where that is folded."""
        self._lines = []
        for index, mode in enumerate(self.modes):
            self._lines.append(SuggestionLine(index))
            if mode.mode in self.opened:
                self._lines += [SuggestionLine(index, each) for each in range(len(mode.waiting))]
        self.count = len(self._lines)
        rows = {line: row for row, line in enumerate(self._lines)}
        self.to(rows.get(at, rows.get(SuggestionLine(at.mode), 0)), 0)

    # -- painting ----------------------------------------------------------------------------------------------------

    def heading(self) -> list[Bit]:
        """The names of what stands below."""
        said = f"{_SAID:<{self._record}}" if self._roomy else ""
        return self._spread([("   mode", "muted")], [(f"certain  likely  {said}", "muted")])

    @property
    def _roomy(self) -> bool:
        """True if there is room for what people decided."""
        return 0 < self._record <= self.width - _NAME

    def line(self, index: int) -> list[Bit]:
        """A mode with its numbers, or a suggestion with its reason."""
        line, plain = self._lines[index], is_plain(self.app)
        bar: Bit = (glyph("cursor", plain) if index == self.row else " ", "bar")
        mode = self.modes[line.mode]
        if line.at is None:
            sign = glyph("open" if mode.mode in self.opened else "folded", plain)
            left: list[Bit] = [
                bar,
                (f"{sign} ", "fold"),
                (printable_line(mode.mode), "strong" if mode.waiting else "muted"),
            ]
            likely = len(mode.waiting) - mode.certain
            record = f"{plainly(mode.record, plain):<{self._record}}" if self._roomy else ""
            return self._spread(left, [(f"{mode.certain:>7,}  {likely:>6,}  ", "text"), (record, "muted")])
        brief = mode.waiting[line.at]
        place, reason = self._describe(brief)
        sure: Bit = ("certain  ", "good") if brief.certain else ("likely   ", "muted")
        own = "" if brief.read == brief.mode else f"{printable_line(brief.read)}: "
        return self._spread(
            [
                bar,
                (f"  {glyph('finding', plain)} ", "suggestion"),
                sure,
                (f"{place}  ", "muted"),
                (own, "muted"),
                (reason, "text"),
            ],
            [],
        )

    def _spread(self, left: list[Bit], right: list[Bit]) -> list[Bit]:
        return spread(left, right, self.width, glyph("more", is_plain(self.app)))
