"""Keys that work on every screen: help, the palette, quit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer import keys

if TYPE_CHECKING:
    from reviewer.ui.screens.keyed import KeyedScreen


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

        self._screen.app.push_screen(
            SheetScreen("Keys", help_sheet(self._screen.scope, is_plain(self._screen.app), self._screen.app.bound))
        )

    def palette(self) -> None:
        """Every action by name."""
        from reviewer.ui.screens.pick import Choice, PickScreen

        screen = self._screen
        actions = [action for action in keys.reaching(screen.scope, screen.app.bound) if action.keys != keys.MODE_KEYS]
        whys = [screen.why_not(action.id) for action in actions]
        choices = [
            Choice(
                f"{action.label}: {action.help}",
                why or "",
                keys.spoken(action.keys[0]) if action.keys else "",
                bool(why),
            )
            for action, why in zip(actions, whys, strict=True)
        ]

        def picked(answer: int | str | None) -> None:
            if isinstance(answer, int):
                if why := whys[answer]:
                    screen.say(why, "muted")
                else:
                    screen.action_do(actions[answer].id)

        screen.app.push_screen(PickScreen("Everything one can do here", choices), screen.guarded(picked))

    def quit(self) -> None:
        """Leave; there is nothing to lose, and no query to wait for."""
        self._screen.reading.stop()
        self._screen.app.exit()
