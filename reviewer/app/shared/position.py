"""What is open: the order of the queue, where in it the reader stands, and the conversation itself.

Owns the one connection that the screen reads through, by id only; anything that may take long gets a connection of its
own in a worker. Knows no widget.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reviewer.basics.errors import RefError
from reviewer.basics.values import dataclass
from reviewer.transcripts.model import QueueRow, Stored, mark_of
from reviewer.transcripts.query import EVERYTHING, Query, Selection
from reviewer.transcripts.query.orders import AS_STORED, Order
from reviewer.transcripts.refs import Ref, parse, parse_place
from reviewer.transcripts.store.reader import Reader

if TYPE_CHECKING:
    from reviewer.transcripts.store.listings import Listing


FIRST_PAGE = 100
NEAR = 64
PATIENCE = 0.2
"""Seconds that a key waits for a program that keeps readers out of the store."""
_KEPT = 8
"""Conversations that are kept when they were read."""


class SuggestionPlace(NamedTuple):
    """A place in the list of suggestions that outlives a change of its lines."""

    mode: str = ""
    identities: Sequence[str] = ()
    """The suggestion of that mode and the ones behind it; none where the place is the mode itself."""


class Target(NamedTuple):
    """The target of a reference: a conversation, and maybe a place in it."""

    rowid: int
    place: Ref


@dataclass(frozen=True, slots=True)
class QueueSpot:
    """The index of a conversation in a queue, so that it is looked for once."""

    ids: array[int]
    rowid: int
    index: int | None


def nearest(ids: array[int], rowid: int, start: int) -> int | None:
    """Find the index of a conversation in a queue; None when it is not there.

    A queue as stored mostly ascends, so it is where bisection says. In another order it is looked for from a place
    outwards: what a key leads to is seldom far, and a million ids are too many to look through for each.
    """
    at = bisect_left(ids, rowid)
    if at < len(ids) and ids[at] == rowid:
        return at
    low = high = min(start, len(ids))
    reach = NEAR
    while low > 0 or high < len(ids):
        before, after = max(0, low - reach), min(len(ids), high + reach)
        for first, end in ((high, after), (before, low)):
            try:
                return ids.index(rowid, first, end)
            except ValueError:
                continue  # not in this stretch
        low, high = before, after
        reach *= 4
    return None


@dataclass(frozen=True, slots=True)
class QueueRequest:
    """A request for a queue: what it is to hold, and in which order."""

    query: Query = field(default_factory=Query)
    selection: Selection = EVERYTHING
    order: Order = AS_STORED
    name: str = ""
    """The named queue that it is, if it is one."""
    among: tuple[int, ...] | None = None
    """The conversations of a named queue, in its order."""
    remarks: tuple[str, ...] = ()
    """What the reader should know of the query: which of its values find nothing."""


class ReadingPosition:
    """A reader's way through a store: the queue, the place in it and the open conversation."""

    def __init__(self, reader: Reader, wanted: QueueRequest) -> None:
        self.reader = reader
        self.wanted = wanted
        self._apart: dict[Reader, str] = {}
        self.ids: array[int] = array("q", reader.first_ids(wanted.selection, FIRST_PAGE))
        self.starts: array[int] = array("i")
        """Where groups begin among them."""
        self.complete = len(self.ids) < FIRST_PAGE
        self.info: dict[str, Any] = reader.info()
        reader.wait_at_most(PATIENCE)  # from here on somebody waits for each key
        self.models = frozenset(self.info["models"])
        """The models that speak in the queue, as far as is known."""
        self.stored: Stored | None = None
        self.seen: dict[str, set[int]] = {}
        """The messages that were on screen since the store was opened, by the digest of their conversation."""
        self.board_filtered = True
        """Whether the board counts only what the filter lets through."""
        self.board_suite: str | None = None
        """The suite of which the board was last; None before it was open."""
        self.opened_modes: set[str] = set()
        """The modes whose suggestions were listed last."""
        self.report_place = "", 0
        """The model whose report was open last, and the line of it."""
        self.came_from_report = ""
        """The model whose report led to what is read; empty where none did."""
        self.suggestion_place = SuggestionPlace()
        """The place of the cursor in that list."""
        self.near = 0
        """Where in the queue to look first for what is opened next."""
        self._spot = QueueSpot(self.ids, 0, None)
        self._lately: dict[int, Stored] = {}
        """What was read of the store as it is now."""
        self._version = 0
        self._runs: tuple[Stored | None, list[int]] = None, []
        """Those of the open conversation's case, looked up once."""

    @property
    def path(self) -> Path:
        """The store's file."""
        return self.reader.path

    @property
    def query(self) -> str:
        """The filter as it was typed."""
        return self.wanted.query.text

    @property
    def selection(self) -> Selection:
        """The filter as a selection of this store."""
        return self.wanted.selection

    @property
    def name(self) -> str:
        """The named queue that is read, if it is one."""
        return self.wanted.name

    @property
    def mark(self) -> str:
        """Whether scripts wrote what stands in the store, or a model played customers; empty for other stores."""
        return mark_of(bool(self.info.get("synthetic")), bool(self.info.get("simulated")))

    @property
    def total(self) -> int | None:
        """The number of conversations that the filter lets through; None while they are being counted."""
        if self.complete:
            return len(self.ids)
        return None if self.selection != EVERYTHING else int(self.info["conversations"])

    @property
    def index(self) -> int | None:
        """The index of the open conversation in the queue; None when it is not there (yet)."""
        if self.stored is None:
            return None
        ids, rowid = self.ids, self.stored.rowid
        if self._spot.ids is not ids or self._spot.rowid != rowid:
            self._spot = QueueSpot(ids, rowid, nearest(ids, rowid, self.near))
            self.near = self.near if self._spot.index is None else self._spot.index
        return self._spot.index

    def rows(self, ids: Sequence[int]) -> Sequence[QueueRow]:
        """Read the rows of these conversations."""
        return self.reader.rows(ids, scored=bool(self.info["scores"]))

    def open(self, rowid: int) -> Stored:
        """Read a conversation, and keep it as the open one."""
        self.stored = self.read(rowid)
        return self.stored

    def read(self, rowid: int) -> Stored:
        """Read a conversation, which somebody may have removed meanwhile."""
        version = self.reader.data_version()
        if version != self._version:
            self._version = version
            self._lately.clear()
        if rowid not in self._lately:
            self._lately[rowid] = self.reader.stored(rowid)
            while len(self._lately) > _KEPT:
                del self._lately[next(iter(self._lately))]
        return self._lately[rowid]

    def find(self, text: str) -> Target:
        """Follow a reference, or a place in the open conversation (`#4`)."""
        if text.startswith("#") and self.stored:
            return Target(self.stored.rowid, parse_place(text[1:], self.stored.ref))
        ref = parse(text)
        rowids = self.reader.find(ref.conversation)
        if not rowids:
            raise RefError(
                f"Nothing stands at {ref.conversation} in {self.path.name}.", "`reviewer list` prints what is there."
            )
        return Target(rowids[0], ref)

    def runs(self) -> list[int]:
        """The conversations of the open one's case by the same model, by run; only itself where there are no runs."""
        stored = self.stored
        if stored is None:
            return []
        conversation = stored.conversation
        if conversation.case is None:
            return [stored.rowid]
        if self._runs[0] is not stored:
            self._runs = stored, self.reader.runs_of(conversation.model, conversation.case)
        return self._runs[1]

    # -- what may take long ------------------------------------------------------------------------------------------

    def take(self, wanted: QueueRequest, listing: Listing) -> None:
        """Go on with another queue."""
        self.wanted, self.complete = wanted, True
        self.ids, self.starts, self.models = listing.ids, listing.starts, listing.models

    @contextmanager
    def apart(self, purpose: str = "") -> Iterator[Reader]:
        """A connection of its own for a worker, that `stop` can interrupt."""
        with Reader(self.path) as reader:
            self._apart[reader] = purpose
            try:
                yield reader
            finally:
                self._apart.pop(reader, None)

    def stop(self, purpose: str | None = None) -> None:
        """Interrupt what runs apart for a purpose, or all of it: nobody waits for it any more."""
        for reader, each in tuple(self._apart.items()):
            if purpose in (None, each):
                reader.interrupt()
