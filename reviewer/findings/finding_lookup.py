"""Looks up which findings of a store still hold, by mode, read and certainty, and which conversations were read.

Owns the SELECTs behind the terms of a query about suggestions: one over the findings of a mode, joined to the store,
so that what changed since is left out. A finding about a case across its runs is about each of its runs while all of
them are what they were. What people decided of a finding is not known here.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from reviewer.findings.finding_store import attached, findings_file, must_be
from reviewer.findings.store_entries import digest_of_runs
from reviewer.transcripts.refs import case_ref
from reviewer.transcripts.store.connection import reading

if TYPE_CHECKING:
    from collections.abc import Iterator

_MODES = (  # modes are a few names in a long index: each step leaps to the next one
    "WITH RECURSIVE mode(value) AS (SELECT min(mode) FROM suggested.findings UNION ALL"
    " SELECT (SELECT min(mode) FROM suggested.findings WHERE mode > mode.value) FROM mode WHERE mode.value IS NOT NULL)"
    " SELECT value FROM mode WHERE value IS NOT NULL"
)
_RUNS = (
    "SELECT asked.value ->> 2, conversations.id, conversations.digest FROM json_each(?) AS asked"
    " CROSS JOIN cases ON cases.name = asked.value ->> 1 CROSS JOIN runs ON runs.model = asked.value ->> 0"
    " CROSS JOIN conversations ON run_id = runs.id AND case_id = cases.id WHERE runs.number IS NOT NULL"
)
"""CROSS JOIN keeps that order: a model has few runs, a case one in each run of every model."""


_HELD = (str, str, str, str, (int, type(None)))
_TESTS = {
    "finding": "mode IN (SELECT value FROM json_each(?))",
    "read": "read IN (SELECT value FROM json_each(?))",
    "certain": "certain IN (SELECT value = 'yes' FROM json_each(?))",
}
EVERY: Mapping[str, Collection[str]] = MappingProxyType({})


class HeldFinding(NamedTuple):
    """A finding that still holds, and the conversations that it is about."""

    ref: str
    identity: str
    mode: str
    rowids: tuple[int, ...]


class FindingLookup:
    """The findings beside one store, as they are at the moment of asking."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self.path = findings_file(store)

    def modes(self) -> list[str]:
        """Every mode that a finding is of, those of findings that no longer hold included."""
        return self._names(_MODES)

    def reads(self) -> list[str]:
        """Every read and every other source that found something."""
        return self._names("SELECT DISTINCT read FROM suggested.findings ORDER BY read")

    def unread(self) -> int:
        """Count the conversations that no read has seen as they stand."""
        with reading(self._store) as db:
            whole = int(db.execute("SELECT count(*) FROM conversations").fetchone()[0])
        return whole - len(self.scanned())

    def scanned(self) -> set[int]:
        """The rows of the conversations that were read as they stand."""
        with self._attached() as db:
            return set() if db is None else {row[0] for row in db.execute(
                "SELECT conversations.id FROM suggested.scanned JOIN conversations"
                " ON conversations.ref = scanned.ref AND conversations.digest = scanned.digest"
            )}  # fmt: skip

    def held(self, allowed: Mapping[str, Collection[str]] = EVERY) -> list[HeldFinding]:
        """The findings that still hold, of the allowed modes (`finding`), reads and certainties (`yes`, `no`)."""
        tests = [_TESTS[name] for name in allowed]
        parameters = [json.dumps(sorted(names)) for names in allowed.values()]
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        with self._attached() as db:
            if db is None:
                return []
            rows = db.execute(
                "SELECT findings.ref, findings.digest, identity, mode, conversations.id FROM suggested.findings"
                " LEFT JOIN conversations ON conversations.ref = findings.ref"
                f" AND conversations.digest = findings.digest{where}",
                parameters,
            ).fetchall()
            for row in rows:
                must_be(_HELD, row, self.path)
            runs = _runs(db, {ref for ref, *_, rowid in rows if rowid is None})
        held = [HeldFinding(ref, identity, mode, (rowid,)) for ref, _, identity, mode, rowid in rows if rowid]
        for ref, digest, identity, mode, rowid in rows:
            members = runs.get(ref, ()) if rowid is None else ()
            if members and digest_of_runs(each for _, each in members) == digest:
                held.append(HeldFinding(ref, identity, mode, tuple(each for each, _ in members)))
        return held

    def _names(self, sql: str) -> list[str]:
        with self._attached() as db:
            names = [] if db is None else [row[0] for row in db.execute(sql)]
            return [name for name in names if isinstance(name, str)]

    @contextmanager
    def _attached(self) -> Iterator[sqlite3.Connection | None]:
        """Open the store with its findings beside it; None where it was never scanned."""
        if not self.path.exists():
            yield None
            return
        with reading(self._store) as db, attached(db, self.path):
            yield db


def _runs(db: sqlite3.Connection, cases: Iterable[str]) -> dict[str, list[tuple[int, str]]]:
    """The runs of the cases among these references, by reference of the case: row and digest of each."""
    asked = []
    for ref in cases:
        model, _, case = ref.rpartition("/")
        if case_ref(unquote(model), unquote(case)) == ref:
            asked.append((unquote(model), unquote(case), ref))
    runs: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for ref, rowid, digest in db.execute(_RUNS, (json.dumps(asked),)) if asked else ():
        runs[ref].append((rowid, digest))
    return runs
