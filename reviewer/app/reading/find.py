"""Words found in what is read: their places, and the keys that go to them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from reviewer.app.shared.sheet import Item
from reviewer.transcripts.model import Conversation
from reviewer.transcripts.query import Scope, TextTerm
from reviewer.transcripts.query.matches import spans
from reviewer.transcripts.refs import Part

if TYPE_CHECKING:
    from reviewer.app.marking.tag_screen import TagScreen


MOST = 10_000
"""More hits than this are not collected; nobody steps through them."""


@dataclass(frozen=True, slots=True)
class WordHit:
    """Characters of a message (from 1), or of a call of it (from 1)."""

    message: int
    call: int | None
    part: Part
    start: int
    end: int


def hits(conversation: Conversation, words: str, *, reasoning: bool, calls: bool, notes: bool = False) -> list[WordHit]:
    """Find the words, in reading order; capitals matter only when the words have any."""
    if not words:
        return []
    pattern = re.compile(re.escape(words), 0 if words != words.lower() else re.IGNORECASE)
    places: list[WordHit] = []
    for number, call, part, text in (*_notes(conversation, notes), *_texts(conversation, reasoning, calls)):
        for match in pattern.finditer(text):
            places.append(WordHit(number, call, part, *match.span()))
            if len(places) == MOST:
                return places
    return places


def sought_hits(conversation: Conversation, sought: Sequence[tuple[TextTerm, Scope]], *, calls: bool) -> list[WordHit]:
    """Find the words of a filter, each where the filter looks for it, in reading order."""
    places: list[WordHit] = []
    for number, call, part, text in _texts(conversation, True, calls) if sought else ():
        writer = "tool" if part == "result" else conversation.messages[number - 1].role
        standing = {
            span
            for term, scope in sought
            if writer in scope.writers and part in scope.parts
            for span in spans(term, text)
        }
        places.extend(WordHit(number, call, part, *span) for span in sorted(standing))
        if len(places) >= MOST:
            break
    return places[:MOST]


def _notes(conversation: Conversation, wanted: bool) -> Iterator[tuple[int, int | None, Part, str]]:
    for index, note in enumerate(conversation.judged if wanted else (), start=1):
        yield 0, index, "text", note.text


def _texts(conversation: Conversation, reasoning: bool, calls: bool) -> Iterator[tuple[int, int | None, Part, str]]:
    for number, message in enumerate(conversation.messages, start=1):
        if reasoning:
            yield number, None, "reasoning", message.reasoning
        yield number, None, "text", message.text
        for index, call in enumerate(message.calls if calls else (), start=1):
            yield number, index, "arguments", call.arguments or ""
            yield number, index, "result", call.result or ""


class FindKeys:
    """The keys that look for words."""

    def __init__(self, screen: TagScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            "find": self.find,
            "find.typed": self.light_up,
            "find.entered": self.go_to_first,
            "find.left": partial(self.light_up, ""),
            "find.next": partial(self.hit, 1),
            "find.previous": partial(self.hit, -1),
            "back": self.back,
        }

    def find(self) -> None:
        """Ask what to find."""
        self._screen.prompt.ask("find", "find in this conversation", self._screen.viewing.words)

    def light_up(self, words: str) -> None:
        """Show every hit of what is typed so far."""
        for viewing in self._screen.showing.views:
            viewing.look_for(words)

    def go_to_first(self, words: str) -> None:
        """Go to the first hit from the cursor on."""
        self.light_up(words)
        if words:
            self.hit(0)

    def hit(self, by: int) -> None:
        """Go to a hit: so many on, or for 0 the first from the cursor on; under the lens, from fact to fact.

        Words that one typed are looked for round the ends; those of the filter, on into the conversations around.
        """
        screen = self._screen
        viewing = screen.viewing
        if viewing.lens.on and not viewing.words:
            screen.action_do("lens.step", by)
        elif not viewing.words and not viewing.sought:
            screen.say(f"Nothing to find yet: {screen.key('find')} and the words.", "muted")
        elif viewing.words and not viewing.hits:
            screen.say(f"No “{viewing.words}” here.", "muted")
        else:
            at = self._next(by)
            if viewing.words:
                self.show(at % len(viewing.hits))
            elif 0 <= at < len(viewing.hits):
                self.show(at)
            else:
                screen.action_do("find.onwards", by)

    def show(self, at: int) -> None:
        """Go to the hit of this number, and say which it is."""
        screen, viewing = self._screen, self._screen.viewing
        viewing.hit = at
        hit = viewing.hits[at]
        screen.showing.reveal(Item(hit.message, hit.call), hit.part, hit.start)
        words = viewing.words or viewing.stored_text(Item(hit.message, hit.call), hit.part)[hit.start : hit.end]
        screen.say(f"“{words}”: hit {at + 1} of {len(viewing.hits)}.", "muted")

    def _next(self, by: int) -> int:
        """The number of the hit so many on from the last one, else from the cursor; it may be past the ends."""
        viewing, cursor = self._screen.viewing, self._screen.transcript.cursor
        if viewing.hit is not None:
            return viewing.hit + by
        places = [(hit.message, hit.call or 0) for hit in viewing.hits]
        return bisect_left(places, (cursor.message, cursor.call or 0)) - (1 if by < 0 else 0)

    def back(self) -> None:
        """Clear the hits, else take the lens away, else go back, to the report where that led here."""
        screen = self._screen
        if screen.viewing.words:
            self.light_up("")
        elif screen.viewing.lens.on and screen.scope != "queue":
            screen.action_do("lens")
        elif screen.reading.came_from_report and screen.scope == "transcript":
            screen.action_do("report.return")
        else:
            screen.action_do("leave")
