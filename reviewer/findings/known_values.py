"""What completion may offer for a query: the store's words, those of its suggestions, and those of the reviewers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from reviewer.findings.finding_lookup import FindingLookup
from reviewer.marks import queues
from reviewer.marks.events import STANCES, VERDICTS
from reviewer.transcripts.query.selection import alike
from reviewer.transcripts.store.reader import Reader

if TYPE_CHECKING:
    from reviewer.findings.questions import Question
    from reviewer.marks.review.review import Session


class ReviewVocabulary:
    """The words that completion and `absence` know; without marks, those of the store and its suggestions."""

    def __init__(self, reader: Reader, marks: Session | Question | None = None) -> None:
        self._store = reader.vocabulary
        suggested = FindingLookup(reader.path)
        self._sources: dict[str, Callable[[], Iterable[str]]] = {"finding": suggested.modes, "read": suggested.reads}
        if marks is not None:
            self._sources |= self._marked(marks)

    def _marked(self, marks: Session | Question) -> dict[str, Callable[[], Iterable[str]]]:
        return {
            "tag": lambda: [mode.code for mode in marks.codebook.modes],
            "verdict": lambda: VERDICTS,
            "queue": lambda: queues.names(marks.folder),
            "stance": lambda: STANCES,
            "by": marks.reviewers,
        }

    def values(self, field: str, prefix: str = "", limit: int = 50) -> list[str]:
        """Values of a field that begin with the prefix."""
        if field not in self._sources:
            return self._store.values(field, prefix, limit)
        names = dict.fromkeys(self._sources[field]())
        return [name for name in names if alike(name).startswith(alike(prefix))][:limit]

    def keys(self, field: str, prefix: str = "", limit: int = 50) -> list[str]:
        """Keys of a field that begin with the prefix."""
        return self._store.keys(field, prefix, limit)
