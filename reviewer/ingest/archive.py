"""Zip containers, read a member at a time within bounds, with a sentence for whatever is wrong with them.

Owns what makes a zip hostile: sizes that lie, bombs, broken members, methods that this Python cannot unpack.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reviewer.errors import SourceError
from reviewer.ingest.source import Source, parsed

LARGEST_MEMBER = 512 << 20
MOST = 200
"""Times its packed size that a large member may unpack to; logs stay far below it."""
_SUSPECT = 16 << 20


class Archive:
    """An open zip whose members are JSON."""

    def __init__(self, source: Source, file: zipfile.ZipFile) -> None:
        self._source, self._file = source, file
        self.names = tuple(file.namelist())

    def json(self, name: str) -> Any:
        """One member as JSON; raises a sentence naming it."""
        where = f"{self._source.name}, {name}"
        info = self._file.getinfo(name)
        bomb = info.file_size > _SUSPECT and info.file_size > MOST * max(info.compress_size, 1)
        if bomb or info.file_size > LARGEST_MEMBER:
            raise SourceError(f"{where} would unpack to {info.file_size:,} bytes.", "No log is like that; check it.")
        try:
            with self._file.open(info) as member:
                data = member.read(info.file_size + 1)
        except RuntimeError as error:  # encrypted, or packed in a way that zipfile does not know
            raise SourceError(f"{where} cannot be unpacked ({error}).", "Convert the log to JSON first.") from None
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
            raise SourceError(f"{where} cannot be unpacked ({error}).", "Was the file cut off?") from None
        return parsed(data, where)


@contextmanager
def opened(source: Source) -> Iterator[Archive]:
    """The zip, open for reading."""
    try:
        file = zipfile.ZipFile(source.path)
    except (zipfile.BadZipFile, EOFError, ValueError, OSError, RuntimeError) as error:
        raise SourceError(f"{source.name} is no readable zip ({error}).", "Was the file cut off?") from None
    with file:
        yield Archive(source, file)
