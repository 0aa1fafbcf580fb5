"""The pen: writes events for one reviewer, and keeps what could not be written.

Owns the order of things: an event is appended and synced, only then does the ledger know of it, only then the history.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reviewer.annotations.book import Book
from reviewer.annotations.events import Event
from reviewer.annotations.journal import Making
from reviewer.errors import JournalError
from reviewer.model import Tag
from reviewer.session import words
from reviewer.session.history import Act, History

Doing = tuple[str, dict[str, Any]]
"""What is done, and the event's fields."""


class Pen:
    """Writes for one reviewer in one window."""

    def __init__(self, book: Book, by: str, store: str) -> None:
        self._book = book
        self._by = by
        self._store = store
        self._history = History(by)
        self.unsaved: list[Making] = []
        """What could not be written, for another try or another place."""

    def act(self, ref: str, digest: str, *doings: Doing) -> list[Event]:
        """Write what one key did; a batch is one act to undo."""
        batch = {"batch": secrets.token_hex(6)} if len(doings) > 1 else {}
        written = self._write([self._making(ref, digest, do, {**fields, **batch}) for do, fields in doings])
        self._history.did(tuple(written))
        return written

    def about(self, tag: Tag, do: str, fields: dict[str, Any]) -> Tag | None:
        """Write something about a tag of one's own: the tag as it stands afterwards."""
        if tag.by != self._by:
            raise JournalError(f"{words.of_tag(tag)} is {tag.by}'s.", "Only its reviewer changes it; make your own.")
        conversation = tag.ref.partition("#")[0]
        if self._book.ledger.state(conversation).tag(tag.id) is None:
            raise JournalError(f"{words.of_tag(tag)} is no longer there.", "It was taken back in the meantime.")
        self.act(tag.ref, tag.digest, (do, {"tag": tag.id, **fields}))
        return self._book.ledger.state(conversation).tag(tag.id)

    def undo(self) -> str | None:
        """Take back the last act: what it was, None when there is none."""
        act = self._history.to_undo(self._book.ledger)
        if act is None:
            return None
        said = self._turn("undo", {"undoes": [event.id for event in act]}, act)
        self._history.undid(self._book.ledger, act)
        return said

    def redo(self) -> str | None:
        """Bring the last undone act back: what it is, None when there is none."""
        act = self._history.to_redo(self._book.ledger)
        if act is None:
            return None
        said = self._turn("redo", {"redoes": [event.id for event in act]}, act)
        self._history.redid(act)
        return said

    def retry(self) -> None:
        """Write what could not be written before."""
        meant, self.unsaved = self.unsaved, []
        if meant:
            self._history.did(tuple(self._write(meant)))

    def save_elsewhere(self, path: Path) -> None:
        """Write what could not be written to another file, in the same form."""
        self._book.write_elsewhere(path, self.unsaved)
        self.unsaved = []

    def _turn(self, do: str, fields: dict[str, Any], act: Act) -> str:
        conversation = act[0].conversation
        tags = {tag.id: tag for tag in self._book.ledger.state(conversation).tags}
        self._write([self._making(act[0].ref, act[0].digest, do, fields)])
        tags.update({tag.id: tag for tag in self._book.ledger.state(conversation).tags})
        return words.of_act(act, tags)

    def _making(self, ref: str, digest: str, do: str, fields: dict[str, Any]) -> Making:
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        kept = {**fields, "store": self._store}
        return lambda identifier: Event(identifier, at, self._by, do, ref, digest, kept)

    def _write(self, making: Sequence[Making]) -> list[Event]:
        try:
            return self._book.append(self._by, list(making))
        except JournalError:
            self.unsaved = list(making)
            raise
