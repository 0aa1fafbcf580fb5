"""Looking: finding words, folds, layers, help."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reviewer.ui.sheet import Item

if TYPE_CHECKING:
    from reviewer.ui.screens.review import ReviewScreen


class Looking:
    """The keys that change what is seen, not what is open."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {
            "find": self.find,
            "find.typed": self.light_up,
            "find.entered": self.found,
            "find.left": partial(self.light_up, ""),
            "find.next": partial(self.hit, 1),
            "find.previous": partial(self.hit, -1),
            "item.fold": self.fold,
            "fold.all": self.fold_all,
            "tools.cycle": self.cycle_tools,
            "reasoning": partial(self.toggle, "reasoning", "Reasoning"),
            "raw": partial(self.toggle, "raw", "Raw text as stored"),
            "json": partial(self.toggle, "json", "JSON of calls"),
            "facts": self.facts,
            "back": self.back,
        }

    def find(self) -> None:
        """Ask what to find."""
        self._screen.prompt.ask("find", "find in this conversation", self._screen.viewing.words)

    def light_up(self, words: str) -> None:
        """Show every hit of what is typed so far."""
        from reviewer.ui.find import hits

        viewing = self._screen.viewing
        stored = self._screen.reading.stored
        viewing.words = words
        viewing.hits = (
            hits(stored.conversation, words, reasoning=viewing.shows("reasoning"), calls=viewing.mode != "hidden")
            if stored
            else []
        )
        viewing.hit = None
        self._screen.showing.repaint()

    def found(self, words: str) -> None:
        """Go to the first hit from the cursor on."""
        self.light_up(words)
        if words:
            self.hit(0)

    def hit(self, by: int) -> None:
        """Go to a hit: so many on, or for 0 the first from the cursor on."""
        screen = self._screen
        viewing = screen.viewing
        if not viewing.words:
            screen.say("Nothing to find yet: / and the words.", "muted")
            return
        if not viewing.hits:
            screen.say(f"No “{viewing.words}” here.", "muted")
            return
        if viewing.hit is None:
            cursor = screen.transcript.cursor
            places = [(hit.message, hit.call or 0) for hit in viewing.hits]
            at = bisect_left(places, (cursor.message, cursor.call or 0)) - (1 if by < 0 else 0)
        else:
            at = viewing.hit + by
        viewing.hit = at % len(viewing.hits)
        hit = viewing.hits[viewing.hit]
        item = Item(hit.message, hit.call)
        if screen.showing.hides(item, hit.part, hit.start) and viewing.open_fold(item, hit.part):
            screen.showing.lay_out()
        screen.transcript.reveal(item, hit.part, hit.start)
        screen.showing.repaint()
        screen.say(f"“{viewing.words}”: hit {viewing.hit + 1} of {len(viewing.hits)}.", "muted")

    def fold(self) -> None:
        """Open or fold the item."""
        screen = self._screen
        sheet = screen.showing.sheet_of(screen.transcript.cursor)
        if sheet is not None and screen.viewing.fold(screen.transcript.cursor, sheet):
            screen.showing.lay_out()
        else:
            screen.say("Nothing is folded here.", "muted")

    def fold_all(self) -> None:
        """Open or fold every call."""
        opened = self._screen.viewing.fold_all()
        self._screen.showing.lay_out()
        self._screen.say(f"All calls {'open' if opened else 'folded'}.", "muted")

    def cycle_tools(self) -> None:
        """Tool layer beside, inline, hidden."""
        screen = self._screen
        mode = screen.viewing.cycle_tools()
        screen.showing.lay_out()
        screen.say(f"Tool layer {mode}.", "muted")

    def toggle(self, layer: str, name: str) -> None:
        """A layer on or off."""
        screen = self._screen
        shown = screen.viewing.toggle(layer)
        screen.showing.lay_out()
        screen.say(f"{name} {'shown' if shown else 'hidden'}.", "muted")

    def facts(self) -> None:
        """What is known besides the words."""
        from reviewer.ui.facts import facts
        from reviewer.ui.screens.sheet import SheetScreen

        screen = self._screen
        stored = screen.reading.stored
        if stored is not None:
            case = screen.reading.case()
            screen.app.push_screen(SheetScreen("Facts", facts(stored, case, screen.viewing.desk, screen.viewing.plain)))

    def back(self) -> None:
        """Clear the hits, else leave the pane."""
        screen = self._screen
        if screen.viewing.words:
            self.light_up("")
        else:
            screen.transcript.focus()
