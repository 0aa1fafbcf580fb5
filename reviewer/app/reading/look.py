"""The keys that change what is seen, and those that copy it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reviewer.basics.shell import shell_word

if TYPE_CHECKING:
    from reviewer.app.marking.tag_screen import TagScreen
    from reviewer.transcripts.model import Stored, Tag


class LookKeys:
    """The keys that change what is seen, not what is open."""

    def __init__(self, screen: TagScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            "item.fold": self.fold,
            "side.fold": self.fold,
            "fold.all": self.fold_all,
            "tools.cycle": self.cycle_tools,
            "reasoning": partial(self.toggle, "reasoning", "Reasoning"),
            "raw": partial(self.toggle, "raw", "Raw text as stored"),
            "json": partial(self.toggle, "json", "JSON of calls"),
            "dates": self.dates,
            "facts": self.facts,
        }

    def fold(self) -> None:
        """Open or fold the item; from a fact of the lens, go to where it comes from."""
        screen = self._screen
        cursor = screen.transcript.cursor
        if screen.viewing.lens.words_on(cursor) is not None:
            screen.action_do("lens.source")
            return
        sheet = screen.showing.page_of(cursor).sheet
        if sheet is None or not screen.viewing.fold(cursor, sheet):
            screen.say("Nothing is folded here.", "muted")

    def fold_all(self) -> None:
        """Open or fold every call."""
        opened = [viewing.fold_all() for viewing in self._screen.showing.views]
        self._screen.say(f"All calls {'open' if opened[0] else 'folded'}.", "muted")

    def cycle_tools(self) -> None:
        """Show the tool layer beside, inline, not at all, in turn."""
        modes = [viewing.cycle_tools() for viewing in self._screen.showing.views]
        self._screen.say(f"Tool layer {modes[0]}.", "muted")

    def toggle(self, layer: str, name: str) -> None:
        """Turn a layer on or off."""
        shown = [viewing.toggle(layer) for viewing in self._screen.showing.views]
        self._screen.say(f"{name} {'shown' if shown[0] else 'hidden'}.", "muted")

    def dates(self) -> None:
        """Show times as they are stored, or from the first message on."""
        stored = [viewing.toggle("dates") for viewing in self._screen.showing.views]
        self._screen.say("Times as stored." if stored[0] else "Times since the first message.", "muted")

    def facts(self) -> None:
        """Show what is known besides the words."""
        from reviewer.app.shared.dialogs import SheetScreen
        from reviewer.app.shared.facts import facts

        viewing = self._screen.viewing
        stored = viewing.stored
        if stored is not None:
            judges = self._screen.marking.shows_judges(stored.ref)
            sheet = partial(facts, stored, stored.conversation.facts, viewing.desk, plain=viewing.plain, judges=judges)
            self._screen.app.push_screen(SheetScreen("Facts", sheet))


class ClipboardKeys:
    """The keys that fill the clipboard (by OSC 52, so that it works over ssh)."""

    def __init__(self, screen: TagScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {"copy": self.excerpt, "copy.ref": self.reference, "select.copy": self.words}

    def excerpt(self) -> None:
        """Copy the tag under the cursor, else the words there, as an export prints them."""
        from reviewer.figures.export import markdown
        from reviewer.figures.export.excerpts import excerpt, places_of

        stored = self._screen.viewing.stored
        tag = self._tag(stored) if stored is not None else None
        if stored is None or tag is None:
            return
        codebook = self._screen.marking.session.codebook
        places = places_of(tag, stored)
        if isinstance(places, str):
            self._screen.say(f"The words of this tag are {places}: no longer what was marked.", "bad")
            return
        printed = excerpt(tag, places, lambda ref: stored if ref == stored.ref else None, codebook, stored.synthetic)
        self._screen.app.copy_to_clipboard(markdown.one(printed, markdown.Options()))
        self._screen.say("Copied the excerpt.", "good")

    def reference(self) -> None:
        """Copy the reference of what is under the cursor, quoted where a shell would see more than a word in it."""
        places = self._screen.marking.places()
        if places:
            self._screen.app.copy_to_clipboard(shell_word(places[0]))
            self._screen.say(f"Copied {places[0]}.", "good")

    def words(self) -> None:
        """Copy the selected words and nothing else."""
        chosen = self._screen.viewing.selecting
        if chosen is not None:
            self._screen.app.copy_to_clipboard(chosen.quote)
            self._screen.say("Copied the words.", "good")

    def _tag(self, stored: Stored) -> Tag | None:
        """The tag under the cursor; what is there but for a tag, as one without a code, where words were found."""
        from reviewer.marks.anchors import anchor
        from reviewer.transcripts.model import Tag

        places = self._screen.marking.places()
        mark = self._screen.marking.tag_here
        if mark is not None and not any(place.span for place in places):
            return mark.tag
        if not places:
            return None
        return Tag("", "", "", "", places[0], stored.digest, tuple(anchor(stored, place) for place in places))
