"""The heads of the groups in a queue: runs, and whether they came out alike; big ones are counted behind the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from textual.worker import Worker, get_current_worker

from reviewer.app.shared.line_widgets import Bit, elided_middle, width_of
from reviewer.basics.clean import printable_line
from reviewer.basics.errors import ReviewerError
from reviewer.basics.glyphs import glyph, plainly
from reviewer.basics.values import dataclass
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.desk.outcome import Outcome
from reviewer.transcripts.model import QueueRow
from reviewer.transcripts.query.orders import Group

if TYPE_CHECKING:
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.transcripts.store.reader import Reader


MOST, FARTHEST = 500, 100_000
"""A group of more conversations than these is not looked through at once, and not at all."""
_KEPT = 1_000
_RUNS = 6


@dataclass(frozen=True, slots=True)
class Head:
    """The contents of the head of a group."""

    name: str
    count: int
    runs: tuple[int, ...] = ()
    flips: int = 0
    """How often the runs of a model on a case did not come out alike."""
    alike: bool = False
    """Whether there were several runs, and they always did."""


@dataclass(frozen=True, slots=True)
class GroupRequest:
    """A group that somebody should look through."""

    ids: Sequence[int]
    start: int
    stop: int
    group: Group


class Heads:
    """The heads of one queue, as they are looked at."""

    def __init__(self, fetch: Callable[[Sequence[int]], Sequence[QueueRow]]) -> None:
        self._fetch = fetch
        self.ask: Callable[[GroupRequest], None] = lambda _: None
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
                self.ask(GroupRequest(ids, start, stop, group))
        return self._known[start, stop]

    def answer(self, asked: GroupRequest, head: Head) -> None:
        """Take the head of a group that was asked for, unless the queue is another by now."""
        if asked.ids is self._ids:
            self._known[asked.start, asked.stop] = head


def head_of(rows: Iterable[QueueRow], count: int, group: Group, whole: bool = True) -> Head:
    """Make the head of these conversations; `whole` when they are all of the group."""
    name, numbers, outcomes = "", set(), dict[tuple[str, str], list[Outcome]]()
    for row in rows:
        name = name or _name(row, group)
        numbers.add(row.run)
        if row.case is not None:
            outcomes.setdefault((row.model, row.case), []).append(outcome.of_row(row))
    name = name or "gone from the store"
    if not whole:
        return Head(name, count)
    several = [each for each in outcomes.values() if len(each) > 1]
    runs = tuple(sorted(number for number in numbers if number is not None))
    alike = bool(several) and all(map(outcome.alike, several))
    return Head(name, count, runs, sum(map(outcome.flips, several)), alike)


def head_line(head: Head, width: int, plain: bool, shorten: Callable[[str, int], str] | None = None) -> list[Bit]:
    """Name, runs, whether they differ, and how many conversations; `shorten` cuts names so that no two are alike."""
    right: list[Bit] = []
    if head.runs:
        right.append((f"  {_numbers(head.runs)}", "muted"))
    if head.flips:
        right.append((f" {glyph('differs', plain)}{head.flips if head.flips > 1 else ''}", "flip"))
    elif head.alike:
        right.append((f" {glyph('same', plain)}", "same"))
    right.append((f" {head.count:>4,} ", "muted"))
    room = width - width_of(right)
    name = plainly(printable_line(head.name), plain)
    name = shorten(head.name, room) if shorten else elided_middle(name, room, glyph("more", plain))
    return [(name, "heading"), (" " * (width - width_of([(name, ""), *right])), ""), *right]


def _name(row: QueueRow, group: Group) -> str:
    if group == "model":
        return row.model
    name = row.case if group == "case" else row.family
    return f"no {group}" if name is None else name


def _numbers(runs: Sequence[int]) -> str:
    """`1 2 3`; many as `1-12`, where none is missing between, else the first and the last."""
    if len(runs) <= _RUNS:
        return " ".join(map(str, runs))
    whole = runs[-1] - runs[0] + 1 == len(runs)
    return f"{runs[0]}-{runs[-1]}" if whole else f"{runs[0]} … {runs[-1]}"


_AT_ONCE = 500
_PAUSE = 0.1
"""Seconds before counting begins, so that the key that brought the head on screen does not wait for it."""


class GroupCounts:
    """Looks through big groups for the heads that ask."""

    def __init__(self, screen: ReviewScreen, heads: Heads) -> None:
        self._screen = screen
        self._heads = heads
        self._asked: list[GroupRequest] = []

    def ask(self, asked: GroupRequest) -> None:
        """Look through this group when those before it are done."""
        self._asked.append(asked)
        if len(self._asked) == 1:
            self._screen.set_timer(_PAUSE, self._next)

    def _next(self) -> None:
        self._asked = [each for each in self._asked if self._wanted(each)]
        if self._asked:
            first = self._asked[0]
            self._screen.run_worker(lambda: self._work(first), thread=True, group="heads")

    def _wanted(self, asked: GroupRequest) -> bool:
        return asked.ids is self._screen.reading.ids

    def _work(self, asked: GroupRequest) -> None:
        worker, screen = get_current_worker(), self._screen
        head = None
        try:
            with screen.reading.apart() as reader:
                head = head_of(self._rows(reader, asked, worker), asked.stop - asked.start, asked.group)
        except ReviewerError:
            pass  # then the head goes on saying how many there are, and whoever reads on is told what is wrong
        if not worker.is_cancelled:
            screen.app.call_from_thread(self._take, asked, head)

    def _rows(self, reader: Reader, asked: GroupRequest, worker: Worker[None]) -> Iterator[QueueRow]:
        for start in range(asked.start, asked.stop, _AT_ONCE):
            if worker.is_cancelled or not self._wanted(asked):
                return
            yield from reader.rows(asked.ids[start : min(start + _AT_ONCE, asked.stop)])

    def _take(self, asked: GroupRequest, head: Head | None) -> None:
        self._asked.remove(asked)
        if head is not None and self._wanted(asked):
            self._heads.answer(asked, head)
            self._screen.queue.repaint()
        self._next()


def heads_of(screen: ReviewScreen) -> Heads:
    """The heads of a screen's queue; those of big groups are counted behind it."""
    heads = Heads(screen.showing.rows)
    heads.ask = GroupCounts(screen, heads).ask
    return heads
