"""Reads that other packages bring: loaded where reads are run and nowhere else.

An entry point of the group `reviewer.reads` names a `Read`, or several of them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from reviewer.basics import packages
from reviewer.basics.packages import Brought
from reviewer.findings import reads
from reviewer.findings.reads import Read

GROUP = "reviewer.reads"


def known() -> dict[str, Read]:
    """Every read that can be run, by name: our own, and those of other packages."""
    return {**reads.BY_NAME, **{name: read for name, (read, _) in brought().by_name.items()}}


@cache
def brought() -> Brought[Read]:
    """The reads that other packages bring, loaded once."""
    return packages.brought(GROUP, "read", reads.BY_NAME, _checked)


def _checked(read: Any) -> tuple[str, Read]:
    if not isinstance(read, Read):
        raise TypeError(f"{type(read).__name__} is not a Read")
    mode, look, version = _parts(read)
    if not isinstance(mode, str) or not mode.strip() or not callable(look):
        raise TypeError("a Read needs a mode and a function that looks")
    if type(version) is not int or version < 1:
        raise TypeError("the version of a Read is a whole number from 1")
    return read.name, read


def _parts(read: Any) -> tuple[Any, Any, Any]:
    """What a read is made of, of whatever type that is."""
    return read.mode, read.look or read.across or read.within, read.version
