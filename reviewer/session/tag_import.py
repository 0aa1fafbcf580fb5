"""Bringing tags in from a file: our own JSON Lines or CSV export, or a list that somebody wrote by hand.

Owns reading the file and deciding what each record is. A record with an identifier is a tag that exists: it keeps its
identifier, reviewer and time, and one that is known already is passed over. A record without is tagged anew, by its
reference, code and quote.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from reviewer.annotations import shapes
from reviewer.annotations.events import Event, decode, encode
from reviewer.errors import JournalError, RefError, ReviewerError
from reviewer.model import Stored, Tag
from reviewer.refs import Ref, parse
from reviewer.session.pen import EventDraft
from reviewer.session.quotes import place_of
from reviewer.session.review import Session

_TEXTS = ("note", "clause", "stance", "cause")
Get = Callable[[str], Stored | None]


@dataclass
class TagImportReport:
    """The result of importing a file of tags."""

    new: int = 0
    known: int = 0
    wrong: list[str] = field(default_factory=list)
    """A sentence for each record that could not be taken."""


def bring_in(session: Session, path: Path, get: Get) -> TagImportReport:
    """Take the tags of a file in, as one act; what is wrong with a record costs that record alone."""
    brought, bringing = TagImportReport(), _TagImport(session, get)
    for number, record in _records(path):
        try:
            if isinstance(record, str):
                raise JournalError(record)
            if bringing.take(record):
                brought.new += 1
            else:
                brought.known += 1
        except ReviewerError as error:
            brought.wrong.append(f"{path.name}, record {number}: {error.message}")
    bringing.write(path.name)
    return brought


def _records(path: Path) -> Iterator[tuple[int, Mapping[str, Any] | str]]:
    """The records with their numbers; a sentence in the place of one that cannot be read."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise JournalError(f"{path} cannot be read: {error}.", "Name a JSON Lines or CSV file in UTF-8.") from None
    if path.suffix.lower() == ".csv":
        csv.field_size_limit(sys.maxsize)  # a quote may be as long as a tool's result
        for number, row in enumerate(csv.DictReader(io.StringIO(text, newline="")), start=1):
            yield number, {str(name): _plain(value) for name, value in row.items() if isinstance(value, str) and value}
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, _object(line)


def _plain(value: str) -> str:
    """A cell without the apostrophe that kept a spreadsheet from computing it."""
    plain = value.removeprefix("'")
    return plain if plain.lstrip()[:1] in ("=", "+", "-", "@") else value


def _object(line: str) -> Mapping[str, Any] | str:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return "it is not JSON."
    return value if isinstance(value, dict) else "it is not an object."


class _TagImport:
    """Takes the tags of one file into the journals."""

    def __init__(self, session: Session, get: Get) -> None:
        self._session = session
        self._get = get
        self._tags: dict[str, Event] = {}
        """Those that keep their identifier, by it."""
        self._drafts: dict[tuple[Ref, str], Tag] = {}
        """Those that are tagged anew, by their place and mode."""

    def take(self, record: Mapping[str, Any]) -> bool:
        """Take one record; False when it is known."""
        ref, pieces = parse(str(record.get("ref") or "")), _anchors(record.get("pieces"))
        if record.get("id") and pieces:
            return self._whole(record, str(ref), pieces)
        stored = self._get(ref.conversation)
        if stored is None:
            raise RefError(f"nothing stands at {ref}.")
        # A spreadsheet of ours names the place exactly, and quotes a whole item as it is printed.
        quotes = "" if record.get("id") else record.get("quote")
        place = place_of(stored, ref, str(quotes)) if quotes and ref.span is None and ref.pointer is None else ref
        places = [place] if place.message is not None else []
        note, clause, stance, cause = (str(record.get(name) or "") for name in _TEXTS)
        draft = self._session.draft(stored, str(record.get("code") or ""), *places, note=note, clause=clause,
                                    stance=stance, cause=cause, exemplar=_yes(record))  # fmt: skip
        known = ((tag.ref, tag.code) for tag in self._session.state(stored.ref).tags if tag.by == self._session.by)
        here = (draft.ref, draft.code)
        if here in self._drafts or here in known:
            return False
        self._drafts[here] = draft
        return True

    def _whole(self, record: Mapping[str, Any], ref: str, pieces: list[Any]) -> bool:
        identifier, by = str(record["id"]), str(record.get("reviewer") or self._session.by)
        if identifier in self._tags or self._session.state(ref.partition("#")[0]).tag(identifier) is not None:
            return False
        fields: dict[str, Any] = {"code": str(record.get("code") or ""), "pieces": pieces}
        evidence = _anchors(record.get("evidence"))
        fields.update({name: str(record[name]) for name in _TEXTS if record.get(name)})
        fields.update({"evidence": evidence} if evidence else {}, **({"exemplar": True} if _yes(record) else {}))
        extra = record.get("extra")
        fields = {**(extra if isinstance(extra, dict) else {}), **fields}
        fields.update({"store": str(record["store"])} if record.get("store") else {})
        at, digest = str(record.get("at") or ""), str(record.get("digest") or "")
        if not at:
            raise JournalError("it has an identifier and no time.")
        event = decode(encode(Event(identifier, at, by, "tag", ref, digest, fields)))  # as the journal will be read
        shapes.tag_of(event)
        self._tags[identifier] = event
        return True

    def write(self, name: str) -> None:
        """Write every tag into its reviewer's journal, and into one's own that they were brought in as one act."""
        session, events = self._session, list(self._tags.values())
        for by in dict.fromkeys(event.by for event in events):
            own = [event for event in events if event.by == by and not self._was_here(event)]
            if own:
                session.book.append(by, [partial(_as_it_is, event) for event in own])
        drafts = [EventDraft(str(tag.ref), tag.digest, "tag", shapes.tag_fields(tag)) for tag in self._drafts.values()]
        events += session.pen.acts(drafts) if drafts else []
        brought: dict[str, list[str]] = {}
        for event in events:
            brought.setdefault(event.conversation, []).append(event.id)
        if events:
            session.pen.acts(
                [EventDraft(ref, "", "bring", {"brings": ids, "from": name}) for ref, ids in brought.items()]
            )

    def _was_here(self, event: Event) -> bool:
        """True if it was taken back here: to be brought in again is enough then."""
        return any(each.id == event.id for each in self._session.book.ledger.events(event.conversation))


def _as_it_is(event: Event, _: str) -> Event:
    return event


def _yes(record: Mapping[str, Any]) -> bool:
    return record.get("exemplar") in (True, "yes", "true")


def _anchors(value: Any) -> list[Any]:
    """The anchors of an export's pieces or evidence."""
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise JournalError("its pieces or evidence are not JSON.") from None
    if not isinstance(value, list):
        return []
    return [each["anchor"] for each in value if isinstance(each, dict) and each.get("anchor")]
