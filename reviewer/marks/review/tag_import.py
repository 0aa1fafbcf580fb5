"""Bringing tags in from a file: our own JSON Lines or CSV export, or a list that somebody wrote by hand.

Owns reading the file and deciding what each record is. A record with an identifier is a tag that exists: it keeps its
identifier, reviewer and time, and one that is known already is passed over. A record without is tagged anew, by its
reference, code (or the mode's title) and quote, for the reviewer that it names.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from reviewer.basics.errors import JournalError, RefError, ReviewerError
from reviewer.marks import shapes
from reviewer.marks.events import Event, decode, encode
from reviewer.marks.journal import Making
from reviewer.marks.review.pen import EventDraft
from reviewer.marks.review.quotes import place_of
from reviewer.marks.review.review import Session, anchored
from reviewer.transcripts.model import Stored, Tag
from reviewer.transcripts.refs import Ref, parse

_TEXTS = ("note", "clause", "stance", "cause")
_WINDOWS = "cp1252"
_MASKED = "it comes from a masked export, whose words and places are not the stored ones: export it without masks."
_HINT = "Name CSV or JSON Lines, such as: reviewer export STORE --format jsonl -o tags.jsonl"
Get = Callable[[str], Stored | None]


@dataclass
class TagImportReport:
    """The result of importing a file of tags."""

    new: int = 0
    known: int = 0
    removed: int = 0
    """Tags that a reviewer took back here after they were exported, and that stay so."""
    wrong: list[str] = field(default_factory=list)
    """A sentence for each record that could not be taken."""
    remarks: list[str] = field(default_factory=list)
    """What a person should know about how the file was read."""


def bring_in(session: Session, path: Path, get: Get) -> TagImportReport:
    """Take the tags of a file in, as one act; what is wrong with a record costs that record alone."""
    brought, bringing = TagImportReport(), _TagImport(session, get)
    for number, record in _records(path, brought):
        try:
            if isinstance(record, str):
                raise JournalError(record)
            bringing.take(record, brought)
        except ReviewerError as error:
            brought.wrong.append(f"{path.name}, record {number}: {error.message}")
    bringing.write(path.name)
    return brought


def _records(path: Path, brought: TagImportReport) -> Iterator[tuple[int, Mapping[str, Any] | str]]:
    """The records with their numbers; a sentence in the place of one that cannot be read."""
    try:
        held = path.read_bytes()
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}.", _HINT) from None
    if held.startswith(b"PK"):
        is_project = path.suffix.lower() == ".qdpx"
        what = "a project for qualitative analysis, which is only written" if is_project else "a zip or a spreadsheet"
        raise JournalError(f"{path} is {what}, so no tags are read from it.", _HINT)
    text, encoding = _decoded(held)
    head = text.partition("\n")[0]
    if head.lstrip().startswith(("{", "[")) or path.suffix.lower() in (".jsonl", ".json", ".ndjson"):
        if encoding == _WINDOWS:
            raise JournalError(f"{path} is not UTF-8.", "JSON Lines are UTF-8: save it so.")
        yield from ((at, _object(line)) for at, line in enumerate(text.split("\n"), start=1) if line.strip())
        return
    if encoding == _WINDOWS:
        brought.remarks.append(f"{path.name} is not UTF-8; it was read as Windows-1252.")
    csv.field_size_limit(sys.maxsize)  # a quote may be as long as a tool's result
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count))
    rows.fieldnames = [name.strip().lower() for name in rows.fieldnames or ()]
    if "ref" not in rows.fieldnames:
        raise JournalError(f"{path}, line 1: no column is named ref.", "Name the columns: ref, code, quote, note ...")
    try:
        for number, row in enumerate(rows, start=1):
            cells = {name: value for name, value in row.items() if isinstance(value, str) and value}
            yield number, _row(cells)
    except csv.Error as error:
        raise JournalError(f"{path}, line {rows.line_num}: it is not CSV ({error}).", "Save it as CSV.") from None


def _decoded(held: bytes) -> tuple[str, str]:
    """The text of a file and its encoding: Unicode as spreadsheets write it, else what Windows calls ANSI."""
    marked = held.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if marked else ("utf-8-sig",):
        with suppress(UnicodeDecodeError):
            return held.decode(encoding), encoding
    return held.decode(_WINDOWS, "replace"), _WINDOWS


def _row(cells: dict[str, str]) -> Mapping[str, Any] | str:
    """A row of a table as the record that it stands for."""
    record: dict[str, Any] = {name: _plain(cell) for name, cell in cells.items()}
    exact = _object(record.pop("exact", "{}"))
    if isinstance(exact, str):
        return "its column exact is not a JSON object."
    if record.get("id"):  # a person who took the identifier out means what the cells say
        record |= {**exact, "evidence": record.pop("evidence_anchors", "")}
    return record


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
        self._drafts: dict[tuple[Ref, str, str], Tag] = {}
        """Those that are tagged anew, by their place, mode and reviewer."""

    def take(self, record: Mapping[str, Any], brought: TagImportReport) -> None:
        """Take one record, and count it as new, known or removed."""
        ref, identifier = parse(str(record.get("ref") or "")), str(record.get("id") or "")
        pieces = _anchors(record.get("pieces"))
        state = self._session.state(ref.conversation)
        if identifier and (identifier in self._tags or state.tag(identifier) is not None):
            brought.known += 1
        elif identifier and identifier not in state.undone and self._was_here(ref.conversation, identifier):
            brought.removed += 1
        elif _yes(record, "masked"):
            raise JournalError(_MASKED)
        elif identifier and (pieces or record.get("at")):
            event = self._event(record, identifier, ref, pieces)
            self._tags[identifier] = event
            brought.new += 1
        else:
            draft = self._draft(record, ref)
            here = (draft.ref, draft.code, draft.by)
            if here in self._drafts or here in ((tag.ref, tag.code, tag.by) for tag in state.tags):
                brought.known += 1
            else:
                self._drafts[here] = draft
                brought.new += 1

    def _draft(self, record: Mapping[str, Any], ref: Ref) -> Tag:
        """The tag of a record that a person wrote."""
        stored, quote = self._get(ref.conversation), str(record.get("quote") or "")
        if stored is None and quote:
            raise RefError(f"{ref.conversation} is a case; its words stand in its runs.")
        if stored is not None and quote and ref.span is None and ref.pointer is None:
            ref = place_of(stored, ref, quote)
        name = next((str(record[key]) for key in ("code", "mode", "title") if record.get(key)), "")
        mode = self._session.codebook.named(name)
        note, clause, stance, cause = (str(record.get(text) or "") for text in _TEXTS)
        draft = self._session.draft(stored or ref.conversation, mode.code if mode else name,
                                    *([ref] if ref.message is not None else []), note=note, clause=clause,
                                    stance=stance, cause=cause, exemplar=_yes(record, "exemplar"))  # fmt: skip
        return replace(draft, by=str(record.get("reviewer") or self._session.by))

    def _event(self, record: Mapping[str, Any], identifier: str, ref: Ref, pieces: list[Any]) -> Event:
        """The event that made the tag of an export; where the export has no anchors, they are made at its reference."""
        at, by = str(record.get("at") or ""), str(record.get("reviewer") or self._session.by)
        if not at:
            raise JournalError("it has an identifier and no time.")
        digest = str(record.get("digest") or "")
        if not pieces:
            stored = self._get(ref.conversation)
            mark = anchored(stored or ref.conversation, ref if ref.message is not None else None)
            pieces, digest = [shapes.anchor_fields(mark)], stored.digest if stored else ""
        fields: dict[str, Any] = {"code": str(record.get("code") or ""), "pieces": pieces}
        evidence = _anchors(record.get("evidence"))
        fields.update({name: str(record[name]) for name in _TEXTS if record.get(name)})
        fields.update(
            {"evidence": evidence} if evidence else {}, **({"exemplar": True} if _yes(record, "exemplar") else {})
        )
        extra = record.get("extra")
        fields = {**(extra if isinstance(extra, dict) else {}), **fields}
        fields.update({"store": str(record["store"])} if record.get("store") else {})
        event = decode(encode(Event(identifier, at, by, "tag", str(ref), digest, fields)))  # as the journal is read
        shapes.tag_of(event)
        return event

    def write(self, name: str) -> None:
        """Write every tag into its reviewer's journal, and into one's own that they were brought in as one act."""
        book, events = self._session.book, list(self._tags.values())
        making: dict[str, list[Making]] = {}
        for event in events:
            if not self._was_here(event.conversation, event.id):  # else it was undone, and is redone below
                making.setdefault(event.by, []).append(partial(_as_it_is, event))
        for draft in self._drafts.values():
            making.setdefault(draft.by, []).append(partial(self._made, draft))
        written = [event for by, makings in making.items() for event in book.append(by, makings)]
        brought: dict[str, list[str]] = {}
        for event in {event.id: event for event in (*events, *written)}.values():
            brought.setdefault(event.conversation, []).append(event.id)
        if brought:
            self._session.pen.acts(
                [EventDraft(ref, "", "bring", {"brings": ids, "from": name}) for ref, ids in brought.items()]
            )

    def _made(self, draft: Tag, identifier: str) -> Event:
        """The event of a tag that is made anew."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        fields = {**shapes.tag_fields(draft), "store": self._session.pen.store}
        return Event(identifier, at, draft.by, "tag", str(draft.ref), draft.digest, fields)

    def _was_here(self, conversation: str, identifier: str) -> bool:
        return any(each.id == identifier for each in self._session.book.ledger.events(conversation))


def _as_it_is(event: Event, _: str) -> Event:
    return event


def _yes(record: Mapping[str, Any], name: str) -> bool:
    return record.get(name) in (True, "yes", "true")


def _anchors(value: Any) -> list[Any]:
    """The anchors (and stated absences) of an export's pieces or evidence."""
    if isinstance(value, str) and value.startswith("["):  # the cell of a table holds nothing but anchors
        try:
            return list(json.loads(value))
        except (ValueError, RecursionError):
            raise JournalError("its pieces or evidence are not JSON.") from None
    if not isinstance(value, list):
        return []
    return [each["anchor"] for each in value if isinstance(each, dict) and each.get("anchor")]
