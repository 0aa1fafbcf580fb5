"""Imports of what nobody should have written: whatever it is, it ends, it says so, and the good beside it is read.

Each round spoils a file of some format and names it together with a good one, in a folder that may hold pipes, sockets
and links that lead in circles. Most are read in this process, some by the real command.
"""

from __future__ import annotations

import io
import json
import os
import random
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from reviewer.cli import program
from tests.siege import ending, round_of, rounds
from tests.spoilt_files import foreign_store, spoilt
from tests.terminal import PROGRAM
from tests.unit.test_bad_input import whole
from tests.unmeasured import environment

IMPORTS, BATCH = rounds(5_000), 250
COMMANDS = rounds(60)
FOREIGN = rounds(200)


def good(folder: Path, number: int) -> Path:
    """A log that nothing is wrong with."""
    path = folder / f"good{number}.jsonl"
    messages = [{"role": "customer", "text": f"Is number {number} there?"}, {"role": "agent", "text": "Yes."}]
    path.write_text(json.dumps({"reviewer": 1, "model": "good", "id": f"n{number}", "messages": messages}) + "\n")
    return path


def surrounded(chance: random.Random, folder: Path) -> list[Path]:
    """What may stand in a folder beside logs and is none."""
    match chance.randrange(6):
        case 0:
            os.mkfifo(folder / "pipe.json")
        case 1:
            with closing(socket.socket(socket.AF_UNIX)) as listening:
                here = Path.cwd()
                os.chdir(folder)  # the names of sockets are short
                listening.bind("socket.jsonl")
                os.chdir(here)
        case 2:
            (folder / "a.json").symlink_to("b.json")
            (folder / "b.json").symlink_to("a.json")
        case 3:
            (folder / "round").symlink_to(folder)
            (folder / "own.json").symlink_to("own.json")
        case 4:
            (folder / "folder.json").mkdir()
            (folder / "folder.json" / "up.jsonl").symlink_to(folder.parent)
        case _:
            (folder / "null.json").symlink_to("/dev/null")
            (folder / "zero.json").symlink_to("/dev/zero")
    return sorted(folder.iterdir())


def ran(*words: object) -> tuple[int, str]:
    """What a command comes to and says, in this process."""
    said, before = io.StringIO(), sys.argv
    sys.argv = ["reviewer", *map(str, words)]
    try:
        with redirect_stdout(said), redirect_stderr(said), ending():
            code = program.run()
    finally:
        sys.argv = before
    return code, said.getvalue()


def holds(store: Path, number: int) -> bool:
    """True if the good log of that round came in."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as db:
        return db.execute("SELECT 1 FROM conversations WHERE ref = ?", [f"good/n{number}"]).fetchone() is not None


def besieged(chance: random.Random, number: int, here: Path) -> list[Path]:
    """The files that a round names: the folder of them all, or each by itself."""
    logs = here / f"logs{number}"
    logs.mkdir()
    name, held = spoilt(chance)
    bad = logs / name.replace("/", "_")
    bad.write_bytes(held)
    beside = surrounded(chance, logs) if chance.random() < 0.3 else [bad]
    fine = good(logs, number)
    return [logs] if chance.random() < 0.4 else [*beside, fine]


@pytest.mark.parametrize("first", range(0, IMPORTS, BATCH))
def test_spoilt_files_for_long(first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cwd", "temp", "home"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    store = tmp_path / "store" / "runs.db"
    store.parent.mkdir()
    for number in range(first, min(first + BATCH, IMPORTS)):
        with round_of("imports", number) as chance:
            code, said = ran("import", *besieged(chance, number, tmp_path), "--into", store)
            assert code in (0, 1, 2), said
            assert "Traceback" not in said, said
            assert holds(store, number), said
            assert [each.name for each in store.parent.iterdir()] == ["runs.db"], said
            for name in ("cwd", "temp", "home"):
                assert list((tmp_path / name).iterdir()) == [], said
    assert not list(tmp_path.glob("outside*"))
    whole(store)


def test_the_real_command_on_spoilt_files(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    for number in range(COMMANDS):
        with round_of("commands", number) as chance:
            paths = besieged(chance, number, tmp_path)
            command = [*PROGRAM, "import", *map(str, paths), "--into", str(store)]
            done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
            assert done.returncode in (0, 1, 2), done.stderr
            assert "Traceback" not in done.stderr
            assert holds(store, number), done.stderr
    whole(store)


MAP = """
[conversation]
id = "ticket"
[message]
speaker = "who"
text = "said"
"""


def test_sqlite_files_of_others(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(MAP)
    for number in range(FOREIGN):
        with round_of("foreign", number) as chance:
            here = tmp_path / str(number)
            here.mkdir()
            foreign = foreign_store(chance, here / "x.db")
            before = {each.name: each.read_bytes() for each in here.iterdir()}
            fine = good(here, number)
            read = ("--map", tmp_path / "map.toml") if chance.random() < 0.5 else ()
            for words in (
                ("import", here / "x.db", fine, "--into", here / "store" / "runs.db", *read),
                ("import", fine, "--into", here / "x.db"),
                *((name, here / "x.db") for name in ("info", "list", "check", "board", "open")),
            ):
                (here / "store").mkdir(exist_ok=True)
                code, said = ran(*words)
                assert code in (0, 1, 2), said
                assert "Traceback" not in said
            if not read:
                assert holds(here / "store" / "runs.db", number)
            after = {name: (here / name).read_bytes() for name in before if (here / name).exists()}
            assert after == before or not foreign, "another program's file was written to"


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    """It shrinks, grows and is put in the place of another, over and over, while imports go on."""
    store, log = tmp_path / "runs.db", tmp_path / "log.jsonl"
    talk = good(tmp_path, 0).read_text()
    log.write_text(talk)
    over = threading.Event()

    def change() -> None:
        dice = random.Random(5)
        while not over.is_set():
            with log.open("r+") as file:
                file.write(talk * dice.randint(1, 150))
                file.flush()
                os.truncate(log, dice.randint(0, log.stat().st_size))
            if dice.random() < 0.2:
                (tmp_path / "next.jsonl").write_text(talk * dice.randint(1, 150))
                (tmp_path / "next.jsonl").replace(log)

    changing = threading.Thread(target=change)
    changing.start()
    try:
        for number in range(1, rounds(30)):
            code, said = ran("import", log, good(tmp_path, number), "--into", store)
            assert code in (0, 1, 2), said
            assert "Traceback" not in said, said
            assert holds(store, number), said
    finally:
        over.set()
        changing.join()
    whole(store)
