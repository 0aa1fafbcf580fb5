"""The fields of a JSON text and where in the text each stands, without ever parsing it into objects.

Owns one tolerant walk over tokens: JSON, and the dictionaries that Python prints. A text that is neither gives None; no
depth or size raises. Offsets are code points of the text as stored; pointers are JSON pointers (RFC 6901). Pure.

`leaves(text)` walks the fields, `leaves_behind(text, offset)` those from there on, `tokens(text)` the signs to print it
indented; `decoded(text, start, end)` gives the characters of a string with the map back; `locate(text, pointer)` and
`pointer_at(text, offset)` lead to and fro.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

from reviewer.basics.clean import CleanText, Replacement

DEEPEST = 32
"""A container nested deeper than that is one field, shown as it is written."""
LONGEST_PYTHON = 100_000
"""A longer text is only read as JSON, which is checked at the speed of C."""

LONGEST_POINTER = 2_000
"""Below a key longer than that, fields have no pointer (a hostile key would be repeated in each)."""

Kind = Literal["string", "number", "word", "empty", "deep", "whole"]

_TOKEN = re.compile(
    r"""
      (?P<string> " [^"\\]* (?:\\.[^"\\]*)* " | ' [^'\\\n]* (?:\\.[^'\\\n]*)* ' )
    | (?P<number> [-+]? (?: \d+ (?:\.\d*)? (?:[eE][-+]?\d+)? | Infinity ) )
    | (?P<word> true | false | null | NaN | True | False | None )
    | (?P<open> [{\[(] ) | (?P<close> [}\])] ) | (?P<comma> , ) | (?P<colon> : )
    """,
    re.VERBOSE | re.DOTALL,
)
_BLANK = re.compile(r"[ \t\n\r]*")
_VALUES = frozenset({"string", "number", "word", "open"})
_FOLLOWS = {
    "value": _VALUES | {"close"},
    "key": frozenset({"string", "number", "word", "close"}),
    "colon": frozenset({"colon"}),
    "next": frozenset({"comma", "close"}),
    "end": frozenset[str](),
}
_PAIRS = {"{": "}", "[": "]", "(": ")"}
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)",
    re.DOTALL,
)
_OBJECT = re.compile(r"""\s*(?:\[\s*)?\{\s*["'}]""")
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v", "0": "\0"}
# Integers as text, since Python refuses very long ones.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str)
_check = _DECODER.decode
_LONG, _REMEMBERED = 2_000, 4_096
_verdicts: dict[tuple[int, int], bool] = {}
"""Whether long texts are JSON, by their length and hash: a text is not held for that."""


class Token(NamedTuple):
    """One sign of the text."""

    kind: str
    """string, number, word, open, close, comma or colon."""
    start: int
    end: int


class Leaf(NamedTuple):
    """A field without fields of its own."""

    pointer: str | None
    key_start: int
    """Where the key stands with its quotes; equal to `key_end` for an element of a list."""
    key_end: int
    start: int
    end: int
    kind: Kind

    @property
    def begins(self) -> int:
        """The offset at which the field begins: with its key, if it has one."""
        return self.key_start if self.key_end > self.key_start else self.start


class _NotJson(Exception):  # noqa: N818 - a verdict, not a failure
    """Raised for a text that is neither JSON nor a plain Python literal."""


def leaves(text: str) -> Iterator[Leaf] | None:
    """The fields in order, one at a time; None when the text is no object or list."""
    if not _BLANK.sub("", text[:64], count=1).startswith(("{", "[", "(")):
        return None
    if _is_json(text):
        return (leaf for leaf in _walk(text) if leaf.kind != "whole")
    if len(text) > LONGEST_PYTHON:
        return None
    try:
        return iter([leaf for leaf in _walk(text) if leaf.kind != "whole"])
    except _NotJson:
        return None


def is_object(text: str) -> bool:
    """True for a text that is a JSON object, or a list of some."""
    return _OBJECT.match(text) is not None and leaves(text) is not None


def quoted(text: str) -> Iterator[Leaf] | None:
    """The one field of a JSON text that is nothing but words in quotes; None when it is something else."""
    if not text.startswith('"') or len(text) > LONGEST_PYTHON or not _is_json(text):
        return None
    return _walk(text)


def leaves_behind(text: str, offset: int) -> Iterator[Leaf]:
    """The fields of a JSON text that begin at or after an offset; what comes before is skipped quickly."""
    return (leaf for leaf in _walk(text, *_passed(text, offset)) if leaf.kind != "whole" and leaf.begins >= offset)


def tokens(text: str, start: int = 0) -> Iterator[Token]:
    """The tokens of a text for which `leaves` is not None."""
    at = _blank_end(text, start)
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _NotJson
        end = match.end()
        yield Token(match.lastgroup or "", at, end)
        at = _blank_end(text, end) if text[end : end + 1].isspace() else end


def locate(text: str, pointer: str) -> tuple[int, int] | None:
    """The span of the value that a JSON pointer leads to; None if there is none."""
    if not pointer or leaves(text) is None:
        return None
    return next(((leaf.start, leaf.end) for leaf in _walk(text) if leaf.pointer == pointer), None)


def pointer_at(text: str, offset: int) -> str | None:
    """The JSON pointer of the field whose key or value is at an offset."""
    for leaf in leaves(text) or ():
        if offset < leaf.end:
            return leaf.pointer if offset >= leaf.begins else None
    return None


def decoded(text: str, start: int, end: int) -> CleanText:
    """Decode a stretch of a JSON string, with the offset at which each character is stored, counted from `start`."""
    if text.find("\\", start, end) < 0:
        return CleanText(text[start:end])
    parts: list[str] = []
    runs: list[Replacement] = []
    done, printed = start, 0
    for escape in _ESCAPE.finditer(text, start, end):
        character = _unescaped(escape[0])
        if character is None:
            continue
        at, after = escape.span()
        parts += (text[done:at], character)
        printed += at - done
        last = runs[-1] if runs else None
        if last and last.stored_end == at - start and last.stored_unit == after - at:
            runs[-1] = last._replace(times=last.times + 1)
        else:
            runs.append(Replacement(printed, at - start, 1, 1, after - at))
        printed += 1
        done = after
    return CleanText("".join((*parts, text[done:end])), tuple(runs))


def string_slices(text: str, start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut the inside of a long JSON string into stretches, at newlines or blanks if possible, never within an escape.

    `size` is 32 at least, so that there is room for the longest escape.
    """
    at = start
    while end - at > size + size // 4:
        newline = text.rfind("\\n", at + size // 2, at + size)
        if newline >= 0 and _escapes(text, at, newline):
            cut = newline + 2
        else:
            blank = text.rfind(" ", at + size // 2, at + size)
            cut = blank + 1 if blank >= 0 else _outside(text, at, at + size)
        yield at, cut
        at = cut
    if at < end:
        yield at, end


def _is_json(text: str) -> bool:
    """True for JSON. Of a long text this is remembered, by its hash alone: what shows it asks again at every key."""
    if len(text) < _LONG:
        return _parses(text)
    name = len(text), hash(text)
    known = _verdicts.get(name)
    if known is None:
        if len(_verdicts) >= _REMEMBERED:
            _verdicts.clear()
        known = _verdicts[name] = _parses(text)
    return known


def _parses(text: str) -> bool:
    try:
        _check(text)
    except (ValueError, RecursionError):
        return False
    return True


def _blank_end(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _escapes(text: str, start: int, backslash: int) -> bool:
    """True if a backslash begins an escape and is not escaped itself."""
    first = backslash
    while first > start and text[first - 1] == "\\":
        first -= 1
    return (backslash - first) % 2 == 0


def _outside(text: str, start: int, cut: int) -> int:
    backslash = text.rfind("\\", cut - 12, cut)
    if backslash > start and _escapes(text, start, backslash):
        cut = backslash
        if re.match(r"\\u[dD][89abAB]", text[cut - 6 : cut]):
            cut -= 6
    return cut


def _unescaped(escape: str) -> str | None:
    kind = escape[1]
    if kind in "uUx" and len(escape) > 2:
        if len(escape) == 12:
            high, low = int(escape[2:6], 16), int(escape[8:], 16)
            return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
        return chr(int(escape[2:], 16))
    return kind if kind in "\"'\\/" else _SHORT.get(kind)


@dataclass(slots=True)
class _Container:
    """An object or list that is open, and the place in it that comes next."""

    start: int
    named: bool
    pointer: str | None
    key_start: int
    key_end: int
    name: str = ""
    index: int = 0
    name_start: int = 0
    name_end: int = 0
    empty: bool = True

    def next_pointer(self) -> str | None:
        """The pointer of what comes next in it."""
        if self.pointer is None or len(self.pointer) + len(self.name) > LONGEST_POINTER:
            return None
        return f"{self.pointer}/{self.name if self.named else self.index}"


def _walk(text: str, opened: Sequence[_Container] = (), start: int = 0, expects: str = "value") -> Iterator[Leaf]:
    """All fields, and each container that has some (`whole`) behind them; raises when the signs stand wrong.

    It may begin anywhere, when it is told which containers are open there and what is expected.
    """
    stack = [*opened]
    signs = tokens(text, start)
    for kind, start, end in signs:
        top = stack[-1] if stack else None
        if kind not in _FOLLOWS[expects]:
            raise _NotJson
        if kind == "close":
            if top is None or _PAIRS[text[top.start]] != text[start] or (top.named and expects == "value"):
                raise _NotJson
            stack.pop()
            yield Leaf(top.pointer, top.key_start, top.key_end, top.start, end, "empty" if top.empty else "whole")
            expects = "next" if stack else "end"
        elif kind == "comma" and top:
            top.index += 1
            expects = "key" if top.named else "value"
        elif kind == "colon":
            expects = "value"
        elif expects == "key" and top:
            top.name, top.name_start, top.name_end = _name(text, start, end), start, end
            expects = "colon"
        else:
            pointer, key_start, key_end = _next_place(top)
            if kind == "open" and len(stack) < DEEPEST:
                stack.append(_Container(start, text[start] == "{", pointer, key_start, key_end))
                expects = "key" if text[start] == "{" else "value"
                continue
            if kind == "open":
                kind, end = "deep", _skipped(signs)
            yield Leaf(pointer, key_start, key_end, start, end, cast("Kind", kind))
            expects = "next" if stack else "end"
    if expects != "end":
        raise _NotJson


def _passed(text: str, offset: int) -> tuple[list[_Container], int, str]:
    """The containers open at an offset, where the first sign stands that counts, and what is expected there."""
    at = _blank_end(text, 0)
    stack = [_Container(at, text[at] == "{", "", 0, 0)]
    while True:
        top = stack[-1]
        at, expects = _passed_in(text, top, at + 1, offset)
        if expects != "value" or text[at] not in "{[" or at >= offset or len(stack) >= DEEPEST:
            return stack, at, expects
        stack.append(_Container(at, text[at] == "{", *_next_place(top)))


def _passed_in(text: str, top: _Container, at: int, offset: int) -> tuple[int, str]:
    """The first element of a container that begins behind an offset, or the container in it that reaches beyond."""
    at, begins = _blank_end(text, at), "key" if top.named else "value"
    expects = begins
    while text[at] not in "}]":
        if at >= offset:
            return at, expects
        value, key_end = at, at
        if top.named:
            key_end = _DECODER.raw_decode(text, at)[1]
            value = _blank_end(text, _blank_end(text, key_end) + 1)
        end = _DECODER.raw_decode(text, value)[1]
        if end > offset and text[value] in "{[":
            if top.named:
                top.name, top.name_start, top.name_end = _name(text, at, key_end), at, key_end
            return value, "value"
        top.empty, expects, at = False, "next", _blank_end(text, end)
        if text[at] == ",":
            top.index, expects, at = top.index + 1, begins, _blank_end(text, at + 1)
    return at, expects


def _next_place(top: _Container | None) -> tuple[str | None, int, int]:
    if top is None:
        return "", 0, 0
    top.empty = False
    return top.next_pointer(), top.name_start, top.name_end


def _skipped(signs: Iterator[Token]) -> int:
    """Read on to the end of the container that was just opened."""
    depth = 1
    for kind, _, end in signs:
        depth += (kind == "open") - (kind == "close")
        if not depth:
            return end
    raise _NotJson


def _name(text: str, start: int, end: int) -> str:
    """A key as it stands in a pointer."""
    name = decoded(text, start + 1, end - 1).text if text[start] in "\"'" else text[start:end]
    return name.replace("~", "~0").replace("/", "~1")
