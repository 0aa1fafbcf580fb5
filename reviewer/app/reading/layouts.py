"""The layouts of the conversations that were looked at last."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from reviewer.app.layout.stack import Stack
from reviewer.transcripts.model import Stored

_KEPT = 8
"""Conversations whose layouts are kept."""
PIECES = 1_000
"""Pieces of one of them whose layouts are kept: each width of the terminal and each tag makes others."""


class Layouts:
    """The layouts of a few conversations, by all that decides how they look."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Stored, dict[Hashable, Stack]]] = {}

    def of(self, stored: Stored | None) -> Callable[[Hashable, Callable[[], Stack]], Stack]:
        """Gives the layout of a piece of a conversation, or has it made."""
        if stored is None:
            return lambda _, make: make()
        read, made = self._made.pop(stored.rowid, (stored, {}))
        if read is not stored:  # it was read anew, and may say something else
            made = {}
        self._made[stored.rowid] = stored, made
        while len(self._made) > _KEPT:
            del self._made[next(iter(self._made))]

        def layout(key: Hashable, make: Callable[[], Stack]) -> Stack:
            stack = made.pop(key, None)
            made[key] = stack = make() if stack is None else stack
            if len(made) > PIECES:
                del made[next(iter(made))]
            return stack

        return layout
