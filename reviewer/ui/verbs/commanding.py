"""The command line: `:goto REF` and its like, a word and what it is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer.errors import ReviewerError

if TYPE_CHECKING:
    from reviewer.ui.screens.review import ReviewScreen


class Commanding:
    """Commands that are typed."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {"command": self.ask, "command.entered": self.run}

    @property
    def commands(self) -> dict[str, Callable[[str], None]]:
        """What can be typed."""
        queues = self._screen.queues
        return {
            "goto": self._goto,
            "q": queues.open,
            "draw": queues.draw,
            "pick": queues.pick,
            "quit": self._quit,
            "help": self._help,
        }

    def ask(self) -> None:
        """Ask for a command."""
        self._screen.prompt.ask("command", "goto MODEL/CASE/RUN#4 · q NAME · draw NAME 60 by family · pick NAME · quit")

    def run(self, text: str) -> None:
        """Do what was typed; a bare reference or place is where to go."""
        word, _, rest = text.strip().removeprefix(":").partition(" ")
        if not word:
            return
        if word.startswith("#") or "/" in word:
            word, rest = "goto", text.strip()
        if word not in self.commands:
            raise ReviewerError(f"There is no command “{word}”.", f"There are: {', '.join(sorted(self.commands))}.")
        self.commands[word](rest.strip())

    def _goto(self, text: str) -> None:
        self._screen.verbs["goto"](text)

    def _quit(self, _: str) -> None:
        self._screen.verbs["quit"]()

    def _help(self, _: str) -> None:
        self._screen.verbs["help"]()
