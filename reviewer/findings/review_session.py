"""A session in which the reviewer sees what reads suggest, beside what people marked."""

from __future__ import annotations

from reviewer.findings.suggestions import Suggestions
from reviewer.marks.review.marks import Mark, in_reading_order
from reviewer.marks.review.review import Session
from reviewer.marks.row_marks import RowMarks
from reviewer.transcripts.model import Stored


class ReviewSession(Session):
    """One reviewer's verbs on a store that reads may have gone through."""

    suggestions: Suggestions | None = None
    """What reads suggest about the open store, for those who look at it."""

    def suggest(self, suggestions: Suggestions) -> None:
        """Look at what reads suggest about the open store from now on."""
        self.suggestions = suggestions
        self.sight.scanned = suggestions.there

    def suggested(self, stored: Stored) -> tuple[Mark, ...]:
        """What reads suggest about a conversation, and about its case, as marks that are not decided about."""
        if self.suggestions is None or not self.sight.shows_suggestions(self.state(stored.ref)):
            return ()
        marks = self.suggestions.of_conversation(stored, self.state, self.codebook)
        return tuple(map(self.named, marks))

    def marks_and_suggestions(self, stored: Stored) -> tuple[Mark, ...]:
        """Both together, in reading order."""
        tags, open_ones = self.marks(stored), self.suggested(stored)
        return in_reading_order((*tags, *open_ones)) if open_ones else tags

    def unsuggested(self, stored: Stored) -> int:
        """How many of this reviewer's tags of a conversation no read had suggested, where reads went over it."""
        state = self.state(stored.ref)
        if self.suggestions is None or not self.sight.shows_suggestions(state):
            return 0
        own = [tag for tag in state.tags if tag.by == self.by and tag.code]
        return sum(not self.suggestions.met(tag, self.codebook) for tag in own)

    def row_marks(self, ref: str) -> RowMarks:
        """What the row of a conversation shows of marks and suggestions."""
        state, sight, suggested = self.state(ref), self.sight, 0
        if self.suggestions is not None and sight.shows_suggestions(state):
            suggested = len(self.suggestions.open_ones(ref, state, self.codebook))
        return RowMarks(sight.of(state), self.by, sight.shows_judges(state), suggested)

    def refresh(self) -> set[str]:
        """Take in what others have written and reads found; the references about which there is something new."""
        if self.suggestions is not None:
            self.suggestions.refresh()
            self.sight.scanned = self.suggestions.there
        return super().refresh()

    def stale(self) -> bool:
        """True if there is something to take in; it only looks, so a thread may ask every moment."""
        return (self.suggestions is not None and self.suggestions.stale()) or super().stale()
