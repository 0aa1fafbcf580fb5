"""One message laid out: its header, its reasoning, its text, what it cites, and its calls when shown inline.

Owns the order of these, the wording of headers and folds, and what folds by default. Knows no terminal and no theme.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import partial

from rich.cells import cell_len

from reviewer.app.layout.calls import CallLayout, call_height
from reviewer.app.layout.folded_fields import folded_fields
from reviewer.app.layout.folds import BRIEF, USUAL, Limits, folded, folded_height, hidden_text
from reviewer.app.layout.pieces import Line, Piece, clipped, fitted, width_of
from reviewer.app.layout.slices import FixedBlock
from reviewer.app.layout.stack import Stack
from reviewer.app.layout.text_lines import Frame, StoredText, estimated_lines, text_flow
from reviewer.app.layout.view import CallClass, View
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph, plainly
from reviewer.basics.jsonspans import is_object
from reviewer.transcripts.model import Message, ToolCall

LONGEST_NAME = 400
"""Characters of a name that are looked at; fewer are shown."""
_PASSAGES = 3
"""Cited passages that are shown beneath a message."""

_ISO = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)")


class MessageLayout(Stack):
    """Lays out one message; its lines are made on demand."""

    def __init__(
        self,
        message: Message,
        number: int,
        view: View,
        badges: Sequence[Piece] = (),
        classed: Sequence[CallClass] = (),
    ) -> None:
        super().__init__()
        self._view = view
        self.add(FixedBlock(header(message, number, view, badges)))
        if message.reasoning and view.reasoning:
            self._add_text(message.reasoning, StoredText("reasoning"), "reasoning", USUAL)
        if message.text:
            self._add_text(message.text, StoredText("text"), "text", limits_of(message))
        elif not message.calls and not (message.reasoning and view.reasoning):
            self.add(FixedBlock([fitted((_gutter(view), Piece("no text", "dim")), view.width)]))
        if message.citations:
            self.add(FixedBlock(cited(message, view)))
        if view.tools == "inline":
            for index, call in enumerate(message.calls):
                self._add_call(call, index + 1, classed[index] if index < len(classed) else CallClass())

    def _add_text(self, text: str, place: StoredText, style: str, limits: Limits) -> None:
        view = self._view
        gutter = _gutter(view)
        before: Line = (gutter,)
        if place.part == "reasoning" and view.width >= 16:
            before = (gutter, Piece(glyph("reasoning", view.plain) + " ", "reasoning"))
        frame = Frame(view.width - width_of(before), before, before, view.plain, view.opens)
        key, said = place.part, style == "text"
        shown = folded_fields(text, place, frame, view, key, "json") if said and is_object(text) else None
        if shown is None:
            flow = text_flow(text, place, frame, style, markdown=said and not view.raw)
            shown = folded(flow, key, view.turned(key, False), frame, partial(hidden_text, text), limits)
        blocks, folds = shown
        for block in blocks:
            self.add(block)
        self.folds += [key] if folds else []

    def _add_call(self, call: ToolCall, number: int, classed: CallClass) -> None:
        layout = CallLayout(call, number, self._view, classed, indent=len(_gutter(self._view).text))
        self.add(layout, call=number)
        self.folds += layout.folds


def header(message: Message, number: int, view: View, badges: Sequence[Piece] = ()) -> list[Line]:
    """Lay out the line above a message: who, number, time, badges, what is hidden; cut only at the width."""
    role, sign = f"role.{message.role}", glyph(message.role, view.plain)
    more = glyph("more", view.plain)
    who = (
        Piece(" " if view.width >= 16 else "", "gutter"),
        Piece(sign + " " * (1 if view.plain else 3 - cell_len(sign)), role),
        Piece(clipped(plainly(speaker(message), view.plain), 40, more), role),
        Piece(f"  {number}", "number"),
    )
    time = since(view.since, message.at) if message.at and not view.dates else ""
    notes = [Piece(plainly(time or time_of(message.at), view.plain), "time")] if message.at else []
    notes += badges
    if message.reasoning and not view.reasoning:
        notes.append(_note(f"reasoning {len(message.reasoning):,} characters", view))
    if message.calls and view.tools != "inline":
        notes.append(_note(f"{len(message.calls)} call{'s' if len(message.calls) > 1 else ''}", view))
    lines = [fitted(who, view.width, more)]
    for note in notes:
        if width_of(lines[-1]) + 2 + cell_len(note.text) <= view.width:
            lines[-1] = (*lines[-1], Piece("  ", "dim"), note)
        else:
            lines.append(fitted((_gutter(view), note), view.width, more))
    return lines


def cited(message: Message, view: View) -> list[Line]:
    """Lay out the passages that a message cites, a line each; of many the first, and how many there are besides."""
    more = glyph("more", view.plain)
    passages = list(dict.fromkeys((each.named, each.passage) for each in message.citations))
    lines = []
    for named, passage in passages[:_PASSAGES]:
        words = " ".join(printable_line(passage[:LONGEST_NAME]).split())
        pieces = [_gutter(view), Piece("cites ", "dim")]
        pieces += [Piece(plainly(f"“{words}”", view.plain), "quote")] if words else []
        title = printable_line(named[:LONGEST_NAME])
        pieces += [Piece(plainly(f" · {title}" if words else title, view.plain), "dim")] if title else []
        lines.append(fitted(tuple(pieces), view.width, more))
    left = len(passages) - len(lines)
    if left:
        lines.append(fitted((_gutter(view), Piece(f"{more} and {left:,} more", "dim")), view.width, more))
    return lines


def _note(words: str, view: View) -> Piece:
    return Piece(f"{glyph('dot', view.plain)} {words}", "dim")


def limits_of(message: Message) -> Limits:
    """The limits above which a message folds; low for system prompts, which are the same everywhere."""
    return BRIEF if message.role == "system" else USUAL


def speaker(message: Message) -> str:
    """Name who speaks, in words: the role, with the name or the source's own role where these say more."""
    own = printable_line(message.source_role[:LONGEST_NAME]) if message.role == "other" else ""
    role = own or message.role
    return f"{printable_line(message.name[:LONGEST_NAME])} ({role})" if message.name else role


