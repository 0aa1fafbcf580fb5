"""Journals under fire: killed at any moment, and written by many at once; what was said to be there is there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from reviewer.marks import ulid
from reviewer.marks.book import Book
from reviewer.marks.events import Event, encode
from reviewer.marks.folder import SUPPORT
from reviewer.marks.journal import journals
from reviewer.marks.review import Session
from reviewer.transcripts.refs import Ref
from tests import builders
from tests.siege import rounds

ROUNDS, SHARE = rounds(550), 275
"""Rounds with one or two kills each."""
SECONDS = 10
PROCESSES = 8

TAGGER = """
import os, sys, time
from pathlib import Path
from reviewer.marks.folder import SUPPORT
from reviewer.transcripts.refs import Ref
from reviewer.marks.review import Session
from tests import builders

folder, by, seconds = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
stored = builders.stored()
session = Session(folder, by, "runs.db", SUPPORT)
print("ready", flush=True)
end = time.monotonic() + seconds
number = 0
while time.monotonic() < end:
    number += 1
    tag = session.tag(stored, "phantom-action", Ref(stored.ref, 2, span=(0, 10)), note=f"{by} {number}").tag
    os.write(1, f"{tag.id}\\n".encode())
    if number % 3 == 0:
        session.undo()
        os.write(1, f"-{tag.id}\\n".encode())
    session.refresh()
"""


def tagger(folder: Path, by: str, seconds: float) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", TAGGER, str(folder), by, str(seconds)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )


def said(output: bytes) -> tuple[set[str], set[str]]:
    """The tags that a process said were there, and those of them it said it had taken back; a cut line says nothing."""
    lines = [line.decode() for line in output.splitlines(keepends=True) if line.endswith(b"\n")]
    words = {line.strip() for line in lines if line.strip() != "ready"}
    undone = {word.removeprefix("-") for word in words if word.startswith("-")}
    return {word for word in words if not word.startswith("-")}, undone


@pytest.mark.parametrize("first", range(0, ROUNDS, SHARE))
def test_what_was_said_before_a_kill_is_on_disk(first: int, tmp_path: Path) -> None:
    """Marks of reviewers and imports into their store, both killed at any moment: see `tests.lives`."""
    last = min(first + SHARE, ROUNDS)
    command = [sys.executable, "-m", "tests.lives", str(tmp_path / "lives"), str(first), str(last)]
    (tmp_path / "lives").mkdir()
    lived = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
    assert lived.returncode == 0, lived.stderr
    killed, shown, brought = map(int, lived.stdout.split())
    assert killed >= last - first
    assert min(shown, brought) > killed // 10, "hardly anything was done, so hardly anything was tested"


def test_eight_at_once_lose_nothing_and_see_each_other(tmp_path: Path) -> None:
    # Two windows of each of four reviewers, so that journals are shared as well as the folder.
    processes = [tagger(tmp_path, f"reviewer {number % 4}", SECONDS) for number in range(PROCESSES)]
    outputs = [process.communicate(timeout=SECONDS * 12)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * PROCESSES
    told = set().union(*(said(output)[0] for output in outputs))
    assert len(told) == sum(len(said(output)[0]) for output in outputs) > PROCESSES * 10
    book = Book(tmp_path)
    state = book.ledger.state("kimi/used-item-1/1")
    assert told <= {tag.id for tag in state.tags} | state.undone
    assert book.troubles() == []
    for path in journals(tmp_path):
        identifiers = [json.loads(line)["id"] for line in path.read_text("utf-8").splitlines()]
        assert identifiers == sorted(set(identifiers))


def test_a_hundred_megabytes_with_garbage_in_between_are_read_and_written_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder, ref, marked = tmp_path / "annotations", "kimi/used-item-1", 250_000
    folder.mkdir()
    with (folder / "ann.jsonl").open("wb") as file:
        file.write(b"\xef\xbb\xbf")
        for number in range(marked):
            fields = {"code": "phantom-action", "note": "n" * 320}
            where = f"{ref}/{number % 900}#2"
            line = encode(Event(ulid.encode(number + 1), "2026-06-29", "ann", "tag", where, "d", fields))
            file.write(line.replace(b"\n", b"\r\n") if number % 2 else line)
            if number % 10_000 == 0:
                file.write(b"\xff garbage {\n")
        file.write(b'{"id":"')
        assert file.tell() > 100_000_000
    for _ in range(2):  # read through, then from the index
        session = Session(folder, "ann", "runs.db", SUPPORT)
        assert session.counts().tags == marked
        assert len(session.troubles()) == 26
        assert len(session.state(f"{ref}/7").tags) == marked // 900 + 1
    stored = builders.stored(run=3)
    before = len(session.marks(stored))
    session.tag(stored, "phantom-action", Ref(stored.ref, 2))
    assert len(session.marks(stored)) == before + 1
    assert "tag phantom-action" in session.undo().words
    assert "tag phantom-action" in Session(folder, "ann", "runs.db", SUPPORT).undo().words
