"""A line of the queue: which columns fit and how wide each is, what stands in its cells, the header above. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from reviewer.app.shared import outcomes
from reviewer.app.shared.line_widgets import Bit, elided, width_of
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph, plainly
from reviewer.figures.measure.row_columns import COLUMNS, IDENTIFIER, Inventory, RowColumn, band, text_of
from reviewer.marks.row_marks import RowMarks
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.model import QueueRow
from reviewer.transcripts.query.orders import Order

_VERDICT_STYLES = {"pass": "good", "fail": "bad", "defer": "muted"}
_ENDS = {
    "customer-stop": ("end.customer", "faint"),
    "agent-stop": ("end.agent", "faint"),
    "handover": ("end.handover", "faint"),
    "turn-limit": ("end.limit", "missing"),
    "error": ("end.error", "error"),
    "cut": ("end.cut", "missing"),
}
_MANY = 9
_GAP = 1
NOTHING: Bit = (" ", "")
SIGNS, MARKS, SUGGESTED = 5, 3, 2
"""Cells of the signs of what happened, of the marks, and of what is suggested behind them."""


class Extent(NamedTuple):
    """The cells that a column needs at least, and those in which all of it can be said."""

    least: int
    most: int


_EXTENTS = {
    "case": Extent(16, 40),
    "model": Extent(8, 32),
    "run": Extent(6, 6),
    "happened": Extent(SIGNS, 30),
    "messages": Extent(7, 7),
    "opening": Extent(12, 48),
    "ref": Extent(24, 60),
}
_OTHERS = Extent(10, 20)
"""How wide columns may be at least and at most, where their cells need that."""
_IDENTIFIER = Extent(8, 10)
_NAMES = ("case", "model", "ref")
_WORDED = 90
"""Of a hundred conversations, these have room for all that happened in words; of the others the end is cut."""
_MISSED = COLUMNS["score"].last
"""Columns that give way before this one come after names were given what they need."""
_SHARE = 40
"""Of a hundred cells for two names, the second takes no more than these where both are cut."""
_WORDS = 14
"""Cells that the customer's first words get before what happened is said in words."""


class Slot(NamedTuple):
    """A column on the screen: from which cell of the line, how many cells, and whether signs become words."""

    column: RowColumn
    start: int
    width: int
    words: bool = False


def extents(
    columns: Iterable[RowColumn], known: Inventory, plain: bool, *, suggested: bool = False
) -> dict[str, Extent]:
    """How wide these columns are to be in this store; `suggested` where reads went over it."""
    marked = MARKS + (SUGGESTED if suggested else 0)
    return {column.name: _extent(column, known, plain, marked) for column in columns}


