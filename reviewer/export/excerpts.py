"""Excerpts: tags together with the words, the evidence and the facts that a reader of a report needs.

Owns the value that formats print, and making it from a tag and the conversation it stands in. Formats take excerpts and
write; they read neither store nor journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import unquote

from reviewer import desk
from reviewer.annotations.anchors import State, call_at, message_at, part_text, place
from reviewer.annotations.codebook import Codebook, Mode
from reviewer.desk import outcome
from reviewer.model import Anchor, Message, Role, Stored, Tag
from reviewer.refs import Absence, Ref, absence_text

JUDGE = "Judge"
"""Who says what a judge noted."""
OPEN = Mode("", "Notes without a code", polarity="neutral")


@dataclass(frozen=True, slots=True)
class ExcerptPiece:
    """Marked words where they stand now."""

    ref: Ref
    quote: str
    role: Role
    before: str = ""
    after: str = ""
    tool: str = ""
    """Whose arguments or result they stand in."""


@dataclass(frozen=True, slots=True)
class Proof:
    """Evidence: words of another place, or the stated absence of a call."""

    ref: str
    quote: str
    said: str
    """How a clause says it: `get_order status: in transit`, `no handover`."""
    stored: Stored | None = None
    """The conversation that it stands in."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One tag, ready to be printed."""

    tag: Tag
    mode: Mode
    heading: str
    stored: Stored | None
    """None for a case across its runs."""
    pieces: tuple[ExcerptPiece, ...]
    proofs: tuple[Proof, ...]
    synthetic: bool
    runs: str = ""
    """How much of its case was read: `2/3 read, run 3 unread`."""
    score: str = ""
    """The family's instruction-following for this model: `0.38`."""

    @property
    def conversation(self) -> str:
        """The reference of the conversation or case."""
        return self.tag.ref.conversation

    @property
    def ref(self) -> str:
        """The reference of its first piece as it stands now; that of the case, where it is about one."""
        return str(self.pieces[0].ref if self.pieces else self.tag.ref)

    @property
    def quote(self) -> str:
        """The words of all its pieces."""
        return " … ".join(piece.quote for piece in self.pieces)

    @property
    def model(self) -> str:
        """The model of its conversation or case."""
        if self.stored is not None:
            return self.stored.conversation.model
        return unquote(self.conversation.rpartition("/")[0])

    @property
    def case(self) -> str | None:
        """The case, where it has one."""
        return case_of(self.stored, self.conversation)

    @property
    def speaker(self) -> Role | None:
        """The role of who said (or thought, or called) it; None where a conversation is meant as a whole."""
        first = self.pieces[0] if self.pieces else None
        return first.role if first is not None and first.ref.message is not None else None

    @property
    def clause(self) -> str:
        """The evidence as a clause: what the reviewer wrote, else what the evidence says."""
        return self.tag.clause or ", ".join(dict.fromkeys(proof.said for proof in self.proofs))


Get = Callable[[str], Stored | None]


def places_of(tag: Tag, stored: Stored | None) -> tuple[Ref, ...] | State:
    """Return where a tag's words stand now, or why it is left out; nowhere for a case across its runs."""
    if stored is None:
        return "elsewhere" if any(piece.digest for piece in tag.pieces) else ()
    places = []
    for piece in tag.pieces:
        placed = place(piece, stored)
        if placed.ref is None or placed.state == "drifted":
            return placed.state
        places.append(placed.ref)
    return tuple(places)


def excerpt(tag: Tag, places: Sequence[Ref], get: Get, codebook: Codebook, synthetic: bool) -> Excerpt:
    """The excerpt of a tag whose words stand in these places."""
    mode = codebook.mode(tag.code) or (Mode(tag.code, tag.code) if tag.code else OPEN)
    stored = get(tag.ref.conversation)
    pieces = () if stored is None else tuple(map(partial(_piece, stored), tag.pieces, places))
    synthetic = synthetic if stored is None else stored.synthetic
    return Excerpt(tag, mode, codebook.section(tag.code), stored, pieces, tuple(_proofs(tag, get)), synthetic)


def _piece(stored: Stored, anchor: Anchor, ref: Ref) -> ExcerptPiece:
    if ref.message is None:
        return ExcerptPiece(ref, "", "other")
    message = message_at(stored, ref)
    whole = ref.span is None and ref.pointer is None
    quote = _said(message, ref) if whole else anchor.quote
    tool = call_at(message, ref).name if ref.call is not None else ""
    return ExcerptPiece(ref, quote, message.role, anchor.before, anchor.after, tool)


def _said(message: Message, ref: Ref) -> str:
    """The text of a whole item; a message that only calls tools is told by its calls."""
    text = part_text(message, ref)
    if text.strip() or ref.call is not None:
        return text
    return "; ".join(f"{call.name} {call.arguments or ''}".rstrip() for call in message.calls)


def _proofs(tag: Tag, get: Get) -> Iterator[Proof]:
    for each in tag.evidence:
        if isinstance(each, Absence):
            yield Proof(absence_text(each), "", f"no {each.what}")
        else:
            yield _proof(each, get)


def _proof(anchor: Anchor, get: Get) -> Proof:
    stored = get(anchor.ref.conversation)
    placed = place(anchor, stored)
    if stored is None or placed.ref is None or placed.state == "drifted" or placed.ref.message is None:
        return Proof(str(anchor.ref), anchor.quote, anchor.quote or str(anchor.ref))
    message = message_at(stored, placed.ref)
    quote = anchor.quote or _said(message, placed.ref)
    return Proof(str(placed.ref), quote, _clause(message, placed.ref, quote), stored)


def _clause(message: Message, ref: Ref, quote: str) -> str:
    if ref.call is None:
        return f'{JUDGE if ref.judge else message.role}: "{quote}"'
    call = call_at(message, ref)
    if ref.part == "text":
        return f"{call.name} called"
    name = (ref.pointer or "").rpartition("/")[2]
    return f"{call.name} {name}: {quote}".replace(" : ", ": ")


def case_of(stored: Stored | None, ref: str) -> str | None:
    """The case of a conversation, or the one that a reference names."""
    return unquote(ref.rpartition("/")[2]) if stored is None else stored.conversation.case


def came_of(stored: Stored) -> str:
    """Sum up a conversation's outcome in a few words: what was written, and whether it was handed over."""
    if not desk.kept(stored.desk).tools:
        return ""
    its_outcome = outcome.of_stored(stored)
    acts = [f"{act} (forbidden)" if act in its_outcome.forbidden else act for act in its_outcome.writes]
    return ", ".join([*acts, "handed over" if its_outcome.handover else "no handover"])


def as_a_whole(excerpt: Excerpt) -> str:
    """Return the words printed where there is no quote: a conversation, or a case, is meant as a whole."""
    if excerpt.stored is None:
        return "across its runs"
    ended = came_of(excerpt.stored)
    return f"the whole conversation{f' ({ended})' if ended else ''}"


def surroundings(stored: Stored, excerpt: Excerpt, context: int) -> list[tuple[int, Message]]:
    """The messages of the pieces, with `context` messages on either side, each once."""
    messages = stored.conversation.messages
    numbers = {
        number
        for piece in excerpt.pieces
        if piece.ref.message
        for number in range(piece.ref.message - context, piece.ref.message + context + 1)
    }
    return [(number, messages[number - 1]) for number in sorted(numbers) if 0 < number <= len(messages)]
