"""What is folded by default, and the line that says exactly what a fold hides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from reviewer.app.layout.pieces import Line, Piece
from reviewer.app.layout.slices import Block, FixedBlock, SlicedBlock, starts_at
from reviewer.app.layout.text_lines import Frame
from reviewer.app.layout.wrap import wrapped
from reviewer.basics.glyphs import glyph

LONG = 40
"""More lines than that fold."""
SHOWN = 24
"""Lines of a folded text that are shown."""


class Limits(NamedTuple):
    """When a text folds, and how much of it is shown then."""

    long: int = LONG
    shown: int = SHOWN


USUAL = Limits()
BRIEF = Limits(4, 2)
"""For what is the same in every conversation, such as a system prompt."""


def folded(
    flow: SlicedBlock,
    key: str,
    opened: bool,
    frame: Frame,
    hidden: Callable[[int], str],
    limits: Limits = USUAL,
    left_out: Sequence[int] = (),
) -> tuple[list[Block], bool]:
    """The blocks that show a flow, and if it can be folded; `hidden` describes what comes after an offset.

    `left_out` is where the empty fields stand that the flow does not show: a line counts those before the fold.
    """
    if not flow.exceeds(limits.long):
        beside = frame if flow.exceeds(0) else frame._replace(rest=frame.first)
        return [flow, *_empties(len(left_out), key, beside)], bool(left_out)
    if opened:
        return [
            flow,
            FixedBlock(fold_lines(f"{glyph('open', frame.plain)} that is all, {frame.opens} folds", key, frame)),
        ], True
    dot = glyph("dot", frame.plain)
    lines = flow.lines(0, limits.long + 1)
    # The first hidden line may be a heading of the layout's own; what is hidden begins behind it.
    beyond = next(span for span in map(starts_at, lines[limits.shown :]) if span)
    words = hidden(beyond.start)
    more = fold_lines(f"{glyph('more', frame.plain)} {words} {dot} {frame.opens} opens", key, frame)
    before = sum(1 for begins in left_out if begins < beyond.start)
    return [FixedBlock(lines[: limits.shown]), *_empties(before, key, frame), FixedBlock(more)], True


def _empties(count: int, key: str, frame: Frame) -> list[Block]:
    """The line that stands for empty fields."""
    if not count:
        return []
    words = f"{glyph('more', frame.plain)} {count:,} empty field{'s' if count > 1 else ''}"
    return [FixedBlock(fold_lines(words, key, frame))]


def folded_height(lines: int, opened: bool, limits: Limits = USUAL) -> int:
    """The number of lines that a text of this many takes once it is folded."""
    return lines if lines <= limits.long else lines + 1 if opened else limits.shown + 1


def hidden_text(text: str, offset: int) -> str:
    """Describe how much of a text comes after an offset, in stored lines and characters."""
    characters = f"{len(text) - offset:,} more characters"
    newlines = text.count("\n", offset, len(text) - 1)
    return f"{newlines + 1:,} more lines, {len(text) - offset:,} characters" if newlines else characters


def fold_lines(words: str, key: str, frame: Frame) -> list[Line]:
    """The lines of the sentence that a fold shows; each carries the fold's key."""
    width = max(1, frame.width)
    return [(*frame.rest, Piece(words[start:end], "fold", None, 1, key)) for start, end in wrapped(words, width)]
