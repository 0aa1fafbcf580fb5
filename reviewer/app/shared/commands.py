"""Commands that are typed, and the keys that tell: help, palette, themes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reviewer.app import keys
from reviewer.basics.errors import ReviewerError

if TYPE_CHECKING:
    from reviewer.app.shared.keyed_screen import KeyedScreen


_COMMANDS = {
    "goto": "goto",
    "queue": "queue.open",
    "draw": "queue.draw",
    "pick": "queue.pick",
    "sort": "sort",
    "group": "group",
    "columns": "columns",
    "compare": "compare",
    "grid": "grid",
    "board": "board",
    "report": "report",
    "theme": "theme",
    "others": "others",
    "suggestions": "suggestions",
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
_LEAVING = ("q", "wq", "q!")
"""What fingers type to leave other programs; there is nothing to write."""
_CODED = ("rename", "merge", "split", "retire", "retag")
_WITH_WORDS = (
    "goto",
    "queue",
    "draw",
    "pick",
    "sort",
    "group",
    "columns",
    "theme",
    "others",
    "suggestions",
    "class",
    *_CODED,
)


class CommandKeys:
    """The key for typing commands, and what can be typed."""

    def __init__(self, screen: KeyedScreen, codes: Callable[[], list[str]] = list) -> None:
        self._screen = screen
        self._codes = codes

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            "command": self.ask,
            "command.entered": self.run,
            "command.typed": self.typed,
            "command.complete": self.complete,
            "theme": self.theme,
        }

    def ask(self) -> None:
        """Ask for a command."""
        self._screen.prompt.ask(
            "command",
            "goto MODEL/CASE/RUN#4 · queue NAME · sort ORDER · draw NAME 60 by family · class cancel · tab completes",
        )

    def run(self, text: str) -> None:
        """Do what was typed; a bare reference or place is where to go."""
        word, _, rest = text.strip().removeprefix(":").partition(" ")
        if not word:
            return
        if word.startswith("#") or "/" in word:
            word, rest = "goto", text.strip()
        if word in _LEAVING:
            if rest.strip() and "queue" in self.commands:
                raise ReviewerError(f"“{word}” leaves the program.", f"To open a queue, type: queue {rest.strip()}")
            word = "quit"
        known = self.commands
        if word not in known:
            raise ReviewerError(f"There is no command “{word}” here.", f"There are: {', '.join(sorted(known))}.")
        self._screen.verbs[known[word]](*([rest.strip()] if word in _WITH_WORDS else []))

    @property
    def commands(self) -> dict[str, str]:
        """Return the commands that can be typed on this screen."""
        return {name: verb for name, verb in _COMMANDS.items() if verb in self._screen.verbs}

    def complete(self, text: str) -> None:
        """Go on with the first command, or word after it, that begins as what is typed."""
        start, offered = self._offered(text)
        texts = [f"{each} " if not start and each in _WITH_WORDS else each for each, _ in offered]
        self._screen.prompt.fill(start, len(text), texts)

    def typed(self, text: str) -> None:
        """Say what begins as what is typed."""
        _, offered = self._offered(text)
        self._screen.say("  ".join(f"{each} ({about})" if about else each for each, about in offered), "muted")

    def _offered(self, text: str) -> tuple[int, list[tuple[str, str]]]:
        """Return where the word being typed begins, and what may replace it, each with its description."""
        word, blank, rest = text.partition(" ")
        if not blank:
            return 0, _beginning(text, sorted(self.commands))
        if word in _CODED:
            start = text.rindex(" ") + 1
            return start, _beginning(text[start:], self._codes())
        offers = {"theme": _themes, "others": _on_off, "suggestions": _on_off, **self._screen.offers}
        return len(word) + 1, offers[word](rest) if word in offers else []

    def theme(self, text: str) -> None:
        """Change the colours."""
        from reviewer.app.shared.theme import THEMES

        app = self._screen.app
        if app.no_color:
            raise ReviewerError("NO_COLOR is set, so there are no colours.", "Start without it to choose a theme.")
        if text not in THEMES:
            raise ReviewerError(f"There is no theme “{text}”." if text else "Name a theme.", f"{', '.join(THEMES)}.")
        app.theme = text
        self._screen.say(f"Theme {text}.", "good")


def _themes(typed: str) -> list[tuple[str, str]]:
    from reviewer.app.shared.theme import THEMES

    return _beginning(typed, sorted(THEMES))


def _on_off(typed: str) -> list[tuple[str, str]]:
    return _beginning(typed, ["off", "on"])


def _beginning(typed: str, words: list[str]) -> list[tuple[str, str]]:
    return [(word, "") for word in words if word.startswith(typed)]


_RECENT = 8


class HelpKeys:
    """The keys that are the same on every screen: help, palette, quit."""

    def __init__(self, screen: KeyedScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {"help": self.help, "palette": self.palette, "quit": self.quit}

    def help(self) -> None:
        """Show the keys of this pane."""
        from reviewer.app.shared.dialogs import SheetScreen
        from reviewer.app.shared.facts import help_sheet
        from reviewer.app.shared.theme import is_plain

        app = self._screen.app
        sheet = partial(help_sheet, self._screen.scope, plain=is_plain(app), bound=app.bound)
        app.push_screen(SheetScreen("Keys", sheet))

    def palette(self) -> None:
        """List every action by name: those last chosen first, those that would do nothing now last, with the reason."""
        from reviewer.app.shared.pick import Choice, PickScreen

        screen, recent = self._screen, self._screen.app.recent
        entries = [(action, self._why_not(action)) for action in keys.all_actions(screen.app.bound)]
        entries.sort(
            key=lambda each: (bool(each[1]), recent.index(each[0].id) if each[0].id in recent else len(recent))
        )
        choices = [
            Choice(action.label, f"({why}) {action.help}" if why else action.help, keys.first_key(action), bool(why))
            for action, why in entries
        ]

        def picked(answer: int | str | None) -> None:
            if not isinstance(answer, int):
                return
            action, why = entries[answer]
            if why:
                screen.say(f"Not now: {why}.", "muted")
            else:
                recent[:] = [action.id, *(each for each in recent if each != action.id)][:_RECENT]
                screen.action_do(action.id)

        screen.app.push_screen(PickScreen("Everything one can do", choices), screen.guarded(picked))

    def _why_not(self, action: keys.Action) -> str:
        """Say why an action would do nothing now; empty when it would do something."""
        around = (self._screen.scope, *keys.ENCLOSING[self._screen.scope])
        if not set(action.scopes) & set(around):
            return keys.TITLES[action.scopes[0]].lower()
        return self._screen.why_not(action.id) or ""

    def quit(self) -> None:
        """Leave; there is nothing to lose, and no query to wait for."""
        self._screen.reading.stop()
        self._screen.app.exit()
