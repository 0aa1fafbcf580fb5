"""A reviewer at work: what every screen that tags has in common. An act is on disk before anything of it is shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.worker import Worker, get_current_worker

from reviewer.basics.errors import JournalError, ReviewerError
from reviewer.marks.row_marks import RowMarks

if TYPE_CHECKING:
    from reviewer.app.shared.keyed_screen import KeyedScreen
    from reviewer.findings.review_session import ReviewSession
    from reviewer.marks.codebook import Codebook
    from reviewer.marks.read_extent import ReadCounts
    from reviewer.marks.review import VerbResult
    from reviewer.marks.review.history import Act
    from reviewer.marks.review.ranks import MarkRanks
    from reviewer.marks.review.tool_classes import Way


PAUSE = 0.5
"""Seconds between two looks: what somebody else has marked is there within one."""


class JournalWatch:
    """Keeps a screen's marks up to date with the journals on disk."""

    def __init__(self, screen: KeyedScreen, marking: ReviewerActs) -> None:
        self._screen = screen
        self._marking = marking
        self._told = ""
        self._looking: Worker[None] | None = None

    def begin(self) -> None:
        """Look again and again from now on."""
        with self._screen.acting():
            self.tell()
        self._screen.set_interval(PAUSE, self.look)

    def look(self) -> None:
        """Look once, while this screen is the one that is seen."""
        if self._screen.is_seen and (self._looking is None or self._looking.is_finished):
            self._looking = self._screen.run_worker(self._look, thread=True, exclusive=False, group="listen")

    def _look(self) -> None:
        worker = get_current_worker()
        try:
            stale = self._marking.session.stale()
        except ReviewerError:
            stale = True  # taking it in says what is wrong
        if stale and not worker.is_cancelled:
            self._screen.app.call_from_thread(self._hear)

    def _hear(self) -> None:
        with self._screen.acting():
            try:
                self._marking.session.refresh()
            except ReviewerError as error:
                self._say(str(error))
                return
            self._marking.refresh()
            self.tell()

    def tell(self) -> None:
        """Say what is wrong, once; say when it is mended, too."""
        troubles = self._marking.session.troubles()
        more = f" And {len(troubles) - 1:,} more: reviewer check lists them." if len(troubles) > 1 else ""
        self._say(f"{troubles[0]}{more}" if troubles else "")

    def _say(self, words: str) -> None:
        if words != self._told:
            self._screen.say(words or "The annotations are in order again.", "bad" if words else "good")
            self._told = words


Say = Callable[["ReviewSession"], "VerbResult"]
"""What a session is told of what was written."""


class DeskEdits:
    """Changes what tools mean, in the desk."""

    def __init__(self, screen: KeyedScreen, marking: ReviewerActs) -> None:
        self._screen = screen
        self._marking = marking
        self._writing: Worker[None] | None = None

    def class_tool(self, text: str | None, tool: str, act: str) -> None:
        """Class a tool in the desk of that text."""
        from reviewer.marks.review.tool_classes import class_tool

        def work() -> Say:
            change = class_tool(self._screen.reading.path, text, tool, act)
            return lambda session: session.classed(change)

        self._begin(work)

    def turn(self, act: Act, way: Way) -> None:
        """Take back what was done to a desk, or do it again."""
        from reviewer.marks.review.tool_classes import turn

        def work() -> Say:
            turn(self._screen.reading.path, act[0].fields, way)
            return lambda session: session.undo(act) if way == "undo" else session.redo(act)

        self._begin(work, act)

    def _begin(self, work: Callable[[], Say], act: Act = ()) -> None:
        if self._writing is not None and not self._writing.is_finished:
            self._screen.say("The desk is still being written; wait a moment.", "muted")
            return
        self._screen.say("Writing the desk …", "muted")
        self._writing = self._screen.run_worker(
            lambda: self._work(work, act), thread=True, exclusive=False, group="desk"
        )

    def _work(self, work: Callable[[], Say], act: Act) -> None:
        worker, tell = get_current_worker(), self._screen.app.call_from_thread
        try:
            say = work()
        except ReviewerError as error:
            if not worker.is_cancelled:
                tell(self._failed, error, act)
        else:
            if not worker.is_cancelled:
                tell(self._screen.guarded(self._written), say)

    def _failed(self, error: ReviewerError, act: Act) -> None:
        if isinstance(error, JournalError):
            self._marking.session.pen.pass_over(act)
        self._screen.say(str(error), "bad")

    def _written(self, say: Say) -> None:
        from reviewer.app.shared.keyed_screen import KeyedScreen

        for screen in self._screen.app.screen_stack:
            if isinstance(screen, KeyedScreen):
                screen.look_again()
        self._marking.act(say)


Begin = Callable[[], "ReviewSession"]


