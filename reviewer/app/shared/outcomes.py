"""Outcomes in one line: of a conversation in a comparison, of the act at which two of them part. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from reviewer.app.shared.line_widgets import Bit, elided, spread, width_of
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph
from reviewer.basics.values import dataclass
from reviewer.marks.read_extent import ReadExtent
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.desk.outcome import Act, Outcome

_NAME = 28
_SCORE = 8
READ_STYLES = {"end": "good", "part": "missing", "unknown": "muted"}
"""The colour of a review's sign, by how far its reader read."""
BAND_STYLES = {"high": "good", "middling": "tag", "low": "bad"}
"""In which colour the band of a score stands."""
_MORE = 4
"""Cells that the number of further acts may take."""


@dataclass(frozen=True, slots=True)
class OutcomeEntry:
    """The contents of a conversation's line."""

    name: str
    outcome: Outcome
    here: bool
    same: bool
    """Whether it has the same outcome as the one under the cursor, reached in the same manner."""
    score_differs: bool
    """Whether one of the two passed and the other failed, where the reader may see scores."""
    verdicts: Mapping[str, str]
    tags: Sequence[str] = ()
    read: ReadExtent | None = None
    """How far the reader read it; None where they did not review it."""
    score: Bit | None = None
    """What it was given, where the reader may see it."""


