"""Arguments and results as tables of fields, or as indented JSON, a batch of rows at a time.

Owns the two columns and their widths. Each row knows its JSON pointer and where key and value stand in the raw text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import NamedTuple

from rich.cells import cell_len

from reviewer.clean import Cleaned, cleaned, printable_line, through
from reviewer.glyphs import glyph
from reviewer.jsonspans import Leaf, Token, decoded, leaves, string_slices, tokens
from reviewer.layout.flow import Sliced
from reviewer.layout.pieces import Line, Piece, Span, clipped
from reviewer.layout.text import SLICE, Frame, Place, laid_out, slices_of

BATCH = 64
"""Rows read ahead to find the width of the first column, and lines laid out at a time."""
NARROWEST = 12
"""A value with fewer cells beside its key goes below it."""
COUNTED = 50_000
"""In a longer text the fields behind a fold are not counted, only its characters."""

Batch = tuple[int, list[Line]]
_STYLES = {"string": "value", "number": "value.number", "word": "value.word", "deep": "value", "empty": "dim"}


def field_flow(text: str, place: Place, frame: Frame) -> Sliced | None:
    """The fields of a JSON text as rows on demand; None when it is no object or list."""
    found = leaves(text)
    if found is None:
        return None
    return Sliced([_Batches(text, 0, _rows(text, found, place, frame))], place.part, place.call)


def json_flow(text: str, place: Place, frame: Frame) -> Sliced | None:
    """A JSON text indented, on demand; None when it is no object or list, or there is no room to indent it."""
    if frame.width < NARROWEST or leaves(text) is None:
        return None
    return Sliced([_Batches(text, 0, _indented(text, place, frame))], place.part, place.call)


def hidden_fields(text: str, offset: int) -> str:
    """How much of a JSON text lies behind an offset: fields that are not begun, characters."""
    characters = len(text) - offset
    if len(text) <= COUNTED:
        fields = sum(1 for leaf in leaves(text) or () if min(leaf.start, leaf.key_start or leaf.start) >= offset)
        if fields:
            return f"{fields:,} more field{'s' if fields > 1 else ''}, {characters:,} characters"
    return f"{characters:,} more characters"


class _Batches:
    """A slice that reads on in a stream of rows and leaves the rest to a slice like itself."""

    def __init__(self, text: str, start: int, batches: Iterator[Batch], lines_a_character: float = 1 / 30) -> None:
        self.start = start
        self.estimate = max(1, round((len(text) - start) * lines_a_character))
        self._text, self._batches = text, batches

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
        return lines, _Batches(self._text, end, chain((following,), self._batches), rate)


def _rows(text: str, found: Iterator[Leaf], place: Place, frame: Frame) -> Iterator[Batch]:
    ahead = list(islice(found, BATCH))
    widest = max((cell_len(_label(text, leaf)[: frame.width]) for leaf in ahead), default=0)
    column = min(widest, max(8, frame.width * 2 // 5))
    for leaf in chain(ahead, found):
        yield from _row(text, leaf, place, frame, column)
        frame = replace(frame, first=frame.rest)


def _row(text: str, leaf: Leaf, place: Place, frame: Frame, column: int) -> Iterator[Batch]:
    place = place._replace(pointer=leaf.pointer)
    label = _label(text, leaf)
    source = Span(place.part, place.call, leaf.key_start, leaf.key_end, leaf.pointer)
    key = Piece(label, "field.key", source if leaf.key_end > leaf.key_start else None, 0)
    room = frame.width - column - 2
    if not label:
        yield from _value(text, leaf, place, frame)
    elif room >= NARROWEST and cell_len(label) <= column:
        blank = Piece(" " * (column + 2), "field.key")
        pad = Piece(" " * (column + 2 - cell_len(label)), "field.key")
        inner = Frame(room, (*frame.first, key, pad), (*frame.rest, blank), frame.plain)
        yield from _value(text, leaf, place, inner)
    else:
        yield leaf.key_end, [(*frame.first, key._replace(text=clipped(label, frame.width, glyph("more", frame.plain))))]
        indent = Piece("  ", "field.key") if frame.width > 4 else Piece("", "field.key")
        below = (*frame.rest, indent)
        yield from _value(text, leaf, place, Frame(frame.width - len(indent.text), below, below, frame.plain))


def _value(text: str, leaf: Leaf, place: Place, frame: Frame) -> Iterator[Batch]:
    style = _STYLES[leaf.kind]
    for start, end, shown in _stretches(text, leaf):
        yield end, laid_out(shown, start, place, frame, style)
        frame = replace(frame, first=frame.rest)


def _stretches(text: str, leaf: Leaf) -> Iterator[tuple[int, int, Cleaned]]:
    """A field's value in stretches short enough to lay out, each with where it stands."""
    if leaf.kind == "string" and leaf.end - leaf.start > 2:
        for start, end in string_slices(text, leaf.start + 1, leaf.end - 1, SLICE):
            plain = decoded(text, start, end)
            yield start, end, through(cleaned(plain.text), plain)
    else:
        whole = text[leaf.start : leaf.end]
        for start, end in slices_of(whole):
            yield leaf.start + start, leaf.start + end, cleaned(whole[start:end])


