"""The book: all journals of one folder, read as far as they go, folded into one ledger.

Owns which files have been read how far, and the reviewer's own journal to append to. Other windows' and other people's
lines come in with `refresh`. When a file was replaced (git merged it, somebody edited it), everything is read anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from reviewer.basics.errors import JournalError
from reviewer.marks import journal
from reviewer.marks.counts import Counts, Held, ReviewedHere, Tally
from reviewer.marks.events import Event
from reviewer.marks.journal import Making, Tail, Trouble
from reviewer.marks.ledger import Ledger, gathered
from reviewer.marks.past import Index, Past
from reviewer.marks.read_extent import ReadCounts

SETTLED_FROM = 1_000_000
"""Bytes of lines (some thousand events) from which on they go to the index instead of staying in memory."""


class Book:
    """The journals of a folder and what follows from them."""

    def __init__(self, folder: Path, index: Index | None = None, settled_from: int = SETTLED_FROM) -> None:
        self.folder = folder
        self._settled_from = settled_from
        self.past = Past(folder, index) if index is not None else None
        self._tails: dict[Path, Tail] = {}
        self._doubles: list[Trouble] = []
        self._own: dict[str, Path] = {}
        self._was_there = False
        self._here: ReviewedHere | None = None
        self._read_anew(self._paths())

    def refresh(self) -> set[str]:
        """Read on; the conversations about which there is something new."""
        paths = self._paths()
        tails = [self._tails.get(path) or Tail(path) for path in paths]
        kinds = [journal.changed(tail) for tail in tails]
        if "other" in kinds or self._tails.keys() - set(paths):
            before = set(self.ledger.conversations())
            self._read_anew(paths)
            return before | set(self.ledger.conversations())
        touched: set[str] = set()
        for tail, kind in zip(tails, kinds, strict=True):
            self._tails[tail.path] = tail
            if kind == "longer":
                touched.update(self._take(tail))
        return touched

    def stale(self) -> bool:
        """True if there is something to read on; it only looks, so a thread may ask."""
        tails = dict(self._tails)
        return tails.keys() != set(self._paths()) or any(journal.changed(tail) != "same" for tail in tails.values())

    @property
    def gone(self) -> bool:
        """True if the folder was there and is no longer: its journals are somewhere else, so no new one is begun."""
        return self._was_there and not self.folder.is_dir()

    def _paths(self) -> list[Path]:
        there = self.folder.is_dir()
        self._was_there = self._was_there or there
        return journal.journals(self.folder) if there else []

    def _read_anew(self, paths: list[Path]) -> None:
        self._doubles = []
        self._own = {}
        self._here = None
        self._tails = {path: Tail(path) for path in paths}
        if self.past is not None:
            self._tails = self.past.tails(paths)
            if sum(journal.behind(tail) for tail in self._tails.values()) > self._settled_from:
                self.past.settle(self._tails.values())
        self.ledger = Ledger(earlier=self.past)
        self._tally = Tally(*((self.past.counts(), self.past.marked) if self.past is not None else ({}, _nothing)))
        for tail in self._tails.values():
            for _ in self._take(tail):
                pass

    def _take(self, tail: Tail) -> Iterator[str]:
        for event in journal.read(tail):
            self._apply(event, tail)
            yield event.conversation

    def _apply(self, event: Event, tail: Tail) -> None:
        known = self.ledger.event(event)
        if not self.ledger.apply(event):
            same = known == event
            reason = f"event {event.id} stands in the journals {'twice' if same else 'twice, and differs'}"
            self._doubles.append(Trouble(tail.path, tail.lines, "repeated" if same else "clash", reason))

    def append(self, by: str, making: list[Making]) -> list[Event]:
        """Write events to a reviewer's journal; when this returns, they are on disk and in the ledger."""
        self.refresh()
        if self.gone:
            hint = "Nothing was marked. Bring the folder back and try again, or save this elsewhere."
            raise JournalError(f"{self.folder} is no longer there.", hint)
        tail = self._own_tail(by)
        meanwhile, written = journal.append(tail, making)
        for event in meanwhile:
            self._apply(event, tail)
        for event in written:
            self.ledger.apply(event)
        self._was_there = True
        return written

    def _own_tail(self, by: str) -> Tail:
        if by not in self._own:
            self._own[by] = journal.journal_of(self.folder, by)
        path = self._own[by]
        return self._tails.setdefault(path, Tail(path))

    def counts(self) -> Counts:
        """Reviewer to what they marked; only what events changed is counted again."""
        for conversation in self.ledger.take_changed():
            counts = gathered(self.ledger.events(conversation)).marked()
            self._tally.put(conversation, counts)
            if self._here is not None:
                self._here.put(conversation, counts)
        return self._tally.total()

    def reviewed(self, by: str, held: Held) -> ReadCounts:
        """Count what a reviewer has reviewed of what a store holds; what it holds is asked once for each."""
        self.counts()
        if self._here is None or (self._here.by, self._here.held) != (by, held):
            before = self.past.reviewed(by) if self.past is not None else {}
            self._here = ReviewedHere(by, held, self._tally.reviewed(by, before))
        return self._here.counts

    def ask_again(self) -> None:
        """Note that the store holds other conversations than before."""
        self._here = None

    def troubles(self) -> list[Trouble]:
        """Return what was wrong in the journals, file by file."""
        file_troubles = [trouble for tail in self._tails.values() for trouble in [*tail.troubles, *_torn(tail)]]
        return [*file_troubles, *self._doubles, *_alike(self._tails), *_links(self.folder)]

    def unknown(self) -> list[Event]:
        """Events that a later version wrote and this one only keeps."""
        ledger = self.ledger
        return [event for ref in ledger.conversations() for event in ledger.events(ref) if not event.known]

    def write_elsewhere(self, path: Path, making: list[Making]) -> None:
        """Write events to a file outside the folder, when the journal cannot be written."""
        journal.append(Tail(path), making)


def _nothing(_: str) -> Counts:
    return {}


def _alike(paths: Iterable[Path]) -> Iterator[Trouble]:
    """Journals that are one file where case does not count."""
    seen: dict[str, Path] = {}
    for path in sorted(paths):
        other = seen.setdefault(path.name.lower(), path)
        if other != path:
            reason = f"its name differs from {other.name} only in case; where case does not count they are one file"
            yield Trouble(path, 0, "alike", reason)


def _links(folder: Path) -> Iterator[Trouble]:
    """What is called like a journal and is a link."""
    for path in sorted(folder.glob("*.jsonl")):
        if path.is_symlink():
            yield Trouble(path, 0, "link", "it is a link, and was not read; put there what it leads to")


def _torn(tail: Tail) -> list[Trouble]:
    return [tail.torn] if tail.torn else []
