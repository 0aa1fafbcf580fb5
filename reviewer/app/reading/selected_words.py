"""Words being selected: by sentence, word and part, and the keys that count meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from reviewer.app.shared.sheet import Item
from reviewer.basics import sentences
from reviewer.basics.jsonspans import is_object
from reviewer.basics.sentences import Span
from reviewer.basics.units import Units, units_of
from reviewer.marks.review.words import of_tag
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import Part

if TYPE_CHECKING:
    from reviewer.app.marking.tag_screen import TagScreen
    from reviewer.basics.sentences import Span
    from reviewer.transcripts.refs import Part


class Stretch(NamedTuple):
    """Words of one part of an item."""

    item: Item
    part: Part
    span: Span
    words: str

    @property
    def place(self) -> tuple[int, int, str, Span]:
        """Where it stands among others, in reading order."""
        return self.item.message, self.item.call or 0, self.part, self.span


@dataclass(frozen=True, slots=True)
class WordSelection:
    """A selection of words as it is being made; every move gives another."""

    item: Item
    part: Part
    text: str
    """The stored text that is selected from."""
    units: Units
    """What `j` and `k` go by: sentences, or the fields of a call."""
    span: Span
    pieces: tuple[Span, ...] = ()
    """What was kept with a comma."""
    elsewhere: tuple[Stretch, ...] = ()
    """What was kept of other items, or of another part of this one."""

    def unit(self, by: int) -> WordSelection:
        """The next sentence, or the one before."""
        wanted = self.units.after(self.span[0]) if by > 0 else self.units.before(self.span[0])
        return replace(self, span=wanted or self.span)

    def edge(self, *, last: bool) -> WordSelection:
        """The first sentence of the text, or the last."""
        return replace(self, span=self.units.at(len(self.text) if last else 0) or self.span)

    def end(self, by: int) -> WordSelection:
        """The end a word on, or back."""
        move = sentences.end_forward if by > 0 else sentences.end_back
        return replace(self, span=move(self.text, self.span))

    def start(self, by: int) -> WordSelection:
        """The start a word on, or back."""
        move = sentences.start_forward if by > 0 else sentences.start_back
        return replace(self, span=move(self.text, self.span))

    def to(self, words: str) -> WordSelection | None:
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

    def keep(self) -> WordSelection:
        """Keep this piece and go on to the next sentence."""
        kept = tuple(sorted({*self.pieces, self.span}))
        after = replace(self, pieces=kept)
        return after.unit(1)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Return all pieces in the order of the text; overlapping ones as one."""
        joined: list[Span] = []
        for start, end in sorted({*self.pieces, self.span}):
            if joined and start < joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return tuple(joined)

    @property
    def kept(self) -> bool:
        """True if anything was kept with a comma."""
        return bool(self.pieces or self.elsewhere)

    @property
    def stretches(self) -> list[Stretch]:
        """Return everything that is selected, in reading order."""
        return sorted((*self.elsewhere, *self._stretches(self.spans)), key=lambda each: each.place)

    @property
    def quote(self) -> str:
        """The selected words, pieces joined by an ellipsis."""
        return " … ".join(each.words for each in self.stretches)

    def going_on(self, other: WordSelection) -> WordSelection:
        """Return a selection of another text with what was kept so far."""
        kept = (*self.elsewhere, *self._stretches(self.pieces))
        own = tuple(each.span for each in kept if (each.item, each.part) == (other.item, other.part))
        rest = tuple(each for each in kept if (each.item, each.part) != (other.item, other.part))
        return replace(other, pieces=own, elsewhere=rest)

    def _stretches(self, spans: Sequence[Span]) -> tuple[Stretch, ...]:
        return tuple(Stretch(self.item, self.part, span, self.text[slice(*span)]) for span in spans)


def opened(item: Item, part: Part, text: str, offset: int) -> WordSelection | None:
    """A selection that opens on the sentence (or field) of a character; None where there are no words."""
    units = units_of(text, item.call is not None or (part == "text" and is_object(text)))
    span = units.at(offset)
    return WordSelection(item, part, text, units, span) if span is not None else None


def over(item: Item, part: Part, text: str, span: Span, unit: str) -> WordSelection | None:
    """A selection of these characters, or of the word or unit they begin in; None where there are no words."""
    chosen = opened(item, part, text, span[0])
    if chosen is None or unit == "unit":
        return chosen
    if unit == "word":
        span = sentences.word_at(text, span[0]) or span
    return replace(chosen, span=span)


_OTHER: dict[Part, Part] = {"text": "reasoning", "reasoning": "text", "result": "arguments", "arguments": "result"}


