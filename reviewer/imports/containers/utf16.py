"""UTF-16 as UTF-8, a piece at a time: what Windows programs write as “Unicode text”, spreadsheets' exports among it.

Halves of a pair and a byte too many become bytes that are no UTF-8, so that whoever reads the line says so.
"""

from __future__ import annotations

import codecs
import io
from typing import IO, Any

MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_PIECE = 64 << 10
_NO_UTF8 = b"\xff"


class Utf8Stream(io.RawIOBase):
    """A file in UTF-16 (with a byte order mark) as a stream of UTF-8."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__()
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-16")("surrogatepass")
        self._ready = b""
        self._at_end = False

    @property
    def passed(self) -> int:
        """The number of bytes of the file that were read."""
        return self._file.tell()

    def readable(self) -> bool:
        """True: the stream can be read."""
        return True

    def readinto(self, into: Any) -> int:
        """Fill the buffer with as many bytes as are ready, and read more if none are."""
        while not self._ready and not self._at_end:
            self._ready = self._next()
        held = self._ready[: len(into)]
        into[: len(held)] = held
        self._ready = self._ready[len(held) :]
        return len(held)

    def _next(self) -> bytes:
        piece = self._file.read(_PIECE)
        self._at_end = not piece
        try:
            return self._decoder.decode(piece, self._at_end).encode("utf-8", "surrogatepass")
        except UnicodeDecodeError:  # half a letter at the end
            return _NO_UTF8

    def close(self) -> None:
        """Close the file too."""
        self._file.close()
        super().close()
