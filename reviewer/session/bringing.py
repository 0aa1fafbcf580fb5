"""Bringing tags in from a file: our own JSON Lines or CSV export, or a list that somebody wrote by hand.

Owns reading the file and deciding what each record is. A record with an identifier is a tag that exists: it keeps its
identifier, reviewer and time, and one that is known already is passed over. A record without is tagged anew, by its
reference, code and quote.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reviewer.annotations import shapes
from reviewer.annotations.events import Event
from reviewer.errors import JournalError, RefError, ReviewerError
from reviewer.model import Stored
from reviewer.refs import parse
from reviewer.session.quoting import place_of
from reviewer.session.review import Session

_TEXTS = ("note", "clause", "stance", "cause")
Get = Callable[[str], Stored | None]


@dataclass
class Brought:
    """What came of a file."""

    new: int = 0
    known: int = 0
    wrong: list[str] = field(default_factory=list)
    """A sentence for each record that could not be taken."""


def bring_in(session: Session, path: Path, get: Get) -> Brought:
    """Take the tags of a file in; what is wrong with a record costs that record alone."""
    brought = Brought()
    for number, record in _records(path):
        try:
            if isinstance(record, str):
                raise JournalError(record)
            if _take(session, record, get):
                brought.new += 1
            else:
                brought.known += 1
        except ReviewerError as error:
            brought.wrong.append(f"{path.name}, record {number}: {error.message}")
    return brought


def _records(path: Path) -> Iterator[tuple[int, Mapping[str, Any] | str]]:
    """The records with their numbers; a sentence in the place of one that cannot be read."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise JournalError(f"{path} cannot be read: {error}.", "Name a JSON Lines or CSV file in UTF-8.") from None
    if path.suffix.lower() == ".csv":
        for number, row in enumerate(csv.DictReader(text.splitlines(keepends=True)), start=1):
            yield number, {str(name): _plain(value) for name, value in row.items() if isinstance(value, str) and value}
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, _object(line)


def _plain(value: str) -> str:
    """A cell without the apostrophe that kept a spreadsheet from computing it."""
    return value[1:] if value[:1] == "'" and value[1:2] in set("=+-@\t\r") else value


def _object(line: str) -> Mapping[str, Any] | str:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return "it is no JSON."
    return value if isinstance(value, dict) else "it is no object."


def _take(session: Session, record: Mapping[str, Any], get: Get) -> bool:
    """Take one record; False when it is known."""
    ref = parse(str(record.get("ref") or ""))
    pieces = _anchors(record.get("pieces"))
    if record.get("id") and pieces:
        return _take_whole(session, record, str(ref), pieces)
    stored = get(ref.conversation)
    if stored is None:
        raise RefError(f"nothing stands at {ref}.")
    quotes = record.get("quote")
    place = place_of(stored, ref, str(quotes)) if quotes and ref.span is None and ref.pointer is None else ref
    code = str(record.get("code") or "")
    note, clause, stance, cause = (str(record.get(name) or "") for name in _TEXTS)
    mode = session.modes.mode(code).code if code else ""
    if any(
        tag.by == session.by and tag.code == mode and tag.ref == str(place) for tag in session.state(stored.ref).tags
    ):
        return False
    places = [place] if place.message is not None else []
    session.tag(stored, code, *places, note=note, clause=clause, stance=stance, cause=cause, exemplar=_yes(record))
    return True


def _take_whole(session: Session, record: Mapping[str, Any], ref: str, pieces: list[Any]) -> bool:
    identifier, by = str(record["id"]), str(record.get("reviewer") or session.by)
    if session.state(ref.partition("#")[0]).tag(identifier) is not None:
        return False
    fields: dict[str, Any] = {"code": str(record.get("code") or ""), "pieces": pieces}
    evidence = _anchors(record.get("evidence"))
    fields.update({name: str(record[name]) for name in _TEXTS if record.get(name)})
    fields.update({"evidence": evidence} if evidence else {}, **({"exemplar": True} if _yes(record) else {}))
    store = {"store": str(record["store"])} if record.get("store") else {}
    event = Event(
        identifier, str(record.get("at") or ""), by, "tag", ref, str(record.get("digest") or ""), {**fields, **store}
    )
    if not event.at:
        raise JournalError("it has an identifier and no time.")
    shapes.tag_of(event)
    session.book.append(by, [lambda _: event])
    return True


def _yes(record: Mapping[str, Any]) -> bool:
    return record.get("exemplar") in (True, "yes", "true")


def _anchors(value: Any) -> list[Any]:
    """The anchors of an export's pieces or evidence."""
    if isinstance(value, str) and value.startswith("["):
        value = json.loads(value)
    if not isinstance(value, list):
        return []
    return [each["anchor"] for each in value if isinstance(each, dict) and each.get("anchor")]
