"""Coming back to a store: the filter and the place of last time, unless something else was asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from reviewer.app.reading.memory import Memory
from reviewer.basics.errors import ReviewerError

if TYPE_CHECKING:
    from reviewer.app.shared.position import QueueRequest, ReadingPosition
    from reviewer.transcripts.store.reader import Reader


class Return(NamedTuple):
    """The conversation and the place to open."""

    reading: ReadingPosition
    at: str


def returned(
    reader: Reader, want: Callable[[str], QueueRequest], asked: str, at: str, memory: Memory | None = None
) -> Return:
    """The queue that was asked for, else that of last time; the place of last time where it belongs to this queue."""
    from reviewer.app.shared.position import ReadingPosition

    place = memory.place if memory else None
    if memory is None or place is None or asked.strip() or at:
        reading = ReadingPosition(reader, want(asked))
    else:
        reading = _as_it_was(reader, want, memory)
    same = place is not None and reading.query == place.query
    return Return(reading, at or (_there(reader, place.ref) if place and same else ""))


def _as_it_was(reader: Reader, want: Callable[[str], QueueRequest], memory: Memory) -> ReadingPosition:
    from reviewer.app.shared.position import ReadingPosition

    query = memory.place.query
    try:
        reading = ReadingPosition(reader, want(query))
    except ReviewerError as error:
        memory.word = f"The filter of last time, {query}, is off: {error.message}"
    else:
        if reading.ids or not query:
            memory.word = memory.word or (f"The filter of last time is on: {query}" if query else "")
            return reading
        memory.word = f"The filter of last time, {query}, is off: nothing passes it now."
    return ReadingPosition(reader, want(""))


def _there(reader: Reader, ref: str) -> str:
    """The reference, when it still leads somewhere."""
    from reviewer.transcripts.refs import parse

    try:
        return ref if ref and reader.find(parse(ref).conversation) else ""
    except ReviewerError:
        return ""  # it was written by hand, or by another version
