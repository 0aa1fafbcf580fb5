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
    "theme": "theme",
    "others": "others",
    "class": "class",
    "rename": "codebook.rename",
    "merge": "codebook.merge",
    "split": "codebook.split",
    "retire": "codebook.retire",
    "retag": "codebook.retag",
    "quit": "quit",
    "help": "help",
}
"""Commands and the verbs they stand for; a screen has those whose verbs it has."""
_CODED = ("rename", "merge", "split", "retire", "retag")
_WITH_WORDS = ("goto", "q", "draw", "pick", "theme", "others", "class", *_CODED)


class Commanding:
    """Commands that are typed."""

    def __init__(self, screen: KeyedScreen, codes: Callable[[], list[str]] = list) -> None:
        self._screen = screen
        self._codes = codes

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {
            "command": self.ask,
            "command.entered": self.run,
            "command.complete": self.complete,
            "theme": self.theme,
        }

    def ask(self) -> None:
        """Ask for a command."""
        self._screen.prompt.ask(
            "command",
            "goto MODEL/CASE/RUN#4 · q NAME · draw NAME 60 by family · class cancel · others off · tab completes",
        )

    def run(self, text: str) -> None:
        """Do what was typed; a bare reference or place is where to go."""
        word, _, rest = text.strip().removeprefix(":").partition(" ")
        if not word:
            return
        if word.startswith("#") or "/" in word:
            word, rest = "goto", text.strip()
        known = self.commands
        if word not in known:
            raise ReviewerError(f"There is no command “{word}” here.", f"There are: {', '.join(sorted(known))}.")
        self._screen.verbs[known[word]](*([rest.strip()] if word in _WITH_WORDS else []))

    @property
    def commands(self) -> dict[str, str]:
        """What can be typed on this screen."""
        return {name: verb for name, verb in _COMMANDS.items() if verb in self._screen.verbs}

    def complete(self, text: str) -> None:
        """Go on with the first command, theme or mode that begins as what is typed; say what else does."""
        before, blank, last = text.rpartition(" ")
        offered = [each for each in self._offers(before.partition(" ")[0]) if each.startswith(last)]
        if offered:
            prompt = self._screen.prompt
            prompt.value = f"{before}{blank}{offered[0]}"
            prompt.cursor_position = len(prompt.value)
            self._screen.say("  ".join(offered), "muted")

    def _offers(self, command: str) -> list[str]:
        """What may be typed behind a command, or in its place."""
        from reviewer.ui.theme import THEMES

        if not command:
            return sorted(self.commands)
        if command in _CODED:
            return self._codes()
        return {"theme": sorted(THEMES), "others": ["off", "on"]}.get(command, [])

    def theme(self, text: str) -> None:
        """Other colours."""
        from reviewer.ui.theme import THEMES

        app = self._screen.app
        if app.no_color:
            raise ReviewerError("NO_COLOR is set, so there are no colours.", "Start without it to choose a theme.")
        if text not in THEMES:
            raise ReviewerError(f"There is no theme “{text}”." if text else "Name a theme.", f"{', '.join(THEMES)}.")
        app.theme = text
        self._screen.say(f"Theme {text}.", "good")
