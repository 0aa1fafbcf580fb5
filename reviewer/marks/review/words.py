"""What the verbs say when they are done: short, and naming what they touched. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewer.marks.events import APART, Event, targets
from reviewer.marks.evidence_words import CALLED, EvidenceWords
from reviewer.marks.shapes import evidence_name, evidence_of, made_fields
from reviewer.transcripts.model import Tag
from reviewer.transcripts.refs import parse_absence

_LONGEST_VALUE = 60
_PARTS = ("note", "clause", "stance", "cause", "exemplar", "code")


def of_tag(tag: Tag) -> str:
    """A tag by its code and place."""
    return _code_at(tag.code, str(tag.ref))


def _code_at(code: str, ref: str) -> str:
    return f"{code or 'note'} at {place(ref)}"


def place(ref: str) -> str:
    """`#4:10-44`, or the whole text where there is no place, or it states an absence."""
    return ref if parse_absence(ref) or "#" not in ref else "#" + ref.partition("#")[2]


def taken(evidence: EvidenceWords) -> str:
    """`status: in_transit from lookup_order #4.1`."""
    if evidence.value == CALLED:
        return f"{evidence.source} {evidence.place}"
    what = " ".join(evidence.what.split())
    short = what if len(what) <= _LONGEST_VALUE else f"{what[:_LONGEST_VALUE].rstrip()}…"
    return " ".join(filter(None, (short, "from" if evidence.source else "", evidence.source, evidence.place)))


def bears(tag: Tag) -> str:
    """Say what would be lost with a tag: `a note and evidence`."""
    parts = [
        ("a note", tag.note), ("evidence", tag.evidence), ("a clause", tag.clause),
        ("a stance", tag.stance), ("a cause", tag.cause), ("the exemplar's mark", tag.exemplar),
    ]  # fmt: skip
    named = [word for word, there in parts if there]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}" if named else "nothing"


def of_change(tag: Tag, fields: Mapping[str, Any]) -> str:
    """Say what was changed in a tag: a choice is named, written text is only said to be kept."""
    name, value = next(iter(fields.items()), ("", ""))
    if len(fields) != 1 or name in ("note", "clause"):
        return f"Saved the {' and '.join(fields)} of {of_tag(tag)}."
    if name == "exemplar":
        return f"{'An exemplar' if value else 'No exemplar any more'}: {of_tag(tag)}."
    return f"{name.capitalize()} {value or 'none'}: {of_tag(tag)}."


def of_act(events: tuple[Event, ...], tags: Mapping[str, Tag]) -> str:
    """Describe an act for the words of undo and redo."""
    if events[0].do == "bring":
        count = sum(len(targets(event)) for event in events)
        return f"the import of {count:,} tags from {events[0].fields.get('from')}"
    first = of_event(events[0], tags)
    more = len(events) - 1
    where = "" if events[0].conversation in first or events[0].do in APART else f" in {events[0].conversation}"
    return f"{first}{f' and {more} more' if more else ''}{where}"


def of_event(event: Event, tags: Mapping[str, Tag]) -> str:
    """Describe one event."""
    if event.do in ("tag", "accept"):
        code = made_fields(event).get("code", "")
        return f"{'tag ' if code else ''}{_code_at(code, event.ref)}"
    named = event.fields.get("tag")
    tag_there = tags.get(named) if isinstance(named, str) else None
    about = f" of {of_tag(tag_there)}" if tag_there else ""
    if event.do == "edit":
        return f"the {' and '.join(part for part in _PARTS if part in event.fields)}{about}"
    if event.do == "attach":
        proofs = evidence_of(event.fields.get("evidence", []))
        return f"the evidence {', '.join(place(evidence_name(each)) for each in proofs)}{about}"
    if event.do in ("untag", "detach"):
        return f"the removal of {'the tag' if event.do == 'untag' else 'evidence'}{about}"
    if event.do in APART:
        return f"the change of the {event.do} ({str(event.fields.get('said')).rstrip('.')})"
    if event.do == "verdict":
        return f"the verdict {event.fields.get('verdict') or 'taken back'} on {event.conversation}"
    if event.do == "reviewed":
        return f"the mark “reviewed” on {event.conversation}"
    return f"the {event.do} at {place(event.ref)}"