def time_of(at: str) -> str:
    """A message's time without fractions of a second and zone."""
    match = _ISO.match(at)
    return f"{match[1]} {match[2]}" if match else clipped(printable_line(at[:LONGEST_NAME]), 25)


def since(first: str, at: str) -> str:
    """The time from one message to another as `+0:41`; empty where one of the two cannot be read."""
    try:
        seconds = int((datetime.fromisoformat(at) - datetime.fromisoformat(first)).total_seconds())
    except (ValueError, TypeError):  # no time, or one with a zone and one without
        return ""
    minutes, rest = divmod(abs(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
    return f"{'-' if seconds < 0 else '+'}{clock}"


def estimated_height(message: Message, view: View) -> int:
    """Estimate how many lines a message takes, without laying it out."""
    width = max(1, view.width - len(_gutter(view).text))
    lines = 1
    for text, key, shown in ((message.text, "text", True), (message.reasoning, "reasoning", view.reasoning)):
        if text and shown:
            limits = limits_of(message) if key == "text" else USUAL
            lines += folded_height(estimated_lines(text, 0, len(text), width), view.turned(key, False), limits)
    if message.citations:
        lines += len(cited(message, view))
    if view.tools == "inline":
        lines += sum(call_height(call, view, at + 1) for at, call in enumerate(message.calls))
    return max(lines, 1 if message.text or message.calls else 2)


def _gutter(view: View) -> Piece:
    return Piece(" " * (4 if view.width >= 40 else 2 if view.width >= 16 else 0), "gutter")
