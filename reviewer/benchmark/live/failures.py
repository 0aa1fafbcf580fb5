"""What failed, grouped by its cause: how often each, the most frequent first. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

_REQUEST = "Request:"
"""What stands before everything that was asked, which Inspect puts before the error of a provider."""
_BLANK_LINE = re.compile(r"(?<!\\)(?:\\++n|\n){2}")
"""An empty line, also where the text is Python's spelling of a text, and that of a text again."""
_NAMED = re.compile(r"(\w++)\(['\"]")
"""How the spelling of an error begins."""
_VARYING = re.compile(r"[0-9a-f]{8,}|\d+", re.IGNORECASE)
"""What differs between two errors of the same cause: numbers, and ids of requests."""
_CLOSING = "')\""
_LONGEST = 200
_MOST = 8
"""Causes that are shown."""


class Failures:
    """Errors, counted by cause."""

    def __init__(self) -> None:
        self._numbers: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def __len__(self) -> int:
        return self._numbers.total()

    def add(self, error: str) -> None:
        """Count an error."""
        text = " ".join(_without_request(error).split()).removesuffix(".") or "no reason was given"
        cause = _VARYING.sub("#", text)
        self._numbers[cause] += 1
        self._first.setdefault(cause, text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")

    def lines(self) -> Iterator[str]:
        """How often each cause was met, in the words of its first error."""
        shown = self._numbers.most_common(_MOST)
        width = len(f"{shown[0][1]:,}") if shown else 0
        for cause, number in shown:
            yield f"{number:>{width},}  {self._first[cause]}"
        if rest := self._numbers.total() - sum(number for _, number in shown):
            yield f"{rest:,} of {len(self._numbers) - len(shown):,} other causes"


def _without_request(error: str) -> str:
    """What a provider said, where the error repeats the whole request before it; else the error as it is."""
    asked = error.find(_REQUEST)
    ends = [match.end() for match in _BLANK_LINE.finditer(error, asked)] if asked >= 0 else []
    if not ends or not (said := error[ends[-1] :]).strip():
        return error
    plain = re.sub(r"(?<!\\)\\++(?=['\"])", "", said)
    named = _NAMED.match(plain)
    return f"{named[1]}: {plain[named.end() :].rstrip(_CLOSING)}" if named else plain
