"""What completion may offer for a query: the store's words, and those of the reviewers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from reviewer.annotations import queues
from reviewer.annotations.events import STANCES, VERDICTS
from reviewer.annotations.ledger import Ledger
from reviewer.codebook import Codebook
from reviewer.store.vocabulary import Vocabulary


class Offering:
    """A vocabulary for `reviewer.query.completion`, as a review knows it."""

    def __init__(self, store: Vocabulary, annotations: Path, ledger: Ledger, codebook: Codebook) -> None:
        self._store = store
        self._annotations = annotations
        self._ledger = ledger
        self._codebook = codebook
        self._sources: dict[str, Callable[[], Iterable[str]]] = {
            "tag": lambda: [mode.code for mode in self._codebook.modes],
            "verdict": lambda: VERDICTS,
            "queue": lambda: queues.names(self._annotations),
            "stance": lambda: STANCES,
            "by": self._reviewers,
        }

    def values(self, field: str, prefix: str = "", limit: int = 50) -> list[str]:
        """Values of a field that begin with the prefix."""
        if field not in self._sources:
            return self._store.values(field, prefix, limit)
        names = dict.fromkeys(self._sources[field]())
        return [name for name in names if name.lower().startswith(prefix.lower())][:limit]

    def keys(self, field: str, prefix: str = "", limit: int = 50) -> list[str]:
        """Keys of a field that begin with the prefix."""
        return self._store.keys(field, prefix, limit)

    def _reviewers(self) -> list[str]:
        states = [self._ledger.state(each) for each in self._ledger.conversations()]
        tagging = {tag.by for state in states for tag in state.tags}
        return sorted(tagging.union(*(state.verdicts for state in states), *(state.reviewed for state in states)))
