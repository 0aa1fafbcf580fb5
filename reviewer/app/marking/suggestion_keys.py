"""The keys for what reads suggest: accept it, reject it, one or all of its kind; and whether it is shown at all."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reviewer.basics.errors import ReviewerError
from reviewer.basics.shell import shell_word

if TYPE_CHECKING:
    from reviewer.app.marking.tag_screen import TagScreen


class SuggestionKeys:
    """The keys that decide about suggestions."""

    def __init__(self, screen: TagScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            "accept": self.accept,
            "accept.all": partial(self.all_of_its_read, True),
            "reject.all": partial(self.all_of_its_read, False),
            "suggestions": self.show,
        }

    def accept(self) -> None:
        """Make what is suggested under the cursor a tag."""
        mark = self._screen.marking.here
        if mark is None or mark.finding is None:
            self._nothing()
        elif self._screen.marking.is_carded(mark):
            self._screen.marking.decide(True, [mark])

    def all_of_its_read(self, accepted: bool) -> None:
        """Accept or reject all that the same read suggests in this conversation."""
        marking = self._screen.marking
        here = marking.here
        if here is None or here.finding is None:
            self._nothing()
            return
        read = here.finding.read
        if not marking.is_carded(here):
            return
        alike = [mark for mark in marking.marks if mark.finding is not None and mark.finding.read == read]
        marking.decide(accepted, alike)

    def show(self, text: str) -> None:
        """Show what reads suggest, or only what people said; without a word, list it."""
        if not text and "suggestions.open" in self._screen.verbs:
            self._screen.action_do("suggestions.open")
            return
        if text not in ("on", "off"):
            raise ReviewerError("Suggestions are on or off.", "Type: suggestions off, or: suggestions on.")
        marking, sight = self._screen.marking, self._screen.marking.session.sight
        sight.suggestions = text == "on"
        marking.refresh()
        how = "shown" if sight.suggestions else "hidden"
        if sight.suggestions and not sight.scanned:
            scan = f"reviewer scan {shell_word(self._screen.reading.path.name)}"
            how = f"shown once there are any; this store was never scanned: {scan}"
        elif sight.suggestions and sight.alone:
            how = f"hidden in {sight.queue}, which was drawn, until {self._screen.key('reviewed')}"
        self._screen.say(f"Suggestions are {how}.", "good")

    def _nothing(self) -> None:
        """Say why there is nothing to decide about."""
        screen, sight = self._screen, self._screen.marking.session.sight
        anything = any(mark.finding is not None for mark in screen.marking.marks)
        if anything:
            words = f"Nothing is suggested here; {screen.key('tag.next')} goes to what is."
        elif not sight.scanned:
            scan = f"reviewer scan {shell_word(screen.reading.path.name)}"
            words = f"Nothing is suggested: this store was never scanned. {scan} does."
        elif not sight.suggestions:
            words = "Suggestions are off; :suggestions on shows them."
        elif sight.alone:
            words = f"What is suggested here is hidden until {screen.key('reviewed')}."
        else:
            words = "Nothing is suggested in this conversation. A digit tags by hand."
        screen.say(words, "muted")
