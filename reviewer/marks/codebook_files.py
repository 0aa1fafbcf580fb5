"""The files of a codebook as one text: `codebook.toml`, then a file in `modes/` for each mode that was added.

A new mode has a file of its own, because git merges two new files always and two insertions at one place never. In the
joined text a comment that begins with a tab names the file whose lines follow. Pure; text in, text out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import NamedTuple

from reviewer.marks.journal import slug

FOLDER = "modes"
_HEADING = re.compile(rf"(?m)^#\t{FOLDER}/([^/\n]+\.toml)\n")


class CodebookFile(NamedTuple):
    """One file of a codebook."""

    name: str
    """Its name in the folder of modes; empty for `codebook.toml`."""
    where: str
    """What errors call the file."""
    text: str


def joined(main: str, files: Mapping[str, str]) -> str:
    """The text of all files, those of modes by name."""
    return _whole(main) + "".join(f"#\t{FOLDER}/{name}\n{_whole(files[name])}" for name in sorted(files))


def parts(text: str, where: str) -> Iterator[CodebookFile]:
    """The files of a joined text, `codebook.toml` first."""
    main, *rest = _HEADING.split(text)
    yield CodebookFile("", where, main)
    for name, own in zip(rest[::2], rest[1::2], strict=True):
        yield CodebookFile(name, str(PurePath(where).parent / FOLDER / name), own)


def added(text: str, code: str, table: str) -> str:
    """The text with the table of a new mode in a file of its own."""
    taken = {part.name for part in parts(text, "")}
    stem = slug(code)
    if stem != code:  # it was cut, or means something to a system: what was cut off tells it from others
        stem += f"-{hashlib.sha256(code.encode()).hexdigest()[:8]}"
    names = (f"{stem}{f'-{number}' if number > 1 else ''}.toml" for number in range(1, len(taken) + 2))
    name = next(name for name in names if name not in taken)
    return f"{_whole(text)}#\t{FOLDER}/{name}\n{table}"


def _whole(text: str) -> str:
    """A text whose last line ends."""
    return text if not text or text.endswith("\n") else f"{text}\n"
