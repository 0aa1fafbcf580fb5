"""How anchors, evidence, findings and tags stand in a line of a journal, both ways.

Owns the names of their fields and the sentence for content that cannot be read. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from reviewer.basics.errors import JournalError, RefError
from reviewer.marks.events import TEXTS, Event
from reviewer.transcripts.model import Anchor, Evidence, Finding, Tag
from reviewer.transcripts.refs import Absence, Ref, absence_text, parse, parse_absence

_OF_TAG = (*TEXTS, "pieces", "evidence", "exemplar")


@lru_cache(maxsize=1024)
def reference(text: str) -> Ref:
    """The reference in a line; kept, because a conversation is folded again whenever something is said of it."""
    return parse(text)


def anchor_fields(mark: Anchor) -> dict[str, Any]:
    """An anchor as it stands in a line."""
    value = {
        "ref": str(mark.ref), "digest": mark.digest, "message": mark.message_digest, "prefix": mark.prefix_digest,
        "quote": mark.quote, "before": mark.before, "after": mark.after,
    }  # fmt: skip
    return {name: text for name, text in value.items() if text}


def evidence_fields(evidence: Iterable[Evidence]) -> list[Any]:
    """Evidence as it stands in a line: anchors, and absences as their one-line text."""
    return [absence_text(each) if isinstance(each, Absence) else anchor_fields(each) for each in evidence]


def anchors_of(value: Any) -> tuple[Anchor, ...]:
    """The anchors of a line's `pieces`."""
    if not isinstance(value, list):
        raise JournalError("its pieces are not a list")
    return tuple(_anchor_of(each) for each in value)


def evidence_of(value: Any) -> tuple[Evidence, ...]:
    """The evidence of a line."""
    if not isinstance(value, list):
        raise JournalError("its evidence is not a list")
    return tuple(_absence_of(each) if isinstance(each, str) else _anchor_of(each) for each in value)


def evidence_name(evidence: Evidence) -> str:
    """Return the name that a journal line uses for evidence when it is replaced or detached."""
    return absence_text(evidence) if isinstance(evidence, Absence) else str(evidence.ref)


def _absence_of(text: str) -> Absence:
    absence = parse_absence(text)
    if absence is None:
        raise JournalError(f"its evidence “{text}” is neither an anchor nor an absence")
    return absence


def _anchor_of(value: Any) -> Anchor:
    if not isinstance(value, dict):
        raise JournalError("one of its anchors is not an object")
    fields = [value.get(name, "") for name in ("ref", "digest", "message", "prefix", "quote", "before", "after")]
    if not all(isinstance(each, str) for each in fields):
        raise JournalError("one of its anchors holds something other than text")
    ref, *texts = fields
    return Anchor(reference(ref), *texts)


def finding_fields(finding: Finding) -> dict[str, Any]:
    """A finding as it is copied, whole, into a line."""
    return {
        "read": finding.read, "version": finding.version, "mode": finding.mode, "digest": finding.digest,
        "claim": anchor_fields(finding.claim), "evidence": evidence_fields(finding.evidence),
        "reason": finding.reason, "certain": finding.certain,
    }  # fmt: skip


def finding_of(fields: Mapping[str, Any]) -> Finding:
    """The finding that is kept in these fields."""
    claim, version = _anchor_of(fields.get("claim")), fields.get("version")
    words = [fields.get(name, "") for name in ("read", "mode", "digest", "reason")]
    if not all(isinstance(each, str) for each in words) or not isinstance(version, int):
        raise JournalError("its finding holds something other than words and a version")
    read, mode, digest, reason = words
    evidence = evidence_of(fields.get("evidence", []))
    return Finding(read, version, mode, digest, claim, evidence, reason, fields.get("certain") is True)


def finding_identity(fields: Any) -> str:
    """The name of a finding in a line: it leaves the version out, so that a rejection outlives a newer one.

    Empty for what is none.
    """
    claim = fields.get("claim") if isinstance(fields, dict) else None
    if not isinstance(claim, dict):
        return ""
    place = str(claim.get("ref", "")).partition("#")
    return " ".join((*(str(fields.get(name, "")) for name in ("read", "mode", "digest")), place[1] + place[2] or "-"))


def made_fields(event: Event) -> Mapping[str, Any]:
    """The fields of the tag that an event makes; an accepted finding reads as the tag it becomes."""
    if event.do != "accept":
        return event.fields
    finding = event.fields["finding"]
    proposal = {"code": finding["mode"], "pieces": [finding.get("claim")], "evidence": finding.get("evidence", [])}
    return {**proposal, **event.fields}


def tag_of(event: Event, changed: Mapping[str, Any] | None = None) -> Tag:
    """The tag that an event makes, with its fields as they were changed since; raises what cannot be read in it."""
    fields = made_fields(event) if changed is None else changed
    try:
        ref = reference(event.ref)
        pieces, evidence = anchors_of(fields.get("pieces", [])), evidence_of(fields.get("evidence", []))
    except RefError as error:
        raise JournalError(f"it holds a reference that cannot be read ({error.message})") from None
    code, note, clause, stance, cause = (fields.get(name, "") for name in TEXTS)
    rest = {name: value for name, value in fields.items() if name not in _OF_TAG}
    return Tag(
        event.id, event.at, event.by, code, ref, event.digest, pieces or (Anchor(ref, event.digest),),
        evidence, note, clause, stance, cause, fields.get("exemplar") is True, rest or None,
    )  # fmt: skip


def tag_fields(tag: Tag) -> dict[str, Any]:
    """A tag as the fields of the event that makes it."""
    value: dict[str, Any] = {"code": tag.code, "pieces": [anchor_fields(each) for each in tag.pieces]}
    if tag.evidence:
        value["evidence"] = evidence_fields(tag.evidence)
    value.update({name: text for name in TEXTS[1:] if (text := getattr(tag, name))})
    if tag.exemplar:
        value["exemplar"] = True
    return {**value, **(tag.extra or {})}
