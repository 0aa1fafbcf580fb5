"""What a store knows of runs, cases and models, kept while conversations are written.

Owns the rows that conversations point at. Works inside the writer's transaction and counts new cases into its totals.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reviewer.transcripts.model import SIMULATED, Case, Json, Run
from reviewer.transcripts.store.jsontext import compact


class Catalogue:
    """Runs, cases and models of one store; each gets its row when it is first mentioned."""

    def __init__(self, db: sqlite3.Connection, totals: Counter[str]) -> None:
        self._db = db
        self._totals = totals
        self._runs: dict[tuple[str, int | None], int] = {}
        self._cases: dict[str, int] = {}
        self._facts: dict[str, Case] = {}
        """What was said first of each case in this import."""
        self._before: dict[int, Sequence[Any]] = {}
        """Cases that the source which is read has described, as they were."""

    def begin_source(self) -> None:
        """Start on another source: cases are described by it from now on."""
        self._before.clear()

    def take_back(self) -> None:
        """Undo what the current source said about cases."""
        for row in self._before.values():
            self._db.execute(f"REPLACE INTO cases VALUES ({', '.join('?' * len(row))})", row)
        self._cases.clear()
        self._facts.clear()

    def describe_run(self, run: Run) -> None:
        """Store what a source says about a run; the cases it was meant to have add up over sources."""
        rowid = self.run(run)
        label, prompt, harness, judge, meant, tools, extra = self._db.execute(
            "SELECT label, prompt, harness, judge, meant, tools, extra FROM runs WHERE id = ?", (rowid,)
        ).fetchone()
        cases, defined = (tuple(json.loads(each or "[]")) for each in (meant, tools))
        before = Run(run.model, run.number, label, prompt, harness, judge, cases, defined, json.loads(extra or "null"))
        both = together(before, run)
        self._totals["simulated_runs"] += (SIMULATED in (both.harness or "")) - (SIMULATED in (harness or ""))
        self._db.execute(
            "UPDATE runs SET label = ?, prompt = ?, harness = ?, judge = ?, meant = ?, tools = ?, extra = ?"
            " WHERE id = ?",
            (
                *(both.label, both.prompt, both.harness, both.judge),
                *(dumped(list(each)) if each else None for each in (both.meant, both.tools)),
                *(dumped(both.extra), rowid),
            ),
        )

    def describe_model(
        self, name: str, vendor: str | None, tier: str | None, badges: Sequence[str], extra: Json | None
    ) -> bool:
        """Store what is known about a model; False if nothing changed."""
        row = (vendor, tier, dumped(list(badges)), dumped(extra))
        asked = "SELECT vendor, tier, badges, extra FROM models WHERE name = ?"
        if self._db.execute(asked, (name,)).fetchone() == row:
            return False
        self._db.execute(
            "INSERT INTO models (name, vendor, tier, badges, extra) VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE"
            " SET vendor = excluded.vendor, tier = excluded.tier, badges = excluded.badges, extra = excluded.extra",
            (name, *row),
        )
        return True

    def mark_synthetic(self, source: int) -> None:
        """Mark a source file as synthetic: no real model wrote it, at least not all of it."""
        self._db.execute("UPDATE sources SET synthetic = 1 WHERE id = ? AND NOT synthetic", (source,))

    def run(self, run: Run) -> int:
        """The rowid of a run, which is inserted if it is new."""
        key = (run.model, run.number)
        if key not in self._runs:
            by_index = "SELECT id FROM runs WHERE model = ? AND ifnull(number, -1) = ifnull(?, -1)"
            known = self._db.execute(by_index, key).fetchone()
            self._runs[key] = (
                known[0] if known else inserted(self._db.execute("INSERT INTO runs (model, number) VALUES (?, ?)", key))
            )
        return self._runs[key]

    def case(self, name: str | None, facts: Case | None) -> int | None:
        """The rowid of a case, which is inserted if it is new, with what the source says about it."""
        if name is None:
            return None
        rowid = self._cases.get(name)
        if rowid is None:
            known = self._db.execute("SELECT id FROM cases WHERE name = ?", (name,)).fetchone()
            if known is None:
                self._totals["cases"] += 1
                known = (inserted(self._db.execute("INSERT INTO cases (name) VALUES (?)", (name,))),)
            rowid = self._cases[name] = int(known[0])
        if facts is not None and facts != self._facts.get(name):
            self._told_of(rowid, facts)
        return rowid

    def _told_of(self, rowid: int, facts: Case) -> None:
        """Store facts about a case: those of an import's first source count, later ones only fill gaps."""
        before = self._db.execute("SELECT * FROM cases WHERE id = ?", (rowid,)).fetchone()
        self._before.setdefault(rowid, before)
        if facts.id in self._facts:
            self.complete_case(facts)
        else:
            self._describe_case(rowid, facts, before[-1])
            self._facts[facts.id] = facts

    def describe_case(self, facts: Case) -> bool | None:
        """Add to what is known about a case; False if nothing is new, None if no conversation has the case."""
        known = self._db.execute("SELECT id, extra FROM cases WHERE name = ?", (facts.id,)).fetchone()
        if known is None:
            return None
        before = self._db.execute("SELECT * FROM cases WHERE id = ?", known[:1]).fetchone()
        self._describe_case(known[0], facts, known[1])
        return bool(self._db.execute("SELECT * FROM cases WHERE id = ?", known[:1]).fetchone() != before)

    def complete_case(self, facts: Case) -> list[Any] | None:
        """Fill the gaps in what is known about a case; returns the row before the change, None if none was needed."""
        columns = case_columns(facts)
        named = ", ".join(f'"{column}"' for column in columns)
        row = self._db.execute(f"SELECT id, {named} FROM cases WHERE name = ?", (facts.id,)).fetchone()
        if row is None:
            return None
        held = dict(zip(columns, row[1:], strict=True))
        new = {name: value for name, value in columns.items() if held[name] is None and value is not None}
        labels = list(dict.fromkeys((*json.loads(held["labels"] or "[]"), *facts.labels)))
        extra = {**(facts.extra or {}), **json.loads(held["extra"] or "{}")}
        new |= {name: compact(value) for name, value in (("labels", labels), ("extra", extra)) if value}
        new = {name: value for name, value in new.items() if value != held[name]}
        if not new:
            return None
        before = [*self._db.execute("SELECT * FROM cases WHERE id = ?", row[:1]).fetchone()]
        assignments = ", ".join(f'"{name}" = ?' for name in new)
        self._db.execute(f"UPDATE cases SET {assignments} WHERE id = ?", (*new.values(), row[0]))
        return before

    def put_case(self, row: Sequence[Any]) -> None:
        """Restore a case to an earlier state, if it still exists."""
        if self._db.execute("SELECT 1 FROM cases WHERE id = ? AND name = ?", row[:2]).fetchone():
            self._db.execute(f"REPLACE INTO cases VALUES ({', '.join('?' * len(row))})", row)

    def _describe_case(self, rowid: int, facts: Case, extra: str | None) -> None:
        if facts.extra and extra:
            facts = replace(facts, extra={**json.loads(extra), **facts.extra})
        values = case_columns(facts)
        assignments = ", ".join(f'"{column}" = coalesce(?, "{column}")' for column in values)
        self._db.execute(f"UPDATE cases SET {assignments} WHERE id = ?", (*values.values(), rowid))

    def forget_unused(self) -> None:
        """Delete runs, cases, files and desks that no conversation refers to."""
        for table, column in (("runs", "run_id"), ("cases", "case_id"), ("sources", "source_id"), ("desks", "desk_id")):
            held = f"SELECT 1 FROM conversations WHERE {column} = {table}.id"
            gone = self._db.execute(f"DELETE FROM {table} WHERE NOT EXISTS ({held})").rowcount
            self._totals["cases"] -= gone if table == "cases" else 0
        self._runs.clear()
        self._cases.clear()


