"""The mouse as a terminal reports it: bytes in, a tag on the very words out."""

from __future__ import annotations

import json
from pathlib import Path

from rich.cells import cell_len

from tests import builders
from tests.terminal import PROGRAM, Terminal

PRESSED, DRAGGED = 0, 32


def report(terminal: Terminal, button: int, column: int, row: int, end: str = "M") -> None:
    """What a terminal sends for the mouse at a cell, in the form that says columns beyond 223."""
    terminal.press(f"\x1b[<{button};{column + 1};{row + 1}{end}")


def cell(terminal: Terminal, words: str) -> tuple[int, int]:
    """Where words stand on the screen."""
    row, line = next((row, line) for row, line in enumerate(terminal.lines) if words in line)
    return cell_len(line[: line.index(words)]), row


def test_a_drag_reported_by_a_terminal_is_tagged_on_its_words(tmp_path: Path) -> None:
    store = builders.store(tmp_path)
    size, env = (140, 40), {"HOME": str(tmp_path)}
    with Terminal(*PROGRAM, "open", store, "--as", "maria", size=size, env=env) as terminal:
        terminal.until("reviewed").settle()
        column, row = cell(terminal, "delivered")
        report(terminal, PRESSED, column, row)
        report(terminal, DRAGGED, column + 4, row)
        report(terminal, DRAGGED, column + len("delivered") - 1, row)
        report(terminal, PRESSED, column + len("delivered") - 1, row, "m")
        terminal.settle().do("1").until("⟦")
        terminal.press("q").wait()
    journal = tmp_path / "annotations" / "maria.jsonl"
    tag = json.loads(journal.read_text("utf-8").splitlines()[-1])
    assert tag["pieces"][0]["quote"] == "delivered"


def test_the_mouse_is_off_in_gnu_screen_which_holds_escape_back_for_it(tmp_path: Path) -> None:
    store = builders.store(tmp_path)
    for name, mouse in (("TMUX", True), ("STY", False)):
        env = {"HOME": str(tmp_path), name: "1.x"}
        with Terminal(*PROGRAM, "open", store, "--as", "maria", size=(80, 24), env=env) as terminal:
            terminal.until("reviewed").settle().press("q").wait()
            assert (b"\x1b[?1000h" in bytes(terminal.raw)) == mouse
