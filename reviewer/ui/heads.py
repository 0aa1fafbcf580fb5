"""Heads of groups in the queue: name, runs, how many conversations, and whether runs came out alike.

Looks at the conversations of a group when its head comes on screen, where they are few enough for that; of more it
says how many there are, and asks for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reviewer.desk import outcome
from reviewer.desk.outcome import Outcome
from reviewer.model import QueueRow
from reviewer.query.orders import Group
from reviewer.text.clean import printable_line
from reviewer.text.glyphs import glyph, plainly
from reviewer.ui.widgets.strips import Bit, elided_middle, width_of

MOST, FARTHEST = 500, 100_000
"""A group of more conversations than these is not looked through at once, and not at all."""
_KEPT = 1_000
_RUNS = 6


@dataclass(frozen=True, slots=True)
class Head:
    """What the head of a group says."""

    name: str
    count: int
    runs: tuple[int, ...] = ()
    flips: int = 0
    """How often the runs of a model on a case did not come out alike."""
    alike: bool = False
    """Whether there were several runs, and they always did."""


class Asked(NamedTuple):
    """A group that somebody should look through."""

    ids: Sequence[int]
    start: int
    stop: int
    group: Group


class Heads:
    """The heads of one queue, as they are looked at."""

    def __init__(self, fetch: Callable[[Sequence[int]], Sequence[QueueRow]]) -> None:
        self._fetch = fetch
        self.ask: Callable[[Asked], None] = lambda _: None
        """Who looks through groups that are too big for now."""
        self._ids: Sequence[int] = ()
        self._known: dict[tuple[int, int], Head] = {}

    def forget(self) -> None:
        """Look again at all of them."""
        self._known.clear()

    def head(self, ids: Sequence[int], start: int, stop: int, group: Group) -> Head:
        """The head of the group from start to stop."""
        if ids is not self._ids or len(self._known) > _KEPT:
            self._ids = ids
            self.forget()
        if (start, stop) not in self._known:
            whole = stop - start <= MOST
            rows = self._fetch(ids[start : stop if whole else start + 1])
            self._known[start, stop] = head_of(rows, stop - start, group, whole)
            if not whole and stop - start <= FARTHEST:
                self.ask(Asked(ids, start, stop, group))
        return self._known[start, stop]

    def answer(self, asked: Asked, head: Head) -> None:
        """What was found in a group that was asked for, unless the queue is another by now."""
        if asked.ids is self._ids:
            self._known[asked.start, asked.stop] = head


def head_of(rows: Iterable[QueueRow], count: int, group: Group, whole: bool = True) -> Head:
    """What there is to say of these conversations; `whole` when they are all of the group."""
    name, numbers, found = "", set(), dict[tuple[str, str], list[Outcome]]()
    for row in rows:
        name = name or _name(row, group)
        numbers.add(row.run)
        if row.case is not None:
            found.setdefault((row.model, row.case), []).append(outcome.of_row(row))
    name = name or "gone from the store"
    if not whole:
        return Head(name, count)
    apart = [outcome.flips(each) for each in found.values() if len(each) > 1]
    runs = tuple(sorted(number for number in numbers if number is not None))
    return Head(name, count, runs, sum(apart), bool(apart) and not any(apart))


def head_line(head: Head, width: int, plain: bool) -> list[Bit]:
    """Name, runs, whether they differ, and how many conversations."""
    right: list[Bit] = []
    if head.runs:
        right.append((f"  {_numbers(head.runs)}", "muted"))
    if head.flips:
        right.append((f" {glyph('differs', plain)}{head.flips if head.flips > 1 else ''}", "flip"))
    elif head.alike:
        right.append((f" {glyph('same', plain)}", "same"))
    right.append((f" {head.count:>4,} ", "muted"))
    name = elided_middle(plainly(printable_line(head.name), plain), width - width_of(right), glyph("more", plain))
    return [(name, "heading"), (" " * (width - width_of([(name, ""), *right])), ""), *right]


def _name(row: QueueRow, group: Group) -> str:
    if group == "model":
        return row.model
    found = row.case if group == "case" else row.family
    return f"no {group}" if found is None else found


def _numbers(runs: Sequence[int]) -> str:
    """`1 2 3`; many as `1-12`, where none is missing between, else the first and the last."""
    if len(runs) <= _RUNS:
        return " ".join(map(str, runs))
    whole = runs[-1] - runs[0] + 1 == len(runs)
    return f"{runs[0]}-{runs[-1]}" if whole else f"{runs[0]} … {runs[-1]}"
