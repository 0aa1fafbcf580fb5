"""Words of a command as they are typed into a shell: what is printed or copied to be run runs nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reviewer.basics.clean import printable_line

_PLAIN = re.compile(r"[\w@%+:,./-][\w@%+:,./=#-]*", re.ASCII)
"""A word in which a shell sees nothing: references as they usually are, with `#` within, and most paths."""


def shell_line(words: Iterable[object]) -> str:
    """A command as it is typed into a shell."""
    return " ".join(map(shell_word, words))


def shell_word(word: object) -> str:
    """A word as it is typed into a shell; signs that a terminal cannot show are written as escapes."""
    text = str(word)
    if _PLAIN.fullmatch(text):
        return text
    if printable_line(text) == text:
        return "'{}'".format(text.replace("'", "'\"'\"'"))
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    signs = (each if printable_line(each) == each else _escape(each) for each in escaped)
    return f"$'{''.join(signs)}'"


def _escape(sign: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in sign.encode("utf-8", "surrogateescape"))
