"""At rest nothing is written to the terminal, whatever screen is open: somebody may read over a slow line all day."""

from __future__ import annotations

from pathlib import Path

from tests import builders
from tests.terminal import PROGRAM, Terminal

OPENING = ("?", "i", "t", "T", "C", "\x10", "c", "S", "=", "B", "M", "f", ":", "/", "v")
"""Keys that open something over the reading room, or a field in it; escape closes each."""
SETTLED = 0.3
"""Seconds without a stir after which nothing is to come: longer than anything waits that a key brings about."""


def several(folder: Path) -> Path:
    """A store with runs, cases and models."""
    runs = [builders.conversation(model=model, run=run) for model in ("kimi", "gpt") for run in (1, 2)]
    return builders.store(folder, *runs)


def opened(store: Path, size: tuple[int, int] = (160, 45), by: str = "maria") -> Terminal:
    """The program at rest on a conversation with a tag."""
    terminal = Terminal(*PROGRAM, "open", store, "--as", by, size=size, env={"HOME": str(store.parent)})
    return terminal.until("reviewed").settle().do("j", "1")


def changed(terminal: Terminal, key: str, quiet: float = SETTLED) -> None:
    """Type a key that changes the screen, and wait until it has and is at rest for so many seconds."""
    before = terminal.text
    terminal.press(key).until(lambda: terminal.text != before).settle(quiet)


def written_at_rest(terminal: Terminal, seconds: float) -> dict[str, int]:
    """Bytes written in so many seconds on each screen; only those screens on which there were any."""
    restless: dict[str, int] = {"": len(terminal.settle(SETTLED).rest(seconds))}
    for key in OPENING:
        changed(terminal, key)
        restless[key] = len(terminal.rest(seconds))
        changed(terminal, "escape")
    return {key: count for key, count in restless.items() if count}


def test_a_screen_at_rest_writes_nothing(tmp_path: Path) -> None:
    with opened(several(tmp_path)) as terminal:
        assert not written_at_rest(terminal, 0.3)


def test_what_stands_beneath_a_dialog_follows_another_size(tmp_path: Path) -> None:
    with opened(several(tmp_path), (100, 30)) as terminal:
        terminal.do("?").resize(140, 40).settle()
        assert "maria" in terminal.lines[0][100:]
        assert not terminal.rest(0.3)
        terminal.do("escape")
        assert "maria" in terminal.lines[0][100:]
