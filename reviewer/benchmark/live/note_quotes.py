"""The words that a judge's note quotes, and which of them nobody said. Pure.

A note quotes to prove its number. Whoever reads it takes the quotes for the record's words, so that those which stand
nowhere in what the judge was shown (the policy, the case, the conversation with its calls) are named below the note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_CLOSED_BY = {'"': '"', "“": "”", "„": "“”", "«": "»"}
_SIGNS = re.compile('["“”„«»]')
_CUT = re.compile(r"\[[^\[\]]*\]|…|\.{3,}")
"""Where a quote leaves words out, or puts its own in."""
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})|\\[nrt]")
"""A sign as JSON writes it in a call or a result."""
_WORD = re.compile(r"\w+")
_FEWEST = 3
"""Words that make a quote: one or two are a name, a status, a word that is spoken of."""
_MOST = 20
"""Quotes of a note that are looked up."""
_SHOWN = 60
REMARK = "Quoted here, and nowhere in what was judged: "


def invented(note: str, shown: str) -> tuple[str, ...]:
    """The quotes of a note whose words stand nowhere in what the judge was shown.

    Words are compared, whatever case, blanks and signs are between them.
    """
    asked = [each for each in quotes(note) if len(_words(each)) >= _FEWEST][:_MOST]
    if not asked:
        return ()
    text = " ".join(_words(shown))
    return tuple(each for each in asked if not all(" ".join(part) in text for part in _parts(each)))


def remarked(note: str, absent: Sequence[str]) -> str:
    """A note with a last line that says which quotes of it nobody said."""
    told = ", ".join(f"“{each if len(each) <= _SHOWN else each[: _SHOWN - 1] + '…'}”" for each in absent)
    return f"{note}\n[{REMARK}{told}]" if told else note


def has_remark(note: str) -> bool:
    """True if it was found that a note quotes what nobody said."""
    return f"\n[{REMARK}" in note


def quotes(note: str) -> Iterator[str]:
    """What stands between quotation marks, from the outermost ones; a mark within a word, as of inches, is none."""
    start, closing = 0, ""
    for match in _SIGNS.finditer(note):
        sign, at = match[0], match.start()
        if not closing:
            if sign in _CLOSED_BY and not (sign == '"' and note[at - 1 : at].isalnum()):
                start, closing = at + 1, _CLOSED_BY[sign]
        elif sign in closing and not (sign == '"' and note[at + 1 : at + 2].isalnum()):
            yield note[start:at]
            closing = ""


def _parts(quote: str) -> Iterator[list[str]]:
    """The words of a quote without what it leaves out, part by part; a part of one or two words proves nothing."""
    words = [_words(part) for part in _CUT.split(quote)]
    return (part for part in words if len(part) >= _FEWEST)


def _words(text: str) -> list[str]:
    plain = _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else " ", text)
    return _WORD.findall(plain.casefold())
