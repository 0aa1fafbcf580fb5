"""A file that may hold conversations: its name, its first bytes, its JSON, its lines.

Owns reading bytes and turning them into JSON with a sentence for whatever is wrong with them. A format never opens a
file itself, so that sizes, encodings, depths and surrogates are dealt with once.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any

from pydantic_core import from_json

from reviewer.basics.errors import SourceError
from reviewer.imports import parsed_size
from reviewer.imports.containers import log_bytes
from reviewer.imports.glances import glanced
from reviewer.imports.whereabouts import Whereabouts
from reviewer.transcripts.model import Conversation, Run
from reviewer.transcripts.store.jsontext import compact as compact

HEAD = 65_536
SMALL_FILE = 64 << 20
"""Files up to this size, streams and zips aside, are read at once."""
LONGEST_LINE = 64 << 20
LARGEST_DOCUMENT = 2 << 30
LEADING = 5
"""So many records tell a format, as long as they are not beyond so many bytes of lines."""
LEADING_BYTES = 1 << 20
KEPT = 1_000_000
"""Characters of an unreadable record that are kept."""
_BLANK = b"\xef\xbb\xbf \t\r\n"
_LINES = (".jsonl", ".ndjson")
_STREAMED = (*_LINES, ".eval", ".zip", ".csv", ".tsv", ".tab", ".parquet")
_YAML = (".yaml", ".yml")
_BLANKS = re.compile(r"\s*")
_decode = json.JSONDecoder().raw_decode
_LONE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Extract:
    """One conversation of a file, with its position there and what the file says of its run."""

    position: str
    conversation: Conversation
    alone: bool = False
    """True when the file holds just this one, so that its folder is the run."""
    whole: bool = False
    """True when the file is a run of its own, never a part of one: it shares its number with no other file."""
    synthetic: bool = False
    """True when the source says that no real model wrote it."""
    run: Run | None = None
    """What the source says of the run: prompt, harness, judge; its model and number are not read."""
    desk: str | None = None
    """The text of the desk file that the source brings for its tools."""
    names_run: bool = False
    """True when the data names the run itself, and does not count trials: no path is believed before it."""


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that could not be read, kept as it was with the reason."""

    position: str
    reason: str
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence about the file for the summary."""

    text: str


Item = Extract | BadRecord | Remark


@dataclass(eq=False)
class Source:
    """One file, read at most once into memory."""

    path: Path
    """Of what stands in a zip that of the zip."""
    name: str
    """The path as shown and stored: where it stands below the folder that holds all that was named."""
    alone: bool = False
    """Whether it was named itself, and no folder around it."""
    passed: int = 0
    """Bytes of its lines that are behind the reader."""
    weighed: int = 0
    """Bytes of memory that the records of the last reading take together, as far as it went."""
    held: log_bytes.HeldBytes | None = None
    """Where its bytes stand when not in a file of their own."""
    within: str = ""
    """What it is called there."""
    home: Path | None = None
    """The folder that was named, out of which no link is followed; None where links may lead anywhere."""
    _checked: bool = False
    """Whether what is packed was found to fit together."""

    def may_read(self, path: Path) -> bool:
        """True if a file beside this one may be read with it."""
        return self.home is None or not leads_out(path, self.home)

    @cached_property
    def size(self) -> int:
        """The file's size in bytes; 0 if it no longer exists."""
        return (self.held or log_bytes.PlainFile(self.path)).size

    @cached_property
    def suffix(self) -> str:
        """The suffix of the name, for a compressed file the one before `.gz`."""
        return Path(self.name.lower().removesuffix(".gz")).suffix

    @property
    def is_yaml(self) -> bool:
        """True if the file's name says YAML."""
        return self.suffix in _YAML

    @cached_property
    def where(self) -> Whereabouts:
        """The location of the file: what its path says about run and model, and what identifies it."""
        return Whereabouts(self.path, self.name, self.alone, self.within, self.held)

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """The file on disk, for random access; a member of a zip is unpacked into a temporary one."""
        if self.held is None:
            yield self.path
            return
        with NamedTemporaryFile() as copy:
            with self.held.open() as file:
                shutil.copyfileobj(file, copy, 1 << 20)
            copy.flush()
            yield Path(copy.name)

    @cached_property
    def head(self) -> bytes:
        """The first bytes, enough to recognise a format."""
        if self.size <= SMALL_FILE and self.suffix not in _STREAMED:
            return self._bytes[:HEAD]
        with self.open() as file:
            return file.read(HEAD)

    @cached_property
    def document(self) -> Any:
        """The whole file as one JSON value."""
        if self.size > LARGEST_DOCUMENT:
            raise SourceError(f"{self.name} is one JSON value of more than 2 GiB.", "Write it as JSON Lines.")
        data = self._bytes
        self.__dict__.pop("_bytes")
        if self.is_yaml:
            from reviewer.imports.containers import yaml_values  # a library of its own, for few files

            return yaml_values.parsed(data, self.name)
        return parsed(data, self.name, several=True)

    @cached_property
    def _bytes(self) -> bytes:
        """The whole file; let go of as soon as it is parsed. What is packed is unpacked to nowhere first."""
        with self.open(checking=True) as file:
            return file.read()

    @cached_property
    def is_lines(self) -> bool:
        """True for JSON Lines: the name says so, or the first line is an object with another below it.

        One value over several lines is none, whatever its name says.
        """
        if self.suffix in _LINES:
            return not self._is_spread
        if self.is_yaml or not self.head.lstrip(_BLANK).startswith(b"{"):
            return False
        with self.open() as file:
            lines = _bounded(file)
            first = next((line for _, line in lines if line is not None and line.strip(_BLANK)), b"")
            if not any(line is None or line.strip(_BLANK) for _, line in lines):
                return False
        try:
            return isinstance(parsed(first, self.name), Mapping)
        except SourceError:
            return False

    @property
    def _is_spread(self) -> bool:
        """True if the file is JSON values that span several lines."""
        if self.size > SMALL_FILE or self.head.lstrip(_BLANK)[:1] not in (b"{", b"["):
            return False
        with self.open() as file:
            first = next((line for _, line in _bounded(file) if line is not None and line.strip(_BLANK)), b"")
        try:
            parsed(first, self.name)
        except SourceError:
            return self._is_whole
        return False

    @property
    def _is_whole(self) -> bool:
        try:
            return isinstance(self.document, list | dict)
        except SourceError:
            return False

    @cached_property
    def record(self) -> Mapping[str, Any]:
        """The first record: the document, its first element, or the first line that is an object; else nothing."""
        if self.is_lines:
            values = (value for _, value in self.records())
            return next((value for value in values if isinstance(value, Mapping)), {})
        if not self.is_yaml and self.head.lstrip(_BLANK)[:1] not in (b"{", b"["):
            return {}
        value = self.document
        if isinstance(value, list):
            value = next((each for each in value if isinstance(each, Mapping)), {})
        return value if isinstance(value, Mapping) else {}

    @cached_property
    def glance(self) -> Any:
        """The first record with only the beginnings of its lists, for formats that look deep into it."""
        return glanced(self.record)

    @cached_property
    def leading(self) -> list[Mapping[str, Any] | list[Any]]:
        """The first records that are objects or lists: a format knows its file though a header stands before them."""
        json_like = self.is_lines or self.is_yaml or self.head.lstrip(_BLANK)[:1] in (b"{", b"[")
        if not json_like or not (self.is_lines or self.document):
            return []
        records: list[Mapping[str, Any] | list[Any]] = []
        for number, (_, value) in enumerate(self.records()):
            records += [value] if isinstance(value, Mapping | list) else []
            if records and (len(records) == LEADING or number >= 2 * LEADING or self.passed > LEADING_BYTES):
                break
        self.passed = 0
        return records

    def records(self, kept: bool = False) -> Iterator[tuple[str, Any]]:
        """Every line, element or the one object with its place; if all are `kept`, an error where they are large."""
        if self.is_lines:
            yield from ((f"line {number}", value) for number, value in self.lines(kept))
        elif isinstance(self.document, list):
            yield from ((f"[{index}]", value) for index, value in enumerate(self.document))
        else:
            yield "the document", self.document

    def lines(self, kept: bool = False) -> Iterator[tuple[int, Any]]:
        """Each line as JSON with its number from 1; a line that is none comes as a `BadRecord`; `kept` as above."""
        self.weighed = 0
        with self.open() as file:
            for number, line in _bounded(file):
                self.passed = log_bytes.passed(file)
                if kept:
                    parsed_size.check(self.weighed, f"{self.name}, up to line {number},")
                if line is None:
                    yield number, BadRecord(f"line {number}", f"line {number} is longer than {LONGEST_LINE >> 20} MiB")
                elif line.strip(_BLANK):
                    try:
                        self.weighed += parsed_size.of_json(line)
                        yield number, parsed(line, self.name, f"line {number}")
                    except SourceError as error:
                        raw = line[:KEPT].decode("utf-8", "backslashreplace")
                        yield number, BadRecord(f"line {number}", error.message, raw)

    def release(self) -> None:
        """Free the memory of what was read."""
        for name in ("head", "document", "record", "glance", "leading", "is_lines", "_bytes"):
            self.__dict__.pop(name, None)

    def open(self, checking: bool = False) -> IO[bytes]:
        """Open the file for reading, unpacked, `checking` whether it fits together; raises a sentence if that fails."""
        held = self.__dict__.get("_bytes")
        if held is not None:
            return BytesIO(held)
        at = self.held or log_bytes.PlainFile(self.path)
        try:
            if not self._checked and (checking or self.suffix in _LINES or self.size > SMALL_FILE):
                with log_bytes.opened(at, self.name) as file:
                    log_bytes.check(file)
                self._checked = True
            return log_bytes.opened(at, self.name)
        except OSError as error:
            raise SourceError(f"{self.name} cannot be read: {error.strerror}.", "Check its permissions.") from error


