"""Every INSERT, UPDATE and DELETE of the store.

Owns the writing connection: write-ahead mode while writing, whole conversations per commit, the totals that `info`
prints. It decides nothing about runs or duplicates (that is `reviewer.imports`); it answers what is stored and writes
what it is told.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from reviewer.basics.errors import StoreError
from reviewer.basics.shell import shell_word
from reviewer.transcripts.desk.call_results import failed
from reviewer.transcripts.model import ROLES, Conversation, Json, Message, Run
from reviewer.transcripts.store import act_columns
from reviewer.transcripts.store.attachments import AttachmentWriter
from reviewer.transcripts.store.catalogue import Catalogue, dumped, inserted
from reviewer.transcripts.store.connection import APPLICATION_ID, VERSION, connect_writing, explained, version_of
from reviewer.transcripts.store.conversation_rows import loaded
from reviewer.transcripts.store.occupancy import Places
from reviewer.transcripts.store.sources import LogFile, Sources
from reviewer.transcripts.store.updates import Updates
from reviewer.transcripts.store.usage import told_by, usage_of

OPENING = 160
_TOTAL_OF = {role: f"messages.{role}" for role in ROLES}
_of_message = attrgetter(
    *("role", "source_role", "name", "at", "tokens_in", "tokens_out", "tokens_reasoning", "tokens_cached", "cost"),
    *("text", "reasoning"),
)
_of_call = attrgetter("name", "error", "orphan", "id", "result_after", "at", "arguments", "result")


class _GoneConversation(NamedTuple):
    """A deleted conversation, described by what identifies it apart from its words."""

    source: int
    position: str | None
    key: str | None
    roles: frozenset[tuple[str, int]]
    """How many messages each role has."""
    digests: tuple[str, ...]


class Writer:
    """The one writer of a store, as a context manager."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = connect_writing(path)
        self._totals: Counter[str] = Counter()
        self._gone: dict[str, _GoneConversation] = {}
        """What was deleted on this connection, by its reference: what comes in its place may be the same, read anew."""
        self.catalogue = Catalogue(self._db, self._totals)
        self.places = Places(self._db)
        self.sources = Sources(self._db)
        self.attached = AttachmentWriter(self._db, self._totals)
        self.updates = Updates(self._db, self._totals, self.catalogue)
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._db.close()
            raise explained(error, path) from error
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._leave_wal()
        except sqlite3.Error as trouble:
            if kind is None:
                raise explained(trouble, self.path) from trouble
        finally:
            self._db.close()
        if isinstance(error, sqlite3.Error):
            raise explained(error, self.path) from error

    # -- transactions ------------------------------------------------------------------------------------------------

    def commit(self) -> None:
        """Commit everything added so far, totals included."""
        if self._db.in_transaction:
            act_columns.fill(self._db)
            self._flush_totals()
            self.updates.flush()
            self._db.execute("COMMIT")

    def begin(self) -> None:
        """Start a transaction if none is open."""
        if not self._db.in_transaction:
            self._db.execute("BEGIN IMMEDIATE")

    def _flush_totals(self) -> None:
        self._db.executemany(
            "INSERT INTO totals (key, n) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET n = n + excluded.n",
            [(key, n) for key, n in self._totals.items() if n],
        )
        self._totals.clear()

    # -- imports and sources -----------------------------------------------------------------------------------------

    def begin_import(self, command: Json) -> int:
        """Record the start of an import and its command; returns its number."""
        self.begin()
        row = self._db.execute("INSERT INTO imports (started, command) VALUES (?, ?)", (now(), dumped(command)))
        self.commit()
        self.places.begin_import(inserted(row))
        return inserted(row)

    def end_import(self, import_id: int, counts: Json) -> None:
        """Record what an import added."""
        self.begin()
        self._db.execute("UPDATE imports SET ended = ?, counts = ? WHERE id = ?", (now(), dumped(counts), import_id))
        self.commit()

    def source(self, path: str, format: str, size: int, import_id: int) -> int:
        """The row of a source that is not a file on this machine and is identified by its path alone."""
        self.begin()
        return self.sources.take(LogFile(path, format, size), import_id).id

    def desk(self, name: str, text: str, digest: str) -> int:
        """The row of a desk file, which is stored once for each hash."""
        self.begin()
        known = self._db.execute("SELECT id FROM desks WHERE hash = ?", (digest,)).fetchone()
        if known:
            return int(known[0])
        return inserted(self._db.execute("INSERT INTO desks (name, hash, text) VALUES (?, ?, ?)", (name, digest, text)))

    def set_desk(self, source_ids: Iterable[int], desk_id: int) -> None:
        """Set the desk of all conversations from these sources that have none yet."""
        self.begin()
        self._db.executemany(
            "UPDATE conversations SET desk_id = ?, acts = NULL WHERE source_id = ? AND desk_id IS NULL",
            [(desk_id, each) for each in source_ids],
        )

    def reject(self, import_id: int, path: str, position: str, reason: str, raw: str) -> bool:
        """Store a record that could not be read; False if it is stored already."""
        self.begin()
        row = self._db.execute(
            "INSERT OR IGNORE INTO rejected (import_id, path, position, reason, raw) VALUES (?, ?, ?, ?, ?)",
            (import_id, path, position, reason, raw),
        )
        self._totals["rejected"] += row.rowcount
        return row.rowcount > 0

    # -- conversations -----------------------------------------------------------------------------------------------

    def add(
        self,
        ref: str,
        digest: str,
        item: Conversation,
        source: int,
        import_id: int,
        position: str,
        stated: int | None = None,
    ) -> int:
        """Store a conversation with its messages, calls and scores; `stated` is the run that its source states."""
        self.begin()
        extra = self._with_former_digests(ref, digest, item, source, position)
        run = self.catalogue.run(Run(item.model, item.run))
        case = self.catalogue.case(item.case, item.facts)
        counts, text_calls = _counts(item.messages)
        usage = usage_of(item)
        self.updates.count({(source, key): n for key, n in told_by(item, usage).items()})
        opening = next((m.text for m in item.messages if m.role == "customer" and m.text), "")[:OPENING]
        rowid = inserted(
            self._db.execute(
                "INSERT INTO conversations (ref, digest, run_id, case_id, source_id, import_id, position, source_key,"
                " messages, agent_messages, tool_calls, tool_results, orphan_results, errors,"
                " started, ended, ended_by, clock, error, opening, meta, extra,"
                " stated, tokens_in, tokens_out, tokens_reasoning, tokens_cached, cost)"
                f" VALUES ({', '.join('?' * 28)})",
                (
                    *(ref, digest, run, case, source, import_id, position, item.id),
                    *counts,
                    *(item.started, item.ended, item.ended_by, item.clock, item.error, opening),
                    *(dumped(item.meta), dumped(extra), stated),
                    *usage,
                ),
            )
        )
        self._add_messages(rowid, item.messages)
        if item.scores:
            self._db.executemany(
                "INSERT INTO scores (conversation_id, scorer, judge, value, raw, note, prompt)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(rowid, s.scorer, s.judge, s.value, s.raw, s.note, s.prompt) for s in item.scores],
            )
        self._total(item, counts, text_calls)
        self._totals[f"run.{run}"] += 1
        return rowid

    def _with_former_digests(
        self, ref: str, digest: str, item: Conversation, source: int, position: str
    ) -> Json | None:
        """What is kept beside a conversation, with its digests from before where the same messages are read anew."""
        gone = self._gone.pop(ref, None)
        if gone is None or gone.roles != frozenset(Counter(message.role for message in item.messages).items()):
            return item.extra
        same_bytes = gone.source == source and source in self.sources.unchanged and gone.position == position
        former = [each for each in gone.digests if each != digest]
        if not former or not (same_bytes or (gone.key is not None and gone.key == item.id)):
            return item.extra
        return {**(item.extra or {}), "formerly": former}

    def delete(self, rowids: Iterable[int]) -> int:
        """Delete conversations with everything that belongs to them."""
        self.begin()
        removed = 0
        for rowid in rowids:
            removed += self._delete_one(rowid)
        return removed

    def move(self, rowid: int, ref: str, model: str, number: int | None) -> None:
        """Move a conversation to another run or model."""
        self.begin()
        run = self.catalogue.run(Run(model, number))
        before = self._db.execute(
            "SELECT run_id, runs.model FROM conversations JOIN runs ON runs.id = run_id WHERE conversations.id = ?",
            (rowid,),
        ).fetchone()
        self._totals.update({f"run.{run}": 1, f"model.{model}": 1})
        self._totals.subtract({f"run.{before[0]}": 1})
        self._totals.subtract({f"model.{before[1]}": 1})
        self._db.execute("UPDATE conversations SET run_id = ?, ref = ? WHERE id = ?", (run, ref, rowid))

    def _add_messages(self, rowid: int, messages: Sequence[Message]) -> None:
        self._db.executemany(
            "INSERT INTO messages (conversation_id, number, role, source_role, name, at, tokens_in, tokens_out,"
            " tokens_reasoning, tokens_cached, cost, text, reasoning, extra)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(rowid, n, *_of_message(m), dumped(m.extra)) for n, m in enumerate(messages, start=1)],
        )
        calls = [
            (rowid, n, k, m.role, *_of_call(c), dumped(c.extra), failed(c))
            for n, m in enumerate(messages, start=1)
            for k, c in enumerate(m.calls, start=1)
        ]
        if calls:
            self._db.executemany(
                "INSERT INTO calls (conversation_id, message, number, role, name, error, orphan, call_id, result_after,"
                " at, arguments, result, extra, failed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                calls,
            )

    def _total(self, item: Conversation, counts: Sequence[int], text_calls: int) -> None:
        totals = self._totals
        totals["conversations"] += 1
        totals[f"model.{item.model}"] += 1
        totals["empty_conversations"] += not item.messages
        for message in item.messages:
            totals[_TOTAL_OF[message.role]] += 1
        for key, n in zip(("tool_calls", "tool_results", "orphan_results"), counts[2:5], strict=True):
            totals[key] += n
        totals["text_calls"] += text_calls
        totals["scores"] += len(item.scores)

    def _delete_one(self, rowid: int) -> int:
        row = self._db.execute(
            "SELECT runs.model, run_id, tool_calls, tool_results, orphan_results, messages,"
            " ref, source_id, position, source_key, digest, conversations.extra FROM conversations"
            " JOIN runs ON runs.id = run_id WHERE conversations.id = ?",
            (rowid,),
        ).fetchone()
        if row is None:
            return 0
        self.updates.forget(rowid)
        self._totals["conversations"] -= 1
        self._totals[f"model.{row[0]}"] -= 1
        self._totals[f"run.{row[1]}"] -= 1
        self._totals["tool_calls"] -= row[2]
        self._totals["tool_results"] -= row[3]
        self._totals["orphan_results"] -= row[4]
        self._totals["empty_conversations"] -= row[5] == 0
        roles = self._db.execute(
            "SELECT role, count(*) FROM messages WHERE conversation_id = ? GROUP BY role", (rowid,)
        ).fetchall()
        for role, n in roles:
            self._totals[f"messages.{role}"] -= n
        former = (loaded(row[11]) or {}).get("formerly", ())
        source, position, key, digest = row[7:11]
        self._gone[row[6]] = _GoneConversation(source, position, key, frozenset(roles), (digest, *former))
        self._db.execute("DELETE FROM messages WHERE conversation_id = ?", (rowid,))
        calls = self._db.execute("DELETE FROM calls WHERE conversation_id = ?", (rowid,)).rowcount
        self._totals["text_calls"] -= calls - row[2] - row[4]  # what is neither a call nor an orphan was text
        self._totals["scores"] -= self._db.execute("DELETE FROM scores WHERE conversation_id = ?", (rowid,)).rowcount
        return self._db.execute("DELETE FROM conversations WHERE id = ?", (rowid,)).rowcount

    # -- the file ----------------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        version = version_of(self._db, self.path)
        if 0 < version < VERSION:
            raise StoreError(
                f"{self.path} is of an older version ({version}).", f"First: reviewer upgrade {shell_word(self.path)}"
            )
        self._db.execute("PRAGMA journal_mode = WAL")
        if version == 0:
            migrate(self._db)

    def _leave_wal(self) -> None:
        """Fold the log into the file, so that it can be read from anywhere; a busy reader leaves it in WAL."""
        self._db.execute("PRAGMA busy_timeout = 200")
        busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if not busy:
            try:
                self._db.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise


def migrate(connection: sqlite3.Connection) -> None:
    """Bring an empty or older store to this version, in one transaction: a store is never half made."""
    from sqlite_utils import Database

    from reviewer.transcripts.store.schema import migrations

    with connection:
        connection.execute("BEGIN IMMEDIATE")
        migrations.apply(Database(connection))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def now() -> str:
    """The current time in the form in which the store keeps times."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _counts(messages: Sequence[Message]) -> tuple[tuple[int, int, int, int, int, int], int]:
    """Messages, those an agent said something in, calls, results, orphans, errors; and calls recovered from text."""
    calls = [call for message in messages for call in message.calls]
    made = [call for call in calls if not (call.extra and call.extra.get("from_text"))]
    spoken = sum(m.role == "agent" and m.text != "" and not m.text.isspace() for m in messages)
    orphans = sum(call.orphan for call in made)
    results = sum(call.result is not None for call in made)
    errors = sum(failed(call) for call in calls if not call.orphan)
    return (len(messages), spoken, len(made) - orphans, results, orphans, errors), len(calls) - len(made)
