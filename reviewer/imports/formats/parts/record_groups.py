"""Records of one conversation that stand apart in their file, put together without holding the whole file.

Owns the keys under which records are gathered and which of these belong together; the texts themselves wait in a spool.
Owns too the loop of the formats that gather rows so: what is refused, what is silent, what becomes a conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Self

from reviewer.imports import parsed_size
from reviewer.imports.formats import SURPRISES, kept, told
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source, compact, parsed_together
from reviewer.transcripts.store.spool import Spool

_SMALL = 4 << 20
"""Bytes of a file up to which its records simply stay in memory, as long as they are small once parsed too."""


class RecordGroups:
    """Collects the JSON values of a file by key, on disk if the file is large; a context manager."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._held: dict[str, list[Any]] | None = {} if source.size <= _SMALL else None
        self._spool = Spool()
        self._into: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._spool.__exit__(kind, error, tb)

    def put(self, key: str, value: Any) -> bool:
        """Add a value under a key; False if it is nested too deeply to be kept."""
        if self._held is not None and self._source.weighed <= parsed_size.LOOKED_AT:
            self._held.setdefault(key, []).append(value)
            return True
        if self._held is not None:
            held, self._held = self._held, None
            for each, values in held.items():
                for earlier in values:
                    self.put(each, earlier)
        try:
            self._spool.put(key, compact(value))
        except RecursionError:
            return False
        return True

    def join(self, key: str, into: str) -> None:
        """Merge everything under one key into another."""
        self._into[key] = into

    def groups(self) -> Iterator[tuple[str, list[Any]]]:
        """Each key with its values, in the order in which they came; nothing is put in after this."""
        if self._held is not None:
            together: dict[str, list[Any]] = {}
            for key, values in self._held.items():
                together.setdefault(self._whole(key), []).extend(values)
            yield from together.items()
        elif not self._into:
            for key, texts in self._spool.groups():
                yield key, parsed_together(texts, self._source.name)
        else:
            yield from self._joined()

    def _joined(self) -> Iterator[tuple[str, list[Any]]]:
        with Spool() as together:
            for key, texts in self._spool.groups():
                whole = self._whole(key)
                for text in texts:
                    together.put(whole, text)
            for key, texts in together.groups():
                yield key, parsed_together(texts, self._source.name)

    def _whole(self, key: str) -> str:
        """The key into which a key was finally merged."""
        seen: set[str] = set()
        while key in self._into and key not in seen:
            seen.add(key)
            key = self._into[key]
        return key


def grouped_conversations(
    source: Source,
    rows_of: Callable[[str, Any], Iterable[BadRecord | tuple[str, Any]]],
    conversation_of: Callable[[str, list[Any]], Extract | None],
    silent: str,
    joins: Callable[[str, Any], Iterable[tuple[str, str]]] | None = None,
    refused_by_row: bool = False,
) -> Iterator[Item]:
    """Read the conversations of a file that keeps the rows of one conversation in several records.

    `rows_of` takes a record and its position, and yields rows with the keys of their groups.
    `conversation_of` makes a conversation of a group, or returns None for a group without words.
    `silent` is the remark that follows the number of such groups.
    `joins` yields pairs of keys: the group of the first is merged into the group of the second.
    `refused_by_row` keeps each row of an unreadable group as a record of its own.
    """
    silent_groups = 0
    with RecordGroups(source) as groups:
        for position, record in source.records():
            for row in [record] if isinstance(record, BadRecord) else rows_of(position, record):
                if isinstance(row, BadRecord):
                    yield row
                    continue
                for merged, into in joins(*row) if joins else ():
                    groups.join(merged, into)
                if not groups.put(*row):
                    yield BadRecord(position, "nested too deeply to read")
        for key, rows in groups.groups():
            try:
                extract = conversation_of(key, rows)
            except SURPRISES as error:
                reason = f"not shaped as this format is ({told(error)})"
                yield from (BadRecord(key, reason, kept(part)) for part in (rows if refused_by_row else [rows]))
                continue
            if extract is None:
                silent_groups += 1
            else:
                yield extract
    if silent_groups:
        yield Remark(f"{silent_groups} {silent}")
