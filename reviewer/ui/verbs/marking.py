"""Marking: tags, evidence, notes, verdicts, undo. Every act is on disk before anything of it is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from reviewer.errors import JournalError, ReviewerError
from reviewer.refs import Ref
from reviewer.ui import marks as drawn
from reviewer.ui.sheet import Item

if TYPE_CHECKING:
    from reviewer.session import Mark, Outcome, Session
    from reviewer.ui.screens.review import ReviewScreen


class Marking:
    """The keys that write."""

    def __init__(self, screen: ReviewScreen, begin: Callable[[], Session]) -> None:
        self._screen = screen
        self._start = begin
        self._session: Session | None = None
        self._last_mode = ""
        self.last_tag = ""
        self.marks: Sequence[Mark] = ()

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {
            "mark": self.by_key,
            "select.mark": self.by_key,
            "mark.again": self.again,
            "select.again": self.again,
            "evidence": self.attach,
            "exemplar": self.exemplar,
            "untag": self.untag,
            "undo": partial(self.turn, lambda session: session.undo()),
            "redo": partial(self.turn, lambda session: session.redo()),
        }

    def begin(self) -> None:
        """Read the journals, and show what is marked."""
        self._session = self._start()
        self.refresh()

    @property
    def session(self) -> Session:
        """This reviewer's verbs; journals are read when they are first asked for."""
        if self._session is None:
            self._session = self._start()
        return self._session

    @property
    def by(self) -> str:
        """Who is reviewing; nobody yet while the journals are unread."""
        return self._session.by if self._session else ""

    @property
    def reviewed(self) -> int | None:
        """How many conversations this reviewer has read to the end."""
        return self._session.counts().reviewed if self._session else None

    @property
    def here(self) -> Mark | None:
        """The tag under the cursor."""
        return drawn.at(self.marks, self._screen.transcript.cursor, self.last_tag)

    # -- what is marked ----------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Draw what is marked in the open conversation."""
        screen = self._screen
        stored = screen.reading.stored
        if stored is None or self._session is None:
            return
        self.marks = self._session.marks(stored)
        badges = drawn.badges(self.marks, plain=False)
        screen.viewing.marked = drawn.paints(self.marks, stored)
        screen.transcript.border_subtitle = Content(drawn.whole(self.marks, plain=False))
        if badges != screen.viewing.badges:
            screen.viewing.badges = badges
            screen.showing.lay_out()
        else:
            screen.showing.repaint()

    # -- tags --------------------------------------------------------------------------------------------------------

    def by_key(self, key: str) -> None:
        """The failure mode of a digit."""
        mode = self.session.codebook.keyed(key)
        if mode is None:
            raise ReviewerError(f"No failure mode has the key {key}.", "t picks one by name.")
        self.tag(mode.code)

    def again(self) -> None:
        """The last mode once more."""
        if self._last_mode:
            self.tag(self._last_mode)
        else:
            self._screen.say("No mode was given yet.", "muted")

    def tag(self, code: str, *, whole: bool = False) -> None:
        """Put a mode on what is selected, found or under the cursor; the same again takes a bare tag back."""
        stored = self._screen.reading.stored
        if stored is not None:
            places = () if whole else self.places()
            if self.act(lambda session: session.toggle(stored, code, *places)):
                self._last_mode = code
                self._screen.viewing.selecting = None
                self._screen.showing.repaint()

    def places(self) -> tuple[Ref, ...]:
        """What a tag would be put on: the selected words, the hit one stands on, else the item."""
        viewing, stored = self._screen.viewing, self._screen.reading.stored
        if stored is None:
            return ()
        chosen = viewing.selecting
        if chosen is not None:
            number, call = chosen.item
            return tuple(Ref(stored.ref, number, call, chosen.part, None, span) for span in chosen.spans)
        cursor = self._screen.transcript.cursor
        if viewing.hit is not None:
            hit = viewing.hits[viewing.hit]
            if Item(hit.message, hit.call) == cursor:
                return (Ref(stored.ref, hit.message, hit.call, hit.part, None, (hit.start, hit.end)),)
        return (Ref(stored.ref, cursor.message, cursor.call),) if cursor.message else ()

    def mark_here(self) -> Mark | None:
        """The tag under the cursor; says so when there is none."""
        mark = self.here
        if mark is None:
            self._screen.say("No tag here; a digit puts one.", "muted")
        return mark

    def attach(self) -> None:
        """The evidence that the mode usually wants; again, the next candidate."""
        stored, mark = self._screen.reading.stored, self.mark_here()
        if stored is not None and mark is not None:
            self.act(lambda session: session.attach_usual(stored, mark.tag))

    def exemplar(self) -> None:
        """Make the tag an exemplar, or take that back."""
        if mark := self.mark_here():
            self.act(lambda session: session.edit(mark.tag, exemplar=not mark.tag.exemplar))

    def untag(self) -> None:
        """Remove the tag under the cursor."""
        if mark := self.mark_here():
            self.act(lambda session: session.untag(mark.tag))

    def turn(self, way: Callable[[Session], Outcome]) -> None:
        """Undo or redo."""
        self.act(way)

    # -- writing -----------------------------------------------------------------------------------------------------

    def act(self, verb: Callable[[Session], Outcome]) -> bool:
        """Do something that is written, then show it; when it could not be written, nothing goes on until it is."""
        session = self.session
        try:
            outcome = verb(session)
        except JournalError as error:
            if not session.pen.unsaved:
                raise
            self._stay(error)
            return False
        self.last_tag = outcome.tag.id if outcome.tag else self.last_tag
        self._shown(outcome.words)
        return True

    def _stay(self, error: ReviewerError) -> None:
        from reviewer.ui.screens.unsaved import UnsavedScreen

        pen = self.session.pen
        self._screen.app.push_screen(UnsavedScreen(error, pen.retry, pen.save_elsewhere), self._shown)

    def _shown(self, words: str | None) -> None:
        self.refresh()
        self._screen.queue.refresh()
        self._screen.say(words or "", "good")
