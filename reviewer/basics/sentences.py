"""Sentences and words of a text, as spans of its characters: what the keys of a selection move by.

Pure. A word is looked for near a place, not in the whole text. Spans are offsets into the text as stored, the end left
out, so that what is selected is what is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

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
_NEAR = 1_024
"""Characters before a place in which a word is looked for first."""
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_IDEOGRAPH}]|[#$€£@]?[^\W{_IDEOGRAPH}]+(?:[^\w\s]+[^\W{_IDEOGRAPH}]+)*")
_BETWEEN = re.compile(rf"[\s{_IDEOGRAPH}]")


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


def words(text: str, first: int = 0) -> Iterator[Span]:
    """The words of a text in order: `don't`, `#1130` and `1,458.00` are one each. From a character on."""
    return (match.span() for match in _WORD.finditer(text, first))


def word_at(text: str, offset: int) -> Span | None:
    """The word of a character; None where there is none."""
    for word in words(text, next(_further_up(text, offset))):
        if word[1] > offset:
            return word if word[0] <= offset else None
    return None


def end_forward(text: str, span: Span) -> Span:
    """Move the end of a selection one word forward."""
    end = next((end for _, end in words(text, span[1])), max(span[1], len(text.rstrip())))
    return (span[0], end)


def end_back(text: str, span: Span) -> Span:
    """Move the end of a selection one word back; at least one word stays selected."""
    for first in _further_up(text, span[1]):
        near = takewhile(lambda word: word[0] < span[1], words(text, first))
        ends = [end for _, end in near if span[0] < end < span[1]]
        if ends:
            return (span[0], ends[-1])
        if first <= span[0]:
            break
    return span


def start_forward(text: str, span: Span) -> Span:
    """Move the start of a selection one word forward; at least one word stays selected."""
    near = words(text, next(_further_up(text, span[0])))
    start = next((start for start, _ in near if start > span[0]), span[1])
    return (start, span[1]) if start < span[1] else span


def start_back(text: str, span: Span) -> Span:
    """Move the start of a selection one word back."""
    for first in _further_up(text, span[0]):
        starts = [start for start, _ in takewhile(lambda word: word[0] < span[0], words(text, first))]
        if starts:
            return (starts[-1], span[1])
    return span


def _further_up(text: str, offset: int) -> Iterator[int]:
    """Where to begin to look for words before a place, never inside one: near it, else further and further up."""
    reach = _NEAR
    while reach < offset:
        between = _BETWEEN.search(text, offset - reach, offset - reach // 2)
        if between:
            yield between.end()
        reach *= 4
    yield 0


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
