"""Notes: on the tag under the cursor, or on their own. A draft that was left is there again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer.ui import marks as drawn

if TYPE_CHECKING:
    from reviewer.session import Mark, Outcome, Session
    from reviewer.ui.surface import Surface


class Noting:
    """The key that writes words of one's own."""

    def __init__(self, screen: Surface) -> None:
        self._screen = screen
        self._drafts: dict[str, str] = {}

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Actions and what does them."""
        return {"note": self.note}

    def note(self) -> None:
        """Write the note of the tag under the cursor; where there is none, a note of its own."""
        from reviewer.ui.screens.note import NoteScreen

        stored = self._screen.viewing.stored
        if stored is None:
            return
        mark = self._own_mark()
        places = self._screen.marking.places()
        where = mark.tag.id if mark else f"{stored.ref}{places[0].place if places else ''}"
        text = self._drafts.get(where, mark.tag.note if mark else "")
        about = (
            f"Note on {drawn.words(mark, self._screen.viewing.plain)}"
            if mark
            else f"Note on {places[0].place if places else 'this'}"
        )

        def written(result: tuple[bool, str] | None) -> None:
            save, words = result or (False, text)
            self._drafts[where] = words
            if not save or not (mark or words.strip()):
                kept = f"The draft is kept; {self._screen.key('note')} goes on with it."
                self._screen.say(kept if words.strip() else "No note.", "muted")
                return

            def verb(session: Session) -> Outcome:
                if mark is not None:
                    return session.edit(mark.tag, note=words.strip())
                return session.tag(stored, "", *places, note=words.strip())

            if self._screen.marking.act(verb):
                del self._drafts[where]

        self._screen.app.push_screen(NoteScreen(about, text), written)

    def _own_mark(self) -> Mark | None:
        marking = self._screen.marking
        if marking.here is not None and marking.here.own:
            return marking.here
        own = [mark for mark in marking.marks if mark.own]
        return drawn.at(own, self._screen.transcript.cursor, marking.last_tag)
