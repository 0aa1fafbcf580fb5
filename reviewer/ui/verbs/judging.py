"""Judging: verdicts, and what a tag says beyond its mode."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reviewer.ui.surface import Surface


class Judging:
    """The keys that say how it went."""

    def __init__(self, screen: Surface) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {
            "verdict.pass": partial(self.verdict, "pass"),
            "verdict.fail": partial(self.verdict, "fail"),
            "verdict.defer": partial(self.verdict, "defer"),
            "clause": self.clause,
            "clause.entered": self.write_clause,
            "cause": self.cause,
            "stance": self.stance,
            **dict.fromkeys(("accept", "accept.all", "reject.all"), self.nothing_suggested),
        }

    def verdict(self, word: str) -> None:
        """Say pass, fail or defer; the same again takes it back."""
        stored, marking = self._screen.viewing.stored, self._screen.marking
        if stored is not None:
            now = marking.session.state(stored.ref).verdicts.get(marking.session.by)
            marking.act(lambda session: session.verdict(stored, "" if now == word else word))

    def clause(self) -> None:
        """Ask for the clause of the tag under the cursor."""
        if mark := self._screen.marking.mark_here():
            self._screen.prompt.ask("clause", "the clause printed with the excerpt", mark.tag.clause)

    def write_clause(self, text: str) -> None:
        """Keep the clause that was typed."""
        if mark := self._screen.marking.here:
            self._screen.marking.act(lambda session: session.edit(mark.tag, clause=text.strip()))

    def stance(self) -> None:
        """The next stance of the tag under the cursor; after the last, none."""
        from reviewer.annotations.events import STANCES

        if mark := self._screen.marking.mark_here():
            now = ("", *STANCES).index(mark.tag.stance)
            wanted = ("", *STANCES)[(now + 1) % (len(STANCES) + 1)]
            self._screen.marking.act(lambda session: session.edit(mark.tag, stance=wanted))

    def cause(self) -> None:
        """Pick, by its first letter, what the agent fell for."""
        from reviewer.annotations.events import CAUSES
        from reviewer.ui.screens.pick import Choice, PickScreen

        screen, mark = self._screen, self._screen.marking.mark_here()
        if mark is None:
            return
        choices = [Choice(word, key=word[0]) for word in (*CAUSES, "none")]

        def picked(answer: int | str | None) -> None:
            if isinstance(answer, int):
                cause = "" if answer == len(CAUSES) else CAUSES[answer]
                screen.marking.act(lambda session: session.edit(mark.tag, cause=cause))

        screen.app.push_screen(PickScreen("Cause", choices, quick=True), screen.guarded(picked))

    def nothing_suggested(self) -> None:
        """Say that there is nothing to accept or reject."""
        self._screen.say("Nothing is suggested here: no readings were made. A digit tags by hand.", "muted")
