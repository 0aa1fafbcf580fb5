"""The keys that tag: tags, evidence, notes, verdicts, undo. Every act is on disk before anything of it is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from reviewer.app.keys import bound_to, first_key
from reviewer.app.marking import drawn_marks as drawn
from reviewer.app.marking.reviewer_acts import Begin, ReviewerActs
from reviewer.app.marking.tag_screen import TagScreen
from reviewer.app.shared.sheet import Item, Paint
from reviewer.transcripts.model import Anchor, Evidence, Stored
from reviewer.transcripts.refs import Ref

if TYPE_CHECKING:
    from reviewer.app.marking.tag_card import TagCard
    from reviewer.app.reading.conversation_view import ConversationView
    from reviewer.app.shared.sheet_widgets import StoredPlace
    from reviewer.marks.review import Mark, VerbResult


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
        self.card: TagCard | None = None
        """The card of the tag under the cursor."""
        self._nowhere: Paint | None = None
        """Words that no line shows, such as an empty list of arguments; then their item is looked for."""
        self._unfolded: tuple[str, tuple[Evidence, ...]] = ("", ())
        """The tag, and its evidence, that was unfolded last: what the reader folds again stays folded."""

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
        """The tag or suggestion under the cursor; one of the whole conversation until the cursor moves on."""
        cursor = self._screen.transcript.cursor
        if cursor == self._acted_at:
            last = next((mark for mark in self.marks if mark.tag.id == self.last_tag), None)
            if last is not None and any(ref.message is None for ref in last.places):
                return last
        return drawn.at(self.marks, cursor, self.last_tag)

    @property
    def tag_here(self) -> Mark | None:
        """The same, unless it is only suggested."""
        mark = self.here
        return mark if mark is not None and mark.finding is None else None

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
            screen.transcript.add_below(whole)

    def draw(self, viewing: ConversationView) -> Sequence[Mark]:
        """Hand a view what is marked in its conversation."""
        if viewing.stored is None:
            return ()
        marks = self.session.marks_and_suggestions(viewing.stored)
        viewing.marked = drawn.paints(marks, viewing.stored)
        viewing.badges = drawn.badges(marks, viewing.plain)
        return marks

    def follow(self) -> bool:
        """Take the tag under the cursor for the one that is shown; False when it is so already."""
        viewing, before = self._screen.viewing, self.card
        stored, mark = viewing.stored, self.here if viewing.selecting is None else None
        self.card = self._card(stored, mark) if stored is not None and mark is not None else None
        if self.card == before:
            return False
        for each in self._screen.showing.views:
            each.cited = ()
        viewing.cited = drawn.cited(mark, stored) if stored is not None and mark is not None else ()
        if mark is not None and self._unfolded != (mark.tag.id, mark.tag.evidence):
            self._unfolded = mark.tag.id, mark.tag.evidence
            self._unfold(viewing)
        return True

    def _card(self, stored: Stored, mark: Mark) -> TagCard:
        from reviewer.app.marking.tag_card import TagCard

        mode = self.session.codebook.mode(mark.tag.code)
        title = mode.title if mode else mark.tag.code or "Note"
        on_item = drawn.on(self.marks, self._screen.transcript.cursor)
        at = on_item.index(mark) + 1 if mark in on_item else 1
        of = len(on_item) if mark in on_item else 1
        key, others = self._screen.key, {"accept.all": "accepts", "reject.all": "rejects"}
        every = ", ".join(f"{key(name)} {does}" for name, does in others.items())
        decides = f"{key('accept')} accepts, {key('untag')} rejects; {every} all of this read here"
        return TagCard(mark, title, stored, self._screen.viewing.plain, at, of, decides if mark.finding else "")

    def _unfold(self, viewing: ConversationView) -> None:
        """Open what hides any of what is cited."""
        for paint in viewing.cited:
            item = Item(paint.message, paint.call)
            hidden_layer = paint.call is not None and viewing.mode == "hidden"
            if not hidden_layer and self._screen.showing.hides(item, paint.part, max(paint.start, paint.end - 1)):
                viewing.open_fold(item, paint.part)

    @property
    def words_here(self) -> StoredPlace | None:
        """The last of the words that the card is about, where they stand on the page that bears it."""
        if self.card is None:
            return None
        message, inline = self._screen.transcript.cursor.message, self._screen.viewing.mode == "inline"
        places = self.card.mark.places
        spans = [ref for ref in places if ref.message == message and ref.span and (ref.call is None or inline)]
        last = spans[-1] if spans else None
        return (Item(message, last.call), last.part, last.span[1] - 1) if last is not None and last.span else None

    def point(self, mark: Mark) -> None:
        """Take a tag that the cursor was put on for the one under it."""
        self.last_tag, self._acted_at = mark.tag.id, self._screen.transcript.cursor

    # -- tags --------------------------------------------------------------------------------------------------------

    def tag(self, code: str, *, whole: bool = False) -> None:
        """Put a mode on what is selected, found or under the cursor; the same again takes a bare tag back."""
        stored = self._screen.viewing.stored
        if stored is not None and (whole or self.in_sight()):
            where, places = (self.whole(stored), ()) if whole else (stored, self.places())
            if self._asks(where, code, places):
                return
            outcome = self.act(lambda session: session.toggle(where, code, *places))
            if outcome is not None:
                self._last_mode = code
                self._acted_at = self._screen.transcript.cursor
                self._screen.viewing.selecting = None
                self._offer_proof(outcome)

    def _asks(self, where: Stored | str, code: str, places: Sequence[Ref]) -> bool:
        """True if a tag looks like a slip: the reviewer is told why, and the same again puts it."""
        session = self.session
        if session.own_tag(where, code, *places) is not None:  # the key takes it back
            return False
        doubt = session.doubts.about(where, session.modes.mode(code), places)
        if doubt:
            self._last_mode = code
            self._screen.say(f"{doubt} The same again tags it.", "tag")
        return bool(doubt)

    def _offer_proof(self, outcome: VerbResult) -> None:
        """Say, beside what was done, which proof the next key would attach."""
        mode = self.session.codebook.mode(outcome.tag.code) if outcome.tag is not None and outcome.tag.bare else None
        key = first_key(bound_to("evidence", self._screen.app.bound))
        if mode is not None and mode.proof and key:
            self._screen.say(f"{outcome.words} {key} attaches: {mode.proof}. {outcome.made}".strip(), "good")

    def whole(self, stored: Stored) -> Stored | str:
        """Return what a mode for all of it is put on: the conversation."""
        return stored

    def in_sight(self) -> bool:
        """True if what a mode would be put on is on screen; else it is brought there, and that is said."""
        screen, viewing, cursor = self._screen, self._screen.viewing, self._screen.transcript.cursor
        if viewing.stored is None or not viewing.stored.conversation.messages:
            return True
        chosen, stood_on = viewing.selecting, viewing.stood_on(cursor)
        words: Paint | None = None
        if chosen is not None:
            words = Paint(*chosen.item, chosen.part, *chosen.span, "selected")
        elif stood_on is not None:
            words = Paint(*cursor, stood_on[0], *stood_on[1], "hit-here")
        item = Item(words.message, words.call) if words is not None else cursor
        page = screen.showing.page_of(item)
        if page.sheet is None:  # the tool layer is a rule, or has no room
            page, words = screen.transcript, None
        if not screen.showing.covered and page.shows(item, None if words == self._nowhere else words):
            return True
        if words is None:
            screen.showing.bring(item, "text", 0)
        else:
            screen.showing.reveal(item, words.part, words.start)
            self._nowhere = None if page.shows(item, words) else words
        screen.say("That was not on screen; now it is. The same key again tags it.", "muted")
        return False

    def is_carded(self, mark: Mark) -> bool:
        """True if the card of a tag is on screen; else it is brought there, and that is said."""
        screen, card = self._screen, self.card
        if screen.viewing.selecting is not None:
            screen.say(f"Words are selected; {screen.key('select.leave')} leaves them for the tag here.", "muted")
            return False
        if not screen.showing.covered and card is not None and card.mark.tag.id == mark.tag.id:
            return True
        screen.showing.bring(screen.transcript.cursor, "text", 0)
        screen.say("The tag was not on screen; now it is. The same key again acts on it.", "muted")
        return False

    def places(self) -> tuple[Ref, ...]:
        """Return what a tag would be put on: the selected words, the fact or hit one stands on, else the item."""
        viewing, stored = self._screen.viewing, self._screen.viewing.stored
        if stored is None:
            return ()
        chosen = viewing.selecting
        if chosen is not None:
            return tuple(viewing.ref(each.item, each.part, each.span) for each in chosen.stretches)
        cursor = self._screen.transcript.cursor
        words = viewing.stood_on(cursor)
        if words is not None:
            return (viewing.ref(cursor, *words),)
        return (viewing.ref(cursor),) if cursor.message or stored.conversation.messages else ()

    def mark_here(self) -> Mark | None:
        """The tag under the cursor; says so when there is none."""
        mark = self.tag_here
        if mark is None:
            only = f"This is only suggested; {self._screen.key('accept')} accepts it."
            self._screen.say(only if self.here is not None else "No tag here; a digit puts one.", "muted")
        return mark if mark is not None and self.is_carded(mark) else None

    def attach(self) -> None:
        """Attach the evidence that the mode usually wants; again, the next candidate."""
        stored, mark = self._screen.viewing.stored, self.mark_here()
        if stored is not None and mark is not None:
            outcome = self.act(lambda session: session.attach_usual(stored, mark.tag))
            taken = outcome.tag.evidence if outcome is not None and outcome.tag is not None else ()
            if outcome is not None and self._in_hidden_layer(taken):
                for viewing in self._screen.showing.views:
                    viewing.cycle_tools()
                self._screen.say(f"{outcome.words} The tool layer is shown again.", "good")

    def _in_hidden_layer(self, evidence: Sequence[Evidence]) -> bool:
        """True if the last of the evidence is in the tool layer, and that is hidden."""
        last = evidence[-1] if evidence else None
        return self._screen.viewing.mode == "hidden" and isinstance(last, Anchor) and last.ref.call is not None

    def exemplar(self) -> None:
        """Make the tag an exemplar, or take that back."""
        if mark := self.mark_here():
            self.act(lambda session: session.edit(mark.tag, exemplar=not mark.tag.exemplar))

    def untag(self) -> None:
        """Remove the tag under the cursor, or reject what is suggested there."""
        here = self.here
        if here is not None and here.finding is not None:
            if self.is_carded(here):
                self.decide(False, [here])
        elif mark := self.mark_here():
            self.act(lambda session: session.untag(mark.tag))

    def decide(self, accepted: bool, marks: Sequence[Mark]) -> None:
        """Accept suggestions as tags, or reject them."""
        stored = self._screen.viewing.stored
        findings = [mark.finding for mark in marks if mark.finding is not None]
        if stored is not None:
            self.act(lambda session: session.decide(stored, accepted, findings))
