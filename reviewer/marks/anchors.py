"""Anchors: exact words (or a whole item) tied to a conversation so that they are found again, or seen to be gone.

Owns making an anchor from what stands in the store and judging one against what stands there now. Pure: it reads no
file and no store. An anchor is never moved to another reference; what cannot be found is said to be drifted (the same
conversation, other words) or elsewhere (other content under the reference). A conversation whose log was read anew as
other words remembers what it was read as before: its anchors are searched in their messages.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from reviewer.basics.errors import RefError
from reviewer.transcripts import digests
from reviewer.transcripts.model import Anchor, Message, Stored, ToolCall
from reviewer.transcripts.refs import Ref

State = Literal["exact", "moved", "drifted", "elsewhere"]
STATES: tuple[State, ...] = ("exact", "moved", "drifted", "elsewhere")
SURROUNDINGS = 40
_KEPT = 16
_FEW = 8
"""Prefix digests of a conversation that are made one by one; from then on, all at once."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The present state of an anchor, and the place where it is painted: none when it is elsewhere."""

    state: State
    ref: Ref | None


@dataclass
class _Prints:
    """The digests of one conversation's messages, each computed once."""

    messages: tuple[Message, ...]
    of_message: dict[int, str] = field(default_factory=dict)
    of_prefix: dict[int, str] = field(default_factory=dict)

    def message(self, number: int) -> str:
        if number not in self.of_message:
            self.of_message[number] = digests.message_digest(self.messages[number - 1])
        return self.of_message[number]

    def prefix(self, number: int) -> str:
        if number not in self.of_prefix:
            if len(self.of_prefix) < _FEW:
                self.of_prefix[number] = digests.prefix_digest(self.messages, number)
            else:  # whoever asks for many places of a long conversation shall not hash it anew for each
                self.of_prefix = dict(enumerate(digests.prefix_digests(self.messages), start=1))
        return self.of_prefix[number]


_prints_of: OrderedDict[str, _Prints] = OrderedDict()


def _prints(stored: Stored) -> _Prints:
    prints = _prints_of.get(stored.digest)
    if prints is None:
        prints = _prints_of[stored.digest] = _Prints(stored.conversation.messages)
        if len(_prints_of) > _KEPT:
            _prints_of.popitem(last=False)
    return prints


def anchor(stored: Stored, ref: Ref) -> Anchor:
    """The anchor of what stands at a reference; a sentence when nothing does."""
    ref = replace(ref, conversation=stored.ref)
    if ref.message is None:
        return Anchor(ref, stored.digest)
    quote = words(stored, ref)
    own, prefix = _digests(stored, ref)
    before = after = ""
    if ref.span is not None:
        text = part_text(message_at(stored, ref), ref)
        start, end = ref.span
        before, after = text[max(0, start - SURROUNDINGS) : start], text[end : end + SURROUNDINGS]
    elif ref.pointer is None:
        quote = ""  # a whole item has no words to search for: its message's digest says whether it is the same
    return Anchor(ref, stored.digest, own, prefix, quote, before, after)


def _digests(stored: Stored, ref: Ref) -> tuple[str, str]:
    """The digests of the message at a reference and of what came before: before a judge's note, all that was said."""
    if ref.judge is not None:
        return digests.message_digest(message_at(stored, ref)), stored.digest
    prints = _prints(stored)
    return prints.message(ref.message or 0), prints.prefix(ref.message or 0)


def place(mark: Anchor, stored: Stored | None) -> Placement:
    """Judge an anchor against what stands at its conversation's reference now."""
    ref = mark.ref
    if stored is None or stored.ref != ref.conversation:
        return Placement("elsewhere", None)
    reread = mark.digest in stored.formerly
    if ref.message is None:
        return Placement("exact", ref) if reread or mark.digest == stored.digest else Placement("elsewhere", None)
    if not _is_there(stored, ref):
        gone = ref.judge is not None and mark.prefix_digest == stored.digest
        return Placement("drifted", Ref(ref.conversation)) if gone else Placement("elsewhere", None)
    # That the same was said does not tell that a judge noted the same: scores can be given anew.
    whole_note = ref.judge is not None and ref.span is None
    same = mark.digest == stored.digest and not whole_note
    if same and _stands(mark, stored, ref):
        return Placement("exact", ref)
    own, prefix = _digests(stored, ref)
    same = same or mark.message_digest == own
    if same and _stands(mark, stored, ref):
        return Placement("exact", ref)
    if same or reread or mark.prefix_digest == prefix:
        new_place = _only_place(mark.quote, message_at(stored, ref), ref)
        if new_place is None and reread and _stands(mark, stored, ref):
            new_place = ref
        stayed = replace(ref, call=None, part="text", pointer=None, span=None)
        return Placement("moved", new_place) if new_place else Placement("drifted", stayed)
    return Placement("elsewhere", None)


