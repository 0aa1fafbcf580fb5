"""Bytes out of a packed stream (gzip, and what zips use), a piece at a time and within bounds.

Owns what makes packed bytes hostile: bombs, sizes that lie, streams that end early, checksums that do not fit. A bomb
is seen while it is unpacked, by how much came out of how little, and never held.
"""

from __future__ import annotations

import bz2
import io
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any, Protocol

from reviewer.basics.errors import SourceError

MOST = 200
"""Times their packed size that bytes may unpack to; logs stay far below it."""
SUSPECT = 16 << 20
"""Bytes up to which nobody asks how little they were packed to."""
_WITHIN = 64 << 10
"""The same where what is packed stands in a zip: there may be any number of them."""
FAR = 128 << 20
"""Bytes up to which a method that looks back further may unpack more times."""
LARGEST = 512 << 20
"""Bytes that are read at once."""
_PIECE = 64 << 10
CUT = "Was the file cut off?"


class _Stream(Protocol):
    """One packed stream on its way out, with the manners of bz2 and zstd."""

    @property
    def eof(self) -> bool:
        """True once the stream has ended."""

    @property
    def unused_data(self) -> bytes:
        """The input after the end of the stream."""

    @property
    def needs_input(self) -> bool:
        """True if more input is needed before any output."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """At most so many bytes, of what went in before too."""


@dataclass(frozen=True, slots=True)
class Method:
    """A way of packing."""

    start: Callable[[], _Stream]
    several: bool
    """Whether one stream may follow another."""
    most: int = MOST
    """Times its packed size that less than `FAR` bytes may unpack to."""

    def bound(self, packed: int, least: int = SUSPECT) -> int:
        """The number of bytes that so many packed ones may unpack to."""
        return max(least, MOST * packed, min(self.most * packed, FAR))


class _PlainStream:
    """A stream that is stored without compression."""

    unused_data = b""

    def __init__(self) -> None:
        self._held = b""
        self.eof = False

    @property
    def needs_input(self) -> bool:
        return not self._held

    def decompress(self, data: bytes, max_length: int) -> bytes:
        held = self._held + data
        self._held = held[max_length:]
        self.eof = not held
        return held[:max_length]


class _ZlibStream:
    """A stream for zlib that behaves like the other decompressors."""

    def __init__(self, bits: int) -> None:
        self._of = zlib.decompressobj(bits)

    @property
    def eof(self) -> bool:
        return self._of.eof

    @property
    def unused_data(self) -> bytes:
        return self._of.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._of.unconsumed_tail

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._of.decompress(self._of.unconsumed_tail + data, max_length)


def _zstd() -> _Stream:
    """A stream of Zstandard; loaded only for files that are packed so."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    stream: _Stream = zstd.ZstdDecompressor()
    return stream


GZIP = Method(lambda: _ZlibStream(31), True)
ZIPPED = {
    0: Method(_PlainStream, False),
    8: Method(lambda: _ZlibStream(-15), False),
    12: Method(bz2.BZ2Decompressor, False),
    93: Method(_zstd, True, 1_000),
}
"""By the number that a zip has for them. Zstandard looks back further, so that histories that repeat pack to less."""


class UnpackedStream(io.RawIOBase):
    """The unpacked bytes of a compressed stream; raises a sentence that names it for whatever is wrong."""

    def __init__(
        self, file: IO[bytes], method: Method, name: str, packed: int = sys.maxsize, size: int = -1, crc: int = -1
    ) -> None:
        self._file, self._method, self._of = file, method, name
        self._left, self._size, self._crc = packed, size, crc
        self._sum = self._taken = self._given = 0
        self._ahead = b""
        """What was taken and belongs to the next stream."""
        self._stream = method.start()
        self._least = _WITHIN if isinstance(getattr(file, "raw", None), UnpackedStream) else SUSPECT

    @property
    def passed(self) -> int:
        """The number of bytes read: unpacked ones if their total is known, else packed ones."""
        return self._taken if self._size < 0 else self._given

    @property
    def taken(self) -> int:
        """The number of bytes read from the disk, whatever they were packed in twice."""
        around = getattr(self._file, "raw", None)
        return around.taken if isinstance(around, UnpackedStream) else self._taken

    def readable(self) -> bool:
        """True: the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next bytes, into the buffer."""
        data = self._next(min(len(buffer), _PIECE)) if len(buffer) else b""
        buffer[: len(data)] = data
        return len(data)

    def readall(self) -> bytes:
        """Read the rest."""
        whole = io.BytesIO()
        while data := self._next(4 * _PIECE):
            whole.write(data)
            if whole.tell() > LARGEST:
                told = f"{self._of} unpacks to one value of more than {LARGEST:,} bytes."
                raise SourceError(told, "Write it as JSON Lines.")
        return whole.getvalue()

    def close(self) -> None:
        """Close the stream and its file."""
        if not self.closed:
            self._file.close()
        super().close()

    def _next(self, most: int) -> bytes:
        """Up to so many bytes; none at the end, where size and checksum have to fit."""
        try:
            data = self._unpack(most)
        except Exception as error:  # noqa: BLE001 - each of these libraries has an error of its own
            raise SourceError(f"{self._of} cannot be unpacked ({error}).", CUT) from None
        self._given += len(data)
        self._sum = zlib.crc32(data, self._sum)
        limit = self._method.bound(self.taken, self._least)
        if self._given > limit:
            raise SourceError(f"{self._of} unpacks to more than {limit:,} bytes.", "No log is like that; check it.")
        if self._size >= 0 and (self._given > self._size or (not data and self._given < self._size)):
            than = "more" if self._given > self._size else "fewer"
            raise SourceError(f"{self._of} unpacks to {than} bytes than the {self._size:,} it should have.", CUT)
        if not data and self._crc not in (-1, self._sum):
            raise SourceError(f"{self._of} cannot be unpacked (its checksum does not fit).", CUT)
        return data

    def _unpack(self, most: int) -> bytes:
        """Return the next unpacked bytes; none once the last stream has ended."""
        while not self._stream.eof or self._goes_on():
            fresh = self._take() if self._stream.needs_input else b""
            ended = self._stream.needs_input and not fresh
            data = self._stream.decompress(fresh, most)
            if data:
                return data
            if ended and not self._stream.eof:
                raise EOFError("it ends early")
        return b""

    def _goes_on(self) -> bool:
        """True if another stream follows the one that has ended; it is opened."""
        if not self._method.several:
            return False
        rest = self._stream.unused_data
        while not (rest := rest.lstrip(b"\0")):  # gzip may be filled up with them
            rest = self._take()
            if not rest:
                return False
        self._ahead, self._stream = rest, self._method.start()
        return True

    def _take(self) -> bytes:
        if self._ahead:
            data, self._ahead = self._ahead, b""
            return data
        data = self._file.read(min(_PIECE, self._left))
        self._left -= len(data)
        self._taken += len(data)
        return data
