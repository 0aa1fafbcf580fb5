"""Zip containers, read a member at a time within bounds, with a sentence for whatever is wrong with them.

Owns what makes a zip hostile: sizes that lie, bombs, broken members, ways of packing that nobody here unpacks. Members
are unpacked by `decompression`, not by Python's zipfile, which before 3.14 knows no Zstandard and reads one frame of it
since. The name of a member is only a name: nothing is ever written under it.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from reviewer.basics.errors import SourceError
from reviewer.imports.containers.decompression import CUT, MOST, ZIPPED, UnpackedStream
from reviewer.imports.containers.log_bytes import buffered
from reviewer.imports.source import Source, parsed

LARGEST_MEMBER = 512 << 20
"""Of what is read as a whole."""
MOST_MEMBERS = 500_000
_LARGEST_ZIP = 1 << 30
"""Bytes that all members together may unpack to, whatever they are packed to."""
_LONGEST_LIST = 64 << 20
"""Bytes of the list of members."""
_ENCRYPTED = 0x1
_LOCAL = struct.Struct("<4s22xHH")
"""What stands before a member's bytes: a mark, and the lengths of its name and of what else is said."""
_END, _END_64 = b"PK\x05\x06", b"PK\x06\x06"
_REFUSED = (zipfile.BadZipFile, EOFError, ValueError, OSError, RuntimeError, struct.error)


@dataclass(frozen=True, slots=True)
class Member:
    """One file in a zip: where it stands there, and how it is packed."""

    path: Path
    info: zipfile.ZipInfo
    where: str
    """What sentences call it."""

    @property
    def size(self) -> int:
        """The unpacked size in bytes, as stated by the zip."""
        return self.info.file_size

    def open(self) -> IO[bytes]:
        """Open the member for reading; raises a sentence if that fails or it is too large."""
        info = self.info
        method = ZIPPED.get(info.compress_type)
        if info.flag_bits & _ENCRYPTED:
            raise SourceError(f"{self.where} is encrypted.", "Unpack it with its password, and import what comes out.")
        if method is None:
            hint = "Unpack it with another program, and import what comes out."
            told = f"{self.where} cannot be unpacked (it is packed by method {info.compress_type}, which is not read)."
            raise SourceError(told, hint)
        if info.file_size > method.bound(info.compress_size):
            told = f"{self.where} would unpack to {info.file_size:,} bytes, out of {info.compress_size:,}."
            raise SourceError(told, "No log is like that; check it.")
        try:
            file = self._at_its_bytes()
        except PermissionError as error:
            raise SourceError(f"{self.where} cannot be read: {error.strerror}.", "Check its permissions.") from None
        except (OSError, ValueError, struct.error):  # where it is said to stand is before the file or behind its end
            told = f"{self.where} cannot be unpacked (it does not stand where the zip says)."
            raise SourceError(told, CUT) from None
        return buffered(UnpackedStream(file, method, self.where, info.compress_size, info.file_size, info.CRC))

    def _at_its_bytes(self) -> IO[bytes]:
        file = self.path.open("rb")
        try:
            file.seek(self.info.header_offset)
            mark, name, extra = _LOCAL.unpack(file.read(_LOCAL.size))
            if mark != b"PK\x03\x04":
                raise ValueError
            file.seek(name + extra, 1)
        except BaseException:
            file.close()
            raise
        return file


class Archive:
    """A zip whose members are JSON."""

    def __init__(self, name: str, members: dict[str, Member]) -> None:
        self._name, self._members = name, members
        self.names = tuple(members)

    def json(self, name: str) -> Any:
        """One member as JSON; raises a sentence naming it."""
        member = self._members[name]
        if member.size > LARGEST_MEMBER:
            told = f"{member.where} would unpack to {member.size:,} bytes."
            raise SourceError(told, "That is more than is read at once; write it as parts, or as JSON Lines.")
        with member.open() as file:
            return parsed(file.read(), member.where)


@contextmanager
def opened(source: Source) -> Iterator[Archive]:
    """The zip, open for reading."""
    with source.on_disk() as path:
        infos = listing(path, source.name)
        yield Archive(
            source.name, {info.filename: Member(path, info, f"{source.name}, {info.filename}") for info in infos}
        )


def listing(path: Path, name: str) -> list[zipfile.ZipInfo]:
    """The members of a zip that are files; raises a sentence when the zip itself is not to be trusted."""
    try:
        if _list_size(path) > _LONGEST_LIST:
            raise SourceError(f"{name} lists more members than any log has.", "Unpack it, and import the folder.")
        with zipfile.ZipFile(path) as file:
            infos = file.infolist()
        size = path.stat().st_size
    except PermissionError as error:
        raise SourceError(f"{name} cannot be read: {error.strerror}.", "Check its permissions.") from None
    except (*_REFUSED, zlib.error) as error:
        raise SourceError(f"{name} is not a readable zip ({error}).", CUT) from None
    if len(infos) > MOST_MEMBERS:
        raise SourceError(f"{name} lists {len(infos):,} members.", "Unpack it, and import the folder.")
    if sum(info.compress_size for info in infos) > size:
        raise SourceError(f"{name} says that its members are larger than itself.", "No log is like that; check it.")
    if (unpacked := sum(info.file_size for info in infos)) > max(_LARGEST_ZIP, MOST * size):
        raise SourceError(
            f"{name} would unpack to {unpacked:,} bytes, out of {size:,}.", "No log is like that; check it."
        )
    return [info for info in infos if not info.filename.endswith("/")]


def _list_size(path: Path) -> int:
    """The stated size of the list of members, which Python reads whole before anyone can limit it."""
    with path.open("rb") as file:
        end = file.seek(0, 2)
        file.seek(max(0, end - (66 << 10)))
        tail = file.read()
    at, at_64 = tail.rfind(_END), tail.rfind(_END_64)
    if 0 <= at_64 < at and len(tail) >= at_64 + 56:
        return int(struct.unpack_from("<Q", tail, at_64 + 40)[0])
    return int(struct.unpack_from("<I", tail, at + 12)[0]) if 0 <= at <= len(tail) - 22 else 0
