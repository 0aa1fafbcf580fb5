"""Quotes to places: where exact words stand in a conversation, or the sentence for why that cannot be said. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from reviewer.basics.errors import RefError
from reviewer.marks.anchors import find_quote, message_at, part_text
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import Ref

_SHOWN = 5


def place_of(stored: Stored, ref: Ref, quote: str) -> Ref:
    """The one place of the quote at or under a reference."""
    if not quote:
        raise RefError("The quote is empty.", "Leave --quote out to mark the whole item.")
    if ref.span is not None or ref.pointer is not None:
        raise RefError(f"{ref} names its words already.", "Give the message alone, with --quote.")
    refs: list[Ref] = []
    for parts in _parts(stored, ref):
        refs = [at for part in parts for at in _in_part(stored, part, quote)]
        if refs:
            break
    if not refs:
        raise RefError(f"“{quote}” does not stand at {ref}.", "Quote the exact words; see: reviewer show")
    if len(refs) > 1:
        places = ", ".join(at.place for at in refs[:_SHOWN])
        more = f" and {len(refs) - _SHOWN} more" if len(refs) > _SHOWN else ""
        raise RefError(
            f"“{quote}” stands at {ref} {len(refs)} times: {places}{more}.", "Name one of them, or quote more."
        )
    return refs[0]


def _parts(stored: Stored, ref: Ref) -> Iterator[list[Ref]]:
    """Yield the parts to look in: what was said before what was thought and called."""
    if ref.call is not None and ref.part == "text":
        yield [replace(ref, part="arguments")]
        yield [replace(ref, part="result")]
        return
    if ref.part != "text" or ref.judge is not None:
        yield [ref]
        return
    numbers = [ref.message] if ref.message is not None else range(1, len(stored.conversation.messages) + 1)
    yield [Ref(stored.ref, number) for number in numbers]
    yield [Ref(stored.ref, number, part="reasoning") for number in numbers]
    calls = [
        Ref(stored.ref, number, index)
        for number in numbers
        for index in range(1, len(message_at(stored, Ref(stored.ref, number)).calls) + 1)
    ]
    yield [replace(call, part="arguments") for call in calls] + [replace(call, part="result") for call in calls]


def _in_part(stored: Stored, part: Ref, quote: str) -> list[Ref]:
    text = part_text(message_at(stored, part), part)
    return [replace(part, span=(start, start + len(quote))) for start in find_quote(text, quote)]
