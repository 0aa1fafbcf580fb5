"""Findings beside a store: what reads suggested about which conversation, in which version, and how often they could.

Beside them stands what other sources suggest, brought in from their files; a scan leaves that alone.

Owns the file `STORE.findings.db` (in the cache folder where the store's own takes no new file), its tables, and the
SELECTs that join it, attached read-only, to the store. A finding is kept as text, with what one asks for beside it. It
shows only while its conversation is what it was: what changed since is counted and waits for the next scan.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self
from urllib.parse import quote

from reviewer.basics.errors import StoreError
from reviewer.findings.store_entries import StoreEntry, by_case, case_digest, case_setting, standings
from reviewer.transcripts.query import EVERYTHING, Selection
from reviewer.transcripts.store.connection import reading, speaking_plainly

_VERSION = 2
FINDING_TABLES = """
CREATE TABLE scanned (
  ref TEXT PRIMARY KEY, digest TEXT NOT NULL, setting TEXT NOT NULL, desk TEXT NOT NULL, reads TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE findings (
  id INTEGER PRIMARY KEY, ref TEXT NOT NULL, digest TEXT NOT NULL, read TEXT NOT NULL, version INTEGER NOT NULL,
  mode TEXT NOT NULL, certain INTEGER NOT NULL, message INTEGER, identity TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TABLE sources (name TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX findings_of ON findings (ref, read);
CREATE INDEX findings_by_mode ON findings (mode, certain, read, ref, digest, identity);
CREATE INDEX scanned_as_it_was ON scanned (ref, digest);
"""
_ASKED = """
CREATE TABLE IF NOT EXISTS asked (
  source TEXT NOT NULL, ref TEXT NOT NULL, mode TEXT NOT NULL, digest TEXT NOT NULL, question TEXT NOT NULL,
  PRIMARY KEY (source, ref, mode)
) WITHOUT ROWID
"""
"""What other sources were asked about; made when the first is."""
SCAN_AGAIN = "Remove it, and scan again."
BESIDE = "suggested"
"""What the attached file is called in SQL."""


class FindingRow(NamedTuple):
    """A finding, and what one asks for of it."""

    ref: str
    """The conversation, or the case across its runs."""
    digest: str
    read: str
    version: int
    mode: str
    certain: bool
    message: int | None
    identity: str
    body: str
    """The finding itself, as it stands in a line of a journal."""


class FindingSource(NamedTuple):
    """Somebody else who suggests: a judge, a scanner, a script."""

    name: str
    version: int


class AskedMode(NamedTuple):
    """A question that another source has answered: about which conversation and mode, as they were."""

    ref: str
    mode: str
    digest: str
    """Of the conversation."""
    question: str
    """A digest of what was asked about it."""


@dataclass(slots=True)
class BroughtCounts:
    """What came of bringing findings in."""

    new: int = 0
    changed: int = 0
    """Those that were known and say something else now."""
    known: int = 0
    gone: int = 0
    """Those of an older version, or which the source no longer says of a conversation that it looked at again."""


@dataclass(slots=True)
class ScanRow:
    """What was read of a conversation (or a case): in which state, by which reads, how often they could have fired."""

    ref: str
    digest: str
    setting: str
    """A hash of what else reads go by: the desk, the facts of the case, the clock."""
    desk: str
    reads: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Name of a read to its version and its opportunities; a read that failed has -1."""


_KINDS = (str, str, str, int, str, int, (int, type(None)), str, str)


def kept(row: Sequence[Any], path: Path) -> FindingRow:
    """A row as it stands in the file, which says it where another program wrote something else there."""
    must_be(_KINDS, row, path)
    return FindingRow(*row)._replace(certain=bool(row[5]))


def must_be(kinds: Sequence[type | tuple[type, ...]], row: Sequence[Any], path: Path) -> None:
    """Raise a sentence about the file of findings where a row holds other kinds of values."""
    if not all(map(isinstance, row, kinds)):
        raise StoreError(f"{path} is damaged: another program wrote into it.", SCAN_AGAIN)


def findings_file(store: Path) -> Path:
    """The file of a store's findings: beside it, or in the cache folder where that takes none."""
    beside = store.with_name(f"{store.name}.findings.db")
    if beside.exists() or os.access(store.absolute().parent, os.W_OK):
        return beside
    from reviewer.transcripts.store.neighbours import neighbour

    return neighbour(store, "findings")


class FindingsWriter:
    """The findings of a store, open for the one scan that writes them."""

    def __init__(self, store: Path) -> None:
        self.path = findings_file(store)
        with speaking_plainly(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = _opened(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._db.close()

    def known(self) -> dict[str, ScanRow]:
        """What was read before, by conversation or case."""
        with speaking_plainly(self.path):
            rows = self._db.execute("SELECT ref, digest, setting, desk, reads FROM scanned").fetchall()
        return {row[0]: _scan_row(row) for row in rows}

    def sources(self) -> set[str]:
        """The names of the sources that were brought in."""
        with speaking_plainly(self.path):
            return {row[0] for row in self._db.execute("SELECT name FROM sources")}

    def put(self, scans: Iterable[ScanRow], findings: Iterable[FindingRow]) -> None:
        """Put in what some reads said, for what they said before; all of it or nothing."""
        with speaking_plainly(self.path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            for scan in scans:
                marks = ",".join("?" * len(scan.reads))
                self._db.execute(f"DELETE FROM findings WHERE ref = ? AND read IN ({marks})", (scan.ref, *scan.reads))
                self._merge(scan)
            self._insert(findings)

    def bring(self, source: FindingSource, findings: Iterable[FindingRow], looked_at: Iterable[str]) -> BroughtCounts:
        """Put in what another source suggests: all of it or nothing.

        It adds to what the source said before in the same version and takes the place of what it said in another one,
        and of what it said of the conversations that it looked at again.
        """
        counts = BroughtCounts()
        with speaking_plainly(self.path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute(_ASKED)
            told = "SELECT 1 FROM sources WHERE name = ? AND version = ?"
            if self._db.execute(told, source).fetchone() is None:  # what it said goes, so it may be asked anew
                self._db.execute("DELETE FROM asked WHERE source = ?", (source.name,))
            self._db.execute("INSERT OR REPLACE INTO sources VALUES (?, ?)", source)
            rows = {(row.ref, row.identity): row for row in findings}
            present = {row.ref: row.digest for row in rows.values()}
            again, gone = set(looked_at), list[tuple[int]]()
            sql = "SELECT id, ref, identity, digest, version, body FROM findings WHERE read = ?"
            for rowid, ref, identity, digest, version, body in self._db.execute(sql, (source.name,)).fetchall():
                row = rows.get((ref, identity))
                if row is not None and (row.version, row.body) == (version, body):
                    counts.known += 1
                    del rows[ref, identity]
                elif row is not None:
                    counts.changed += 1
                    gone.append((rowid,))
                elif version != source.version or ref in again or present.get(ref, digest) != digest:
                    counts.gone += 1
                    gone.append((rowid,))
            self._db.executemany("DELETE FROM findings WHERE id = ?", gone)
            self._insert(rows.values())
            counts.new = len(rows) - counts.changed
        return counts

    def answer(self, source: FindingSource, asked: Iterable[AskedMode], findings: Iterable[FindingRow]) -> None:
        """Put in what a source answered, for what it said of these modes there before; all of it or nothing."""
        with speaking_plainly(self.path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute(_ASKED)
            self._db.execute("INSERT OR REPLACE INTO sources VALUES (?, ?)", source)
            for each in asked:
                gone = "DELETE FROM findings WHERE ref = ? AND read = ? AND mode = ?"
                self._db.execute(gone, (each.ref, source.name, each.mode))
                self._db.execute("INSERT OR REPLACE INTO asked VALUES (?, ?, ?, ?, ?)", (source.name, *each))
            self._insert(findings)

    def _insert(self, findings: Iterable[FindingRow]) -> None:
        self._db.executemany(
            "INSERT INTO findings (ref, digest, read, version, mode, certain, message, identity, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((*row[:5], int(row.certain), *row[6:]) for row in findings),
        )

    def _merge(self, scan: ScanRow) -> None:
        """Write what was read of a conversation; what other reads said stays while it is what it was."""
        sql = "SELECT ref, digest, setting, desk, reads FROM scanned WHERE ref = ?"
        row = self._db.execute(sql, (scan.ref,)).fetchone()
        before = _scan_row(row) if row else None
        reads: Mapping[str, Sequence[int]] = scan.reads
        if before is not None and (before.digest, before.setting) == (scan.digest, scan.setting):
            reads = {**before.reads, **reads}
        elif before is not None:
            gone = "DELETE FROM findings WHERE ref = ? AND digest <> ? AND read NOT IN (SELECT name FROM sources)"
            self._db.execute(gone, (scan.ref, scan.digest))
        told = (scan.ref, scan.digest, scan.setting, scan.desk, json.dumps(reads, separators=(",", ":")))
        self._db.execute("INSERT OR REPLACE INTO scanned VALUES (?, ?, ?, ?, ?)", told)


def answered_by(store: Path, source: str) -> set[AskedMode]:
    """What a source was asked about a store and has answered."""
    path = findings_file(store)
    if not path.exists():
        return set()
    with reading(store) as db, attached(db, path):
        if not db.execute(f"SELECT 1 FROM {BESIDE}.sqlite_master WHERE name = 'asked'").fetchone():
            return set()
        rows = db.execute(f"SELECT ref, mode, digest, question FROM {BESIDE}.asked WHERE source = ?", (source,))
        return {AskedMode(*row) for row in rows}


@dataclass(slots=True)
class FindingsShown:
    """What a store's findings file shows: rows that still hold, opportunities, and how many no longer do."""

    rows: list[FindingRow] = field(default_factory=list)
    scans: list[ScanRow] = field(default_factory=list)
    outdated: int = 0
    """Findings about conversations that have changed since, or are no longer there."""
    outdated_brought: int = 0
    """Those of them that other sources made."""
    other_desk: int = 0
    """Conversations whose desk, or what is known of their case, is not what it was when they were read."""
    unread: int = 0
    """Conversations that no read has seen."""
    sources: list[FindingSource] = field(default_factory=list)
    """Who else suggests."""


Where = Callable[[Selection], tuple[str, list[Any]]]
"""What turns a selection into the WHERE of a SELECT over `conversations`."""


def shown(store: Path, where: Where, selection: Selection, mode: str = "", read: str = "") -> FindingsShown:
    """The findings about the conversations that a selection names, in the order of the store."""
    chosen = _chosen(store, where, selection)
    every = standings(store)
    return _shown(store, every, {each.ref for each in every if each.rowid in chosen}, None, mode, read)


def shown_of_model(store: Path, model: str) -> FindingsShown:
    """The findings about one model, without a look at those about others."""
    every = standings(store, model)
    refs = {each.ref for each in every}
    return _shown(store, every, refs, json.dumps([*refs, *by_case(every)]))


def opportunities_of(
    store: Path, refs: Iterable[str], reads: Sequence[str]
) -> dict[str, tuple[str, Sequence[int | None]]]:
    """How often each of these reads could have found something in each of these conversations, and in which state.

    None stands for a read that has not been there; conversations that nobody has read are left out.
    """
    path = findings_file(store)
    if not path.exists():
        return {}
    counts = "".join([", json_extract(reads, ?)"] * len(reads))
    sql = f"SELECT ref, digest{counts} FROM {BESIDE}.scanned WHERE ref IN (SELECT value FROM json_each(?))"
    within = [*(f"$.{json.dumps(name)}[1]" for name in reads), json.dumps(list(refs))]
    with reading(store) as db, attached(db, path):
        return {ref: (digest, numbers) for ref, digest, *numbers in db.execute(sql, within).fetchall()}


def _shown(
    store: Path, every: list[StoreEntry], chosen: set[str], among: str | None, mode: str = "", read: str = ""
) -> FindingsShown:
    """The findings about the chosen conversations; `among` lists all that are looked at, as JSON."""
    told = FindingsShown()
    path = findings_file(store)
    if not path.exists():
        told.unread = len(chosen)
        return told
    within, listed = ("", []) if among is None else ("ref IN (SELECT value FROM json_each(?))", [among])
    with reading(store) as db, attached(db, path):
        told_of = db.execute(
            f"SELECT ref, digest, setting, desk, reads FROM {BESIDE}.scanned{' WHERE ' if within else ''}{within}",
            listed,
        ).fetchall()
        sources = db.execute(f"SELECT name, version FROM {BESIDE}.sources ORDER BY name").fetchall()
        told.sources = [FindingSource(*row) for row in sources]
        rows = [
            kept(row, path)
            for row in db.execute(
                "SELECT ref, digest, read, version, mode, certain, message, identity, body"
                f" FROM {BESIDE}.findings WHERE (? = '' OR mode = ?) AND (? = '' OR read = ?)"
                f"{' AND ' if within else ''}{within} ORDER BY id",
                (mode, mode, read, read, *listed),
            )
        ]
    scans = [_scan_row(row) for row in told_of]
    present = {each.ref: each for each in every}
    wanted = {each.ref: place for place, each in enumerate(every) if each.ref in chosen}
    cases = by_case(every)
    for ref, members in cases.items():
        digest = case_digest(members)
        present[ref] = members[0]._replace(ref=ref, digest=digest, setting=case_setting(members))
        if any(member.ref in wanted for member in members):
            wanted[ref] = wanted.get(members[0].ref, 0)
    told.scans = [scan for scan in scans if scan.ref in wanted and present[scan.ref].digest == scan.digest]
    told.other_desk = sum(present[scan.ref].setting != scan.setting for scan in told.scans if scan.ref not in cases)
    seen = {scan.ref for scan in told.scans}
    told.unread = sum(ref not in seen for ref in wanted if ref not in cases)
    holding = [row for row in rows if row.ref in present and present[row.ref].digest == row.digest]
    others = {source.name for source in told.sources}
    told.outdated_brought = sum(row.read in others for row in rows) - sum(row.read in others for row in holding)
    told.outdated = len(rows) - len(holding) - told.outdated_brought
    told.rows = sorted((row for row in holding if row.ref in wanted), key=lambda row: wanted[row.ref])
    return told


def _chosen(store: Path, where: Where, selection: Selection) -> set[int]:
    condition, parameters = ("", []) if selection == EVERYTHING else where(selection)
    with reading(store) as db:
        return {row[0] for row in db.execute(f"SELECT conversations.id FROM conversations{condition}", parameters)}


def _scan_row(row: tuple[str, str, str, str, str]) -> ScanRow:
    ref, digest, setting, desk, reads = row
    return ScanRow(ref, digest, setting, desk, json.loads(reads))


@contextmanager
def attached(db: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Attach the findings file to a connection to the store, read-only, for the length of a `with` block."""
    with speaking_plainly(path):
        db.execute(f"ATTACH ? AS {BESIDE}", (f"file:{quote(str(path.absolute()))}?mode=ro",))
        if db.execute(f"PRAGMA {BESIDE}.user_version").fetchone()[0] != _VERSION:
            raise StoreError(f"{path} is of another version, or no file of findings.", SCAN_AGAIN)
        yield


def _opened(path: Path) -> sqlite3.Connection:
    """Open the file of findings; one of another version is made anew, since a scan makes everything in it."""
    connection = _connected(path)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == _VERSION:
        return connection
    if version or connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        connection.close()
        raise StoreError(f"{path} is of another version, or no file of findings.", SCAN_AGAIN)
    connection.executescript(f"{FINDING_TABLES}PRAGMA user_version = {_VERSION};")
    return connection


def _connected(path: Path) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode=rwc"
    connection = sqlite3.connect(uri, uri=True, timeout=5.0, isolation_level=None)
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection
