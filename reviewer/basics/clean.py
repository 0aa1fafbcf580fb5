"""Untrusted text made printable, with a map back to where each character is stored.

Owns the one rule for what may reach a terminal, and how the rest is shown instead:

    ESC, NUL, other controls, DEL      ␛ ␀ ␍ ␡         (their pictures; a CRLF is one newline, a tab four blanks)
    C1, bidi, zero-width, tags, ...    ⟨U+202E⟩        (their number)
    more than eight marks on a letter  ⟨+37 marks⟩     (how many were taken off it)

Where only plain signs are wanted these are `^[`, `<U+202E>` and `<+37 marks>`.

What only joins is no danger: the joiners of an emoji sequence of usual length, a variation selector or a skin tone on
an emoji, joiners between Arabic or Indic letters. In a file (`joined`) it stays. On a screen it is left out, and a flag
is shown as its two letters: terminals disagree about the cells that such a sequence takes, not about those of its base.
Pure; imports nothing else of the project, knows nothing of lines or widths.

`cleaned(text)` gives a `CleanText`; `printable(text)` only its text; `printable_line(text)` has no newlines, for names.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from reviewer.basics import widthless
from reviewer.basics.glyphs import glyph
from reviewer.basics.values import dataclass

TAB = "    "
MARKS = 8
"""Marks in a row that are left alone; more is decoration that would run over the lines around it, and of no width."""

_EMOJI = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_JOINING = "\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff\u0750-\u077f\u08a0-\u08c7\u0900-\u0dff\u1000-\u109f\u1780-\u17ff"
# Format characters, fillers that show nothing, separators, surrogates, what Unicode says is no character; from plane 14
# on (tags, selectors, private use) everything.
_HIDDEN = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
)
_HIDDEN_HIGH = "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000fffff"
_HIDDEN_TOP = "\U00100000-\U0010ffff"

_PILED = f"[{widthless.CLASS}\u200c\u200d]"
"""A mark in a pile; joiners between marks make no letter of them."""

_TONE, _FLAG = "\U0001f3fb-\U0001f3ff", "\U0001f1e6-\U0001f1ff"

# One character set, so that the scan of a text with nothing to clean is a single fast pass.
_SUSPECTS = f"\x00-\x09\x0b-\x1f\x7f-\x9f{_HIDDEN}{_HIDDEN_HIGH}{_HIDDEN_TOP}"
_LEFT_OUT = re.compile(f"[\u200d\ufe0e\ufe0f{_TONE}]")
_JOINED = f"\u200d[{_EMOJI}][{_TONE}]?\ufe0f?"
_KIND = rf"""
      (?P<crlf> (?:\r\n)+ )
    | (?P<tab> \t+ )
    | (?P<control> (?: [\x00-\x08\x0b\x0c\x0e-\x1f\x7f] | \r(?!\n) )+ )
    | (?P<stacked> (?<={_PILED}{{{MARKS}}}) [{widthless.CLASS}]+ )
    | (?P<kept> (?<=[{_EMOJI}]) [\ufe0e\ufe0f]
        | (?<=[0-9\#*]) \ufe0f (?=\u20e3)
        | (?<=[{_EMOJI}])(?<![{_TONE}]) [{_TONE}]
        | (?<!\u200d.)(?<!\u200d..) (?: (?<=[{_EMOJI}]) | (?<=[{_EMOJI}]\ufe0f) ) (?:{_JOINED}){{1,3}}
        | (?<=[{_JOINING}]) [\u200c\u200d] (?=[{_JOINING}]) )
    | (?P<flag> [{_FLAG}]+ )
    | (?P<tone> [{_TONE}]+ )
    | (?P<low> [\x80-\x9f{_HIDDEN}]+ )
    | (?P<high> [{_HIDDEN_HIGH}]+ )
    | (?P<top> [{_HIDDEN_TOP}]+ )
    """
_PICTURES = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421}
_CARETS = {code: f"^{chr(code ^ 64)}" for code in (*range(32), 0x7F)}
_LETTERS = {0x1F1E6 + place: chr(ord("A") + place) for place in range(26)}


class Replacement(NamedTuple):
    """A run of replacements: `times` times, `stored_unit` characters are shown as `printed_unit` others (or none)."""

    printed: int
    stored: int
    times: int
    printed_unit: int
    stored_unit: int

    @property
    def printed_end(self) -> int:
        """The offset at which the printed text goes on."""
        return self.printed + self.times * self.printed_unit

    @property
    def stored_end(self) -> int:
        """The offset at which the stored text goes on."""
        return self.stored + self.times * self.stored_unit


def _printed_start(run: Replacement) -> int:
    return run.printed


def _printed_end(run: Replacement) -> int:
    return run.printed_end


def _stored_start(run: Replacement) -> int:
    return run.stored


@dataclass(frozen=True, slots=True)
class CleanText:
    """Printable text, and for each of its characters the place of the stored one it stands for."""

    text: str
    runs: tuple[Replacement, ...] = ()
    """What was replaced, in order; all between them is as stored."""

    def stored(self, printed: int) -> int:
        """Translate a printed offset into the stored offset of that character."""
        return self._stored(printed, 0) if self.runs else printed

    def printed(self, stored: int) -> int:
        """Translate a stored offset into the printed offset at which that character is shown."""
        at = bisect_right(self.runs, stored, key=_stored_start)
        if not at:
            return stored
        run = self.runs[at - 1]
        if stored >= run.stored_end:
            return run.printed_end + stored - run.stored_end
        return run.printed + (stored - run.stored) // run.stored_unit * run.printed_unit

    def stored_span(self, start: int, end: int) -> tuple[int, int]:
        """The span of stored characters that are shown, at least in part, between two printed offsets."""
        return self._stored(start, 0), self._stored(end, 1) if end > start else self._stored(start, 0)

    def without(self, spans: Sequence[tuple[int, int]]) -> CleanText:
        """Leave out printed spans (in order, apart, none of them replaced): what follows leads to where it did."""
        parts: list[str] = []
        runs: list[Replacement] = []
        done = gone = 0
        for start, end in (*spans, (len(self.text), len(self.text))):
            parts.append(self.text[done:start])
            runs += [run._replace(printed=run.printed - gone) for run in self.runs_between(done, start)]
            runs += [Replacement(start - gone, self.stored(start), end - start, 0, 1)] if end > start else []
            done, gone = end, gone + end - start
        return CleanText("".join(parts), tuple(runs))

    def runs_between(self, start: int, end: int) -> Iterator[Replacement]:
        """The runs that show anything between two printed offsets."""
        at = bisect_right(self.runs, start, key=_printed_end)
        while at < len(self.runs) and self.runs[at].printed < end:
            yield self.runs[at]
            at += 1

    def _stored(self, printed: int, upwards: int) -> int:
        # What is left out before a character is passed over on the way to it, and not taken along by an end there.
        bisect = bisect_left if upwards else bisect_right
        at = bisect(self.runs, printed, key=_printed_start)
        if not at:
            return printed
        run = self.runs[at - 1]
        if printed >= run.printed_end:
            return run.stored_end + printed - run.printed_end
        units, rest = divmod(printed - run.printed, run.printed_unit)
        return run.stored + (units + (upwards if rest else 0)) * run.stored_unit


@cache
def _suspects(joined: bool) -> re.Pattern[str]:
    """What may have to be replaced, and a mark on too many others; made for the first text beyond ASCII."""
    those = _SUSPECTS if joined else f"{_SUSPECTS}{_TONE}{_FLAG}"
    return re.compile(f"[{those}{widthless.NEARLY}](?:(?<=[{those}])|(?<={_PILED}{{{MARKS + 1}}}))")


@cache
def _kind() -> re.Pattern[str]:
    """What a suspect is; most screens show none, and are shown sooner without it."""
    return re.compile(_KIND, re.VERBOSE | re.DOTALL)


def cleaned(text: str, plain: bool = False, joined: bool = False) -> CleanText:
    """Make a text printable and keep the map back to stored offsets; `plain` shows replacements in ASCII.

    `joined` is for files: emoji stay joined there, with the variants and tones they were written with.
    """
    suspects = _suspects(joined)
    if text.replace("\n", " ").isprintable() if text.isascii() else suspects.search(text) is None:
        return CleanText(text)
    parts: list[str] = []
    runs: list[Replacement] = []
    done = printed = position = 0
    while suspect := suspects.search(text, position):
        kind = _kind().match(text, suspect.start())
        if kind is None or kind.lastgroup == "kept":
            position = kind.end() if kind else suspect.end()
            for left_out in _LEFT_OUT.finditer(text, suspect.start(), 0 if joined else position):
                parts.append(text[done : left_out.start()])
                printed += left_out.start() - done
                runs = _appended(runs, Replacement(printed, left_out.start(), 1, 0, 1))
                done = left_out.end()
            continue
        shown, count = _shown(kind, plain)
        start, position = kind.span()
        parts += (text[done:start], shown)
        printed += start - done
        run = Replacement(printed, start, count, len(shown) // count, (position - start) // count)
        runs = _appended(runs, run)
        printed += len(shown)
        done = position
    return CleanText("".join((*parts, text[done:])), tuple(runs))


def through(shown: CleanText, origin: CleanText) -> CleanText:
    """Map a cleaned text that was decoded from another one back to that other text's offsets."""
    if not origin.runs:
        return shown
    runs: list[Replacement] = []
    done = 0
    for run in (*shown.runs, None):
        stored = run.stored if run else len(origin.text)
        for start, end, unit in _stretches(origin, done, stored):
            if unit > 1:
                runs.append(Replacement(shown.printed(start), origin.stored(start), end - start, 1, unit))
        if run is None:
            break
        if run.stored_unit == 1:
            for start, end, unit in _stretches(origin, run.stored, run.stored_end):
                runs.append(
                    Replacement(shown.printed(start), origin.stored(start), end - start, run.printed_unit, unit)
                )
        else:
            for times in range(run.times):
                first, last = origin.stored_span(at := run.stored + times * run.stored_unit, at + run.stored_unit)
                runs.append(
                    Replacement(run.printed + times * run.printed_unit, first, 1, run.printed_unit, last - first)
                )
        done = run.stored_end
    return CleanText(shown.text, tuple(runs))


def _stretches(origin: CleanText, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Cut decoded characters where the number of stored ones behind each changes."""
    at = start
    for run in origin.runs_between(start, end):
        if at < run.printed:
            yield at, run.printed, 1
        at = max(at, run.printed)
        stop = min(end, run.printed_end)
        yield at, stop, run.stored_unit
        at = stop
    if at < end:
        yield at, end, 1


def printable(text: str, joined: bool = False) -> str:
    """Make a text printable without a map back, for what nobody selects."""
    return cleaned(text, joined=joined).text


def printable_line(text: str, joined: bool = False) -> str:
    """Make a text printable on one line: a name, a path, a reason."""
    if text.isascii() and text.isprintable():
        return text
    return printable(text, joined).replace("\n", glyph("line-end"))


def _shown(kind: re.Match[str], plain: bool) -> tuple[str, int]:
    """The replacement for a match, and how many equal units it consists of."""
    run = kind[0]
    left, right = glyph("unseen", plain), glyph("unseen-end", plain)
    match kind.lastgroup:
        case "crlf":
            return "\n" * (len(run) // 2), len(run) // 2
        case "tab":
            return TAB * len(run), len(run)
        case "control":
            return run.translate(_CARETS if plain else _PICTURES), len(run)
        case "flag":
            return run.translate(_LETTERS), len(run)
        case "stacked":
            return f"{left}+{len(run)} mark{'s' if len(run) > 1 else ''}{right}", 1
        case _:
            return "".join([f"{left}U+{ord(each):04X}{right}" for each in run]), len(run)


def _appended(runs: list[Replacement], run: Replacement) -> list[Replacement]:
    """Append a run, merging it with its neighbour if both are replaced at the same rate."""
    last = runs[-1] if runs else None
    if last and last.stored_end == run.stored and last[3:] == run[3:]:
        runs[-1] = last._replace(times=last.times + run.times)
    else:
        runs.append(run)
    return runs
