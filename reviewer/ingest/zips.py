"""Zips of logs: their members, as sources like the files of a folder.

Decides which members are looked at and which are refused unseen; how one is unpacked is `reviewer.ingest.archive`'s.
What is refused stands as a source too, so that it is said where it would have been read.
"""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import IO
from zipfile import ZipInfo

from reviewer.errors import SourceError
from reviewer.ingest.archive import Member, listing
from reviewer.ingest.source import Source

_INSPECT = ("header.json", "_journal/start.json")
_FOREIGN = "__MACOSX"
"""Where one system keeps what it knows of the files beside."""


@dataclass(frozen=True, slots=True)
class _Refused:
    """Bytes that nobody should read, and why."""

    error: SourceError
    size: int = 0

    def open(self) -> IO[bytes]:
        raise self.error


def sources(zip: Source, is_log: Callable[[str], bool]) -> Iterator[Source]:
    """The members of a zip that may be logs; the zip itself where it is one log, holds none, or cannot be read."""
    try:
        infos = listing(zip.path, zip.name)
    except SourceError as error:
        yield replace(zip, held=_Refused(error))
        return
    names = {info.filename for info in infos}
    logs = [info for info in infos if _is_seen(info) and is_log(info.filename.rpartition("/")[2])]
    if not logs or names.intersection(_INSPECT):
        yield zip
        return
    times = Counter(info.filename for info in logs)
    for info in logs:
        times[info.filename] -= 1
        yield _member(zip, info, times[info.filename])


def _member(zip: Source, info: ZipInfo, later: int) -> Source:
    """A member as a source; of several with one name, the last is the one that counts."""
    name = f"{zip.name}/{_printable(info.filename)}"
    if info.filename.lower().endswith(".zip"):
        error = SourceError(f"{name} is a zip within a zip.", "Unpack the outer one, and import what comes out.")
        return Source(zip.path, name, held=_Refused(error))
    if later:
        error = SourceError(f"{name} stands there more than once: only the last is read.", "Unpack it to see the rest.")
        return Source(zip.path, f"{name} ({later} before the last)", held=_Refused(error))
    return Source(zip.path, name, zip.alone, held=Member(zip.path, info, name))


def _is_seen(info: ZipInfo) -> bool:
    """False for what a folder would not show either: hidden files, links, another system's notes."""
    parts = [part for part in info.filename.split("/") if part not in ("", ".", "..")]
    hidden = any(part.startswith(".") or part == _FOREIGN for part in parts)
    return bool(parts) and not hidden and not stat.S_ISLNK(info.external_attr >> 16)


def _printable(name: str) -> str:
    """The name as it can be stored and shown: a name in a zip may hold anything."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
