"""Tables of messages, read by a map: one that was named, else the one shipped map that fits.

Help desks, voice platforms and Hugging Face have columns of their own; what these mean stands in `data/maps/`. Rows of
one conversation may stand anywhere in the file: they are put into a spool and taken out conversation by conversation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from reviewer.basics.errors import SourceError
from reviewer.basics.shell import shell_word
from reviewer.imports import parsed_size
from reviewer.imports.formats import kept
from reviewer.imports.maps import fit, mapkeys, table_rows
from reviewer.imports.maps.mapfile import Map
from reviewer.imports.maps.mapper import Converter, PlacedRow
from reviewer.imports.source import BadRecord, Item, Remark, Source, compact, parsed_together
from reviewer.transcripts.store.spool import Spool

NAME = "mapped"
TITLE = "tables, by a map"

_TOGETHER = 2_000
"""Rows that are held before they are spooled."""
_MOST = 2_000_000
"""Characters of them."""
_NESTED = 200
"""What a cell that is no text counts for."""
_FEW = 5


def mine(source: Source) -> bool:
    """True if exactly one shipped map fits the columns."""
    return fitting_map(source) is not None


def read(source: Source) -> Iterator[Item]:
    """The file's conversations by the shipped map that fits."""
    by = fitting_map(source)
    if by is None:
        raise SourceError(
            f"{source.name} fits no shipped map.", f"Draft one with: reviewer map {shell_word(source.name)}"
        )
    yield Remark(f"read by the map {by.name}")
    yield from conversations(source, by)


@lru_cache(1)
def fitting_map(source: Source) -> Map | None:
    """The one shipped map that fits a file; None when none does, or several do. Asked to recognise it, and to read."""
    if table_rows.kind_of(source) is None:
        return None
    names = fit.names_in(source.record)
    fitting = [by for by in map(mapkeys.load, mapkeys.shipped()) if fit.fits(source, by, names)]
    return fitting[0] if len(fitting) == 1 else None


def by_map(name: str, sources: Sequence[Source]) -> ByMap:
    """The format that reads by a map; a sentence when that fits none of the files, before anything is written."""
    by = mapkeys.load(name)
    first: SourceError | None = None
    others = [each for each in sources if by.file.calls is None or each.path.name != by.file.calls.table]
    for source in others:
        try:
            fit.check(source, by)
            break
        except SourceError as error:
            first = first or error
        finally:
            if len(sources) > 1:
                source.release()
    else:
        if first is not None:
            raise first
    return ByMap(by)


class ByMap:
    """A format that reads by one map, whatever the file is."""

    NAME = NAME
    TITLE = TITLE

    def __init__(self, by: Map) -> None:
        self.by = by

    def mine(self, source: Source) -> bool:
        """True: the user has said so."""
        return source.size >= 0

    def read(self, source: Source) -> Iterator[Item]:
        """The file's conversations by the map."""
        calls = self.by.file.calls
        if calls is not None and source.path.name == calls.table:
            yield Remark("it holds the calls of the messages beside it")
            return
        fit.check(source, self.by)
        yield from conversations(source, self.by)


def conversations(source: Source, by: Map) -> Iterator[Item]:
    """The conversations of a file by a map, and at the end what its owner should hear."""
    converter = Converter(by)
    if told := table_rows.unfilled(source, by.file):
        yield Remark(told)
    if by.rows == "conversations":
        for place, row in table_rows.rows(source, by.file):
            if isinstance(row, BadRecord):
                yield row
            else:
                yield from converter.convert(place, [(place, row)])
    else:
        yield from _gathered(source, by, converter)
    yield from _remarks(by, converter)


def _gathered(source: Source, by: Map, converter: Converter) -> Iterator[Item]:
    """Rows by their conversations, wherever they stand."""
    with Spool() as spool:
        waiting: dict[str, list[PlacedRow]] = {}
        rows = size = spooled = 0
        for place, row in table_rows.rows(source, by.file):
            key = None if isinstance(row, BadRecord) else converter.key(row)
            if isinstance(row, BadRecord):
                yield row
            elif key is None:
                said = by.conversation["id"].said
                yield BadRecord(
                    place, f"it has no “{said}”, so that nobody knows which conversation it is of", kept(row)
                )
            else:
                waiting.setdefault(key, []).append((place, row))
                rows += 1
                size += sum([len(cell) if isinstance(cell, str) else _NESTED for cell in row.values()])
                large = source.weighed - spooled > parsed_size.LOOKED_AT
                if rows >= _TOGETHER or size >= _MOST or large:
                    _spool(waiting, spool)
                    rows, size, spooled = 0, 0, source.weighed
        _spool(waiting, spool)
        for key, texts in spool.groups():
            placed: list[PlacedRow] = [
                (place, row) for held in parsed_together(texts, source.name) for place, row in held
            ]
            yield from converter.convert(f"conversation {key}" if key else "the file", placed)


def _spool(waiting: dict[str, list[PlacedRow]], spool: Spool) -> None:
    """Put rows away, those of one conversation as one text: they often stand near each other."""
    for key, placed in waiting.items():
        spool.put(key, compact(placed))
    waiting.clear()


def _remarks(by: Map, converter: Converter) -> Iterator[Item]:
    """Remarks on what the map left out and which speakers it did not know."""
    for column, n in converter.left_out.items():
        yield Remark(f"{n:,} message{'s' if n > 1 else ''} left out, as the map says ({column})")
    if converter.unnamed:
        listed = [f"{word or '(nobody)'} ({n:,})" for word, n in converter.unnamed.most_common(_FEW)]
        more = f" and {len(converter.unnamed) - _FEW:,} more" if len(converter.unnamed) > _FEW else ""
        who = f"{', '.join(listed)}{more}"
        yield Remark(f"speakers that the map does not name are {by.default}: {who}")
    if converter.by_role and not converter.by_role["agent"]:
        yield Remark("no message is of the agent: name the agent below [speakers] in a map of your own")
