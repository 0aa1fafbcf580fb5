"""Conversations as interchange lines: what `reviewer import` reads back into equal digests, one at a time."""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.basics.plainjson import dumped
from reviewer.transcripts.conversation_json import as_object
from reviewer.transcripts.query import EVERYTHING, Selection
from reviewer.transcripts.store.reader import Reader


def lines(reader: Reader, selection: Selection = EVERYTHING) -> Iterator[str]:
    """One line a conversation, in the order of the queue; only one of them is in memory at a time."""
    for rowid in reader.ids(selection):
        yield dumped(as_object(reader.stored(rowid))) + "\n"
