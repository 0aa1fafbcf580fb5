"""The deep report on the board with 10,000 tags, beside the queries that it needs, run bare."""

from __future__ import annotations

import os
import random
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from reviewer.figures.report import board_report, pages
from reviewer.figures.report.blocks import ReportPage
from reviewer.figures.report.deep_report import deep_report
from reviewer.figures.report.material import MarkFolder, ReportRequest, material
from reviewer.findings.reads import BY_NAME
from reviewer.findings.scans import scan, usual
from reviewer.marks import folder, ulid
from reviewer.marks.anchors import anchor
from reviewer.marks.events import Event, encode
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import recall
from reviewer.marks.shapes import anchor_fields
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests.bench.bigstore import northline
from tests.bench.rows import Row, timed

TAGS = 10_000
_EACH, _EXEMPLARS = 4, 0.01
"""Tags of a conversation, and how many of them are exemplars."""
MODEL = "kimi-k2.7-code"
MODES = ("invented-delivery-date", "acts-before-confirming", "warm", "over-escalation", "phantom-action", "held-line")


def run() -> Iterator[Row]:
    """The board of 24 models, 10,692 conversations, all of them scanned."""
    store = northline(board=True)
    with Reader(store) as reader:
        scan(store, reader.ids(), usual())
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_CACHE_HOME"] = str(Path(place) / "cache")
        annotations = Path(place) / "annotations"
        _write(annotations, store)
        for what, page, bound in (("deep report", _deep, 2.0), ("findings across models", _across, 3.0)):
            make = partial(page, store, annotations)
            asked = _needed(make)
            name = f"{what}, {TAGS:,} tags, against its {len(asked):,} queries bare"
            yield timed(name, make, partial(_bare, asked), bound, 5)


def _deep(store: Path, annotations: Path) -> str:
    versions = {name: read.version for name, read in BY_NAME.items()}
    with Reader(store) as reader:
        return _printed(deep_report(material(reader, ReportRequest(MODEL, versions=versions), _marks(annotations))))


def _across(store: Path, annotations: Path) -> str:
    with Reader(store) as reader:
        return _printed(board_report.board_report(board_report.board_material(reader, _marks(annotations))))


def _printed(page: ReportPage) -> str:
    return "".join(pages.markdown_lines(page))


def _marks(annotations: Path) -> MarkFolder:
    return MarkFolder(annotations, recall.opened(annotations).ledger, folder.load(annotations, SUPPORT))


def _write(annotations: Path, store: Path) -> None:
    """Tags on words of all models, and a review of every conversation that bears one."""
    annotations.mkdir()
    rng = random.Random(7)
    made = count()

    def line(ref: str, digest: str, do: str, fields: dict[str, Any]) -> bytes:
        identifier = ulid.after(None, 1_760_000_000_000 + next(made), rng.getrandbits(80))
        return encode(Event(identifier, "2026-11-19T10:00:00+00:00", "ann", do, ref, digest, fields))

    with Reader(store) as reader, (annotations / "ann.jsonl").open("wb") as file:
        rows = reader.ids()
        for at in sorted(rng.sample(range(len(rows)), TAGS // _EACH)):
            stored = reader.stored(rows[at])
            messages = enumerate(stored.conversation.messages, start=1)
            said = [number for number, each in messages if each.role == "agent" and len(each.text) > 20]
            for _ in range(_EACH):
                start = rng.randrange(10)
                span = (start, start + 10) if said else None
                piece = anchor(stored, Ref(stored.ref, rng.choice(said or [1]), span=span))
                fields: dict[str, Any] = {"code": rng.choice(MODES), "pieces": [anchor_fields(piece)]}
                fields["exemplar"] = rng.random() < _EXEMPLARS
                file.write(line(stored.ref, stored.digest, "tag", fields))
            file.write(line(stored.ref, stored.digest, "reviewed", {"reviewed": True}))


def _needed(make: Callable[[], object]) -> list[tuple[int, str, str]]:
    """Every query that a page makes: the number of its connection, the file, the text."""
    make()  # the index of the journals is made on the first look
    asked: list[tuple[int, str, str]] = []
    numbers = count()
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def watched(path: str, *words: Any, **named: Any) -> sqlite3.Connection:
        connection, number = connect(path, *words, **named), next(numbers)
        connection.set_trace_callback(lambda sql: asked.append((number, str(path), sql)))
        return connection

    sqlite3.connect = watched  # type: ignore[assignment]  # put back below
    try:
        make()
    finally:
        sqlite3.connect = connect  # type: ignore[assignment]  # as it was
    return [each for each in asked if not each[2].startswith(("PRAGMA", "--"))]


def _bare(asked: list[tuple[int, str, str]]) -> None:
    """The same queries with nothing done about what they answer."""
    connections: dict[int, sqlite3.Connection] = {}
    for number, path, sql in asked:
        if number not in connections:
            connections[number] = sqlite3.connect(path, uri=path.startswith("file:"), isolation_level=None)
        connections[number].execute(sql).fetchall()
    for connection in connections.values():
        connection.close()