def line(entry: OutcomeEntry, names: int, width: int, plain: bool) -> list[Bit]:
    """Name, whether it came out alike, acts, how it ended; verdicts and tags at the right."""
    name = elided(printable_line(entry.name), min(names, _NAME))
    sign = (
        ("", "")
        if entry.here
        else (glyph("same" if entry.same else "differs", plain), "same" if entry.same else "flip")
    )
    start: list[Bit] = [
        (glyph("cursor", plain) if entry.here else " ", "bar"),
        (name + " " * (min(names, _NAME) - cell_len(name)), "strong" if entry.here else "text"),
        (f" {sign[0] or ' '}", sign[1]),
        (glyph("score-differs", plain) if entry.score_differs else " ", "flip"),
    ]
    right = marked(entry, plain, width // 3)
    if entry.score:
        right = [(f" {entry.score[0]}", entry.score[1]), *right]
    told = fitting(entry.outcome, width - width_of(start) - width_of(right), plain)
    return spread([*start, *told], right, width)


def score_bit(scores: Mapping[str, float | str]) -> Bit | None:
    """The score that is shown first, in the colour of its band; None where nothing was scored."""
    from reviewer.figures.measure.row_columns import band, first_score, score_text

    value = scores.get(first_score(scores))
    if value is None:
        return None
    known = isinstance(value, float) and 0 <= value <= 1
    style = BAND_STYLES[band(float(value), (0.0, 1.0))] if known else "muted"
    return elided(printable_line(score_text(value)), _SCORE), style


def fitting(result: Outcome, room: int, plain: bool) -> list[Bit]:
    """Acts and how it ended, as much as there is room for: length, orders and whether anything was said before them
    give way, what is forbidden never does.
    """
    ended = [(printable_line(result.ended_by), "muted")] if result.ended_by else []
    bare = result._replace(acts=tuple(act._replace(order="") for act in result.acts))
    ways = (
        [*acts(result, plain), (ending(result), "muted")],
        [*acts(result, plain), *ended],
        [*acts(bare, plain), *ended],
        acts(bare._replace(acts=tuple(act._replace(silent=False) for act in bare.acts)), plain),
    )
    for way in ways:
        spaced = [(f" {text} ", style) for text, style in way]
        if width_of(spaced) <= room:
            return spaced
    first = sorted(spaced, key=lambda bit: bit[1] != "bad")
    while len(first) > 1 and width_of(first) + _MORE > room:
        first.pop()
    left_out = len(spaced) - len(first)
    return [*first, (f" {glyph('further')}{left_out}", "muted")] if left_out else first


def acts(result: Outcome, plain: bool) -> list[Bit]:
    """Every act in order, those of one kind in a row as one; or that there was none."""
    if not result.acts or result.broken:
        bits = signs(result, plain)
        return bits if not result.acts else [*_acts(result, plain), bits[-1]]
    return _acts(result, plain)


def _acts(result: Outcome, plain: bool) -> list[Bit]:
    bits: list[Bit] = []
    counts: list[int] = []
    for act in result.acts:
        bit = act_bit(act, plain)
        if bits and bits[-1] == bit:
            counts[-1] += 1
        else:
            bits.append(bit)
            counts.append(1)
    times = glyph("times", plain)
    return [(f"{text} {times}{n}" if n > 1 else text, style) for (text, style), n in zip(bits, counts, strict=True)]


def act_bit(act: Act, plain: bool) -> Bit:
    """One act: its sign, class and order, whether it was only attempted, and whether nothing was said before it."""
    text, style = sign(act, plain)
    order = f" #{printable_line(act.order)}" if act.order else ""
    return f"{text}{elided(order, 24)}{' without asking' if act.silent else ''}", style


def ending(result: Outcome) -> str:
    """Say how it ended, as far as is known, and how long it was."""
    messages = f"{result.messages} message{'' if result.messages == 1 else 's'}"
    return f"{printable_line(result.ended_by)}, {messages}" if result.ended_by else messages


def marked(entry: OutcomeEntry, plain: bool, room: int) -> list[Bit]:
    """Show if it was reviewed, verdicts and tags, as many as there is room for."""
    bits: list[Bit] = [(f" {glyph(f'read.{entry.read}', plain)}", READ_STYLES[entry.read])] if entry.read else []
    for verdict in sorted(set(entry.verdicts.values())):
        style = {"pass": "good", "fail": "bad"}.get(verdict, "muted")
        bits.append((f" {glyph(verdict, plain)} {verdict}", style))
    left = room - width_of(bits)
    for index, tag in enumerate(entry.tags):
        if cell_len(tag) + 5 > left:
            more = len(entry.tags) - index
            bits.append((f" {glyph('further')}{more}" if index else f" {more} tag{'' if more == 1 else 's'}", "tag"))
            break
        bits.append((f" {tag}", "tag"))
        left -= cell_len(tag) + 1
    return bits


def parting(act: Act | None, plain: bool) -> list[Bit]:
    """Return the text on the rule where conversations part."""
    what = act_bit(act, plain) if act else (f"{glyph('talk', plain)} no act", "muted")
    return [(f" {glyph('differs', plain)} ", "flip"), what]


def signs(result: Outcome, plain: bool = False, words: bool = True) -> list[Bit]:
    """The acts as signs, each kind once with its number, with their classes in words unless room is short."""
    bits = []
    for act in _kinds(result):
        text, style = sign(act, plain, words)
        times = sum(each.what == act.what and each.failed == act.failed for each in result.acts)
        counted = times > 1 and act.what != outcome.HANDOVER
        bits.append((f"{text}{' ' if words else ''}{glyph('times', plain)}{times}" if counted else text, style))
    if not result.messages:
        bits.append((glyph("empty", plain) + (" empty" if words else ""), "muted"))
    elif result.broken:
        bits.append((glyph("broken", plain) + (" broken off" if words else ""), "error"))
    elif not bits:
        bits.append((glyph("talk", plain) + (" no act" if words else ""), "muted"))
    return bits


def _kinds(result: Outcome) -> list[Act]:
    """One act of each kind, in the order of their first; one that succeeded where any did."""
    attempted = result.attempted
    wanted = [act for act in result.acts if not act.failed or act.what in attempted]
    return list({act.what: act for act in reversed(wanted)}.values())[::-1]


def sign(act: Act, plain: bool = False, words: bool = True) -> Bit:
    """An act as its sign, with its class in words unless there is no room for them."""
    handover = act.what == outcome.HANDOVER
    kind = "forbidden" if act.forbidden else "attempted" if act.failed else outcome.HANDOVER if handover else "write"
    style = {"forbidden": "bad", "attempted": "muted", outcome.HANDOVER: "tool.handover", "write": "tool.write"}[kind]
    what = f" {'attempted ' * act.failed}{act.what}"
    return glyph(kind, plain) + (what if words else ""), style
