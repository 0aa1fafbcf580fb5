"""Stores that take long to build and that no test changes: built once in a run of the tests, for all its processes."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from reviewer.benchmark.northline.build import build
from reviewer.benchmark.northline.sample_conversations import chosen

PACKAGE = Path(__file__).resolve().parents[1] / "reviewer"


def shared(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder with what is made there, once for the code as it is; whoever comes second waits for the first."""
    own = factory.getbasetemp()
    root = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    folder = root / f"{name}-{_of_the_code()}"
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            part = root / f"{name}.part"
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            make(part)
            part.rename(folder)
    return folder


def build_board(folder: Path) -> None:
    """The conversations of all 24 models."""
    build(folder / "board.db", chosen(board=True))


def build_sample(folder: Path) -> None:
    """The sample, and what was planted in it."""
    build(folder / "sample.db", chosen(), truth=folder / "truth.jsonl")


def _of_the_code() -> str:
    """What changes with the code that builds; a run that changes it on purpose, as mutants do, shares nothing."""
    known = sha256(os.environ.get("MUTANT_UNDER_TEST", "").encode())
    for room in ("benchmark/northline", "transcripts"):
        for path in sorted((PACKAGE / room).rglob("*.py")):
            known.update(path.read_bytes())
    return known.hexdigest()[:16]
