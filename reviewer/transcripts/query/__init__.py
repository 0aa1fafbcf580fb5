"""The filter language: one line of text to a value that says which conversations are meant.

`parse` reads a query; `Query` holds its terms in their groups; `Selection` is the part that the store answers, as SQL
fragments over whitelisted columns with every value a parameter. Terms about reviews (`tag:`, `verdict:` ...) are read
here and answered where the journals are. Nothing in this package opens a store, a journal or a screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reviewer.transcripts.query.selection import (
    EVERYTHING,
    Query,
    Scope,
    Selection,
    Term,
    TermGroup,
    TextTerm,
    Value,
    of_queue,
)

__all__ = ["EVERYTHING", "Query", "Scope", "Selection", "Term", "TermGroup", "TextTerm", "Value", "of_queue", "parse"]

if TYPE_CHECKING:
    from reviewer.transcripts.query.parser import parse


def __getattr__(name: str) -> Any:
    """Load the parser when it is first asked for: opening a store without a filter does without it."""
    if name == "parse":
        from reviewer.transcripts.query.parser import parse

        return parse
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