def _is_there(stored: Stored, ref: Ref) -> bool:
    if ref.judge is not None:
        return any(note.name == ref.judge for note in stored.conversation.judged)
    return ref.message is not None and 0 < ref.message <= len(stored.conversation.messages)


def words(stored: Stored, ref: Ref) -> str:
    """The text at a reference: a span's characters, a field's value, an item's whole text; empty for a conversation."""
    if ref.message is None:
        return ""
    message = message_at(stored, ref)
    if ref.pointer is not None:
        return field_text(part_text(message, ref), ref.pointer, ref)
    text = part_text(message, ref)
    if ref.span is None:
        return text
    if ref.span[1] > len(text):
        raise RefError(f"{ref} ends behind its text, which has {len(text)} characters.", "Choose characters within it.")
    return text[ref.span[0] : ref.span[1]]


def message_at(stored: Stored, ref: Ref) -> Message:
    """The message that a reference names; a judge's note as one that nobody of the conversation said."""
    messages = stored.conversation.messages
    if ref.judge is not None:
        return _noted(stored, ref)
    if ref.message is None or not 0 < ref.message <= len(messages):
        raise RefError(
            f"{stored.ref} has {len(messages)} messages; {ref.place or 'none was named'}.", "See: reviewer show"
        )
    return messages[ref.message - 1]


def _noted(stored: Stored, ref: Ref) -> Message:
    notes = stored.conversation.judged
    text = next((note.text for note in notes if note.name == ref.judge), None)
    if text is None:
        names = ", ".join(f"#{note.name}" for note in notes)
        raise RefError(f"{ref}: no judge noted that.", f"There is: {names}." if names else "No judge noted anything.")
    return Message("other", text, source_role="judge")


def call_at(message: Message, ref: Ref) -> ToolCall:
    """The call of a message that a reference names."""
    if ref.call is None or ref.call > len(message.calls):
        raise RefError(f"{ref}: message {ref.message} has {len(message.calls)} calls.", "See: reviewer show")
    return message.calls[ref.call - 1]


def part_text(message: Message, ref: Ref) -> str:
    """The stored text of the part that a reference names; a whole call reads as its name and arguments."""
    if ref.call is None:
        return message.reasoning if ref.part == "reasoning" else message.text
    call = call_at(message, ref)
    if ref.part == "arguments":
        return call.arguments or ""
    if ref.part == "result":
        return call.result if call.result is not None else call.error or ""
    return f"{call.name} {call.arguments or ''}".rstrip()


def field_text(raw: str, pointer: str, ref: Ref) -> str:
    """A field of raw JSON by its pointer: a string as it is, anything else as JSON."""
    try:
        value: Any = json.loads(raw)
        for step in pointer.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            value = value[_position(name)] if isinstance(value, list) else value[name]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        raise RefError(f"{ref}: there is no such field.", "See the call's fields with: reviewer show") from None
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _position(name: str) -> int:
    if not name.isascii() or not name.isdigit():
        raise KeyError(name)  # "-1" is no position in a JSON pointer
    return int(name)


def find_quote(text: str, quote: str) -> list[int]:
    """Every place, overlapping ones included, where the quote starts."""
    starts: list[int] = []
    at = text.find(quote) if quote else -1
    while at >= 0:
        starts.append(at)
        at = text.find(quote, at + 1)
    return starts


def _stands(mark: Anchor, stored: Stored, ref: Ref) -> bool:
    """True if the anchor's own words stand at its own place (a line written by hand may claim what is not so)."""
    try:
        text = words(stored, ref)
    except RefError:
        return False
    whole = ref.span is None and ref.pointer is None
    return whole or text == mark.quote


def _only_place(quote: str, message: Message, ref: Ref) -> Ref | None:
    """The one place of a quote in its message; None when it stands there several times or not at all."""
    if ref.pointer is not None:
        return ref if _field_holds(quote, message, ref) else None
    candidates = [ref] if ref.call is None else [replace(ref, call=n + 1) for n in range(len(message.calls))]
    places = [
        replace(candidate, span=(start, start + len(quote)))
        for candidate in candidates
        for start in find_quote(part_text(message, candidate), quote)
    ]
    return places[0] if len(places) == 1 else None


def _field_holds(quote: str, message: Message, ref: Ref) -> bool:
    try:
        return field_text(part_text(message, ref), ref.pointer or "", ref) == quote
    except RefError:
        return False
