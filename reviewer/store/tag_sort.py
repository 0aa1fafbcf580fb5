"""The plan of an export: which tags it prints in which order, and how many there are, in a file that SQLite sorts.

Owns one throw-away file that is gone when the plan is closed, so that a plan of very many tags needs no more memory
than one of a few. Knows codes, references and identifiers by name; what they mean is the exporter's business.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import NamedTuple, Self

_TABLES = """
PRAGMA temp_store = FILE;
PRAGMA cache_size = -1024;
PRAGMA journal_mode = OFF;
CREATE TABLE tags (section INTEGER, mode INTEGER, code TEXT, words BLOB, ref TEXT, tag TEXT, exemplar INTEGER,
    in_case TEXT, across INTEGER, whole INTEGER);
CREATE TABLE reviewed (ref TEXT, queue TEXT, PRIMARY KEY (ref, queue)) WITHOUT ROWID;
CREATE TABLE left_out (state TEXT, ref TEXT, code TEXT, reviewer TEXT);
"""
# What is printed together: the same words in several conversations, else all words of a mode in one conversation.
_GROUPS = """
CREATE INDEX by_words ON tags (code, words, ref);
CREATE TABLE shared AS SELECT code, words FROM tags GROUP BY code, words HAVING min(ref) <> max(ref);
CREATE UNIQUE INDEX by_shared ON shared (code, words);
CREATE TABLE together AS
    SELECT tags.rowid AS tag_row, tags.code,
        CASE WHEN shared.code IS NULL AND NOT whole THEN tags.ref ELSE tags.words END AS key
    FROM tags LEFT JOIN shared USING (code, words);
CREATE TABLE groups AS
    SELECT together.code, key, max(exemplar) AS exemplar, min(tag_row) AS first, count(DISTINCT ref) AS conversations
    FROM together JOIN tags ON tags.rowid = tag_row GROUP BY together.code, key;
CREATE UNIQUE INDEX by_group ON groups (code, key);
CREATE INDEX by_ref ON tags (ref);
"""
_IN_ORDER = """
SELECT tags.ref, tag, first, conversations
FROM together JOIN tags ON tags.rowid = tag_row JOIN groups USING (code, key)
ORDER BY section, mode, tags.code, groups.exemplar DESC, first, tags.exemplar DESC, tags.ref, tag
"""
_COUNT = "SELECT count(*), count(DISTINCT CASE WHEN across THEN NULL ELSE ref END), count(DISTINCT in_case) FROM tags"


class Planned(NamedTuple):
    """A tag with what decides where it is printed."""

    section: int
    mode: int
    code: str
    words: bytes
    """What two tags with the same words have in common."""
    ref: str
    tag: str
    exemplar: bool
    case: str | None
    across: bool
    """Whether it is about a case across its runs."""
    whole: bool
    """Whether it is about a conversation (or a case) as a whole, and not about words or items of it."""


class TagEntry(NamedTuple):
    """A tag as it comes out of the plan, in order."""

    ref: str
    tag: str
    group: int = 0
    """Tags that are printed together have the same."""
    conversations: int = 1
    """In how many conversations those are."""


@dataclass(frozen=True, slots=True)
class TagTally:
    """The number of tags, of the conversations they are in, and of their cases."""

    tags: int
    conversations: int
    cases: int


class Plan:
    """One export's tags, sorted on disk."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)  # a file without a name, which ends with the connection
        self._db.executescript(_TABLES)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._db.close()

    def put(self, planned: Iterable[Planned]) -> None:
        """Add tags to the plan."""
        rows = (each._replace(code=_whole(each.code)) for each in planned)
        self._db.executemany("INSERT INTO tags VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def review(self, ref: str, queues: Iterable[str]) -> None:
        """Note that a conversation was reviewed, in these queues (`` for none)."""
        self._db.executemany("INSERT OR IGNORE INTO reviewed VALUES (?, ?)", [(ref, _whole(queue)) for queue in queues])

    def leave_out(self, state: str, ref: str, code: str, reviewer: str) -> None:
        """Note a tag that will not be printed."""
        self._db.execute("INSERT INTO left_out VALUES (?, ?, ?, ?)", (state, ref, _whole(code), _whole(reviewer)))

    def settle(self) -> None:
        """Work out which tags are printed together; nothing may be added after this."""
        self._db.executescript(_GROUPS)

    def in_order(self) -> Iterator[TagEntry]:
        """The tags by section and mode, exemplars first, those that are printed together next to each other."""
        return (TagEntry(*row) for row in self._db.execute(_IN_ORDER))

    def by_conversation(self) -> Iterator[TagEntry]:
        """The tags sorted by reference alone."""
        return (TagEntry(*row) for row in self._db.execute("SELECT ref, tag FROM tags ORDER BY ref, tag"))

    def left_out(self) -> Iterator[tuple[str, str, str, str]]:
        """State, reference, code and reviewer of each tag that is not printed."""
        yield from self._db.execute("SELECT state, ref, code, reviewer FROM left_out ORDER BY state, ref, code")

    def how_many_left_out(self) -> int:
        """How many tags are not printed."""
        return int(self._db.execute("SELECT count(*) FROM left_out").fetchone()[0])

    def tally(self, code: str | None = None) -> TagTally:
        """The numbers for all printed tags, or for those of one mode."""
        where, values = ("", ()) if code is None else (" WHERE code = ?", (_whole(code),))
        return TagTally(*self._db.execute(_COUNT + where, values).fetchone())

    def across(self) -> int:
        """The number of cases that have a tag about all their runs."""
        return int(self._db.execute("SELECT count(DISTINCT ref) FROM tags WHERE across").fetchone()[0])

    def reviewed(self, queue: str | None = None) -> int:
        """How many conversations were reviewed, in all or in one queue."""
        where, values = ("", ()) if queue is None else (" WHERE queue = ?", (queue,))
        return int(self._db.execute(f"SELECT count(DISTINCT ref) FROM reviewed{where}", values).fetchone()[0])

    def queues(self) -> list[str]:
        """The queues that conversations were reviewed in."""
        return [row[0] for row in self._db.execute("SELECT DISTINCT queue FROM reviewed WHERE queue <> '' ORDER BY 1")]

    def with_mode(self, code: str, queue: str | None = None) -> int:
        """The number of reviewed conversations (of a queue) that are tagged with a mode."""
        where, values = ("", ()) if queue is None else (" AND queue = ?", (queue,))
        row = self._db.execute(
            f"SELECT count(DISTINCT ref) FROM reviewed WHERE ref IN (SELECT ref FROM tags WHERE code = ?){where}",
            (_whole(code), *values),
        )
        return int(row.fetchone()[0])


def _whole(name: str) -> str:
    """A name without lone surrogates, which a journal may hold but SQLite refuses."""
    return name.encode("utf-8", "backslashreplace").decode()
