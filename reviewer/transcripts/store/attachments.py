"""What is attached to stored conversations afterwards: scores and desks.

Owns the UPDATEs of `attach`. Works inside the writer's transaction and its totals.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from urllib.parse import unquote

from reviewer.transcripts.model import Score
from reviewer.transcripts.refs import canonical, conversation_ref
from reviewer.transcripts.store import act_columns


class AttachmentWriter:
    """Attaches scores and desks to conversations that are already stored."""

    def __init__(self, db: sqlite3.Connection, totals: Counter[str]) -> None:
        self._db = db
        self._totals = totals

    def find(self, ref: str) -> list[int]:
        """The conversations that a reference names: one, or a case across its runs."""
        names = (ref, canonical(ref))
        exact = [row[0] for row in self._db.execute("SELECT id FROM conversations WHERE ref IN (?, ?)", names)]
        model, _, case = map(unquote, ref.rpartition("/"))
        return exact or self.of_case(case, model)

    def of_case(self, case: str, model: str | None = None, run: int | None = None) -> list[int]:
        """The conversations of a case, of one model and run where these are given."""
        if model is not None and run is not None:
            ref = conversation_ref(model, case, run)
            return [row[0] for row in self._db.execute("SELECT id FROM conversations WHERE ref = ?", (ref,))]
        rows = self._db.execute(
            "SELECT conversations.id FROM conversations JOIN runs ON runs.id = run_id JOIN cases ON cases.id = case_id"
            " WHERE cases.name = ? AND (? IS NULL OR runs.model = ?) AND (? IS NULL OR runs.number = ?)",
            (case, model, model, run, run),
        )
        return [row[0] for row in rows]

    def has_model(self, name: str) -> bool:
        """True if any conversation is of this model."""
        return self._db.execute("SELECT 1 FROM runs WHERE model = ? LIMIT 1", (name,)).fetchone() is not None

    def score(self, rowid: int, score: Score) -> bool:
        """Store a score, replacing the one by the same scorer, judge and prompt; False if nothing changed."""
        key = (rowid, score.scorer, score.judge, score.prompt)
        now = (score.value, score.raw, score.note)
        where = "conversation_id = ? AND scorer = ? AND judge IS ? AND prompt IS ?"
        before = self._db.execute(f"SELECT value, raw, note FROM scores WHERE {where}", key).fetchall()
        if before == [now]:
            return False
        gone = self._db.execute(f"DELETE FROM scores WHERE {where}", key).rowcount
        self._db.execute(
            "INSERT INTO scores (conversation_id, scorer, judge, prompt, value, raw, note)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*key, *now),
        )
        self._totals["scores"] += 1 - gone
        return True

    def desk(self, rowids: Sequence[int], desk_id: int | None) -> int:
        """Set the desk (or none) of these conversations and return how many had another one before."""
        if desk_id is None:
            act_columns.without_desk(self._db, rowids)
        return self._db.executemany(
            "UPDATE conversations SET desk_id = ?, acts = NULL, outcome = NULL WHERE id = ? AND desk_id IS NOT ?",
            [(desk_id, rowid, desk_id) for rowid in rowids],
        ).rowcount

    def of_desk(self, text: str | None) -> list[int]:
        """The conversations that use the desk with this text; with None, those that use no desk."""
        sql = "SELECT id FROM conversations WHERE desk_id IS (SELECT id FROM desks WHERE text = ?)"
        if text is None:
            sql = "SELECT id FROM conversations WHERE desk_id IS NULL"
        return [row[0] for row in self._db.execute(sql, () if text is None else (text,))]

    def all_ids(self) -> list[int]:
        """Every conversation."""
        return [row[0] for row in self._db.execute("SELECT id FROM conversations")]
