"""What stands where while an import goes on: copies of a conversation, the holder of a reference, the next free run.

Owns the questions that `reviewer.ingest.numbering` asks of the writing connection, so that it sees what was written a
moment ago.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Place:
    """What stands at a reference: enough to decide what a newcomer with the same name means."""

    rowid: int
    digest: str
    number: int | None
    source: str
    import_id: int


class Places:
    """The places of one store, as its writer sees them."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def copies(self, model: str, case: str | None, digest: str) -> list[Place]:
        """The stored conversations of this model and case with this very content."""
        return self._places(
            "conversations.digest = ? AND runs.model = ? AND cases.name IS ?", (digest, model, case), "LIMIT 100"
        )

    def at(self, ref: str) -> Place | None:
        """What stands at a reference."""
        return next(iter(self._places("conversations.ref = ?", (ref,))), None)

    def next_number(self, model: str) -> int:
        """A run number that no run of the model has yet."""
        highest = self._db.execute(
            "SELECT max(number) FROM runs WHERE model = ?"
            " AND EXISTS (SELECT 1 FROM conversations WHERE run_id = runs.id)",
            (model,),
        ).fetchone()[0]
        return 1 if highest is None else int(highest) + 1

    def holders(self, model: str, suite: str | None) -> list[tuple[int | None, str]]:
        """The run numbers under which the model has conversations of a suite, with the sources that gave them."""
        return self._db.execute(
            "SELECT DISTINCT runs.number, sources.path FROM conversations JOIN runs ON runs.id = run_id"
            " JOIN sources ON sources.id = source_id JOIN cases ON cases.id = case_id"
            " WHERE runs.model = ? AND cases.suite IS ?",
            (model, suite),
        ).fetchall()

    def runs_by_source(self, import_id: int) -> list[tuple[str, str, int | None]]:
        """Source, model and run number of what one import wrote."""
        return self._db.execute(
            "SELECT DISTINCT sources.path, runs.model, runs.number FROM conversations JOIN runs ON runs.id = run_id"
            " JOIN sources ON sources.id = source_id WHERE conversations.import_id = ?",
            (import_id,),
        ).fetchall()

    def coverage(self, models: Collection[str]) -> list[tuple[str, int | None, str | None, int, int, int]]:
        """Of each model, run and bucket: how many conversations are present, empty, without a score."""
        marks = ", ".join("?" * len(models))
        return self._db.execute(
            "SELECT runs.model, runs.number, cases.bucket, count(*), sum(conversations.messages = 0),"
            " sum(NOT EXISTS (SELECT 1 FROM scores WHERE conversation_id = conversations.id)) FROM conversations"
            " JOIN runs ON runs.id = run_id LEFT JOIN cases ON cases.id = case_id"
            f" WHERE runs.model IN ({marks}) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
            tuple(models),
        ).fetchall()

    def missing(self, models: Collection[str]) -> dict[tuple[str, int | None], int]:
        """Of runs that say which cases they were meant to have: how many of those they lack."""
        marks = ", ".join("?" * len(models))
        return {
            (model, number): n
            for model, number, n in self._db.execute(
                "SELECT model, number, (SELECT count(*) FROM json_each(meant) WHERE NOT EXISTS (SELECT 1 FROM"
                " conversations JOIN cases ON cases.id = case_id WHERE run_id = runs.id AND cases.name = value))"
                f" FROM runs WHERE meant IS NOT NULL AND model IN ({marks})",
                tuple(models),
            )
        }

    def of_source_in_import(self, source: int, import_id: int) -> list[int]:
        """The conversations that one import wrote from one source."""
        rows = self._db.execute(
            "SELECT id FROM conversations WHERE source_id = ? AND import_id = ?", (source, import_id)
        )
        return [row[0] for row in rows]

    def of_run(self, model: str, number: int | None, sources: Iterable[str]) -> list[tuple[int, str | None]]:
        """The conversations (with their cases) that these sources gave to one run."""
        found: list[tuple[int, str | None]] = []
        for path in sources:
            found += self._db.execute(
                "SELECT conversations.id, cases.name FROM conversations JOIN runs ON runs.id = run_id"
                " JOIN sources ON sources.id = source_id LEFT JOIN cases ON cases.id = case_id"
                " WHERE runs.model = ? AND runs.number IS ? AND sources.path = ?",
                (model, number, path),
            ).fetchall()
        return found

    def _places(self, where: str, parameters: Sequence[Any], end: str = "") -> list[Place]:
        rows = self._db.execute(
            "SELECT conversations.id, digest, runs.number, sources.path, conversations.import_id FROM conversations"
            " JOIN runs ON runs.id = run_id JOIN sources ON sources.id = source_id"
            " LEFT JOIN cases ON cases.id = case_id"
            f" WHERE {where} ORDER BY conversations.id {end}",
            parameters,
        )
        return [Place(*row) for row in rows]
