"""Findings as they are looked up while a store is open: of one conversation at a time, or all there are in brief.

Owns one read-only connection to the store with its findings attached. A finding counts only while its conversation
(or each run of its case) is what it was; where a scan is just writing, there are none for a moment.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from reviewer.basics.errors import StoreError
from reviewer.findings.finding_store import BESIDE, FindingRow, attached, findings_file, kept, must_be
from reviewer.findings.store_entries import digest_of_runs
from reviewer.transcripts.store.connection import reading, speaking_plainly

_KEPT = 5_000
"""Conversations whose findings are remembered."""
_PATIENCE = 200
"""Milliseconds to wait for a scan that is just writing."""
_COLUMNS = "ref, digest, read, version, mode, certain, message, identity, body"


_BRIEF = (int, str, str, str, int, str)


class FindingBrief(NamedTuple):
    """A finding without its words: enough to count it, and to ask for the rest."""

    number: int
    ref: str
    read: str
    mode: str
    certain: bool
    identity: str


class KeptFindings:
    """The findings of one store, for whoever has it open."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._known: dict[str, tuple[FindingRow, ...]] = {}
        self._seen = self._signature()
        self._held = ExitStack()
        self._db: sqlite3.Connection | None = None
        """For what is looked up while somebody waits for a key."""

    @property
    def there(self) -> bool:
        """True if the store was ever scanned."""
        return self._seen is not None

    def stale(self) -> bool:
        """True if a scan has written since; it only looks, so a thread may ask every moment."""
        return self._signature() != self._seen

    def refresh(self) -> None:
        """Forget what was looked up."""
        self._seen = self._signature()
        self._known.clear()
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self._held.close()
        self._db = None

    def of(self, ref: str) -> tuple[FindingRow, ...]:
        """The findings about a conversation, or a case across its runs, as it stands."""
        if self._seen is None:
            return ()
        known = self._known.get(ref)
        if known is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            try:
                known = tuple(self._read(ref))
            except StoreError:
                return ()  # a scan is writing, or the file is none of ours: `reviewer findings` says so
            self._known[ref] = known
        return known

    def briefs(self) -> list[FindingBrief]:
        """All findings that still hold, in the order of the file; on a connection of its own, for a thread."""
        if self._signature() is None:
            return []
        columns = "f.id, f.ref, f.read, f.mode, f.certain, f.identity"
        with self._opened() as db:
            rows = db.execute(
                f"SELECT {columns} FROM {BESIDE}.findings f JOIN conversations c ON c.ref = f.ref"
                " AND c.digest = f.digest"
            ).fetchall()
            across = db.execute(
                f"SELECT {columns}, f.digest FROM {BESIDE}.findings f WHERE f.message IS NULL"
                " AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.ref = f.ref)"
            ).fetchall()
            digests = {ref: _digest_of_case(db, ref) for ref in {row[1] for row in across}}
        rows += [row[:-1] for row in across if digests[row[1]] == row[-1]]
        path = findings_file(self._store)
        for row in rows:
            must_be(_BRIEF, row, path)
        return [FindingBrief(*row)._replace(certain=bool(row[4])) for row in sorted(rows)]

    def bodies(self, numbers: Sequence[int]) -> dict[str, str]:
        """What the findings of these numbers say, as it is kept, by their identity."""
        marks = ",".join("?" * len(numbers))
        rows = self._connection.execute(
            f"SELECT identity, body FROM {BESIDE}.findings WHERE id IN ({marks})", list(numbers)
        )
        return dict(rows.fetchall())

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            self._db = self._held.enter_context(self._opened())
        return self._db

    def _read(self, ref: str) -> Iterator[FindingRow]:
        with speaking_plainly(self._store):
            db = self._connection
            rows = db.execute(f"SELECT {_COLUMNS} FROM {BESIDE}.findings WHERE ref = ? ORDER BY id", (ref,)).fetchall()
            if rows:
                own = db.execute("SELECT digest FROM conversations WHERE ref = ?", (ref,)).fetchone()
                digest = own[0] if own else _digest_of_case(db, ref)
                path = findings_file(self._store)
                yield from (kept(row, path) for row in rows if row[1] == digest)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with reading(self._store) as db, attached(db, findings_file(self._store)):
            db.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
            yield db

    def _signature(self) -> tuple[int, int, int] | None:
        try:
            stat = findings_file(self._store).stat()
        except OSError:
            return None
        return stat.st_ino, stat.st_size, stat.st_mtime_ns


def _digest_of_case(db: sqlite3.Connection, ref: str) -> str:
    """The digest of a case across the runs that the store has of it now."""
    model, _, case = ref.rpartition("/")
    members = db.execute(
        "SELECT digest FROM conversations JOIN runs ON runs.id = run_id JOIN cases ON cases.id = case_id"
        " WHERE runs.model = ? AND cases.name = ? AND runs.number IS NOT NULL",
        (unquote(model), unquote(case)),
    ).fetchall()
    return digest_of_runs(each[0] for each in members)
