"""What a store holds of runs that are gone on with: which cases of which run are there, how they ended, what was set.

Owns the SELECTs that `reviewer run` plans from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from reviewer.store.connection import reading


class HeldCase(NamedTuple):
    """A conversation of a case that a store holds."""

    rowid: int
    model: str
    run: int
    case: str
    error: str | None
    """What went wrong, where it ended in an error."""


def held_cases(store: Path, models: Iterable[str]) -> list[HeldCase]:
    """Every conversation of these models that has a case and a run; none where there is no store yet."""
    if not store.exists():
        return []
    with reading(store) as db:
        rows = db.execute(
            "SELECT conversations.id, runs.model, runs.number, cases.name,"
            " CASE WHEN error IS NOT NULL OR ended_by IS 'error' THEN ifnull(error, '') END"
            " FROM conversations JOIN runs ON runs.id = run_id JOIN cases ON cases.id = case_id"
            " WHERE runs.number IS NOT NULL AND runs.model IN (SELECT value FROM json_each(?))",
            (json.dumps(list(models)),),
        ).fetchall()
    return [HeldCase(*row) for row in rows]


def settings(store: Path, models: Iterable[str]) -> dict[tuple[str, int], dict[str, Any]]:
    """What sources said of these models' runs beside their prompt: settings, models of other roles, metadata."""
    if not store.exists():
        return {}
    with reading(store) as db:
        rows = db.execute(
            "SELECT model, number, extra FROM runs"
            " WHERE number IS NOT NULL AND model IN (SELECT value FROM json_each(?))",
            (json.dumps(list(models)),),
        ).fetchall()
    return {(model, number): json.loads(extra or "null") or {} for model, number, extra in rows}


def scored_by(store: Path, judge: str) -> set[tuple[int, str]]:
    """The conversations that a judge has given a number, with the name of the score."""
    with reading(store) as db:
        rows = db.execute("SELECT conversation_id, scorer FROM scores WHERE judge = ? AND value IS NOT NULL", (judge,))
        return set(rows.fetchall())


def values_by(store: Path, judge: str, ids: Iterable[int]) -> dict[str, dict[int, float]]:
    """What a judge gave these conversations, by score."""
    with reading(store) as db:
        rows = db.execute(
            "SELECT scorer, conversation_id, value FROM scores"
            " WHERE judge = ? AND value IS NOT NULL AND conversation_id IN (SELECT value FROM json_each(?))",
            (judge, json.dumps(list(ids))),
        ).fetchall()
    values: dict[str, dict[int, float]] = {}
    for scorer, rowid, value in rows:
        values.setdefault(scorer, {})[rowid] = value
    return values


def notes_by(store: Path, judge: str, ids: Iterable[int]) -> list[str]:
    """What a judge noted beside the numbers that it gave these conversations."""
    with reading(store) as db:
        rows = db.execute(
            "SELECT note FROM scores WHERE judge = ? AND value IS NOT NULL AND note IS NOT NULL"
            " AND conversation_id IN (SELECT value FROM json_each(?))",
            (judge, json.dumps(list(ids))),
        ).fetchall()
    return [str(note) for (note,) in rows]
