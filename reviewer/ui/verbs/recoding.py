"""Recoding: the codebook changed from where one reads, by commands: rename, merge, split, retire, retag."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reviewer.errors import ReviewerError

if TYPE_CHECKING:
    from reviewer.session import Outcome, Session
    from reviewer.ui.screens.review import ReviewScreen

COMMANDS = {
    "rename": "rename CODE A NEW NAME",
    "merge": "merge CODE INTO-CODE",
    "split": "split CODE A NEW NAME",
    "retire": "retire CODE",
    "retag": "retag CODE",
}
"""The commands, and what each looks like."""


class Recoding:
    """The commands that change failure modes, each an act that can be undone."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        ways: dict[str, Callable[[Session, str, str], Outcome]] = {
            "rename": lambda session, old, new: session.recode(lambda modes: modes.rename(old, new)),
            "merge": lambda session, gone, into: session.recode(lambda modes: modes.merge(gone, into)),
            "split": self._split,
            "retire": lambda session, code, _: session.recode(lambda modes: modes.retire(code)),
            "retag": self._retag,
        }
        return {f"codebook.{name}": partial(self._do, name, way) for name, way in ways.items()}

    def _do(self, name: str, way: Callable[[Session, str, str], Outcome], text: str) -> None:
        code, _, rest = text.partition(" ")
        wanted = COMMANDS[name]
        if not code or bool(rest.strip()) != (wanted.count(" ") > 1):
            raise ReviewerError(f"That is no {name}.", f"It looks like: {wanted}.")
        self._screen.marking.act(lambda session: way(session, code, rest.strip()))

    def _split(self, session: Session, old: str, new: str) -> Outcome:
        """One's own tags of a mode, in the conversations of this queue, become tags of another."""
        reading, ledger = self._screen.reading, session.book.ledger
        within = set(reading.ids)
        refs = [ref for ref in ledger.conversations() if not within.isdisjoint(reading.reader.find(ref))]
        return session.split(old, new, [tag for ref in refs for tag in ledger.state(ref).tags])

    def _retag(self, session: Session, code: str, _: str) -> Outcome:
        """The tag under the cursor becomes one of another mode; note and evidence stay."""
        mark = self._screen.marking.here
        if mark is None:
            raise ReviewerError("There is no tag under the cursor.", "Go to the message that bears it.")
        return session.edit(mark.tag, code=code)
