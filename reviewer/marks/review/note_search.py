"""Finding words in reviewers' notes: the part of a search that the store cannot answer.

A note is searched for itself: it must hold all the words that are wanted and none that are not, and its conversation
must be one that the query's fields let through.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from reviewer.marks.ledger import Ledger
from reviewer.transcripts.model import Tag
from reviewer.transcripts.query import Scope, Selection
from reviewer.transcripts.query.matches import spans
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.text_search import TextHit, excerpt


def in_notes(reader: Reader, selection: Selection, ledger: Ledger) -> Iterator[TextHit]:
    """Find the notes that hold the words; none where the query says whose words of the transcript are meant."""
    wanted = [term for term, scope in selection.words() if scope == Scope()]

    @cache
    def passing(where: str, parameters: tuple[str | int | float, ...]) -> frozenset[int]:
        return frozenset(reader.ids(Selection(where, parameters)))

    def holds(part: Selection, note: str, rowid: int) -> bool:
        """Weigh a selection with the words of a note in the place of the transcript's."""
        if part.texts and part.scope != Scope():
            return False
        if any(bool(spans(term, note)) == term.negated for term in part.texts):
            return False
        if part.where and rowid not in passing(part.where, part.parameters):
            return False
        return all(
            any(holds(each, note, rowid) for each in choice.selections) != choice.negated for choice in part.choices
        )

    for tag in _noted(ledger) if wanted else ():
        places = sorted({span for term in wanted for span in spans(term, tag.note)})
        meant = (each for each in reader.find(tag.ref.conversation) if places and holds(selection, tag.note, each))
        rowid = next(meant, None)
        if rowid is not None:
            yield TextHit(str(tag.ref), rowid, tag.ref.message, "note", *excerpt(tag.note, places[0]), len(places))


def _noted(ledger: Ledger) -> Iterator[Tag]:
    for conversation in sorted(ledger.conversations()):
        yield from (tag for tag in ledger.state(conversation).tags if tag.note)
