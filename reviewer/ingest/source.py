"""A file that may hold conversations: its name, its first bytes, its JSON, its lines.

Owns reading bytes and turning them into JSON with a sentence for whatever is wrong with them. A format never opens a
file itself, so that sizes, encodings, depths and surrogates are dealt with once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from reviewer.errors import SourceError
from reviewer.model import Conversation

HEAD = 65_536
_LONE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Found:
    """One conversation, and where in its file it stood."""

    position: str
    conversation: Conversation
    alone: bool = False
    """True when the file holds just this one, so that its folder is the run."""
    synthetic: bool = False
    """True when the source says that no real model wrote it."""


@dataclass(frozen=True, slots=True)
class Bad:
    """A record that could not be read: it is kept as it was, with the reason."""

    position: str
    reason: str
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about the file that its owner should hear in the summary."""

    text: str


Item = Found | Bad | Remark


@dataclass
class Source:
    """One file, read at most once into memory."""

    path: Path
    name: str
    """The path as shown and stored: relative to the folder that was named, with that folder's name."""

    @cached_property
    def head(self) -> bytes:
        """The first bytes, enough to recognise a format."""
        try:
            with self.path.open("rb") as file:
                return file.read(HEAD)
        except OSError as error:
            raise SourceError(f"{self.name} cannot be read: {error.strerror}.", "Check its permissions.") from error

    @cached_property
    def document(self) -> Any:
        """The whole file as one JSON value."""
        return parsed(self._bytes(), self.name)

    @cached_property
    def first_value(self) -> Any:
        """The first JSON value of the file: its first line when that is JSON, else the whole document."""
        line = self.head.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")[0]
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            return self.document

    def whole_object(self) -> Any:
        """The document when it is one JSON object spread over several lines; None for a file of lines."""
        line = self.head.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")[0]
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            return self.document if b"\n" in self.head else None
        return None

    def lines(self) -> Iterator[tuple[int, Any]]:
        """Each line as JSON with its number from 1; a line that is none comes as a `Bad`."""
        try:
            with self.path.open("rb") as file:
                for number, line in enumerate(file, start=1):
                    if not line.strip():
                        continue
                    try:
                        yield number, parsed(line, self.name, f"line {number}")
                    except SourceError as error:
                        yield number, Bad(f"line {number}", error.message, line.decode("utf-8", "backslashreplace"))
        except OSError as error:
            raise SourceError(f"{self.name} cannot be read: {error.strerror}.", "Check the disk.") from error

    def _bytes(self) -> bytes:
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise SourceError(f"{self.name} cannot be read: {error.strerror}.", "Check its permissions.") from error


def parsed(data: bytes, name: str, place: str = "") -> Any:
    """JSON from bytes; raises a sentence that names the file and the place in it."""
    where = f"{name}, {place}" if place else name
    try:
        return json.loads(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8"))
    except UnicodeDecodeError as error:
        raise SourceError(f"{where}: byte {error.start} is not UTF-8.", "Save it as UTF-8 and import again.") from None
    except json.JSONDecodeError as error:
        spot = f"column {error.colno}" if place else f"line {error.lineno}, column {error.colno}"
        raise SourceError(f"{where}: not JSON at {spot} ({error.msg}).", "Was the file cut off?") from None
    except RecursionError:
        raise SourceError(f"{where}: nested too deeply to read.", "No log needs that; check the file.") from None
    except ValueError as error:
        raise SourceError(f"{where}: {error}.", "Check the file.") from None


def compact(value: Any) -> str:
    """JSON text of a value that the source gave as an object, so that it can be kept raw."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def kept_whole(text: str) -> str:
    """The text with lone surrogates (which no file can hold) written out as escapes."""
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) if not text.isascii() else text
