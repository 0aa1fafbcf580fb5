"""Journals: `annotations/<slug of reviewer>.jsonl`, one event a line, appended under a lock and synced.

Owns the bytes: what is written, how a file is read on from where it was left, and what is wrong with a line. Nothing is
ever rewritten, and a line that cannot be read loses itself alone. What the events mean is the ledger's.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from reviewer.basics.conflicts import REMEDY, is_conflict_mark
from reviewer.basics.disk import sync_folder
from reviewer.basics.errors import JournalError
from reviewer.basics.normal import normal
from reviewer.marks import ulid
from reviewer.marks.events import Event, TornError, decode, encode

_BOM = b"\xef\xbb\xbf"
_EDGES = b"\0 \t\r\n"
"""What stands around an event and says nothing; a disk that lost its power leaves noughts."""
_BEGINNING = b'{"id":"'
"""How we begin an event, and what stands nowhere within one: in a text the quotes are escaped."""
_SLUG_LENGTH = 60
_DEVICES = re.compile(r"con|prn|aux|nul|com\d|lpt\d")
"""What no file may be called where Windows users check the folder out."""
_HINT = "Nothing was marked. Free some room or fix the folder, and do it again."
_ELSEWHERE = "Nothing was marked. With --annotations FOLDER your marks go to a folder that you may write to."
_FORBIDDEN = (errno.EROFS, errno.EACCES, errno.EPERM)
Making = Callable[[str], Event]
"""Makes an event from its new identifier."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A line that could not be taken as it stands, and why."""

    path: Path
    line: int
    kind: str
    """`torn`: no whole JSON; `damaged`: no event; `repeated`: the same event again; `clash`: another of that id;
    `alike`: a file whose name differs from another's only in case; `link`: a file that is a link, and was not read."""
    reason: str

    def __str__(self) -> str:
        return f"{self.path.name}{f', line {self.line}' if self.line else ''}: {self.reason}."


@dataclass
class Tail:
    """The point up to which one journal has been read, and what was wrong so far."""

    path: Path
    inode: int = -1
    offset: int = 0
    lines: int = 0
    last: str = ""
    """The greatest identifier in the file."""
    complete: bool = True
    """False when the file does not end with a line end."""
    troubles: list[Trouble] = field(default_factory=list)
    torn: Trouble | None = None


def slug(name: str) -> str:
    """A reviewer's name as a file name: safe whatever the name holds."""
    plain = normal(name).lower()
    stem = re.sub(r"[^\w]+", "-", plain).strip("-_")[:_SLUG_LENGTH] or "reviewer"
    return f"reviewer-{stem}" if _DEVICES.fullmatch(stem) else stem


def journals(folder: Path) -> list[Path]:
    """All journals of a folder; a link is none, because it could lead anywhere."""
    try:
        return sorted(path for path in folder.glob("*.jsonl") if path.is_file() and not path.is_symlink())
    except OSError as error:
        raise JournalError(f"{folder} cannot be read: {error.strerror}.", "Check its permissions.") from error


def journal_of(folder: Path, by: str) -> Path:
    """The journal of a reviewer: the first of `slug`, `slug-2` ... that is theirs or nobody's yet."""
    number = 1
    while True:
        path = folder / (f"{slug(by)}.jsonl" if number == 1 else f"{slug(by)}-{number}.jsonl")
        if _owner(path) in (None, by):
            return path
        number += 1


def _owner(path: Path) -> str | None:
    """Return who wrote the first readable event; None when there is none."""
    tail = Tail(path)
    return next((event.by for event in read(tail)), None)


def read(tail: Tail) -> Iterator[Event]:
    """The events behind the tail, one at a time; afterwards the tail says how far it got and what was wrong."""
    try:
        with tail.path.open("rb") as file:
            tail.inode = os.fstat(file.fileno()).st_ino
            file.seek(tail.offset)
            tail.torn = None
            for line in file:
                yield from _taken(tail, line)
    except (FileNotFoundError, UnicodeEncodeError):  # a name that this locale does not have is no file's
        return
    except OSError as error:
        raise JournalError(f"{tail.path} cannot be read: {error.strerror}.", "Check its permissions.") from error


