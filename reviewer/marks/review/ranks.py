"""The order of a queue by what was marked: the marks as they stood when it was asked for, ready for a thread."""

from __future__ import annotations

from dataclasses import dataclass

from reviewer.marks.ledger import Ledger
from reviewer.marks.review.sight import Sight


@dataclass(frozen=True, slots=True)
class MarkRanks:
    """Ranks conversations for one reviewer; nothing that is marked later touches it."""

    ledger: Ledger
    sight: Sight

    def by(self, marks: str) -> dict[str, int]:
        """The rank of each marked conversation: for `unread` whether this reviewer read it, else how many tags show."""
        states = ((ref, self.ledger.brief(ref)) for ref in self.ledger.conversations())
        if marks == "unread":
            return {ref: int(self.sight.by in state.reviewed) for ref, state in states}
        return {ref: len(self.sight.of(state).tags) for ref, state in states}
