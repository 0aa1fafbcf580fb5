"""Sentences and words of a text, as spans of its characters: what the keys of a selection move by.

Pure. Spans are offsets into the text as stored, the end left out, so that what is selected is what is quoted.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

Span = tuple[int, int]

# A sentence ends at a line break, at an ideographic stop, or at a stop with its closing marks before a blank. A run of
# stops or of blanks is looked at from its start only.
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?=\s)|[。！？]+[」』”）]*|(?<![ \t])[ \t]*+(?:\r\n|\r|\n)\s*")
_SHORT = re.compile(
    r"(?:\b(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|No|Nr|vs|etc|approx|dept|est|Inc|Ltd|Co|ca|bzw)"
    r"|\b(?:e\.g|i\.e|a\.m|p\.m|z\.B|d\.h|u\.a))\.$"
)
_BULLET = re.compile(r"[ \t]*\d+\.$")
_LONGEST_SHORT = 8
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_IDEOGRAPH}]|[#$€£@]?[^\W{_IDEOGRAPH}]+(?:[^\w\s]+[^\W{_IDEOGRAPH}]+)*")


def sentences(text: str) -> list[Span]:
    """The sentences of a text in order, without the blanks around them."""
    spans: list[Span] = []
    start = 0
    for end in _END.finditer(text):
        if text[end.start()] == "." and _goes_on(text, start, end.end()):
            continue
        _keep(text, start, end.end(), spans)
        start = end.end()
    _keep(text, start, len(text), spans)
    return spans


def words(text: str) -> list[Span]:
    """The words of a text in order: `don't`, `#1130` and `1,458.00` are one each."""
    return [match.span() for match in _WORD.finditer(text)]


def end_forward(text: str, span: Span) -> Span:
    """Move the end of a selection one word forward."""
    ends = [end for _, end in words(text)]
    index = bisect_right(ends, span[1])
    return (span[0], ends[index]) if index < len(ends) else (span[0], max(span[1], len(text.rstrip())))


def end_back(text: str, span: Span) -> Span:
    """Move the end of a selection one word back; at least one word stays selected."""
    ends = [end for _, end in words(text) if span[0] < end < span[1]]
    return (span[0], ends[-1]) if ends else span


def start_forward(text: str, span: Span) -> Span:
    """Move the start of a selection one word forward; at least one word stays selected."""
    starts = [start for start, _ in words(text) if span[0] < start < span[1]]
    return (starts[0], span[1]) if starts else span


def start_back(text: str, span: Span) -> Span:
    """Move the start of a selection one word back."""
    starts = [start for start, _ in words(text)]
    index = bisect_left(starts, span[0])
    return (starts[index - 1], span[1]) if index else span


def _goes_on(text: str, start: int, end: int) -> bool:
    """True if the stop belongs to a short form (`e.g.`) or numbers a list (`2.`), so that the sentence goes on."""
    before = text[max(start, end - _LONGEST_SHORT) : end]
    return bool(_SHORT.search(before) or _BULLET.fullmatch(text, start, end))


def _keep(text: str, start: int, end: int, spans: list[Span]) -> None:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if left < right:
        spans.append((left, right))
