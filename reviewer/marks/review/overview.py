"""What has been marked so far, as one reviewer sees it: tags with their places, states, counts, troubles.

Owns reading and nothing else: the verbs that write stand in `reviewer.marks.review.review`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from reviewer.marks.codebook import Codebook
from reviewer.marks.counts import Held, MarkCounts
from reviewer.marks.ledger import State
from reviewer.marks.read_extent import ReadCounts
from reviewer.marks.review import recall
from reviewer.marks.review.marks import Mark, marks
from reviewer.marks.review.modes import Modes
from reviewer.marks.review.ranks import MarkRanks
from reviewer.marks.review.sight import Sight
from reviewer.transcripts.model import Stored


def _unbound(action: str) -> str:
    """Name an action where nobody has said which keys there are."""
    return f"“{action}”"


@dataclass(frozen=True, slots=True)
class Counts:
    """The amount of marks, by this reviewer and by others."""

    tags: int
    others_tags: int
    reviewed: ReadCounts
    verdicts: int


class Overview:
    """An annotations folder, open before one reviewer."""

    def __init__(self, annotations: Path, by: str, shipped: str) -> None:
        self.folder = annotations
        self.by = by
        self.key: Callable[[str], str] = _unbound
        """How sentences name the key of an action: the app and the commands say which it is."""
        self.modes = Modes(annotations, shipped)
        self.book = recall.opened(annotations)
        self.sight = Sight(annotations, by)
        self.held: Held | None = None
        """Tells which conversations the open store holds; without it all of the folder are counted."""

    @property
    def codebook(self) -> Codebook:
        """The modes that can be given, with their keys."""
        return self.modes.codebook

    def marks(self, stored: Stored) -> tuple[Mark, ...]:
        """Every tag of a conversation that is shown, with what became of its words, in reading order."""
        shown = self.sight.shows_others(self.state(stored.ref))
        all_marks = map(self.named, marks(self.book.ledger, stored, self.by))
        return tuple(mark for mark in all_marks if mark.own or shown)

    def named(self, mark: Mark) -> Mark:
        """The mark by what its mode is called now."""
        mode = self.codebook.mode(mark.tag.code)
        return replace(mark, tag=replace(mark.tag, code=mode.code)) if mode and mode.code != mark.tag.code else mark

    def shown(self, ref: str) -> State:
        """Return what was said of a conversation or case, without other people's words where these are hidden."""
        return self.sight.of(self.state(ref))

    def state(self, ref: str) -> State:
        """Return what has been said of a conversation or case."""
        return self.book.ledger.state(ref)

    def ranks(self) -> MarkRanks:
        """Return what ranks conversations by their marks, as they stand now."""
        return MarkRanks(self.book.ledger.snapshot(), replace(self.sight))

    def reviewers(self) -> list[str]:
        """Everybody who marked anything that still stands."""
        return sorted(name for name, marked in self.book.counts().items() if any(marked))

    def counts(self) -> Counts:
        """Count what has been marked so far; what was reviewed, of the open store alone."""
        by_reviewer = self.book.counts()
        own = by_reviewer.get(self.by, MarkCounts())
        others = sum(each.tags for by, each in by_reviewer.items() if by != self.by)
        return Counts(own.tags, others, self.read_counts(), own.verdicts)

    def read_counts(self) -> ReadCounts:
        """Count what this reviewer has reviewed of the open store."""
        if self.held is None:
            return self.book.counts().get(self.by, MarkCounts()).read
        return self.book.reviewed(self.by, self.held)

    def refresh(self) -> set[str]:
        """Take in what others have written; the references about which there is something new."""
        self.modes.read()
        return self.book.refresh()

    def stale(self) -> bool:
        """True if there is something to take in; it only looks, so a thread may ask every moment."""
        return self.modes.stale or self.book.stale()

    def troubles(self) -> list[str]:
        """Say what is wrong in the annotations folder, a sentence each, the worst first."""
        sentences = (
            [f"{self.folder} is gone, and its tags with it; they come back when it does."] if self.book.gone else []
        )
        sentences += [f"{self.modes.problem} Until then nothing can be tagged."] if self.modes.problem else []
        return [*sentences, *(str(trouble) for trouble in self.book.troubles())]
