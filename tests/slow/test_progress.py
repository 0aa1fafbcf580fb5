"""What an import says while it works: one line that keeps within a terminal, plain lines otherwise."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.terminal import PROGRAM, Terminal

COLUMNS = 50


def logs(folder: Path) -> Path:
    """So many conversations that reading them takes longer than a person waits without a word."""
    path = folder / "a-name-that-is-longer-than-a-narrow-terminal-订单.jsonl"
    messages = [{"role": role, "content": "words " * 80} for role in ("user", "assistant")]
    path.write_text("".join(json.dumps({"id": f"c{n}", "messages": messages}) + "\n" for n in range(60_000)))
    return path


def test_a_terminal_shows_rate_and_time_left_on_one_line_and_takes_it_away(tmp_path: Path) -> None:
    with Terminal(*PROGRAM, "import", logs(tmp_path), "--into", tmp_path / "runs.db", size=(COLUMNS, 12)) as terminal:
        terminal.until(re.compile(r"\d/s · about \d+ s left"))
        terminal.until(lambda: len(terminal.raw) > 2 * COLUMNS)
        assert [bool(line) for line in terminal.lines] == [True] + [False] * 11
        assert terminal.wait() == 0
        assert "left" not in terminal.text
        assert "60,000 conversations added" in terminal.text.replace("\n", "")


def test_a_wide_terminal_shows_a_bar_besides(tmp_path: Path) -> None:
    with Terminal(*PROGRAM, "import", logs(tmp_path), "--into", tmp_path / "runs.db", size=(140, 12)) as terminal:
        terminal.until(re.compile(r"━+ .*\d/s · about \d+ s left"))
        assert [bool(line) for line in terminal.lines] == [True] + [False] * 11
        assert terminal.wait() == 0
        assert "━" not in terminal.text


def test_a_pipe_gets_plain_lines(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "reviewer", "import", str(logs(tmp_path)), "--into", str(tmp_path / "runs.db")]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert re.match(r"[\d,]+ conversations · [\d,]+/s · about [\w, ]+ left · file 1 of 1 · ….+\n", said.stderr)
    assert "\r" not in said.stderr + said.stdout
