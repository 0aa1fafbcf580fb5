"""What came of the same case in several runs, as lines below a board. Pure: values in, lines out."""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.basics.cells import padded, wrapped
from reviewer.basics.clean import printable_line
from reviewer.figures.measure import metrics
from reviewer.figures.measure.board import Board, Row
from reviewer.figures.measure.printed_figures import passed_said, passes_shown

_NAME, _CASES, _PASS, _COUNT, _FLIP = 24, 7, 7, 5, 12


def lines(board: Board) -> Iterator[str]:
    """A table of pass^k and flips, and what counts as passed; nothing where no case says anything of them."""
    rows = [row for row in board.rows if any(row.figure(name) is not None for name in metrics.OF_REPEATS)]
    if not rows:
        return
    ks = passes_shown(board)
    heads = [padded("cases", _CASES), *(padded(f"pass^{k}", _PASS) for k in ks)] if ks else []
    heads += [padded(name, _COUNT) for name in ("all", "some", "none")] if ks else []
    heads += [padded(name, _FLIP) for name in (metrics.ACT_FLIPS, metrics.SCORE_FLIPS)]
    yield ""
    yield f"{padded('Case by case', _NAME)}{''.join(heads)}".rstrip()
    for row in rows:
        yield from _row(row, ks)
    yield from wrapped(passed_said(board))


def _row(row: Row, ks: list[int]) -> Iterator[str]:
    own = row.repeats
    by_k = {each.k: each for each in own.passes}
    counts = (own.all, own.some, own.none) if by_k else ("-",) * 3
    cells = [padded(f"{by_k[1].cases:,}" if by_k else "-", _CASES)] if ks else []
    cells += [padded(f"{by_k[k].value:.2f}" if k in by_k else "-", _PASS) for k in ks]
    cells += [padded(f"{count}", _COUNT) for count in counts] if ks else []
    cells += [padded("-" if of is None else f"{of[0]} of {of[1]}", _FLIP) for of in (own.act_flips, own.score_flips)]
    yield f"{padded(printable_line(row.model), _NAME)}{''.join(cells)}".rstrip()
    if any(each.left_out for each in own.passes):
        out = (padded(f"{by_k[k].left_out}" if k in by_k else "-", _PASS) for k in ks)
        yield f"{padded('  cases left out', _NAME + _CASES)}{''.join(out)}".rstrip()
