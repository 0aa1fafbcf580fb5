"""The formats, one module each: is this file mine, and what conversations does it hold?

A format is a module with `NAME` (what `--format` takes), `TITLE` (what people call it), `mine(source) -> bool` and
`read(source) -> Iterator[Item]`. It reads through `Source` and yields values; it never writes, prints or raises for one
bad record (that is a `Bad`). The order in `NAMES` is the order of asking: the more particular first.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, cast

from reviewer.errors import SourceError
from reviewer.ingest.source import Item, Source

NAMES = ("interchange", "tau_bench")


class Format(Protocol):
    """What a format module offers."""

    NAME: str
    TITLE: str

    def mine(self, source: Source) -> bool:
        """Whether the file, judged by its content, is of this format."""

    def read(self, source: Source) -> Iterator[Item]:
        """Its conversations one at a time, with what could not be read beside them."""


def named(name: str) -> Format:
    """The format that `--format` names."""
    module = name.replace("-", "_")
    if module not in NAMES:
        known = ", ".join(each.replace("_", "-") for each in NAMES)
        raise SourceError(f"There is no format “{name}”.", f"Formats: {known}.")
    return cast("Format", import_module(f"reviewer.ingest.formats.{module}"))


def recognised(source: Source) -> Format | None:
    """The format whose content this is; None when no format claims the file."""
    return next((each for each in map(named, NAMES) if each.mine(source)), None)
