"""Verdicts, clauses, causes and stances; and that a conversation was reviewed, with how much of it was shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from reviewer.app.shared.rows import place_in_queue

if TYPE_CHECKING:
    from reviewer.app.marking.tag_screen import TagScreen
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.transcripts.model import Stored


class VerdictKeys:
    """The keys that say how a conversation went: verdicts, clauses, stances, causes."""

    def __init__(self, screen: TagScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            "verdict.pass": partial(self.verdict, "pass"),
            "verdict.fail": partial(self.verdict, "fail"),
            "verdict.defer": partial(self.verdict, "defer"),
            "clause": self.clause,
            "clause.entered": self.write_clause,
            "cause": self.cause,
            "stance": self.stance,
        }

    def verdict(self, word: str) -> None:
        """Say pass, fail or defer; the same again takes it back."""
        stored, marking = self._screen.viewing.stored, self._screen.marking
        if stored is not None:
            now = marking.session.state(stored.ref).verdicts.get(marking.session.by)
            marking.act(lambda session: session.verdict(stored, "" if now == word else word))

    def clause(self) -> None:
        """Ask for the clause of the tag under the cursor."""
        if mark := self._screen.marking.mark_here():
            self._screen.prompt.ask("clause", "the clause printed with the excerpt", mark.tag.clause)

    def write_clause(self, text: str) -> None:
        """Keep the clause that was typed."""
        if mark := self._screen.marking.tag_here:
            self._screen.marking.act(lambda session: session.edit(mark.tag, clause=text.strip()))

    def stance(self) -> None:
        """Set the next stance of the tag under the cursor; after the last, none."""
        from reviewer.marks.events import STANCES

        if mark := self._screen.marking.mark_here():
            now = ("", *STANCES).index(mark.tag.stance)
            wanted = ("", *STANCES)[(now + 1) % (len(STANCES) + 1)]
            self._screen.marking.act(lambda session: session.edit(mark.tag, stance=wanted))

    def cause(self) -> None:
        """Pick, by its first letter, what the agent fell for."""
        from reviewer.app.shared.pick import Choice, PickScreen
        from reviewer.marks.events import CAUSES

        screen, mark = self._screen, self._screen.marking.mark_here()
        if mark is None:
            return
        choices = [Choice(word, key=word[0]) for word in (*CAUSES, "none")]

        def picked(answer: int | str | None) -> None:
            if isinstance(answer, int):
                cause = "" if answer == len(CAUSES) else CAUSES[answer]
                screen.marking.act(lambda session: session.edit(mark.tag, cause=cause))

        screen.app.push_screen(PickScreen("Cause", choices, quick=True), screen.guarded(picked))


class ReviewedKey:
    """The key that marks the conversation under the cursor as reviewed."""

    def __init__(self, screen: TagScreen) -> None:
        self._at = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {"reviewed": self.reviewed}

    def reviewed(self) -> None:
        """Say that it was reviewed."""
        if words := self.finish():
            self._at.say(words, "good")

    def finish(self) -> str:
        """Write that it was reviewed, and again once more of it was shown; nothing when it could not be written."""
        stored, marking = self._at.viewing.stored, self._at.marking
        if stored is None:
            return ""
        seen, of = len(self._at.viewing.seen), len(stored.conversation.messages)
        done = marking.session.state(stored.ref).reviewed.get(marking.by)
        how: dict[str, Any] | None = None
        if done is None or done.digest != stored.digest:
            how = {**self._circumstances(stored), "seen": seen, "of": of}
        elif (done.extent == "part" and seen > done.how["seen"]) or (done.extent == "unknown" and seen == of):
            how = {**done.how, "seen": seen, "of": of, "further": True}
        if how is not None and not marking.act(lambda session: session.reviewed(stored, **how)):
            return ""
        return f"Reviewed{self._not_shown(stored)}{self._revealed(stored)}."

    def _circumstances(self, stored: Stored) -> dict[str, Any]:
        """Return what goes into the line: the query, the queue, and if suggestions and others' work were shown."""
        session, query = self._at.marking.session, self._at.reading.query
        return {**({"query": query} if query else {}), **session.sight.how(session.state(stored.ref))}

    def _not_shown(self, stored: Stored) -> str:
        """Say how many of its messages were not on screen, as the review that stands says."""
        done = self._at.marking.session.state(stored.ref).reviewed[self._at.marking.by]
        if done.extent != "part":
            return "" if done.extent == "end" else ", unknown how far"
        of = done.how["of"]
        return f" in part: {of - done.how['seen']:,} of {of:,} message{'' if of == 1 else 's'} not shown"

    def _revealed(self, stored: Stored) -> str:
        """Say what others said of it and what reads suggest, where that was hidden until now."""
        session = self._at.marking.session
        if not session.sight.alone:
            return ""
        others = sum(not mark.own for mark in session.marks(stored))
        said = [f"others put {others} tag{'' if others == 1 else 's'} on it"] if others else []
        missed, alone = len(session.suggested(stored)), session.unsuggested(stored)
        said += [f"reads suggest {missed} more"] if missed else []
        said += [f"{alone} of your tags {'was' if alone == 1 else 'were'} not suggested"] if alone else []
        return "".join(f"; {each}" for each in said)


class NextReviewedKey(ReviewedKey):
    """The same key in the reading room, where it opens the next conversation that was not reviewed."""

    def __init__(self, screen: ReviewScreen) -> None:
        super().__init__(screen)
        self._screen = screen

    def reviewed(self) -> None:
        """Say that it was reviewed, and open the next one that was not."""
        screen, words = self._screen, self.finish()
        if not words:
            return
        index = self._next_unreviewed()
        if index is None:
            screen.say(f"{words} Nothing unreviewed is left in this queue.", "good")
            return
        back = f" {screen.key('conversation.previous')} goes back." if ";" in words else ""
        screen.showing.stand(index)
        screen.say(f"{words}{back} Next: {place_in_queue(index, len(screen.reading.ids))}.", "good")

    def _next_unreviewed(self) -> int | None:
        """The next line that this reviewer has not reviewed; past the end it goes on from the beginning."""
        screen, session = self._screen, self._screen.marking.session
        ids, at = screen.reading.ids, screen.reading.index or 0
        index: int
        for index in chain(range(at + 1, len(ids)), range(at)):
            row = screen.queue.row(index)
            if row is not None and session.by not in session.state(row.ref).reviewed:
                return index
        return None