def _extent(column: RowColumn, known: Inventory, plain: bool, marked: int) -> Extent:
    if column.name == "marks":
        return Extent(marked, max(marked, len(column.header)))
    if column.name == "happened":
        said = sorted(width_of(_acts_in_words(row, known, plain)) for row in known.rows) or [SIGNS]
        return Extent(SIGNS, max(SIGNS, min(said[len(said) * _WORDED // 100], _EXTENTS["happened"].most)))
    cells = max((cell_len(_printed(text_of(column, row), plain)) for row in known.rows), default=1)
    least, most = _IDENTIFIER if column == IDENTIFIER else _EXTENTS.get(column.name, _OTHERS)
    head = cell_len(_printed(column.short, plain))
    wide = cell_len(_printed(column.header, plain)) if column.scorer else head
    return Extent(max(head, min(cells, least)), max(head, wide, min(cells, most)))


def wanted(columns: Sequence[RowColumn], room: dict[str, Extent], indent: int = 0) -> int:
    """The cells in which a line says all that it has to say."""
    return indent + sum(room[column.name].most + _GAP for column in columns) - _GAP


def fitted(
    columns: Sequence[RowColumn], room: dict[str, Extent], width: int, indent: int = 0, *, chosen: bool = False
) -> tuple[Slot, ...]:
    """Lay out as many columns as fit, those that say most of a conversation first.

    Names take what they need before a column comes that may be missed; where even they do not fit, they share. None is
    to be missed of those that somebody has `chosen`.
    """
    widths: dict[str, int] = {}
    left = width - indent
    ordered = sorted(columns, key=lambda each: each.last)
    for column in ordered:
        if chosen or column.last <= _MISSED:
            left = _admitted(column, widths, room, left)
    left = _grown(widths, {name: room[name].most for name in _NAMES if name in widths}, left)
    for column in ordered:
        if column.name not in widths:
            left = _admitted(column, widths, room, left)
    left = _spread(widths, room, left)
    return _slots(columns, widths, room, left, indent)


def _admitted(column: RowColumn, widths: dict[str, int], room: dict[str, Extent], left: int) -> int:
    """Take in a column that fits, and a name however little is left; returns the cells that are left."""
    least, gap = room[column.name].least, _GAP if widths else 0
    if least + gap <= left:
        widths[column.name] = least
        return left - least - gap
    names = [name for name in _NAMES if name in widths]
    if column.name not in _NAMES or left <= gap:
        return left
    whole = left - gap + sum(widths[name] for name in names)
    own = max(1, left - gap, min(least, whole * _SHARE // 100))
    widths[column.name] = own
    if names:
        widths[names[0]] += left - gap - own
    return 0


def _grown(widths: dict[str, int], to: dict[str, int], left: int) -> int:
    """Widen columns, one after the other; returns the cells that are left."""
    for name, most in to.items():
        more = min(max(0, most - widths[name]), left)
        widths[name] += more
        left -= more
    return left


def _spread(widths: dict[str, int], room: dict[str, Extent], left: int) -> int:
    """Give what is left to some first words, then to what happened in words where all of it fits, then to the rest."""
    left = _grown(widths, {"opening": _WORDS} if "opening" in widths else {}, left)
    fits = "happened" in widths and room["happened"].most - widths["happened"] <= left
    first = {"happened": room["happened"].most} if fits else {}
    others = {name: room[name].most for name in widths if name not in ("opening", "happened")}
    return _grown(widths, {**first, **others}, left)


def _slots(
    columns: Sequence[RowColumn], widths: dict[str, int], room: dict[str, Extent], left: int, indent: int
) -> tuple[Slot, ...]:
    """Place columns beside each other; the first words, or else a name, take what is left."""
    shown = [column for column in columns if column.name in widths]
    rest = next((each for name in ("opening", *_NAMES) for each in shown if each.name == name), None)
    rest = rest or next(iter(shown), None)
    slots: list[Slot] = []
    start = indent
    for column in shown:
        cells = widths[column.name] + (left if column is rest else 0)
        words = column.name == "happened" and cells >= room["happened"].most > SIGNS
        slots.append(Slot(column, start, cells, words))
        start += cells + _GAP
    return tuple(slots)


# -- the cells ---------------------------------------------------------------------------------------------------------


Shorten = Callable[[str, str, int], str]
"""A name of a column in so many cells."""


def line(
    row: QueueRow, slots: Sequence[Slot], known: Inventory, reading: RowMarks, short: Shorten, plain: bool
) -> list[Bit]:
    """What the columns say of a conversation, in exactly as many cells as they have."""
    bits: list[Bit] = [(" " * slots[0].start, "")] if slots and slots[0].start else []
    for index, slot in enumerate(slots):
        cell = _cell(row, slot, known, reading, short, plain)
        pad = " " * max(0, slot.width - width_of(cell))
        gap = " " * (_GAP if index < len(slots) - 1 else 0)
        bits += [(pad, ""), *cell, (gap, "")] if slot.column.right else [*cell, (pad + gap, "")]
    return bits


def _cell(row: QueueRow, slot: Slot, known: Inventory, reading: RowMarks, short: Shorten, plain: bool) -> list[Bit]:
    column, width = slot.column, slot.width
    if column.name == "marks":
        return marks(reading, width, plain)
    if column.name == "happened":
        return _clipped(_acts_in_words(row, known, plain), width, plain) if slot.words else signs(row, known, plain)
    text = text_of(column, row)
    if column.name in _NAMES:
        style = "muted" if column.name == "model" and slot.start else "text" if row.messages else "muted"
        return [(short(column.name, text, width), style)]
    style = "muted"
    if column.scorer:
        value = row.scores.get(column.scorer)
        if not reading.judges:
            return []
        if isinstance(value, float):
            style = outcomes.BAND_STYLES[band(value, known.scales.get(column.scorer, (0.0, 1.0)))]
    return [(elided(_printed(text, plain), width, glyph("more", plain)), style)]


def header(slots: Sequence[Slot], order: Order, plain: bool) -> list[Bit]:
    """The names of the columns, the one that the queue is sorted by lit and with its direction."""
    bits: list[Bit] = [(" " * slots[0].start, "")] if slots and slots[0].start else []
    for index, slot in enumerate(slots):
        column, width = slot.column, slot.width
        lit = sorts(column, order)
        arrow = glyph("down" if order.down else "up", plain) if lit else ""
        name = _printed(column.header, plain)
        name = name if cell_len(name) + len(arrow) <= width else _printed(column.short, plain)
        text = elided(name, width - len(arrow), "") + arrow
        gap = " " * (_GAP if index < len(slots) - 1 else 0)
        pad = " " * (width - cell_len(text))
        bits.append((f"{pad}{text}{gap}" if column.right else f"{text}{pad}{gap}", "strong" if lit else "muted"))
    return bits


def sorts(column: RowColumn, order: Order) -> bool:
    """True if a queue in this order is sorted by the column."""
    name, _, key = column.sort.partition(".")
    return bool(name) and name == order.by and (not key or not order.key or order.key == column.scorer)


def slot_at(slots: Sequence[Slot], x: int) -> Slot | None:
    """The column at a cell of the line; the gap behind a column belongs to it."""
    return next((slot for slot in slots if slot.start <= x < slot.start + slot.width + _GAP), None)


def signs(row: QueueRow, known: Inventory, plain: bool) -> list[Bit]:
    """A cell each (two for the first): write or forbidden act, handover, failed call, end; the usual is left out."""
    result = outcome.of_row(row)
    text, style = _act(result, known, plain)
    bits: list[Bit] = [(text + " " * (2 - cell_len(text)), style)]
    bits.append((glyph("handover", plain), "tool.handover") if result.handover else NOTHING)
    bits.append((glyph("failed", plain), "error") if result.errors else NOTHING)
    return [*bits, _end(result, known, plain)]


def _act(result: outcome.Outcome, known: Inventory, plain: bool) -> Bit:
    """The sign of a write that succeeded, or of one only attempted; where most write, the sign of those who did not."""
    if result.forbidden:
        return glyph("forbidden", plain), "bad"
    if not result.writes and set(result.attempted) - {outcome.HANDOVER}:
        return glyph("attempted", plain), "muted"
    if known.wrote:
        return ("", "") if result.writes or not result.messages else (glyph("talk", plain), "faint")
    return (glyph("write", plain), "tool.write") if result.writes else ("", "")


def _end(result: outcome.Outcome, known: Inventory, plain: bool) -> Bit:
    if result.error is not None:
        return glyph("end.error", plain), "error"
    if not result.messages:
        return glyph("empty", plain), "missing"
    if not result.ended_by or result.ended_by == known.ended:
        return NOTHING
    name, style = _ENDS.get(result.ended_by, ("end.other", "faint"))
    return glyph(name, plain), style


def _acts_in_words(row: QueueRow, known: Inventory, plain: bool) -> list[Bit]:
    """The acts by their classes, whether a call failed, and how it ended where that is not how nearly all do."""
    result = outcome.of_row(row)
    bits: list[Bit] = []
    for text, style in outcomes.signs(result, plain) if result.acts else []:
        usual = known.wrote and style == "tool.write"
        bits.append((f"{text.partition(' ')[2] if usual else text} ", style))
    if known.wrote and not result.writes and not result.attempted and result.messages:
        bits.insert(0, (f"{glyph('talk', plain)} ", "faint"))
    bits += [(f"{glyph('failed', plain)} ", "error")] if result.errors else []
    end = _end(result, known, plain)
    return [*bits, *([] if end == NOTHING else [end])]


def _clipped(bits: Sequence[Bit], width: int, plain: bool) -> list[Bit]:
    kept: list[Bit] = []
    for text, style in bits:
        shown = elided(text, width, glyph("more", plain)) if cell_len(text.rstrip()) > width else text.rstrip()
        blank = " " if cell_len(shown) < width and text.endswith(" ") else ""
        kept.append((shown + blank, style))
        width -= cell_len(shown + blank)
    return kept


def marks(reading: RowMarks, width: int = MARKS, plain: bool = False) -> list[Bit]:
    """A cell each: the reader's verdict, how far they read, how many tags it has; then what is suggested.

    Where there is no room for that, it takes the place of the tags that are not there.
    """
    state = reading.state
    if state is None:
        return MARKS * [NOTHING]
    verdict, tags, done = state.verdicts.get(reading.by, ""), len(state.tags), state.reviewed.get(reading.by)
    sign: Bit = (glyph("finding", plain), "suggestion")
    bits: list[Bit] = [
        (glyph(verdict, plain), _VERDICT_STYLES.get(verdict, "good")) if verdict else NOTHING,
        (glyph(f"read.{done.extent}", plain), outcomes.READ_STYLES[done.extent]) if done is not None else NOTHING,
        (_count(tags), "tag"),
    ]
    if not reading.suggested:
        return bits
    if width < MARKS + SUGGESTED:
        return [*bits[:-1], bits[-1] if tags else sign]
    return [*bits, sign, (_count(reading.suggested), "suggestion")]


def _count(number: int) -> str:
    """A number in one cell."""
    return " " if not number else str(number) if number <= _MANY else glyph("further")


def _printed(text: str, plain: bool) -> str:
    return plainly(printable_line(text), plain)
