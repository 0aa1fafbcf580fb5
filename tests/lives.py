"""Short lives: processes that mark and import until they are killed, and what must be on disk of each.

`python -m tests.lives FOLDER FIRST LAST` lives these rounds. Everything is loaded once, and a life is a fork of it, so
that hundreds are killed in a minute; what is killed is a process of its own all the same, at a moment that dice choose.
"""

from __future__ import annotations

import io
import json
import os
import random
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reviewer.cli import program
from reviewer.imports import importer
from reviewer.imports.importer import Wishes, import_files
from reviewer.marks import journal
from reviewer.marks.book import Book
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.siege import round_of
from tests.unit.test_bad_input import whole

LONGEST = 0.12
"""Seconds that a life lasts at most."""
ROUNDS = 25
"""After so many a folder is looked at as a whole, and the next one begun."""
LOGS, TALKS = 4, 30
CODES = ("phantom-action", "invented-delivery-date", "flips-across-runs")
Say = Callable[..., None]


# -- what a life does ------------------------------------------------------------------------------------------------


def mark(folder: Path, by: str, chance: random.Random, say: Say) -> None:
    """Tag, note, judge, undo and redo; after each act say what is shown, and how long the journal was then."""
    with Reader(folder / "runs.db") as reader:
        conversations = [reader.stored(rowid) for rowid in reader.first_ids(limit=3)]
    session = Session(folder / "annotations", by, "runs.db", SUPPORT)
    own = journal.journal_of(session.folder, by)
    while True:
        stored = chance.choice(conversations)
        act(session, stored, chance)
        say(size=own.stat().st_size if own.exists() else 0, ref=stored.ref, shown=shown(session.book, stored.ref, by))


def act(session: Session, stored: Stored, chance: random.Random) -> None:
    """One thing that a reviewer does."""
    tags = [tag for tag in session.state(stored.ref).tags if tag.by == session.by]
    place = Ref(stored.ref, chance.randint(1, 4), span=(0, 4))
    match chance.randrange(9):
        case 0 | 1:
            session.tag(stored, chance.choice(CODES), place, note="x" * chance.choice((0, 5, 6_000)))
        case 2:
            session.toggle(stored, chance.choice(CODES), place)
        case 3 if tags:
            session.edit(chance.choice(tags), note=f"noted {chance.random()} \u202e\n")
        case 4 if tags:
            session.untag(chance.choice(tags))
        case 5:
            session.verdict(stored, chance.choice(("pass", "fail", "defer", "")))
        case 6:
            session.reviewed(stored)
        case 7:
            session.redo()
        case _:
            session.undo()


def shown(book: Book, ref: str, by: str) -> list[Any]:
    """What a screen shows of a reviewer's own in a conversation."""
    state = book.ledger.state(ref)
    tags = sorted([tag.id, tag.code, str(tag.ref), tag.note] for tag in state.tags if tag.by == by)
    return [tags, state.verdicts.get(by, "")]


def bring(folder: Path, chance: random.Random, say: Say) -> None:
    """Import one log after the other, a few conversations a commit; say which are in."""
    importer.BATCH = 7
    logs = sorted((folder / "logs").iterdir())
    while True:
        log = chance.choice(logs)
        import_files([log], folder / "runs.db", Wishes())
        say(log=log.name)


# -- how it is lived and ended ----------------------------------------------------------------------------------------


@dataclass
class Life:
    """A process, and what it said."""

    by: str
    pid: int
    pipe: int
    words: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def begun(cls, by: str, live: Callable[[Say], None]) -> Life:
        """Fork; the child lives until it is killed."""
        reading, writing = os.pipe()
        pid = os.fork()
        if pid:
            os.close(writing)
            return cls(by, pid, reading)
        try:
            live(lambda **words: _said(writing, words))
        except BaseException as error:  # noqa: BLE001 -- the parent says it
            os.write(writing, (json.dumps({"error": repr(error)}) + "\n").encode())
        finally:
            os._exit(1)

    def killed(self, until: float) -> None:
        """Hear what it says until its time has come, and kill it."""
        held = b""
        while (left := until - time.monotonic()) > 0 and select.select([self.pipe], [], [], left)[0]:
            held += os.read(self.pipe, 1 << 16)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        while chunk := os.read(self.pipe, 1 << 16):
            held += chunk
        os.close(self.pipe)
        self.words = [json.loads(line) for line in held.splitlines(keepends=True) if line.endswith(b"\n")]
        assert not [each for each in self.words if "error" in each], self.words[-1]


def _said(pipe: int, words: dict[str, Any]) -> None:
    line = (json.dumps(words) + "\n").encode()
    while line:
        line = line[os.write(pipe, line) :]


