"""What reads suggest across the store, by mode, worked through with two keys: one accepts, one rejects.

Owns the list and the conversation beside it. Accepting here says nothing about having read the conversation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.worker import get_current_worker

from reviewer.app.keys import Scope
from reviewer.app.marking import drawn_marks as drawn
from reviewer.app.marking.reviewer_acts import Begin
from reviewer.app.marking.tag_card import TagCard
from reviewer.app.reading.conversation_view import ConversationView
from reviewer.app.reading.transcript import Transcript
from reviewer.app.shared import rows
from reviewer.app.shared.bindings import bindings
from reviewer.app.shared.keyed_screen import KeyedScreen
from reviewer.app.shared.line_widgets import Bit, LineWidget
from reviewer.app.shared.messages import CellEntered, CellMoved, ItemClicked
from reviewer.app.shared.position import ReadingPosition, SuggestionPlace
from reviewer.app.shared.prompt import Prompt
from reviewer.app.shared.sheet import Item
from reviewer.app.suggestions.decision_keys import SuggestionActs, deciding
from reviewer.app.suggestions.suggestion_list import SuggestionList
from reviewer.basics.clean import printable_line
from reviewer.basics.errors import ReviewerError
from reviewer.basics.shell import shell_word
from reviewer.findings.suggestions import Suggestions, kept_finding
from reviewer.marks.review.marks import suggested
from reviewer.transcripts.model import Finding, Stored
from reviewer.transcripts.refs import Ref

if TYPE_CHECKING:
    from reviewer.findings.kept_findings import FindingBrief
    from reviewer.findings.suggestions import ModeSuggestions
    from reviewer.marks.review import Mark

_NEAR = 60
"""Suggestions whose words are read together."""
_KEPT = 2_000


class SuggestionScreen(KeyedScreen):
    """Suggestions by mode, beside the conversation that the one under the cursor is about."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("suggestions")]
    AUTO_FOCUS = "#suggestions"
    HORIZONTAL_BREAKPOINTS = [(0, "-stacked"), (140, "-beside")]  # noqa: RUF012 -- an instance variable in Textual's eyes
    DEFAULT_CSS = """
    SuggestionScreen {
        #head, #foot { background: $panel; }
        #both { height: 1fr; }
        #both > * { border: $r-border $r-line; background: $background; width: 1fr; height: 1fr; }
        #suggestions { border: $r-border $primary; }
        &.-stacked #both { layout: vertical; }
    }
    """

    def __init__(self, reading: ReadingPosition, begin: Begin, *, plain: bool) -> None:
        super().__init__(reading)
        self.plain = plain
        self.marking = SuggestionActs(self, begin)
        self.viewing = ConversationView(plain=plain, tools="inline")
        self.stored: Stored | None = None
        self.mark: Mark | None = None
        """The suggestion under the cursor as it is shown beside the list."""
        self.suggestions = SuggestionList(self._described, id="suggestions")
        self.transcript = Transcript(id="words")
        self.verbs = deciding(self)
        self._kept = Suggestions(reading.path)
        self._findings: dict[str, Finding | None] = {}
        """What suggestions say, by their identity: a scan may number them otherwise."""
        self._shown = ""
        self.wanted: SuggestionPlace | None = reading.suggestion_place
        """Where the cursor goes when the list is taken the next time; None where it stays."""

    def compose(self) -> ComposeResult:
        """Compose head, list, the conversation beside it, and foot."""
        yield LineWidget(id="head")
        with Horizontal(id="both"):
            yield self.suggestions
            yield self.transcript
        yield LineWidget(id="foot")
        yield Prompt(id="prompt")

    def on_mount(self) -> None:
        """Look what there is; that may take a moment, so not on the thread that paints."""
        self.transcript.can_focus = False
        self.suggestions.instead = "Looking what reads suggest …"
        self.suggestions.opened = self.reading.opened_modes
        self.guarded(self.marking.begin)()
        self.changed()

    def on_unmount(self) -> None:
        """Let go of the findings' file; the next time the list opens where it was left."""
        self.reading.suggestion_place = self.suggestions.place
        self._kept.close()

    @property
    def scope(self) -> Scope:
        """The scope whose keys count now."""
        return "suggestions"

    def take_keys(self) -> None:
        """Give the keys to the list."""
        self.suggestions.focus()

    def look_again(self) -> None:
        """Look again what waits."""
        self.survey()

    # -- what is suggested -------------------------------------------------------------------------------------------

    def survey(self) -> None:
        """Look what waits, behind the screen."""
        self.run_worker(self._survey, thread=True, exclusive=True, group="survey")

    def _survey(self) -> None:
        worker, tell, session = get_current_worker(), self.app.call_from_thread, self.marking.session
        looking = Suggestions(self.reading.path)
        try:
            modes = looking.survey(session.book.ledger.snapshot(), session.sight, session.codebook)
        except ReviewerError as error:
            if not worker.is_cancelled:
                tell(self.guarded(self.without), printable_line(str(error)))
            return
        finally:
            looking.close()
        if not worker.is_cancelled:
            tell(self.guarded(self.take), modes)

    def without(self, because: str) -> None:
        """Show that what is suggested cannot be read, and say why."""
        self.suggestions.instead = "What is suggested cannot be read now."
        self.suggestions.take([])
        self.say(because, "bad")

    def take(self, modes: list[ModeSuggestions]) -> None:
        """Show these modes."""
        sight, name = self.marking.session.sight, self.reading.path.name
        if not sight.scanned:
            words = f"Nothing was scanned yet. Type: reviewer scan {shell_word(name)}"
        elif not sight.suggestions:
            words = "Suggestions are off; :suggestions on shows them."
        else:
            words = "Nothing that reads suggest waits to be decided about."
        self.suggestions.instead = printable_line(words)
        if len(modes) == 1:
            self.suggestions.opened.add(modes[0].mode)
        self._kept.refresh()
        self._findings.clear()
        self.suggestions.take(modes, self.wanted)
        self.wanted = None

    def finding_of(self, brief: FindingBrief) -> Finding | None:
        """What a suggestion says; those near it in the list are read with it."""
        if brief.identity not in self._findings:
            if len(self._findings) > _KEPT:
                self._findings.clear()
            waiting = next(each.waiting for each in self.suggestions.modes if each.mode == brief.mode)
            at = next((index for index, each in enumerate(waiting) if each.number == brief.number), 0)
            near = waiting[max(0, at - _NEAR // 2) : at + _NEAR]
            bodies = self._kept.bodies([each.number for each in near])
            self._findings.update((each.identity, kept_finding(bodies.get(each.identity, ""))) for each in near)
        return self._findings[brief.identity]

    def _described(self, brief: FindingBrief) -> tuple[str, str]:
        try:
            finding = self.finding_of(brief)
        except ReviewerError as error:
            return printable_line(brief.ref), printable_line(str(error))
        if finding is None:
            return printable_line(brief.ref), "cannot be read"
        return printable_line(str(finding.claim.ref).partition(":")[0]), printable_line(finding.reason)

    # -- the conversation beside -------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Show the conversation that the suggestion under the cursor is about, at its words."""
        brief = self.suggestions.chosen
        identity = brief.identity if brief is not None else ""
        if identity == self._shown:
            return
        self._shown, self.mark, self.stored = identity, None, None
        finding = self.finding_of(brief) if brief is not None else None
        rowids = self.reading.reader.find(brief.ref) if brief is not None else []
        if brief is not None and finding is not None and rowids:
            self.stored = self.reading.read(rowids[0])
            self.mark = suggested(finding, brief.identity, self.stored)
        self._show()

    def _show(self) -> None:
        viewing, mark, stored = self.viewing, self.mark, self.stored
        if mark is None or stored is None:
            self.transcript.put_below(None)
            self.transcript.show(viewing.transcript, [], Item(0))
            self.transcript.entitle("")
            return
        viewing.take(stored)
        viewing.marked, viewing.cited = drawn.paints([mark], stored), drawn.cited(mark, stored)
        viewing.badges = drawn.badges([mark], self.plain)
        place = next((ref for ref in mark.places if ref.message), Ref(stored.ref, 1))
        item = Item(place.message or 1, place.call)
        for paint in viewing.cited:
            viewing.open_fold(Item(paint.message, paint.call), paint.part)
        self.transcript.show(viewing.transcript, viewing.items(), item)
        self.transcript.paint(viewing.paints())
        self.transcript.entitle(printable_line(rows.title(stored, [stored.rowid])))
        self.transcript.put_below(self._card(mark, stored))
        if place.span is not None:
            self.transcript.reveal(item, place.part, place.span[0])

    def _card(self, mark: Mark, stored: Stored) -> TagCard:
        mode = self.marking.session.codebook.mode(mark.tag.code)
        return TagCard(mark, mode.title if mode else mark.tag.code, stored, self.plain)

    # -- the lines ---------------------------------------------------------------------------------------------------

    def present(self) -> None:
        """Show what differs from what is on screen: the conversation beside the list, head and foot."""
        self._follow()
        super().present()
        reading = self.reading
        left = rows.origin(reading.path.name, reading.mark)
        left += [(" · ", "muted"), ("suggestions", "strong")]
        waiting = sum(len(each.waiting) for each in self.suggestions.modes)
        right: list[Bit] = [(f"  {self.marking.hidden}  " if self.marking.hidden else "  ", "tag")]
        self.head.show(left, [*right, (f"{waiting:,} wait to be decided ", "strong")])

    def on_cell_moved(self, _: CellMoved) -> None:
        """Show what the suggestion under the cursor is about."""
        self.guarded(lambda: None)()

    def on_cell_entered(self, _: CellEntered) -> None:
        """Read it, after a second click."""
        self.action_do("suggestion.read")

    def on_item_clicked(self, event: ItemClicked) -> None:
        """Put the cursor of the conversation where a click was."""
        self.transcript.to(event.item)
