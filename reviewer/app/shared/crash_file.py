"""The crash file: where the app ended on an error, written without anything of what was read.

It holds types, places in the code, versions, sizes and names of actions. The words of an error may quote a transcript,
so only its type, its number and its name in SQLite are kept.
"""

from __future__ import annotations

import errno
import sys
import time
import traceback
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from rich.traceback import Stack

_LAST = 60
"""Actions that are kept."""
_FIRST_FRAMES, _LAST_FRAMES = 20, 60
_OTHER = "a file outside of the program"
_CODE = ("<string>", "<template>", "<frozen ")


class CallPlace(NamedTuple):
    """One line of a traceback."""

    file: str
    line: int
    function: str


class CrashCause(NamedTuple):
    """An error without its words: its type, and the calls that led to it."""

    kind: str
    frames: list[CallPlace]

    @classmethod
    def from_stack(cls, stack: Stack) -> Self:
        """The same of an error that Rich has taken apart already."""
        return cls(stack.exc_type, [CallPlace(each.filename, each.lineno, each.name) for each in stack.frames])


class LastActions:
    """What was done last, by the names of the actions."""

    def __init__(self) -> None:
        self._done: deque[tuple[float, str]] = deque(maxlen=_LAST)

    def add(self, name: str) -> None:
        """Keep the name of an action, without what it was given."""
        self._done.append((time.monotonic(), name))

    def lines(self) -> Iterator[str]:
        """The actions in order, each with the seconds from it to now."""
        now = time.monotonic()
        return (f"{now - at:.3f} s before: {name}" for at, name in self._done)


def causes_of(error: BaseException) -> list[CrashCause]:
    """The error, and those that it followed from, the first of them first."""
    chain: list[CrashCause] = []
    following: BaseException | None = error
    seen: set[int] = set()
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        calls = traceback.walk_tb(following.__traceback__)
        frames = [CallPlace(frame.f_code.co_filename, line, frame.f_code.co_qualname) for frame, line in calls]
        chain.append(CrashCause(_kind(following), frames))
        following = following.__cause__ or following.__context__
    return chain[::-1]


def crash_text(ended_on: Iterable[CrashCause], parts: dict[str, Iterable[str]]) -> str:
    """The text of a crash file: the errors, then the parts, each a title and its lines."""
    lines = ["reviewer ended on an error. This file names no conversation and holds no text of any."]
    for failure in ended_on:
        lines += ["", failure.kind, *(f"  {line}" for line in _calls(failure.frames))]
    for title, content in {"Versions": _versions(), **parts}.items():
        lines += ["", title, *(f"  {line}" for line in content)]
    return "\n".join(lines) + "\n"


def write_crash_file(text: str, folder: Path) -> Path | None:
    """Write a new file into the folder, or the system's folder for such files; None where neither takes it."""
    from tempfile import gettempdir

    name = f"reviewer-crash-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.txt"
    for each in (folder, Path(gettempdir())):
        try:
            with (each / name).open("x", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except OSError:
            continue
        return each / name
    return None


def _kind(error: BaseException) -> str:
    """The type of an error, and what the system or SQLite calls it."""
    kind = type(error)
    number = error.errno if isinstance(error, OSError) else None
    names = (errno.errorcode.get(number or 0), getattr(error, "sqlite_errorname", None))
    return " ".join([f"{kind.__module__}.{kind.__qualname__}", *(str(name) for name in names if name)])


def _calls(frames: list[CallPlace]) -> Iterator[str]:
    left_out = len(frames) - _FIRST_FRAMES - _LAST_FRAMES
    for number, frame in enumerate(frames):
        if left_out <= 0 or not _FIRST_FRAMES <= number < _FIRST_FRAMES + left_out:
            yield f"{_place(frame.file)}:{frame.line} in {frame.function}"
        elif number == _FIRST_FRAMES:
            yield f"... {left_out} more calls ..."


def _place(file: str) -> str:
    """The file below the folder that Python loads it from; a folder of the reader's is not named."""
    for folder in sorted(filter(None, sys.path), key=len, reverse=True):
        if Path(file).is_relative_to(folder):
            return str(Path(file).relative_to(folder))
    return file if file.startswith(_CODE) else _OTHER


def _versions() -> Iterator[str]:
    import platform
    from importlib.metadata import version

    from reviewer import __version__
    from reviewer.transcripts.store.connection import SQLITE, VERSION

    yield f"reviewer {__version__}, its stores {VERSION}"
    yield f"Python {platform.python_version()}, SQLite {SQLITE}"
    yield from (f"{library} {version(library)}" for library in ("textual", "rich"))
    yield f"{platform.system()} {platform.release()} {platform.machine()}"
