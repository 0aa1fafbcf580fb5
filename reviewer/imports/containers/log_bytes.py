"""A log's bytes: as they are, out of UTF-16, or out of gzip within bounds, with a sentence for what is wrong with them.

A packed log is unpacked once to nowhere before its first line is believed, so that one that is cut off, spoilt or a
bomb brings nothing in part.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO, Protocol, cast

from reviewer.basics.errors import SourceError
from reviewer.imports.containers.decompression import GZIP, UnpackedStream
from reviewer.imports.containers.utf16 import MARKS, Utf8Stream

_GZIP = b"\x1f\x8b"
_BUFFER = 256 << 10


class HeldBytes(Protocol):
    """Bytes that stand in no file of their own, such as a member of a zip."""

    @property
    def size(self) -> int:
        """The stated number of bytes."""

    def open(self) -> IO[bytes]:
        """The bytes from their start; raises a sentence where that fails."""


@dataclass(frozen=True, slots=True)
class RefusedBytes:
    """What must not or cannot be read, with the reason."""

    error: SourceError
    size: int = 0

    def open(self) -> IO[bytes]:
        """Raise the reason."""
        raise self.error


class PlainFile:
    """A file on disk, opened as it is."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def size(self) -> int:
        """The file's size in bytes; 0 if it no longer exists."""
        try:
            return self._path.stat().st_size
        except OSError:
            return 0

    def open(self) -> IO[bytes]:
        """The file; raises `OSError` where that fails."""
        return self._path.open("rb")


def opened(held: HeldBytes, name: str) -> IO[bytes]:
    """Open the log for reading, unpacked; raises `OSError` if that fails."""
    file = held.open()
    first = cast("BufferedReader", file).peek(2)[:2]
    if first in MARKS:
        return BufferedReader(Utf8Stream(file), _BUFFER)
    return buffered(UnpackedStream(file, GZIP, name)) if first == _GZIP else file


def buffered(file: UnpackedStream) -> IO[bytes]:
    """Buffer an unpacking stream, so that it can be read by lines."""
    return BufferedReader(file, _BUFFER)


def check(file: IO[bytes]) -> bool:
    """Unpack what is packed to its end, keeping nothing; raises a sentence when it does not fit together."""
    is_packed = isinstance(getattr(file, "raw", None), UnpackedStream)
    while is_packed and file.read(_BUFFER):
        pass
    return is_packed


def skip(file: IO[bytes], count: int) -> None:
    """Skip so many bytes; a compressed stream is unpacked up to there."""
    if file.seekable():
        file.seek(count, os.SEEK_CUR)
    while not file.seekable() and count > 0 and (data := file.read(min(count, _BUFFER))):
        count -= len(data)


def passed(file: IO[bytes]) -> int:
    """The number of bytes read, in the unit of the log's size."""
    raw = getattr(file, "raw", None)
    return raw.passed if isinstance(raw, UnpackedStream | Utf8Stream) else file.tell()
