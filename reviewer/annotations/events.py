"""Events: one line of a journal as a value, and back.

Owns the wording of a line: which fields every event has, how anchors and evidence are written, and the sentence for a
line that is no event. Pure. An event says what a reviewer did; what follows from it is the ledger's to fold.

    tag       code (empty: a free note), pieces, evidence, note, clause, stance, cause, exemplar
    edit      tag, and those of note, clause, stance, cause, exemplar, code that change
    attach    tag, evidence; `instead` names evidence that it replaces
    detach    tag, evidence (references)
    untag     tag
    verdict   verdict: pass, fail, defer, or empty to take it back
    reviewed  reviewed (true), and how: queue, suggestions, others, blind, seen, of
    accept    finding, whole: makes a tag with the event's own id
    reject    finding, whole
    undo      undoes: identifiers of events in the same conversation
    redo      redoes: likewise
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reviewer.errors import JournalError, RefError
from reviewer.model import Absence, Anchor, Evidence, Finding, Tag
from reviewer.refs import absence_text, parse, parse_absence

DOINGS = (
    "tag", "edit", "attach", "detach", "untag", "verdict", "reviewed", "accept", "reject", "undo", "redo",
)  # fmt: skip
MAKES_TAG = ("tag", "accept")
VERDICTS = ("pass", "fail", "defer")
STANCES = ("clear", "debatable", "defensible", "policy-legitimate")
CAUSES = ("believed the claim", "folded to pressure", "over-compliance", "task execution")
TEXTS = ("code", "note", "clause", "stance", "cause")
_NEEDED = ("id", "at", "by", "do", "ref")
_NAMES_TAG = ("edit", "attach", "detach", "untag")


class TornError(JournalError):
    """A line that is not even JSON: it was cut, or something else was written into the file."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing a reviewer did, at one conversation or case."""

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
        return self.ref.partition("#")[0]

    @property
    def known(self) -> bool:
        """Whether this version knows what was done; a later one's events are kept and said."""
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
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise TornError("it is no whole line of JSON") from None
    if not isinstance(value, dict):
        raise JournalError("it is JSON, but no event")
    fields = {name: value.pop(name, None) for name in _NEEDED}
    lacking = [name for name, content in fields.items() if not isinstance(content, str) or not content]
    if lacking:
        raise JournalError(f"it has no {' and no '.join(lacking)}")
    digest = value.pop("digest", "")
    event = Event(**fields, digest=digest if isinstance(digest, str) else "", fields=value)
    _check(event)
    return event


def _check(event: Event) -> None:
    """The fields that the fold relies on have the right shape; others are kept as they are."""
    fields = event.fields
    try:
        if event.do == "tag":
            _check_texts(fields)
            anchors_of(fields.get("pieces", []))
            evidence_of(fields.get("evidence", []))
        elif event.do in _NAMES_TAG:
            _check_texts(fields)
            if not isinstance(fields.get("tag"), str):
                raise JournalError(f"it is {_a(event.do)} that names no tag")
            if event.do == "attach":
                evidence_of(fields.get("evidence", []))
        elif event.do in ("undo", "redo") and not _identifiers(event):
            raise JournalError(f"it is {_a(event.do)} that names no event")
        elif event.do in ("accept", "reject"):
            finding_of(fields.get("finding"))
    except RefError as error:
        raise JournalError(f"it holds a reference that cannot be read ({error.message})") from None


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def _check_texts(fields: Mapping[str, Any]) -> None:
    for name in TEXTS:
        if not isinstance(fields.get(name, ""), str):
            raise JournalError(f"its {name} is no text")


def _identifiers(event: Event) -> list[str]:
    named = event.fields.get("undoes" if event.do == "undo" else "redoes")
    return named if isinstance(named, list) and all(isinstance(each, str) for each in named) else []


def targets(event: Event) -> list[str]:
    """The identifiers of the events that an undo or redo is about."""
    return _identifiers(event) if event.do in ("undo", "redo") else []


