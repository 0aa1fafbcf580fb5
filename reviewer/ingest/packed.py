"""A log file's bytes: as they are, or out of gzip within bounds, with a sentence for whatever is wrong with them."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from reviewer.errors import SourceError

MOST = 200
"""Times its packed size that a large file may unpack to; logs stay far below it."""
_SUSPECT = 16 << 20
_GZIP = b"\x1f\x8b"
_WIDE = (b"\xff\xfe", b"\xfe\xff")


def opened(path: Path, name: str) -> IO[bytes]:
    """The file, open for reading at its start; raises `OSError` where that fails."""
    file = path.open("rb")
    first = file.read(2)
    if first in _WIDE:
        file.close()
        raise SourceError(f"{name} is UTF-16, not UTF-8.", "Save it as UTF-8 and import again.")
    file.seek(0)
    if first != _GZIP:
        return file
    file.close()
    return cast("IO[bytes]", _Unpacked(path, name))


def passed(file: IO[bytes]) -> int:
    """How many bytes of the file itself are behind, packed or not."""
    itself: IO[bytes] = getattr(file, "fileobj", file)
    return itself.tell()


class _Unpacked(gzip.GzipFile):
    """A gzip file that says what is wrong with it, and stops where no log would go on."""

    def __init__(self, path: Path, name: str) -> None:
        super().__init__(path, "rb")
        self._of = name
        self._most = max(_SUSPECT, MOST * path.stat().st_size)
        self._given = 0

    def read(self, size: int | None = -1) -> bytes:
        with self._guarded():
            return self._counted(super().read(self._most + 1 if size is None or size < 0 else size))

    def readline(self, size: int | None = -1) -> bytes:
        with self._guarded():
            return self._counted(super().readline(-1 if size is None else size))

    def _counted(self, data: bytes) -> bytes:
        self._given += len(data)
        if self._given > self._most:
            raise SourceError(
                f"{self._of} unpacks to more than {self._most:,} bytes.", "No log is like that; check it."
            )
        return data

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise SourceError(f"{self._of} cannot be unpacked ({error}).", "Was the file cut off?") from None
