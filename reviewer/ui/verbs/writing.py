"""Writing: what every screen that tags has in common. An act is on disk before anything of it is shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reviewer.errors import JournalError, ReviewerError
from reviewer.ui.desking import Desking
from reviewer.ui.listening import Listening

if TYPE_CHECKING:
    from reviewer.annotations.ledger import State
    from reviewer.session import Outcome, Session
    from reviewer.session.classing import Way
    from reviewer.session.ranks import MarkRanks
    from reviewer.ui.surface import Stage

Begin = Callable[[], "Session"]


class Writing(ABC):
    """A reviewer's session at a screen."""

    def __init__(self, screen: Stage, begin: Begin) -> None:
        self._at = screen
        self._start = begin
        self._session: Session | None = None
        self.listening = Listening(screen, self)
        self.desking = Desking(screen, self)
        self._last_mode = ""
        self.last_tag = ""

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {
            "mark": self.by_key,
            "mark.again": self.again,
            "undo": partial(self.turn, "undo"),
            "redo": partial(self.turn, "redo"),
            "others": self.others,
        }

    def state(self, ref: str) -> State | None:
        """What is shown as said of a conversation; None while the journals are unread."""
        return self._session.shown(ref) if self._session else None

    @abstractmethod
    def tag(self, code: str, *, whole: bool = False) -> None:
        """Put a mode on what the keys are about; `whole` on all of it."""

    @abstractmethod
    def refresh(self) -> None:
        """Draw what is marked."""

    def begin(self) -> None:
        """Read the journals, and show what is marked."""
        self._session = self._start()
        self.refresh()
        self.listening.begin()

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

    def codes(self) -> list[str]:
        """The failure modes that can be given, for completion."""
        return [mode.code for mode in self.session.codebook.active()]

    @property
    def hidden(self) -> str:
        """What the head says when others' work is hidden."""
        sight = self._session.sight if self._session else None
        if sight is None or (sight.others and not sight.alone):
            return ""
        return f"others hidden until {self._at.key('reviewed')}" if sight.others else "others off"

    def sees_others(self, before: bool) -> bool:
        """Whether this reviewer wants to see others' work; as before while the journals are unread."""
        return self._session.sight.others if self._session else before

    def ranks(self) -> MarkRanks | None:
        """What ranks conversations by their marks as they stand now; None while the journals are unread."""
        return self._session.ranks() if self._session else None

    @property
    def reviewed(self) -> int | None:
        """How many conversations this reviewer has read to the end."""
        return self._session.counts().reviewed if self._session else None

    def by_key(self, key: str) -> None:
        """The failure mode of a digit."""
        mode = self.session.modes.keyed(key)
        if mode is None:
            raise ReviewerError(
                f"No failure mode has the key {key}.", f"{self._at.key('mark.pick')} picks one by name."
            )
        self.tag(mode.code)

    def again(self) -> None:
        """The last mode once more."""
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

    def act(self, verb: Callable[[Session], Outcome]) -> Outcome | None:
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
        from reviewer.ui.screens.unsaved import UnsavedScreen

        pen = self.session.pen
        self._at.app.push_screen(UnsavedScreen(error, pen.retry, pen.save_elsewhere), self._shown)

    def _shown(self, words: str | None) -> None:
        self.refresh()
        self._at.say(words or "", "good")
