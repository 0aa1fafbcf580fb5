"""Putting a desk beside conversations: the one way in which the classes of stored tools change.

Owns that transaction. What a desk says is `reviewer.transcripts.desk`'s; a store keeps its text, and classes are
derived when read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from reviewer.transcripts.desk import Desk, kept
from reviewer.transcripts.store.attachments import AttachmentWriter
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer


def put_desk(store: Path, desk: Desk | None, chosen: Callable[[AttachmentWriter], Sequence[int]]) -> tuple[int, int]:
    """Set the desk (or none) of the chosen conversations; returns how many had another, and how many there are."""
    with Writer(store) as writer:
        number = None if desk is None else writer.desk(desk.name, desk.text, desk.hash)
        every = chosen(writer.attached)
        changed = writer.attached.desk(every, number)
        writer.catalogue.forget_unused()
        writer.commit()
    return changed, len(every)


def desk_of(store: Path, digest: str) -> str | None:
    """The text of the desk with that hash, empty for that of no desk at all; None if the store does not have it."""
    with Reader(store) as reader:
        return next((text for text in ("", *reader.tallies.desks().values()) if kept(text).hash == digest), None)
