"""What a store holds of runs that are gone on with: which cases of which run are there, how they ended, what was set.

Owns the SELECTs that `reviewer run` plans from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from reviewer.transcripts.model import judge_label
from reviewer.transcripts.store.connection import reading
from reviewer.transcripts.store.tallies import BROKEN


class HeldCase(NamedTuple):
    """A conversation of a case that a store holds."""

    rowid: int
    model: str
    run: int
    case: str
    error: str | None
    """What went wrong, where it ended in an error."""


class HeldLength(NamedTuple):
    """How long the ended conversations of a model on a case were, on average; None where no source says."""

    model: str
    case: str
    conversations: int
    tokens_in: float
    tokens_out: float
    tokens_cached: float
    calls: float
    """Messages of the agent, each of which was a call."""
    customer_in: float | None
    customer_out: float | None
    customer_calls: float
    """Messages of the customer, which is about how often it was asked."""
    judge_in: float | None
    judge_out: float | None


def _of_role(role: str) -> str:
    """What a role read and wrote, on average, as Inspect's totals by role have it."""
    place = "iif(json_valid(conversations.extra), conversations.extra, '{{}}'), '$.role_usage.{}.{}'"
    read, hit, made, written = (
        f"json_extract({place.format(role, name)})"
        for name in ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write", "output_tokens")
    )
    return f"avg({read} + ifnull({hit}, 0) + ifnull({made}, 0)), avg({written})"


_SAID = "avg((SELECT count(*) FROM messages WHERE conversation_id = conversations.id AND role = '{}'))"
_LENGTHS = (
    "SELECT runs.model, cases.name, count(*), avg(tokens_in), avg(tokens_out), avg(ifnull(tokens_cached, 0)),"
    f" {_SAID.format('agent')}, {_of_role('customer')}, {_SAID.format('customer')}, {_of_role('judge')}"
    " FROM conversations JOIN runs ON runs.id = run_id JOIN cases ON cases.id = case_id"
    " WHERE runs.model IN (SELECT value FROM json_each(?)) AND tokens_in IS NOT NULL AND tokens_out IS NOT NULL"
    f" AND NOT {BROKEN} GROUP BY 1, 2"
)


def lengths(store: Path, models: Iterable[str]) -> list[HeldLength]:
    """How long the ended conversations of these models were, case by case; none where there is no store yet."""
    if not store.exists():
        return []
    with reading(store) as db:
        return [HeldLength(*row) for row in db.execute(_LENGTHS, (json.dumps(list(models)),)).fetchall()]


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


def scored_by(store: Path, judge: str) -> set[tuple[int, str, str | None]]:
    """The conversations that a judge has given a number, with the name of the score and the version of the prompt."""
    asked = "SELECT conversation_id, scorer, prompt FROM scores WHERE judge = ? AND value IS NOT NULL"
    with reading(store) as db:
        return set(db.execute(asked, (judge,)).fetchall())


def values_by(store: Path, judge: str, ids: Iterable[int]) -> dict[str, dict[int, float]]:
    """What a judge gave these conversations, by score and version of the prompt."""
    with reading(store) as db:
        rows = db.execute(
            "SELECT scorer, prompt, conversation_id, value FROM scores"
            " WHERE judge = ? AND value IS NOT NULL AND conversation_id IN (SELECT value FROM json_each(?))",
            (judge, json.dumps(list(ids))),
        ).fetchall()
    values: dict[str, dict[int, float]] = {}
    for scorer, prompt, rowid, value in rows:
        values.setdefault(judge_label(scorer, prompt) or "", {})[rowid] = value
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
