"""What can be undone and redone: this window's acts first, after a restart this reviewer's.

Owns two stacks of acts. It decides what an undo is about; the events that say so are written by the pen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from reviewer.marks.events import Event, targets
from reviewer.marks.ledger import Ledger

Act = tuple[Event, ...]
"""What one key or command did: one event, or a batch, maybe in several conversations."""


class History:
    """The acts of one reviewer in one window."""

    def __init__(self, by: str) -> None:
        self._by = by
        self._done: list[Act] = []
        self._undone: list[Act] | None = None
        self._passed: set[str] = set()

    def did(self, act: Act) -> None:
        """Remember an act; what was undone before it can no longer be redone."""
        self._done.append(act)
        self._undone = []

    def to_undo(self, ledger: Ledger) -> Act | None:
        """The act that an undo takes back."""
        while self._done and not self._open(self._done[-1], ledger):
            self._done.pop()
        if self._done:
            return self._done[-1]
        acts = _acts(ledger, self._by)
        return next((act for act in acts if act[0].do not in ("undo", "redo") and self._open(act, ledger)), None)

    def pass_over(self, act: Act) -> None:
        """Skip an act that cannot be undone, so that the one before it can be."""
        self._passed.update(event.id for event in act)

    def undid(self, ledger: Ledger, act: Act) -> None:
        """Remember that an undo was written."""
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
        """Remember that a redo was written."""
        if self._undone and self._undone[-1] == act:
            self._undone.pop()
        self._done.append(act)

    def _open(self, act: Act, ledger: Ledger) -> bool:
        return act[0].known and _counts(act, ledger) and act[0].id not in self._passed

    def _redoable(self, ledger: Ledger) -> list[Act]:
        if self._undone is None:
            self._undone = _trailing(ledger, self._by)
        return self._undone


def _counts(act: Iterable[Event], ledger: Ledger) -> bool:
    return any(event.id not in ledger.state(event.conversation).undone for event in act)


def _acts(ledger: Ledger, by: str) -> Iterator[Act]:
    """A reviewer's acts, the last first; a batch was written in one go, so it stands together."""
    for _, events in groupby(ledger.latest_first(by), lambda event: str(event.fields.get("batch", event.id))):
        yield tuple(events)[::-1]


def _trailing(ledger: Ledger, by: str) -> list[Act]:
    """Return the acts undone at the end of a reviewer's journal, the first to be redone last in the list."""
    last: list[Act] = []
    for turn in _acts(ledger, by):
        if turn[0].do not in ("undo", "redo"):
            break
        last.append(turn)
    stack: list[Act] = []
    for turn in reversed(last):
        named = {target for event in turn for target in targets(event)}
        if turn[0].do == "undo":
            stack.append(_taken_back(ledger, turn, named))
        else:
            stack = [act for act in stack if not any(each.id in named for each in act)]
    return [act for act in stack if act]


def _taken_back(ledger: Ledger, turn: Act, named: set[str]) -> Act:
    """The act that an undo took back; of an import, only the events that say that it was one."""
    events = [each for event in turn for each in ledger.events(event.conversation) if each.id in named]
    brought = {target for each in events if each.do == "bring" for target in targets(each)}
    return tuple(each for each in events if each.id not in brought)
