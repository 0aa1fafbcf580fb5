"""Which conversations stand side by side, where they part, and how their lines stay level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from reviewer.app.reading.conversation_view import ConversationView
from reviewer.app.shared.position import ReadingPosition
from reviewer.app.shared.scroll import slid
from reviewer.app.shared.sheet import Flow, Item, LinePlace
from reviewer.basics.errors import GoneError, RefError
from reviewer.figures.measure import repeats
from reviewer.marks.read_extent import ReadExtent
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.desk.outcome import Act
from reviewer.transcripts.model import Stored
from reviewer.transcripts.store import grids

_FAR = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Level:
    """The lines of one column, counted from its origin."""

    flow: Flow
    origin: LinePlace
    ruled: bool = False
    """Whether row -1 belongs to a rule instead of a line."""

    def lines(self, top: int, rows: int) -> list[LinePlace | None]:
        """Return what stands on each row from the top on; None where there is nothing, or the rule."""
        places: list[LinePlace | None] = []
        above = min(rows, -top - self.ruled)
        if above > 0:
            start, missing = self._back(-top - self.ruled)
            places += [None] * min(missing, above)
            places += self.flow.lines(start, above - len(places))
        if self.ruled and top < 0 and len(places) < rows:
            places.append(None)
        if len(places) < rows:
            places += self.flow.lines(self._forward(max(0, top)), rows - len(places))
        return places + [None] * (rows - len(places))

    def row(self, place: LinePlace) -> int:
        """The row of a line."""
        rows = self.flow.distance(self.origin, place, _FAR)
        return rows - self.ruled if rows < 0 else rows

    def ends(self) -> tuple[int, int]:
        """The row of the first line, and the row behind the last."""
        if not self.flow.count:
            return 0, 0
        last = self.flow.count - 1
        first = self.row(LinePlace(0, 0))
        return first - (self.ruled and first == 0), self.row(LinePlace(last, self.flow.height(last) - 1)) + 1

    def _forward(self, rows: int) -> LinePlace:
        block, line = self.origin.block, self.origin.line + rows
        while block < self.flow.count and line >= (height := self.flow.height(block)):
            line -= height
            block += 1
        return LinePlace(block, line)

    def _back(self, rows: int) -> tuple[LinePlace, int]:
        """The line so many rows before the origin, and how many rows there are too few."""
        block, line = self.origin.block, self.origin.line - rows
        while line < 0 and block > 0:
            block -= 1
            line += self.flow.height(block)
        return LinePlace(block, max(0, line)), max(0, -line)


def revealing(top: int, start: int, end: int, rows: int, margin: int = 1) -> int:
    """The top with rows from start to end (left out) on screen, moved as little as possible; the start if too tall."""
    if end - start > rows:
        return top if start <= top and top + rows <= end else start
    margin = min(margin, (rows - (end - start)) // 2)
    return min(max(top, end + margin - rows), start - margin)


def held(top: int, ends: list[tuple[int, int]], rows: int) -> int:
    """The top, kept where at least one of the columns has something to show."""
    first = min((start for start, _ in ends), default=0)
    last = max((end for _, end in ends), default=0)
    return max(first, min(top, last - rows))


Axis = Literal["runs", "models"]
MOST = 4
"""More than these are not looked at together."""


class Side:
    """One of the conversations: what came of it, how it is looked at, where its cursor is."""

    def __init__(self, stored: Stored, *, plain: bool, opens: str, seen: dict[str, set[int]]) -> None:
        self.viewing = ConversationView(plain=plain, opens=opens, seen=seen)
        self.viewing.roomy = False
        self.take(stored)
        self.viewing.fold_all()
        self.cursor = Item(1)
        self.verdicts: Mapping[str, str] = {}
        self.tags: Sequence[str] = ()
        self.read: ReadExtent | None = None
        """How far the reader read it; None where they did not review it."""
        self.scores: Mapping[str, float | str] = {}

    def take(self, stored: Stored) -> None:
        """Look at it as it is now."""
        self.stored = stored
        self.outcome = outcome.of_stored(stored)
        self.viewing.take(stored)

    @property
    def model(self) -> str:
        """The model that spoke."""
        return self.stored.conversation.model

    @property
    def passed(self) -> bool | None:
        """Whether it passed by its deciding score."""
        facts = self.stored.conversation.facts
        return repeats.verdict(self.scores, facts.bucket if facts else None)

    @property
    def run(self) -> int | None:
        """The run it was."""
        return self.stored.conversation.run


class Comparison:
    """A case, by run or by model."""

    def __init__(self, reading: ReadingPosition, rowid: int, *, plain: bool = False, opens: str = "z") -> None:
        self._reading = reading
        self._plain = plain
        self._opens = opens
        self._sides: dict[int, Side] = {}
        base = self._side(rowid)
        case = base.stored.conversation.case
        if case is None:
            raise RefError(f"{base.stored.ref} belongs to no case.", "Only conversations of one case can be compared.")
        self.case: str = case
        self._matrix = grids.of_case(reading.path, case)
        if self._matrix.where(rowid) is None:
            raise GoneError
        self.axis: Axis = "runs"
        self.ids = self._ids("runs", base)
        if len(self.ids) < 2:
            self.axis, self.ids = "models", self._ids("models", base)
        if len(self.ids) < 2:
            raise RefError(f"{case} was run only once.", "There is nothing in this store to compare it with.")
        self.at = self._first = 0
        self.to(self.ids.index(rowid))

    @property
    def side(self) -> Side:
        """The one with the cursor."""
        return self._side(self.ids[self.at])

    @property
    def sides(self) -> list[Side]:
        """The conversations on screen, in order."""
        return [self._side(each) for each in self.ids[self._first : self._first + MOST]]

    @property
    def here(self) -> int:
        """The index, among those on screen, of the one with the cursor."""
        return self.at - self._first

    @property
    def first(self) -> int:
        """The number of conversations before those on screen."""
        return self._first

    def step(self, by: int) -> None:
        """Move the cursor to the next one, round the ends."""
        self.to((self.at + by) % len(self.ids))

    def to(self, at: int) -> None:
        """Move the cursor to one of them, unless one that would be looked at is no longer there."""
        first = slid(self._first, MOST, at, len(self.ids))
        for each in self.ids[first : first + MOST]:
            self._side(each)
        self.at, self._first = at, first

    def turn(self) -> bool:
        """Turn to the other axis through the same conversation; False when there is only one that way."""
        other: Axis = "models" if self.axis == "runs" else "runs"
        side = self.side
        ids = self._ids(other, side)
        if len(ids) < 2:
            return False
        self.axis, self.ids, self._first = other, ids, 0
        self.to(ids.index(side.stored.rowid))
        return True

    def read_again(self) -> None:
        """Read the conversations on screen again, as the store has them now."""
        for rowid, side in self._sides.items():
            side.take(self._reading.read(rowid))

    def parting(self) -> tuple[list[Item | None], list[Act | None]]:
        """Return where each conversation on screen parts from the others, and its act there; None for neither."""
        sides = self.sides
        at = outcome.parting([side.outcome for side in sides])
        if at is None:
            return [None] * len(sides), [None] * len(sides)
        acting = [side for side in sides if at < len(side.outcome.counted)]
        turns = min(outcome.turns_to(side.stored.conversation, side.outcome, at) for side in acting)
        items = [Item(*outcome.place_of(side.stored.conversation, side.outcome, at, turns)) for side in sides]
        acts = [side.outcome.counted[at] if side in acting else None for side in sides]
        return [*items], acts

    def _ids(self, axis: Axis, base: Side) -> list[int]:
        """The conversations of an axis, this one among them; of each model the same run where it has that."""
        rows = self._matrix.rows()
        if axis == "runs":
            own = next((row for row in rows if base.stored.rowid in row), ())
            return [each for each in own if each]
        column = self._matrix.columns.index(base.run)
        return [row[column] or next(each for each in row if each) for row in rows]

    def _side(self, rowid: int) -> Side:
        if rowid not in self._sides:
            self._sides[rowid] = Side(
                self._reading.read(rowid), plain=self._plain, opens=self._opens, seen=self._reading.seen
            )
            self._sides[rowid].scores = next((row.scores for row in self._reading.rows([rowid])), {})
        return self._sides[rowid]


def titles(sides: Sequence[Side], axis: Axis) -> list[str]:
    """Return the title above each: model and run, what tells them apart first."""
    named = [(side.model, *([f"run {side.run}"] if side.run is not None else [])) for side in sides]
    return [" · ".join(parts[::-1] if axis == "runs" else parts) for parts in named]


def names(sides: Sequence[Side], axis: Axis) -> list[str]:
    """Return what tells them apart: the run, or the model (with its run where these differ)."""
    if axis == "runs":
        return [f"run {side.run}" if side.run is not None else "no run" for side in sides]
    several = len({side.run for side in sides}) > 1
    return [f"{side.model} run {side.run}" if several and side.run is not None else side.model for side in sides]
