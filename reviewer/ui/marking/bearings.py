"""What a tag bears besides its mode: evidence picked by hand, and a note."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer.model import Stored
from reviewer.refs import Absence, Ref, absence_text
from reviewer.text.clean import printable_line
from reviewer.text.jsonspans import leaves
from reviewer.ui.marking import drawn_marks as drawn

if TYPE_CHECKING:
    from reviewer.session import Mark, Session, VerbResult
    from reviewer.ui.marking.tag_screen import TagScreen


_LONGEST_VALUE = 80


class EvidenceKeys:
    """The keys that list what can be evidence."""

    def __init__(self, screen: TagScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {"evidence.pick": self.evidence}

    def evidence(self) -> None:
        """Pick evidence by hand: fields of results and arguments, messages, and calls that were not made."""
        from reviewer.ui.shared.pick import Choice, PickScreen

        stored, mark = self._screen.viewing.stored, self._screen.marking.mark_here()
        if stored is None or mark is None:
            return
        until = self._screen.transcript.cursor.message
        claims = {ref.message for ref in mark.places}
        proofs = [
            each
            for each in _proofs(stored, until, self._screen.viewing.desk.write_classes)
            if not (isinstance(each[2], Ref) and each[2].call is None and each[2].message in claims)
        ]
        choices = [Choice(printable_line(name), printable_line(about)) for name, about, _ in proofs]

        def picked(answer: int | str | None) -> None:
            if isinstance(answer, int):
                self._screen.marking.act(lambda session: session.attach(stored, mark.tag, proofs[answer][2]))

        self._screen.app.push_screen(PickScreen("Evidence", choices), self._screen.guarded(picked))


def _proofs(stored: Stored, until: int, classes: frozenset[str]) -> list[tuple[str, str, Ref | Absence]]:
    """List what can be evidence for a message: the nearest first; absences last."""
    proofs: list[tuple[str, str, Ref | Absence]] = []
    messages = stored.conversation.messages
    for number in range(len(messages), 0, -1):
        message = messages[number - 1]
        for index, call in enumerate(message.calls, start=1):
            for part, raw in (("result", call.result), ("arguments", call.arguments)):
                ref = Ref(stored.ref, number, index, "result" if part == "result" else "arguments")
                for leaf in leaves(raw or "") or ():
                    if leaf.pointer:
                        value = (raw or "")[leaf.start : leaf.end][:_LONGEST_VALUE]
                        proofs.append(
                            (
                                f"{leaf.pointer.lstrip('/')}  {value}",
                                f"{call.name} #{number}.{index}",
                                ref.field(leaf.pointer),
                            )
                        )
        if message.text:
            proofs.append((f"#{number} {message.role}", message.text[:_LONGEST_VALUE], Ref(stored.ref, number)))
    proofs.sort(key=lambda each: _distance(each[2], until))
    for what in (*sorted(classes), "handover"):
        absence = Absence(what, until)
        proofs.append((absence_text(absence), "what was not done", absence))
    return proofs


def _distance(proof: Ref | Absence, until: int) -> tuple[bool, int]:
    number = proof.message or 0 if isinstance(proof, Ref) else 0
    return (number > until, abs(until - number))


class NoteKeys:
    """The key that writes words of one's own."""

    def __init__(self, screen: TagScreen) -> None:
        self._screen = screen
        self._drafts: dict[str, str] = {}

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {"note": self.note, "prose": self.prose}

    def prose(self) -> None:
        """Open the prose of the model's report in an editor, at the section of the tag under the cursor."""
        from reviewer.ui.shared.editor import open_prose

        screen, stored = self._screen, self._screen.viewing.stored
        if stored is not None:
            mark, session = screen.marking.tag_here, screen.marking.session
            code = mark.tag.code if mark is not None else ""
            open_prose(screen, session.folder, session.codebook, stored.conversation.model, code)

    def note(self) -> None:
        """Write the note of the tag under the cursor; where there is none, a note of its own."""
        from reviewer.ui.shared.dialogs import NoteScreen

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

            def verb(session: Session) -> VerbResult:
                if mark is not None:
                    return session.edit(mark.tag, note=words.strip())
                return session.tag(stored, "", *places, note=words.strip())

            if self._screen.marking.act(verb):
                del self._drafts[where]

        self._screen.app.push_screen(NoteScreen(about, text), self._screen.guarded(written))

    def _own_mark(self) -> Mark | None:
        marking = self._screen.marking
        if marking.here is not None and marking.here.own:
            return marking.here
        if marking.here is not None and marking.here.finding is not None:
            return None
        own = [mark for mark in marking.marks if mark.own]
        return drawn.at(own, self._screen.transcript.cursor, marking.last_tag)
