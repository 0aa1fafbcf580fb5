"""Marks: tags placed on the conversation in front of us, with what became of their anchors. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from reviewer.marks.anchors import STATES, Placement, State, place
from reviewer.marks.ledger import Ledger
from reviewer.marks.who import initials
from reviewer.transcripts.model import Anchor, Finding, Stored, Tag
from reviewer.transcripts.refs import Absence, Ref, case_ref


@dataclass(frozen=True, slots=True)
class Mark:
    """A tag as it is to be painted."""

    tag: Tag
    state: State
    """The worst of its pieces."""
    places: tuple[Ref, ...]
    """Where its pieces stand now; a drifted piece marks its whole message, one elsewhere nothing."""
    proofs: tuple[Placement | None, ...]
    """One for each of the tag's evidence; None for an absence and for what stands in another conversation."""
    own: bool
    initials: str
    finding: Finding | None = None
    """What a read suggests and nobody has decided about, where this is no tag yet."""

    def at(self, message: int) -> bool:
        """True if a piece of it stands on a message."""
        return any(ref.message == message for ref in self.places)


def marks(ledger: Ledger, stored: Stored, by: str) -> tuple[Mark, ...]:
    """All marks of a conversation, those of its case across runs included, in reading order."""
    all_marks = [_mark(tag, stored, by) for tag in ledger.state(stored.ref).tags]
    case = case_of(stored)
    if case is not None and case != stored.ref:
        all_marks += [_mark(tag, stored, by) for tag in ledger.state(case).tags]
    return in_reading_order(all_marks)


def in_reading_order(all_marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Marks by where they stand; those of the whole conversation first."""
    return tuple(sorted(all_marks, key=lambda mark: (_order(mark), mark.tag.id)))


def suggested(finding: Finding, identity: str, stored: Stored) -> Mark:
    """A finding as a mark: the tag that it would become, under the name of its read."""
    ref = Ref(finding.claim.ref.conversation)
    tag = Tag(
        identity, "", finding.read, finding.mode, ref, finding.digest, (finding.claim,), finding.evidence,
        finding.reason,
    )  # fmt: skip
    return replace(_mark(tag, stored, ""), finding=finding)


def case_of(stored: Stored) -> str | None:
    """The reference of the conversation's case across runs."""
    conversation = stored.conversation
    return case_ref(conversation.model, conversation.case) if conversation.case is not None else None


def _mark(tag: Tag, stored: Stored, by: str) -> Mark:
    pieces = [_placed(piece, stored) for piece in tag.pieces]
    worst = STATES[max((STATES.index(piece.state) for piece in pieces), default=0)]
    places = tuple(piece.ref for piece in pieces if piece.ref is not None)
    proofs = tuple(None if isinstance(each, Absence) else _proof(each, stored) for each in tag.evidence)
    return Mark(tag, worst, places, proofs, tag.by == by, initials(tag.by))


def _placed(piece: Anchor, stored: Stored) -> Placement:
    of_case = piece.ref.message is None and piece.ref.conversation == case_of(stored)
    return Placement("exact", piece.ref) if of_case else place(piece, stored)


def _proof(anchor: Anchor, stored: Stored) -> Placement | None:
    return place(anchor, stored) if anchor.ref.conversation == stored.ref else None


def _order(mark: Mark) -> tuple[int, int]:
    first = mark.places[0] if mark.places else None
    if first is None or first.message is None:
        return (0, 0)
    return (first.message, first.span[0] if first.span else 0)
