"""CSV and its kin as rows, line by line: any delimiter, quoted newlines, a byte order mark, packed or not.

Owns where one row ends when something is wrong with it: the row is a `BadRecord`, and reading goes on with the line
below the one on which it began. Nothing here knows what the columns mean.
"""

from __future__ import annotations

import csv
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import IO, Any

from reviewer.basics.errors import SourceError
from reviewer.imports import parsed_size
from reviewer.imports.containers import log_bytes
from reviewer.imports.maps.mapfile import FileWishes
from reviewer.imports.source import KEPT, LONGEST_LINE, BadRecord, Source

_DELIMITERS = ",;\t|"
_LOOKED_AT = 50
_OFTEN = 1_000
"""Lines after which it is said how far the reading is."""
_TOO_LARGE = "row too large"
_AGAIN = 64 << 20
"""Characters that may be read a second time because a row turned out to be none."""


def columns(source: Source, wishes: FileWishes) -> list[str]:
    """The names in the first line."""
    return list(next(_records(source, wishes))[1])


def unfilled(source: Source, wishes: FileWishes) -> str:
    """A sentence when no row of the first ones is as wide as the line with the names; empty otherwise."""
    held = _records(source, wishes)
    _, names = next(held)
    widths = [len(cells) for _, cells in islice(held, _LOOKED_AT) if isinstance(cells, list)]
    widest = max(widths, default=len(names))
    if widest >= len(names):
        return ""
    last = ", ".join(names[widest:])
    fewer = f"none of the first {len(widths):,} rows has more than {widest} cells"
    shifted = "if it has a name too many, the columns behind that are shifted"
    return f"the first line names {len(names)} columns, and {fewer}: {shifted}; else these are empty: {last}"


def rows(source: Source, wishes: FileWishes) -> Iterator[tuple[str, Mapping[str, Any] | BadRecord]]:
    """Each row below the first line with its place."""
    held = _records(source, wishes)
    _, names = next(held)
    width = len(names)
    source.weighed = 0
    for number, cells in held:
        source.weighed += sum(parsed_size.TEXT + len(cell) for cell in cells) if isinstance(cells, list) else 0
        place = f"line {number}"
        if isinstance(cells, BadRecord):
            yield place, cells
        elif len(cells) > width and any(cells[width:]):
            said = f"it has {len(cells)} cells, and the first line names {width} columns"
            yield place, BadRecord(place, f"{said}: quote cells that hold the delimiter", repr(cells)[:KEPT])
        else:
            yield place, dict(zip(names, cells, strict=False))


def _records(source: Source, wishes: FileWishes) -> Iterator[tuple[int, Any]]:
    """The first line as names, then every row as cells or a `BadRecord`, with the number of its first line."""
    with source.open() as file:
        dialect = _dialect(source, wishes)
        lines = _Lines(source, file, wishes.encoding, dialect["delimiter"])
        reader = csv.reader(lines, **dialect)
        names: list[str] | None = None
        while (cells := _cells(lines, reader)) is not None:
            if isinstance(cells, BadRecord):
                if names is None:
                    raise SourceError(f"{source.name}, line {lines.first}: {cells.reason}.", "It names no columns.")
                yield lines.first, cells
            elif any(cells):
                if names is None:
                    cells = names = _named(source, lines.first, cells)
                yield lines.first, cells
        if names is None:
            raise SourceError(f"{source.name} is empty.", "Was it cut off?")


