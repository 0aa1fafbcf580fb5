"""The shape of `runs.db`: tables, indexes, and the numbered migrations that lead to them.

Owns the DDL and the version number (`PRAGMA user_version`). A migration, once released, is never edited; a new one is
added below it. Loads sqlite-utils, so only writers and `upgrade` import it; readers compare `VERSION` in
`reviewer.transcripts.store.connection`.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

from reviewer.transcripts.store.act_columns import upgrade

migrations = Migrations("reviewer")

_FIRST = """
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;

CREATE TABLE totals (key TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE imports (
  id INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, command TEXT NOT NULL, counts TEXT
);

CREATE TABLE desks (id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, text TEXT NOT NULL);

CREATE TABLE sources (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, format TEXT NOT NULL, bytes INTEGER,
  synthetic INTEGER NOT NULL DEFAULT 0, import_id INTEGER REFERENCES imports(id), extra TEXT
);

CREATE TABLE models (name TEXT PRIMARY KEY, vendor TEXT, tier TEXT, badges TEXT, extra TEXT) WITHOUT ROWID;

CREATE TABLE runs (
  id INTEGER PRIMARY KEY, model TEXT NOT NULL, number INTEGER, label TEXT,
  prompt TEXT, harness TEXT, judge TEXT, meant TEXT, extra TEXT
);
CREATE UNIQUE INDEX runs_by_name ON runs (model, ifnull(number, -1));

CREATE TABLE cases (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, suite TEXT, family TEXT, bucket TEXT, forbidden TEXT, lure TEXT,
  labels TEXT, "order" TEXT, persona TEXT, goal TEXT, expected TEXT, language TEXT, opening TEXT, context TEXT,
  extra TEXT
);

CREATE TABLE conversations (
  id INTEGER PRIMARY KEY, ref TEXT NOT NULL UNIQUE, digest TEXT NOT NULL,
  run_id INTEGER NOT NULL REFERENCES runs(id), case_id INTEGER REFERENCES cases(id),
  source_id INTEGER NOT NULL REFERENCES sources(id), import_id INTEGER NOT NULL REFERENCES imports(id),
  desk_id INTEGER REFERENCES desks(id), position TEXT, source_key TEXT,
  messages INTEGER NOT NULL, agent_messages INTEGER NOT NULL, tool_calls INTEGER NOT NULL,
  tool_results INTEGER NOT NULL, orphan_results INTEGER NOT NULL, errors INTEGER NOT NULL,
  started TEXT, ended TEXT, ended_by TEXT, clock TEXT, error TEXT, opening TEXT, meta TEXT, extra TEXT
);
CREATE INDEX conversations_by_case ON conversations (case_id, run_id);
CREATE INDEX conversations_by_run ON conversations (run_id, case_id);
CREATE INDEX conversations_by_source ON conversations (source_id);
CREATE INDEX conversations_by_digest ON conversations (digest);

CREATE TABLE messages (
  id INTEGER PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversations(id), number INTEGER NOT NULL,
  role TEXT NOT NULL, source_role TEXT, name TEXT, at TEXT, tokens_in INTEGER, tokens_out INTEGER,
  tokens_reasoning INTEGER, text TEXT NOT NULL, reasoning TEXT NOT NULL, extra TEXT
);
CREATE INDEX messages_in_order ON messages (conversation_id, number);

CREATE TABLE calls (
  id INTEGER PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversations(id), message INTEGER NOT NULL,
  number INTEGER NOT NULL, role TEXT NOT NULL, name TEXT NOT NULL, error TEXT, orphan INTEGER NOT NULL DEFAULT 0,
  call_id TEXT, result_after INTEGER, at TEXT, arguments TEXT, result TEXT, extra TEXT
);
CREATE INDEX calls_in_order ON calls (conversation_id, message, number, role, name, orphan);
CREATE INDEX calls_by_name ON calls (name, conversation_id);

CREATE TABLE scores (
  id INTEGER PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversations(id),
  scorer TEXT NOT NULL, judge TEXT, value REAL, raw TEXT, note TEXT
);
CREATE INDEX scores_of ON scores (conversation_id, scorer, judge, value);

CREATE TABLE rejected (
  id INTEGER PRIMARY KEY, import_id INTEGER REFERENCES imports(id), path TEXT NOT NULL, position TEXT NOT NULL,
  reason TEXT NOT NULL, raw BLOB
);
CREATE UNIQUE INDEX rejected_once ON rejected (path, position, reason);
"""


_SECOND = """
ALTER TABLE messages ADD COLUMN tokens_cached INTEGER;
ALTER TABLE messages ADD COLUMN cost REAL;
ALTER TABLE conversations ADD COLUMN tokens_in INTEGER;
ALTER TABLE conversations ADD COLUMN tokens_out INTEGER;
ALTER TABLE conversations ADD COLUMN tokens_reasoning INTEGER;
ALTER TABLE conversations ADD COLUMN tokens_cached INTEGER;
ALTER TABLE conversations ADD COLUMN cost REAL;
ALTER TABLE conversations ADD COLUMN stated INTEGER;
ALTER TABLE runs ADD COLUMN tools TEXT;
ALTER TABLE sources ADD COLUMN place TEXT;
ALTER TABLE sources ADD COLUMN hash TEXT;
ALTER TABLE sources ADD COLUMN label TEXT;
CREATE TABLE updates (
  id INTEGER PRIMARY KEY, import_id INTEGER NOT NULL REFERENCES imports(id), source_id INTEGER,
  conversation_id INTEGER NOT NULL, before TEXT NOT NULL
);
CREATE INDEX updates_by_import ON updates (import_id);
CREATE INDEX updates_by_conversation ON updates (conversation_id);
CREATE INDEX sources_by_place ON sources (place);
CREATE INDEX sources_by_hash ON sources (hash);
CREATE TABLE brought (source_id INTEGER, key TEXT, n INTEGER NOT NULL, PRIMARY KEY (source_id, key)) WITHOUT ROWID;
UPDATE conversations SET (tokens_in, tokens_out, tokens_reasoning) = (
  SELECT CASE WHEN count(tokens_in) THEN CAST(total(tokens_in) AS INTEGER) END,
    CASE WHEN count(tokens_out) THEN CAST(total(tokens_out) AS INTEGER) END,
    CASE WHEN count(tokens_reasoning) THEN CAST(total(tokens_reasoning) AS INTEGER) END
  FROM messages WHERE conversation_id = conversations.id AND role <> 'customer');
INSERT INTO brought SELECT source_id, 'conversations', count(*) FROM conversations GROUP BY 1;
INSERT INTO totals SELECT 'run.' || run_id, count(*) FROM conversations GROUP BY run_id;
INSERT INTO brought SELECT source_id, 'tokens', count(*) FROM conversations
  WHERE tokens_in IS NOT NULL OR tokens_out IS NOT NULL GROUP BY 1;
INSERT INTO brought SELECT source_id, 'message_tokens', count(*) FROM conversations
  WHERE tokens_in IS NOT NULL OR tokens_out IS NOT NULL GROUP BY 1;
INSERT INTO brought SELECT source_id, 'reasoning', count(*) FROM conversations
  WHERE tokens_reasoning IS NOT NULL GROUP BY 1;
INSERT INTO brought SELECT source_id, 'times', count(DISTINCT conversations.id) FROM conversations
  JOIN messages ON conversation_id = conversations.id AND at IS NOT NULL GROUP BY 1;
INSERT INTO brought SELECT source_id, 'call_times', count(DISTINCT conversations.id) FROM conversations
  JOIN calls ON conversation_id = conversations.id AND at IS NOT NULL GROUP BY 1;
INSERT INTO brought SELECT source_id, 'scores', count(*) FROM conversations
  JOIN scores ON conversation_id = conversations.id GROUP BY 1;
INSERT INTO brought SELECT source_id, 'notes', count(note) FROM conversations
  JOIN scores ON conversation_id = conversations.id GROUP BY 1
"""

_THIRD = """
ALTER TABLE conversations ADD COLUMN acts TEXT;
ALTER TABLE conversations ADD COLUMN outcome TEXT;
ALTER TABLE calls ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX conversations_without_acts ON conversations (desk_id) WHERE acts IS NULL AND desk_id IS NOT NULL
"""

_FOURTH = """
ALTER TABLE scores ADD COLUMN prompt TEXT;
DROP INDEX scores_of;
CREATE INDEX scores_of ON scores (conversation_id, scorer, judge, value, prompt)
"""


@migrations()
def m001_first(db: Database) -> None:
    """Create the store as first released."""
    _run(db, _FIRST)


@migrations()
def m002_usage_and_updates(db: Database) -> None:
    """Tokens and cost of messages and conversations, tools of a run, what a later import added to what was known."""
    _run(db, _SECOND)


@migrations()
def m003_outcomes(db: Database) -> None:
    """What came of a conversation, so that outcomes are compared without reading texts; which calls failed."""
    _run(db, _THIRD)
    upgrade(db.conn)


@migrations()
def m004_prompts(db: Database) -> None:
    """With which version of its prompt a judge gave a score."""
    _run(db, _FOURTH)


def _run(db: Database, script: str) -> None:
    for statement in script.split(";\n"):
        if statement.strip():
            db.execute(statement)
