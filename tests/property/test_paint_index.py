"""Laws of painting: what lies over a line is what lay over it without an index, and few are tried where many are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from reviewer.app.layout.pieces import Line, Piece, Span
from reviewer.app.layout.stack import Stack
from reviewer.app.shared.paint_index import PaintIndex
from reviewer.app.shared.sheet import Item, LinePlace, Paint, Sheet
from reviewer.transcripts.refs import Part

_PARTS = some.sampled_from(("text", "reasoning"))
_CALLS = some.none() | some.just(1)
_PAINTS = some.builds(
    lambda part, call, start, length: Paint(1, call, part, start, start + length, "hit"),
    _PARTS, _CALLS, some.integers(0, 900), some.sampled_from((1, 3, 40, 200, 201, 900)),
)  # fmt: skip


def _piece(part: Part, call: int | None, start: int, length: int) -> Piece:
    return Piece("x" * length, "text", Span(part, call, start, start + length))


_PIECES = some.builds(_piece, _PARTS, _CALLS, some.integers(0, 900), some.integers(1, 80)) | some.just(Piece("  ", ""))


class _OneLine(Stack):
    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    def lines(self, start: int, end: int) -> list[Line]:
        return [self._line][start:end]


@given(some.lists(_PAINTS, max_size=60), some.lists(_PIECES, max_size=4).map(tuple))
def test_the_same_cells_are_painted_in_the_same_order(paints: list[Paint], line: Line) -> None:
    sheet = Sheet([Item(1)], 80, lambda _: _OneLine(line))

    def cells(chosen: list[Paint]) -> list[tuple[Paint, tuple[int, int]]]:
        return [(each, span) for each in chosen for span in sheet.cells(LinePlace(0, 0), each)]

    assert cells(list(PaintIndex(paints).over(line))) == cells(paints)


def test_of_ten_thousand_only_those_near_a_line_are_tried() -> None:
    paints = [Paint(1, None, "text", start, start + 5, "hit") for start in range(0, 100_000, 10)]
    line = (Piece("x" * 80, "text", Span("text", None, 50_000, 50_080)),)
    assert len(PaintIndex(paints).over(line)) <= 30
