"""Putting a desk beside conversations: the one way in which the classes of stored tools change.

Owns that transaction. What a desk says is `reviewer.desk`'s; a store keeps its text, and classes are derived when read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from reviewer.desk import Desk
from reviewer.store.attached import Attached
from reviewer.store.writer import Writer


def put_desk(store: Path, desk: Desk, chosen: Callable[[Attached], Sequence[int]]) -> tuple[int, int]:
    """Let a desk class the tools of the chosen conversations: how many had another before, and how many there are."""
    with Writer(store) as writer:
        number = writer.desk(desk.name, desk.text, desk.hash)
        every = chosen(writer.attached)
        changed = writer.attached.desk(every, number)
        writer.attached.drop_unused_desks()
        writer.commit()
    return changed, len(every)
