"""Reads that other packages bring: found by their entry points, and loaded where reads are run and nowhere else.

An entry point of the group `reviewer.reads` names a `Read`, or several of them. A package that cannot be loaded, or
that brings something else, or a read of a name that is taken, costs itself alone: it is named in a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from reviewer.findings import reads
from reviewer.findings.reads import Read

GROUP = "reviewer.reads"


class BroughtReads(NamedTuple):
    """The reads of other packages."""

    reads: Mapping[str, tuple[Read, str]]
    """Name to the read and the package that brings it."""
    troubles: tuple[str, ...]
    """A sentence for each that could not be taken."""


def known() -> dict[str, Read]:
    """Every read that can be run, by name: our own, and those of other packages."""
    return {**reads.BY_NAME, **{name: read for name, (read, _) in brought().reads.items()}}


@cache
def brought() -> BroughtReads:
    """The reads that other packages bring, loaded once."""
    taken: dict[str, tuple[Read, str]] = {}
    troubles: list[str] = []
    for entry in sorted(entry_points(group=GROUP), key=lambda each: (_package(each), each.name)):
        package = _package(entry)
        try:
            loaded = list(_reads(entry))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a package may be anybody's; the others go on
            reason = str(error).strip().partition("\n")[0]
            said = f"{type(error).__name__}: {reason}" if reason else type(error).__name__
            troubles.append(f"The reads of {package} cannot be loaded: {entry.value} ({said}).")
            continue
        for read in loaded:
            others = taken[read.name][1] if read.name in taken else "this program" if read.name in reads.BY_NAME else ""
            if others:
                troubles.append(f"The read “{read.name}” of {package} is left out: {others} has one of that name.")
            else:
                taken[read.name] = read, package
    return BroughtReads(taken, tuple(troubles))


def _reads(entry: EntryPoint) -> Iterator[Read]:
    loaded: Any = entry.load()
    for read in loaded if isinstance(loaded, list | tuple) else (loaded,):
        if not isinstance(read, Read):
            raise TypeError(f"{type(read).__name__} is not a Read")
        mode, look, version = _told(read)
        if not isinstance(mode, str) or not mode.strip() or not callable(look):
            raise TypeError("a Read needs a mode and a function that looks")
        if type(version) is not int or version < 1:
            raise TypeError("the version of a Read is a whole number from 1")
        yield read


def _told(read: Any) -> tuple[Any, Any, Any]:
    """What a read is made of, of whatever type that is."""
    return read.mode, read.look or read.across or read.within, read.version


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value.partition(":")[0]
