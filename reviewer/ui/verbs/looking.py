"""Looking: folds, layers, facts; where several conversations stand side by side, in all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reviewer.ui.surface import Surface


class Looking:
    """The keys that change what is seen, not what is open."""

    def __init__(self, screen: Surface) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {
            "item.fold": self.fold,
            "side.fold": self.fold,
            "fold.all": self.fold_all,
            "tools.cycle": self.cycle_tools,
            "reasoning": partial(self.toggle, "reasoning", "Reasoning"),
            "raw": partial(self.toggle, "raw", "Raw text as stored"),
            "json": partial(self.toggle, "json", "JSON of calls"),
            "facts": self.facts,
        }

    def fold(self) -> None:
        """Open or fold the item."""
        screen = self._screen
        cursor = screen.transcript.cursor
        sheet = screen.showing.sheet_of(cursor)
        if sheet is None or not screen.viewing.fold(cursor, sheet):
            screen.say("Nothing is folded here.", "muted")

    def fold_all(self) -> None:
        """Open or fold every call."""
        opened = [viewing.fold_all() for viewing in self._screen.showing.views]
        self._screen.say(f"All calls {'open' if opened[0] else 'folded'}.", "muted")

    def cycle_tools(self) -> None:
        """Tool layer beside, inline, hidden."""
        modes = [viewing.cycle_tools() for viewing in self._screen.showing.views]
        self._screen.say(f"Tool layer {modes[0]}.", "muted")

    def toggle(self, layer: str, name: str) -> None:
        """A layer on or off."""
        shown = [viewing.toggle(layer) for viewing in self._screen.showing.views]
        self._screen.say(f"{name} {'shown' if shown[0] else 'hidden'}.", "muted")

    def facts(self) -> None:
        """What is known besides the words."""
        from reviewer.ui.facts import facts
        from reviewer.ui.screens.sheet import SheetScreen

        viewing = self._screen.viewing
        stored = viewing.stored
        if stored is not None:
            sheet = partial(facts, stored, stored.conversation.facts, viewing.desk, plain=viewing.plain)
            self._screen.app.push_screen(SheetScreen("Facts", sheet))
