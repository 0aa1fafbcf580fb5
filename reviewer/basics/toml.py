"""TOML that somebody wrote, read and edited in a time that grows with its length; what is none is one sentence.

The parsers take the square of a key's parts, and the cube of the dotted keys below one table: both are bounded here
before they are called, and nesting and digits cost a sentence. Whatever of the program is TOML is read here.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

PARTS = 64
"""Names that a key may have, joined by dots."""
DEEPEST = 64
"""Tables and lists in one another."""
LONGEST = 16 << 20
"""Characters of a document; a table may take forty bytes of memory for each."""
LONGEST_EDITED, DOTTED_EDITED = 400_000, 400
"""Characters, and lines that begin with a dotted key, of a text that is edited; a person edits what is longer."""
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_MANY_PARTS = re.compile(rf"""(?<![\w\\"'.-])(?:{_PART}[ \t]*+\.[ \t]*+){{{PARTS}}}""")
_DOTTED = re.compile(rf"(?m)^[ \t]*+{_PART}[ \t]*+\.")
_PLACE = re.compile(r" \(at (?:line (\d++), column (\d++)|end of document)\)\Z")


class NotTomlError(ValueError):
    """What is wrong, in words and with the line where that is known."""

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        place = f" (at line {line}" + (f", column {column})" if column else ")") if line else ""
        super().__init__(f"{reason}{place}")
        self.reason = reason
        self.line = line


def table_of(text: str) -> dict[str, Any]:
    """Read a TOML document; raises `NotTomlError`."""
    if len(text) > LONGEST:
        raise NotTomlError(f"it is longer than {LONGEST >> 20} million characters")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") >= PARTS and _MANY_PARTS.search(line):
            raise NotTomlError(f"a key has more than {PARTS} parts", number)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _with_place(str(error), text) from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:
        raise NotTomlError("a number has thousands of digits") from None
    _check_depth(table)
    return table


def document_of(text: str) -> TOMLDocument | None:
    """A TOML document that can be changed in its place; None where only a person should."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    if len(text) > LONGEST_EDITED or sum(1 for _ in _DOTTED.finditer(text)) > DOTTED_EDITED:
        return None
    try:
        return tomlkit.parse(text)
    except (TOMLKitError, RecursionError):
        return None


def _with_place(said: str, text: str) -> NotTomlError:
    place = _PLACE.search(said)
    if place is None:
        return NotTomlError(said)
    reason = said[: place.start()]
    return NotTomlError(reason, int(place[1] or text.count("\n") + 1), int(place[2]) if place[2] else None)


def _check_depth(table: dict[str, Any]) -> None:
    level: list[Any] = [table]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise _too_deep()


def _too_deep() -> NotTomlError:
    return NotTomlError("it is nested too deeply")
