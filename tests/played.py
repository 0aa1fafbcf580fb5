"""The sample's conversations, played once for all tests of a process that ask for them, and what is said of edited
files.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from reviewer.benchmark.northline.sample_conversations import SampleConversation, chosen, sampled

ROOT = Path(__file__).parents[1]


@cache
def whole_sample() -> tuple[SampleConversation, ...]:
    """Every conversation of the sample store."""
    return tuple(sampled(chosen()))


@cache
def whole_board() -> tuple[SampleConversation, ...]:
    """Every conversation of all 24 models."""
    return tuple(sampled(chosen(board=True)))


def copy_program(folder: Path) -> None:
    """Copy the program with its data."""
    for part in ("reviewer", "data"):
        shutil.copytree(ROOT / part, folder / part)


def with_edited(folder: Path, name: str, old: str, new: str) -> str:
    """What `reviewer sample` of a copy of the program says while a file under its data/northline is edited so."""
    path = folder / "data" / "northline" / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    try:
        return _refused(folder)
    finally:
        path.write_text(text, "utf-8")


def _refused(folder: Path) -> str:
    command = [sys.executable, "-m", "reviewer", "sample", "-o", "out.db", "--models", "grok-4.3"]
    environment = {"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin", "HOME": str(folder), "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "out.db").exists()
    return " ".join(done.stderr.split())
