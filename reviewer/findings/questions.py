"""A query about reviews with all that it needs to know, from the journals, the queues and the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from reviewer.basics.shell import shell_word
from reviewer.findings import finding_terms
from reviewer.findings.finding_lookup import FindingLookup
from reviewer.findings.known_values import ReviewVocabulary
from reviewer.marks import queues
from reviewer.marks.codebook import Codebook
from reviewer.marks.ledger import Ledger
from reviewer.marks.terms import MarkSources, narrowed
from reviewer.transcripts.query import Query, Selection, TermGroup, absence
from reviewer.transcripts.query.conditions import of_group
from reviewer.transcripts.query.selection import OF_FINDINGS, Term
from reviewer.transcripts.store.reader import Reader

if TYPE_CHECKING:
    from reviewer.marks.review.review import Session


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
    suggested = partial(finding_terms.condition, findings=FindingLookup(reader.path), ledger=ledger, codebook=codebook)
    sources = MarkSources(ledger, codebook, named, runs_of, passing, suggested)
    return sources


@dataclass(frozen=True, slots=True)
class Question:
    """A query, and the marks as they stood when it was asked: what a thread needs to answer it."""

    query: Query
    folder: Path
    """Where the marks are."""
    ledger: Ledger
    codebook: Codebook

    def selection(self, reader: Reader) -> Selection:
        """Turn the question into a selection of this store."""
        return narrowed(self.query, self.marked(reader))

    def marked(self, reader: Reader) -> MarkSources:
        """What its terms about reviews are answered from."""
        return marked_in(self.folder, self.ledger, self.codebook, reader)

    def passes(self, reader: Reader, group: TermGroup) -> bool:
        """True if another group of terms, asked of the same marks, lets anything through."""
        return bool(reader.first_ids(replace(self, query=of_group(group)).selection(reader), 1))

    def finds(self, reader: Reader, term: Term) -> bool:
        """True if a term alone lets anything through."""
        return self.passes(reader, TermGroup((term,)))

    def reviewers(self) -> list[str]:
        """Everybody who marked anything."""
        names = set[str]()
        for _, state in self.ledger.briefs():
            names |= {tag.by for tag in state.tags} | state.verdicts.keys() | state.reviewed.keys()
        return sorted(names)

    def unmatched(self, reader: Reader) -> list[str]:
        """Name each value of the query that finds nothing, where the others may find something."""
        return absence.unmatched(self.query, *self._known(reader))

    def unknown(self, reader: Reader) -> list[str]:
        """Name what the query, which finds nothing, asks for and stands nowhere."""
        return absence.unknown(self.query, *self._known(reader))

    def remarks(self, reader: Reader) -> list[str]:
        """What whoever asks should know beside the answer: what no read has seen, and which values find nothing."""
        return unread(self.query, reader) + self.unmatched(reader)

    def _known(self, reader: Reader) -> tuple[ReviewVocabulary, absence.Scorers, absence.Finds]:
        return ReviewVocabulary(reader, self), reader.orders.scorers, partial(self.finds, reader)


def excluding(question: Question, reader: Reader) -> list[str]:
    """Sentences that say why nothing passes: names that stand nowhere, else the terms that exclude the rest."""
    said = unread(question.query, reader) + question.unknown(reader)
    return said or absence.excluding(question.query.group, partial(question.passes, reader))


def unread(query: Query, reader: Reader) -> list[str]:
    """Say how much no read has seen, where a query asks for suggestions."""
    fields = list(dict.fromkeys(f"{term.field}:" for term in query.terms if term.field in OF_FINDINGS))
    if not fields:
        return []
    lookup = FindingLookup(reader.path)
    number, scan = lookup.unread(), f"run reviewer scan {shell_word(reader.path)}."
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