class Bench:
    """A store, its journals and logs to import, and what was seen of them so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.store = builders.store(folder, *(builders.conversation(case=f"case-{n}") for n in range(3)))
        (folder / "logs").mkdir()
        for log in range(LOGS):
            (folder / "logs" / f"log{log}.jsonl").write_text("".join(_talk(log, n) for n in range(TALKS)), "utf-8")
        self.lines: dict[str, bytes] = {}
        self.held: set[tuple[str, str]] = set()
        self.killed = self.told = self.brought = 0

    def live(self, chance: random.Random) -> None:
        """One or two lives at once, killed at any moment, and what they leave."""
        by = chance.choice(("ann", "bob", "Zoë Ω"))
        dice = random.Random(chance.random())
        kinds = chance.choice(("mark", "bring", "both", "both"))
        lives = []
        if kinds != "bring":
            lives.append(Life.begun(by, lambda say: mark(self.folder, by, dice, say)))
        if kinds != "mark":
            lives.append(Life.begun("", lambda say: bring(self.folder, dice, say)))
        for life in lives:
            life.killed(time.monotonic() + chance.random() * LONGEST)
        self.killed += len(lives)
        for life in lives:
            if life.by:
                self._journal(life, chance)
            else:
                self._store(life)

    def _journal(self, life: Life, chance: random.Random) -> None:
        """What was shown is on disk, nothing before it has changed, and what came after is one act at most."""
        path = journal.journal_of(self.folder / "annotations", life.by)
        data = path.read_bytes() if path.exists() else b""
        assert data.startswith(self.lines.get(life.by, b"")), "what was written has changed"
        self.lines[life.by] = data
        self.told += len(life.words)
        if life.words:
            for told in {len(life.words) - 1, chance.randrange(len(life.words))}:
                word = life.words[told]
                book = self._folded(data[: word["size"]], path.name)
                assert shown(book, word["ref"], life.by) == word["shown"], "what was shown is not on disk"
            after = data[life.words[-1]["size"] :]
            assert after.count(b"\n") <= 1, "more than one act was not shown"
        identifiers = [event.id for event in journal.read(journal.Tail(path))]
        assert identifiers == sorted(set(identifiers)), "an event stands there twice"

    def _folded(self, data: bytes, name: str) -> Book:
        again = self.folder / "again"
        again.mkdir(exist_ok=True)
        (again / name).write_bytes(data)
        book = Book(again)
        (again / name).unlink()
        return book

    def _store(self, life: Life) -> None:
        """What was seen in the store is still there, and all of each log that was said to be in."""
        now = content(self.store)
        assert now >= self.held, "a conversation is gone"
        self.held = now
        refs = {ref for ref, _ in now}
        for word in life.words:
            number = word["log"].removeprefix("log").removesuffix(".jsonl")
            assert refs >= {f"log-{number}/t{talk}" for talk in range(TALKS)}, "a log that was in is not whole"
        self.brought += len(life.words)

    def look(self) -> None:
        """All of it is whole, `reviewer check` finds no more than lines cut off, and what was cut off comes in once."""
        whole(self.store)
        code, said = checked(self.store)
        found = [item["kind"] for item in said["items"]]
        assert set(found) <= {"torn"}, found
        assert code == bool(found), code
        calm = self.folder / "calm.db"
        builders.store(self.folder, *(builders.conversation(case=f"case-{n}") for n in range(3)), name="calm.db")
        for store in (self.store, calm):
            import_files([self.folder / "logs"], store, Wishes())
        assert content(self.store) == content(calm)
        whole(self.store)


def _talk(log: int, number: int) -> str:
    messages = [{"role": "customer", "text": f"{log} {number} " + "words " * 40}, {"role": "agent", "text": "Yes."}]
    return json.dumps({"reviewer": 1, "model": f"log-{log}", "id": f"t{number}", "messages": messages}) + "\n"


def content(store: Path) -> set[tuple[str, str]]:
    """The conversations of a store, each by its reference and its digest."""
    with Reader(store) as reader:
        return {(each.ref, each.digest) for each in map(reader.stored, reader.ids())}


def checked(store: Path) -> tuple[int, dict[str, Any]]:
    """What `reviewer check` comes to."""
    said = io.StringIO()
    sys.argv = ["reviewer", "check", str(store), "--json"]
    with redirect_stdout(said), redirect_stderr(said):
        code = program.run()
    return code, json.loads(said.getvalue())


def main(folder: Path, first: int, last: int) -> None:
    """Live these rounds, and print how many were killed, what they had shown and what they had brought."""
    killed = told = brought = 0
    for start in range(first, last, ROUNDS):
        bench = Bench(folder / str(start))
        for number in range(start, min(start + ROUNDS, last)):
            with round_of("lives", number) as chance:
                bench.live(chance)
        with round_of("lives", number):
            bench.look()
        killed, told, brought = killed + bench.killed, told + bench.told, brought + bench.brought
    print(killed, told, brought)  # noqa: T201 -- the test reads it


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
