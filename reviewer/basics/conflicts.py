"""Lines that git leaves in a file when it cannot merge two versions: found, and what a person does about them."""

from __future__ import annotations

import re

_MARK = re.compile(r"(?m)^(?:<{7}|\|{7}|>{7})(?: |$)|^={7}$")
REMEDY = (
    "Keep what both sides need, delete the lines that begin with <<<<<<<, |||||||, ======= or >>>>>>>, and git add it."
)


def conflict_line(text: str) -> int | None:
    """The number of the first line that begins a conflict."""
    begin = next((match for match in _MARK.finditer(text) if match[0].startswith("<")), None)
    return None if begin is None else text.count("\n", 0, begin.start()) + 1


def is_conflict_mark(line: str) -> bool:
    """True for a line that git wrote between two versions."""
    return _MARK.match(line.rstrip("\r\n")) is not None
