"""One message, a width, its folds -> lines of pieces that know their style's name and their place in the store; lazily.

Owns how messages and calls look as text. No colours (the theme maps style names), no terminal, no Textual, no store.

    view = View(width=80, tools="inline", reasoning=False, toggled=frozenset())
    classed = [CallClass("write", "cancel")]
    laid = MessageLayout(message, number, view, badges=[Piece("⟦wrong⟧", "tag")], classed=classed)
    laid.height                       lines; exact unless something in it is very long and not yet looked at (`exact`)
    laid.lines(first, last)           those lines; asking lays out only these and may correct `height`
    laid.line_of("text", None, 120)   the line that shows a stored character (find, --at); None when folded away
    laid.line_of("result", 2, 44)     likewise in the second call
    laid.folds                        keys of what can be opened or folded; put one into `View.toggled` to turn it
    laid.fold_at(line)                the key that a line (clicked, or under the cursor) opens or folds
    laid.call_lines(2), call_at(line) which lines show which call
    estimated_height(message, view)   before laying out: for the scrollbar of 1,000 messages

The tool layer beside the transcript is a `CallLayout(call, number, view, classed)` a call: the same interface.

A `Line` is a tuple of `Piece(text, style, source, unit, fold)`. `source` is the `Span(part, call, start, end, pointer)`
of the STORED characters, None for what the layout added. To paint a mark, a hit or a selection over a cached line:
`piece.shown(start, end)` is the part of the piece to paint; for a click, `piece.stored(at)` the stored characters.
Lines never exceed the width. The first cells of each line are gutter (style "gutter"), for the cursor.

Fold keys: "text", "reasoning", "2" (the second call), "2.arguments", "2.result"; "2.json" turns its JSON on or off.

`STYLES` are the names of the styles; badges bring their own.
"""

from __future__ import annotations

from reviewer.app.layout.calls import CallLayout
from reviewer.app.layout.message import MessageLayout, estimated_height
from reviewer.app.layout.pieces import STYLES, Line, Piece, Span, clipped, fitted, text_of, width_of
from reviewer.app.layout.view import CallClass, View

__all__ = [
    "STYLES",
    "CallClass",
    "CallLayout",
    "Line",
    "MessageLayout",
    "Piece",
    "Span",
    "View",
    "clipped",
    "estimated_height",
    "fitted",
    "text_of",
    "width_of",
]
