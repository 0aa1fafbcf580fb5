"""One tool call laid out: a head line, then what it was given and what came back, as fields, JSON or raw text.

Owns the wording of heads and states. What a tool means is the desk's to say and comes in as `CallClass`.
"""

from __future__ import annotations

from functools import partial

from rich.cells import cell_len

from reviewer.app.layout.folded_fields import folded_fields
from reviewer.app.layout.folds import folded, folded_height, hidden_text
from reviewer.app.layout.pieces import Line, Piece, clipped, fitted, width_of
from reviewer.app.layout.slices import FixedBlock
from reviewer.app.layout.stack import Stack
from reviewer.app.layout.text_lines import Frame, StoredText, text_flow, unsourced
from reviewer.app.layout.view import CallClass, View
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph, plainly
from reviewer.basics.jsonspans import decoded, leaves
from reviewer.transcripts.model import ToolCall
from reviewer.transcripts.refs import Part

LONGEST_KEY = 32
"""Cells of the argument shown in the head."""
LONGEST_ERROR = 2_000


class CallLayout(Stack):
    """Lays out one call; its lines are made on demand."""

    def __init__(
        self, call: ToolCall, number: int, view: View, classed: CallClass, indent: int = 1, label: str = ""
    ) -> None:
        super().__init__()
        self._view, self._call, self._number = view, call, number
        gutter = Piece(" " * indent if view.width >= 16 else "", "gutter")
        inner = Piece(" " * (indent + 2) if view.width >= 16 else "", "gutter")
        self._frame = Frame(max(1, view.width - len(inner.text)), (inner,), (inner,), view.plain, view.opens)
        key = str(number)
        opened = view.turned(key, view.calls_open)
        self.folds.append(key)
        self.add(FixedBlock([head(call, key, opened, view, classed, gutter, label)]))
        if classed.remark[0]:
            self.add(FixedBlock(unsourced(plainly(classed.remark[0], view.plain), self._frame, classed.remark[1])))
        if opened:
            self.add(FixedBlock(self._remarks()))
            self._add_part("arguments", call.arguments)
            self._add_part("result", call.result)

    def _remarks(self) -> list[Line]:
        call, frame = self._call, self._frame
        lines: list[Line] = []
        if call.error and call.error not in ("error", call.result):
            lines += unsourced(call.error[:LONGEST_ERROR], frame, "error")
            if len(call.error) > LONGEST_ERROR:
                more = f"{glyph('more', frame.plain)} {len(call.error) - LONGEST_ERROR:,} more characters of the error"
                lines += unsourced(more, frame, "fold")
        if call.result_after is not None:
            lines += unsourced(f"result came after message {call.result_after}", frame, "dim")
        return lines

    def _add_part(self, part: Part, text: str | None) -> None:
        view = self._view
        if not text or (part == "arguments" and text.strip() == "{}" and not view.raw):
            return
        place = StoredText(part, self._number)
        sign = glyph("argument" if part == "arguments" else "result", view.plain)
        frame = self._frame
        if frame.width > 8:
            mark = (*frame.first, Piece(f"{sign} ", "dim"))
            frame = frame._replace(width=frame.width - 2, first=mark, rest=(*frame.rest, Piece("  ", "gutter")))
        style = "error" if part == "result" and text == self._call.error else "value"
        fold = f"{self._number}.{part}"
        blocks, folds = folded_fields(text, place, frame, view, fold, f"{self._number}.json") or folded(
            text_flow(text, place, frame, style, markdown=False),
            fold,
            view.turned(fold, False),
            frame,
            partial(hidden_text, text),
        )
        for block in blocks:
            self.add(block)
        self.folds += [fold] if folds else []


def head(
    call: ToolCall, fold: str, opened: bool, view: View, classed: CallClass, gutter: Piece, label: str = ""
) -> Line:
    """The first line of a call: fold sign, class, name, the most telling argument, state."""
    state, state_style = _state(call, classed, view.plain)
    sign = glyph("forbidden" if classed.forbidden else classed.kind, view.plain)
    style = f"tool.{'unclassed' if classed.kind == '?' else classed.kind}"
    if classed.forbidden:
        style = "tool.forbidden"
    left = [
        gutter,
        Piece(glyph("open" if opened else "folded", view.plain) + " ", "fold", None, 1, fold),
        Piece(sign + " " * (3 - cell_len(sign)), style),
    ]
    if label:
        left.append(Piece(f"{label} ", "number"))
    more = glyph("more", view.plain)
    room = view.width - width_of(tuple(left)) - len(state) - 1
    name = clipped(plainly(printable_line(call.name[:400]), view.plain) or "(no name)", max(1, room), more)
    left.append(Piece(name, "tool.name" if classed.kind != "write" else style))
    for text, word_style in ((classed.act, style), (classed.key or _key(call), "tool.key")):
        word = clipped(plainly(printable_line(text[:400]), view.plain), LONGEST_KEY, more)
        if word and width_of(tuple(left)) + cell_len(word) + 2 <= view.width - len(state) - 1:
            left.append(Piece(f"  {word}", word_style))
    gap = view.width - width_of(tuple(left)) - len(state)
    return fitted((*left, Piece(" " * max(1, gap), "dim"), Piece(state, state_style)), view.width, more)


def call_height(call: ToolCall, view: View, number: int) -> int:
    """Estimate how many lines a call takes, without laying it out."""
    if not view.turned(str(number), view.calls_open):
        return 1
    lines = 1
    for text, part in ((call.arguments, "arguments"), (call.result, "result")):
        if text:
            rows = text.count(",") + text.count("\n") + len(text) // max(8, view.width) + 1
            lines += folded_height(rows, view.turned(f"{number}.{part}", False))
    return lines


def _state(call: ToolCall, classed: CallClass, plain: bool) -> tuple[str, str]:
    if classed.failed and classed.act:
        return f"{glyph('attempted', plain)} attempted", "error"
    if classed.failed or call.error:
        return glyph("error", plain), "error"
    if call.orphan:
        return glyph("orphan", plain), "missing"
    if call.result is None:
        return glyph("missing", plain), "missing"
    return glyph("ok", plain), "dim"


def _key(call: ToolCall) -> str:
    """The first argument short enough to stand in the head."""
    text = call.arguments or ""
    if len(text) > 4_000:
        return ""
    for leaf in leaves(text) or ():
        if leaf.kind in ("string", "number") and leaf.end - leaf.start <= LONGEST_KEY:
            inside = leaf.kind == "string"
            return decoded(text, leaf.start + inside, leaf.end - inside).text
    return ""
