"""Events: one line of a journal as a value, and back.

Owns the wording of a line: which fields every event has, and the sentence for a line that is no event. Pure; how
anchors and evidence stand in it is `reviewer.marks.shapes`. An event says what a reviewer did; what follows from
it is the ledger's to fold.

    tag       code (empty: a free note), pieces, evidence, note, clause, stance, cause, exemplar
    edit      tag, and those of note, clause, stance, cause, exemplar, code that change
    attach    tag, evidence; `instead` names evidence that it replaces
    detach    tag, evidence (references)
    untag     tag
    verdict   verdict: pass, fail, defer, or empty to take it back
    reviewed  reviewed (true), and how: queue, suggestions, others, blind; `seen` messages `of` so many were on screen;
              `further` (true): its reviewer read on, all else is what they said before
    accept    finding, whole: makes a tag with the event's own id
    reject    finding, whole
    undo      undoes: identifiers of events in the same conversation
    redo      redoes: likewise
    bring     brings: identifiers of tags that came from a file, so that an import is one act; `from` names the file
    codebook  said, was, now: lines of the codebook that were edited; its reference is `codebook` and no conversation
    desk      said, was, now of a desk in the store, with its hashes `before` and `after`; its reference is `desk`
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from reviewer.basics.errors import JournalError

DOINGS = (
    "tag", "edit", "attach", "detach", "untag", "verdict", "reviewed", "accept", "reject", "undo", "redo", "bring",
    "codebook", "desk",
)  # fmt: skip
MAKES_TAG = ("tag", "accept")
CODEBOOK, DESK = "codebook", "desk"
"""What events about the codebook and about a desk have for a reference."""
APART = (CODEBOOK, DESK)
_NAMING = {"undo": "undoes", "redo": "redoes", "bring": "brings"}
VERDICTS = ("pass", "fail", "defer")
STANCES = ("clear", "debatable", "defensible", "policy-legitimate")
CAUSES = ("believed the claim", "folded to pressure", "over-compliance", "task execution")
TEXTS = ("code", "note", "clause", "stance", "cause")
_NEEDED = ("id", "at", "by", "do", "ref")
CHANGES_TAG = ("edit", "attach", "detach", "untag")
_WITH_TEXTS = frozenset({"tag", *CHANGES_TAG})
_DECODER = json.JSONDecoder()
_HALF = re.compile("[\ud800-\udfff]")


class TornError(JournalError):
    """A line that is not even JSON: it was cut, or something else was written into the file."""


class Event(NamedTuple):
    """One thing a reviewer did, at one conversation or case. A tuple, because there may be very many."""

    id: str
    at: str
    by: str
    do: str
    ref: str
    digest: str
    fields: Mapping[str, Any]

    @property
    def conversation(self) -> str:
        """The conversation (or case) it belongs to: its reference without the place."""
        return self.ref.strip().partition("#")[0]

    @property
    def known(self) -> bool:
        """True if this version knows what was done; a later one's events are kept and said."""
        return self.do in DOINGS


def encode(event: Event) -> bytes:
    """The event as one line of UTF-8, its line end included."""
    value = {"id": event.id, "at": event.at, "by": event.by, "do": event.do, "ref": event.ref}
    if event.digest:
        value["digest"] = event.digest
    text = json.dumps({**value, **event.fields}, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace") + b"\n"  # which writes lone surrogates as JSON does


def decode(line: bytes) -> Event:
    """The event of a line; raises the reason when it is none."""
    try:
        text = line.decode().strip()
        value, end = _DECODER.raw_decode(text)
        if end != len(text):
            raise ValueError(end)
    except (ValueError, RecursionError):
        raise TornError("it is not a whole line of JSON") from None
    if not isinstance(value, dict):
        raise JournalError("it is JSON, but no event")
    needed: list[Any] = [value.pop(name, None) for name in _NEEDED]
    for content in needed:
        if not content or not isinstance(content, str):
            raise JournalError(f"it has no {_lacking(needed)}")
    digest = value.pop("digest", "")
    identifier, at, by, do, ref = needed
    if not (identifier.isascii() and ref.isascii()) and _HALF.search(f"{identifier}{ref}"):
        raise JournalError("its id or ref holds half a character")
    event = Event(identifier, at, by, do, ref, digest if isinstance(digest, str) else "", value)
    _check(event)
    return event


def _lacking(needed: list[Any]) -> str:
    names = zip(_NEEDED, needed, strict=True)
    return " and no ".join(name for name, content in names if not isinstance(content, str) or not content)


def _check(event: Event) -> None:
    """Check the shape of the fields that the fold relies on; their contents are read when a tag is made of them."""
    fields = event.fields
    if event.do in _WITH_TEXTS:
        _check_texts(fields)
        _check_anchors(fields, "pieces")
        _check_anchors(fields, "evidence")
    elif event.do in ("accept", "reject"):
        _check_finding(fields.get("finding"))
    elif event.do in _NAMING and not targets(event):
        raise JournalError(f"it is {_a(event.do)} that names no event")
    if event.do in CHANGES_TAG and not isinstance(fields.get("tag"), str):
        raise JournalError(f"it is {_a(event.do)} that names no tag")


def _check_anchors(fields: Mapping[str, Any], name: str) -> None:
    if name not in fields:
        return
    value = fields[name]
    if not isinstance(value, list):
        raise JournalError(f"its {name} is not a list of anchors")
    for each in value:
        if not isinstance(each, dict | str):
            raise JournalError(f"its {name} is not a list of anchors")


def _check_finding(value: Any) -> None:
    if not isinstance(value, dict) or not isinstance(value.get("mode"), str):
        raise JournalError("its finding names no mode")
    _check_anchors(value, "evidence")


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def _check_texts(fields: Mapping[str, Any]) -> None:
    for name in TEXTS:
        if name in fields and not isinstance(fields[name], str):
            raise JournalError(f"its {name} is not text")


def targets(event: Event) -> list[str]:
    """The identifiers of the events that an undo, redo or bring is about."""
    named = event.fields.get(_NAMING.get(event.do, ""))
    return named if isinstance(named, list) and all(isinstance(each, str) for each in named) else []
