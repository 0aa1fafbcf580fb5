"""Arguments and results as tables of fields, or as indented JSON, a batch of rows at a time.

Owns the two columns and their widths. Each row knows its JSON pointer and where key and value stand in the raw text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice, takewhile
from typing import NamedTuple

from rich.cells import cell_len

from reviewer.app.layout.pieces import Line, Piece, Span, clipped
from reviewer.app.layout.slices import SlicedBlock
from reviewer.app.layout.text_lines import SLICE, Frame, StoredText, laid_out, slices_of
from reviewer.basics.clean import CleanText, cleaned, printable_line, through
from reviewer.basics.glyphs import glyph, plainly
from reviewer.basics.jsonspans import (
    LONGEST_PYTHON,
    Leaf,
    Token,
    decoded,
    leaves,
    leaves_behind,
    quoted,
    string_slices,
    tokens,
)

STRETCH = 16_384
"""Characters of a long text whose fields are laid out without those before."""
BATCH = 64
"""Rows read ahead to find the width of the first column, and lines laid out at a time."""
NARROWEST = 12
"""A value with fewer cells beside its key goes below it."""
COUNTED = 50_000
"""In a longer text the fields behind a fold are not counted, only its characters."""

USUAL_LINES = 1 / 30
"""Lines that a character comes to, before anything was laid out."""

FEWEST_EMPTY = 2
"""One empty field takes no more room than a line about it."""

Batch = tuple[int, list[Line]]
_STYLES = {"string": "value", "number": "value.number", "word": "value.word", "deep": "value", "empty": "dim"}


class FieldRows(NamedTuple):
    """The fields of a JSON text as rows on demand."""

    flow: SlicedBlock
    empty: Sequence[Leaf] = ()
    """Where it has several that say nothing: those."""
    left_out: Sequence[Leaf] = ()
    """Of these, the ones that the rows do not show."""


def field_rows(text: str, place: StoredText, frame: Frame, *, all_of_them: bool = True) -> FieldRows | None:
    """The fields as rows, without the empty ones unless all are wanted; None for no object, list or quoted text.

    In a text that is too long to look for them all are shown.
    """
    entries = leaves(text)
    empty: list[Leaf] = []
    if entries is not None and len(text) <= COUNTED:
        fields = list(entries)
        empty = [leaf for leaf in fields if _is_empty(text, leaf)]
        empty = empty if len(empty) >= FEWEST_EMPTY else []
        hidden = [] if all_of_them else empty
        entries = iter([leaf for leaf in fields if not _is_empty(text, leaf)] if hidden else fields)
        spans = [(leaf.begins, leaf.end) for leaf in hidden]
        return FieldRows(_in_order(text, entries, place, frame, spans), empty, hidden)
    entries = entries or quoted(text)
    if entries is None:
        return None
    if len(text) <= LONGEST_PYTHON:
        return FieldRows(_in_order(text, entries, place, frame))
    column = _column(list(islice(_grouped(text, leaves_behind(text, 0)), BATCH)), frame)
    starts = range(0, len(text), STRETCH)
    stretches = [_Stretch(text, start, min(start + STRETCH, len(text)), place, frame, column) for start in starts]
    return FieldRows(SlicedBlock(stretches, place.part, place.call))


def _in_order(
    text: str, entries: Iterator[Leaf], place: StoredText, frame: Frame, left_out: Sequence[tuple[int, int]] = ()
) -> SlicedBlock:
    """These fields as rows, laid out from the first one on."""
    return SlicedBlock([_Batches(len(text), 0, _rows(text, entries, place, frame))], place.part, place.call, left_out)


def _is_empty(text: str, leaf: Leaf) -> bool:
    return leaf.kind == "empty" or text[leaf.start : leaf.end] in ('""', "''", "null", "None")


def json_flow(text: str, place: StoredText, frame: Frame) -> SlicedBlock | None:
    """A JSON text indented, on demand; None when it is no object or list, or there is no room to indent it."""
    if frame.width < NARROWEST or leaves(text) is None:
        return None
    return SlicedBlock([_Batches(len(text), 0, _indented(text, place, frame))], place.part, place.call)


def hidden_fields(text: str, offset: int) -> str:
    """Describe how much of a JSON text comes after an offset, in fields and characters."""
    characters = len(text) - offset
    if len(text) <= COUNTED:
        fields = sum(1 for leaf in leaves(text) or () if leaf.begins >= offset)
        if fields:
            return f"{fields:,} more field{'s' if fields > 1 else ''}, {characters:,} characters"
    return f"{characters:,} more characters"


class _Batches:
    """A slice that lays out a batch from a stream of rows and leaves the rest to a following slice."""

    def __init__(self, end: int, start: int, batches: Iterator[Batch], lines_a_character: float = USUAL_LINES) -> None:
        self.start = start
        self.estimate = max(1, round((end - start) * lines_a_character))
        self._end, self._batches = end, batches

    def lay(self) -> tuple[list[Line], _Batches | None]:
        lines: list[Line] = []
        end = self.start
        for reached, batch in self._batches:
            end = reached
            lines += batch
            if len(lines) >= BATCH:
                break
        following = next(self._batches, None)
        if following is None:
            return lines, None
        rate = len(lines) / max(1, end - self.start)
        return lines, _Batches(self._end, end, chain((following,), self._batches), rate)


class _Stretch:
    """A slice that begins somewhere in a long text; its fields are looked for when it is laid out."""

    def __init__(self, text: str, start: int, end: int, place: StoredText, frame: Frame, column: int) -> None:
        self.start = start
        self.estimate = max(1, round((end - start) * USUAL_LINES))
        self._text, self._end, self._place, self._column = text, end, place, column
        self._frame = frame._replace(first=frame.rest) if start else frame

    def lay(self) -> tuple[list[Line], _Batches | None]:
        entries = takewhile(lambda leaf: leaf.begins < self._end, leaves_behind(self._text, self.start))
        batches = _rows(self._text, entries, self._place, self._frame, self._column)
        return _Batches(self._end, self.start, batches).lay()


class _Row(NamedTuple):
    """A field, what stands in the first column for it, and the container that is named above it."""

    leaf: Leaf
    label: str
    group: str = ""
    grouped: bool = False


def _column(rows: Sequence[_Row], frame: Frame) -> int:
    """The width of the first column for these rows."""
    widest = max([cell_len(row.label[: frame.width]) + 2 * row.grouped for row in rows], default=0)
    return min(widest, max(8, frame.width // 2))


def _rows(
    text: str, entries: Iterator[Leaf], place: StoredText, frame: Frame, column: int | None = None
) -> Iterator[Batch]:
    rows = _grouped(text, entries)
    ahead = list(islice(rows, BATCH)) if column is None else []
    column = _column(ahead, frame) if column is None else column
    for row in chain(ahead, rows):
        if row.group:
            heading = Piece(
                clipped(plainly(row.group, frame.plain), frame.width, glyph("more", frame.plain)), "field.group"
            )
            yield row.leaf.begins, [(*frame.first, heading)]
            frame = frame._replace(first=frame.rest)
        yield from _row(text, row, place, frame, column)
        frame = frame._replace(first=frame.rest)


def _grouped(text: str, entries: Iterator[Leaf]) -> Iterator[_Row]:
    """Group fields into rows: those of one container are indented below its path, a lone one shows its whole path."""
    group = ""
    leaf = next(entries, None)
    while leaf:
        following = next(entries, None)
        parent, _, name = (leaf.pointer or "").rpartition("/")
        if not parent:
            yield _Row(leaf, _label(text, leaf))
        elif parent == group:
            yield _Row(leaf, printable_line(name), grouped=True)
        elif following and (following.pointer or "").rpartition("/")[0] == parent:
            yield _Row(leaf, printable_line(name), printable_line(parent[1:]), grouped=True)
        else:
            parent = ""
            yield _Row(leaf, _label(text, leaf))
        group, leaf = parent, following


def _row(text: str, row: _Row, place: StoredText, frame: Frame, column: int) -> Iterator[Batch]:
    leaf = row.leaf
    place = place._replace(pointer=leaf.pointer)
    if not row.label:
        yield from _value(text, leaf, place, frame)
        return
    indent = Piece("  " if row.grouped and frame.width > 4 else "", "field.key")
    label = clipped(plainly(row.label, frame.plain), frame.width - len(indent.text), glyph("more", frame.plain))
    source = Span(place.part, place.call, leaf.key_start, leaf.key_end, leaf.pointer)
    key = (indent, Piece(label, "field.key", source if leaf.key_end > leaf.key_start else None, 0))
    used = len(indent.text) + cell_len(label)
    room = frame.width - column - 2
    if room >= NARROWEST and used <= column:
        blank = Piece(" " * (column + 2), "field.key")
        pad = Piece(" " * (column + 2 - used), "field.key")
        inner = Frame(room, (*frame.first, *key, pad), (*frame.rest, blank), frame.plain)
    else:
        yield leaf.key_end, [(*frame.first, *key)]
        hang = Piece(indent.text + "  " if frame.width > 8 else "", "field.key")
        inner = Frame(frame.width - len(hang.text), (*frame.rest, hang), (*frame.rest, hang), frame.plain)
    yield from _value(text, leaf, place, inner)


def _value(text: str, leaf: Leaf, place: StoredText, frame: Frame) -> Iterator[Batch]:
    style = _STYLES[leaf.kind]
    for start, end, shown in _stretches(text, leaf, frame.plain):
        yield end, laid_out(shown, start, place, frame, style)
        frame = frame._replace(first=frame.rest)


def _stretches(text: str, leaf: Leaf, plain: bool) -> Iterator[tuple[int, int, CleanText]]:
    """A field's value in stretches short enough to lay out, each with where it stands."""
    if leaf.kind == "string" and leaf.end - leaf.start > 2:
        for start, end in string_slices(text, leaf.start + 1, leaf.end - 1, SLICE):
            told = decoded(text, start, end)
            yield start, end, through(cleaned(told.text, plain), told)
    else:
        whole = text[leaf.start : leaf.end]
        for start, end in slices_of(whole):
            yield leaf.start + start, leaf.start + end, cleaned(whole[start:end], plain)


