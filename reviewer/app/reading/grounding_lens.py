"""The grounding lens over a conversation: its facts as they are painted, the one that the reader stands on, and words.

Owns what is lit and what is said. `reviewer.findings.reads` works out where facts come from. For a long conversation
another thread does that work and hands the result in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from reviewer.app.marking import drawn_marks as drawn
from reviewer.app.reading.lens import Lens, LensFoot
from reviewer.app.shared.line_widgets import Bit
from reviewer.app.shared.sheet import Item, Paint
from reviewer.basics.clean import printable_line
from reviewer.findings.reads.grounds import GroundedFact, Grounds, grounds
from reviewer.marks.evidence_words import item_place
from reviewer.transcripts.model import Stored

if TYPE_CHECKING:
    from reviewer.basics.sentences import Span
    from reviewer.findings.reads.confirmations import Confirmation
    from reviewer.findings.reads.holders import Holder, Origin
    from reviewer.transcripts.refs import Ref

_AT_ONCE = 20_000
"""Characters of a conversation that are looked through within a frame."""
_LONGEST = 60
"""Characters of a fact that are said."""
_WIDE = 110
"""From so many cells on the legend has room for counts."""
LEGEND: Mapping[Origin, tuple[str, str]] = {
    "tool": ("tool", "from tools"),
    "citation": ("citation", "from citations"),
    "told": ("told", "from what the agent was told"),
    "customer": ("customer", "from the customer only"),
    "nowhere": ("nowhere", "from nowhere"),
}
"""Where facts come from: in a word, and as it is said of some."""
_BESIDE = {"policy": "the desk's policy", "context": "the case's context", "clock": "the conversation's clock"}


class GroundingLens(Lens):
    """What the lens shows of the open conversation."""

    on = True

    def __init__(self, work_out: Callable[[Stored], None]) -> None:
        self._work_out = work_out
        self._stored: Stored | None = None
        self._facts: Sequence[GroundedFact] = ()
        self._paints: Sequence[Paint] = ()
        self._source_paints: Sequence[Paint] = ()
        self.at: int | None = None
        """The number of the fact that the reader went to."""
        self.working = False
        """Whether it is still being worked out."""
        self.remarks = {}
        self.lit = ()

    def take(self, stored: Stored) -> None:
        """Look at another conversation: at once, or when somebody has worked it out."""
        if stored is self._stored:
            return
        self._stored, self._facts, self._paints, self.remarks = stored, (), (), {}
        self.at, self.lit, self.working = None, (), _length(stored) > _AT_ONCE
        if self.working:
            self._work_out(stored)
        else:
            self.hold(stored, grounds(stored))

    def hold(self, stored: Stored, known: Grounds) -> None:
        """Show what was worked out, if it is of the conversation that is open."""
        if stored is self._stored:
            self.working = False
            self._facts = known.facts
            self._paints = [
                Paint(each.message, None, "text", each.start, each.end, f"fact.{each.origin}") for each in known.facts
            ]
            self.remarks = {Item(called.message, called.position): _remark(how) for called, how in known.writes}

    # -- where the reader is -----------------------------------------------------------------------------------------

    @property
    def fact(self) -> GroundedFact | None:
        """The fact that the reader went to."""
        return self._facts[self.at] if self.at is not None else None

    @property
    def source(self) -> Ref | None:
        """The place that it comes from; None where it has none in the conversation."""
        fact = self.fact
        return fact.source.ref if fact is not None and fact.source is not None else None

    def words_on(self, item: Item) -> Span | None:
        """The words of the fact that the reader went to, while the cursor is still on its message."""
        fact = self.fact
        return (fact.start, fact.end) if fact is not None and Item(fact.message) == item else None

    def is_source(self, item: Item) -> bool:
        """True if the fact that the reader went to comes from this item."""
        source = self.source
        return source is not None and (source.message, source.call) == item

    def step(self, by: int, cursor: Item) -> GroundedFact | None:
        """Go so many facts on from the last one, else from the cursor, round the ends; None where there are none.

        From where a fact comes from, back is to the fact itself.
        """
        if not self._facts:
            return None
        if self.at is not None:
            back = by < 0 and self.words_on(cursor) is None and self.is_source(cursor)
            self.at = (self.at + (0 if back else by)) % len(self._facts)
        else:
            before = sum(each.message < cursor.message for each in self._facts)
            self.at = (before if by > 0 else before - 1) % len(self._facts)
        self.lit = self._source_paints = self._places()
        return self.fact

    def follow(self, cursor: Item) -> bool:
        """Light the place that the fact comes from while the cursor is at either end; False if it is so already."""
        lit = self._source_paints if self.words_on(cursor) is not None or self.is_source(cursor) else ()
        changed = lit != self.lit
        self.lit = lit
        return changed

    def _places(self) -> Sequence[Paint]:
        source = self.source
        return drawn.lit(source, self._stored) if source is not None and self._stored is not None else ()

    def paints(self) -> Sequence[Paint]:
        """What is laid over the words."""
        if self.at is None:
            return self._paints
        here = self._paints[self.at]._replace(style="hit-here")
        return [*self._paints[: self.at], here, *self._paints[self.at + 1 :]]

    # -- words -------------------------------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """What the lens shows, counted."""
        if self.working:
            return "This conversation is long: where its facts come from is being worked out."
        if not self._facts:
            return "The agent tells no dates, sums, numbers or addresses here."
        counts = self._counts()
        parts = [f"{counts[origin]:,} {told}" for origin, (_, told) in LEGEND.items() if counts[origin]]
        return f"{len(self._facts):,} fact{'s' if len(self._facts) > 1 else ''}: {', '.join(parts)}."

    def foot(self, cursor: Item, width: int) -> LensFoot:
        """The fact that the reader stands on with where it comes from, and the four looks."""
        told = [(f" {self.words}", "muted")] if self.working else self._told(cursor)
        return LensFoot(told, self._legend(width))

    def _told(self, cursor: Item) -> list[Bit]:
        fact, stored = self.fact, self._stored
        if fact is None or stored is None or not (self.words_on(cursor) or self.is_source(cursor)):
            return []
        text = stored.conversation.messages[fact.message - 1].text
        quote = printable_line(" ".join(text[fact.start : min(fact.end, fact.start + _LONGEST)].split()))
        place = _place(fact.source) if fact.source is not None else f"nowhere before #{fact.message}"
        return [
            (" ", ""),
            (f'"{quote}"', f"fact.{fact.origin}"),
            (f" · {printable_line(place)}", "text"),
            (f"  {(self.at or 0) + 1} of {len(self._facts):,}", "muted"),
        ]

    def _legend(self, width: int) -> list[Bit]:
        """The looks, each on its word, with counts where there is room; few conversations have citations."""
        counts = self._counts()
        bits: list[Bit] = []
        for origin, (word, _) in LEGEND.items():
            if origin == "citation" and not counts[origin]:
                continue
            bits += [("  ", ""), (word, f"fact.{origin}")]
            bits += [(f" {counts[origin]:,}", "muted")] if width >= _WIDE and not self.working else []
        return [*bits, (" ", "")]

    def _counts(self) -> Counter[Origin]:
        return Counter(each.origin for each in self._facts)


def _length(stored: Stored) -> int:
    """The characters that have to be looked through."""
    return sum(
        len(message.text) + sum(len(call.result or "") for call in message.calls)
        for message in stored.conversation.messages
    )


def _place(source: Holder) -> str:
    """Where a fact comes from, in words."""
    if source.origin == "citation":
        return f"citation in #{source.since}: {source.name}" if source.name else f"citation in #{source.since}"
    if source.ref is None:
        return _BESIDE.get(source.name, source.name)
    place = item_place(source.ref)
    if source.origin == "tool":
        return " ".join(each for each in (source.name, place, source.ref.pointer) if each)
    if source.origin == "customer":
        return f"only the customer says so, {place}"
    return f"told in the prompt, {place}" if source.name == "system" else f"told by the {source.name}, {place}"


def _remark(how: Confirmation) -> Bit:
    """Who confirmed a write, or nobody."""
    asked = f"asked in #{how.asked}, " if how.asked is not None else ""
    if how.standing == "confirmed":
        return f"confirmed: {asked}yes in #{how.answered}", "good"
    if how.standing == "unclear":
        return f"confirmed? no clear yes in #{how.answered}", "tag"
    words = {
        "refused": f"unconfirmed: no in #{how.answered}",
        "undecided": f"unconfirmed: left open in #{how.answered}",
        "unanswered": f"unconfirmed: no answer to #{how.asked}",
    }
    return words.get(how.standing, "confirmed by nobody"), "bad"