class SelectionKeys:
    """The keys of the selection."""

    def __init__(self, screen: TagScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            "select": self.begin,
            "select.next": partial(self.change, lambda chosen: self._unit(chosen, 1)),
            "select.previous": partial(self.change, lambda chosen: self._unit(chosen, -1)),
            "select.end.forward": partial(self.change, lambda chosen: chosen.end(1)),
            "select.end.back": partial(self.change, lambda chosen: chosen.end(-1)),
            "select.start.forward": partial(self.change, lambda chosen: chosen.start(1)),
            "select.start.back": partial(self.change, lambda chosen: chosen.start(-1)),
            "select.first": partial(self.change, lambda chosen: chosen.edge(last=False)),
            "select.last": partial(self.change, lambda chosen: chosen.edge(last=True)),
            "select.piece": partial(self.change, lambda chosen: chosen.keep()),
            "select.part": self.part,
            "select.proof": self.prove,
            "select.find": self.find,
            "select.find.entered": self.move_to,
            "select.leave": self.leave,
            "select.words": self.words,
        }

    def begin(self) -> None:
        """Open on the sentence of the fact or hit one stands on, else on the first."""

        screen, viewing = self._screen, self._screen.viewing
        item = screen.transcript.cursor
        if viewing.stored is None or not viewing.stored.conversation.messages:
            return
        part, text = viewing.texts(item)
        offset = 0
        words = viewing.stood_on(item)
        if words is not None:
            part, (offset, _) = words
            text = viewing.stored_text(item, part)
        chosen = opened(item, part, text, offset)
        if chosen is None:
            screen.say("There are no words to select here.", "muted")
            return
        self._show(chosen)

    def change(self, move: Callable[[WordSelection], WordSelection]) -> None:
        """Put another selection in the place of this one."""
        chosen = self._screen.viewing.selecting
        if chosen is not None:
            moved = move(chosen)
            (start, end), (was_start, was_end) = moved.span, chosen.span
            self._show(moved, end - 1 if start == was_start and end != was_end else start)

    def part(self) -> None:
        """Go on in the item's other part: its reasoning, or the arguments of a call."""

        screen, viewing, chosen = self._screen, self._screen.viewing, self._screen.viewing.selecting
        if chosen is None:
            return
        part = _OTHER[chosen.part]
        other = opened(chosen.item, part, viewing.stored_text(chosen.item, part), 0)
        if other is None:
            screen.say(f"There is no {part} here.", "muted")
        else:
            self._show(chosen.going_on(other))

    def _unit(self, chosen: WordSelection, by: int) -> WordSelection:
        """The next sentence or the one before; once a piece was kept, behind the end that of the next message."""
        moved = chosen.unit(by)
        return self._beyond(chosen, by) if moved.span == chosen.span and chosen.kept else moved

    def _beyond(self, chosen: WordSelection, by: int) -> WordSelection:
        """The nearest sentence of another message (or field of another call); the same selection when there is none."""
        viewing = self._screen.viewing
        alike = [item for item in viewing.items() if (item.call is None) == (chosen.item.call is None)]
        at = alike.index(chosen.item) if chosen.item in alike else 0
        for item in alike[at + 1 :] if by > 0 else reversed(alike[:at]):
            part, text = viewing.texts(item)
            other = opened(item, part, text, 0 if by > 0 else len(text))
            if other is not None:
                return chosen.going_on(other)
        return chosen

    def prove(self) -> None:
        """Attach the selected words as evidence to the tag that was acted on last."""
        screen, stored, marking = self._screen, self._screen.viewing.stored, self._screen.marking
        tags = (each for each in marking.marks if each.finding is None)
        mark = next((each for each in tags if each.tag.id == marking.last_tag), None)
        if stored is None or mark is None:
            screen.say("Tag the claim first; then select the words that disprove it, and s.", "muted")
            return
        places = marking.places()
        outcome = marking.act(lambda session: session.attach(stored, mark.tag, *places)) if marking.in_sight() else None
        if outcome is not None:
            self.leave()
            screen.say(f"{outcome.words[:-1]}, as evidence of {of_tag(mark.tag)}.", "good")

    def find(self) -> None:
        """Ask for words to move to."""
        self._screen.prompt.ask("select.find", "move the selection to these words")

    def move_to(self, words: str) -> None:
        """Move to the words that were typed."""
        chosen = self._screen.viewing.selecting
        wanted = chosen.to(words) if chosen is not None else None
        if wanted is None:
            self._screen.say(f"No “{words}” in this item.", "muted")
        else:
            self._show(wanted)

    def leave(self) -> None:
        """Select nothing."""
        self._screen.viewing.selecting = None

    def words(self, item: Item, part: Part, span: Span, unit: str) -> None:
        """Select what the mouse went over; nothing on screen moves. Another conversation may have been opened since."""
        screen, viewing = self._screen, self._screen.viewing
        if not _has(viewing.stored, item):
            return
        chosen, before = over(item, part, viewing.stored_text(item, part), span, unit), viewing.selecting
        if chosen is not None:
            viewing.selecting = before.going_on(chosen) if before is not None else chosen
            screen.transcript.hold(item)

    def _show(self, chosen: WordSelection, at: int | None = None) -> None:
        """Select this, with its beginning on screen, or another character of it; what hides that is opened."""
        self._screen.viewing.selecting = chosen
        self._screen.showing.reveal(chosen.item, chosen.part, chosen.span[0] if at is None else at)


def _has(stored: Stored | None, item: Item) -> bool:
    """Whether a conversation has this item."""
    messages = stored.conversation.messages if stored is not None else ()
    if not item.message:
        return stored is not None
    return item.message <= len(messages) and (item.call or 0) <= len(messages[item.message - 1].calls)
