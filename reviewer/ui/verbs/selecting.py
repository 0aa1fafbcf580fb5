"""Selecting words: `v` and the keys that count while something is being selected."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reviewer.ui.sheet import Item

if TYPE_CHECKING:
    from reviewer.model import Part
    from reviewer.text.sentences import Span
    from reviewer.ui.selecting import Selecting
    from reviewer.ui.surface import Surface

_OTHER: dict[Part, Part] = {"text": "reasoning", "reasoning": "text", "result": "arguments", "arguments": "result"}


class Choosing:
    """The keys of the selection."""

    def __init__(self, screen: Surface) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {
            "select": self.begin,
            "select.next": partial(self.change, lambda chosen: chosen.unit(1)),
            "select.previous": partial(self.change, lambda chosen: chosen.unit(-1)),
            "select.end.forward": partial(self.change, lambda chosen: chosen.end(1)),
            "select.end.back": partial(self.change, lambda chosen: chosen.end(-1)),
            "select.start.forward": partial(self.change, lambda chosen: chosen.start(1)),
            "select.start.back": partial(self.change, lambda chosen: chosen.start(-1)),
            "select.piece": partial(self.change, lambda chosen: chosen.keep()),
            "select.part": self.part,
            "select.proof": self.prove,
            "select.find": self.find,
            "select.find.entered": self.found,
            "select.leave": self.leave,
            "select.words": self.words,
        }

    def begin(self) -> None:
        """Open on the sentence of the hit one stands on, else on the first."""
        from reviewer.ui import selecting

        screen, viewing = self._screen, self._screen.viewing
        item = screen.transcript.cursor
        if viewing.stored is None or not item.message:
            return
        part, text = viewing.texts(item)
        offset = 0
        if viewing.hit is not None:
            hit = viewing.hits[viewing.hit]
            if Item(hit.message, hit.call) == item:
                part, text, offset = hit.part, viewing.stored_text(item, hit.part), hit.start
        chosen = selecting.opened(item, part, text, offset)
        if chosen is None:
            screen.say("There are no words to select here.", "muted")
            return
        self._show(chosen)

    def change(self, move: Callable[[Selecting], Selecting]) -> None:
        """Another selection in the place of this one."""
        if self._screen.viewing.selecting is not None:
            self._show(move(self._screen.viewing.selecting))

    def part(self) -> None:
        """Go on in the item's other part: its reasoning, or the arguments of a call."""
        from reviewer.ui import selecting

        screen, viewing, chosen = self._screen, self._screen.viewing, self._screen.viewing.selecting
        if chosen is None:
            return
        part = _OTHER[chosen.part]
        other = selecting.opened(chosen.item, part, viewing.stored_text(chosen.item, part), 0)
        if other is None:
            screen.say(f"There is no {part} here.", "muted")
        else:
            self._show(other)

    def prove(self) -> None:
        """Attach the selected words as evidence to the tag that was acted on last."""
        screen, stored, marking = self._screen, self._screen.viewing.stored, self._screen.marking
        mark = next((each for each in marking.marks if each.tag.id == marking.last_tag), None)
        if stored is None or mark is None:
            screen.say("Tag the claim first; then select the words that disprove it, and s.", "muted")
            return
        places = marking.places()
        if marking.act(lambda session: session.attach(stored, mark.tag, *places)):
            self.leave()

    def find(self) -> None:
        """Ask for words to move to."""
        self._screen.prompt.ask("select.find", "move the selection to these words")

    def found(self, words: str) -> None:
        """Move to the words that were typed."""
        chosen = self._screen.viewing.selecting
        wanted = chosen.to(words) if chosen is not None else None
        if wanted is None:
            self._screen.say(f"No “{words}” in this item.", "muted")
        else:
            self._show(wanted)

    def leave(self) -> None:
        """Select nothing."""
        self._screen.viewing.selecting = None

    def words(self, item: Item, part: Part, span: Span, unit: str) -> None:
        """Select what the mouse went over; nothing on screen moves."""
        from reviewer.ui import selecting

        screen, viewing = self._screen, self._screen.viewing
        chosen = selecting.over(item, part, viewing.stored_text(item, part), span, unit)
        if chosen is not None:
            viewing.selecting = chosen
            screen.transcript.hold(item)

    def _show(self, chosen: Selecting) -> None:
        """Select this; what hides it is opened."""
        self._screen.viewing.selecting = chosen
        self._screen.showing.reveal(chosen.item, chosen.part, chosen.span[0])