def anchor_fields(mark: Anchor) -> dict[str, Any]:
    """An anchor as it stands in a line."""
    value = {
        "ref": mark.ref, "digest": mark.digest, "message": mark.message_digest, "prefix": mark.prefix_digest,
        "quote": mark.quote, "before": mark.before, "after": mark.after,
    }  # fmt: skip
    return {name: text for name, text in value.items() if text}


def evidence_fields(evidence: Iterable[Evidence]) -> list[Any]:
    """Evidence as it stands in a line: anchors, and absences as their one-line text."""
    return [absence_text(each) if isinstance(each, Absence) else anchor_fields(each) for each in evidence]


def anchors_of(value: Any) -> tuple[Anchor, ...]:
    """The anchors of a line's `pieces`."""
    if not isinstance(value, list):
        raise JournalError("its pieces are no list")
    return tuple(_anchor_of(each) for each in value)


def evidence_of(value: Any) -> tuple[Evidence, ...]:
    """The evidence of a line."""
    if not isinstance(value, list):
        raise JournalError("its evidence is no list")
    return tuple(_absence_of(each) if isinstance(each, str) else _anchor_of(each) for each in value)


def evidence_name(evidence: Evidence) -> str:
    """What a line calls a piece of evidence when it replaces or detaches it."""
    return absence_text(evidence) if isinstance(evidence, Absence) else evidence.ref


def _absence_of(text: str) -> Absence:
    absence = parse_absence(text)
    if absence is None:
        raise JournalError(f"its evidence “{text}” is neither an anchor nor an absence")
    return absence


def _anchor_of(value: Any) -> Anchor:
    if not isinstance(value, dict):
        raise JournalError("one of its anchors is no object")
    fields = [value.get(name, "") for name in ("ref", "digest", "message", "prefix", "quote", "before", "after")]
    if not all(isinstance(each, str) for each in fields):
        raise JournalError("one of its anchors holds something other than text")
    parse(fields[0])
    return Anchor(*fields)


def finding_of(value: Any) -> tuple[str, Anchor, tuple[Evidence, ...]]:
    """Mode, claim and evidence of a finding as it was copied into a line."""
    if not isinstance(value, dict) or not isinstance(value.get("mode"), str):
        raise JournalError("its finding names no mode")
    return value["mode"], _anchor_of(value.get("claim")), evidence_of(value.get("evidence", []))


def finding_fields(finding: Finding) -> dict[str, Any]:
    """A finding as it is copied, whole, into a line."""
    return {
        "read": finding.read, "version": finding.version, "mode": finding.mode, "digest": finding.digest,
        "claim": anchor_fields(finding.claim), "evidence": evidence_fields(finding.evidence),
        "reason": finding.reason, "certain": finding.certain,
    }  # fmt: skip


def tag_of(event: Event) -> Tag:
    """The tag that an event makes."""
    fields = event.fields
    who = (event.id, event.at, event.by)
    if event.do == "accept":
        mode, claim, proofs = finding_of(fields["finding"])
        return Tag(*who, mode, event.ref, event.digest, (claim,), proofs, extra=fields)
    texts = {name: fields.get(name, "") for name in TEXTS if name != "code"}
    rest = {name: value for name, value in fields.items() if name not in _OF_TAG}
    return Tag(
        *who, fields.get("code", ""), event.ref, event.digest,
        anchors_of(fields.get("pieces", [])) or (Anchor(event.ref, event.digest),),
        evidence_of(fields.get("evidence", [])),
        exemplar=fields.get("exemplar") is True, extra=rest or None, **texts,
    )  # fmt: skip


_OF_TAG = (*TEXTS, "pieces", "evidence", "exemplar")


def tag_fields(tag: Tag) -> dict[str, Any]:
    """A tag as the fields of the event that makes it."""
    value: dict[str, Any] = {"code": tag.code, "pieces": [anchor_fields(each) for each in tag.pieces]}
    if tag.evidence:
        value["evidence"] = evidence_fields(tag.evidence)
    value.update({name: text for name in TEXTS[1:] if (text := getattr(tag, name))})
    if tag.exemplar:
        value["exemplar"] = True
    return {**value, **(tag.extra or {})}