class ReviewerActs(ABC):
    """A reviewer's session at a screen, and the acts that are the same on all of them."""

    def __init__(self, screen: KeyedScreen, begin: Begin) -> None:
        self._at = screen
        self._start = begin
        self._session: ReviewSession | None = None
        self.listening = JournalWatch(screen, self)
        self.desking = DeskEdits(screen, self)
        self._last_mode = ""
        self.last_tag = ""

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            "mark": self.by_key,
            "mark.again": self.again,
            "undo": partial(self.turn, "undo"),
            "redo": partial(self.turn, "redo"),
            "others": self.others,
        }

    def row_marks(self, ref: str) -> RowMarks:
        """Return what the row of a conversation shows of marks and suggestions."""
        return self._session.row_marks(ref) if self._session else RowMarks(judges=self.shows_judges(ref))

    @abstractmethod
    def tag(self, code: str, *, whole: bool = False) -> None:
        """Put a mode on what the keys are about; `whole` on all of it."""

    def in_sight(self) -> bool:
        """True if what a mode would be put on is on screen; else it is brought there, and that is said."""
        return True

    @abstractmethod
    def refresh(self) -> None:
        """Draw what is marked."""

    def begin(self) -> None:
        """Read the journals, and show what is marked."""
        self._session = self._start()
        self.refresh()
        self.listening.begin()

    @property
    def session(self) -> ReviewSession:
        """This reviewer's verbs; journals are read when they are first asked for."""
        if self._session is None:
            self._session = self._start()
        return self._session

    @property
    def by(self) -> str:
        """The name of the reviewer; empty while the journals are unread."""
        return self._session.by if self._session else ""

    def codes(self) -> list[str]:
        """The failure modes that can be given, for completion."""
        return [mode.code for mode in self.session.codebook.active()]

    @property
    def has_marked(self) -> bool:
        """True if anything in this folder is this reviewer's."""
        return self._session is not None and self._session.by in self._session.reviewers()

    @property
    def codebook(self) -> Codebook | None:
        """The failure modes that can be given; None while the annotations are unread."""
        return self._session.codebook if self._session else None

    @property
    def hidden(self) -> str:
        """The words in the head when others' work, or what reads suggest, is hidden."""
        sight = self._session.sight if self._session else None
        if sight is None or (sight.others and sight.suggestions and not sight.alone):
            return ""
        wanted = {"others": sight.others, "suggestions": sight.suggestions}
        named = [name for name in wanted if name == "others" or sight.scanned]
        off = " and ".join(name for name in named if not wanted[name])
        waiting = " and ".join(name for name in named if wanted[name] and sight.alone)
        hidden = f"{waiting} hidden until {self._at.key('reviewed')}" if waiting else ""
        return " · ".join(filter(None, (f"{off} off" if off else "", hidden)))

    def sees_others(self, before: bool) -> bool:
        """True if this reviewer wants to see others' work; as before while the journals are unread."""
        return self._session.sight.others if self._session else before

    def sees_suggestions(self, before: bool) -> bool:
        """True if this reviewer wants to see what reads suggest; as before while the journals are unread."""
        return self._session.sight.suggestions if self._session else before

    @property
    def scanned(self) -> bool:
        """True if reads went over the open store, and what they suggest is to be seen."""
        sight = self._session.sight if self._session else None
        return sight is not None and sight.scanned and sight.suggestions

    def shows_judges(self, ref: str) -> bool:
        """True if scores and judges' notes on a conversation are shown; while the journals are unread, in no queue."""
        if self._session is None:
            return "queue:" not in self._at.reading.query
        return self._session.sight.shows_judges(self._session.state(ref))

    def ranks(self) -> MarkRanks | None:
        """Return what ranks conversations by their marks as they stand now; None while the journals are unread."""
        return self._session.ranks() if self._session else None

    @property
    def reviewed(self) -> ReadCounts | None:
        """The number of conversations that this reviewer has reviewed, by how far they read."""
        return self._session.read_counts() if self._session else None

    def by_key(self, key: str) -> None:
        """Give the failure mode of a digit."""
        mode = self.session.modes.keyed(key)
        if mode is None:
            raise ReviewerError(
                f"No failure mode has the key {key}.", f"{self._at.key('mark.pick')} picks one by name."
            )
        self.tag(mode.code)

    def again(self) -> None:
        """Give the last mode once more."""
        if self._last_mode:
            self.tag(self._last_mode)
        else:
            self._at.say("No mode was given yet.", "muted")

    def turn(self, way: Way) -> None:
        """Undo or redo; what was done to a desk is turned behind the screen first."""
        undoing, pen = way == "undo", self.session.pen
        act = pen.to_undo() if undoing else pen.to_redo()
        if act is not None and act[0].do == "desk":
            self.desking.turn(act, way)
        else:
            self.act(lambda session: session.undo() if undoing else session.redo())

    def others(self, text: str) -> None:
        """Show other people's marks, or only one's own."""
        if text not in ("on", "off"):
            raise ReviewerError("Others' tags are on or off.", "Type: others off, or: others on.")
        sight = self.session.sight
        sight.others = text == "on"
        self.refresh()
        how = "hidden" if not sight.others else "shown"
        if sight.others and sight.alone:
            how = f"hidden in {sight.queue}, which was drawn, until {self._at.key('reviewed')}"
        self._at.say(f"Other people's tags are {how}.", "good")

    def act(self, verb: Callable[[ReviewSession], VerbResult]) -> VerbResult | None:
        """Do something that is written, then show it; when it could not be written, nothing goes on until it is."""
        session = self.session
        try:
            outcome = verb(session)
        except JournalError as error:
            if not session.pen.unsaved:
                raise
            self.refresh()  # what can no longer be read is not on disk, so it is not shown
            self._stay(error)
            return None
        self.last_tag = outcome.tag.id if outcome.tag else self.last_tag
        self._shown(outcome.said)
        return outcome

    def _stay(self, error: ReviewerError) -> None:
        from reviewer.app.shared.unsaved import UnsavedScreen

        self._at.app.push_screen(UnsavedScreen(error, self.session.pen), self._at.guarded(self._shown))

    def _shown(self, words: str | None) -> None:
        self.refresh()
        self._at.say(words or "", "good")
