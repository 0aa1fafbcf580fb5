"""Imports that are stopped half-way, killed or interrupted: whole conversations only, and the same in the end."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from reviewer.imports.importer import Wishes, import_files
from reviewer.transcripts.store.reader import Reader
from tests.transcripts import TRANSCRIPTS, needs_transcripts
from tests.unit.test_bad_input import whole

CASES = 400
LIMIT = 300
"""Seconds until what is waited for has failed; far beyond what a busy machine needs."""


def logs(folder: Path) -> Path:
    """Three files of the same cases, of which the later two are runs of their own, with more than one batch each."""
    for name in ("a", "b", "c"):
        lines = []
        for number in range(CASES):
            messages = [
                {"role": "customer", "text": f"{name} {number} " + "words " * 400},
                {"role": "agent", "text": ""},
            ]
            lines.append(json.dumps({"reviewer": 1, "model": "m", "case": f"c{number}", "messages": messages}))
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def started(folder: Path, store: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "reviewer", "import", str(folder), "--into", str(store)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def held(store: Path) -> int:
    """How many conversations can be seen in the store by now."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=0)) as db:
            return int(db.execute("SELECT count(*) FROM conversations").fetchone()[0])
    except sqlite3.Error:
        return 0


def struck(process: subprocess.Popen[str], store: Path, wanted: int, number: int) -> bool:
    """Send a signal once the store holds so many conversations; False if the import ended before that.

    It stands still while it is looked at and until the signal is there, or a busy machine would let it end in between.
    """
    while process.poll() is None:
        process.send_signal(signal.SIGSTOP)
        there = held(store)
        is_there = process.poll() is None and there >= wanted
        if is_there:
            process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        if is_there:
            return True
        time.sleep(0.02)
    return False


def content(store: Path) -> set[tuple[str, str]]:
    with Reader(store) as reader:
        return {(each.ref, each.digest) for each in map(reader.stored, reader.ids())}


def test_an_import_killed_ten_times_ends_as_one_that_was_not(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    folder = logs(tmp_path / "logs")
    import_files([folder], tmp_path / "calm.db", Wishes())
    store = tmp_path / "runs.db"
    killed = 0
    for attempt in range(10):
        process = started(folder, store)
        struck(process, store, 1 + attempt * 3 * CASES // 10, signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        process.communicate()
        whole(store)
    assert killed >= 5
    import_files([folder], store, Wishes())
    assert content(store) == content(tmp_path / "calm.db")
    assert len(content(store)) == 3 * CASES


@needs_transcripts
def test_real_transcripts_killed_half_way_end_the_same(tmp_path: Path) -> None:
    import_files([TRANSCRIPTS], tmp_path / "calm.db", Wishes())
    store = tmp_path / "runs.db"
    for wanted in (1, 500, 1_200):
        process = started(TRANSCRIPTS, store)
        struck(process, store, wanted, signal.SIGKILL)
        process.communicate()
        whole(store)
    import_files([TRANSCRIPTS], store, Wishes())
    assert content(store) == content(tmp_path / "calm.db")
    again = import_files([TRANSCRIPTS], store, Wishes())
    assert again.total("new") == 0
    assert again.total("unchanged") >= len(content(store))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_and_kill_say_so_and_leave_whole_conversations(tmp_path: Path, number: int) -> None:
    (tmp_path / "logs").mkdir()
    folder = logs(tmp_path / "logs")
    store = tmp_path / "runs.db"
    while not struck(process := started(folder, store), store, 1, number):
        process.communicate()
        store.unlink()
    _, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "stopped" in err
    assert sorted(each.name for each in tmp_path.iterdir()) == ["logs", "runs.db"]
    whole(store)
    assert 0 < held(store) < 3 * CASES
    assert import_files([folder], store, Wishes()).exit_code == 0
    assert held(store) == 3 * CASES


def test_a_store_that_another_program_writes_gets_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    store = tmp_path / "runs.db"
    import_files([logs(folder) / "a.jsonl"], store, Wishes())
    with sqlite3.connect(store) as other:
        other.execute("BEGIN EXCLUSIVE")
        process = started(folder, store)
        _, err = process.communicate(timeout=LIMIT)
        other.rollback()
    assert process.returncode == 2
    assert "being written by another program" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("megabytes", [100])
def test_a_very_long_line(tmp_path: Path, megabytes: int) -> None:
    log = tmp_path / "log.jsonl"
    with log.open("wb") as file:
        file.write(b'{"reviewer": 1, "model": "m", "id": "long", "messages": [{"role": "customer", "text": "')
        for _ in range(megabytes):
            file.write(b"x" * (1 << 20))
        file.write(b'"}]}\n{"reviewer": 1, "model": "m", "id": "next", "messages": []}\n')
    report = import_files([log], tmp_path / "runs.db", Wishes())
    assert (report.total("new"), report.total("rejected"), report.exit_code) == (1, 1, 1)
    assert "longer than 64 MiB" in report.sources[0].remarks[0]
