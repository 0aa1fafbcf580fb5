"""Selecting words of an item: by sentence (or by field, in a call), the ends by word, in one piece or several. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reviewer.model import Part
from reviewer.text import sentences
from reviewer.text.jsonspans import leaves
from reviewer.text.sentences import Span
from reviewer.ui.sheet import Item


@dataclass(frozen=True, slots=True)
class Selecting:
    """A selection as it is being made; every move gives another."""

    item: Item
    part: Part
    text: str
    """The stored text that is selected from."""
    units: Sequence[Span]
    """What `j` and `k` go by: sentences, or the fields of a call."""
    span: Span
    pieces: tuple[Span, ...] = ()
    """What was kept with a comma."""

    def unit(self, by: int) -> Selecting:
        """The next sentence, or the one before."""
        if by > 0:
            wanted = next((each for each in self.units if each[0] > self.span[0]), self.span)
        else:
            wanted = next((each for each in reversed(self.units) if each[0] < self.span[0]), self.span)
        return replace(self, span=wanted)

    def end(self, by: int) -> Selecting:
        """The end a word on, or back."""
        move = sentences.end_forward if by > 0 else sentences.end_back
        return replace(self, span=move(self.text, self.span))

    def start(self, by: int) -> Selecting:
        """The start a word on, or back."""
        move = sentences.start_forward if by > 0 else sentences.start_back
        return replace(self, span=move(self.text, self.span))

    def to(self, words: str) -> Selecting | None:
        """The next place of these words behind the start of the selection, else the first; None when there is none."""
        low, wanted = self.text.lower(), words.lower()
        at = (
            low.find(wanted, self.span[0] + 1)
            if len(low) == len(self.text)
            else self.text.find(words, self.span[0] + 1)
        )
        if at < 0:
            at = low.find(wanted) if len(low) == len(self.text) else self.text.find(words)
        return replace(self, span=(at, at + len(words))) if at >= 0 and words else None

    def keep(self) -> Selecting:
        """Keep this piece and go on to the next sentence."""
        kept = tuple(sorted({*self.pieces, self.span}))
        after = replace(self, pieces=kept)
        return after.unit(1)

    @property
    def spans(self) -> tuple[Span, ...]:
        """All pieces in the order of the text; what overlaps is one."""
        joined: list[Span] = []
        for start, end in sorted({*self.pieces, self.span}):
            if joined and start < joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return tuple(joined)

    @property
    def quote(self) -> str:
        """The selected words, pieces joined by an ellipsis."""
        return " … ".join(self.text[start:end] for start, end in self.spans)


def opened(item: Item, part: Part, text: str, offset: int) -> Selecting | None:
    """A selection that opens on the sentence (or field) of a character; None where there are no words."""
    fields = [(leaf.start, leaf.end) for leaf in leaves(text) or ()] if item.call is not None else []
    units = fields or sentences.sentences(text)
    if not units:
        return None
    span = next((each for each in units if each[1] > offset), units[-1])
    return Selecting(item, part, text, units, span)


def over(item: Item, part: Part, text: str, span: Span, unit: str) -> Selecting | None:
    """A selection of these characters, or of the word or unit they begin in; None where there are no words."""
    found = opened(item, part, text, span[0])
    if found is None or unit == "unit":
        return found
    if unit == "word":
        span = next((word for word in sentences.words(text) if word[0] <= span[0] < word[1]), span)
    return replace(found, span=span)
