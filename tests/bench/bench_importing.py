"""Importing: the real transcripts beside parsing and writing alone, and a gigabyte of lines in constant memory.

The floor is `json.loads` of the same bytes and `executemany` of as many rows of the same text into tables without an
index, in a file.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from reviewer.imports.importer import Wishes, import_files
from tests.bench.rows import Row, timed
from tests.transcripts import TRANSCRIPTS

TABLES = ("messages", "calls", "conversations", "scores", "cases")
GIGABYTE = 1_000_000_000
_PEAK = """
import sys
from pathlib import Path
from reviewer.imports.importer import Wishes, import_files
import_files([Path(sys.argv[1])], Path(sys.argv[2]), Wishes())
told = Path("/proc/self/status").read_text()
print(next(line.split()[1] for line in told.splitlines() if line.startswith("VmHWM:")))
"""
"""What the process itself came to; `getrusage` would begin with what the bench had when it was forked."""
_KINDS = (
    ("1 GB of long lines", GIGABYTE, 20, 330),
    ("0.1 GB of long lines", GIGABYTE // 10, 20, 330),
    ("0.3 GB of short lines", GIGABYTE // 10 * 3, 2, 30),
)
"""What is imported: its size, and the turns and words of each conversation."""


def run() -> Iterator[Row]:
    """The rows of this bench."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        if TRANSCRIPTS.exists():
            yield _transcripts(place)
        else:
            print("the real transcripts (../shared/transcripts) are not here: that row is left out")
        yield from _memory(place)


def _transcripts(folder: Path) -> Row:
    texts = list(_texts())
    store = folder / "runs.db"

    def ours() -> None:
        for suffix in ("", "-wal", "-shm"):
            store.with_name(store.name + suffix).unlink(missing_ok=True)
        import_files([TRANSCRIPTS], store, Wishes())

    ours()
    rows, shapes = _rows(store)

    def floor() -> None:
        for text in texts:
            json.loads(text)
        _written(folder / "floor.db", rows, shapes)

    return timed("import ../shared/transcripts", ours, floor, 3.0)


def _texts() -> Iterator[bytes]:
    """The JSON values that an import has to parse: documents, lines, members of zips."""
    for path in sorted(TRANSCRIPTS.rglob("*")):
        if path.suffix == ".jsonl":
            yield from (line for line in path.read_bytes().splitlines() if line.strip())
        elif path.suffix == ".eval":
            with zipfile.ZipFile(path) as file:
                yield from (file.read(name) for name in file.namelist() if name.startswith(("samples/", "header")))
        elif path.suffix == ".json" and not _is_lines(path):
            yield path.read_bytes()


def _is_lines(path: Path) -> bool:
    try:
        json.loads(path.read_bytes())
    except ValueError:
        return True
    return False


def _rows(store: Path) -> tuple[dict[str, list[Any]], list[str]]:
    with sqlite3.connect(store) as db:
        rows = {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
        marks = ", ".join("?" * len(TABLES))
        shapes = db.execute(f"SELECT sql FROM sqlite_master WHERE type = 'table' AND name IN ({marks})", TABLES)
        return rows, [row[0] for row in shapes]


def _written(path: Path, rows: dict[str, list[Any]], shapes: list[str]) -> None:
    path.unlink(missing_ok=True)
    db = sqlite3.connect(path)
    for shape in shapes:
        db.execute(shape)
    for table, held in rows.items():
        db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(held[0]))})", held)
    db.commit()
    db.close()


def _memory(folder: Path) -> Iterator[Row]:
    """The peak of a process that imports lines, in MiB, beside the bound of 200."""
    for name, size, turns, words in _KINDS:
        logs, store = folder / "logs.jsonl", folder / "big.db"
        with logs.open("w", encoding="utf-8") as file:
            file.writelines(_lines(size, turns, words))
        command = [sys.executable, "-c", _PEAK, str(logs), str(store)]
        peak = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) / 1024
        store.unlink()
        yield Row(f"peak memory of importing {name}", peak, 200.0, 1.0, "MiB")


def _lines(size: int, turns: int, words: int) -> Iterator[str]:
    """Conversations of so many turns and words, until they are so many characters."""
    number = 0
    while size > 0:
        messages = [
            {"role": ("user", "assistant")[turn % 2], "content": f"{number} {turn} " + "words " * words}
            for turn in range(turns)
        ]
        line = json.dumps({"id": f"c{number}", "model": "m", "messages": messages}) + "\n"
        size -= len(line)
        number += 1
        yield line
