"""Light Markdown: style names over the literal characters, and which of them only mark a style and need not be shown.

Owns what counts as a heading, a list item, code, bold and italic. It moves nothing: offsets are those of the line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

LONGEST_TEXT = 200_000
"""A longer text is a log or a dump; it is shown without styles."""
LONGEST_LINE = 2_000
UNSHOWN = "unshown"
"""The style of characters that only mark the style of others, as the stars of `**this**` do."""

_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_HEADING = re.compile(r" {0,3}(#{1,6}) +(?=\S)")
_ITEM = re.compile(r" *([-*+•]|\d{1,3}[.)]) +(?=\S)")
_QUOTE = re.compile(r" {0,3}(?:> ?)+")
_INLINE = re.compile(
    r"""
      (?P<code> (?<!`)(?P<ticks>`{1,3})(?!`) [^`\n]{1,400} (?P=ticks)(?!`) )
    | (?P<strong> \*\*(?=[^\s*]) .{1,400}? (?<=[^\s*])\*\*(?!\*) | (?<!\w)__(?=[^\s_]) .{1,400}? (?<=[^\s_])__(?!\w) )
    | (?P<emphasis> (?<![\w*\\])\*(?=[^\s*]) [^*]{1,400}? (?<=[^\s*])\*(?![\w*])
                  | (?<![\w\\])_(?=[^\s_]) [^_]{1,400}? (?<=[^\s_])_(?!\w) )
    """,
    re.VERBOSE,
)


class StyledSpan(NamedTuple):
    """A span of a line whose style differs from the rest."""

    start: int
    end: int
    style: str


class LineStyle(NamedTuple):
    """The styles of one line: of plain characters, of spans that differ, and the indent of wrapped lines."""

    plain: str
    styled: Sequence[StyledSpan] = ()
    hang: int = 0


class Fences:
    """Knows which lines of a text are in a fenced code block."""

    def __init__(self, text: str) -> None:
        self._marks = [match.start() for match in _FENCE.finditer(text)] if "```" in text or "~~~" in text else []

    def at(self, offset: int) -> str:
        """Say if the line at a stored offset is `in` a block, on its `edge`, or outside (empty)."""
        if not self._marks:
            return ""
        before = bisect_right(self._marks, offset)
        if before and self._marks[before - 1] == offset:
            return "edge"
        return "in" if before % 2 else ""


def line_style(line: str, plain: str, fence: str = "") -> LineStyle:
    """The styles of one line of text, given its position relative to fences."""
    if fence:
        return LineStyle("marker" if fence == "edge" else "code")
    if len(line) > LONGEST_LINE:
        return LineStyle(plain)
    if heading := _HEADING.match(line):
        return LineStyle("heading", (StyledSpan(0, heading.end(), UNSHOWN), *_inline(line, heading.end())))
    if item := _ITEM.match(line):
        bullet = StyledSpan(item.start(1), item.end(1), "bullet")
        return LineStyle(plain, (bullet, *_inline(line, item.end())), item.end())
    if quote := _QUOTE.match(line):
        return LineStyle("quote", (StyledSpan(0, quote.end(), "marker"), *_inline(line, quote.end())), quote.end())
    indent = len(line) - len(line.lstrip(" ")) if line.startswith(" ") else 0
    return LineStyle(plain, tuple(_inline(line, 0)), indent)


def _inline(line: str, start: int) -> list[StyledSpan]:
    if not ("*" in line or "_" in line or "`" in line):
        return []
    styled: list[StyledSpan] = []
    for each in _INLINE.finditer(line, start):
        style = next(name for name in ("code", "strong", "emphasis") if each[name])
        first, last = each.span()
        marker = len(each["ticks"]) if style == "code" else 2 if style == "strong" else 1
        styled += (
            StyledSpan(first, first + marker, UNSHOWN),
            StyledSpan(first + marker, last - marker, style),
            StyledSpan(last - marker, last, UNSHOWN),
        )
    return styled
