"""Journals of 100,000 events: taking them in, opening them again, adding one more, printing what they say."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from reviewer.marks import ulid
from reviewer.marks.book import Book
from reviewer.marks.events import Event, encode
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.projection import Projection
from tests import builders
from tests.bench.rows import Row, timed

EVENTS = 100_000
PRINTED = (1_000, 10_000)

_EXPORT = """
import re, sys
from pathlib import Path
sys.argv = ["reviewer", "export", sys.argv[1], "--format", sys.argv[2], "-o", sys.argv[3]]
sys.stderr = open("/dev/null", "w")
from reviewer.cli import main
try:
    main()
except SystemExit:
    pass
# VmHWM, because the maximum that getrusage tells is at first the parent's.
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024)
"""


def run() -> Iterator[Row]:
    """Everything beside reading or writing the same bytes with nothing else done."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "annotations"
        write(folder, EVENTS)
        yield _taking_in(folder, Path(name))
        yield _opening_again(folder, Path(name))
        yield _one_more(folder, Path(name))
        yield from _memory(Path(name))


def _taking_in(folder: Path, where: Path) -> Row:
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_bytes().splitlines()]
    caches = (where / f"{number}.db" for number in count())
    return timed(
        f"{EVENTS:,} events taken in for the first time, beside json.loads",
        lambda: Book(folder, Projection(next(caches))),
        lambda: [json.loads(line) for line in lines],
        3.0,
        3,
    )


def _opening_again(folder: Path, where: Path) -> Row:
    cache = where / "0.db"
    small = where / "small"
    write(small, 100)
    return timed(
        "opening them again, beside opening 100", lambda: Book(folder, Projection(cache)), lambda: Book(small), None
    )


def _one_more(folder: Path, where: Path) -> Row:
    os.environ["XDG_CACHE_HOME"] = str(where / "cache")
    stored = builders.stored()
    session = Session(folder, "ann", "runs.db", SUPPORT)
    session.tag(stored, "phantom-action", Ref(stored.ref, 2, span=(0, 10)))
    line = (folder / "ann.jsonl").read_bytes().splitlines(keepends=True)[-1]
    descriptor = os.open(where / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def bare() -> None:
        os.write(descriptor, line)
        os.fsync(descriptor)

    def tag() -> None:
        session.tag(stored, "phantom-action", Ref(stored.ref, 2, span=(0, 10)))

    row = timed("one tag more, beside writing and syncing its line", tag, bare, None, 200)
    os.close(descriptor)
    return row


def _memory(where: Path) -> Iterator[Row]:
    """The most memory that an export takes, of ten times as many tags: the plan of those, some 600 bytes a tag."""
    stores = {}
    for tags in PRINTED:
        folder = where / str(tags)
        folder.mkdir()
        stores[tags] = builders.store(folder, *(builders.conversation(run=number) for number in range(tags // 10)))
        write(folder / "annotations", tags, runs=tags // 10, kinds=("tag",))
        _peak(stores[tags], "jsonl")  # the first time also indexes the journals
    for form in ("md", "jsonl", "csv", "html", "qdpx"):
        few, many = (_peak(stores[tags], form) for tags in PRINTED)
        yield Row(f"exporting {PRINTED[1]:,} tags as {form}, beside {PRINTED[0]:,}", many, few, 1.3, "MiB")


def _peak(store: Path, form: str) -> float:
    command = [sys.executable, "-c", _EXPORT, str(store), form, str(store.with_suffix(f".{form}"))]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def write(folder: Path, events: int, runs: int = 10_000, kinds: tuple[str, ...] = ("tag", "edit", "verdict")) -> None:
    """Journals of two reviewers who tag, note and judge."""
    chance = random.Random(20260629)
    folder.mkdir()
    all_stored = [builders.stored(run=number) for number in range(runs)]
    last, tags = "", list[str]()
    with (folder / "ann.jsonl").open("wb") as ann, (folder / "bob.jsonl").open("wb") as bob:
        for number in range(events):
            last = ulid.after(last, 1_780_000_000_000 + number * 1_000, chance.getrandbits(80))
            do = chance.choices(kinds, (7, 2, 1)[: len(kinds)])[0] if tags else "tag"
            by = chance.choice(("ann", "bob"))
            stored = chance.choice(all_stored)
            ref, fields = f"{stored.ref}#2:0-10", _fields(do, stored.ref, stored.digest, chance.choice(tags or [last]))
            if do == "tag":
                tags.append(last)
            event = Event(last, "2026-06-29T12:00:00.000Z", by, do, ref, stored.digest, {**fields, "store": "runs.db"})
            (ann if by == "ann" else bob).write(encode(event))


def _fields(do: str, ref: str, digest: str, tag: str) -> dict[str, object]:
    if do == "edit":
        return {"tag": tag, "note": "look at this again"}
    if do == "verdict":
        return {"verdict": "fail"}
    anchor = {"ref": f"{ref}#2:0-10", "digest": digest, "message": "0" * 64, "prefix": "1" * 64, "quote": "Your order",
              "after": " #1130 has been cancelled successfully. "}  # fmt: skip
    return {"code": "phantom-action", "pieces": [anchor], "evidence": [{**anchor, "ref": f"{ref}#2.1.result:11-21"}]}
