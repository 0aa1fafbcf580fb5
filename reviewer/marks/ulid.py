"""ULIDs: identifiers that sort by time and never repeat. Pure; clock and chance are handed in.

26 characters of Crockford's base 32: 48 bits of milliseconds, then 80 bits of chance. An identifier made after another
is always beyond it, whatever the clock says.
"""

from __future__ import annotations

import re

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUE = {character: value for value, character in enumerate(_ALPHABET)}
_LENGTH = 26
_MAX = (1 << 128) - 1
_SHAPE = re.compile(f"[0-7][{_ALPHABET}]{{25}}")  # 26 characters hold 130 bits, so the first is at most 7


def encode(value: int) -> str:
    """The 26 characters of a 128-bit number."""
    return "".join(_ALPHABET[(value >> shift) & 31] for shift in range(5 * (_LENGTH - 1), -1, -5))


def looks_right(text: str) -> bool:
    """True if the text is an identifier; the quick look, for very many."""
    return _SHAPE.fullmatch(text) is not None


def decode(text: str) -> int | None:
    """The number behind an identifier; None when it is no ULID."""
    if not looks_right(text):
        return None
    value = 0
    for character in text:
        value = value << 5 | _VALUE[character]
    return value


def after(last: str | None, milliseconds: int, chance: int) -> str:
    """A new identifier for this time, beyond `last` even when the clock ran backwards."""
    value = (milliseconds << 80 | chance & ((1 << 80) - 1)) & _MAX
    floor = decode(last) if last else None
    if floor is not None and floor < _MAX:
        value = max(value, floor + 1)
    return encode(value)
