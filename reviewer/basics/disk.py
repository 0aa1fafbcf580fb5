"""Files that are there whole or as they were, whatever happens while they are written.

Owns the one way in which a file takes another's place: written beside it, synced, renamed, the folder synced. What an
error is called is the caller's business.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NAME = 50
"""Characters of the name that the file beside it has, too; a name may have 255 bytes."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside the one that is meant, to be written; then it takes its place, with what others may do with it."""
    beside = path.with_name(f".{path.name[:_NAME]}.{os.getpid()}")
    try:
        yield beside
        with beside.open("rb+") as file:
            if path.is_file():
                beside.chmod(path.stat().st_mode)
            os.fsync(file.fileno())
        beside.replace(path)
        sync_folder(path.parent)
    finally:
        beside.unlink(missing_ok=True)


def write(path: Path, text: str) -> None:
    """Write a file as a whole, and make its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as beside:
        beside.write_text(text, "utf-8", newline="\n")


def sync_folder(folder: Path) -> None:
    """See to it that a folder knows its new names, even when the power goes."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
