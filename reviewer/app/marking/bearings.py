"""What a tag bears besides its mode: evidence picked by hand, and a note."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from reviewer.app.marking import drawn_marks as drawn
from reviewer.basics.clean import printable_line
from reviewer.basics.jsonspans import leaves
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import Absence, Ref, absence_text

if TYPE_CHECKING:
    from reviewer.app.marking.tag_screen import TagScreen
    from reviewer.marks.review import Mark, Session, VerbResult


Proof = tuple[str, str, Ref | Absence]
"""What can be evidence: its name, what is said of it, and where it is."""
_LONGEST_VALUE = 80
_FIELDS, _MOST = 500, 2_000
"""Listed at most of a result, and of all; the others are selected where they stand."""


class EvidenceKeys:
    """The keys that list what can be evidence."""

    def __init__(self, screen: TagScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {"evidence.pick": self.evidence}

    def evidence(self) -> None:
        """Pick evidence by hand: fields of results and arguments, messages, and calls that were not made."""
        from reviewer.app.shared.pick import Choice, PickScreen

        stored, mark = self._screen.viewing.stored, self._screen.marking.mark_here()
        if stored is None or mark is None:
            return
        until = self._screen.transcript.cursor.message
        claims = {ref.message for ref in mark.places}
        fit = (each for each in _proofs(stored, until) if each[2].call is not None or each[2].message not in claims)
        proofs: list[Proof] = list(islice(fit, _MOST + 1))
        title = "Evidence" if len(proofs) <= _MOST else f"Evidence: the nearest {_MOST:,} · others: {self._by_words()}"
        proofs[_MOST:] = []
        proofs += _absences(until, self._screen.viewing.desk.write_classes)
        choices = [Choice(printable_line(name), printable_line(about)) for name, about, _ in proofs]

        def picked(answer: int | str | None) -> None:
            if isinstance(answer, int):
                self._screen.marking.act(lambda session: session.attach(stored, mark.tag, proofs[answer][2]))

        self._screen.app.push_screen(PickScreen(title, choices), self._screen.guarded(picked))

    def _by_words(self) -> str:
        return f"{self._screen.key('select')}, then {self._screen.key('evidence')}"


def _proofs(stored: Stored, until: int) -> Iterator[tuple[str, str, Ref]]:
    """What can be evidence for a message, the nearest first; of those as near, the later, and fields before texts."""
    messages = stored.conversation.messages
    for number in sorted(range(len(messages), 0, -1), key=lambda number: (number > until, abs(until - number))):
        message = messages[number - 1]
        for index, call in enumerate(message.calls, start=1):
            of, about = Ref(stored.ref, number, index), f"{call.name} #{number}.{index}"
            yield from _fields(replace(of, part="result"), call.result or "", about)
            yield from _fields(replace(of, part="arguments"), call.arguments or "", about)
        if message.text:
            yield f"#{number} {message.role}", message.text[:_LONGEST_VALUE], Ref(stored.ref, number)


def _fields(whole: Ref, raw: str, about: str) -> Iterator[tuple[str, str, Ref]]:
    """The fields of a result or of arguments; where there are very many, the first of them and then the whole."""
    pointed = ((leaf.pointer, leaf) for leaf in leaves(raw) or () if leaf.pointer)
    for pointer, leaf in islice(pointed, _FIELDS):
        value = raw[leaf.start : min(leaf.end, leaf.start + _LONGEST_VALUE)]
        yield f"{pointer.lstrip('/')}  {value}", about, whole.field(pointer)
    if next(pointed, None) is not None:
        yield f"the whole {whole.part}", f"{about}, of more than {_FIELDS} fields", whole


def _absences(until: int, classes: frozenset[str]) -> Iterator[Proof]:
    """What was not done until then."""
    for what in (*sorted(classes), "handover"):
        absence = Absence(what, until)
        yield absence_text(absence), "what was not done", absence


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
        from reviewer.app.shared.editor import open_prose

        screen, stored = self._screen, self._screen.viewing.stored
        if stored is not None:
            mark, session = screen.marking.tag_here, screen.marking.session
            code = mark.tag.code if mark is not None else ""
            open_prose(screen, session.folder, session.codebook, stored.conversation.model, code)

    def note(self) -> None:
        """Write the note of the tag under the cursor; where there is none, a note of its own."""
        from reviewer.app.shared.dialogs import NoteScreen

        stored = self._screen.viewing.stored
        if stored is None:
            return
        mark = self._own_mark()
        if mark is None and not self._screen.marking.in_sight():
            return
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
