"""The pen: writes events for one reviewer, and keeps what could not be written.

Owns the order of things: an event is appended and synced, only then does the ledger know of it, only then the history.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from reviewer.basics.errors import JournalError
from reviewer.marks.book import Book
from reviewer.marks.events import Event, targets
from reviewer.marks.journal import Making
from reviewer.marks.review import words
from reviewer.marks.review.history import Act, History
from reviewer.transcripts.model import Tag

Doing = tuple[str, dict[str, Any]]
"""What is done, and the event's fields."""
Remember = Callable[[Act], None]


class EventDraft(NamedTuple):
    """An event to be written: a conversation or case, and what is done to it."""

    ref: str
    digest: str
    do: str
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class UnwrittenEvents:
    """Events that could not be written, and what the history is told once they are."""

    making: Sequence[Making]
    remember: Remember


class Pen:
    """Writes the events of one reviewer in one window."""

    def __init__(self, book: Book, by: str, store: str) -> None:
        self._book = book
        self._by = by
        self.store = store
        self._history = History(by)
        self.unsaved: UnwrittenEvents | None = None
        """What could not be written, for another try or another place."""

    def act(self, ref: str, digest: str, *doings: Doing) -> list[Event]:
        """Write what one key did in one conversation; a batch is one act to undo."""
        return self.acts([EventDraft(ref, digest, do, fields) for do, fields in doings])

    def acts(self, doings: Sequence[EventDraft]) -> list[Event]:
        """Write what one key or command did, wherever; it is one act to undo."""
        return self._write(self._makings(doings), self._history.did)

    def about(self, tag: Tag, do: str, fields: dict[str, Any]) -> Tag | None:
        """Write something about a tag of one's own: the tag as it stands afterwards."""
        if tag.by != self._by:
            raise JournalError(f"{words.of_tag(tag)} is {tag.by}'s.", "Only its reviewer changes it; make your own.")
        conversation = tag.ref.conversation
        if self._book.ledger.state(conversation).tag(tag.id) is None:
            raise JournalError(f"{words.of_tag(tag)} is no longer there.", "It was taken back in the meantime.")
        self.act(str(tag.ref), tag.digest, (do, {"tag": tag.id, **fields}))
        return self._book.ledger.state(conversation).tag(tag.id)

    def to_undo(self) -> Act | None:
        """The act that an undo takes back, None when there is none."""
        return self._history.to_undo(self._book.ledger)

    def to_redo(self) -> Act | None:
        """The act that a redo brings back, None when there is none."""
        return self._history.to_redo(self._book.ledger)

    def pass_over(self, act: Act) -> None:
        """Skip an act that cannot be undone; the next undo is about the one before."""
        self._history.pass_over(act)

    def undo(self, act: Act) -> str:
        """Take an act back: what it was."""
        return self._turn("undo", "undoes", act, lambda _: self._history.undid(self._book.ledger, act))

    def redo(self, act: Act) -> str:
        """Bring an undone act back: what it is."""
        return self._turn("redo", "redoes", act, lambda _: self._history.redid(act))

    def retry(self) -> None:
        """Write what could not be written before."""
        meant, self.unsaved = self.unsaved, None
        if meant is not None:
            self._write(meant.making, meant.remember)

    def save_elsewhere(self, path: Path) -> None:
        """Write what could not be written to another file, in the same form."""
        if self.unsaved is not None:
            self._book.write_elsewhere(path, list(self.unsaved.making))
        self.unsaved = None

    def give_up(self) -> None:
        """Forget what could not be written."""
        self.unsaved = None

    def _turn(self, do: str, named: str, act: Act, remember: Remember) -> str:
        state = self._book.ledger.state
        there = {event.conversation: event for event in reversed(act)}
        tags = {tag.id: tag for ref in there for tag in state(ref).tags}
        doings = []
        for ref, first in there.items():
            own = [event for event in act if event.conversation == ref]
            names = [
                *(event.id for event in own),
                *(name for event in own if event.do == "bring" for name in targets(event)),
            ]
            doings.append(EventDraft(first.ref, first.digest, do, {named: list(dict.fromkeys(names))}))
        self._write(self._makings(doings), remember)
        tags.update({tag.id: tag for ref in there for tag in state(ref).tags})
        return words.of_act(act, tags)

    def _makings(self, doings: Sequence[EventDraft]) -> list[Making]:
        batch = {"batch": secrets.token_hex(6)} if len(doings) > 1 else {}
        return [self._making(at, batch) for at in doings]

    def _making(self, what: EventDraft, batch: dict[str, str]) -> Making:
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        kept = {**what.fields, **batch, "store": self.store}
        return lambda identifier: Event(identifier, at, self._by, what.do, what.ref, what.digest, kept)

    def _write(self, making: Sequence[Making], remember: Remember) -> list[Event]:
        try:
            written = self._book.append(self._by, list(making))
        except JournalError:
            self.unsaved = UnwrittenEvents(making, remember)
            raise
        remember(tuple(written))
        return written
