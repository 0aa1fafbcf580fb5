"""Conversations as lines of text: the columns that were asked for, or those that the store has something for."""

from __future__ import annotations

from collections.abc import Sequence

from reviewer.basics.cells import cells
from reviewer.basics.clean import printable_line
from reviewer.basics.errors import QueryError
from reviewer.figures.measure.row_columns import (
    COLUMNS,
    LISTED,
    RowColumn,
    columns_named,
    inventory_of,
    text_of,
    usual_columns,
)
from reviewer.transcripts.model import QueueRow
from reviewer.transcripts.store.reader import Reader


class RowTable:
    """Lines in columns, each as wide as some conversations of the store need it."""

    def __init__(self, reader: Reader, chosen: str | None = None) -> None:
        known = inventory_of(reader)
        if chosen is None:
            self._columns = usual_columns(known, LISTED)
        else:
            scorers = list(dict.fromkeys((*known.scorers, *reader.vocabulary.keys("score"))))
            self._columns = _printed(columns_named(chosen, scorers))
        self._widths = [
            max(map(cells, (column.short, *(_text(column, row) for row in known.rows)))) for column in self._columns
        ]

    @property
    def heading(self) -> str:
        """The names of the columns."""
        sized = zip(self._columns, self._widths, strict=True)
        return self._laid([column.header if cells(column.header) <= width else column.short for column, width in sized])

    def line(self, row: QueueRow) -> str:
        """What the columns say of a conversation."""
        return self._laid([_text(column, row) for column in self._columns])

    def _laid(self, texts: Sequence[str]) -> str:
        laid = []
        for text, column, width in zip(texts, self._columns, self._widths, strict=True):
            pad = " " * (width - cells(text))
            laid.append(pad + text if column.right else text + pad)
        return "  ".join(laid).rstrip()


def _printed(columns: tuple[RowColumn, ...]) -> tuple[RowColumn, ...]:
    """The columns that were asked for, if all of them are the store's to say."""
    names = [name for name in COLUMNS if name != "marks"]
    hint = f"There are: {', '.join(names)}, score.NAME."
    if not columns:
        raise QueryError("No column is named.", hint)
    if COLUMNS["marks"] in columns:
        raise QueryError("Marks are in the journals: `reviewer tags` lists them.", hint)
    return columns


def _text(column: RowColumn, row: QueueRow) -> str:
    return printable_line(text_of(column, row))
