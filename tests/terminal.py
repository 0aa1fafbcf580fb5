"""A real pseudo-terminal for tests: what the program writes to it, and what a terminal makes of that."""

from __future__ import annotations

import contextlib
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
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

ROOT = Path(__file__).resolve().parents[1]
_PRIVATE = re.compile(rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p")


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, *arguments: str, size: tuple[int, int] = (100, 30)) -> None:
        columns, rows = size
        self.bytes = bytearray()
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", COLUMNS=str(columns), LINES=str(rows))
            os.execv(sys.executable, [sys.executable, "-m", "reviewer", *arguments])  # noqa: S606 -- the program itself
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.kill()
        os.close(self._fd)

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return "\n".join(self._screen.display)

    def send(self, keys: str) -> None:
        """Type."""
        os.write(self._fd, keys.encode())

    def take(self, seconds: float) -> bool:
        """Take in what arrives within a moment; False when nothing did."""
        if not select.select([self._fd], [], [], seconds)[0]:
            return False
        try:
            chunk = os.read(self._fd, 1 << 16)
        except OSError:
            return False  # the program has ended
        self.bytes += chunk
        self._stream.feed(_PRIVATE.sub(b"", chunk))
        return bool(chunk)

    def wait_for(self, words: str, limit: float = 30) -> None:
        """Wait until words stand on the screen."""
        until = time.monotonic() + limit
        while words not in self.text:
            assert time.monotonic() < until, f"“{words}” never came; the screen:\n{self.text}"
            self.take(0.05)

    def settle(self) -> None:
        """Wait until nothing more is written."""
        while self.take(0.3):
            pass

    def kill(self) -> None:
        """End the program at once, as nobody should."""
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
