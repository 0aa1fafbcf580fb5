"""The session: one reviewer at work on one store, in one window.

Owns what each verb means: which event it makes and what it tells the reviewer. Writing is the pen's, what events mean
the ledger's, where words stand the anchors', which modes there are the codebook's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from reviewer.basics.errors import JournalError
from reviewer.basics.glyphs import glyph
from reviewer.marks import anchors, codebook_text, events, folder, shapes
from reviewer.marks.codebook import code_of
from reviewer.marks.events import CODEBOOK, DESK, Event
from reviewer.marks.evidence_words import EvidenceWords, evidence_words
from reviewer.marks.review import proofs, words
from reviewer.marks.review.doubts import Doubts
from reviewer.marks.review.history import Act
from reviewer.marks.review.modes import Modes
from reviewer.marks.review.overview import Overview
from reviewer.marks.review.pen import EventDraft, Pen
from reviewer.marks.review.proofs import Proof
from reviewer.transcripts.model import Anchor, Evidence, Finding, Stored, Tag
from reviewer.transcripts.refs import Absence, Ref

if TYPE_CHECKING:
    from reviewer.marks.review.tool_classes import Change

Where = Stored | str


@dataclass(frozen=True, slots=True)
class VerbResult:
    """The result of a verb: words for the reviewer, and the tag as it stands now."""

    words: str
    tag: Tag | None = None
    made: str = ""
    """Which file had to be made for it."""

    @property
    def said(self) -> str:
        """All of the words."""
        return f"{self.words} {self.made}".strip()


class TagDetails(TypedDict, total=False):
    """The parts of a tag besides its mode and its words."""

    note: str
    clause: str
    stance: str
    cause: str
    exemplar: bool


class Session(Overview):
    """One reviewer's verbs; the package's docstring lists them."""

    def __init__(self, annotations: Path, by: str, store: str, shipped: str = folder.GENERAL) -> None:
        super().__init__(annotations, by, shipped)
        self.pen = Pen(self.book, by, store)
        self.doubts = Doubts()

    def tag(
        self, where: Where, code: str, *places: Ref, evidence: Iterable[Proof | Anchor] = (), **more: Unpack[TagDetails]
    ) -> VerbResult:
        """Mark a mode on words, items, the conversation or a case; with an empty code it is a free note."""
        draft = self.draft(where, code, *places, evidence=evidence, **more)
        written = self.pen.act(str(draft.ref), draft.digest, ("tag", shapes.tag_fields(draft)))
        title = self.modes.mode(code).title if code else "Note"
        return VerbResult(f"{title} at {words.place(written[0].ref)}.", self._made(written[0]), self.modes.make())

    def draft(
        self, where: Where, code: str, *places: Ref, evidence: Iterable[Proof | Anchor] = (), **more: Unpack[TagDetails]
    ) -> Tag:
        """A tag before it is written: it has neither identifier nor time."""
        _check_stance(more.get("stance", ""))
        mode = self.modes.mode(code) if code else None
        pieces = tuple(anchored(where, place) for place in places) or (anchored(where, None),)
        evidence_pieces = tuple(_evidence(where, each) for each in evidence)
        return Tag(
            "", "", self.by, mode.code if mode else "", pieces[0].ref, _digest(where), pieces, evidence_pieces, **more
        )

    def toggle(self, where: Where, code: str, *places: Ref) -> VerbResult:
        """Do what a mode's key does: tag, or take the same tag back when it bears nothing else."""
        mode, tag = self.modes.mode(code), self.own_tag(where, code, *places)
        if tag is None:
            return self.tag(where, code, *places)
        if tag.bare:
            return self.untag(tag)
        return VerbResult(
            f"{mode.title} stays, because it has {words.bears(tag)}. {self.key('untag')} removes it.", tag
        )

    def own_tag(self, where: Where, code: str, *places: Ref) -> Tag | None:
        """This reviewer's latest tag of a mode at these very places."""
        mode, wanted = self.modes.mode(code), {place.place for place in places} or {""}
        own = self._own(where)
        return next((tag for tag, stand in own if self.codebook.mode(tag.code) == mode and stand == wanted), None)

    def untag(self, tag: Tag) -> VerbResult:
        """Take a tag back, whatever it bears."""
        self.pen.about(tag, "untag", {})
        return VerbResult(f"Removed {words.of_tag(tag)}.")

    def edit(self, tag: Tag, *, exemplar: bool | None = None, **texts: str) -> VerbResult:
        """Change what a tag bears: note, clause, stance, cause, exemplar, or its code."""
        _check_stance(texts.get("stance", ""))
        if texts.get("code"):
            texts["code"] = self.modes.mode(texts["code"]).code
        fields: dict[str, Any] = {**texts, **({} if exemplar is None else {"exemplar": exemplar})}
        now = self.pen.about(tag, "edit", fields)
        return VerbResult(words.of_change(tag, fields), now)

    def attach(self, where: Where, tag: Tag, *evidence: Proof | Anchor, instead: Evidence | None = None) -> VerbResult:
        """Attach what contradicts (or proves) the marked words, maybe in the place of other evidence."""
        evidence_pieces = [_evidence(where, each) for each in evidence]
        fields: dict[str, Any] = {"evidence": shapes.evidence_fields(evidence_pieces)}
        if instead is not None:
            fields["instead"] = [shapes.evidence_name(instead)]
        now = self.pen.about(tag, "attach", fields)
        took = "; ".join(words.taken(_words(where, each)) for each in evidence_pieces)
        return VerbResult(f"Took {took}.", now)

    def attach_usual(self, stored: Stored, tag: Tag) -> VerbResult:
        """Attach the evidence that the tag's mode usually wants; again, the next candidate in its place."""
        mode = self.codebook.mode(tag.code)
        wanted = mode.proof if mode else ""
        candidates = proofs.candidates(stored, wanted, tag.pieces[-1].ref)
        names = [proofs.name(stored, each) for each in candidates]
        present = next((each for each in tag.evidence if shapes.evidence_name(each) in names), None)
        if not candidates or (present and len(candidates) == 1):
            said = f"{words.place(names[0])} is the only candidate" if candidates else f"Nothing here is “{wanted}”"
            return VerbResult(
                f"{said if wanted else 'This mode has no usual proof'}; {self.key('evidence.pick')} picks by hand.", tag
            )
        at = (names.index(shapes.evidence_name(present)) + 1) % len(candidates) if present else 0
        outcome = self.attach(stored, tag, candidates[at], instead=present)
        return replace(outcome, words=f"{outcome.words[:-1]} ({at + 1} of {len(candidates)}).")

    def detach(self, tag: Tag, evidence: Evidence) -> VerbResult:
        """Take a piece of evidence away."""
        now = self.pen.about(tag, "detach", {"evidence": [shapes.evidence_name(evidence)]})
        return VerbResult(f"Evidence removed from {words.of_tag(tag)}.", now)

    def verdict(self, where: Where, verdict: str) -> VerbResult:
        """Say pass, fail or defer of a conversation; an empty word takes it back."""
        if verdict and verdict not in events.VERDICTS:
            raise JournalError(f"“{verdict}” is not a verdict.", f"It is one of {', '.join(events.VERDICTS)}.")
        self.pen.act(_ref(where), _digest(where), ("verdict", {"verdict": verdict}))
        return VerbResult(f"{verdict.capitalize() or 'No verdict'}: {_ref(where)}.")

    def reviewed(self, stored: Stored, done: bool = True, **how: Any) -> VerbResult:
        """Say that it was reviewed, and how: `sight.how`, query, blind, and how much was shown (seen, of, further)."""
        self.pen.act(stored.ref, stored.digest, ("reviewed", {"reviewed": done, **how}))
        return VerbResult(f"{'Reviewed' if done else 'No longer reviewed'}: {stored.ref}.")

    def decide(self, stored: Stored, accepted: bool, findings: Iterable[Finding]) -> VerbResult:
        """Accept findings about a conversation (or its case) as tags, or reject them for good; all are one act."""
        do = "accept" if accepted else "reject"
        doings = [_decision(do, each, stored) for each in findings]
        if not doings:
            return VerbResult(f"Nothing to {do}.")
        written = self.pen.acts(doings)
        modes = Counter(event.fields["finding"]["mode"] for event in written)
        named = ", ".join(f"{n:,} {glyph('times')} {mode}" if n > 1 else mode for mode, n in modes.items())
        tag = self._made(written[0]) if accepted and len(written) == 1 else None
        return VerbResult(f"{do.capitalize()}ed {named}.", tag, self.modes.make())

    def undo(self, turned: Act | None = None) -> VerbResult:
        """Take back this window's last act, after a restart this reviewer's; or one whose desk was turned back."""
        act = turned or self.pen.to_undo()
        if act is None:
            return VerbResult("Nothing to undo.")
        try:
            self._turn_codebook(act, "now", "was")
        except JournalError:
            self.pen.pass_over(act)
            raise
        return VerbResult(f"Undid {self.pen.undo(act)}.")

    def redo(self, turned: Act | None = None) -> VerbResult:
        """Do again what was undone last; or an act whose desk was turned again."""
        act = turned or self.pen.to_redo()
        if act is None:
            return VerbResult("Nothing to redo.")
        self._turn_codebook(act[::-1], "was", "now")
        return VerbResult(f"Redid {self.pen.redo(act)}.")

    def recode(self, verb: Callable[[Modes], str]) -> VerbResult:
        """Edit the codebook, in a way that can be undone: `session.recode(lambda modes: modes.merge(gone, into))`."""
        event, said = self._recoded(verb)
        if event is not None:
            self.pen.acts([event])
        return VerbResult(said)

    def classed(self, change: Change) -> VerbResult:
        """Say that a tool was classed, so that it can be undone."""
        self.pen.acts([EventDraft(DESK, "", "desk", asdict(change))])
        where = f"in {change.changed:,} conversation{'' if change.changed == 1 else 's'}"
        return VerbResult(f"{change.said} now, {where}; {self.key('undo')} undoes it.")

    def split(self, old: str, new: str, tags: Iterable[Tag]) -> VerbResult:
        """Make own tags of one mode tags of another, which is made when it is new; all of it is one act."""
        mode = self.modes.mode(old)
        event, said = self._recoded(lambda modes: modes.add(new, mode)[1])
        target = self.modes.mode(code_of(new))
        meant = [tag for tag in tags if self.codebook.mode(tag.code) == mode]
        own = [tag for tag in meant if tag.by == self.by]
        edits = [EventDraft(str(tag.ref), tag.digest, "edit", {"tag": tag.id, "code": target.code}) for tag in own]
        if doings := [*([event] if event else []), *edits]:
            self.pen.acts(doings)
        others = f" {len(meant) - len(own):,} are other reviewers' and stay." if len(own) < len(meant) else ""
        return VerbResult(f"{said} {len(own):,} tags of {mode.code} are now {target.code}.{others}")

    def _recoded(self, verb: Callable[[Modes], str]) -> tuple[EventDraft | None, str]:
        before = self.modes.text
        said = verb(self.modes)
        was, now = codebook_text.difference(before, self.modes.text)
        change = {"said": said, "was": was, "now": now}
        return (EventDraft(CODEBOOK, "", "codebook", change) if was != now else None), said

    def _turn_codebook(self, act: Act, there: str, wanted: str) -> None:
        for event in reversed(act):
            if event.do == "codebook":
                self.modes.replace(str(event.fields.get(there)), str(event.fields.get(wanted)))

    def _made(self, event: Event) -> Tag | None:
        """The tag that an event made, as the ledger folded it."""
        return self.state(event.conversation).tag(event.id)

    def _own(self, where: Where) -> list[tuple[Tag, set[str]]]:
        """This reviewer's tags there, the latest first, with the places where they stand now."""
        if isinstance(where, str):
            return [(tag, {""}) for tag in reversed(self.state(where).tags) if tag.by == self.by]
        marks = [mark for mark in self.marks(where) if mark.own and mark.tag.ref.conversation == where.ref]
        marks.sort(key=lambda mark: mark.tag.id, reverse=True)
        return [(mark.tag, {ref.place for ref in mark.places}) for mark in marks]


