"""Two to four conversations side by side, level where they part, with a line each on what came of them.

Owns the routes between lines and columns. What keys do stands in the verbs; which conversations there are, in
`Comparison`; how they come into the columns, in `ColumnPanes`.
"""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.events import Resize

from reviewer.app.compare.columns import Column, ColumnPanes
from reviewer.app.compare.compare_keys import CompareTagKeys, beside
from reviewer.app.compare.sides import MOST, Comparison, names
from reviewer.app.keys import Scope
from reviewer.app.marking.mode_line import ModeLine
from reviewer.app.marking.reviewer_acts import Begin
from reviewer.app.marking.tag_screen import TagScreen
from reviewer.app.reading.conversation_view import ConversationView
from reviewer.app.shared import outcomes, rows
from reviewer.app.shared.bindings import bindings
from reviewer.app.shared.line_widgets import Bit, LineWidget, width_of
from reviewer.app.shared.messages import ColumnClicked, ColumnScrolled
from reviewer.app.shared.position import ReadingPosition
from reviewer.app.shared.prompt import Prompt
from reviewer.app.shared.sheet import Item
from reviewer.basics.clean import printable_line
from reviewer.figures.measure import repeats


class CompareScreen(TagScreen):
    """Runs of one case, or models on it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("compare")]
    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    CompareScreen {
        #head, #forbidden, #foot { background: $panel; }
        #columns > Column {
            width: 1fr; border: $r-border $r-line; background: $background;
            &:focus { border: $r-border $primary; }
        }
    }
    """

    showing: ColumnPanes

    def __init__(
        self, reading: ReadingPosition, begin: Begin, comparing: Comparison, cursor: Item, *, plain: bool
    ) -> None:
        super().__init__(reading)
        self.comparing = comparing
        self.plain = plain
        self.showing = ColumnPanes(self)
        self.marking = CompareTagKeys(self, begin)
        self.columns = [Column(index) for index in range(MOST)]
        self._forbidden = LineWidget(id="forbidden")
        self._lines = [LineWidget(id=f"outcome-{index}") for index in range(MOST)]
        self.verbs = beside(self)
        comparing.side.cursor = cursor

    def compose(self) -> ComposeResult:
        """Compose head, a line for each, a column for each, and foot."""
        yield LineWidget(id="head")
        yield self._forbidden
        yield from self._lines
        with Horizontal(id="columns"):
            yield from self.columns
        yield ModeLine()
        yield LineWidget(id="foot")
        yield Prompt(id="prompt")

    def on_mount(self) -> None:
        """Show them where they part; the cursor stays where it was when they do not."""
        self.guarded(self.marking.begin)()
        self.showing.show()
        self.call_after_refresh(self.begin_level)

    def begin_level(self) -> bool:
        """Show every column at its parting; True when there is none, and the cursor stays where it is."""
        self.showing.show()
        item = self.comparing.parting()[0][self.comparing.here]
        if item is None:
            self.transcript.to(self.transcript.cursor)
            self.showing.stand(self.showing.top)
            return True
        self.showing.stand(-(self.transcript.size.height // 3))
        self.transcript.to(item)
        self.changed()
        return False

    # -- what the verbs ask for --------------------------------------------------------------------------------------

    @property
    def viewing(self) -> ConversationView:
        """The view of the conversation under the cursor."""
        return self.comparing.side.viewing

    @property
    def transcript(self) -> Column:
        """The column of the conversation under the cursor."""
        return self.showing.column

    @property
    def scope(self) -> Scope:
        """The scope whose keys count now."""
        return "select" if self.viewing.selecting is not None else "compare"

    def look_again(self) -> None:
        """Read all of them again; where they part may be elsewhere now."""
        self.showing.keep()
        self.comparing.read_again()
        self.showing.show()

    # -- the lines ---------------------------------------------------------------------------------------------------

    def present(self) -> None:
        """Show what differs from what is on screen: columns, head, outcomes and foot."""
        super().present()
        self.follow_tag()
        for column in self.columns:
            if column is not self.transcript:
                column.put_below(None)
        self.showing.present()
        self._show_head()
        sides, here = self.comparing.sides, self.comparing.side
        labels = names(sides, self.comparing.axis)
        room = max(cell_len(printable_line(label)) for label in labels)
        shown = self.marking.shows_judges(here.stored.ref)
        for index, line in enumerate(self._lines):
            line.display = index < len(sides)
            if line.display:
                side = sides[index]
                same = side.outcome.manner == here.outcome.manner
                score = outcomes.score_bit(side.scores) if self.marking.shows_judges(side.stored.ref) else None
                entry = outcomes.OutcomeEntry(
                    labels[index],
                    side.outcome,
                    side is here,
                    same,
                    bool(score) and shown and repeats.differ((side.passed, here.passed)),
                    side.verdicts,
                    side.tags,
                    side.read,
                    score,
                )
                line.show(outcomes.line(entry, room, self.size.width, self.plain))

    def _show_head(self) -> None:
        """Show what is compared; what the case forbids gets its own line where the head has no room for all of it."""
        comparing = self.comparing
        facts = comparing.side.stored.conversation.facts
        left = rows.origin(self.reading.path.name, self.reading.mark)
        left += [(" · ", "muted"), (printable_line(comparing.case), "strong")]
        first, count = comparing.first, len(comparing.ids)
        shown = f"{first + 1}–{first + len(comparing.sides)} of {count}" if count > MOST else str(count)
        right = [(f"  {shown} {comparing.axis} ", "muted")]
        forbidden = f"forbidden: {printable_line(', '.join(facts.forbidden))}" if facts and facts.forbidden else ""
        beside: list[Bit] = [(f" · {forbidden}", "bad")] if forbidden else []
        fits = width_of([*left, *beside, *right]) <= self.size.width
        self._forbidden.display = not fits and bool(forbidden)
        self._forbidden.show([(f" {forbidden}", "bad")])
        self.head.show([*left, *beside] if fits else left, right)

    # -- messages ----------------------------------------------------------------------------------------------------

    def on_column_scrolled(self, event: ColumnScrolled) -> None:
        """Scroll all columns together."""
        self.showing.stand(event.top)

    def on_column_clicked(self, event: ColumnClicked) -> None:
        """Put the cursor where a click was."""
        column = self.columns[event.column]
        with self.acting():
            self.viewing.selecting = None
            self.showing.choose(column)
            if event.item is not None:
                column.to(event.item)
            self.marking.refresh()

    def on_resize(self, _: Resize) -> None:
        """Show as many columns as there is room for, and as much in the lines."""
        self.changed()
        self.call_after_refresh(self.showing.refit)