def _label(text: str, leaf: Leaf) -> str:
    if leaf.pointer is not None:
        return printable_line(leaf.pointer[1:])
    return printable_line(text[leaf.key_start : min(leaf.key_end, leaf.key_start + 200)]) + "…"


class _JsonLine(NamedTuple):
    """One line of indented JSON: a value, or one or both brackets of a container."""

    depth: int
    key: Token | None
    start: int
    end: int
    bracket: str
    comma: str


def _indented(text: str, place: StoredText, frame: Frame) -> Iterator[Batch]:
    for entry in _entries(text):
        pad = Piece(" " * min(entry.depth * 2, frame.width // 2), "punctuation")
        hang = Piece(pad.text + "  ", "punctuation")
        first = (*frame.first, pad)
        room = frame.width - len(pad.text) - len(entry.comma)
        if entry.key:
            label = printable_line(text[entry.key.start : min(entry.key.end, entry.key.start + 200)])
            label = clipped(plainly(label, frame.plain), frame.width - len(pad.text) - 2, glyph("more", frame.plain))
            source = Span(place.part, place.call, entry.key.start, entry.key.end)
            key = (Piece(label, "field.key", source, 0), Piece(": ", "punctuation"))
            room -= cell_len(label) + 2
            if room < NARROWEST:
                yield entry.key.end, [(*first, *key)]
                first, room = (*frame.rest, hang), frame.width - len(hang.text) - len(entry.comma)
            else:
                first = (*first, *key)
        rest = (*frame.rest, Piece(" " * (frame.width - len(entry.comma) - room), "punctuation"))
        yield from _entry_lines(text, entry, place, Frame(room, first, rest, frame.plain))
        frame = frame._replace(first=frame.rest)


def _entry_lines(text: str, entry: _JsonLine, place: StoredText, frame: Frame) -> Iterator[Batch]:
    end = (Piece(entry.comma, "punctuation"),) if entry.comma else ()
    if entry.bracket:
        source = Span(place.part, place.call, entry.start, entry.end)
        unit = int(len(entry.bracket) == entry.end - entry.start)
        yield entry.end, [(*frame.first, Piece(entry.bracket, "punctuation", source, unit), *end)]
        return
    style = "value" if text[entry.start] in "\"'" else "value.word" if text[entry.start].isalpha() else "value.number"
    value = text[entry.start : entry.end]
    for start, stop in slices_of(value):
        lines = laid_out(cleaned(value[start:stop], frame.plain), entry.start + start, place, frame, style)
        if stop == len(value) and end:
            lines[-1] = (*lines[-1], *end)
        yield entry.start + stop, lines
        frame = frame._replace(first=frame.rest)


def _entries(text: str) -> Iterator[_JsonLine]:
    depth = 0
    key: Token | None = None
    opened: Token | None = None
    signs = tokens(text)
    sign = next(signs, None)
    while sign:
        following = next(signs, None)
        kind, comma = following.kind if following else "", "," if following and following.kind == "comma" else ""
        if kind == "colon":
            key = sign
        elif sign.kind == "open" and kind == "close":
            opened = sign
        elif sign.kind == "open":
            yield _JsonLine(depth, key, sign.start, sign.end, text[sign.start], "")
            depth, key = depth + 1, None
        elif sign.kind == "close":
            depth -= opened is None
            start = opened.start if opened else sign.start
            yield _JsonLine(
                depth, key, start, sign.end, text[start] + text[sign.start] if opened else text[start], comma
            )
            key = opened = None
        elif sign.kind not in ("comma", "colon"):
            yield _JsonLine(depth, key, sign.start, sign.end, "", comma)
            key = None
        sign = following
