"""At rest nothing is written to the terminal, whatever screen is open: somebody may read over a slow line all day."""

from __future__ import annotations

from pathlib import Path

from tests import builders
from tests.terminal import PROGRAM, Terminal

OPENING = ("?", "i", "t", "T", "C", "\x10", "c", "S", "=", "B", "M", "f", ":", "/", "v")
"""Keys that open something over the reading room, or a field in it; escape closes each."""
_SOON = 2.0
"""Seconds in which a screen has come to rest; one that never does is waited for no longer."""


def opened(folder: Path, size: tuple[int, int] = (160, 45)) -> Terminal:
    """The program at rest on a conversation with a tag, of a store with runs, cases and models."""
    runs = [builders.conversation(model=model, run=run) for model in ("kimi", "gpt") for run in (1, 2)]
    store = builders.store(folder, *runs)
    terminal = Terminal(*PROGRAM, "open", store, "--as", "maria", size=size, env={"HOME": str(folder)})
    return terminal.until("reviewed").settle().do("j", "1")


def changed(terminal: Terminal, key: str) -> None:
    """Type a key that changes the screen, and wait until it has."""
    before = terminal.text
    terminal.press(key).until(lambda: terminal.text != before).settle(_SOON)


def written_at_rest(terminal: Terminal, seconds: float) -> dict[str, int]:
    """Bytes written in so many seconds on each screen; only those screens on which there were any."""
    restless: dict[str, int] = {"": len(terminal.rest(seconds))}
    for key in OPENING:
        changed(terminal, key)
        restless[key] = len(terminal.rest(seconds))
        changed(terminal, "escape")
    return {key: count for key, count in restless.items() if count}


def test_a_screen_at_rest_writes_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as terminal:
        assert not written_at_rest(terminal, 0.3)


def test_what_stands_beneath_a_dialog_follows_another_size(tmp_path: Path) -> None:
    with opened(tmp_path, (100, 30)) as terminal:
        terminal.do("?").resize(140, 40).settle()
        assert "maria" in terminal.lines[0][100:]
        assert not terminal.rest(0.3)
        terminal.do("escape")
        assert "maria" in terminal.lines[0][100:]
