"""A transcript that is one text -> who said what: “Agent: ...” where lines begin, with or without a time. Pure.

Only names that are known begin a turn, or any name behind a time in brackets; else a colon in what was said would.
Where the text is a single line, turns begin within it. Takes time in proportion to the length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from reviewer.imports.maps import cell_values
from reviewer.imports.maps.mapfile import Map
from reviewer.imports.messages import chat

_BRACKETS = r"[\[(][^\[\]()\n]{1,40}[\])]"
_BEFORE = rf"(?:(?P<time>{_BRACKETS}|[0-9][0-9T:.,/Z+ -]{{3,30}}(?:[AaPp][Mm]\b)?)[ \t]*(?:[-–|][ \t]*)?)?"
_BEHIND = rf"(?:[ \t]*(?P<behind>{_BRACKETS}))?[ \t]*:\**[ \t]*"
_ANY = rf"(?P<when>{_BRACKETS})[ \t]*(?P<any>[^\s:\[\]()][^:\n\[\]()]{{0,40}}):(?:[ \t]+|$)"
RESULTS = ("tool", "function", "tool_result", "toolresult", "observation")
"""Who speaks where a tool answers."""
Turn = dict[str, Any]


class Turns:
    """Splits transcripts into turns by the names of their speakers."""

    def __init__(self, names: Iterable[str]) -> None:
        listed = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
        known = rf"{_BEFORE}\**(?P<name>{listed or '(?!)'})\**{_BEHIND}"
        self._lines = re.compile(rf"^[ \t]*(?:{known}|{_ANY})", re.IGNORECASE | re.MULTILINE)
        self._within = re.compile(rf"(?:^|(?<=\s)){known}", re.IGNORECASE)

    def of(self, text: str) -> tuple[str, list[Turn]]:
        """Return the text before the first turn, and the turns; raise `ValueError` where nobody begins to speak."""
        begun = list(self._beginnings(text))
        if not begun:
            raise ValueError("nobody whom the map names begins to speak in it")
        ends = [match.start() for match in begun[1:]] + [len(text)]
        turns = [_turn(match, text[match.end() : end].rstrip()) for match, end in zip(begun, ends, strict=True)]
        return text[: begun[0].start()].strip(), turns

    def begin_in(self, text: str) -> bool:
        """True if the text contains at least one turn."""
        return next(self._beginnings(text), None) is not None

    def _beginnings(self, text: str) -> Iterator[re.Match[str]]:
        if "\n" in text.strip():
            return self._lines.finditer(text)
        begun = list(self._within.finditer(text))
        written_large = [match for match in begun if match["name"][:1].isupper()]
        return iter(written_large or begun)


def turns_of(by: Map) -> Turns:
    """The splitter for a map's transcripts: by the speakers that it names, else the usual ones."""
    return Turns(by.speakers or (*chat.ROLES, *RESULTS))


def _turn(match: re.Match[str], text: str) -> Turn:
    held = match.groupdict()
    when = (held["time"] or held["behind"] or held.get("when") or "").strip("[]() \t-–|")
    turn = {"speaker": held["name"] or held.get("any"), "text": text}
    return {**turn, "time" if cell_values.is_time(when) else "said_at": when} if when else turn
