"""Which files a command names: folders recursively, in an order that does not depend on how they were typed."""

from __future__ import annotations

import os
import stat
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path

from reviewer.errors import SourceError
from reviewer.ingest.names import natural
from reviewer.ingest.source import Source

LOGS = {".json", ".jsonl", ".ndjson", ".eval", ".traj", ".log", ".txt", ""}


def sources(paths: Sequence[Path]) -> list[Source]:
    """The files to look at, each once, ordered by name with numbers counted as numbers.

    They are called by where they stand below the folder that holds all that was named, so that no two have one name.
    """
    found: dict[Hashable, Source] = {}
    root = os.path.commonpath([path.parent.absolute() for path in paths]) if paths else ""
    for path in paths:
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:
            raise SourceError(f"There is no {path}.", "Check the name.") from None
        except OSError as error:
            raise SourceError(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error
        folder = stat.S_ISDIR(mode)
        if not folder and not stat.S_ISREG(mode):
            raise SourceError(f"{path} is no file.", "Save what comes from it, and name that file.")
        for file in _within(path) if folder else (path,):
            name = file.absolute().relative_to(root).as_posix()
            found.setdefault(_identity(file), Source(file, _spelled(name), alone=not folder))
    if not found:
        raise SourceError(f"No file in {', '.join(map(str, paths))}.", "Name log files, or a folder that holds some.")
    return sorted(found.values(), key=lambda source: natural(source.name))


def _within(path: Path) -> Iterator[Path]:
    """The logs in a folder; a folder below that cannot be listed stands for what is in it, and says so when read."""
    shut: list[Path] = []
    for folder, below, names in os.walk(path, onerror=lambda error: shut.append(Path(error.filename))):
        below[:] = sorted(name for name in below if not name.startswith("."))
        files = [Path(folder, name) for name in sorted(names) if not name.startswith(".")]
        yield from (file for file in files if _suffix(file) in LOGS and _is_file(file))
    yield from shut


def _suffix(path: Path) -> str:
    """What its name ends with, of a packed file before the `.gz`."""
    return Path(path.name.lower().removesuffix(".gz")).suffix


def _is_file(path: Path) -> bool:
    """False for a link to nowhere, a pipe, a socket; one that may not be asked is said to be unreadable when read."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError as error:
        return isinstance(error, PermissionError)


def _identity(path: Path) -> Hashable:
    """What tells a file from others that lead to it by another name."""
    try:
        status = path.stat()
    except OSError:
        return path
    return status.st_dev, status.st_ino


def _spelled(name: str) -> str:
    """The name with bytes that are no UTF-8 written out, so that it can be stored."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
