"""Marks as they are drawn: stretches to paint, badges beside names, the words of one tag. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reviewer.app.layout import Piece
from reviewer.app.shared.sheet import Item, Paint
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph
from reviewer.basics.jsonspans import locate
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import Part, Ref

if TYPE_CHECKING:
    from reviewer.marks.review import Mark


def paints(marks: Sequence[Mark], stored: Stored) -> list[Paint]:
    """The words of every mark, and the words that prove them; what proves a suggestion waits for the cursor."""
    suggested = [mark for mark in marks if mark.finding is not None]
    tags = [mark for mark in marks if mark.finding is None] if suggested else marks
    stretches = [paint for mark in suggested for ref in mark.places for paint in _paint(ref, stored, "suggested")]
    stretches += [paint for mark in tags for ref in mark.places for paint in _paint(ref, stored, "tagged")]
    for mark in tags:
        for proof in mark.proofs:
            if proof is not None and proof.ref is not None:
                stretches += _paint(proof.ref, stored, "evidence")
    return stretches


def cited(mark: Mark, stored: Stored) -> list[Paint]:
    """What a tag cites, to be lit: words, fields, whole calls and whole messages."""
    refs = [proof.ref for proof in mark.proofs if proof is not None and proof.ref is not None]
    return [paint for ref in refs for paint in lit(ref, stored)]


def lit(ref: Ref, stored: Stored) -> list[Paint]:
    """A place to be lit: words, a field, a whole call, a whole message."""
    return [paint for whole in _parts(ref, stored) for paint in _paint(whole, stored, "cited")]


def _parts(ref: Ref, stored: Stored) -> list[Ref]:
    """The reference, or what stands in the whole message or call that it names."""
    from reviewer.marks.anchors import message_at, part_text  # not needed before the first paint

    if ref.message is None or ref.span is not None or ref.pointer is not None:
        return [ref]
    message = message_at(stored, ref)
    if ref.call is None or ref.part != "text":
        return [replace(ref, span=(0, len(part_text(message, ref))))]
    parts: tuple[Part, ...] = ("arguments", "result")
    return [replace(ref, part=part, span=(0, len(part_text(message, replace(ref, part=part))))) for part in parts]


def badges(marks: Sequence[Mark], plain: bool) -> dict[Item, list[Piece]]:
    """Return the badges beside the name of each message that bears marks."""
    by_item: dict[Item, list[Piece]] = {}
    for mark in marks:
        for message in dict.fromkeys(ref.message for ref in mark.places if ref.message is not None):
            style = "tag" if mark.finding is None else "suggestion"
            by_item.setdefault(Item(message), []).append(Piece(words(mark, plain), style))
    return by_item


def whole(marks: Sequence[Mark], plain: bool) -> str:
    """The marks of the conversation as a whole, and of its case."""
    return " ".join(words(mark, plain) for mark in marks if any(ref.message is None for ref in mark.places))


def words(mark: Mark, plain: bool) -> str:
    """A mark in brackets: its mode, what it bears, whose it is, what became of its words."""
    tag = mark.tag
    if mark.finding is not None:
        return f"{glyph('finding', plain)} {printable_line(tag.code)}"
    parts = [printable_line(tag.code) or "note"]
    if tag.stance:
        parts.append(printable_line(tag.stance))
    borne = {
        "clause": tag.clause,
        "cause": tag.cause,
        "note": tag.note and tag.code,
        "evidence": tag.evidence,
        "exemplar": tag.exemplar,
    }
    parts += [glyph(name, plain) for name, bears in borne.items() if bears]
    if not mark.own:
        parts.append(printable_line(mark.initials))
    if mark.state != "exact":
        parts.append(mark.state)
    return f"{glyph('tag', plain)}{' '.join(parts)}{glyph('tag-end', plain)}"


def on(marks: Sequence[Mark], item: Item) -> list[Mark]:
    """The marks on an item, in reading order; where it has none of its own, those of its message."""
    here = [mark for mark in marks if mark.at(item.message)]
    return [mark for mark in here if any((ref.message, ref.call) == item for ref in mark.places)] or here


def at(marks: Sequence[Mark], item: Item, prefer: str = "") -> Mark | None:
    """The mark under the cursor: the one acted on last when it is there, else the nearest own one."""
    if not marks:
        return None
    chosen = next((mark for mark in marks if mark.tag.id == prefer and mark.at(item.message)), None)
    if chosen is not None:
        return chosen
    here = on(marks, item)
    own = [mark for mark in here if mark.own]
    others = [mark for mark in here if mark.finding is None]
    return next((group[-1] for group in (own, others, here) if group), None)


def stops(marks: Sequence[Mark]) -> list[tuple[Item, Mark]]:
    """Every mark with the item on which it begins, in reading order; item 0 where it is about all of it."""
    places = [(min(((ref.message or 0, ref.call or 0) for ref in mark.places), default=None), mark) for mark in marks]
    placed = [(Item(place[0], place[1] or None), mark) for place, mark in places if place is not None]
    return sorted(placed, key=lambda each: (each[0].message, each[0].call or 0))


def _paint(ref: Ref, stored: Stored, style: str) -> Iterator[Paint]:
    if ref.message is None or ref.message > len(stored.conversation.messages):
        return
    span, call = ref.span, ref.call
    if ref.judge is not None:
        names = [note.name for note in stored.conversation.judged]
        call = names.index(ref.judge) + 1 if ref.judge in names else None
    if span is None and ref.pointer is not None and ref.call is not None:
        made = stored.conversation.messages[ref.message - 1].calls[ref.call - 1]
        raw = made.result if ref.part == "result" else made.arguments
        span = locate(raw or "", ref.pointer)
    if span is not None:
        part: Part = ref.part
        yield Paint(ref.message, call, part, span[0], span[1], style)
