"""Asking: what a query about reviews needs to know, brought together from the journals, the queues and the store."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from reviewer.annotations import queues
from reviewer.annotations.ledger import Ledger
from reviewer.annotations.terms import Marked, narrowed
from reviewer.codebook import Codebook
from reviewer.query import EVERYTHING, Selection, parse
from reviewer.store.reader import Reader

if TYPE_CHECKING:
    from reviewer.session.review import Session


def marked_in(annotations: Path, ledger: Ledger, codebook: Codebook, reader: Reader) -> Marked:
    """Everything that the terms of a query about reviews are answered from."""

    def runs_of(case: str) -> list[str]:
        return reader.orders.refs(reader.find(case))

    @cache
    def refs_of(name: str) -> tuple[str, ...]:
        return queues.load(annotations, name).refs

    named = {name: partial(refs_of, name) for name in queues.names(annotations)}
    return Marked(ledger, codebook, named, runs_of)


def asked(text: str, begin: Callable[[], Session], reader: Reader) -> Selection:
    """What a query means in this store; the journals are read only where it is about reviews."""
    query = parse(text) if text.strip() else None
    if query is None or not query.ledger:
        return query.selection if query else EVERYTHING
    session = begin()
    return narrowed(query, marked_in(session.folder, session.book.ledger, session.codebook, reader))
