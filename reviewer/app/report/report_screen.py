"""The report on a model as it stands now, to be read, doubted and mended: from a quote to its conversation and back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.worker import get_current_worker

from reviewer.app.keys import Scope
from reviewer.app.report.report_view import ReportView
from reviewer.app.shared import rows
from reviewer.app.shared.bindings import bindings
from reviewer.app.shared.keyed_screen import KeyedScreen
from reviewer.app.shared.line_widgets import LineWidget
from reviewer.app.shared.messages import CellEntered, CellMoved, QueueWanted, ReadingWanted
from reviewer.app.shared.position import ReadingPosition
from reviewer.app.shared.prompt import Prompt
from reviewer.app.shared.walk import TableKeys
from reviewer.basics.clean import printable_line
from reviewer.basics.errors import ReviewerError
from reviewer.figures.report.blocks import WrittenPage

if TYPE_CHECKING:
    from reviewer.app.marking.reviewer_acts import Begin
    from reviewer.figures.report.material import MarkFolder
    from reviewer.transcripts.store.reader import Reader


class ReportScreen(KeyedScreen):
    """One model's report, section by section."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("report")]
    AUTO_FOCUS = "#report"
    DEFAULT_CSS = """
    ReportScreen {
        #head, #foot { background: $panel; }
        #report { height: 1fr; border: $r-border $primary; background: $background; }
    }
    """

    def __init__(self, reading: ReadingPosition, begin: Begin, model: str) -> None:
        super().__init__(reading)
        self.begin = begin
        self.model = model
        self.view = ReportView(id="report")
        self.verbs = printed(self)

    def compose(self) -> ComposeResult:
        """Compose head, page and foot."""
        yield LineWidget(id="head")
        yield self.view
        yield LineWidget(id="foot")
        yield Prompt(id="prompt")

    def on_mount(self) -> None:
        """Count and gather; that reads every conversation of the model, so not on the thread that paints."""
        self.view.instead = "Counting, and gathering what was tagged …"
        self.print_again()

    @property
    def scope(self) -> Scope:
        """The scope whose keys count now."""
        return "report"

    def take_keys(self) -> None:
        """Give the keys to the page."""
        self.view.focus()

    def look_again(self) -> None:
        """Print it again."""
        self.print_again()

    def print_again(self) -> None:
        """Print the page as it stands now, behind the screen."""
        from reviewer.figures.report.material import MarkFolder

        session = self.begin()
        marked = MarkFolder(session.folder, session.book.ledger.snapshot(), session.codebook)
        self.run_worker(lambda: self._print(marked), thread=True, exclusive=True, group="report")
        self.changed()

    def _print(self, marked: MarkFolder) -> None:
        worker, tell = get_current_worker(), self.app.call_from_thread
        try:
            with self.reading.apart() as reader:
                page = _page(reader, self.model, marked)
        except ReviewerError as error:
            if not worker.is_cancelled:
                tell(self._failed, str(error))
            return
        if not worker.is_cancelled:
            tell(self.guarded(self.take), page)

    def take(self, written: WrittenPage) -> None:
        """Show a page where it was left."""
        model, row = self.reading.report_place
        self.view.show(written.page, row=row if model == self.model else 0)
        if written.troubles:
            first = written.troubles[0]
            more = f" and {len(written.troubles) - 1:,} more" if len(written.troubles) > 1 else ""
            self.say(f"The prose, line {first.line}: {first.said}{more}", "bad")

    def _failed(self, words: str) -> None:
        self.view.instead = "There is no page to show."
        self.view.repaint()
        self.say(printable_line(words), "bad")

    def on_unmount(self) -> None:
        """The next time the page opens where it was left."""
        self.reading.report_place = self.model, self.view.row

    # -- the lines ---------------------------------------------------------------------------------------------------

    def present(self) -> None:
        """Show what differs from what is on screen: head and foot."""
        super().present()
        left = rows.origin(self.reading.path.name, self.reading.mark)
        left += [(" · ", "muted"), ("report", "strong"), (f" on {printable_line(self.model)}", "text")]
        here = self.view.here
        hint = "enter reads it in its conversation" if here.ref else "enter reads these" if here.query else ""
        self.head.show(left, [(f"  {hint.replace('enter', self.key('report.enter'))} ", "muted")] if hint else [])

    def on_cell_moved(self, _: CellMoved) -> None:
        """Say in the head where the line under the cursor leads."""
        self.changed()

    def on_cell_entered(self, _: CellEntered) -> None:
        """Go where the line leads, after a second click."""
        self.action_do("report.enter")


class ReportKeys(TableKeys):
    """The keys of a report."""

    def __init__(self, screen: ReportScreen) -> None:
        super().__init__(screen, screen.view)
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            **super().verbs(),
            "report.enter": self.enter,
            "section.next": partial(self.section, 1),
            "section.previous": partial(self.section, -1),
            "prose": self.prose,
        }

    def enter(self) -> None:
        """Go to the conversation of an excerpt, or read what nobody has read for this section."""
        screen, line = self._screen, self._screen.view.here
        if line.ref or line.query:
            screen.reading.came_from_report = screen.model
        if line.ref:
            screen.post_message(ReadingWanted(line.ref))
        elif line.query:
            screen.post_message(QueueWanted(line.query))
        else:
            screen.say("This line leads nowhere; quotes lead to their conversations.", "muted")

    def prose(self) -> None:
        """Open the prose in an editor, at this section; the page is printed anew afterwards."""
        from reviewer.app.shared.editor import open_prose

        screen = self._screen
        section = screen.view.page_shown.section(screen.view.section) if screen.view.page_shown else None
        session = screen.begin()
        code = section.modes[0] if section is not None and section.modes else ""
        open_prose(screen, session.folder, session.codebook, screen.model, code)
        screen.print_again()

    def section(self, by: int) -> None:
        """Go to the next section."""
        if not self._screen.view.step(by):
            self._screen.say("The last section." if by > 0 else "The first section.", "muted")


def _page(reader: Reader, model: str, marked: MarkFolder) -> WrittenPage:
    """The report on a model from what is stored, marked and written now."""
    from reviewer.figures.report.material import ReportRequest, material
    from reviewer.figures.report.prose_file import prose_path, read
    from reviewer.figures.report.written_report import written_report
    from reviewer.findings import reads

    versions = {name: read.version for name, read in reads.BY_NAME.items()}
    it = material(reader, ReportRequest(model, versions=versions), marked)
    return written_report(it, read(prose_path(marked.folder, it.model)))


def printed(screen: ReportScreen) -> dict[str, Callable[..., None]]:
    """The verbs of a report."""
    from reviewer.app.shared.commands import CommandKeys, HelpKeys

    verbs: dict[str, Callable[..., None]] = {}
    for part in (CommandKeys(screen), HelpKeys(screen), ReportKeys(screen)):
        verbs.update(part.verbs())
    return verbs
