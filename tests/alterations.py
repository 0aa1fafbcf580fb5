"""What other programs do to a store that is open: they replace, empty, cut, lock and spoil it."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from reviewer.transcripts.store.connection import VERSION
from tests import builders

Alteration = Callable[[Path], object]
TABLES = ("conversations", "messages", "calls", "runs", "cases", "scores", "sources", "desks", "totals", "imports")


def by_sql(*statements: str) -> Alteration:
    """Another program writes to it."""

    def alter(store: Path) -> None:
        with closing(sqlite3.connect(store)) as db:
            for each in statements:
                db.execute(each)
            db.commit()

    return alter


def other(store: Path, conversations: int = 1) -> Path:
    """Another store beside it."""
    held = (builders.conversation(case=f"another-{number}") for number in range(conversations))
    return builders.store(store.parent, *held, name="other.db")


def noise(store: Path) -> None:
    """Bytes of it are others."""
    dice, held = random.Random(5), bytearray(store.read_bytes())
    for _ in range(200):
        held[dice.randrange(100, len(held))] = dice.randrange(256)
    store.write_bytes(held)


def locked(store: Path) -> sqlite3.Connection:
    """Another program keeps everybody out until it lets go of this."""
    db = sqlite3.connect(store, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    return db


def _folder(store: Path) -> None:
    store.unlink()
    store.mkdir()


FILE: dict[str, Alteration] = {
    "replaced": lambda store: other(store).replace(store),
    "overwritten by another store": lambda store: store.write_bytes(other(store).read_bytes()),
    "overwritten by a larger store": lambda store: store.write_bytes(other(store, 300).read_bytes()),
    "overwritten by text": lambda store: store.write_text("hello"),
    "noise": noise,
    "deleted": lambda store: store.unlink(),
    "moved": lambda store: store.rename(store.with_name("moved.db")),
    "a folder now": _folder,
    "truncated to nothing": lambda store: os.truncate(store, 0),
    "truncated to half": lambda store: os.truncate(store, store.stat().st_size // 2),
    "read-only": lambda store: store.chmod(0o444),
    "unreadable": lambda store: store.chmod(0),
    "locked": locked,
    "of a newer version": by_sql(f"PRAGMA user_version = {VERSION + 1}"),
    "of an older version": by_sql(f"PRAGMA user_version = {VERSION - 1}"),
    "another program's": by_sql("PRAGMA application_id = 1"),
    "in write-ahead mode": by_sql("PRAGMA journal_mode = WAL"),
}
"""What becomes of the file."""

CONTENT: dict[str, Alteration] = {
    **{f"{table} dropped": by_sql(f"DROP TABLE {table}") for table in TABLES},
    **{f"{table} emptied": by_sql(f"DELETE FROM {table}") for table in TABLES},
    "half of the conversations gone": by_sql("DELETE FROM conversations WHERE id % 2"),
    "bytes for text": by_sql("UPDATE messages SET text = x'ff00'"),
    "bytes for models": by_sql("UPDATE runs SET model = CAST(x'ff41' AS TEXT) || id"),
    "bytes for cases": by_sql("UPDATE cases SET name = CAST(x'ff00' || name AS BLOB)"),
    "bytes for families": by_sql("UPDATE cases SET family = x'ff00'"),
    "bytes for scores": by_sql("UPDATE scores SET raw = x'ff', value = NULL, scorer = x'ff'"),
    "words for runs": by_sql("UPDATE runs SET number = 'x' || id"),
    "words for totals": by_sql("UPDATE totals SET n = 'x'"),
    "words for counts": by_sql("UPDATE conversations SET messages = 'x', tokens_in = 'y'"),
    "numbers below nothing": by_sql("UPDATE conversations SET messages = -5, tool_calls = -1, agent_messages = -9"),
    "numbers without bound": by_sql("UPDATE conversations SET messages = 9223372036854775807, cost = 9e999"),
    "no JSON": by_sql("UPDATE cases SET forbidden = '{'", "UPDATE conversations SET meta = '['"),
    "other JSON": by_sql(
        "UPDATE cases SET forbidden = '[1, {}]', labels = '[[1]]', \"order\" = '[1]', expected = '[null]'",
        "UPDATE conversations SET meta = '[1, 2]', extra = '7'",
        "UPDATE calls SET extra = '[3]'",
    ),
    "no desk": by_sql("UPDATE desks SET text = 'no toml ['"),
    "calls of messages that are not there": by_sql("UPDATE calls SET message = 900"),
    "messages numbered otherwise": by_sql("UPDATE messages SET number = number + 100"),
    "a column called otherwise": by_sql("ALTER TABLE messages RENAME COLUMN text TO words"),
    "a view for a table": by_sql("ALTER TABLE calls RENAME TO others", "CREATE VIEW calls AS SELECT * FROM others"),
    "openings of megabytes": by_sql("UPDATE conversations SET opening = printf('%.*c', 2000000, 'x')"),
    "half characters": by_sql("UPDATE messages SET text = CAST(x'eda080' AS TEXT)"),
    "half characters in references": by_sql("UPDATE conversations SET ref = CAST(x'eda080' AS TEXT) || id"),
}
"""What becomes of what is in it."""

FINDINGS: dict[str, Alteration] = {
    **{name: FILE[name] for name in ("overwritten by text", "noise", "deleted", "truncated to half", "locked")},
    "another program's": by_sql("PRAGMA user_version = 77"),
    "findings dropped": by_sql("DROP TABLE findings"),
    "bytes for findings": by_sql("UPDATE findings SET body = x'ff00'"),
    "numbers for findings": by_sql("UPDATE findings SET body = 7"),
    "bytes for modes": by_sql("UPDATE findings SET mode = x'ff00', read = x'ff', identity = x'ff'"),
    "words for messages": by_sql("UPDATE findings SET message = 'x', version = 'y', certain = 'z'"),
    "no JSON": by_sql("UPDATE findings SET body = '{'"),
    "other JSON": by_sql("""UPDATE findings SET body = '{"claim": 7, "evidence": [[1]], "reason": []}'"""),
    "no place": by_sql("UPDATE findings SET body = json_set(body, '$.claim.ref', 'nowhere')"),
    "lists in lists": by_sql(f"UPDATE findings SET body = '{'[' * 50_000}'"),
    "another mode": by_sql("UPDATE findings SET mode = 'nobody''s'"),
}
"""What becomes of the findings beside a store."""
