"""Where a log file lies: what its path says of run and model, and what tells it from every other file.

Knows paths and bytes, never what a file holds.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from reviewer.basics.errors import SourceError
from reviewer.imports import names
from reviewer.imports.containers import log_bytes

_PART = 16_384


@dataclass
class Whereabouts:
    """The location of one source."""

    path: Path
    name: str
    """Where it stands below the folder that holds all that was named."""
    alone: bool
    """Whether it was named itself, and no folder around it."""
    within: str
    """What it is called in the zip that holds it."""
    held: log_bytes.HeldBytes | None

    @property
    def speaking(self) -> str:
        """The name, with the two nearest folders when it was named alone: where a model's name may stand."""
        return self.name if "/" in self.name and not self.alone else "/".join(self._steps[-3:])

    @cached_property
    def run(self) -> int | None:
        """The run that its name states, else that of a folder just above whose whole name is one."""
        stated = names.run_in(self.name)
        above = self._steps[-3:-1] if self.name.count("/") < 2 else ()
        runs = (names.run_in(folder) for folder in reversed(above) if names.is_run_folder(folder))
        return next(runs, None) if stated is None else stated

    @cached_property
    def place(self) -> str:
        """A hash of the file's location."""
        told = os.fsencode(self.path.absolute()) + (b"\0" + self.within.encode() if self.held is not None else b"")
        return hashlib.sha256(told).hexdigest()[:32]

    @cached_property
    def digest(self) -> str:
        """A hash of the file's bytes as they are stored."""
        with self._bytes.open() as file:
            return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]

    @cached_property
    def fingerprint(self) -> str:
        """A quick key that is equal for equal files: size, first bytes and last bytes."""
        size = self._bytes.size
        digest = hashlib.sha256(str(size).encode())
        try:
            with self._bytes.open() as file:
                digest.update(file.read(_PART))
                if size > _PART:
                    log_bytes.skip(file, max(0, size - 2 * _PART))
                    digest.update(file.read(_PART))
        except SourceError:  # a member that cannot be unpacked is like no other file
            return self.place
        return digest.hexdigest()[:32]

    @property
    def longer_names(self) -> Iterator[str]:
        """The file's name with more and more of its parent folders."""
        for count in range(self.name.count("/") + 2, len(self._steps)):
            yield "/".join(self._steps[-count:])

    @property
    def _bytes(self) -> log_bytes.HeldBytes:
        return self.held or log_bytes.PlainFile(self.path)

    @property
    def steps(self) -> tuple[str, ...]:
        """The folders that lead to it and its name, with bytes that are not UTF-8 escaped."""
        return tuple(
            step.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace") for step in self._steps
        )

    @cached_property
    def _steps(self) -> tuple[str, ...]:
        """The folders that lead to it, those within a zip too, and its name."""
        return (*self.path.absolute().parts, *filter(None, self.within.split("/")))
