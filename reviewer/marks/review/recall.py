"""Recall: opening the journals of a folder, with an index beside them once they are big."""

from __future__ import annotations

from pathlib import Path

from reviewer.basics.errors import StoreError
from reviewer.marks.book import SETTLED_FROM, Book


def opened(annotations: Path) -> Book:
    """The book of a folder; journals that are small are simply read."""
    try:
        size = sum(path.stat().st_size for path in annotations.glob("*.jsonl"))
    except OSError:
        size = 0  # the book's own reading says what is wrong with the folder
    if size <= SETTLED_FROM:
        return Book(annotations)
    from reviewer.transcripts.store.neighbours import neighbour
    from reviewer.transcripts.store.projection import Projection

    try:
        return Book(annotations, Projection(neighbour(annotations, "journals")))
    except StoreError:
        return Book(annotations)  # without a place for caches it only takes longer
