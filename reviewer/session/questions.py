"""A query about reviews with all that it needs to know, from the journals, the queues and the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from reviewer.annotations import queues
from reviewer.annotations.codebook import Codebook
from reviewer.annotations.ledger import Ledger
from reviewer.annotations.terms import MarkSources, narrowed
from reviewer.query import Query, Selection, TermGroup
from reviewer.query.selection import OF_FINDINGS
from reviewer.store.finding_lookup import FindingLookup
from reviewer.store.reader import Reader

if TYPE_CHECKING:
    from reviewer.session.review import Session


def marked_in(annotations: Path, ledger: Ledger, codebook: Codebook, reader: Reader) -> MarkSources:
    """Put together what a query's terms about reviews are answered from."""

    def runs_of(case: str) -> list[str]:
        return reader.orders.refs(reader.find(case))

    @cache
    def refs_of(name: str) -> tuple[str, ...]:
        return queues.load(annotations, name).refs

    @cache
    def passing(query: Query) -> frozenset[str]:
        return frozenset(reader.orders.refs(reader.ids(narrowed(query, sources))))

    named = {name: partial(refs_of, name) for name in queues.names(annotations)}
    sources = MarkSources(ledger, codebook, named, runs_of, passing, FindingLookup(reader.path))
    return sources


@dataclass(frozen=True, slots=True)
class Question:
    """A query, and the marks as they stood when it was asked: what a thread needs to answer it."""

    query: Query
    annotations: Path
    ledger: Ledger
    codebook: Codebook

    def selection(self, reader: Reader) -> Selection:
        """Turn the question into a selection of this store."""
        return narrowed(self.query, marked_in(self.annotations, self.ledger, self.codebook, reader))


def excluding(question: Question, reader: Reader) -> list[str]:
    """Sentences that say why nothing passes: names that stand nowhere, else the terms that exclude the rest."""
    from reviewer.query.absence import excluding as those_that_exclude
    from reviewer.query.absence import unknown
    from reviewer.query.conditions import of_group

    def passes(group: TermGroup) -> bool:
        return bool(reader.first_ids(replace(question, query=of_group(group)).selection(reader), 1))

    said = unread(question.query, reader) + unknown(question.query, reader.vocabulary, reader.orders.scorers)
    return said or those_that_exclude(question.query.group, passes)


def unread(query: Query, reader: Reader) -> list[str]:
    """Say how much no read has seen, where a query asks for suggestions."""
    fields = list(dict.fromkeys(f"{term.field}:" for term in query.terms if term.field in OF_FINDINGS))
    if not fields:
        return []
    lookup = FindingLookup(reader.path)
    number, scan = lookup.unread(), f"run reviewer scan {reader.path}."
    if number and not lookup.modes() and not lookup.scanned():
        verb = "find" if len(fields) > 1 else "finds"
        return [f"No read has gone through this store, so {' and '.join(fields)} {verb} nothing; {scan}"]
    were = "conversation was" if number == 1 else "conversations were"
    return [f"{number:,} {were} never read; {scan}"] if number else []


def asked(query: Query, begin: Callable[[], Session]) -> Question:
    """The question that a query asks; the journals are looked at only where it is about reviews."""
    if not query.ledger:
        return Question(query, Path(), Ledger(), Codebook())
    session = begin()
    return Question(query, session.folder, session.book.ledger.snapshot(), session.codebook)
