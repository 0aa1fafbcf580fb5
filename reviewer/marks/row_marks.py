"""The marks of a conversation as its row in the queue shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from reviewer.marks.ledger import State


class RowMarks(NamedTuple):
    """What one reviewer sees of them; the row is drawn again when this differs."""

    state: State | None = None
    """None while the journals are unread."""
    by: str = ""
    judges: bool = True
    """Whether the reviewer may see what judges said."""
    suggested: int = 0
    """How many suggestions nobody has decided about."""