class _Lines:
    """The lines of a file, some of which may be taken again."""

    def __init__(self, source: Source, file: IO[bytes], encoding: str, delimiter: str) -> None:
        self._source, self._file, self._encoding, self._delimiter = source, file, encoding, delimiter
        self._again: deque[tuple[str, str]] = deque()
        self._number = 0
        self._budget = _AGAIN
        self.taken: list[tuple[str, str]] = []
        """The lines of the row that is being read, each with what is wrong with its bytes."""
        self.weighed = 0
        """Bytes of memory that this row takes, at most."""

    @property
    def first(self) -> int:
        """The number of the line on which this row begins."""
        return self._number - len(self.taken) + 1

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._again:
            line = self._again.popleft()
        else:
            held = self._file.readline(LONGEST_LINE)
            if not held:
                raise StopIteration
            try:
                line = held.decode(self._encoding), ""
            except UnicodeDecodeError as error:
                reason = f"byte {error.start} is not {self._encoding.upper()}: save it so, or name its encoding"
                line = held.decode(self._encoding, "replace"), f"{reason} below [file]"
            if not self._number:
                line = line[0].removeprefix("\ufeff"), line[1]
            if len(held) >= LONGEST_LINE and not held.endswith(b"\n"):
                while (rest := self._file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                    pass
                line = "\n", f"it is longer than {LONGEST_LINE >> 20} MiB"
            if not self._number % _OFTEN:
                self._source.passed = log_bytes.passed(self._file)
        self._number += 1
        self.taken.append(line)
        cell = parsed_size.OBJECT  # a name in the first line takes as much as an object
        self.weighed += 4 * len(line[0]) + cell * line[0].count(self._delimiter)
        if self.weighed > parsed_size.MOST:
            raise csv.Error(_TOO_LARGE)
        return line[0]

    def give_back(self) -> None:
        """Put back all but the first line of this row, unless that has happened too often."""
        rest = self.taken[1:]
        self._budget -= sum(len(text) for text, _ in rest)
        if self._budget >= 0:
            self._again.extendleft(reversed(rest))
            self._number -= len(rest)
            del self.taken[1:]


def _cells(lines: _Lines, reader: Iterator[list[str]]) -> list[str] | BadRecord | None:
    """The cells of the next row, or why it is none; None at the end."""
    lines.taken.clear()
    lines.weighed = 0
    reason = ""
    cells: list[str] | None = None
    try:
        cells = next(reader, None)
    except csv.Error as error:
        reason = _told(error)
    for _, wrong in lines.taken:
        if wrong:
            reason = wrong
            break
    if not reason:
        return cells
    lines.give_back()
    raw = "".join([text for text, _ in lines.taken])[:KEPT]
    return BadRecord(f"line {lines.first}", reason, raw)


def _told(error: csv.Error) -> str:
    said = str(error)
    if said == _TOO_LARGE:
        return f"a row would take more than {parsed_size.MOST >> 30} GiB of memory: is a quote not closed?"
    if "unexpected end of data" in said:
        return "a quote that is opened here is never closed"
    if "new-line character" in said:
        return "its lines end as no CSV's do (a bare carriage return): save it with usual line ends"
    if "field larger" in said:
        return f"a cell is longer than {LONGEST_LINE >> 20} MiB: is a quote not closed?"
    return f"it is not CSV ({said})"


def _named(source: Source, line: int, cells: list[str]) -> list[str]:
    """The names of the columns; one without a name is called by its number."""
    names = [cell.strip() or f"column {n}" for n, cell in enumerate(cells, start=1)]
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        raise SourceError(
            f"{source.name}, line {line}: names the column {twice[0]} twice.", "Give each column its own name."
        )
    return names


def _dialect(source: Source, wishes: FileWishes) -> dict[str, Any]:
    """Return the settings for the csv module: as the map says, else guessed from the first lines."""
    csv.field_size_limit(LONGEST_LINE)
    told: dict[str, Any] = {"quotechar": wishes.quote, "strict": True}
    if wishes.escape:
        told |= {"escapechar": wishes.escape, "doublequote": False}
    return {**told, "delimiter": wishes.delimiter or _delimiter(source, told, wishes.encoding)}


def _delimiter(source: Source, told: dict[str, Any], encoding: str) -> str:
    """The delimiter that parts the first lines into the most cells, as many in each."""
    text = source.head.removeprefix(b"\xef\xbb\xbf").decode(encoding, "replace")
    held = text.splitlines(keepends=True)
    whole = held[:-1] if len(source.head) < source.size and len(held) > 1 else held

    def parted(delimiter: str) -> tuple[bool, int]:
        widths: list[int] = []
        try:
            for cells in csv.reader(whole, delimiter=delimiter, **told):
                widths += [len(cells)] if cells else []
                if len(widths) > _LOOKED_AT:
                    break
        except csv.Error:
            pass
        width = widths[0] if widths else 0
        return width > 1 and sum(each == width for each in widths) * 2 > len(widths), width

    return max(_DELIMITERS, key=parted)