def _label(text: str, leaf: Leaf) -> str:
    if leaf.pointer is not None:
        return printable_line(leaf.pointer[1:])
    return printable_line(text[leaf.key_start : min(leaf.key_end, leaf.key_start + 200)]) + "…"


class _Entry(NamedTuple):
    """One line of indented JSON: a value, or one or both brackets of a container."""

    depth: int
    key: Token | None
    start: int
    end: int
    bracket: str
    comma: str


def _indented(text: str, place: Place, frame: Frame) -> Iterator[Batch]:
    for entry in _entries(text):
        pad = Piece(" " * min(entry.depth * 2, frame.width // 2), "punctuation")
        hang = Piece(pad.text + "  ", "punctuation")
        first = (*frame.first, pad)
        room = frame.width - len(pad.text) - len(entry.comma)
        if entry.key:
            label = printable_line(text[entry.key.start : min(entry.key.end, entry.key.start + 200)])
            label = clipped(label, frame.width - len(pad.text) - 2, glyph("more", frame.plain))
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
        frame = replace(frame, first=frame.rest)


def _entry_lines(text: str, entry: _Entry, place: Place, frame: Frame) -> Iterator[Batch]:
    end = (Piece(entry.comma, "punctuation"),) if entry.comma else ()
    if entry.bracket:
        source = Span(place.part, place.call, entry.start, entry.end)
        unit = int(len(entry.bracket) == entry.end - entry.start)
        yield entry.end, [(*frame.first, Piece(entry.bracket, "punctuation", source, unit), *end)]
        return
    style = "value" if text[entry.start] in "\"'" else "value.word" if text[entry.start].isalpha() else "value.number"
    value = text[entry.start : entry.end]
    for start, stop in slices_of(value):
        lines = laid_out(cleaned(value[start:stop]), entry.start + start, place, frame, style)
        if stop == len(value) and end:
            lines[-1] = (*lines[-1], *end)
        yield entry.start + stop, lines
        frame = replace(frame, first=frame.rest)


def _entries(text: str) -> Iterator[_Entry]:
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
            yield _Entry(depth, key, sign.start, sign.end, text[sign.start], "")
            depth, key = depth + 1, None
        elif sign.kind == "close":
            depth -= opened is None
            start = opened.start if opened else sign.start
            yield _Entry(depth, key, start, sign.end, text[start] + text[sign.start] if opened else text[start], comma)
            key = opened = None
        elif sign.kind not in ("comma", "colon"):
            yield _Entry(depth, key, sign.start, sign.end, "", comma)
            key = None
        sign = following
