"""Stored text -> lines of pieces, by slices: cleaned, wrapped, lightly styled, each piece with its place in the store.

Owns where a long text may be cut into slices, and the splitting of a line at every change of style or of the rate at
which printed characters stand for stored ones. Knows neither messages nor folds.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rich.cells import cell_len

from reviewer.app.layout.markdown_styles import LONGEST_TEXT, UNSHOWN, Fences, LineStyle, StyledSpan, line_style
from reviewer.app.layout.pieces import Line, Piece, Span
from reviewer.app.layout.slices import Block, FixedBlock, SlicedBlock
from reviewer.app.layout.wrap import is_narrow, wrapped
from reviewer.basics.clean import CleanText, cleaned
from reviewer.basics.glyphs import glyph
from reviewer.transcripts.refs import Part

SLICE = 4_096
"""Stored characters laid out at a time."""

Styler = Callable[[str, int], LineStyle]


class StoredText(NamedTuple):
    """Identifies the stored text that is laid out: a part of the message, a call, a field."""

    part: Part
    call: int | None = None
    pointer: str | None = None


class Frame(NamedTuple):
    """The room for lines: their width, and what precedes the first line and all others."""

    width: int
    first: Line = ()
    rest: Line = ()
    plain: bool = False
    """Plain signs only."""
    opens: str = "enter"
    """The key that opens a fold."""


def text_flow(text: str, place: StoredText, frame: Frame, style: str, markdown: bool) -> SlicedBlock:
    """Lay out a stored text; its lines are made on demand."""
    styler = _styler(text, style) if markdown and len(text) <= LONGEST_TEXT else None
    return SlicedBlock(_slices(text, place, frame, style, styler), place.part, place.call)


def words_flow(text: str, frame: Frame, style: str) -> Block:
    """Lay out words that are not part of the conversation; the lines of long ones are made on demand."""
    if len(text) <= SLICE:
        return FixedBlock(unsourced(text, frame, style))
    return SlicedBlock(_slices(text, None, frame, style, None), None, None)


def _slices(
    text: str, place: StoredText | None, frame: Frame, style: str, styler: Styler | None
) -> Iterator[_TextSlice]:
    later = frame._replace(first=frame.rest)
    for start, end in slices_of(text):
        yield _TextSlice(text, start, end, place, later if start else frame, style, styler)


def _styler(text: str, style: str) -> Styler:
    fences = Fences(text)
    return lambda line, offset: line_style(line, style, fences.at(offset))


def slices_of(text: str) -> Iterator[tuple[int, int]]:
    """Cut a long text into slices: at a newline, else at a blank, never inside a cluster."""
    at = 0
    while len(text) - at > SLICE + SLICE // 4:
        middle, end = at + SLICE // 2, at + SLICE
        cut = text.rfind("\n", middle, end) + 1 or text.rfind(" ", middle, end) + 1 or end
        floor = cut - 64
        while cut > floor and _joined(text, cut):
            cut -= 1
        yield at, cut
        at = cut
    if at < len(text):
        yield at, len(text)


def _joined(text: str, cut: int) -> bool:
    after, before = text[cut], text[cut - 1]
    if after.isascii():
        return before == "\r" and after == "\n"
    return (
        unicodedata.category(after)[0] == "M" or after in "\u200c\u200d" or before == "\u200d" or "🏻" <= after <= "🏿"
    )


@dataclass
class _TextSlice:
    text: str
    start: int
    end: int
    place: StoredText | None
    """None when it is not part of the conversation."""
    frame: Frame
    style: str
    styler: Styler | None

    @cached_property
    def estimate(self) -> int:
        return estimated_lines(self.text, self.start, self.end, self.frame.width)

    def lay(self) -> tuple[list[Line], None]:
        text = self.text[self.start : self.end]
        if self.place is None:
            return unsourced(text, self.frame, self.style), None
        shown = cleaned(text, self.frame.plain)
        return laid_out(shown, self.start, self.place, self.frame, self.style, self.styler), None


def estimated_lines(text: str, start: int, end: int, width: int) -> int:
    """Estimate cheaply how many lines a stretch of text takes."""
    if end <= start:
        return 0
    lines = text.count("\n", start, end) + (text[end - 1] != "\n")
    blank = text.count("\n\n", start, end)
    # Words leave the end of a line empty, and a paragraph half of its last one.
    return max(lines, blank + (lines - blank) // 2 + (end - start) // max(1, width - 4))


def laid_out(
    shown: CleanText, base: int, place: StoredText, frame: Frame, style: str, styler: Styler | None = None
) -> list[Line]:
    """Lay out cleaned text as lines; `base` is the stored offset of its first character."""
    looks: Sequence[LineStyle] = ()
    if styler:
        shown, looks = _unmarked(shown, _looks(shown, base, styler))
    narrow = is_narrow(shown.text)
    paragraphs = _paragraphs(shown.text)
    lines: list[Line] = []
    prefix, top = frame.first, 0
    for index, paragraph in enumerate(paragraphs):
        look = looks[index] if looks else LineStyle(style)
        simple = not look.styled and (
            not shown.runs or next(shown.runs_between(top, top + len(paragraph)), None) is None
        )
        stored = base + shown.stored(top)
        hang = min(look.hang, frame.width // 2) if frame.width >= 8 else 0
        pad: Line = (Piece(" " * hang, style),) if hang else ()
        for start, end in wrapped(paragraph, frame.width, hang, narrow):
            if simple:
                span = Span(place.part, place.call, stored + start, stored + end, place.pointer)
                pieces: Line = (Piece(paragraph[start:end], look.plain, span),)
            else:
                pieces = _pieces(shown, base, place, look, top, start, end)
            if frame.width < 2 and not narrow:
                pieces = tuple([_boxed(piece, frame) for piece in pieces])
            lines.append((*prefix, *pad, *pieces) if start else (*prefix, *pieces))
            prefix = frame.rest
        top += len(paragraph) + 1
    return lines


def _paragraphs(text: str) -> list[str]:
    paragraphs = text.split("\n")
    return paragraphs if paragraphs[-1] else paragraphs[:-1]


def _looks(shown: CleanText, base: int, styler: Styler) -> list[LineStyle]:
    """The styles of each paragraph."""
    looks: list[LineStyle] = []
    top = 0
    for paragraph in _paragraphs(shown.text):
        looks.append(styler(paragraph, base + shown.stored(top)))
        top += len(paragraph) + 1
    return looks


def _unmarked(shown: CleanText, looks: Sequence[LineStyle]) -> tuple[CleanText, Sequence[LineStyle]]:
    """The text without the signs that only mark a style, and the styles where their words stand then."""
    left_out: list[tuple[int, int]] = []
    moved: list[LineStyle] = []
    top = 0
    for paragraph, look in zip(_paragraphs(shown.text), looks, strict=True):
        styled: list[StyledSpan] = []
        gone = 0
        for start, end, style in look.styled:
            if style != UNSHOWN:
                styled.append(StyledSpan(start - gone, end - gone, style))
            elif next(shown.runs_between(top + start, top + end), None):  # something in it was replaced: it stays
                styled.append(StyledSpan(start - gone, end - gone, "marker"))
            else:
                left_out.append((top + start, top + end))
                gone += end - start
        moved.append(look._replace(styled=styled))
        top += len(paragraph) + 1
    return (shown.without(left_out), moved) if left_out else (shown, looks)


def _boxed(piece: Piece, frame: Frame) -> Piece:
    if cell_len(piece.text) <= frame.width:
        return piece
    return piece._replace(text=glyph("box", frame.plain), style="control", unit=0)


def _pieces(shown: CleanText, base: int, place: StoredText, look: LineStyle, top: int, start: int, end: int) -> Line:
    """Cut one line of a paragraph into pieces, wherever the style or the rate of replacement changes."""
    pieces: list[Piece] = []
    at = start
    for first, last, style in look.styled:
        first, last = max(first, at), min(last, end)
        if first >= last:
            continue
        if at < first:
            pieces += _sourced(shown, base, place, look.plain, top + at, top + first)
        pieces += _sourced(shown, base, place, style, top + first, top + last)
        at = last
    if at < end or not pieces:
        pieces += _sourced(shown, base, place, look.plain, top + at, top + end)
    return tuple(pieces)


def _sourced(shown: CleanText, base: int, place: StoredText, style: str, start: int, end: int) -> Iterator[Piece]:
    part, call, pointer = place
    text = shown.text
    at = start
    for run in shown.runs_between(start, end):
        if at < run.printed:
            stored = base + shown.stored(at)
            yield Piece(text[at : run.printed], style, Span(part, call, stored, stored + run.printed - at, pointer))
            at = run.printed
        until = min(end, run.printed_end)
        while at < until:
            # One for one (or a whole number for one) stays together; else each replacement is a piece of its own.
            many = run.printed_unit == 1
            stop = until if many else min(until, at + run.printed_unit - (at - run.printed) % run.printed_unit)
            first, last = shown.stored_span(at, stop)
            span = Span(part, call, base + first, base + last, pointer)
            yield Piece(text[at:stop], _replaced(text[at:stop], many, style), span, run.stored_unit if many else 0)
            at = stop
    if at < end or start == end:
        stored = base + shown.stored(at)
        yield Piece(text[at:end], style, Span(part, call, stored, stored + end - at, pointer))


def _replaced(text: str, many: bool, style: str) -> str:
    visible = "\u2400" <= text[0] <= "\u2421" if many else not text.isspace()
    return "control" if visible else style


def unsourced(text: str, frame: Frame, style: str) -> list[Line]:
    """Lay out words that are not part of the message: an error, a note."""
    lines = laid_out(cleaned(text, frame.plain), 0, StoredText("text"), frame, style)
    return [tuple([piece._replace(source=None) if piece.source else piece for piece in line]) for line in lines]
