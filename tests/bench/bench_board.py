"""The sample and the board: generating beside importing the same conversations, the board beside a bare scan."""

from __future__ import annotations

import json
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from reviewer.benchmark.northline.build import build
from reviewer.benchmark.northline.sample_conversations import chosen, sampled
from reviewer.figures.measure.board import board, standings
from reviewer.figures.measure.board_counts import counts
from reviewer.imports.importer import Wishes, import_files
from reviewer.transcripts.conversation_json import as_object
from reviewer.transcripts.store.reader import Reader
from tests.bench.rows import Row, timed

# What any board has to read: which conversations there are, what agents called, what judges gave.
_SCAN = (
    "SELECT id, run_id, case_id, desk_id, agent_messages, messages, error, ended_by FROM conversations",
    "SELECT conversation_id, role, name, orphan FROM calls",
    "SELECT conversation_id, scorer, judge, value FROM scores",
)


def run() -> Iterator[Row]:
    """The whole board of 24 models, 10,692 conversations."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "board.db"
        started = time.perf_counter()
        build(store, chosen(board=True))
        built = time.perf_counter() - started
        yield Row("build the board's store, against a minute", built, 60, 1.0, "s")
        yield timed("counts of 10,692 conversations, against a bare scan", _counted(store), _scanned(store), 3.0)
        # The acts of all runs of a case are compared line by line of the queue, which a scan does not read.
        yield timed("their board with flips, against a bare scan", _board(store), _scanned(store), 8.0)
        yield _against_import(store, Path(folder))


def _board(store: Path) -> Callable[[], object]:
    def measured() -> object:
        with Reader(store) as reader:
            return board(reader)

    return measured


def _counted(store: Path) -> Callable[[], object]:
    def measured() -> object:
        with Reader(store) as reader:
            return standings(counts(reader))

    return measured


def _scanned(store: Path) -> Callable[[], object]:
    def scanned() -> object:
        connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
        rows = [connection.execute(sql).fetchall() for sql in _SCAN]
        connection.close()
        return rows

    return scanned


def _against_import(store: Path, folder: Path) -> Row:
    """Generate the three default models, and import the same from the interchange format."""
    started = time.perf_counter()
    count = sum(1 for _ in sampled(chosen()))
    generated = time.perf_counter() - started
    log = folder / "log.jsonl"
    wanted = {model.model for model in chosen()}
    with Reader(store) as reader, log.open("w", encoding="utf-8") as file:
        for row in reader.rows(reader.ids()):
            if row.model in wanted:
                file.write(json.dumps(as_object(reader.stored(row.rowid))) + "\n")
    started = time.perf_counter()
    import_files([log], folder / "imported.db", Wishes(), lambda *_: None)
    imported = time.perf_counter() - started
    return Row(f"generate {count:,} conversations, against importing them", generated * 1000, imported * 1000, 1.0)
