"""Excerpts: tags together with the words, the evidence and the facts that a reader of a report needs.

Owns the value that formats print, and making it from a tag and the conversation it stands in. Formats take excerpts and
write; they read neither store nor journal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from urllib.parse import unquote

from reviewer.marks.anchors import State, call_at, message_at, place
from reviewer.marks.codebook import Codebook, Mode
from reviewer.marks.evidence_words import evidence_words, said
from reviewer.marks.shapes import evidence_name
from reviewer.transcripts import desk
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.model import Anchor, Citation, Evidence, Message, Role, Stored, Tag, mark_of
from reviewer.transcripts.refs import Absence, Ref

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
    citations: tuple[Citation, ...] = ()
    """The passages that they cite."""


@dataclass(frozen=True, slots=True)
class Proof:
    """Evidence: words of another place, or the stated absence of a call."""

    ref: str
    quote: str
    said: str
    """How a clause says it: `get_order status: in transit`, `no handover`."""
    where: str = ""
    """The same with its place: `get_order #2.1 · status: in transit`, `no handover before #5`."""
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
    """In how many of its case's runs the mode was seen: `in 2 runs; 3 reviewed to the end; run 4 not reviewed`."""
    simulated: bool = False
    score: str = ""
    """The family's instruction-following for this model: `0.38`."""

    @property
    def mark(self) -> str:
        """Whether a script wrote it, or a model played its customer; empty for other conversations."""
        return mark_of(self.synthetic, self.simulated)

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
    def citations(self) -> list[Citation]:
        """The passages that its words cite, each once."""
        cited = (each._replace(start=None, end=None) for piece in self.pieces for each in piece.citations)
        return list(dict.fromkeys(cited))

    @property
    def utterances(self) -> list[list[ExcerptPiece]]:
        """The pieces that are words or items, those of one message (or call, or thought) together."""
        placed = (piece for piece in self.pieces if piece.ref.message is not None)
        return [
            list(group) for _, group in groupby(placed, key=lambda piece: replace(piece.ref, pointer=None, span=None))
        ]

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
    def speaker(self) -> str | None:
        """The role of who said (or thought, or called) it: `customer, agent` where two did; None where nobody did."""
        return ", ".join(dict.fromkeys(pieces[0].role for pieces in self.utterances)) or None

    @property
    def evidence(self) -> str:
        """What its evidence says, each thing once: `get_order status: in transit, no handover`."""
        return ", ".join(dict.fromkeys(proof.said for proof in self.proofs))


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


def excerpt(
    tag: Tag, places: Sequence[Ref], get: Get, codebook: Codebook, synthetic: bool, simulated: bool = False
) -> Excerpt:
    """The excerpt of a tag whose words stand in these places."""
    mode = codebook.mode(tag.code) or (Mode(tag.code, tag.code) if tag.code else OPEN)
    stored = get(tag.ref.conversation)
    pieces = () if stored is None else tuple(map(partial(_piece, stored), tag.pieces, places))
    synthetic, simulated = (synthetic, simulated) if stored is None else (stored.synthetic, stored.simulated)
    return Excerpt(
        tag,
        mode,
        codebook.section(tag.code),
        stored,
        pieces,
        tuple(_proof(each, tag, get) for each in tag.evidence),
        synthetic,
        simulated=simulated,
    )


def _piece(stored: Stored, anchor: Anchor, ref: Ref) -> ExcerptPiece:
    if ref.message is None:
        return ExcerptPiece(ref, "", "other")
    message = message_at(stored, ref)
    whole = ref.span is None and ref.pointer is None
    quote = said(message, ref) if whole else anchor.quote
    tool = call_at(message, ref).name if ref.call is not None else ""
    spoken = ref.call is None and ref.part == "text"
    cited = tuple(each for each in message.citations if each.is_cited_by(ref.span)) if spoken else ()
    return ExcerptPiece(ref, quote, message.role, anchor.before, anchor.after, tool, cited)


def _proof(evidence: Evidence, tag: Tag, get: Get) -> Proof:
    stored = at = None
    ref, quote = evidence_name(evidence), ""
    if not isinstance(evidence, Absence):
        stored, quote = get(evidence.ref.conversation), evidence.quote
        placed = place(evidence, stored)
        at = placed.ref if placed.state != "drifted" else None
    if stored is not None and at is not None and at.message is not None:
        ref = str(at)
        quote = quote or said(message_at(stored, at), at)
    told = evidence_words(evidence, stored, at, tag.ref.conversation)
    return Proof(ref, quote, told.clause, str(told), stored)


def case_of(stored: Stored | None, ref: str) -> str | None:
    """The case of a conversation, or the one that a reference names."""
    return unquote(ref.rpartition("/")[2]) if stored is None else stored.conversation.case


def cited(citation: Citation) -> str:
    """A citation in words: `“Send it back within 30 days.” · Returns · https://example.org/returns`."""
    return " · ".join(filter(None, (f"“{citation.passage}”" if citation.passage else "", citation.named)))


def named(excerpt: Excerpt) -> str:
    """Return the name of the case in a report: its family, else its own."""
    facts = excerpt.stored.conversation.facts if excerpt.stored else None
    name = (facts.family if facts else None) or excerpt.case or ""
    plain = name.replace("-", " ").replace("_", " ")
    return f"{plain[:1].upper()}{plain[1:]}"


def came_of(stored: Stored) -> str:
    """Sum up a conversation's outcome in a few words: what was written, and whether it was handed over."""
    if not desk.kept(stored.desk).tools:
        return ""
    its_outcome = outcome.of_stored(stored)
    acts = [f"{act} (forbidden)" if act in its_outcome.forbidden else act for act in its_outcome.writes]
    acts += [
        f"attempted {act}{' (forbidden)' if act in its_outcome.forbidden else ''}"
        for act in its_outcome.attempted
        if act != outcome.HANDOVER
    ]
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
