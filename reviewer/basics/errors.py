"""The errors a person is meant to read.

Owns the few kinds of failure that reach the user as one sentence and a hint. They are caught at two edges only: the
command line (`reviewer.cli`) and the app (`reviewer.app.app`). It must not import anything of the project.
"""

from __future__ import annotations


class ReviewerError(Exception):
    """A failure that a person can act on: what happened, where, and what to do about it."""

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class StoreError(ReviewerError):
    """The store cannot be opened, read or written."""


class GoneError(StoreError):
    """A conversation was removed by another program since it was listed."""

    def __init__(self) -> None:
        super().__init__("That conversation is no longer in the store.", "Take in what was written to the store.")


class SourceError(ReviewerError):
    """A file that was to be read is not what it should be."""


class RefError(ReviewerError):
    """A reference does not parse, or nothing stands at it."""


class QueryError(ReviewerError):
    """A query does not parse; the message says where, the hint what would."""

    def __init__(self, message: str, hint: str = "", text: str = "", position: int | None = None) -> None:
        self.text = text
        self.instead: tuple[tuple[int, int, str], ...] = ()
        """What may stand between two places of the query in the place of what is wrong."""
        self.position = position
        """Where in the query, from 0; None when it is no matter of place."""
        self.reason = message
        """What is wrong, without where."""
        super().__init__(message if position is None else f"Column {position + 1}: {message}", hint)


class JournalError(ReviewerError):
    """A journal, queue or codebook under `annotations/` could not be read or written."""


class DeskError(ReviewerError):
    """A desk file is missing or wrong."""
