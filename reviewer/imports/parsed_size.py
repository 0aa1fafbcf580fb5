"""How many bytes of memory a JSON text takes once it is parsed, counted before anything is built.

A text such as `[[],[],…]` or `{"a":{}}` repeated grows 20 to 40 times. What a value takes is counted from its brackets,
commas, colons and quotes, as CPython lays lists, objects, texts and numbers out.
"""

from __future__ import annotations

import re

from reviewer.basics.errors import SourceError

MOST = 2 << 30
"""Bytes that one value, or what is held of a file at a time, may take once it is parsed."""
LOOKED_AT = 64 << 20
"""Bytes of parsed records up to which more of them are looked at, to see what a file is."""
LIST = 96
"""Bytes of a list beside what it holds."""
OBJECT = 232
"""Bytes of an object with up to five fields, beside what it holds."""
FIELD = 50
"""Bytes that each further field adds; every field is counted so."""
ITEM = 40
"""Bytes of a place in a list with a number."""
TEXT = 56
"""Bytes of a text beside its characters."""
_TOKENS = ((b"[", LIST), (b"{", OBJECT), (b":", FIELD), (b",", ITEM), (b'"', TEXT // 2))
_TOGETHER = 100_000
"""Texts that are taken out at a time."""
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_FOUR_BYTES = re.compile(rb"[\xf0-\xff]|\\u")
_TWO_BYTES = re.compile(rb"[\xc4-\xef]")


def of_json(data: bytes) -> int:
    """The bytes that a JSON text takes once parsed, at most; closely counted only where a quick count is too high."""
    quick = len(data) * (1 if data.isascii() and b"\\u" not in data else 4) + _of_tokens(data)
    return quick if quick <= MOST else _closely(data)


def check(size: int, what: str) -> int:
    """Return the size; raises a sentence if it is more than is held at a time."""
    if size > MOST:
        told = f"{what} would take more than {MOST >> 30} GiB of memory once parsed."
        raise SourceError(told, "Split it, or write it as JSON Lines with a conversation a line.")
    return size


def _of_tokens(data: bytes) -> int:
    return sum(weight * data.count(token) for token, weight in _TOKENS)


def _closely(data: bytes) -> int:
    """The same without the brackets and commas within texts, and with the width of each text's characters."""
    size = len(data)
    start = 0
    for number, string in enumerate(_STRING.finditer(data), start=1):
        text = string[0]
        if not text.isascii() or b"\\u" in text:
            size += len(text) * (_width(text) - 1)
        if number % _TOGETHER == 0:
            size += _of_tokens(_STRING.sub(b'""', data[start : string.end()]))
            start = string.end()
            if size > MOST:
                return size
    return size + _of_tokens(_STRING.sub(b'""', data[start:]))


def _width(text: bytes) -> int:
    """Bytes that Python takes for each character of a text that is not plainly ASCII."""
    if _FOUR_BYTES.search(text):
        return 4
    return 2 if _TWO_BYTES.search(text) else 1
