"""What a store knows of its own past and of the tools in it: imports, and tools with the arguments they were given.

Owns the SELECTs behind `reviewer imports` and `reviewer desk --init`.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reviewer.basics.errors import StoreError
from reviewer.basics.shell import shell_word
from reviewer.transcripts.store.column_types import COUNT, NUMBER, TEXT, WORDS, sound
from reviewer.transcripts.store.connection import reading

_SAMPLE = 50


@dataclass(frozen=True, slots=True)
class Import:
    """One import: when, with which command, what it added, and how much of that is still there."""

    number: int
    started: str
    ended: str | None
    command: dict[str, Any]
    counts: dict[str, int]
    present: int
    models: tuple[str, ...]


def runs_of(store: Path, ids: Sequence[int]) -> list[tuple[str, int | None, int]]:
    """Count these conversations by model and run."""
    with reading(store) as db:
        rows = db.execute(
            "SELECT model, number, count(*) FROM json_each(?) AS listed JOIN conversations ON conversations.id = value"
            " JOIN runs ON runs.id = run_id GROUP BY model, number ORDER BY model, number",
            (json.dumps(list(ids)),),
        ).fetchall()
        return [*sound(rows, (TEXT, NUMBER, COUNT))]


@dataclass(frozen=True, slots=True)
class SourceTotals:
    """The counts of what one source brought: conversations, those with tokens or times, scores."""

    path: str
    format: str
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class RunTotal:
    """One run: how many conversations it has, and whether its source says which tools the agent was given."""

    model: str
    number: int | None
    conversations: int
    tools: bool


def brought(store: Path) -> list[SourceTotals]:
    """Return what each source brought to the store, from the totals that the writer keeps."""
    with reading(store) as db:
        counts: defaultdict[int, dict[str, int]] = defaultdict(dict)
        told = db.execute("SELECT source_id, key, n FROM brought WHERE n > 0").fetchall()
        for source, key, n in sound(told, (COUNT, TEXT, COUNT)):
            counts[source][key] = n
        asked = db.execute("SELECT id, path, format FROM sources ORDER BY path").fetchall()
        rows = [*sound(asked, (COUNT, TEXT, TEXT))]
    return [SourceTotals(path, format, counts[id]) for id, path, format in rows if counts[id]]


def run_totals(store: Path) -> list[RunTotal]:
    """Every run of a store, from the same totals."""
    with reading(store) as db:
        rows = db.execute(
            "SELECT model, number, n, tools IS NOT NULL FROM runs JOIN totals ON key = 'run.' || runs.id WHERE n > 0"
            " ORDER BY model, number"
        ).fetchall()
        rows = [*sound(rows, (TEXT, NUMBER, COUNT, COUNT))]
    return [RunTotal(model, number, n, bool(tools)) for model, number, n, tools in rows]


def updates_of(store: Path, number: int) -> int:
    """Count the conversations of other imports that this import updated."""
    with reading(store) as db:
        sql = "SELECT count(DISTINCT conversation_id) FROM updates WHERE import_id = ?"
        return int(db.execute(sql, (number,)).fetchone()[0])


def commands(store: Path) -> list[dict[str, Any]]:
    """Return what each import of a store was asked for, the oldest first."""
    with reading(store) as db:
        rows = db.execute("SELECT command FROM imports ORDER BY id").fetchall()
    return [_object(row[0]) for row in rows]


def imports(store: Path) -> list[Import]:
    """Every import of a store, the oldest first."""
    with reading(store) as db:
        rows = db.execute(
            "SELECT id, started, ended, command, counts,"
            " (SELECT count(*) FROM conversations WHERE import_id = imports.id) FROM imports ORDER BY id"
        ).fetchall()
        rows = [*sound(rows, (COUNT, TEXT, WORDS, TEXT, WORDS, COUNT))]
        models: defaultdict[int, list[str]] = defaultdict(list)
        named = db.execute(
            "SELECT DISTINCT import_id, runs.model FROM conversations JOIN runs ON runs.id = run_id ORDER BY 1, 2"
        ).fetchall()
        for number, model in sound(named, (COUNT, TEXT)):
            models[number].append(model)
    return [
        Import(row[0], row[1], row[2], _object(row[3]), _object(row[4]), row[5], tuple(models[row[0]])) for row in rows
    ]


def of_import(store: Path, number: int) -> list[int]:
    """The conversations that an import wrote and that are still there."""
    with reading(store) as db:
        if not db.execute("SELECT 1 FROM imports WHERE id = ?", (number,)).fetchone():
            raise StoreError(f"{store} has no import {number}.", f"See: reviewer imports {shell_word(store)}")
        return [row[0] for row in db.execute("SELECT id FROM conversations WHERE import_id = ?", (number,))]


def tools(store: Path) -> list[tuple[str, int, tuple[str, ...]]]:
    """The tools that agents called, how often, and the names of their arguments; the most called first."""
    with reading(store) as db:
        rows = db.execute(
            "SELECT name, count(*) FROM calls WHERE role = 'agent' AND NOT orphan AND name <> ''"
            " GROUP BY name ORDER BY 2 DESC, 1"
        ).fetchall()
        samples = {
            name: db.execute(
                "SELECT arguments FROM calls WHERE name = ? AND role = 'agent' LIMIT ?", (name, _SAMPLE)
            ).fetchall()
            for name, _ in rows
        }
    return [(name, calls, _names(samples[name])) for name, calls in rows]


def _names(samples: list[tuple[str | None]]) -> tuple[str, ...]:
    """The names of arguments, the most frequent first."""
    counted: Counter[str] = Counter()
    for (text,) in samples:
        counted.update(map(str, _object(text)))
    return tuple(name for name, _ in counted.most_common())


def _object(text: str | None) -> dict[str, Any]:
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
