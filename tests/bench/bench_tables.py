"""Importing tables by a map, beside parsing the same bytes and writing as many rows of the same text; and their memory.

The floor is the csv or json module (pyarrow for Parquet) and `executemany` of as many rows of the same text into tables
without an index, in a file, as `bench_importing` has it.
"""

from __future__ import annotations

import csv
import io
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from reviewer.imports.importer import Wishes, import_files
from tests.bench.bench_importing import _rows as rows_of
from tests.bench.bench_importing import _written as written
from tests.bench.rows import Row, timed

BY_MESSAGE = """
rows = "messages"
[conversation]
id = "ticket"
model = "=support-bot"
[message]
speaker = "author"
text = "body"
time = "created_at"
[speakers]
agent = ["bot"]
customer = ["end-user"]
"""
BY_CONVERSATION = """
rows = "conversations"
[conversation]
id = "ticket"
messages = "messages"
"""
_PEAK = """
import sys
from pathlib import Path
from reviewer.imports.importer import Wishes, import_files
import_files([Path(sys.argv[1])], Path(sys.argv[2]), Wishes(map=sys.argv[3]))
told = Path("/proc/self/status").read_text()
print(next(line.split()[1] for line in told.splitlines() if line.startswith("VmHWM:")))
"""
TURNS = 10
CONVERSATIONS = 2_000
LARGE = 30_000
NAMES = ("ticket", "author", "body", "created_at", "channel")


def run() -> Iterator[Row]:
    """The rows of this bench."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "messages.toml").write_text(BY_MESSAGE)
        (folder / "conversations.toml").write_text(BY_CONVERSATION)
        rows = list(_rows(CONVERSATIONS))
        for name, bound in (("rows.csv", 4.0), ("rows.jsonl", 4.0), ("rows.parquet", 4.0)):
            yield _timed(folder, name, rows, "messages.toml", bound)
        yield _timed(folder, "shuffled.csv", random.Random(1).sample(rows, len(rows)), "messages.toml", 4.0)
        for name in ("conversations.jsonl", "conversations.parquet"):
            yield _timed(folder, name, _conversations(rows), "conversations.toml", 4.0)
        yield from _memory(folder)


def _rows(conversations: int) -> Iterator[dict[str, str]]:
    for number in range(conversations):
        for turn in range(TURNS):
            yield {
                "ticket": f"T{number}",
                "author": ("end-user", "bot")[turn % 2],
                "body": f"{number}, {turn}: " + "some words, and others " * 12,
                "created_at": f"2026-01-01T10:{turn:02}:00Z",
                "channel": "web",
            }


def _conversations(rows: list[dict[str, str]]) -> list[dict[str, Any]]:
    return [
        {
            "ticket": rows[at]["ticket"],
            "messages": [
                {"role": ("user", "assistant")[n % 2], "content": row["body"]}
                for n, row in enumerate(rows[at : at + TURNS])
            ],
        }
        for at in range(0, len(rows), TURNS)
    ]


def _timed(folder: Path, name: str, rows: list[dict[str, Any]], by: str, bound: float) -> Row:
    path, store = folder / name, folder / "runs.db"
    _write(path, rows)

    def ours() -> None:
        for suffix in ("", "-wal", "-shm"):
            store.with_name(store.name + suffix).unlink(missing_ok=True)
        import_files([path], store, Wishes(map=str(folder / by)))

    ours()
    held, shapes = rows_of(store)

    def floor() -> None:
        PARSERS[path.suffix](path)
        written(folder / "floor.db", {table: rows for table, rows in held.items() if rows}, shapes)

    return timed(f"import {len(rows):,} rows of {name} by a map", ours, floor, bound, rounds=5)


def _csv(path: Path) -> list[Any]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))[1:]


def _jsonl(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def _parquet(path: Path) -> list[Any]:
    return list(parquet.read_table(path).to_pylist())


PARSERS: dict[str, Callable[[Path], list[Any]]] = {".csv": _csv, ".jsonl": _jsonl, ".parquet": _parquet}


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    if path.suffix == ".parquet":
        parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=10_000)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        held = io.StringIO()
        writer = csv.DictWriter(held, NAMES)
        writer.writeheader()
        writer.writerows(rows)
        path.write_text(held.getvalue(), newline="")


def _memory(folder: Path) -> Iterator[Row]:
    """The peak of a process that imports a table, in MiB, beside the bound of 200."""
    for kind in ("csv", "jsonl", "parquet"):
        path = folder / f"large.{kind}"
        _write(path, list(_rows(LARGE)))
        command = [sys.executable, "-c", _PEAK, str(path), str(folder / "large.db"), str(folder / "messages.toml")]
        peak = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) / 1024
        (folder / "large.db").unlink()
        yield Row(f"peak memory of importing {LARGE * TURNS:,} rows of {kind}", peak, 200.0, 1.0, "MiB")
