"""What can be undone and redone: this window's acts first, after a restart this reviewer's.

Owns two stacks of acts. It decides what an undo is about; the events that say so are written by the session.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reviewer.annotations.events import Event, targets
from reviewer.annotations.ledger import Ledger

Act = tuple[Event, ...]
"""What one key did: one event, or a batch in one conversation."""


class History:
    """The acts of one reviewer in one window."""

    def __init__(self, by: str) -> None:
        self._by = by
        self._done: list[Act] = []
        self._undone: list[Act] | None = None

    def did(self, act: Act) -> None:
        """Remember an act; what was undone before it can no longer be redone."""
        self._done.append(act)
        self._undone = []

    def to_undo(self, ledger: Ledger) -> Act | None:
        """The act that an undo takes back."""
        while self._done and not _counts(self._done[-1], ledger):
            self._done.pop()
        if self._done:
            return self._done[-1]
        return next(_acts(ledger, self._by), None)

    def undid(self, ledger: Ledger, act: Act) -> None:
        """An undo was written."""
        stack = self._redoable(ledger)
        if act not in stack:
            stack.append(act)
        if self._done and self._done[-1] == act:
            self._done.pop()

    def to_redo(self, ledger: Ledger) -> Act | None:
        """The act that a redo brings back."""
        stack = self._redoable(ledger)
        while stack and _counts(stack[-1], ledger):
            stack.pop()
        return stack[-1] if stack else None

    def redid(self, act: Act) -> None:
        """A redo was written."""
        if self._undone and self._undone[-1] == act:
            self._undone.pop()
        self._done.append(act)

    def _redoable(self, ledger: Ledger) -> list[Act]:
        if self._undone is None:
            self._undone = _trailing(ledger, self._by)
        return self._undone


def _counts(act: Iterable[Event], ledger: Ledger) -> bool:
    return any(event.id not in ledger.state(event.conversation).undone for event in act)


def _acts(ledger: Ledger, by: str) -> Iterator[Act]:
    """A reviewer's acts that still count, the last first."""
    for event in ledger.latest_first(by):
        if event.known and event.do not in ("undo", "redo") and _counts((event,), ledger):
            yield _whole(event, ledger)


def _whole(event: Event, ledger: Ledger) -> Act:
    batch = event.fields.get("batch")
    if batch is None:
        return (event,)
    return tuple(each for each in ledger.events(event.conversation) if each.fields.get("batch") == batch)


def _trailing(ledger: Ledger, by: str) -> list[Act]:
    """What the undos at the end of a reviewer's journal took back, the first to be redone last in the list."""
    last: list[Event] = []
    for event in ledger.latest_first(by):
        if event.do not in ("undo", "redo"):
            break
        last.append(event)
    stack: list[Act] = []
    for event in reversed(last):
        named = targets(event)
        if event.do == "undo":
            stack.append(tuple(each for each in ledger.events(event.conversation) if each.id in named))
        else:
            stack = [act for act in stack if not any(each.id in named for each in act)]
    return [act for act in stack if act]
