"""Small tables that people keep beside their logs: CSV, JSON Lines or TOML -> rows with their places.

A row is an object by column name; an empty cell says nothing, nor does a column without a name. What is wrong with the
file is one sentence with the line; nothing here knows what the columns mean.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time
from io import StringIO
from pathlib import Path
from typing import Any

from reviewer.basics import toml
from reviewer.basics.errors import SourceError
from reviewer.imports.messages.content import mapping
from reviewer.imports.source import BadRecord, Source, kept_whole


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table, with its position."""

    place: str
    cells: Mapping[str, Any]


def rows(path: Path, table: str) -> Iterator[TableRow]:
    """The rows of a file by its ending; of TOML those under `[[table]]` or `[table.NAME]`."""
    suffix = path.suffix.lower()
    if suffix == ".toml":
        return _toml(path, table)
    if suffix in (".json", ".jsonl", ".ndjson"):
        return _json(path)
    return _csv(path)


def text_in(path: Path) -> str:
    """The whole file as text."""
    try:
        return kept_whole(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: byte {error.start} is not UTF-8.", "Save it as UTF-8.") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.", "Check its name and permissions.") from error


def _csv(path: Path) -> Iterator[TableRow]:
    text = text_in(path)
    head = text.partition("\n")[0]
    separator = max(",;\t", key=head.count)
    csv.field_size_limit(sys.maxsize)
    try:
        reader = csv.DictReader(StringIO(text), delimiter=separator, strict=True)
        twice = [name for name, n in Counter(reader.fieldnames or ()).items() if n > 1 and name.strip()]
        if twice:
            raise SourceError(f"{path}, line 1: names the column {twice[0]} twice.", "Give each column its own name.")
        for cells in reader:
            if None in cells:
                where = f"{path}, line {reader.line_num}"
                raise SourceError(f"{where}: more cells than the first line names.", "Quote cells that hold commas.")
            yield _row(f"line {reader.line_num}", {name: cell.strip() for name, cell in cells.items() if cell})
    except csv.Error as error:
        raise SourceError(f"{path}: not CSV ({error}).", "Save it as CSV with a header line.") from None


def _json(path: Path) -> Iterator[TableRow]:
    for place, record in Source(path, str(path)).records():
        if isinstance(record, BadRecord):
            raise SourceError(f"{path}: {record.reason}", "Correct the line and attach again.")
        if not isinstance(record, Mapping):
            raise SourceError(f"{path}, {place}: not an object.", "Write an object a line.")
        yield _row(place, record)


def _toml(path: Path, table: str) -> Iterator[TableRow]:
    try:
        document = toml.table_of(text_in(path))
    except toml.NotTomlError as error:
        raise SourceError(f"{path}: not TOML ({error}).", "Correct it and attach again.") from None
    held = document.get(table, document)
    hint = f"Write [[{table}]] and the keys of a row below it."
    if isinstance(held, list):
        named: list[tuple[str, Any]] = [(f"[[{table}]] {index}", each) for index, each in enumerate(held, start=1)]
    else:
        tables = mapping(held).items()
        named = [(f"[{name}]", {"id": name, **each}) for name, each in tables if isinstance(each, dict)]
    if not named:
        raise SourceError(f"{path} holds no rows.", hint)
    for place, cells in named:
        if not isinstance(cells, dict):
            raise SourceError(f"{path}, {place}: not a table.", hint)
        yield _row(place, _timed(cells))


def _timed(value: Any) -> Any:
    """The value with dates and times as text, which TOML reads as what JSON cannot hold."""
    if isinstance(value, dict):
        return {key: _timed(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_timed(each) for each in value]
    return value.isoformat() if isinstance(value, date | time) else value


def _row(place: str, cells: Mapping[str, Any]) -> TableRow:
    said = {key.strip(): value for key, value in cells.items() if value not in (None, "")}
    return TableRow(place, {key: value for key, value in said.items() if key})
