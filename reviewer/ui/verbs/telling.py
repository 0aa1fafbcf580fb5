"""Keys that work on every screen: help, the palette, quit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reviewer import keys

if TYPE_CHECKING:
    from reviewer.ui.screens.keyed import KeyedScreen

_RECENT = 8


class Telling:
    """What is the same wherever one is."""

    def __init__(self, screen: KeyedScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {"help": self.help, "palette": self.palette, "quit": self.quit}

    def help(self) -> None:
        """The keys of this pane."""
        from reviewer.ui.facts import help_sheet
        from reviewer.ui.screens.sheet import SheetScreen
        from reviewer.ui.theme import is_plain

        app = self._screen.app
        sheet = partial(help_sheet, self._screen.scope, plain=is_plain(app), bound=app.bound)
        app.push_screen(SheetScreen("Keys", sheet))

    def palette(self) -> None:
        """Every action by name: those last chosen first, those that would do nothing now last, with the reason."""
        from reviewer.ui.screens.pick import Choice, PickScreen

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
        """Why an action would do nothing now; empty when it would do something."""
        around = (self._screen.scope, *keys.ENCLOSING[self._screen.scope])
        if not set(action.scopes) & set(around):
            return keys.TITLES[action.scopes[0]].lower()
        return self._screen.why_not(action.id) or ""

    def quit(self) -> None:
        """Leave; there is nothing to lose, and no query to wait for."""
        self._screen.reading.stop()
        self._screen.app.exit()