def _taken(tail: Tail, line: bytes) -> list[Event]:
    ended = line.endswith(b"\n")
    if not tail.complete and line == b"\n":  # the end that the last line had lacked
        tail.offset += 1
        tail.complete = True
        return []
    events, wrong = _told(line.removeprefix(_BOM).strip(_EDGES))
    if wrong is not None:
        if not ended:  # somebody may be writing it at this moment, so it is read again next time
            tail.torn = Trouble(tail.path, tail.lines + 1, "torn", "the end of the line is missing")
            tail.complete = False
            return []
        kind = "torn" if isinstance(wrong, TornError) else "damaged"
        kept = f"; {len(events)} whole in it count{'s' * (len(events) == 1)}" if events else ""
        tail.troubles.append(Trouble(tail.path, tail.lines + 1, kind, f"{wrong.message}{kept}"))
    tail.offset += len(line)
    tail.lines += 1
    tail.complete = ended
    for event in events:
        if event.id > tail.last and ulid.looks_right(event.id):
            tail.last = event.id
    return events


def _told(text: bytes) -> tuple[list[Event], JournalError | None]:
    """The events of a line, and what is wrong with it: behind half a line, or others' words, may stand whole ones."""
    if is_conflict_mark(text.decode("latin-1")):
        return [], TornError(f"git could not merge two versions of this file; every other line counts. {REMEDY[:-1]}")
    try:
        return [decode(text)] if text else [], None
    except JournalError as error:
        events = []
        for part in text.split(_BEGINNING)[1:]:
            with suppress(JournalError):
                events.append(decode(_BEGINNING + part[: part.rfind(b"}") + 1]))
        return events, error


def changed(tail: Tail) -> str:
    """What became of a journal since it was read: `same`, `longer` (read on) or `other` (replaced, cut: read anew)."""
    try:
        status = tail.path.stat()
    except OSError:
        return "same" if tail.inode == -1 else "other"
    if tail.inode not in (-1, status.st_ino) or status.st_size < tail.offset:
        return "other"
    return "longer" if status.st_size > tail.offset else "same"


def behind(tail: Tail) -> int:
    """Return how many bytes have not been read yet."""
    try:
        return tail.path.stat().st_size - tail.offset
    except OSError:
        return 0


def append(tail: Tail, making: list[Making]) -> tuple[list[Event], list[Event]]:
    """Write events, synced, at the end of a journal: (those others wrote there meanwhile, those written now).

    Identifiers are beyond every one in the file, because the file is read to its end under the lock first.
    """
    new_folder = not tail.path.parent.is_dir()
    try:
        if new_folder:
            tail.path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(tail.path) as descriptor:
            if changed(tail) == "other":
                raise JournalError(f"{tail.path} was replaced by another file.", "Do it again: it has been read anew.")
            meanwhile = list(read(tail))
            written = _made(tail, making)
            _write(descriptor, tail, b"".join(map(encode, written)))
    except UnicodeEncodeError as error:
        told = f"This locale ({error.encoding}) has no file name “{tail.path.name}”."
        raise JournalError(
            told, "Nothing was marked. Set PYTHONUTF8=1, or name yourself otherwise with --as."
        ) from error
    except OSError as error:
        # A link could lead anywhere, and a folder that came from somebody else may hold one.
        reason = "it is a link, and a journal is a plain file" if error.errno == errno.ELOOP else error.strerror
        hint = _ELSEWHERE if error.errno in _FORBIDDEN else _HINT
        raise JournalError(f"{tail.path} cannot be written: {reason}.", hint) from error
    return meanwhile, written


def _made(tail: Tail, making: list[Making]) -> list[Event]:
    events: list[Event] = []
    last = tail.last
    for make in making:
        last = ulid.after(last, time.time_ns() // 1_000_000, secrets.randbits(80))
        events.append(make(last))
    tail.last = last
    return events


def _write(descriptor: int, tail: Tail, lines: bytes) -> None:
    """Write all of the bytes to disk, or none of them."""
    size = os.fstat(descriptor).st_size
    data = (b"" if tail.complete else b"\n") + lines
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
        if size == 0:
            sync_folder(tail.path.parent)
    except OSError:
        os.ftruncate(descriptor, size)
        raise
    if tail.torn is not None:
        tail.troubles.append(tail.torn)
        tail.torn = None
    tail.lines += lines.count(b"\n") + (size > tail.offset)
    tail.offset = size + len(data)
    tail.complete = True
    tail.inode = os.fstat(descriptor).st_ino


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """The file, made when it is not there, open for appending and held by us alone."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            # Somebody (git, an editor) may have put another file under the name while we waited.
            if path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
                yield descriptor
                return
        finally:
            os.close(descriptor)
