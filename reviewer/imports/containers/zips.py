"""Zips of logs: their members, as sources like the files of a folder.

Decides which members are looked at and which are refused unseen; how one is unpacked is `archive`'s.
What is refused stands as a source too, so that it is said where it would have been read.
"""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from zipfile import ZipInfo

from reviewer.basics.errors import SourceError
from reviewer.imports.containers.archive import Member, listing
from reviewer.imports.containers.log_bytes import HeldBytes, RefusedBytes
from reviewer.imports.source import Source

_INSPECT = ("header.json", "_journal/start.json")
_FOREIGN = "__MACOSX"
"""Where one system keeps what it knows of the files beside."""


def members(zip: Source, is_log: Callable[[str], bool]) -> tuple[list[Source], list[str]]:
    """The members of a zip that may be logs, and the names of the others.

    Where it is one log itself, holds none or cannot be read, the zip stands for what is in it.
    """
    try:
        infos = listing(zip.path, zip.name)
    except SourceError as error:
        return [replace(zip, held=RefusedBytes(error))], []
    if {info.filename for info in infos}.intersection(_INSPECT):
        return [zip], []
    logs: list[ZipInfo] = []
    unread: list[str] = []
    for info in infos:
        if _is_seen(info) and is_log(info.filename.rpartition("/")[2]):
            logs.append(info)
        else:
            unread.append(f"{zip.name}/{_printable(info.filename)}")
    times = Counter(_printable(info.filename) for info in logs)
    sources: list[Source] = []
    for info in logs:
        within = _printable(info.filename)
        times[within] -= 1
        sources.append(_member(zip, info, within, times[within]))
    return sources or [zip], unread


def _member(zip: Source, info: ZipInfo, within: str, later: int) -> Source:
    """Turn a member into a source; of several with the same name, the last one counts."""
    name = f"{zip.name}/{within}"
    held: HeldBytes = Member(zip.path, info, name)
    if info.filename.lower().endswith(".zip"):
        told = f"{name} is a zip within a zip."
        held = RefusedBytes(SourceError(told, "Unpack the outer one, and import what comes out."))
    elif later:
        told = f"{name} stands there more than once: only the last is read."
        held = RefusedBytes(SourceError(told, "Unpack it to see the rest."))
        name, within = f"{name} ({later} before the last)", f"{within} ({later} before the last)"
    return Source(zip.path, name, zip.alone, held=held, within=within, home=zip.home)


def _is_seen(info: ZipInfo) -> bool:
    """False for what a folder would not show either: hidden files, links, another system's notes."""
    parts = [part for part in info.filename.split("/") if part not in ("", ".", "..")]
    hidden = any(part.startswith(".") or part == _FOREIGN for part in parts)
    return bool(parts) and not hidden and not stat.S_ISLNK(info.external_attr >> 16)


def _printable(name: str) -> str:
    """The name as it can be stored and shown: a name in a zip may hold anything."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
