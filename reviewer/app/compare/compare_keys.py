"""The keys of a comparison: between columns, to where they part, and back to reading; and its marks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reviewer.app import routes
from reviewer.app.marking import drawn_marks as drawn
from reviewer.app.marking.reviewer_acts import Begin
from reviewer.app.marking.tag_keys import TagKeys
from reviewer.app.shared.messages import ReadingWanted
from reviewer.app.shared.walk import walking
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import Ref, case_ref

if TYPE_CHECKING:
    from reviewer.app.compare.compare_screen import CompareScreen


class CompareTagKeys(TagKeys):
    """The keys that tag in a comparison: every column shows the marks, and what is for all of it is for the case."""

    def __init__(self, screen: CompareScreen, begin: Begin) -> None:
        super().__init__(screen, begin)
        self._sides = screen

    def whole(self, stored: Stored) -> Stored | str:
        """The case across its runs."""
        conversation = stored.conversation
        return case_ref(conversation.model, conversation.case) if conversation.case is not None else stored

    def refresh(self) -> None:
        """Take in what is marked in every column."""
        screen = self._sides
        for side in screen.comparing.sides:
            marks = self.draw(side.viewing)
            side.tags = [drawn.words(mark, screen.plain) for mark in marks]
            shown = self.session.shown(side.stored.ref)
            done = shown.reviewed.get(self.by)
            side.verdicts, side.read = shown.verdicts, done.extent if done is not None else None
            if side is screen.comparing.side:
                self.marks = marks


class CompareKeys:
    """The keys of a comparison."""

    def __init__(self, screen: CompareScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            **walking(self),
            "side.next": partial(self.side, 1),
            "side.previous": partial(self.side, -1),
            "side.axis": self.axis,
            "side.read": self.read,
            "parting": self.parting,
            "grid": self.grid,
            "board": self.board,
            "goto": self.goto,
            "leave": self.leave,
        }

    def item(self, by: int) -> None:
        """Go to the next item; the other columns come along."""
        self._screen.transcript.move(by)

    def edge(self, last: bool) -> None:
        """Go to the first or the last item."""
        column = self._screen.transcript
        if column.items:
            column.to(column.items[-1 if last else 0])

    def scroll(self, lines: int) -> None:
        """Scroll all columns by a few lines; the cursor comes along."""
        abreast = self._screen.showing
        if not abreast.stand(abreast.top + lines):
            self._screen.say("The end of all of them." if lines > 0 else "The beginning of all of them.", "muted")
        column = self._screen.transcript
        end = abreast.top + column.size.height
        if not abreast.top <= column.row < end:
            column.level_with(abreast.top if lines > 0 else end - 1)

    def page(self, pages: float) -> None:
        """Scroll all columns by a share of the screen."""
        self.scroll(int(pages * max(1, self._screen.transcript.size.height - 2)))

    def side(self, by: int) -> None:
        """Go to the next conversation, with the cursor at the same height."""
        screen = self._screen
        row = screen.transcript.row
        screen.showing.keep()
        screen.comparing.step(by)
        screen.showing.show()
        screen.transcript.level_with(row)
        screen.marking.refresh()

    def axis(self) -> None:
        """Show models instead of runs, or runs instead of models."""
        screen = self._screen
        screen.showing.keep()
        if screen.comparing.turn():
            screen.marking.refresh()
            screen.begin_level()
        else:
            other = "model" if screen.comparing.axis == "runs" else "run"
            screen.say(f"There is only one {other} of this case here.", "muted")

    def parting(self) -> None:
        """Go to the first act in which not all agree."""
        screen = self._screen
        if screen.begin_level():
            screen.say("They do the same, in the same order, to the end.", "muted")

    def read(self) -> None:
        """Open this conversation in the reading room, at this message."""
        stored, cursor = self._screen.comparing.side.stored, self._screen.transcript.cursor
        place = Ref(stored.ref, cursor.message or None, cursor.call if cursor.message else None)
        self._screen.post_message(ReadingWanted(str(place)))

    def grid(self) -> None:
        """Open the grid of this model, with the cursor on this conversation."""
        screen = self._screen
        stored = screen.comparing.side.stored
        routes.grid(screen, screen.reading, lambda: screen.marking.session, stored, plain=screen.plain)

    def board(self) -> None:
        """Open the board of all models."""
        screen = self._screen
        model = screen.comparing.side.model
        routes.board(screen, screen.reading, lambda: screen.marking.session, model, plain=screen.plain)

    def goto(self, text: str) -> None:
        """Follow a reference, in the reading room; a place is one of this conversation."""
        ref = self._screen.comparing.side.stored.ref
        self._screen.post_message(ReadingWanted(f"{ref}{text}" if text.startswith("#") else text))

    def leave(self) -> None:
        """Go back to the screen one came from."""
        self._screen.dismiss()


def beside(screen: CompareScreen) -> dict[str, Callable[..., None]]:
    """The verbs of a comparison: those of the reading room that mark, and its own."""
    from reviewer.app.marking.bearings import EvidenceKeys, NoteKeys
    from reviewer.app.marking.mode_keys import ModeKeys, ToolClassCommand
    from reviewer.app.marking.suggestion_keys import SuggestionKeys
    from reviewer.app.marking.verdict_keys import ReviewedKey, VerdictKeys
    from reviewer.app.reading.find import FindKeys
    from reviewer.app.reading.look import ClipboardKeys, LookKeys
    from reviewer.app.reading.selected_words import SelectionKeys
    from reviewer.app.shared.commands import CommandKeys, HelpKeys

    verbs = {**ModeKeys(screen, screen.marking, "case").verbs(), **screen.marking.verbs()}
    marking = (SelectionKeys, EvidenceKeys, NoteKeys, VerdictKeys, SuggestionKeys, ReviewedKey)
    for part in (LookKeys, FindKeys, *marking, ClipboardKeys, CommandKeys, HelpKeys, CompareKeys):
        verbs.update(part(screen).verbs())
    verbs.update(
        ToolClassCommand(screen, screen.marking, lambda: (screen.viewing.stored, screen.transcript.cursor)).verbs()
    )
    return verbs
