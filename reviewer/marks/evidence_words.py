"""What evidence says: who said or returned it, where, and its value; for the tag card and exports alike. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from reviewer.basics.errors import RefError
from reviewer.basics.jsonspans import leaves
from reviewer.marks.anchors import call_at, field_text, message_at, part_text, words
from reviewer.transcripts.model import Evidence, Message, Stored
from reviewer.transcripts.refs import Absence, Ref, absence_text

CALLED = "called"
_LONG = 120
"""Characters of a whole result that still make a clause."""


class EvidenceWords(NamedTuple):
    """Evidence in words."""

    value: str
    """The value of the field, words in quotes, `called` for a call as such; what was not done."""
    field: str = ""
    """The name of the field, where it is one."""
    source: str = ""
    """The tool, or the role of who said it."""
    place: str = ""
    """`#4.1`; with its conversation where that is another one; `before #4` of what was not done."""
    whole: str = ""
    """`arguments` or `result`, where all of it is meant."""

    @property
    def what(self) -> str:
        """`status: in_transit`, `"Yes, please."`, `no confirmation`."""
        return f"{self.field}: {self.value}" if self.field else self.value

    def __str__(self) -> str:
        """`lookup_order #4.1 · status: in_transit`, `no confirmation before #3`."""
        if not self.source:
            return f"{self.what} {self.place}".rstrip()
        return f"{self.source} {self.place} · {self.what}"

    @property
    def clause(self) -> str:
        """The same as a clause of a report: `lookup_order status: in_transit`, `customer: "Yes, please."`."""
        if not self.source:
            return self.what
        if self.whole and len(self.value) > _LONG:
            return f"the {self.whole} of {self.source}"
        return f"{self.source}{' ' if self.field or self.value == CALLED else ': '}{self.what}"


def evidence_words(evidence: Evidence, stored: Stored | None, at: Ref | None, home: str) -> EvidenceWords:
    """The words of a piece of evidence that stands at a place now, seen from the conversation `home`.

    Without a place its own quote is all that is known of it.
    """
    if isinstance(evidence, Absence):
        return EvidenceWords(f"no {evidence.what}", place=absence_text(evidence).removeprefix(f"no {evidence.what} "))
    if stored is None or at is None or at.message is None:
        ref = str(evidence.ref)
        return EvidenceWords(evidence.quote or ref, place=f"({ref})" if evidence.quote else "")
    where = item_place(at) if stored.ref == home else f"{stored.ref}{item_place(at)}"
    message = message_at(stored, at)
    if at.call is not None:
        field, value = _returned(message, at)
        whole = at.part if at.part != "text" and at.pointer is None and at.span is None else ""
        return EvidenceWords(value, field, call_at(message, at).name, where, whole)
    source = f"{speaker(message)} (thinking)" if at.part == "reasoning" else speaker(message)
    return EvidenceWords(f'"{said(message, at) if at.span is None else words(stored, at)}"', "", source, where)


def item_place(ref: Ref) -> str:
    """`#4`, `#4.1`: the item of a reference, whichever words of it are meant."""
    return replace(ref, part="text", pointer=None, span=None).place


def speaker(message: Message) -> str:
    """Who said a message, as people call them: its role, or a judge."""
    return "Judge" if message.source_role == "judge" else message.role


def said(message: Message, ref: Ref) -> str:
    """The text of a whole item; a message that only calls tools is told by its calls."""
    text = part_text(message, ref)
    if text.strip() or ref.call is not None:
        return text
    return "; ".join(f"{call.name} {call.arguments or ''}".rstrip() for call in message.calls)


def _returned(message: Message, at: Ref) -> tuple[str, str]:
    """Field and value of what a call was given or returned; without a field, the text that is meant."""
    if at.part == "text":
        return "", CALLED
    raw = part_text(message, at)
    if at.pointer is not None:
        return _name(at.pointer), field_text(raw, at.pointer, at)
    if at.span is None:
        return "", raw
    start, end = at.span
    leaf = next((leaf for leaf in leaves(raw) or () if leaf.pointer and leaf.start <= start and end <= leaf.end), None)
    if leaf is None or leaf.pointer is None:
        return "", raw[start:end]
    try:
        return _name(leaf.pointer), field_text(raw, leaf.pointer, at) if end - start == leaf.end - leaf.start else raw[
            start:end
        ]
    except RefError:  # fields that are written as Python prints them have no pointers to follow
        return _name(leaf.pointer), raw[start:end]


def _name(pointer: str) -> str:
    """The name of a field; with that of its list where it is an element of one."""
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")]
    return "/".join(parts[-2:]) if parts[-1].isdecimal() else parts[-1]
