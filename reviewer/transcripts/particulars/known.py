"""Known particulars, found again wherever they stand in a text, in a time that grows with the text alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

_TOO_SHORT = 2
_LONGEST, _SHORT_PIECE = 200, 3
_HEAD = 2
"""So many signs lead to the particulars that begin with them; none is shorter."""
_PIECE = re.compile(rf"(?s)([^\W_]{{{_LONGEST}}})[^\W_]*|(.{{1,{_LONGEST}}})(?![^\W_])")
_LETTERS = re.compile(r"[^\W_]+")
_ALIKE = {0x130: "i", 0x131: "i", 0x17F: "s"}
"""Letters that are one with another in small letters, or would become two."""
_COMMON = frozenset((
    "an", "art", "bill", "black", "brown", "chase", "do", "drew", "faith", "grace", "green", "hope", "joy", "king",
    "li", "long", "love", "mark", "may", "my", "page", "pat", "price", "ray", "rich", "rob", "rose", "so", "sue", "van",
    "white", "will", "young",
))  # fmt: skip
"""Names that are words as well: hidden only as they are written in a name, or every “will” would go with Will."""
_UNSPACED = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_FIRST = re.compile(rf"(?<![^\W_])\S|{_UNSPACED.pattern}")
"""Where a particular may begin: not within a word, where words have blanks between them."""


class KnownParticulars:
    """Particulars to be found again, each by itself and the longest first, in a time that grows with the text alone."""

    def __init__(self, words: Iterable[str], common: Collection[str] = ()) -> None:
        """Those that are `common` words too are known only as they are written."""
        self._exact: set[str] = set()
        self._in_any_case: set[str] = set()
        lengths: dict[str, set[int]] = {}
        for word in (piece for each in words for piece in _pieces(each)):
            exact = len(word) <= _TOO_SHORT or word.lower() in _COMMON or word.lower() in common
            (self._exact if exact else self._in_any_case).add(word if exact else folded_text(word))
            lengths.setdefault(folded_text(word[:_HEAD]), set()).add(len(word))
        self._lengths = {head: sorted(each, reverse=True) for head, each in lengths.items()}
        """How long the particulars are that begin so."""

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where they stand in the text, in order and apart."""
        if not self._lengths:
            return
        folded, done = folded_text(text), 0
        for first in _FIRST.finditer(text):
            at = first.start()
            if at >= done and (end := self._end(text, folded, at)):
                yield at, end
                done = end

    def _end(self, text: str, folded: str, at: int) -> int:
        """Where the longest particular ends that stands here; 0 if none does."""
        for length in self._lengths.get(folded[at : at + _HEAD], ()):
            end = at + length
            if text[at:end] in self._exact or folded[at:end] in self._in_any_case:
                follows = _LETTERS.match(text, end) if length == _LONGEST else None
                if follows:  # it is known by its beginning
                    return follows.end()
                if end >= len(text) or not text[end].isalnum() or _UNSPACED.match(text[end - 1]):
                    return end
        return 0


def folded_text(text: str) -> str:
    """The text in small letters, as long as it was: equal for what counts as written alike."""
    return text.translate(_ALIKE).lower()


def _pieces(word: str) -> Iterator[str]:
    """A particular; of one that is longer than any, its pieces, and of letters without an end the first."""
    if len(word) <= _LONGEST:
        yield word
        return
    for piece in _PIECE.finditer(word):
        if len(stripped := piece[piece.lastindex or 0].strip()) > _SHORT_PIECE:
            yield stripped
