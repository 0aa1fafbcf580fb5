"""Copying: the excerpt as Markdown, the reference, the selected words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer.ui.excerpt import markdown

if TYPE_CHECKING:
    from reviewer.ui.surface import Surface


class Copying:
    """The keys that fill the clipboard (by OSC 52, so that it works over ssh)."""

    def __init__(self, screen: Surface) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {"copy": self.excerpt, "copy.ref": self.reference, "select.copy": self.words}

    def excerpt(self) -> None:
        """The words under the cursor, who said them, and where."""
        stored, places = self._screen.viewing.stored, self._screen.marking.places()
        if stored is not None and places:
            self._screen.app.copy_to_clipboard(markdown(stored, places))
            self._screen.say("Copied the excerpt.", "good")

    def reference(self) -> None:
        """The reference of what is under the cursor."""
        places = self._screen.marking.places()
        if places:
            self._screen.app.copy_to_clipboard(str(places[0]))
            self._screen.say(f"Copied {places[0]}.", "good")

    def words(self) -> None:
        """The selected words and nothing else."""
        chosen = self._screen.viewing.selecting
        if chosen is not None:
            self._screen.app.copy_to_clipboard(chosen.quote)
            self._screen.say("Copied the words.", "good")
