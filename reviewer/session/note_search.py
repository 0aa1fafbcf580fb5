"""Finding words in reviewers' notes: the part of a search that the store cannot answer.

A note is searched for itself: it must hold all the words that are wanted and none that are not, and its conversation
must be one that the query's fields let through.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.annotations.ledger import Ledger
from reviewer.model import Tag
from reviewer.query import Scope, Selection
from reviewer.query.matches import Span, spans
from reviewer.store.reader import Reader
from reviewer.store.text_search import TextHit, excerpt


def in_notes(reader: Reader, selection: Selection, ledger: Ledger) -> Iterator[TextHit]:
    """Find the notes that hold the words; none where the query says whose words of the transcript are meant."""
    if selection.scope != Scope():
        return
    hits = [(tag, places) for tag in _noted(ledger) if (places := _places(tag, selection))]
    fields = selection._replace(texts=())
    allowed = set(reader.ids(fields)) if hits and fields.where else None
    for tag, places in hits:
        rowid = next((each for each in reader.find(tag.ref.conversation) if allowed is None or each in allowed), None)
        if rowid is not None:
            yield TextHit(str(tag.ref), rowid, tag.ref.message, "note", *excerpt(tag.note, places[0]), len(places))


def _noted(ledger: Ledger) -> Iterator[Tag]:
    for conversation in sorted(ledger.conversations()):
        yield from (tag for tag in ledger.state(conversation).tags if tag.note)


def _places(tag: Tag, selection: Selection) -> list[Span]:
    """Return the spans of the wanted words in a note; none when it is not meant."""
    by_term = {term: spans(term, tag.note) for term in selection.texts}
    if any(bool(places) == term.negated for term, places in by_term.items()):
        return []
    return sorted(span for places in by_term.values() for span in places)
