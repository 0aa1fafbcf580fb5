"""What stands where while an import goes on: copies of a conversation, the holder of a reference, the next free run.

Owns the questions that `reviewer.imports.run_numbers` asks of the writing connection, so that it sees what was written
a moment ago.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import unquote

from reviewer.transcripts.model import Conversation, Message
from reviewer.transcripts.store.column_types import COUNT, NUMBER, TEXT, WORDS, sound
from reviewer.transcripts.store.conversation_rows import messages_of

MOST = 100
"""Copies of one conversation that are looked at; beyond, they are only counted."""
_FROM = (
    "FROM conversations JOIN runs ON runs.id = run_id JOIN sources ON sources.id = source_id"
    " LEFT JOIN cases ON cases.id = case_id"
)
_SAME_FILE = (
    "(source_id = :source AND +runs.model = :model AND (stated IS :stated OR stated IS NULL)"
    " AND (source_key IS NULL OR :id IS NULL OR source_key = :id))"
)
_SAME_ID = "(+runs.model = :model AND source_key = :id AND (:stated IS NULL OR stated IS NULL OR stated = :stated))"
_SAME_RUN = "(:in_run AND +runs.model = :model AND (stated = :stated OR runs.number = :stated))"
_COPIES = (
    "{} AND conversations.id <= :last AND NOT (source_id = :source AND conversations.import_id = :import_id)"
    f" AND ({_SAME_FILE} OR {_SAME_ID} OR {_SAME_RUN})"
)
_OURS = "+conversations.import_id IN (SELECT value FROM json_each(?))"
_ANY = "SELECT 1 FROM conversations WHERE digest = ? AND id <= ? LIMIT 1"
# Nearly every digest is the only one of its kind; that of nothing said is shared by all that failed.
_BY_DIGEST = "digest = :digest AND +cases.name IS :case"
_BY_CASE = "cases.name = :case AND +digest = :digest"
_BY_SOURCE = "source_id = :source AND +digest = :digest AND +cases.name IS :case"
_BY_NAME = (
    "(ref = :ref OR (ref >= :longer AND ref < :longer || '.')) AND +digest = :digest AND +cases.name IS :case"
    " AND +source_key = :id"
)

_BY_REF = "(ref = :ref OR (ref >= :ref || '-' AND ref < :ref || '.')) AND +cases.name IS NULL"


class CopyQuery(NamedTuple):
    """A new conversation, described by what would identify a stored copy of it."""

    model: str
    case: str | None
    digest: str
    id: str | None
    stated: int | None
    in_run: bool
    """Whether equal words in the same stated run are the same conversation."""
    empty: bool = False
    ref: str | None = None
    longer: str | None = None
    """What one without a case is called by its identifier, and what the name begins with where another has that."""


class Copy(NamedTuple):
    """A stored conversation that may be the same as a new one."""

    rowid: int
    ref: str
    number: int | None
    surely: bool
    """Known by its file or its identifier; else only by its run."""


class Namesake(NamedTuple):
    """A stored conversation of the same model, case and source id as a new one."""

    rowid: int
    ref: str
    number: int | None
    case: str | None
    messages: int


@dataclass(frozen=True, slots=True)
class Occupant:
    """The conversation that already has a reference which a new one would take."""

    rowid: int
    digest: str
    number: int | None
    source: str
    import_id: int


class Places:
    """The places of one store, as its writer sees them."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._before = {"last": 0, "source": 0, "import_id": 0}
        self.imports: tuple[int, ...] = ()
        """The import that goes on, and those just before it that were stopped: what they wrote is its to place."""
        self._many: dict[CopyQuery, int] = {}
        """How many copies of those stand there that have more than are looked at."""
        self._read_before: dict[tuple[str | int | None, ...], list[tuple[str, Namesake]]] | None = None
        """What earlier imports read from the source, with digests, by position, model, case and stated run; worked out
        when it is asked for."""

    def begin_import(self, import_id: int) -> None:
        """Start an import; one that was interrupted before is continued."""
        last = self._db.execute("SELECT ifnull(max(id), 0) FROM imports WHERE ended IS NOT NULL").fetchone()[0]
        stopped = self._db.execute("SELECT id FROM imports WHERE id > ? AND id < ?", (last, import_id))
        self.imports = (import_id, *(row[0] for row in stopped))

    def begin_source(self, source: int, import_id: int) -> None:
        """Start on a source: only what was stored before it counts as a copy."""
        last = self._db.execute("SELECT max(id) FROM conversations").fetchone()[0] or 0
        self._before = {"last": last, "source": source, "import_id": import_id}
        self._db.execute("CREATE TEMP TABLE IF NOT EXISTS seen (key TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID")
        self._db.execute("DELETE FROM temp.seen")
        self._many.clear()
        self._read_before = None

    def next_copy(self, wanted: CopyQuery) -> Copy | None:
        """The stored copy that a conversation matches, each copy used once per source; None if it is new."""
        copies = self._copies(wanted)
        nth = self._seen(wanted) if copies else 0
        if not copies or nth > self._number_of(copies, wanted):
            return None
        return copies[min(nth, len(copies)) - 1]

    def namesakes(self, model: str, case: str | None, stated: int | None, id: str, ref: str) -> list[Namesake]:
        """The stored conversations of a source id, but for those that this import read from the same source.

        Those without a case are at a reference, or at longer ones.
        """
        if not self._before["last"]:
            return []
        rows = self._db.execute(
            f"SELECT conversations.id, ref, runs.number, cases.name, messages {_FROM} WHERE messages > 0"
            " AND conversations.id <= :last"
            f" AND {_BY_REF if case is None else 'cases.name = :case'} AND {_SAME_ID}"
            " AND NOT (source_id = :source AND conversations.import_id = :import_id)"
            f" ORDER BY conversations.id LIMIT {MOST}",
            {"model": model, "case": case, "stated": stated, "id": id, "ref": ref, **self._before},
        )
        return [Namesake(*row) for row in rows]

    def read_before(self, position: str, item: Conversation, digest: str) -> Namesake | None:
        """The one conversation that was read at this position of the source as other words, in the same roles."""
        if self._read_before is None:
            self._read_before = {}
            rows = self._db.execute(
                "SELECT position, runs.model, cases.name, stated, digest, conversations.id, ref, runs.number, messages"
                f" {_FROM} WHERE source_id = :source AND conversations.id <= :last"
                " AND conversations.import_id <> :import_id",
                self._before,
            )
            for where, model, case, stated, stood, *named, messages in rows.fetchall():
                held = stood, Namesake(named[0], named[1], named[2], case, messages)
                self._read_before.setdefault((where, model, case, stated), []).append(held)
        before = self._read_before.get((position, item.model, item.case, item.run), [])
        if len(before) != 1 or before[0][0] == digest or before[0][1].messages != len(item.messages):
            return None
        roles = [message.role for message in self.messages(before[0][1].rowid)]
        return before[0][1] if roles == [message.role for message in item.messages] else None

    def messages(self, rowid: int) -> tuple[Message, ...]:
        """The messages of a stored conversation."""
        return messages_of(lambda sql, parameters: self._db.execute(sql, parameters).fetchall(), rowid)

    def _number_of(self, copies: list[Copy], wanted: CopyQuery) -> int:
        if len(copies) < MOST:
            return len(copies)
        if wanted not in self._many:
            self._many[wanted] = self._count_copies(wanted)
        return self._many[wanted]

    def _copies(self, wanted: CopyQuery) -> list[Copy]:
        """The first stored copies of a conversation, those from its own file before others."""
        if self._db.execute(_ANY, (wanted.digest, self._before["last"])).fetchone() is None:
            return []  # so it is nearly always, and asking no more is quick
        rows = self._db.execute(
            f"SELECT conversations.id, ref, runs.number, {_SAME_FILE} OR {_SAME_ID} {_FROM} WHERE {_within(wanted)}"
            f" ORDER BY {_SAME_FILE} DESC, 4 DESC, source_key IS :id DESC, runs.number IS :stated DESC,"
            f" conversations.id LIMIT {MOST}",
            {**wanted._asdict(), **self._before},
        )
        return [Copy(rowid, ref, number, bool(surely)) for rowid, ref, number, surely in rows]

    def _count_copies(self, wanted: CopyQuery) -> int:
        """The number of stored copies of a conversation."""
        sql = f"SELECT count(*) {_FROM} WHERE {_within(wanted)}"
        return int(self._db.execute(sql, {**wanted._asdict(), **self._before}).fetchone()[0])

    def _seen(self, wanted: CopyQuery) -> int:
        """Count how often this was asked during this source; on disk, since a source may hold millions."""
        counted = self._db.execute(
            "INSERT INTO temp.seen VALUES (json_array(?, ?, ?, ?, ?), 1) ON CONFLICT DO UPDATE SET n = n + 1"
            " RETURNING n",
            wanted[:5],
        )
        return int(counted.fetchone()[0])

    def at(self, ref: str) -> Occupant | None:
        """The conversation that has a reference; None if it is free."""
        return next(iter(self._places("conversations.ref = ?", (ref,))), None)

    def next_number(self, model: str) -> int:
        """The next run number that is free for the model."""
        highest = self._db.execute(
            "SELECT max(number) FROM runs WHERE model = ?"
            " AND EXISTS (SELECT 1 FROM conversations WHERE run_id = runs.id)",
            (model,),
        ).fetchone()[0]
        return 1 if highest is None else int(highest) + 1

    def holders(self, model: str, suite: str | None, number: int) -> set[str]:
        """The sources that contributed conversations of a suite to a run of the model."""
        paths = self._db.execute(
            "SELECT DISTINCT sources.path FROM conversations JOIN runs ON runs.id = run_id"
            " JOIN sources ON sources.id = source_id JOIN cases ON cases.id = case_id"
            " WHERE runs.model = ? AND ifnull(runs.number, -1) = ? AND cases.suite IS ?",
            (model, number, suite),
        ).fetchall()
        return {path for (path,) in paths}

    def runs_by_source(self, import_id: int) -> list[tuple[str, str, int | None]]:
        """Source, model and run number of what one import wrote."""
        return self._db.execute(
            "SELECT DISTINCT sources.path, runs.model, runs.number FROM conversations JOIN runs ON runs.id = run_id"
            " JOIN sources ON sources.id = source_id WHERE conversations.import_id = ?",
            (import_id,),
        ).fetchall()

    def coverage(self, models: Collection[str]) -> list[tuple[str, int | None, str | None, int, int, int]]:
        """Count, for each model, run and bucket, the conversations, the empty ones and those without a score."""
        marks = ", ".join("?" * len(models))
        rows = self._db.execute(
            "SELECT runs.model, runs.number, cases.bucket, count(*), sum(conversations.messages = 0),"
            " sum(NOT EXISTS (SELECT 1 FROM scores WHERE conversation_id = conversations.id)) FROM conversations"
            " JOIN runs ON runs.id = run_id LEFT JOIN cases ON cases.id = case_id"
            f" WHERE runs.model IN ({marks}) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
            tuple(models),
        ).fetchall()
        return [*sound(rows, (TEXT, NUMBER, WORDS, COUNT, COUNT, COUNT))]

    def missing(self, models: Collection[str]) -> dict[tuple[str, int | None], int]:
        """Count the missing cases of each run that says which cases it was meant to have."""
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

    def of_source(self, source: int) -> list[int]:
        """The conversations that this import wrote from one source."""
        asked = f"SELECT id FROM conversations WHERE source_id = ? AND {_OURS}"
        return [row[0] for row in self._db.execute(asked, (source, *self._ours()))]

    def labelled(self, paths: Collection[str]) -> list[tuple[str, str, str]]:
        """Model, label and path of those of some sources that have a label."""
        rows = self._db.execute(
            "SELECT DISTINCT runs.model, sources.label, sources.path FROM json_each(?) AS named"
            " JOIN sources ON sources.path = named.value CROSS JOIN conversations ON source_id = sources.id"
            " JOIN runs ON runs.id = run_id WHERE sources.label IS NOT NULL",
            (json.dumps([*paths]),),
        ).fetchall()
        return [*sound(rows, (TEXT, TEXT, TEXT))]

    def sources_of(self, model: str, paths: Sequence[str]) -> list[str]:
        """Return which of these sources gave a model conversations in this import."""
        return list(dict.fromkeys(source for _, source, *_ in self.of_model(model, paths)))

    def of_model(self, model: str, paths: Sequence[str]) -> list[tuple[int, str, int | None, str | None, str]]:
        """List what this import wrote of a model: row, source, run number, case, the reference's end."""
        rows = self._db.execute(
            "SELECT conversations.id, sources.path, runs.number, cases.name, ref FROM json_each(?) AS named"
            " JOIN sources ON sources.path = named.value CROSS JOIN conversations ON source_id = sources.id"
            " JOIN runs ON runs.id = run_id LEFT JOIN cases ON cases.id = case_id"
            f" WHERE runs.model = ? AND {_OURS}",
            (json.dumps(paths), model, *self._ours()),
        )
        return [(*row[:4], unquote(row[4].rpartition("/")[2])) for row in rows]

    def of_run(self, model: str, number: int | None, sources: Iterable[str]) -> list[tuple[int, str | None]]:
        """The conversations (with their cases) that these sources gave to one run in this import."""
        asked = (
            "SELECT conversations.id, cases.name FROM conversations JOIN runs ON runs.id = run_id"
            " JOIN sources ON sources.id = source_id LEFT JOIN cases ON cases.id = case_id"
            " WHERE runs.model = ? AND ifnull(runs.number, -1) = ifnull(?, -1) AND sources.path = ?"
            f" AND {_OURS}"
        )
        return [row for path in sources for row in self._db.execute(asked, (model, number, path, *self._ours()))]

    def _ours(self) -> tuple[str]:
        return (json.dumps(self.imports),)

    def _places(self, where: str, parameters: Sequence[Any], end: str = "") -> list[Occupant]:
        rows = self._db.execute(
            f"SELECT conversations.id, digest, runs.number, sources.path, conversations.import_id {_FROM}"
            f" WHERE {where} ORDER BY conversations.id {end}",
            parameters,
        )
        return [Occupant(*row) for row in rows]


def _within(wanted: CopyQuery) -> str:
    of_nothing = _BY_SOURCE if wanted.case is None else _BY_CASE
    by = _BY_NAME if wanted.ref else of_nothing if wanted.empty else _BY_DIGEST
    return _COPIES.format(by)
