"""Zips written byte by byte, so that they can hold what no library writes: lies, several frames, unknown methods."""

from __future__ import annotations

import bz2
import struct
import sys
import zlib
from collections.abc import Mapping
from typing import NamedTuple

if sys.version_info >= (3, 14):
    from compression import zstd as _zstd
else:
    from backports import zstd as _zstd


class Held(NamedTuple):
    """A member: how it is packed, its bytes as they stand there, and what is said of them."""

    method: int
    packed: bytes
    size: int
    crc: int
    flags: int = 0


def stored(data: bytes) -> Held:
    """A member that is not packed."""
    return Held(0, data, len(data), zlib.crc32(data))


def deflated(data: bytes) -> Held:
    """A member packed as most are."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return Held(8, packer.compress(data) + packer.flush(), len(data), zlib.crc32(data))


def bzip2(data: bytes) -> Held:
    """A member packed by bzip2."""
    return Held(12, bz2.compress(data), len(data), zlib.crc32(data))


def zstd(data: bytes, frames: int = 1) -> Held:
    """A member packed by Zstandard, in this many frames one behind the other."""
    step = max(1, -(-len(data) // frames))
    packed = b"".join(_zstd.compress(data[at : at + step]) for at in range(0, max(1, len(data)), step))
    return Held(93, packed, len(data), zlib.crc32(data))


def of(members: Mapping[str, Held]) -> bytes:
    """The zip that holds them."""
    body, listed = b"", b""
    for name, it in members.items():
        told = name.encode()
        about = struct.pack(
            "<HHHHHIIIHH", 20, it.flags | 0x800, it.method, 0, 33, it.crc, len(it.packed), it.size, len(told), 0
        )
        listed += b"PK\x01\x02" + struct.pack("<H", 20) + about + struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + told
        body += b"PK\x03\x04" + about + told + it.packed
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, len(members), len(members), len(listed), len(body), 0)
    return body + listed + end