def _check_stance(stance: str) -> None:
    if stance and stance not in events.STANCES:
        raise JournalError(f"“{stance}” is not a stance.", f"It is one of {', '.join(events.STANCES)}.")


def _decision(do: str, finding: Finding, stored: Stored) -> EventDraft:
    """What is written of a finding that is accepted or rejected; it is copied whole."""
    ref = finding.claim.ref.conversation
    digest = stored.digest if ref == stored.ref else ""  # a case has none
    return EventDraft(ref, digest, do, {"finding": shapes.finding_fields(finding)})


def _ref(where: Where) -> str:
    return where if isinstance(where, str) else where.ref


def _digest(where: Where) -> str:
    return "" if isinstance(where, str) else where.digest


def anchored(where: Where, place: Ref | None) -> Anchor:
    """The anchor of a place; of the whole conversation or case when none is named."""
    if isinstance(where, str):
        if place is not None and place.message is not None:
            raise JournalError(f"{where} is a case; its words stand in its runs.", "Name one run: MODEL/CASE/RUN#4.")
        return Anchor(Ref(where), "")
    return anchors.anchor(where, place or Ref(where.ref))


def _words(where: Where, evidence: Evidence) -> EvidenceWords:
    """What a piece of evidence says that was just attached."""
    at = None if isinstance(evidence, Absence) else evidence.ref
    stored = where if isinstance(where, Stored) and at is not None and at.conversation == where.ref else None
    return evidence_words(evidence, stored, at, _ref(where))


def _evidence(where: Where, proof: Proof | Anchor) -> Evidence:
    """Evidence as it is kept; what stands in another conversation comes as an anchor made there."""
    return proof if isinstance(proof, Absence | Anchor) else anchored(where, proof)
