"""A real terminal for tests: the real program in a pty, painted by pyte, every byte of it kept.

Nothing here sleeps: waiting is reading on until something is there or a deadline passes. A screen has come to rest when
the program has taken what was typed, says nothing more and wants nothing of the processor: on a busy machine a program
is silent for long while it waits for its turn, and that is no rest.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

PROGRAM = (sys.executable, "-P", "-m", "reviewer")
LIMIT = 300.0
"""Seconds until what is waited for has failed; far beyond what a busy machine needs."""
QUIET = 0.12
"""A program that has said and done nothing for so long has said it all; an escape alone is one after 0.1 s."""
_PAUSE = 0.04
"""Seconds for which no thread of it may want the processor; one of them looks for keys ten times a second."""
_GLANCE = 0.02
"""Seconds between two looks at whether a program is at work."""
_WHICH_TERMINAL = 0x80045430
"""What Linux is asked for the number of a terminal's other end."""
KEYS = {
    "enter": "\r", "tab": "\t", "escape": "\x1b", "space": " ", "down": "\x1b[B", "up": "\x1b[A", "ctrl+c": "\x03",
    "ctrl+j": "\n", "ctrl+r": "\x12", "ctrl+d": "\x04", "ctrl+u": "\x15", "backspace": "\x7f", "shift+tab": "\x1b[Z",
}  # fmt: skip
ASKED, FRAME, SHOWN = b"\x1b[?2026$p", b"\x1b[?2026h", b"\x1b[?2026l"
_BEGUN = re.compile(rb"\x1b(?:\[[<>=?]?[0-9;]*\$?)?\Z")
"""A sequence whose end is still to come."""
# What pyte would print as text: requests and settings that it does not know.
_UNKNOWN = re.compile(rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p")


def frames(said: bytes) -> tuple[list[bytes], bytes]:
    """Cut what a program has said behind every frame, and the rest that is not whole: a frame, or a sequence, begun."""
    begun = _BEGUN.search(said, max(said.rfind(b"\x1b"), 0))  # only the last can lack its end
    whole = begun.start() if begun else len(said)
    frame = said.rfind(FRAME, 0, whole)
    if frame > said.rfind(SHOWN, 0, whole):
        whole = frame
    return [part for part in re.split(b"(?<=\x1b\\[\\?2026l)", said[:whole]) if part], said[whole:]


class Terminal:
    """A program at work in a terminal."""

    def __init__(
        self,
        *command: str | Path,
        size: tuple[int, int] = (80, 24),
        env: Mapping[str, str | None] | None = None,
        cwd: Path | None = None,
        setup: Callable[[], None] | None = None,
    ) -> None:
        self.size = size
        self.raw = bytearray()
        self.ended = False
        self.started = self.arrived = time.perf_counter()
        """When the program was started, and when it last said something."""
        self.sent = self.started
        """When something was last typed."""
        self.status: int | None = None
        self.painted: list[Callable[[Terminal], None]] = []
        """Called after every frame, with the screen as it stands then."""
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._held = b""
        wanted: dict[str, str | None] = {"TERM": "xterm-256color", "COLORTERM": "truecolor", **(env or {})}
        environment = {**os.environ, **{key: value for key, value in wanted.items() if value is not None}}
        for key in [*(key for key, value in wanted.items() if value is None), "COLUMNS", "LINES"]:
            environment.pop(key, None)
        words = [str(each) for each in command]
        self.pid, self._fd = pty.fork()
        if self.pid == 0:  # pragma: no branch
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
                if cwd is not None:
                    os.chdir(cwd)
                if setup is not None:
                    setup()
                os.execve(words[0], words, environment)  # noqa: S606 -- what a terminal does
            finally:
                os._exit(127)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            self.wait()
        self.hang_up()

    # -- what is on the screen ---------------------------------------------------------------------------------------

    @property
    def lines(self) -> list[str]:
        """The lines of the screen."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """The whole screen."""
        return "\n".join(self.lines)

    @property
    def foot(self) -> str:
        """The last line."""
        return self.lines[-1].strip()

    # -- waiting -----------------------------------------------------------------------------------------------------

    def pump(self, timeout: float) -> bool:
        """Take what arrives within so many seconds; False when nothing did."""
        if self.ended or not select.select([self._fd], [], [], timeout)[0]:
            return False
        try:
            chunk = os.read(self._fd, 1 << 16)
        except OSError:
            chunk = b""
        if not chunk:
            self.ended = True
            return False
        self.arrived = time.perf_counter()
        self.raw += chunk
        if (
            ASKED in self.raw[-len(chunk) - len(ASKED) + 1 :]
        ):  # as modern terminals do, we say that we show whole frames only
            os.write(self._fd, b"\x1b[?2026;2$y")
        self._paint(chunk)
        return True

    def _paint(self, chunk: bytes) -> None:
        """Show what is whole; a frame that has begun is held back until its end."""
        parts, self._held = frames(self._held + chunk)
        for part in parts:
            self._stream.feed(_UNKNOWN.sub(b"", part))
            for each in self.painted:
                each(self)

    def until(self, wanted: str | re.Pattern[str] | Callable[[], bool], limit: float = LIMIT) -> Self:
        """Read on until a text is on the screen, or something else holds."""
        deadline = time.monotonic() + limit
        while not self._holds(wanted):
            if self.ended or time.monotonic() > deadline:
                raise AssertionError(f"{wanted!r} never came; the screen:\n{self.text}")
            self.pump(0.05)
        return self

    def settle(self, quiet: float = QUIET, limit: float = LIMIT) -> Self:
        """Read on until the program has come to rest, for so many seconds."""
        began = stirred = wanted = time.monotonic()
        while not self.ended:
            said = self.pump(_GLANCE)
            main, any_thread = _at_work(self._in_front())
            now = time.monotonic()
            stirred = now if said or main or self._unread() else stirred
            wanted = now if any_thread else wanted
            if now - stirred > quiet and now - wanted > _PAUSE:
                break
            if now - began > limit:
                raise AssertionError(f"the program never came to rest; the screen:\n{self.text}")
        return self

    def _in_front(self) -> int:
        """The program that has the keyboard: the one that was started, or what a shell runs."""
        try:
            return os.tcgetpgrp(self._fd)
        except OSError:
            return self.pid

    def _unread(self) -> bool:
        """Whether something that was typed still waits for the program to take it."""
        try:
            (number,) = struct.unpack("I", fcntl.ioctl(self._fd, _WHICH_TERMINAL, bytes(4)))
            other = os.open(f"/dev/pts/{number}", os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            return False
        try:
            return fcntl.ioctl(other, termios.FIONREAD, bytes(4)) != bytes(4)
        finally:
            os.close(other)

    def rest(self, seconds: float) -> bytes:
        """Look on for so long, touching nothing; return what was written meanwhile."""
        before, until = len(self.raw), time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self.ended:
            self.pump(left)
        return bytes(self.drain().raw[before:])

    def drain(self) -> Self:
        """Take what has been written already, and wait for nothing."""
        while self.pump(0):
            pass
        return self

    def wait(self, limit: float = LIMIT) -> int:
        """Read on until the program has ended; its exit status, below zero for a signal."""
        deadline = time.monotonic() + limit
        while self.status is None:
            self.pump(0.01)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > deadline:
                raise AssertionError(f"the program did not end; the screen:\n{self.text}")
        while not self.ended and time.monotonic() < deadline:  # what it had written may still be on its way
            self.pump(0.05)
        return self.status

    def _holds(self, wanted: str | re.Pattern[str] | Callable[[], bool]) -> bool:
        if isinstance(wanted, str):
            return wanted in self.text
        return bool(wanted.search(self.text)) if isinstance(wanted, re.Pattern) else wanted()

    # -- what a person does ------------------------------------------------------------------------------------------

    def press(self, *keys: str) -> Self:
        """Type keys, by name or as they are, without waiting."""
        self.sent = time.perf_counter()
        for key in keys:
            os.write(self._fd, KEYS.get(key, key).encode())
        return self

    def do(self, *keys: str) -> Self:
        """Type keys one by one, each after the screen has come to rest."""
        for key in keys:
            self.press(key).settle()
        return self

    def resize(self, columns: int, rows: int) -> Self:
        """Another size, as when a window is dragged."""
        self.size = (columns, rows)
        self._screen.resize(rows, columns)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        return self

    def kill(self, number: int = signal.SIGKILL) -> Self:
        """Send the program a signal."""
        os.kill(self.pid, number)
        return self

    def hang_up(self) -> None:
        """Close the terminal's window."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd, self.ended = -1, True


def _at_work(pid: int) -> tuple[bool, bool]:
    """Whether a program's main thread has or awaits the processor (or the disk), and whether any has; no if unknown."""
    busy = set()
    for thread in Path(f"/proc/{pid}/task").glob("*"):
        with suppress(OSError, IndexError):  # it may end meanwhile
            if (thread / "stat").read_text("latin-1").rpartition(")")[2].split()[0] in "RD":
                busy.add(int(thread.name))
    return pid in busy, bool(busy)


@dataclass(frozen=True, slots=True)
class Sequence:
    """One control sequence of a stream of bytes."""

    kind: str
    """`csi`, `osc`, `dcs` (and its like), `esc`, `control`."""
    body: str

    @property
    def shape(self) -> str:
        """What it does, without its numbers; modes keep theirs."""
        if self.kind == "csi" and self.body[-1] not in "hl":
            return f"csi {re.sub(r'[0-9;:]+', '', self.body)}"
        return f"{self.kind} {self.body.split(';')[0] if self.kind == 'osc' else self.body}"


_SEQUENCE = re.compile(
    "\x1b\\[(?P<csi>[0-?]*[ -/]*[@-~])"
    "|\x1b\\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\\\)"
    "|\x1b(?P<dcs>[PX^_][^\x1b]*)\x1b\\\\"
    "|\x1b(?P<esc>[ -/]*[0-~])"
    "|(?P<control>[\x00-\x1f\x7f-\x9f])"
)


def sequences(raw: bytes) -> Iterator[Sequence]:
    """Every control sequence and control character that a terminal was given."""
    for match in _SEQUENCE.finditer(raw.decode("utf-8", "surrogateescape")):
        kind = match.lastgroup or ""
        yield Sequence(kind, match[kind])


def printed(raw: bytes) -> str:
    """All that was given to be printed, without the sequences between."""
    return _SEQUENCE.sub("", raw.decode("utf-8", "surrogateescape"))
