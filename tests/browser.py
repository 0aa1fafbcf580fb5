"""A browser without a window, spoken to through its debugging pipe: what a page does there, not what its source says.

Owns starting Chromium where it is installed, and the few commands that tests need. Every request that it makes is
recorded.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
_KEYS = {"Tab": 9, "Enter": 13}


def installed() -> str | None:
    """The browser's program, where there is one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """One page of a browser."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back, self._rest, self._number, self._session = to, back, b"", 0, ""
        self.requests: list[str] = []
        """Addresses of everything that the page asked for."""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self._call(f"{domain}.enable")

    def open(self, path: Path) -> None:
        """Open a file and wait until it has loaded."""
        self._call("Page.navigate", url=path.as_uri())
        self._until("Page.loadEventFired")

    def tell(self, expression: str) -> Any:
        """What a piece of JavaScript comes to; it waits for a promise."""
        found = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key."""
        said = {"key": key, "code": key, "windowsVirtualKeyCode": _KEYS[key], "text": "\r" if key == "Enter" else ""}
        self._call("Input.dispatchKeyEvent", type="keyDown", **said)
        self._call("Input.dispatchKeyEvent", type="keyUp", **said)

    def show_as(self, media: str = "", scheme: str = "") -> None:
        """On paper (`print`), or in a colour scheme."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._call("Emulation.setEmulatedMedia", media=media, features=features)

    def _call(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        about = {"sessionId": self._session} if self._session else {}
        os.write(self._to, json.dumps({**message, **about}).encode() + b"\0")
        answer = self._until(self._number)
        assert "error" not in answer, answer
        return answer["result"]

    def _until(self, what: int | str) -> Any:
        while True:
            message = self._message()
            if message.get("method") == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
            if what in (message.get("id"), message.get("method")):
                return message

    def _message(self) -> Any:
        while b"\0" not in self._rest:
            read = os.read(self._back, 65_536)
            assert read, "the browser went away"
            self._rest += read
        text, _, self._rest = self._rest.partition(b"\0")
        return json.loads(text)


@contextmanager
def browsing(program: str) -> Iterator[Page]:
    """A page of a fresh browser."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        # The browser reads its commands from descriptor 3 and answers on 4.
        command = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
        flags = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-pipe",
            f"--user-data-dir={profile}",
        ]
        process = subprocess.Popen(
            ["bash", "-c", command, program, *flags], pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        try:
            yield Page(ours_out, ours_in)
        finally:
            os.close(ours_out)
            os.close(ours_in)
            process.kill()
            process.wait()
