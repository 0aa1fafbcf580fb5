"""Any table as rows with their places: JSON Lines, JSON, CSV of any dialect, Parquet, SQLite; one row after another.

A row is an object by column name; one that cannot be read comes as a `BadRecord` and the others go through. Memory
stays the same whatever the size, but for a file that is one JSON value. Nothing here knows what the columns mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from reviewer.basics.errors import SourceError
from reviewer.imports import parsed_size
from reviewer.imports.maps import csv_rows, parquet
from reviewer.imports.maps.cell_values import words_of
from reviewer.imports.maps.mapfile import FileWishes
from reviewer.imports.maps.paths import STAR, Pointer, Step, walked
from reviewer.imports.source import BadRecord, Source, compact, parsed, parsed_together
from reviewer.transcripts.store import foreign_files
from reviewer.transcripts.store.spool import Spool

Kind = Literal["csv", "parquet", "sqlite", "json"]
Row = Mapping[str, Any]
PlacedRow = tuple[str, Row | BadRecord]

_ENDINGS = (".csv", ".tsv", ".tab")
_TABLE, _PACKED = WORDS = ("a table", "Parquet, which needs pyarrow")
"""How the word for a table begins."""
_BLANK = b"\xef\xbb\xbf \t\r\n"
_AS_IT_IS = FileWishes()


def kind_of(source: Source) -> Kind | None:
    """Return the kind of table that a file is by its content, or CSV by its name; None when it is no table."""
    head = source.head
    if head.startswith(parquet.MAGIC):
        return "parquet"
    if head.startswith(foreign_files.MAGIC):
        return "sqlite"
    if source.suffix in _ENDINGS:
        return "csv"
    return "json" if b"\0" not in head and head.lstrip(_BLANK)[:1] in (b"{", b"[") else None


def word(source: Source) -> str:
    """Name the kind of a table that no map fits, and say what to do; empty for JSON and for what is no table."""
    kind = kind_of(source)
    if kind == "parquet" and not parquet.is_readable():
        return f"{_PACKED}: {parquet.INSTALL}; then draft a map with: reviewer map FILE"
    return f"{_TABLE}; draft a map with: reviewer map FILE" if kind in ("csv", "parquet", "sqlite") else ""


def unfilled(source: Source, wishes: FileWishes = _AS_IT_IS) -> str:
    """A sentence when the columns that a file declares are more than its rows fill; empty otherwise."""
    return csv_rows.unfilled(source, wishes) if _kind(source) == "csv" else ""


def columns(source: Source, wishes: FileWishes = _AS_IT_IS) -> list[str] | None:
    """The columns that the file declares; None for JSON, which declares none."""
    own = _columns(source, wishes)
    calls = wishes.calls
    if calls is None:
        return own
    if own is not None and calls.by not in own:
        raise SourceError(f"{source.name} has no column “{calls.by}”.", f"It has: {', '.join(own)}.")
    table, table_wishes = _calls_table(source, wishes)
    others = _columns(table, table_wishes)
    if others is not None and calls.key not in others:
        raise SourceError(f"{calls.table} has no column “{calls.key}”.", f"It has: {', '.join(others)}.")
    return None if own is None else [*own, calls.table]


def _columns(source: Source, wishes: FileWishes) -> list[str] | None:
    kind = _kind(source)
    if kind != "sqlite" and (wishes.table or wishes.join):
        raise SourceError(f"{source.name} has no tables.", "Take table and join below [file] out of the map.")
    if kind == "csv":
        return csv_rows.columns(source, wishes)
    if kind == "parquet":
        return parquet.columns(source)
    if kind == "sqlite":
        return foreign_files.columns(source.path, _table(source, wishes), wishes.join)
    return None


def rows(source: Source, wishes: FileWishes = _AS_IT_IS) -> Iterator[PlacedRow]:
    """The rows of a table, each with its position."""
    read: dict[Kind, Callable[[], Iterator[PlacedRow]]] = {
        "csv": lambda: csv_rows.rows(source, wishes),
        "parquet": lambda: parquet.rows(source),
        "sqlite": lambda: _sqlite(source, _table(source, wishes), wishes.join),
        "json": lambda: _json(source),
    }
    held = read[_kind(source)]()
    held = held if wishes.records is None else _within(held, wishes.records)
    return held if wishes.calls is None else _with_calls(held, source, wishes, wishes.calls)


def first(source: Source, wishes: FileWishes, most: int) -> Iterator[Row]:
    """So many of the first rows that can be read, as long as they are small together."""
    held = (row for _, row in rows(source, wishes) if isinstance(row, Mapping))
    for row in islice(held, most):
        yield row
        if source.weighed > parsed_size.LOOKED_AT:
            return


def _calls_table(source: Source, wishes: FileWishes) -> tuple[Source, FileWishes]:
    """Where the calls are: another table of the file, else a file beside it."""
    name = wishes.calls.table if wishes.calls else ""
    if _kind(source) == "sqlite":
        return source, FileWishes(table=name)
    path = source.path.with_name(name) if Path(name).name == name else None
    if path is None or source.held is not None or not path.is_file():
        raise SourceError(f"There is no file “{name}” beside {source.name}.", "Put it there, or correct file.calls.")
    return Source(path, name, alone=True), FileWishes(encoding=wishes.encoding)


def _with_calls(
    held: Iterator[PlacedRow], source: Source, wishes: FileWishes, calls: foreign_files.Join
) -> Iterator[PlacedRow]:
    """The rows, each with the list of its calls in a column called as their table; at last the calls of no row."""
    with Spool() as spool:
        for place, call in rows(*_calls_table(source, wishes)):
            if isinstance(call, BadRecord):
                yield f"{calls.table}, {place}", replace(call, position=f"{calls.table}, {place}")
            else:
                spool.put(words_of(call.get(calls.key)) or "", compact([f"{calls.table}, {place}", call]))
        for place, row in held:
            key = None if isinstance(row, BadRecord) else words_of(row.get(calls.by))
            made = [call for _, call in parsed_together(spool.take(key), source.name)] if key else []
            yield place, {**row, calls.table: made} if made and isinstance(row, Mapping) else row
        for key, texts in spool.groups():
            for text in texts:
                place, call = parsed(text.encode("utf-8"), source.name)
                yield (
                    place,
                    BadRecord(place, f"no row has “{calls.by}” {key}, so that nobody made this call", compact(call)),
                )


def _kind(source: Source) -> Kind:
    """Return the kind of table; a text with another ending counts as CSV when a map says that it is a table."""
    kind = kind_of(source)
    if kind is None:
        if b"\0" in source.head:
            hint = "A map reads JSON, JSON Lines, CSV, Parquet and SQLite."
            raise SourceError(f"{source.name} is a binary file of no known kind.", hint)
        kind = "csv"
    return kind


def _json(source: Source) -> Iterator[PlacedRow]:
    for place, value in source.records():
        if isinstance(value, BadRecord | Mapping):
            yield place, value
        else:
            yield place, BadRecord(place, "it is not an object", compact(value))


def _within(held: Iterator[PlacedRow], records: Pointer) -> Iterator[PlacedRow]:
    """The rows that lie within each value: a page of an API, an envelope, an object of records by their names."""
    for place, value in held:
        if isinstance(value, BadRecord):
            yield place, value
            continue
        steps = next((it.steps for it in (records, *records.others) if _leads(value, it.steps)), None)
        if steps is not None:
            yield from _inner(value, steps, place, f"{place}, {records.name}", {})
        elif records.optional:
            yield place, value
        else:
            yield place, BadRecord(place, f"it has no “{records.name}”", compact(value))


def _leads(value: Any, steps: tuple[Step, ...]) -> bool:
    """True if the steps up to a star lead to an object, or all of them to something."""
    star = steps.index(STAR) if STAR in steps else None
    inner = walked(value, steps[:star]) if star != 0 else value
    return inner is not None if star is None else isinstance(inner, Mapping)


def _inner(value: Any, steps: tuple[Step, ...], place: str, where: str, around: Row) -> Iterator[PlacedRow]:
    """The rows at the end of some steps; at a star, each value of an object with its name and what is around it."""
    if STAR in steps:
        at = steps.index(STAR)
        inner = walked(value, steps[:at]) if at else value
        rest = steps[at + 1 :]
        for name, each in inner.items() if isinstance(inner, Mapping) else ():
            own = {STAR: str(name)}
            if rest and isinstance(each, Mapping):
                own |= {f"{STAR}.{key}": other for key, other in each.items() if key != rest[0]}
            yield from _inner(each, rest, f"{place}, {name}", f"{place}, {name}", {**around, **own})
        return
    inner = walked(value, steps) if steps else value
    if isinstance(inner, list):
        for n, each in enumerate(inner):
            yield _row(each, f"{where}[{n}]", around)
    else:
        yield _row(inner, place, around)


def _row(value: Any, place: str, around: Row) -> PlacedRow:
    if not isinstance(value, Mapping):
        return place, BadRecord(place, "it is not an object", compact(value))
    return place, {**around, **value} if around else value


def _table(source: Source, wishes: FileWishes) -> str:
    """The table to read: the one that the map names, else the only one."""
    if wishes.table is not None:
        return wishes.table
    held = foreign_files.tables(source.path)
    if len(held) == 1:
        return held[0]
    listed = ", ".join(held) or "none"
    raise SourceError(f"{source.name} has several tables: {listed}.", 'Write table = "NAME" below [file] in the map.')


def _sqlite(source: Source, table: str, join: foreign_files.Join | None) -> Iterator[PlacedRow]:
    names = foreign_files.columns(source.path, table, join)
    source.weighed = 0
    for number, cells in enumerate(foreign_files.rows(source.path, table, join), start=1):
        place = f"row {number}"
        source.weighed += sum(parsed_size.TEXT + len(each) for each in cells if isinstance(each, str | bytes))
        if any(isinstance(each, bytes) for each in cells):
            yield place, _with_bytes(place, names, cells)
        else:
            yield place, dict(zip(names, cells, strict=True))


def _with_bytes(place: str, names: list[str], cells: tuple[Any, ...]) -> Row | BadRecord:
    """A row whose bytes are texts that were stored as blobs; one with other bytes cannot be read."""
    try:
        told = [each.decode("utf-8") if isinstance(each, bytes) else each for each in cells]
    except UnicodeDecodeError:
        column = next(name for name, each in zip(names, cells, strict=True) if isinstance(each, bytes))
        shown = [each.decode("utf-8", "backslashreplace") if isinstance(each, bytes) else each for each in cells]
        return BadRecord(place, f"“{column}” is not UTF-8", compact(dict(zip(names, shown, strict=True))))
    return dict(zip(names, told, strict=True))
