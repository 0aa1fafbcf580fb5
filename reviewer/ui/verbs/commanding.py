"""The command line: `:goto REF` and its like, a word and what it is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer.errors import ReviewerError

if TYPE_CHECKING:
    from reviewer.ui.screens.keyed import KeyedScreen

_COMMANDS = {
    "goto": "goto",
    "q": "queue.open",
    "draw": "queue.draw",
    "pick": "queue.pick",
    "compare": "compare",
    "grid": "grid",
    "board": "board",
    "quit": "quit",
    "help": "help",
}
"""Commands and the verbs they stand for; a screen has those whose verbs it has."""
_WITH_WORDS = ("goto", "q", "draw", "pick")


class Commanding:
    """Commands that are typed."""

    def __init__(self, screen: KeyedScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {"command": self.ask, "command.entered": self.run}

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
        known = {name: verb for name, verb in _COMMANDS.items() if verb in self._screen.verbs}
        if word not in known:
            raise ReviewerError(f"There is no command “{word}” here.", f"There are: {', '.join(sorted(known))}.")
        self._screen.verbs[known[word]](*([rest.strip()] if word in _WITH_WORDS else []))
