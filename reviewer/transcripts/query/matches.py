"""Where a word or phrase stands in a text, and what an index can know about that beforehand.

Owns the one definition of a match, for search, for find and for the index alike. A phrase is literal to the character.
A word ignores case and stands alone: no letter or digit touches it, except in scripts that are written without blanks,
where it may stand anywhere. Pure text.

`normalised` is what the index is fed and `required` what it is asked; both are made from the same rule, so that the
index never misses a text, and `spans` throws out what it found too much.
"""

from __future__ import annotations

import re
from functools import lru_cache

from reviewer.transcripts.query.selection import TextTerm

Span = tuple[int, int]

# Scripts written without blanks: Thai, Lao, Burmese, Khmer, kana, Han.
_LOOSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_loose = re.compile(f"[{_LOOSE}]").match
_TOKEN = re.compile(rf"[{_LOOSE}]|[^\W_{_LOOSE}]+")
_split = re.compile(rf"([{_LOOSE}])|[\W_]+").sub
_LONGEST_TOKEN = 100
_MOST_TOKENS = 8


def folded(text: str) -> str:
    """The text with case and apostrophes made equal; its length stays the same."""
    if text.isascii():
        return text.lower()
    return text.replace("\u0130", "i").lower().replace("\u03c2", "\u03c3").replace("\u2019", "'")


def normalised(text: str) -> str:
    """The text as an index that splits at blanks and ASCII punctuation should see it."""
    if text.isascii():
        return text
    return _split(lambda match: f" {match[1]} " if match[1] else " ", folded(text))


def spans(term: TextTerm, text: str) -> list[Span]:
    """Every place where the term stands, from left to right, none overlapping."""
    needle, binds_left, binds_right = _needle(term)
    hay = text if term.kind == "phrase" else folded(text)
    standing: list[Span] = []
    start = hay.find(needle)
    while start >= 0:
        end = start + len(needle)
        touched = (binds_left and start and _binds(hay[start - 1])) or (
            binds_right and end < len(hay) and _binds(hay[end])
        )
        if not touched:
            standing.append((start, end))
        start = hay.find(needle, start + 1 if touched else end)
    return standing


def exact(term: TextTerm) -> bool:
    """True if the index alone can decide: the term is one letter or one run of letters and digits."""
    return term.kind != "phrase" and len(term.text) <= _LONGEST_TOKEN and bool(_TOKEN.fullmatch(folded(term.text)))


def required(term: TextTerm) -> str:
    """An FTS5 expression that matches every text with this term (and maybe others); empty if there is none."""
    text = folded(term.text)
    last = len(text)
    tokens: list[str] = []
    for match in _TOKEN.finditer(text):
        cut_left = term.kind == "phrase" and match.start() == 0 and not _loose(match[0])
        cut_right = term.kind != "word" and match.end() == last and not _loose(match[0])
        if cut_left or (cut_right and term.kind == "phrase") or len(match[0]) > _LONGEST_TOKEN:
            continue
        tokens.append(f'"{match[0]}"{"*" * cut_right}')
    # The longest are the rarest, and a few narrow enough.
    return " AND ".join(sorted(dict.fromkeys(tokens), key=len, reverse=True)[:_MOST_TOKENS])


@lru_cache
def _needle(term: TextTerm) -> tuple[str, bool, bool]:
    """The string to search for, and if it must be at the start and at the end of a word."""
    if term.kind == "phrase":
        return term.text, False, False
    needle = folded(term.text)
    return needle, _binds(needle[0]), term.kind == "word" and _binds(needle[-1])


def _binds(character: str) -> bool:
    return character.isalnum() and not (character > "\u0dff" and _loose(character))
