"""Copying: the excerpt as Markdown, the reference, the selected words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer.ui.excerpt import markdown

if TYPE_CHECKING:
    from reviewer.model import Stored, Tag
    from reviewer.ui.surface import Surface


class Copying:
    """The keys that fill the clipboard (by OSC 52, so that it works over ssh)."""

    def __init__(self, screen: Surface) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {"copy": self.excerpt, "copy.ref": self.reference, "select.copy": self.words}

    def excerpt(self) -> None:
        """The tag under the cursor as reports print it; where there is none, the words, who said them, and where."""
        stored, marking = self._screen.viewing.stored, self._screen.marking
        if stored is None:
            return
        mark, places = marking.here, marking.places()
        printed = self._as_printed(mark.tag, stored) if mark is not None else ""
        if printed or places:
            self._screen.app.copy_to_clipboard(printed or markdown(stored, places))
            self._screen.say("Copied the tag as reports print it." if printed else "Copied the excerpt.", "good")

    def _as_printed(self, tag: Tag, stored: Stored) -> str:
        """The line of an export, without what only a whole store can tell; empty when the tag's words are lost."""
        from reviewer.export.excerpts import Excerpt, excerpt
        from reviewer.export.markdown import Options, one

        codebook = self._screen.marking.session.codebook
        made = excerpt(tag, lambda ref: stored if ref == stored.ref else None, codebook, stored.synthetic)
        return one(made, Options()) if isinstance(made, Excerpt) else ""

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
