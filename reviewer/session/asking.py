"""Asking: what a query about reviews needs to know, brought together from the journals, the queues and the store."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

from reviewer.annotations import queues
from reviewer.annotations.ledger import Ledger
from reviewer.annotations.terms import Marked
from reviewer.codebook import Codebook
from reviewer.store.reader import Reader


def marked_in(annotations: Path, ledger: Ledger, codebook: Codebook, reader: Reader) -> Marked:
    """Everything that the terms of a query about reviews are answered from."""

    def runs_of(case: str) -> list[str]:
        return [row.ref for row in reader.rows(reader.find(case))]

    @cache
    def refs_of(name: str) -> tuple[str, ...]:
        return queues.load(annotations, name).refs

    named = {name: partial(refs_of, name) for name in queues.names(annotations)}
    return Marked(ledger, codebook, named, runs_of)