def together(before: Run, after: Run) -> Run:
    """Combine what two sources say about one run: the later one's words, the cases and tools of both."""
    if before == after:
        return after
    tools = {dumped(tool): tool for tool in (*before.tools, *after.tools)}
    return replace(
        after,
        label=after.label or before.label,
        prompt=after.prompt or before.prompt,
        harness=before.harness if (after.harness or "") in (before.harness or "") else after.harness,
        judge=after.judge or before.judge,
        meant=tuple(dict.fromkeys((*before.meant, *after.meant))),
        tools=tuple(tools.values()),
        extra={**(before.extra or {}), **(after.extra or {})} or None,
    )


def case_columns(facts: Case) -> dict[str, str | None]:
    """A case as column values; None where nothing is known."""
    return {
        "suite": facts.suite,
        "family": facts.family,
        "bucket": facts.bucket,
        "forbidden": dumped(list(facts.forbidden)) if facts.forbidden else None,
        "lure": facts.lure,
        "labels": dumped(list(facts.labels)) if facts.labels else None,
        "order": dumped(facts.order),
        "persona": facts.persona,
        "goal": facts.goal,
        "expected": dumped(list(facts.expected)) if facts.expected else None,
        "language": facts.language,
        "opening": facts.opening,
        "context": facts.context,
        "extra": dumped(facts.extra),
    }


def dumped(value: Any) -> str | None:
    """JSON text for a column; None for nothing."""
    return None if value is None else compact(value)


def inserted(cursor: sqlite3.Cursor) -> int:
    """The id of the row that an INSERT made."""
    if cursor.lastrowid is None:  # an INSERT always gives one
        raise AssertionError("no row was inserted")
    return cursor.lastrowid
