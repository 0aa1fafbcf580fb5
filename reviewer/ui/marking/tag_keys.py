"""The keys that tag: tags, evidence, notes, verdicts, undo. Every act is on disk before anything of it is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from reviewer.keys import bound_to, first_key
from reviewer.model import Stored
from reviewer.refs import Ref
from reviewer.ui.marking import drawn_marks as drawn
from reviewer.ui.marking.reviewer_acts import Begin, ReviewerActs
from reviewer.ui.marking.tag_screen import TagScreen
from reviewer.ui.shared.sheet import Item

if TYPE_CHECKING:
    from reviewer.session import Mark, VerbResult
    from reviewer.ui.reading.conversation_view import ConversationView


class TagKeys(ReviewerActs):
    """The keys that write about words and items of one conversation."""

    def __init__(self, screen: TagScreen, begin: Begin) -> None:
        super().__init__(screen, begin)
        self._screen = screen
        self.marks: Sequence[Mark] = ()
        self.news = 0
        """How often something was written, or came in."""
        self._acted_at: Item | None = None
        self._whole = ""
        """What is written of the conversation as a whole, below it."""

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            **super().verbs(),
            "select.mark": self.by_key,
            "select.again": self.again,
            "evidence": self.attach,
            "exemplar": self.exemplar,
            "untag": self.untag,
        }

    @property
    def here(self) -> Mark | None:
        """The tag under the cursor; one of the whole conversation until the cursor moves on."""
        cursor = self._screen.transcript.cursor
        last = next((mark for mark in self.marks if mark.tag.id == self.last_tag), None)
        if last is not None and cursor == self._acted_at and any(ref.message is None for ref in last.places):
            return last
        return drawn.at(self.marks, cursor, self.last_tag)

    # -- what is marked ----------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Take in what is marked, everywhere."""
        if self._session is not None:
            self.news += 1
            self.look()

    def look(self) -> None:
        """Take in what is marked in the open conversation."""
        screen = self._screen
        if screen.viewing.stored is None or self._session is None:
            return
        self.marks = self.draw(screen.viewing)
        whole = drawn.whole(self.marks, screen.viewing.plain)
        if whole != self._whole:
            self._whole = whole
            screen.transcript.border_subtitle = Content(whole)

    def draw(self, viewing: ConversationView) -> Sequence[Mark]:
        """Hand a view what is marked in its conversation."""
        if viewing.stored is None:
            return ()
        marks = self.session.marks(viewing.stored)
        viewing.marked = drawn.paints(marks, viewing.stored)
        viewing.badges = drawn.badges(marks, viewing.plain)
        return marks

    # -- tags --------------------------------------------------------------------------------------------------------

    def tag(self, code: str, *, whole: bool = False) -> None:
        """Put a mode on what is selected, found or under the cursor; the same again takes a bare tag back."""
        stored = self._screen.viewing.stored
        if stored is not None:
            where, places = (self.whole(stored), ()) if whole else (stored, self.places())
            outcome = self.act(lambda session: session.toggle(where, code, *places))
            if outcome is not None:
                self._last_mode = code
                self._acted_at = self._screen.transcript.cursor
                self._screen.viewing.selecting = None
                self._offer_proof(outcome)

    def _offer_proof(self, outcome: VerbResult) -> None:
        """Say, beside what was done, which proof the next key would attach."""
        mode = self.session.codebook.mode(outcome.tag.code) if outcome.tag is not None and outcome.tag.bare else None
        key = first_key(bound_to("evidence", self._screen.app.bound))
        if mode is not None and mode.proof and key:
            self._screen.say(f"{outcome.words} {key} attaches: {mode.proof}. {outcome.made}".strip(), "good")

    def whole(self, stored: Stored) -> Stored | str:
        """Return what a mode for all of it is put on: the conversation."""
        return stored

    def places(self) -> tuple[Ref, ...]:
        """Return what a tag would be put on: the selected words, the hit one stands on, else the item."""
        viewing, stored = self._screen.viewing, self._screen.viewing.stored
        if stored is None:
            return ()
        chosen = viewing.selecting
        if chosen is not None:
            return tuple(viewing.ref(chosen.item, chosen.part, span) for span in chosen.spans)
        cursor = self._screen.transcript.cursor
        if viewing.hit is not None:
            hit = viewing.hits[viewing.hit]
            if Item(hit.message, hit.call) == cursor:
                return (viewing.ref(cursor, hit.part, (hit.start, hit.end)),)
        return (viewing.ref(cursor),) if cursor.message or stored.conversation.messages else ()

    def mark_here(self) -> Mark | None:
        """The tag under the cursor; says so when there is none."""
        mark = self.here
        if mark is None:
            self._screen.say("No tag here; a digit puts one.", "muted")
        return mark

    def attach(self) -> None:
        """Attach the evidence that the mode usually wants; again, the next candidate."""
        stored, mark = self._screen.viewing.stored, self.mark_here()
        if stored is not None and mark is not None:
            self.act(lambda session: session.attach_usual(stored, mark.tag))

    def exemplar(self) -> None:
        """Make the tag an exemplar, or take that back."""
        if mark := self.mark_here():
            self.act(lambda session: session.edit(mark.tag, exemplar=not mark.tag.exemplar))

    def untag(self) -> None:
        """Remove the tag under the cursor."""
        if mark := self.mark_here():
            self.act(lambda session: session.untag(mark.tag))