def _bounded(file: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Lines with their numbers; None for one that is too long to hold."""
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            yield number, line
            continue
        while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        yield number, None


def parsed(data: bytes, name: str, place: str = "", several: bool = False) -> Any:
    """Parse JSON, with `several` a list of values; raises a sentence that names the file and the place."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    parsed_size.check(parsed_size.of_json(data), f"{name}, {place}" if place else name or "a value")
    if len(data) <= SMALL_FILE:  # where memory runs out, the quick parser takes the program down
        with suppress(ValueError):
            return from_json(data, cache_strings="keys")
    return _parsed_slowly(data, f"{name}, {place}" if place else name, bool(place), _values if several else json.loads)


def parsed_together(texts: Iterable[str], name: str) -> list[Any]:
    """Parse JSON texts that are held at the same time; raises a sentence if they are too large together."""
    values: list[Any] = []
    size = 0
    for text in texts:
        data = text.encode("utf-8")
        size = parsed_size.check(size + parsed_size.of_json(data), name)
        values.append(parsed(data, name))
    return values


def _parsed_slowly(data: bytes, where: str, in_line: bool, read: Callable[[str], Any]) -> Any:
    """JSON as Python reads it: lone surrogates and deep nesting too, and a sentence for what is none."""
    try:
        value = read(data.decode("utf-8"))
        return whole_value(value) if b"\\ud" in data or b"\\uD" in data else value
    except UnicodeDecodeError as error:
        raise SourceError(f"{where}: byte {error.start} is not UTF-8.", "Save it as UTF-8 and import again.") from None
    except json.JSONDecodeError as error:
        spot = f"column {error.colno}" if in_line else f"line {error.lineno}, column {error.colno}"
        raise SourceError(f"{where}: not JSON at {spot} ({error.msg}).", "Was the file cut off?") from None
    except RecursionError:
        raise SourceError(f"{where}: nested too deeply to read.", "No log needs that; check the file.") from None
    except MemoryError:
        raise SourceError(f"{where}: too large for this machine's memory.", "Write it as JSON Lines.") from None
    except ValueError:
        raise SourceError(f"{where}: a number of thousands of digits.", "No log needs that; check the file.") from None


def _values(text: str) -> Any:
    """The one value of a text, or the list of those that are printed one below the other."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data" or text[error.pos] not in "{[":
            raise
    values: list[Any] = []
    at = len(text) - len(text.lstrip())
    while at < len(text):
        value, end = _decode(text, at)
        values.append(value)
        blanks = _BLANKS.match(text, end)
        at = blanks.end() if blanks else end
    return values


def unfolded(value: Any) -> Any:
    """Parse a string that holds a JSON object or list; other values are returned as they are."""
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    try:
        return parsed(value.encode("utf-8"), "")
    except SourceError:
        return value


def kept_whole(text: str) -> str:
    """The text with lone surrogates (which no file can hold) written out as escapes."""
    return _LONE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) if not text.isascii() else text


def whole_value(value: Any) -> Any:
    """The value with every text in it kept whole."""
    if isinstance(value, str):
        return kept_whole(value)
    if isinstance(value, list):
        return [whole_value(each) for each in value]
    if isinstance(value, dict):
        return {kept_whole(key): whole_value(each) for key, each in value.items()}
    return value


def leads_out(path: Path, home: Path) -> bool:
    """True if a path is a link that leads out of a folder."""
    return is_link(path) and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(home))


def is_link(path: Path) -> bool:
    """True if a path is a symbolic link; False where one may not look."""
    return os.path.islink(path)  # noqa: PTH114 -- Path.is_symlink raises where one may not look
