"""What a store holds for each field of the query language: the words that completion offers.

Owns the SELECTs behind completion, cheap enough to run at every keystroke. Fields with fixed choices need no store.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from reviewer.transcripts.query.selection import alike
from reviewer.transcripts.query.value_tests import one_blank
from reviewer.transcripts.store.connection import speaking_plainly

_KEPT = 2_000  # conversations whose `meta` and endings are looked at; they repeat themselves

# Tools are a few names in a long index: each step of the recursion leaps to the next one.
_TOOLS = (
    "WITH RECURSIVE tool(value) AS (SELECT min(name) FROM calls UNION ALL"
    " SELECT (SELECT min(name) FROM calls WHERE name > tool.value) FROM tool WHERE tool.value IS NOT NULL)"
    " SELECT value FROM tool"
)
_SOME = f"(SELECT * FROM conversations ORDER BY id DESC LIMIT {_KEPT})"
_META = f"FROM {_SOME} AS some, json_each(iif(json_valid(some.meta), some.meta, '{{}}')) AS each"
_SELECTS = {
    "model": "SELECT model AS value FROM runs",
    "run": "SELECT number AS value FROM runs",
    "case": "SELECT name AS value FROM cases",
    "suite": "SELECT suite AS value FROM cases",
    "family": "SELECT family AS value FROM cases",
    "bucket": "SELECT bucket AS value FROM cases",
    "label": (
        "SELECT each.value AS value FROM cases, json_each(iif(json_valid(labels), labels, '[]')) AS each"
        " UNION SELECT label FROM runs"
    ),
    "id": f"SELECT source_key AS value FROM {_SOME}",
    "source": "SELECT path AS value FROM sources",
    "tool": _TOOLS,
    "ended": f"SELECT ended_by AS value FROM {_SOME}",
    "date": f"SELECT substr(coalesce(started, ended), 1, 10) AS value FROM {_SOME}",
}
_CLASSES = "SELECT tool.value AS value FROM desks, json_each(acts(text)) AS tool WHERE tool.value <> 'read'"
_SELECTS["desk"] = "SELECT name AS value FROM desks WHERE acts(text) IS NOT NULL"
_FORBIDS = "SELECT each.value AS value FROM cases, json_each(iif(json_valid(forbidden), forbidden, '[]')) AS each"
_SELECTS["forbids"] = _FORBIDS
_SELECTS["wrote"] = f"{_CLASSES} AND tool.value <> 'handover'"
_SELECTS["attempted"] = _CLASSES
_SELECTS["forbidden"] = f"{_FORBIDS} WHERE each.value IN ({_CLASSES})"
_KEYS = {
    "score": f"SELECT scorer AS value FROM scores WHERE conversation_id IN (SELECT id FROM {_SOME})",
    "meta": f"SELECT each.key AS value {_META}",
}


class Vocabulary:
    """The values and keys that occur in one store."""

    def __init__(self, db: sqlite3.Connection, store: Path) -> None:
        self._db = db
        self._store = store

    def values(self, field: str, prefix: str = "", limit: int = 50) -> list[str]:
        """Values of a field that begin with the prefix, whatever the case, in order; none for a field without."""
        return self._beginning(_SELECTS[field], prefix, limit) if field in _SELECTS else []

    def keys(self, field: str, prefix: str = "", limit: int = 50) -> list[str]:
        """The scorers, or the keys of `meta`, that begin with the prefix."""
        return self._beginning(_KEYS[field], prefix, limit) if field in _KEYS else []

    def _beginning(self, select: str, prefix: str, limit: int) -> list[str]:
        with speaking_plainly(self._store):
            rows = self._db.execute(
                f"SELECT DISTINCT CAST(value AS TEXT) FROM ({select}) WHERE value <> ''"
                f" AND substr({one_blank('value')}, 1, length(?)) = ? COLLATE NOCASE ORDER BY value LIMIT ?",
                (prefix, alike(prefix), limit),
            ).fetchall()
        return [row[0] for row in rows]
